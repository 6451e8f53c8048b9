import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { readSubmission, type SubmittedMail } from "./SubmittedMail.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text.replace(/\r?\n/g, "\r\n"))

const read = async (text: string): Promise<SubmittedMail> => {
  const found = await readSubmission(bytesOf(text))
  assert.isTrue(found.ok, JSON.stringify(found))
  return found.ok ? found.value : assert.fail()
}

const faultOf = async (text: string) => {
  const found = await readSubmission(bytesOf(text))
  return found.ok ? "taken" : `${found.fault.status} ${found.fault.message}`
}

const textOf = (content: Uint8Array | undefined) => new TextDecoder().decode(content)

const mixed = (parts: ReadonlyArray<string>, subtype = "mixed") =>
  `From: Ada <ada@shop.test>
To: Bob <bob@example.com>
Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=
Message-ID: <one@client.test>
MIME-Version: 1.0
Content-Type: multipart/${subtype}; boundary="edge"

${parts.map((part) => `--edge\n${part}\n`).join("")}--edge--
`

describe("a submitted message", () => {
  it("has its first text and its first HTML as texts, and all other parts as attachments", async () => {
    const mail = await read(
      mixed([
        "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n\nAda",
        "Content-Type: text/html; charset=utf-8\n\n<p>Hi <img src=3D></p>",
        "Content-Type: text/plain\n\nThe second text",
        'Content-Type: text/plain; name="notes.txt"\nContent-Disposition: attachment\n\nNotes',
        "Content-Type: text/html\n\n<p>second</p>"
      ])
    )
    assert.deepStrictEqual([mail.subject, mail.messageId], ["Grüße", "one@client.test"])
    assert.strictEqual(mail.text?.trimEnd(), "Grüße\n\nAda")
    assert.strictEqual(mail.html?.trimEnd(), "<p>Hi <img src=3D></p>")
    assert.deepStrictEqual(
      mail.files.map(({ filename, disposition }) => [filename, disposition]),
      [
        ["part-1.txt", "attachment"],
        ["notes.txt", "attachment"],
        ["part-3.html", "attachment"]
      ]
    )
    assert.strictEqual(textOf(mail.files[1]?.content).trimEnd(), "Notes")
  })

  it("keeps the parameters of media types: a calendar invitation keeps its method", async () => {
    const mail = await read(
      mixed(
        [
          "Content-Type: text/plain\n\nCome",
          'Content-Type: text/calendar; charset=utf-8; method=REQUEST; name="x.ics"\n\nBEGIN:VCALENDAR\nEND:VCALENDAR'
        ],
        "alternative"
      )
    )
    const [file] = mail.files
    assert.strictEqual(file?.contentType, "text/calendar; charset=utf-8; method=REQUEST")
    assert.strictEqual(file?.filename, "x.ics")
    assert.match(textOf(file?.content), /^BEGIN:VCALENDAR\r\nEND:VCALENDAR/)
  })

  it("has inline parts if the HTML uses their content id, once each", async () => {
    const image = (id: string) =>
      `Content-Type: image/png\nContent-ID: <${id}>\nContent-Transfer-Encoding: base64\n\nAAEC`
    const mail = await read(
      mixed([
        'Content-Type: text/html\n\n<img src="cid:logo@shop.test"><img src="cid:a%20b">',
        image("logo@shop.test"),
        image("logo@shop.test"),
        image("unused@shop.test")
      ])
    )
    assert.deepStrictEqual(
      mail.files.map(({ disposition, contentId, content }) => [disposition, contentId, [...content]]),
      [
        ["inline", "logo@shop.test", [0, 1, 2]],
        ["attachment", null, [0, 1, 2]],
        ["attachment", null, [0, 1, 2]]
      ]
    )
  })

  it("has an attached message as one attachment", async () => {
    const mail = await read(
      mixed(["Content-Type: text/plain\n\nSee below", "Content-Type: message/rfc822\n\nSubject: inner\n\ninner text"])
    )
    assert.deepStrictEqual([mail.files[0]?.filename, mail.files[0]?.contentType], ["part-1.eml", "message/rfc822"])
    assert.match(textOf(mail.files[0]?.content), /^Subject: inner\r\n\r\ninner text/)
  })

  it("has a Message-ID only if there is exactly one valid one", async () => {
    const idOf = async (lines: string) => (await read(`From: a@b.co\n${lines}\n\nhi`)).messageId
    assert.strictEqual(await idOf("Message-ID: <a.b@c.d>"), "a.b@c.d")
    const refused = ["X: y", "Message-ID: a@b", "Message-ID: <a@b> <c@d>", "Message-ID: <a@b>\nMessage-ID: <a@b>"]
    const longAndForeign = [`Message-ID: <${"x".repeat(250)}@b>`, "Message-ID: <ü@b>", "Message-ID: <a b@c>"]
    for (const lines of [...refused, ...longAndForeign]) assert.isNull(await idOf(lines), lines)
  })

  it("is refused with the reason if it cannot be parsed, or is too large", async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? "Content-Type: text/plain\n\nx"
        : `Content-Type: multipart/mixed; boundary="b${depth}"\n\n--b${depth}\n${nested(depth - 1)}\n--b${depth}--`
    for (const kind of ["signed", "encrypted", "report"]) {
      assert.match(await faultOf(mixed(["\nx"], kind)), new RegExp(`^5\\.6\\.1 A message of type multipart/${kind}`))
    }
    assert.match(await faultOf(mixed(Array.from({ length: 201 }, () => "\nx"))), /^5\.6\.0 .*200 parts/)
    assert.strictEqual(await faultOf(mixed(Array.from({ length: 190 }, () => "\nx"))), "taken")
    assert.match(await faultOf(`From: a@b.co\n${nested(21)}`), /^5\.6\.0 .*20 deep/)
    assert.strictEqual(await faultOf(`From: a@b.co\n${nested(20)}`), "taken")
    assert.match(await faultOf(`From: a@b.co\nX-Long: ${"x".repeat(300_000)}\n\nhi`), /^5\.6\.0 .*256 KB/)
  })

  it("with any octets is read or refused, and contains nothing that the database cannot store", async () => {
    const line = fc.oneof(
      fc.constantFrom(
        "From: a@b.co",
        "Content-Type: multipart/mixed; boundary=x",
        "Content-Type: multipart/alternative; boundary=",
        "Content-Transfer-Encoding: base64",
        "Content-Disposition: attachment; filename*0*=utf-8''%00; filename*1=x",
        "Subject: =?utf-8?b?AAo=?=",
        "--x",
        "--x--",
        ""
      ),
      fc.string({ unit: "binary", maxLength: 40 })
    )
    const message = fc.array(line, { maxLength: 25 }).map((lines) => lines.join("\r\n"))
    await fc.assert(
      fc.asyncProperty(message, async (text) => {
        const found = await readSubmission(new TextEncoder().encode(text))
        if (!found.ok) return assert.match(found.fault.status, /^5\.6\.[01]$/)
        const { subject, text: plain, html, files } = found.value
        assert.notMatch(`${subject}${files.map(({ filename, contentType }) => filename + contentType)}`, /\p{Cc}/u)
        assert.notInclude(`${plain}${html}`, "\0")
        assert.isTrue(files.every(({ filename }) => filename.length > 0 && !/["/\\]/.test(filename)))
      }),
      { numRuns: 300 }
    )
  })
})

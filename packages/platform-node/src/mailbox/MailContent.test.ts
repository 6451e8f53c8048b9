import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mailOf } from "./MailboxTesting.ts"
import { readHead, readMail } from "./MailContent.ts"

const mail = mailOf(`From: "News, Ex" <news@posthorn.test>
Message-ID: <a@posthorn.test>
Subject: =?utf-8?b?w4Q=?=
X-Posthorn-Email-Id: 019A9F3C-0000-7000-8000-0000000000A1
X-Long: one
 two
X-Long: three
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Gr=C3=BC=C3=9Fe
--b
Content-Type: image/png; name="l.png"
Content-ID: <logo@x>
Content-Transfer-Encoding: base64

AQID
--b--
`)

it.effect("reads the content of a mail", () =>
  Effect.gen(function* () {
    const { headers, ...content } = yield* readMail(mail)
    assert.deepStrictEqual(content, {
      emailId: "019a9f3c-0000-7000-8000-0000000000a1",
      messageId: "<a@posthorn.test>",
      from: "news@posthorn.test",
      fromName: "News, Ex",
      subject: "Ä",
      text: "Grüße\n",
      html: null,
      attachments: [
        { filename: "l.png", contentType: "image/png", contentId: "logo@x", content: new Uint8Array([1, 2, 3]) }
      ]
    })
    assert.deepStrictEqual(
      headers.filter(([name]) => name === "X-Long").map(([, value]) => value),
      ["one two", "three"]
    )
  })
)

it.effect("reads the same header with and without the body, for every kind of line end", () =>
  Effect.gen(function* () {
    const whole = yield* readMail(mail)
    const unix = new TextEncoder().encode(new TextDecoder().decode(mail).replaceAll("\r", ""))
    for (const bytes of [mail, unix]) {
      assert.deepStrictEqual(yield* readHead(bytes), { ...whole, text: null, attachments: [] })
    }
  })
)

it.effect.each(["", "none", "' OR 1=1", "019a9f3c-0000-7000-8000-0000000000a1x"])(
  "takes no email id from %j",
  (claim) => Effect.map(readMail(mailOf(`X-Posthorn-Email-Id: ${claim}\n\n`)), ({ emailId }) => assert.isNull(emailId))
)

it.effect.prop("never fails, for any octets", [Schema.Uint8Array], ([bytes]) =>
  Effect.map(readMail(bytes), ({ emailId }) => assert.isNull(emailId))
)

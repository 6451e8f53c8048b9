import { generateKeyPairSync } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { Composer, type DkimKey, type Message, type MessageAttachment } from "@posthorn/core/platform/Mailer"
import { DateTime, Effect, Redacted } from "effect"
import * as fc from "fast-check"
import PostalMime from "postal-mime"
import * as Compose from "./Compose.ts"
import { publishKey, verifyDkim } from "./testing/index.ts"

const keys = [
  publishKey("example.com", "posthorn1", "rsa-sha256"),
  publishKey("example.com", "posthorn2", "ed25519-sha256")
]

const plain: Message = {
  emailId: "019a9f3c-0000-7000-8000-0000000000a1",
  from: { address: "news@example.com", name: "Example" },
  to: [{ address: "anna@example.org" }],
  cc: [],
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "Hello",
  headers: [],
  attachments: [],
  messageId: "a1@example.com",
  date: DateTime.makeUnsafe("2026-11-20T10:00:00.123Z"),
  dkim: []
}

const file: MessageAttachment = {
  filename: "note.txt",
  contentType: "text/plain",
  disposition: "attachment",
  content: Buffer.from("note")
}
const image: MessageAttachment = {
  filename: "logo.png",
  contentType: "image/png",
  disposition: "inline",
  contentId: "logo@example.com",
  content: Buffer.from([0x89, 0x50, 0x4e, 0x47])
}

const compose = (change: Partial<Message>) =>
  Effect.flatMap(Composer, (composer) => composer.compose({ ...plain, ...change }))

const text = (change: Partial<Message>) => Effect.map(compose(change), (bytes) => Buffer.from(bytes).toString("latin1"))
const read = (change: Partial<Message>) =>
  Effect.flatMap(compose(change), (bytes) => Effect.promise(() => PostalMime.parse(bytes)))
const refusal = (change: Partial<Message>) => Effect.map(Effect.flip(compose(change)), ({ message }) => message)

/** The multipart types in order of their opening. */
const multiparts = (wire: string) =>
  [...wire.matchAll(/^Content-Type: ((?:multipart|text|image)\/\w+)/gm)].map(([, type]) => type)

layer(Compose.layer)("a composed message", (it) => {
  it.effect("has the fields of the message, each once", () =>
    Effect.gen(function* () {
      const wire = yield* text({
        replyTo: { address: "help@example.com" },
        headers: [["X-Posthorn-Email-Id", plain.emailId]]
      })
      assert.deepStrictEqual(wire.slice(0, wire.indexOf("\r\n\r\n")).split("\r\n"), [
        "From: Example <news@example.com>",
        "To: anna@example.org",
        "Reply-To: help@example.com",
        "Subject: Hello",
        "Date: Fri, 20 Nov 2026 10:00:00 +0000",
        "Message-ID: <a1@example.com>",
        "X-Posthorn-Email-Id: 019a9f3c-0000-7000-8000-0000000000a1",
        "MIME-Version: 1.0",
        "Content-Type: multipart/alternative;",
        ' boundary="=_alternative_019a9f3c-0000-7000-8000-0000000000a1"'
      ])
      assert.notMatch(wire, /nodemailer|x-mailer/i)
    })
  )

  it.effect("has the same octets each time, and different octets for another mail", () =>
    Effect.gen(function* () {
      const change = { attachments: [file, image], dkim: keys.map(({ key }) => key) }
      assert.strictEqual(yield* text(change), yield* text(change))
      assert.notStrictEqual(
        yield* text(change),
        yield* text({ ...change, emailId: "019a9f3c-0000-7000-8000-0000000000a2" })
      )
    })
  )

  it.effect("has only the MIME levels that it needs", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(multiparts(yield* text({ text: "" })), ["text/html"])
      assert.deepStrictEqual(multiparts(yield* text({ html: "" })), ["text/plain"])
      assert.deepStrictEqual(multiparts(yield* text({})), ["multipart/alternative", "text/plain", "text/html"])
      assert.deepStrictEqual(multiparts(yield* text({ attachments: [image, file] })), [
        "multipart/mixed",
        "multipart/related",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/png",
        "text/plain"
      ])
      assert.deepStrictEqual(multiparts(yield* text({ text: "", attachments: [image] })), [
        "multipart/related",
        "text/html",
        "image/png"
      ])
      assert.deepStrictEqual(multiparts(yield* text({ html: "", attachments: [image] })), [
        "multipart/mixed",
        "text/plain",
        "image/png"
      ])
    })
  )

  it.effect("contains attachments unchanged, with any name and type", () =>
    Effect.gen(function* () {
      const content = Uint8Array.from({ length: 1000 }, (_, at) => at % 256)
      const { attachments } = yield* read({
        attachments: [
          image,
          { ...file, content, filename: 'Übersicht "2026"; a=b.pdf', contentType: 'application/pdf; x="a;b"' },
          { ...file, content, filename: "mail.eml", contentType: "message/rfc822" }
        ]
      })
      assert.deepStrictEqual(
        attachments.map(({ content: _, ...rest }) => rest),
        [
          {
            filename: "logo.png",
            mimeType: "image/png",
            disposition: "inline",
            related: true,
            contentId: "<logo@example.com>"
          },
          { filename: 'Übersicht "2026"; a=b.pdf', mimeType: "application/pdf", disposition: "attachment" },
          { filename: "mail.eml", mimeType: "application/octet-stream", disposition: "attachment" }
        ]
      )
      assert.deepStrictEqual(
        attachments.slice(1).map((found) => new Uint8Array(Buffer.from(found.content as ArrayBuffer))),
        [content, content]
      )
    })
  )

  it.effect("never contains 8bit, a bare CR or LF, a long line, or a line that needs dot-stuffing", () =>
    Effect.gen(function* () {
      const body = `${"x".repeat(5000)}\n.\n..\rÜ\0\u{1f600}\r\n${" ".repeat(2000)}\n`
      const wire = yield* text({ html: body, text: body, subject: "Ü".repeat(998), attachments: [file, image] })
      assert.match(wire, /^(?:(?!\.)[\t -~]{0,998}\r\n)+$/)
    })
  )

  it.effect("has no line above 998 octets for a subject of 998 characters without a blank", () =>
    Effect.gen(function* () {
      const subject = "x".repeat(998)
      const wire = yield* text({ subject })
      assert.isTrue(wire.split("\r\n").every((line) => line.length <= 78))
      assert.strictEqual((yield* read({ subject })).subject, subject)
    })
  )

  it.effect("accepts a custom header of 998 characters, unless its syntax allows no encoding", () =>
    Effect.gen(function* () {
      const { headers } = yield* read({ headers: [["X-Long", "x".repeat(998)]] })
      assert.match(headers.find(({ key }) => key === "x-long")?.value ?? "", /^=\?UTF-8\?Q\?x/)
      assert.strictEqual(
        yield* refusal({ headers: [["References", "x".repeat(998)]] }),
        "The header References has a word that is too long for a line"
      )
    })
  )
})

layer(Compose.layer)("text that would become another header or recipient is refused", (it) => {
  it.effect.each([
    { headers: [["Bcc", "x@example.net"]] },
    { headers: [["cc", "x@example.net"]] },
    { headers: [["To", "x@example.net"]] },
    { headers: [["Content-Type", "text/html"]] },
    { headers: [["DKIM-Signature", "v=1"]] },
    { headers: [["Return-Path", "<x@example.net>"]] },
    { headers: [["X-A: b\r\nBcc", "x@example.net"]] },
    { headers: [["X A", "b"]] },
    { headers: [["", "b"]] },
    { headers: [["X-A", "b\r\nBcc: x@example.net"]] },
    { headers: [["X-A", "b\nBcc: x@example.net"]] },
    { subject: "a\r\nBcc: x@example.net" },
    { subject: "a\rb" },
    { from: { address: "news@example.com", name: "a\nBcc: x@example.net" } },
    { from: { address: "news@example.com>, <x@example.net" } },
    { from: { address: "jürgen@example.com" } },
    { to: [{ address: "a@example.org, b@example.org" }] },
    { to: [{ address: "no address" }] },
    { cc: [{ address: "a@example.org\r\nBcc: x@example.net" }] },
    { cc: [{ address: "a@example.org", name: "a\nBcc: x@example.net" }] },
    { replyTo: { address: "a@example.org\r\nBcc: x@example.net" } },
    { messageId: "a@b>\r\nBcc: <x@example.net" },
    { attachments: [{ ...file, filename: "a\r\nX: y" }] },
    { attachments: [{ ...file, contentType: "text/plain\r\nX: y" }] },
    { attachments: [{ ...file, contentType: "text" }] },
    { attachments: [{ ...image, contentId: "a>\r\nX: <b" }] },
    { dkim: [{ domain: "a; l=0", selector: "s", algorithm: "rsa-sha256" as const, privateKey: Redacted.make("") }] }
  ] satisfies ReadonlyArray<Partial<Message>>)("%j", (change) => Effect.asVoid(refusal(change)))

  it.effect("the recipient's address may be non-ASCII", () =>
    Effect.gen(function* () {
      const bytes = yield* compose({ to: [{ address: "jürgen@example.org" }] })
      assert.include(Buffer.from(bytes).toString(), "To: jürgen@example.org\r\n")
    })
  )
})

layer(Compose.layer)("the DKIM signatures", (it) => {
  const dkim = keys.map(({ key }) => key)

  it.effect("cover Cc, so that no address can be added to it", () =>
    Effect.gen(function* () {
      const cc = [{ address: "cfo@example.org", name: "Finance, Ltd." }, { address: "b@example.org" }]
      const wire = yield* text({ cc, dkim })
      assert.include(wire, 'Cc: "Finance, Ltd." <cfo@example.org>, b@example.org\r\n')
      for (const [, names = ""] of wire.matchAll(/ h=([^;]+);/g)) {
        assert.strictEqual(
          names
            .replace(/\s/g, "")
            .split(":")
            .filter((name) => name === "cc").length,
          2
        )
      }
      assert.notInclude(yield* text({ dkim }), "Cc:")
    })
  )
  const oneClick: Message["headers"] = [
    ["List-Unsubscribe", "<https://example.com/unsubscribe/x>"],
    ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
    ["List-ID", "News <news.example.com>"],
    ["Feedback-ID", "news:example:posthorn"]
  ]

  it.effect("exist, one for each key, and pass", () =>
    Effect.gen(function* () {
      const bytes = yield* compose({ dkim, headers: oneClick, attachments: [file, image] })
      const verdicts = yield* Effect.promise(() => verifyDkim(bytes, keys))
      assert.deepStrictEqual(verdicts, [
        { domain: "example.com", selector: "posthorn1", algorithm: "rsa-sha256", result: "pass" },
        { domain: "example.com", selector: "posthorn2", algorithm: "ed25519-sha256", result: "pass" }
      ])
    })
  )

  it.effect("cover what one-click unsubscribing needs (RFC 8058), and what receivers show", () =>
    Effect.gen(function* () {
      const wire = yield* text({ dkim: dkim.slice(0, 1), headers: oneClick })
      const names = /h=([^;]*);/.exec(wire)?.[1]?.replace(/\s/g, "").split(":")
      assert.deepStrictEqual(names, [
        ..."from:from:to:to:subject:subject:date:date:message-id:reply-to:mime-version:content-type".split(":"),
        ..."list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post".split(":"),
        ..."list-id:list-id:feedback-id".split(":")
      ])
    })
  )

  it.effect.each([
    ["no PEM", "garbage", "rsa-sha256"],
    ["a cut key", Redacted.value(keys[0]?.key.privateKey ?? Redacted.make("")).slice(0, 800), "rsa-sha256"],
    ["a key of the other kind", Redacted.value(keys[1]?.key.privateKey ?? Redacted.make("")), "rsa-sha256"],
    ["a key of the other kind", Redacted.value(keys[0]?.key.privateKey ?? Redacted.make("")), "ed25519-sha256"],
    [
      "a short key",
      generateKeyPairSync("rsa", { modulusLength: 768 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      "rsa-sha256"
    ]
  ] satisfies ReadonlyArray<[string, string, DkimKey["algorithm"]]>)(
    "with %s, no mail is sent unsigned",
    ([, pem, algorithm]) =>
      Effect.gen(function* () {
        const broken: DkimKey = { domain: "example.com", selector: "s", algorithm, privateKey: Redacted.make(pem) }
        for (const given of [[broken], [...dkim, broken]]) {
          assert.match(yield* refusal({ dkim: given }), /^The DKIM key s\._domainkey\.example\.com (is|has) [^\r\n]+$/)
        }
      })
  )
})

describe("any mail", () => {
  const line = (unit: fc.Arbitrary<string>) =>
    fc.string({
      unit: fc.oneof(unit, fc.constantFrom(" ", '"', "\\", ",", "<", ">", "=?", "?=", "\t")),
      maxLength: 120
    })
  const Line = line(fc.string({ unit: "grapheme", maxLength: 1 }).filter((unit) => !/[\r\n\0]/.test(unit)))
  const Body = fc.string({
    unit: fc.oneof(fc.string({ unit: "grapheme", maxLength: 1 }), fc.constantFrom(" ", "\n", ".", "=", "\r\n")),
    maxLength: 300
  })
  const Name = Line.map((name) => name.trim()).filter((name) => name !== "")
  const Names = fc.array(Name, { maxLength: 5 })
  const normal = (text: string) => text.replace(/\r\n|\r/g, "\n")

  layer(Compose.layer)((it) =>
    it.effect("can be parsed again, has no long lines, and is signed", () =>
      Effect.gen(function* () {
        const composer = yield* Composer
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              Line,
              Names,
              Names,
              Body,
              Body,
              async (subject, [first, ...more], copied, html, plainText) => {
                const to = [first, ...more].map((name, n) => ({
                  address: `anna${n}@example.org`,
                  name: name ?? "Anna"
                }))
                const cc = copied.map((name, n) => ({ address: `copy${n}@example.org`, name }))
                const message = {
                  ...plain,
                  subject,
                  to,
                  cc,
                  html: `<p>${html}`,
                  text: `-${plainText}`,
                  dkim: keys.map(({ key }) => key)
                }
                const bytes = await Effect.runPromise(composer.compose(message))
                const found = await PostalMime.parse(bytes)
                assert.strictEqual(found.subject ?? "", subject)
                assert.deepStrictEqual([found.to, found.cc ?? []], [to, cc])
                assert.strictEqual(normal(found.html ?? "").trimEnd(), normal(message.html).trimEnd())
                assert.strictEqual(normal(found.text ?? "").trimEnd(), normal(message.text).trimEnd())
                assert.match(Buffer.from(bytes).toString("latin1"), /^(?:[\t -~]{0,998}\r\n)+$/)
                assert.deepStrictEqual(
                  (await verifyDkim(bytes, keys)).map(({ result }) => result),
                  ["pass", "pass"]
                )
              }
            ),
            { numRuns: 300 }
          )
        )
      })
    )
  )
})

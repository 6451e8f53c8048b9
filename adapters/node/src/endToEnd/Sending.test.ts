/** From an account to an email that any receiver can verify, over real HTTP, DNS and SMTP. */
import { assert, describe, layer } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { eventually } from "../testing/Program.ts"
import { emailOf, request, send, succeed } from "./testing/Caller.ts"
import { bounceDomain, databaseName, publicUrl } from "./testing/Installation.ts"
import { bodies, operations } from "./testing/Operations.ts"
import { assertWellFormed, bothKeys, parsed, verdicts } from "./testing/Received.ts"
import { assertSigned, mailTo, Shop, shop } from "./testing/Shop.ts"

/** Content that is hard to transmit: non-ASCII letters, emoji, long lines, lines with a meaning in SMTP. */
const html = [
  "<!doctype html><html><body>",
  "<h1>Grüße, Ζωή — 你好 👋🏽</h1>",
  '<p><img src="cid:logo@mail.example.com" alt="Logo"> = 100 % &amp; more</p>',
  ".",
  "..two dots",
  `<p>${"a line without an end, ".repeat(60)}</p>`,
  `<p>${"é".repeat(1_000)}</p>`,
  "From the beginning of a line",
  "</body></html>"
].join("\n")

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E",
  "base64"
)
const pdf = Buffer.from(Array.from({ length: 5_000 }, (_, position) => (position * 7) % 256))

const attachments = [
  { filename: "Rechnung Nr. 7 – März €.pdf", content: pdf.toString("base64"), contentType: "application/pdf" },
  {
    filename: "logo.png",
    content: png.toString("base64"),
    contentType: "image/png",
    disposition: "inline",
    contentId: "logo@mail.example.com"
  }
]

const from = { name: "Zoë Müller, Köln", email: "zoe@mail.example.com" }

/** Removes the template from a sample: a made-up id belongs to no template. */
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value)

/** Without the names of templates, topics and contacts, which do not exist. A recipient always has an address. */
const withoutNames = (sample: unknown) =>
  JSON.parse(
    JSON.stringify(sample, (name, value) => {
      if (value === null || /^(?:template|topic|externalId)/.test(name)) return undefined
      const reachable = (one: unknown) => (isObject(one) ? { email: "anybody@example.org", ...Object(one) } : one)
      return name === "to" ? (Array.isArray(value) ? value.map(reachable) : reachable(value)) : value
    })
  )

const hello = { subject: "Hello", body: "<p>Hello</p>" }

const Template = Schema.Struct({ id: Schema.String })
const Page = Schema.Struct({ total: Schema.Int })

describe(`a server on ${databaseName}`, () => {
  layer(shop, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("verifies a domain by the records that it told the user to publish", () =>
      Effect.gen(function* () {
        const { added, dns, domain } = yield* Shop
        assert.strictEqual(added.status, "PENDING")
        assert.deepStrictEqual(
          added.records.map(({ type, name, required }) => [type, name, required]),
          [
            ["TXT", `${added.selector}._domainkey.mail.example.com`, true],
            ["TXT", `${added.selector}e._domainkey.mail.example.com`, false],
            ["MX", "bounce.mail.example.com", false],
            ["TXT", "bounce.mail.example.com", false],
            ["TXT", "_dmarc.mail.example.com", false]
          ]
        )
        const bounces = added.records.filter(({ purpose }) => purpose === "RETURN_PATH" || purpose === "SPF")
        assert.deepStrictEqual(
          bounces.map(({ value }) => value),
          [`10 ${bounceDomain}`, `v=spf1 include:${bounceDomain} ~all`]
        )
        assert.strictEqual(domain.status, "VERIFIED")
        assert.deepStrictEqual([...new Set(domain.records.map(({ status }) => status))], ["VERIFIED"])
        assert.deepStrictEqual(
          domain.records.map(({ name, value }) => [name, value]),
          added.records.map(({ name, value }) => [name, value])
        )
        assert.include(dns.queries, `TXT ${added.selector}._domainkey.mail.example.com over udp`)
      })
    )

    it.effect("sends nothing from a domain whose records are missing", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        yield* request(caller, "POST", "/domains", { domain: "elsewhere.example.com" })
        const mail = { ...hello, from: "a@elsewhere.example.com", to: "anna@example.org" }
        const { status, text } = yield* request(caller, "POST", "/v1/send", mail)
        assert.strictEqual(status, 403)
        assert.include(text, "elsewhere.example.com")
      })
    )

    it.effect("delivers the mail unchanged: letters of every script, a file and an inline image", () =>
      Effect.gen(function* () {
        const { caller, domain } = yield* Shop
        const to = { name: "Ζωή Παπαδοπούλου 🦊", email: "anna@example.org" }
        const subject = "Größe „L“: 你好, пример, a=?b?= 👋🏽"
        const mail = { from, to, subject, body: html, reply: "help@example.com", attachments, tracking: false }
        const [id = ""] = yield* send(caller, mail)

        const received = yield* mailTo(to.email)
        assert.include(received, { user: "user", isEncrypted: true })
        assert.match(received.from, new RegExp(`^bounces\\+[a-z2-7]{39}@bounce\\.${domain.domain}$`))
        assertWellFormed(received.raw)
        yield* assertSigned(received.raw)

        const { attachments: parts, header, ...read } = yield* parsed(received.raw)
        assert.deepStrictEqual(read.from, { name: from.name, address: from.email })
        assert.deepStrictEqual(read.to, [{ name: to.name, address: to.email }])
        assert.deepStrictEqual(read.replyTo, [{ name: "", address: "help@example.com" }])
        assert.strictEqual(read.subject, subject)
        assert.strictEqual(read.html, html)
        for (const words of ["Grüße, Ζωή — 你好 👋🏽", "= 100 % & more", "..two dots", "é".repeat(1_000)]) {
          assert.include(read.text.replaceAll("\n", ""), words)
        }
        assert.strictEqual(header("X-Posthorn-Email-Id"), id)
        assert.deepStrictEqual(
          parts.toSorted((a, b) => a.contentType.localeCompare(b.contentType)),
          attachments.map(({ disposition = "attachment", contentId, ...rest }) => ({
            ...rest,
            disposition,
            contentId: contentId && `<${contentId}>`
          }))
        )
      })
    )

    it.effect("shows the state of an email, and the message octet for octet as it was delivered", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const mail = { from, to: "record@example.org", subject: "Grüße", body: html, attachments, tracking: false }
        const [id = ""] = yield* send(caller, mail)
        const { raw } = yield* mailTo("record@example.org")
        const record = yield* eventually(
          emailOf(caller, id),
          ({ status }) => status !== "PENDING" && status !== "SENDING"
        )
        assert.strictEqual(record.status, "SENT")
        assert.strictEqual(record.attempts, 1)
        assert.deepStrictEqual(record.attemptLog, [{ outcome: "accepted", code: 250 }])
        assert.deepStrictEqual(
          record.timeline.map(({ type }) => type),
          ["accepted", "sent"]
        )
        assert.strictEqual((yield* parsed(raw)).messageId, `<${record.messageId}>`)

        const shown = yield* request(caller, "GET", `/emails/${id}/content?format=raw`)
        assert.strictEqual(shown.headers.get("content-type"), "message/rfc822")
        assert.strictEqual(shown.text, raw.toString("utf8"))
        yield* assertSigned(Buffer.from(shown.text))
      })
    )

    it.effect.each([
      { what: "without a blank", subject: "x".repeat(998) },
      { what: "of words", subject: "word ".repeat(200).slice(0, 998) },
      { what: "outside ASCII", subject: `ü${"€😀".repeat(498)}x` }
    ])("delivers a subject of 998 characters $what", ({ what, subject }) =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const to = `subject-${what.replaceAll(" ", "-").toLowerCase()}@example.org`
        yield* send(caller, { from, to, subject, body: "<p>Hello</p>", headers: { "X-Reference": "r".repeat(998) } })
        const { raw } = yield* mailTo(to)
        assertWellFormed(raw)
        yield* assertSigned(raw)
        const read = yield* parsed(raw)
        assert.strictEqual(read.subject, subject)
        assert.strictEqual(read.header("X-Reference"), "r".repeat(998))
      })
    )

    it.effect("sends text alone as one part, at its scheduled time, without its tags", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const to = "plain@example.org"
        const due = new Date(Date.now() + 2_000)
        const words = "Dear {{name}},\n\nGrüße — <b>no HTML</b>\n.\n"
        const mail = { from, to, subject: "Plain", text: words, interpolate: false, tags: { order: "4711-secret" } }
        const [id = ""] = yield* send(caller, { ...mail, scheduledFor: due.toISOString() })
        assert.strictEqual((yield* emailOf(caller, id)).status, "SCHEDULED")

        const received = yield* mailTo(to)
        assert.isAtLeast(Date.now(), due.getTime())
        assertWellFormed(received.raw)
        yield* assertSigned(received.raw)
        const { header, ...read } = yield* parsed(received.raw)
        assert.match(header("Content-Type"), /^text\/plain/)
        assert.deepStrictEqual([read.html, read.text], ["", words.trimEnd()])
        assert.strictEqual(Date.parse(header("Date")), Math.floor(due.getTime() / 1_000) * 1_000)
        assert.notInclude(Buffer.from(received.raw).toString("latin1"), "4711-secret")
        const { text } = yield* request(caller, "GET", "/emails?tag=order:4711-secret")
        assert.strictEqual(JSON.parse(text).data[0].id, id)
      })
    )

    it.effect("sends each recipient a separate mail that does not show the others", () =>
      Effect.gen(function* () {
        const { caller } = yield* Shop
        const to = ["first@example.org", { name: "Second", email: "second@example.org" }, "third@example.org"]
        assert.strictEqual((yield* send(caller, { ...hello, from, to })).length, 3)
        for (const one of ["first@example.org", "second@example.org", "third@example.org"]) {
          const { raw } = yield* mailTo(one)
          yield* assertSigned(raw)
          const { cc, bcc, to } = yield* parsed(raw)
          assert.deepStrictEqual([cc, bcc, to?.map(({ address }) => address)], [undefined, undefined, [one]])
          assert.deepStrictEqual([...new Set(raw.toString("latin1").match(/\b(?:first|second|third)@/g))].length, 1)
        }
      })
    )

    it.effect("can send everything that it has accepted", () =>
      Effect.gen(function* () {
        const { caller, domain, peer } = yield* Shop
        const madeUp = bodies(operations.find(({ id }) => id === "send")?.body ?? {}, [domain.domain], false)
        const samples = yield* Arbitrary.sampleEffect(madeUp, { count: 160, size: 6, seed: 7 })
        const answers = yield* Effect.forEach(samples, (sample) =>
          request(caller, "POST", "/v1/send", { ...hello, from, ...withoutNames(sample) })
        )
        for (const { status, text } of answers) assert.include([200, 422], status, text)
        assert.isAbove(answers.filter(({ status }) => status === 200).length, 20)

        const count = (states: string) =>
          Effect.map(succeed(200, Page, caller, "GET", `/emails?status=${states}`), ({ total }) => total)
        yield* eventually(count("PENDING,SENDING,AMBIGUOUS"), (total) => total === 0)
        assert.strictEqual(yield* count("FAILED,BOUNCED"), 0)
        assert.strictEqual(yield* count("SENT"), peer.mails.length)
        for (const { raw } of peer.mails) {
          assertWellFormed(raw)
          yield* assertSigned(raw)
        }
      })
    )

    it.effect("lets people unsubscribe with one click, and refuses a changed link", () =>
      Effect.gen(function* () {
        const { caller, dns, domain } = yield* Shop
        const template = yield* succeed(201, Template, caller, "POST", "/templates", {
          name: "News",
          subject: "Für {{name}}",
          body: "<p>Neues für {{name}}</p>",
          from: from.email,
          type: "MARKETING"
        })
        const to = { name: "Jörg", email: "joerg@example.org" }
        yield* send(caller, { template: template.id, to, subscribed: true })
        const { raw } = yield* mailTo(to.email)
        assertWellFormed(raw)
        yield* assertSigned(raw)

        const { header, html, subject, text } = yield* parsed(raw)
        assert.strictEqual(subject, "Für Jörg")
        const link = /^<(.+)>$/.exec(header("List-Unsubscribe"))?.[1] ?? ""
        assert.isTrue(link.startsWith(`${publicUrl}/unsubscribe/`), link)
        assert.include(html, link)
        assert.include(text, link)
        assert.strictEqual(header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
        assert.match(header("List-ID"), new RegExp(`<[^<>]+\\.${domain.domain}>$`))

        const wire = raw.toString("latin1")
        const field = /^List-Unsubscribe: .*\r\n(?:[\t ].*\r\n)*/m.exec(wire)?.[0] ?? ""
        const post = /^List-Unsubscribe-Post: .*\r\n/m.exec(wire)?.[0] ?? ""
        const changed = {
          "another link": wire.replace(field, "List-Unsubscribe: <https://other.example/>\r\n"),
          "no link": wire.replace(field, ""),
          "a second link": `List-Unsubscribe: <https://other.example/>\r\n${wire}`,
          "no click": wire.replace(post, "")
        }
        for (const [what, message] of Object.entries(changed)) {
          const found = yield* verdicts(dns, Buffer.from(message, "latin1"))
          assert.deepStrictEqual(found, bothKeys(domain, "fail"), what)
        }
      })
    )
  })
})

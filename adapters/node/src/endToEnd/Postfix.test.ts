/** Sends through a mail server that rewrites, folds and queues messages by its own rules. */
import { assert, describe, layer } from "@effect/vitest"
import { type Sink, startSink } from "@posthorn/mailer-smtp/testing"
import type { DnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Context, Effect, Layer } from "effect"
import { eventually } from "../testing/Program.ts"
import { addDomain, type Caller, type Domain, emailOf, send } from "./testing/Caller.ts"
import { databaseName, install } from "./testing/Installation.ts"
import { type Postfix, postfix } from "./testing/Postfix.ts"
import { presence } from "./testing/PostfixPresence.ts"
import { assertWellFormed, bothKeys, parsed, verdicts } from "./testing/Received.ts"

/** A project with a verified domain, a Postfix that gets its email, and the server that Postfix relays to. */
class Relayed extends Context.Service<
  Relayed,
  {
    readonly caller: Caller
    readonly dns: DnsStub
    readonly domain: Domain
    readonly relay: Postfix
    readonly destination: Sink
  }
>()("@posthorn/node/endToEnd/Postfix/Relayed") {}

const relayed = Layer.effect(
  Relayed,
  Effect.gen(function* () {
    const { account, dns, serve } = yield* install
    // Without 8BITMIME, so that Postfix would recode content that is not 7bit, and break its signature.
    const destination = yield* Effect.acquireRelease(
      Effect.promise(() => startSink({ extensions: ["SIZE 52428800", "ENHANCEDSTATUSCODES"] })),
      (sink) => Effect.promise(() => sink.close())
    )
    const relay = yield* postfix(destination.port)
    const keys = yield* account("Relayed")
    const { url } = yield* serve({ POSTHORN_SMTP_URL: `smtp://127.0.0.1:${relay.port}?tls=required&verify=false` })
    const caller = { url, ...keys }
    const { checked } = yield* addDomain(caller, dns, "mail.example.com")
    return Relayed.of({ caller, dns, domain: checked, relay, destination })
  })
)

const arrived = Effect.fnUntraced(function* (to: string) {
  const { destination } = yield* Relayed
  const [mail] = yield* eventually(
    Effect.sync(() => destination.mails.filter(({ rcpt }) => rcpt === to)),
    ({ length }) => length > 0
  )
  return mail ?? (yield* Effect.die(new Error(`No mail came for ${to}`)))
})

const assertSigned = Effect.fnUntraced(function* (raw: Uint8Array) {
  const { dns, domain } = yield* Relayed
  assert.deepStrictEqual(yield* verdicts(dns, raw), bothKeys(domain))
})

const from = { name: "Zoë, Köln", email: "zoe@mail.example.com" }

const suite = `mail through Postfix, from a server on ${databaseName}`

const skipped = "absence" in presence ? ` (skipped: ${presence.absence})` : ""

describe.skipIf("absence" in presence)(`${suite}${skipped}`, () => {
  layer(relayed, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("still has its signatures, and everything that they cover", () =>
      Effect.gen(function* () {
        const { caller } = yield* Relayed
        const to = "anna@example.org"
        const subject = `Grüße ${"你好 ".repeat(330)}`.trim()
        const headers = { "X-Long": "x".repeat(998), "X-Words": "word ".repeat(199).trim(), "X-Letters": "Straße 你好" }
        const body = `<p>.</p>\n.\n..\n<p>${"Straße ".repeat(400).trim()}</p>`
        const content = Buffer.from(Array.from({ length: 200_000 }, (_, position) => position % 251)).toString("base64")
        const attachments = [{ filename: "Maße €.bin", content }]
        const [id = ""] = yield* send(caller, { from, to, subject, body, headers, attachments, tracking: false })

        const received = yield* arrived(to)
        const wire = received.raw.toString("latin1")
        assert.match(wire, /^Received: from .+\r\n\tby relay\.example\.net \(Postfix\) with ESMTPS id /s)
        assert.match(received.from, /^bounces\+[a-z2-7]{39}@bounce\.mail\.example\.com$/)
        assertWellFormed(received.raw)
        yield* assertSigned(received.raw)

        const read = yield* parsed(received.raw)
        assert.strictEqual(read.subject, subject)
        assert.deepStrictEqual(read.from, { name: from.name, address: from.email })
        assert.strictEqual(read.html, body)
        for (const [name, value] of Object.entries(headers)) assert.strictEqual(read.header(name), value)
        assert.deepStrictEqual(
          read.attachments.map(({ filename, content }) => ({ filename, content })),
          attachments
        )
        const record = yield* eventually(emailOf(caller, id), ({ status }) => status === "SENT")
        assert.deepStrictEqual(record.attemptLog, [{ outcome: "accepted", code: 250 }])
      })
    )

    it.effect("waits while Postfix is stopped, and is sent when Postfix runs again", () =>
      Effect.gen(function* () {
        const { caller, destination, relay } = yield* Relayed
        yield* relay.stop
        const to = "patient@example.org"
        const [id = ""] = yield* send(caller, { from, to, subject: "Later", body: "<p>Later</p>" })
        const waiting = yield* eventually(emailOf(caller, id), ({ attempts }) => attempts > 0)
        assert.strictEqual(waiting.status, "PENDING")
        assert.strictEqual(waiting.error?.code, "connection_failed")

        yield* relay.start
        const { raw } = yield* arrived(to)
        yield* assertSigned(raw)
        const record = yield* eventually(emailOf(caller, id), ({ status }) => status === "SENT")
        assert.strictEqual(record.attemptLog.at(-1)?.outcome, "accepted")
        assert.strictEqual(destination.mails.filter(({ rcpt }) => rcpt === to).length, 1)
      })
    )
  })
})

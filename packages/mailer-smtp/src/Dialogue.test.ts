import { assert, describe, it } from "@effect/vitest"
import type { MailerError } from "@posthorn/core/platform/Mailer"
import { Effect } from "effect"
import * as Dialogue from "./Dialogue.ts"
import { startSmtpServer } from "./testing/index.ts"
import { at, makeSink, over, send, sendFails, small, urlOf } from "./testing/SinkFixture.ts"

const texts = (dialogue: MailerError["dialogue"]) => dialogue?.lines.map(({ from, text }) => `${from} ${text}`)

const login = { user: "postmaster", password: "s3cret/pass" }
const forms = [
  login.password,
  ...[login.user, login.password, `\0${login.user}\0${login.password}`].map((text) =>
    Buffer.from(text).toString("base64")
  )
]

describe("the dialogue of an attempt", () => {
  it.effect("has the lines of both sides, the size in place of the mail, and the milliseconds of each line", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ extensions: [], misbehave: at("dot", { delay: 40 }) })
      const { dialogue } = yield* send(small, { dialogue: "ALL" }).pipe(over(urlOf(sink, "?name=out.example.com")))
      assert.isFalse(dialogue?.reused)
      const lines = texts(dialogue)?.filter((line) => !line.startsWith("S 250-"))
      assert.deepStrictEqual(lines, [
        "S 220 sink.test ESMTP",
        "C EHLO out.example.com",
        "S 250 sink.test",
        "C MAIL FROM:<bounces+x@example.com>",
        "S 250 2.1.0 Ok",
        "C RCPT TO:<anna@example.org>",
        "S 250 2.1.5 Ok",
        "C DATA",
        "S 354 End data with <CR><LF>.<CR><LF>",
        `C (${small.length} octets)`,
        "S 250 2.0.0 Ok: queued"
      ])
      const times = dialogue?.lines.map((line) => line.at) ?? []
      assert.deepStrictEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.isAtLeast((times.at(-1) ?? 0) - (times.at(-2) ?? 0), 35)
    })
  )

  it.effect("starts with MAIL on a reused connection", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      const [first, second] = yield* Effect.replicateEffect(send(small, { dialogue: "ALL" }), 2).pipe(over(urlOf(sink)))
      assert.deepStrictEqual([first?.dialogue?.reused, second?.dialogue?.reused], [false, true])
      assert.match(texts(first?.dialogue)?.[0] ?? "", /^S 220 /)
      assert.match(texts(second?.dialogue)?.[0] ?? "", /^C MAIL FROM/)
      assert.strictEqual(sink.connections(), 1)
    })
  )

  it.effect("is recorded only for failures, for all attempts, or for none, as configured", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("rcpt", { reply: "550 5.1.1 unknown" }, 2) })
      yield* Effect.gen(function* () {
        const failed = yield* sendFails(small, { dialogue: "FAILURES" })
        assert.include(texts(failed.dialogue) ?? [], "S 550 5.1.1 unknown")
        assert.isUndefined((yield* sendFails(small)).dialogue)
        assert.isUndefined((yield* send(small, { dialogue: "FAILURES" })).dialogue)
      }).pipe(over(urlOf(sink)))
    })
  )

  it.effect("of a failed connection is not recorded for mail that the breaker stops", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("banner", { reply: "554 5.3.2 not now" }) })
      yield* Effect.gen(function* () {
        const tried = yield* sendFails(small, { dialogue: "FAILURES" })
        assert.deepStrictEqual(texts(tried.dialogue)?.slice(0, 1), ["S 554 5.3.2 not now"])
        const held = yield* sendFails(small, { dialogue: "FAILURES" })
        assert.deepStrictEqual([held.reason, held.dialogue], ["unreachable", undefined])
      }).pipe(over(urlOf(sink)))
      assert.strictEqual(sink.connections(), 1)
    })
  )

  it.effect.each(["PLAIN", "LOGIN", "CRAM-MD5"])("never contains the login, with AUTH %s", (method) =>
    Effect.gen(function* () {
      // The server repeats the login in its replies, in each form that it has seen.
      const server = yield* Effect.acquireRelease(
        Effect.promise(() =>
          startSmtpServer({
            authMethods: [method],
            disabledCommands: ["STARTTLS"],
            allowInsecureAuth: true,
            onAuth: ({ username }, _session, done) => done(null, { user: username }),
            onMailFrom: (_, __, done) =>
              done(Object.assign(new Error(`no mail for ${forms.join(" ")}`), { responseCode: 550 }))
          })
        ),
        (started) => Effect.promise(() => started.close())
      )
      const url = `smtp://${login.user}:${encodeURIComponent(login.password)}@127.0.0.1:${server.port}`
      const { dialogue } = yield* sendFails(small, { dialogue: "FAILURES" }).pipe(over(url))
      const all = JSON.stringify(dialogue)
      for (const form of [...forms, login.user]) assert.notInclude(all, form)
      const lines = texts(dialogue) ?? []
      assert.include(lines, "C ***")
      assert.notInclude(all, "AUTH PLAIN ")
      assert.include(lines, "S 550 no mail for *** *** *** ***")
    })
  )
})

describe("the limits of a dialogue", () => {
  it("are 100 lines and 8 KB, of which the first and the last are kept", () => {
    const recorder = Dialogue.make([])
    for (let n = 0; n < 1_000; n++) recorder.server(`250-line ${n}`)
    const { lines } = recorder.read()
    assert.lengthOf(lines, 100)
    assert.deepStrictEqual([lines[0]?.text, lines.at(-1)?.text], ["250-line 0", "250-line 999"])
    recorder.reuse()
    for (let n = 0; n < 1_000; n++) recorder.server(`${n} ${"é".repeat(1_000)}`)
    recorder.client("QUIT")
    const long = recorder.read().lines
    assert.isAtMost(
      long.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
      8_192
    )
    for (const { text } of long) assert.isAtMost(Buffer.byteLength(text), 512)
    assert.strictEqual(long.at(-1)?.text, "QUIT")
  })

  it("apply if a line is too long to be kept, or a secret is at the end of the kept part", () => {
    const recorder = Dialogue.make(["s3cret"])
    recorder.server("x".repeat(200_000))
    recorder.server(`${"x".repeat(505)}s3cret`)
    recorder.server("a\u0000b\u001b[31m\ud800")
    assert.deepStrictEqual(
      recorder.read().lines.map(({ text }) => text),
      ["(200000 characters)", `${"x".repeat(505)}***`, "a b [31m\ufffd"]
    )
  })
})

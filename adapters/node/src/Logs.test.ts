import { once } from "node:events"
import { createServer } from "node:http"
import { assert, it } from "@effect/vitest"
import { Effect, Metric, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Logs from "./Logs.ts"

type Options = Parameters<typeof Logs.layer>[0]

const parse = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      time: Schema.String,
      level: Schema.String,
      message: Schema.String,
      cause: Schema.optionalKey(Schema.String),
      fields: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
    })
  )
)

/** What an effect writes to the log. */
const written = (
  effect: Effect.Effect<void>,
  options: Partial<Options> = {},
  terminal = { isTerminal: false, hasColours: false }
) =>
  Effect.gen(function* () {
    let text = ""
    const write = (more: string) => {
      text += more
    }
    yield* Effect.provide(
      effect,
      Logs.layer({ logLevel: "Info", logFormat: undefined, otlpUrl: undefined, ...options }, { ...terminal, write })
    )
    return text
  })

const setTime = TestClock.setTime(Date.UTC(2026, 0, 2, 3, 4, 5, 678))

const logged = (...message: ReadonlyArray<unknown>) => Effect.map(written(Effect.logInfo(...message)), parse)

it.effect("a line is one JSON object without a terminal", () =>
  Effect.gen(function* () {
    yield* setTime
    const text = yield* written(Effect.annotateLogs(Effect.logWarning("Claimed", 3, { lane: 1 }), { worker: "w1" }))
    assert.deepStrictEqual(parse(text), {
      time: "2026-01-02T03:04:05.678Z",
      level: "warn",
      message: "Claimed 3",
      fields: { worker: "w1", lane: 1 }
    })
    assert.strictEqual(text.indexOf("\n"), text.length - 1)
  })
)

it.effect("a line is short and plain on a terminal, and colours can be turned off", () =>
  Effect.gen(function* () {
    yield* setTime
    const line = Effect.annotateLogs(Effect.logInfo("Ready"), { port: 3000 })
    const plain = yield* written(line, {}, { isTerminal: true, hasColours: false })
    assert.strictEqual(plain, "03:04:05.678 INFO  Ready  port=3000\n")
    const coloured = yield* written(line, {}, { isTerminal: true, hasColours: true })
    assert.include(coloured, "\u001b[36mINFO \u001b[0m Ready")
  })
)

it.effect("the format can be chosen", () =>
  Effect.gen(function* () {
    yield* setTime
    assert.match(yield* written(Effect.logInfo("Ready"), { logFormat: "pretty" }), /^03:04:05/)
    const json = yield* written(Effect.logInfo("Ready"), { logFormat: "json" }, { isTerminal: true, hasColours: true })
    assert.strictEqual(parse(json).message, "Ready")
  })
)

it.effect("lines below the level are not written", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* written(Effect.logDebug("Detail")), "")
    assert.include(yield* written(Effect.logDebug("Detail"), { logLevel: "Debug" }), "Detail")
    assert.strictEqual(yield* written(Effect.logError("Broken"), { logLevel: "None" }), "")
  })
)

it.effect.each([
  ["a secret key", "key sk_0123456789abcdef0123456789abcdef0123456789a refused", "key sk_... refused"],
  ["a public key", "pk_0123456789abcdef", "pk_..."],
  [
    "a code of a sign-in",
    "GET /oauth/github/callback?state=eyJh&code=4f1c failed",
    "GET /oauth/github/callback?state=...&code=... failed"
  ],
  ["a signing secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_..."],
  ["an Authorization header", "Authorization Bearer abc.def-ghi", "Authorization Bearer ..."],
  ["a password", 'login {"password":"correct horse"} failed', 'login {"password":"..."} failed'],
  [
    "the login of a URL",
    "postgres://app:s3cret@db.example.com/mail is down",
    "postgres://[login]@db.example.com/mail is down"
  ],
  [
    "a signed link",
    "/unsubscribe/AQIDBAUGBwgJCgsMDQ4PEBES.c2lnbmF0dXJlLW9mLWl0 was opened",
    "/unsubscribe/... was opened"
  ]
] as const)("%s is not written", ([, message, expected]) =>
  Effect.gen(function* () {
    assert.strictEqual((yield* logged(message)).message, expected)
  })
)

it.effect("a credential is not written at any level", () =>
  Effect.gen(function* () {
    const text = yield* written(Effect.logTrace("sk_0123456789abcdef"), { logLevel: "Trace" })
    assert.include(text, "sk_...")
    assert.notInclude(text, "sk_0")
  })
)

it.effect("an address becomes a pseudonym, the same each time and for each spelling", () =>
  Effect.gen(function* () {
    const { message } = yield* logged("Anna@example.com wrote to ben@example.com, and anna@example.com again")
    const [, first, second, third] = /^(\S+) wrote to (\S+), and (\S+) again$/.exec(message) ?? []
    assert.match(first ?? "", /^address#[0-9a-f]{8}$/)
    assert.strictEqual(first, third)
    assert.notStrictEqual(first, second)
  })
)

it.effect("an address may be written at debug", () =>
  Effect.gen(function* () {
    assert.include(yield* written(Effect.logDebug("anna@example.com"), { logLevel: "Debug" }), "anna@example.com")
  })
)

it.effect("addresses and secrets are found in fields, objects and causes as well", () =>
  Effect.gen(function* () {
    const text = yield* written(
      Effect.logError(
        { to: ["anna@example.com"], nested: { note: "sk_0123456789abcdef" } },
        new Error("no anna@example.com")
      ).pipe(
        Effect.annotateLogs({ recipient: "anna@example.com", apiKey: "plain", html: "<p>Dear Anna</p>", emailId: "e1" })
      )
    )
    assert.notMatch(text, /anna|sk_0|plain|Dear/)
    assert.strictEqual(parse(text).fields?.["emailId"], "e1")
  })
)

it.effect("an error is logged with its message and its stack", () =>
  Effect.gen(function* () {
    const asMessage = yield* written(Effect.logError("Request failed", new Error("It broke")))
    assert.include(asMessage, "It broke")
    const asCause = yield* written(
      Effect.die(new Error("It broke")).pipe(Effect.catchCause((cause) => Effect.logError("Failed", cause)))
    )
    assert.match(parse(asCause).cause ?? "", /It broke[\s\S]*Logs\.test\.ts/)
  })
)

it.effect("versions and file paths stay readable", () =>
  Effect.gen(function* () {
    const text =
      "at run (file:///srv/node_modules/@effect/sql-pg/src/PgClient.ts:12:3) pg@8.0.1 019a0000-0000-7000-8000-000000000000"
    assert.strictEqual((yield* logged(text)).message, text)
  })
)

it.live("a collector gets lines, spans and metrics, redacted like the lines", () =>
  Effect.gen(function* () {
    const received = new Map<string, string>()
    const collector = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => {
        text += chunk
      })
      request.on("end", () => {
        received.set(request.url ?? "", (received.get(request.url ?? "") ?? "") + text)
        response.end("{}")
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(collector.listen(0, "127.0.0.1"), "listening")),
      () => Effect.sync(() => collector.close())
    )
    const address = collector.address()
    const port = address !== null && typeof address === "object" ? address.port : 0

    const work = Effect.logInfo("Sent to anna@example.com with sk_0123456789abcdef").pipe(
      Effect.annotateLogs({ to: "anna@example.com" }),
      Effect.andThen(Metric.update(Metric.counter("posthorn_tested_total"), 1)),
      Effect.withSpan("Sending.send", { attributes: { to: "anna@example.com" } })
    )
    yield* written(work, { otlpUrl: `http://127.0.0.1:${port}` })

    assert.deepStrictEqual([...received.keys()].sort(), ["/v1/logs", "/v1/metrics", "/v1/traces"])
    assert.include(received.get("/v1/logs"), "Sent to address#")
    assert.include(received.get("/v1/traces"), "Sending.send")
    assert.include(received.get("/v1/metrics"), "posthorn_tested_total")
    assert.notMatch([...received.values()].join(""), /anna@|sk_0/)
  })
)

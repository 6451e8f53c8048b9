import { assert, it } from "@effect/vitest"
import { Effect, type Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { SMTPServer } from "smtp-server"
import { over, send, sendFails } from "./testing/SinkFixture.ts"

const password = "a password that is wrong"

/** A server that refuses every login until `isRight`. */
const peer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; isRight: boolean; readonly close: () => void }>((resume) => {
    const state = { port: 0, isRight: false, close: () => server.close() }
    const server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onAuth: (_, __, reply) =>
        state.isRight
          ? reply(null, { user: "posthorn" })
          : reply(Object.assign(new Error("5.7.8 Wrong login"), { responseCode: 535 })),
      onData: (stream, _, reply) => {
        stream.resume()
        stream.on("end", () => reply())
      }
    })
    server.on("error", () => undefined)
    server.listen(0, "127.0.0.1", () => {
      const address = server.server.address()
      state.port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed(state))
    })
  }),
  ({ close }) => Effect.sync(close)
)

it.effect("a wrong password gives a warning at the first failure, and one every five minutes while it lasts", () => {
  const lines: Array<string> = []
  const log = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn" || logLevel === "Info") lines.push(`${logLevel} ${JSON.stringify(message)}`)
  })
  return Effect.gen(function* () {
    const server = yield* peer
    const url = `smtp://posthorn:${encodeURIComponent(password)}@127.0.0.1:${server.port}`
    yield* Effect.gen(function* () {
      for (let n = 0; n < 10; n++) {
        assert.strictEqual((yield* sendFails()).reason, "authentication")
        yield* TestClock.adjust("20 seconds")
      }
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", /^Warn .*refuses the login.*127\.0\.0\.1.*535/)
      assert.include(lines[0] ?? "", String(server.port))
      yield* TestClock.adjust("3 minutes")
      yield* sendFails()
      assert.strictEqual(lines.length, 2)
      server.isRight = true
      yield* TestClock.adjust("2 minutes")
      yield* send()
      assert.match(lines[2] ?? "", /^Info .*accepts mail again/)
      assert.isFalse(lines.some((line) => line.includes(password) || line.includes(btoa(password))))
    }).pipe(over(url))
  }).pipe(Effect.provide(Logger.layer([log]) satisfies Layer.Layer<never>))
})

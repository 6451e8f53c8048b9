import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Mailer } from "@posthorn/core/platform/Mailer"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { startSink } from "./testing/index.ts"
import { at, mail, makeSink, outcomeOf, over, send, sendFails, until, urlOf } from "./testing/SinkFixture.ts"

const state = Effect.flatMap(Mailer, (mailer) => mailer.state)

const sendMany = (count: number, concurrency: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => mail(`${n}@example.com`)),
    (message) => send(message),
    {
      concurrency
    }
  )

/** A port without a listener. */
const closedPort = Effect.promise(
  () =>
    new Promise<{ port: number }>((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const bound = server.address()
        const port = typeof bound === "object" && bound !== null ? bound.port : 0
        server.close(() => resolve({ port }))
      })
    })
)

describe("the receipt", () => {
  it.effect("names the server that accepted the mail, and its reply", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("dot", { reply: "250-2.0.0 Ok\r\n250 2.0.0 queued as 4ABC" }) })
      assert.deepStrictEqual(yield* send().pipe(over(urlOf(sink))), {
        transport: "smtp1",
        remoteHost: "127.0.0.1",
        code: 250,
        enhancedCode: "2.0.0",
        reply: "250-2.0.0 Ok\n250 2.0.0 queued as 4ABC"
      })
    })
  )
})

describe("the pool", () => {
  it.effect("uses one connection for mails one after another, and ends it with QUIT", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* sendMany(20, 1).pipe(over(urlOf(sink)))
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [20, 1])
      assert.strictEqual(sink.commands.at(-1), "QUIT")
      yield* until(() => sink.openConnections() === 0)
    })
  )

  it.effect("uses a new connection after 100 mails", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* sendMany(201, 1).pipe(over(urlOf(sink)))
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [201, 3])
      assert.strictEqual(sink.commands.filter((command) => command === "QUIT").length, 3)
    })
  )

  it.effect("has never more connections than its size, and each mail arrives once", () =>
    Effect.gen(function* () {
      let most = 0
      const sink = yield* makeSink()
      sink.misbehave(({ stage }) => {
        most = Math.max(most, sink.openConnections())
        return stage === "dot" ? { delay: 1 } : undefined
      })
      yield* sendMany(200, 50).pipe(over(urlOf(sink, "?pool=5")))
      assert.strictEqual(most, 5)
      assert.strictEqual(new Set(sink.mails.map(({ messageId }) => messageId)).size, 200)
      assert.strictEqual(sink.accepted(), 200)
    })
  )

  it.effect("works with the connections that the peer accepts", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      sink.misbehave(({ stage }) =>
        stage === "banner" && sink.openConnections() > 2
          ? { reply: "421 4.7.0 Too many connections", drop: true }
          : undefined
      )
      yield* sendMany(100, 20).pipe(over(urlOf(sink)))
      assert.strictEqual(sink.accepted(), 100)
    })
  )

  it.effect("sends the name of the URL with EHLO", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* send().pipe(over(urlOf(sink, "?name=out.example.com")))
      assert.strictEqual(sink.commands[0], "EHLO out.example.com")
    })
  )

  it.effect("sends as many mails at the same time as the first transport has connections", () =>
    Effect.gen(function* () {
      const mailer = yield* Mailer
      assert.strictEqual(mailer.concurrency, 7)
    }).pipe(over("smtp://127.0.0.1:1?pool=7", "smtp://127.0.0.1:2?pool=3"))
  )
})

describe("failover", () => {
  it.effect("uses the next transport if one cannot be reached or refuses the login", () =>
    Effect.gen(function* () {
      const nobody = yield* closedPort
      const stranger = yield* makeSink({ misbehave: at("mail", { reply: "530 5.7.0 Authentication required" }) })
      const sink = yield* makeSink()
      const receipt = yield* send().pipe(over(urlOf(nobody), urlOf(stranger), urlOf(sink)))
      assert.strictEqual(receipt.transport, "smtp3")
      assert.deepStrictEqual([stranger.accepted(), sink.accepted()], [0, 1])
    })
  )

  it.effect.each([
    ["refused", at("rcpt", { reply: "550 5.1.1 No" })],
    ["broken", at("mail", { drop: true })],
    ["ambiguous", at("dot", { drop: true })]
  ] as const)("never happens to a mail that was %s", ([reason, misbehave]) =>
    Effect.gen(function* () {
      const first = yield* makeSink({ misbehave })
      const second = yield* makeSink()
      assert.strictEqual((yield* sendFails().pipe(over(urlOf(first), urlOf(second)))).reason, reason)
      assert.strictEqual(second.connections(), 0)
    })
  )

  it.effect("reports the last transport if none accepts the message", () =>
    Effect.gen(function* () {
      const error = yield* sendFails().pipe(over(urlOf(yield* closedPort), urlOf(yield* closedPort)))
      assert.deepStrictEqual([error.reason, error.transport], ["unreachable", "smtp2"])
      assert.match(error.reply, /^127\.0\.0\.1:\d+: connect ECONNREFUSED/)
    })
  )

  it.effect("does not use a transport while its breaker is open, and returns to it", () =>
    Effect.gen(function* () {
      const first = yield* makeSink({ misbehave: at("banner", { reply: "554 Closed", drop: true }) })
      const second = yield* makeSink()
      const transports = yield* Effect.gen(function* () {
        const down = [yield* send(), yield* send(), yield* send()]
        first.misbehave(undefined)
        yield* TestClock.adjust("1 second")
        return [...down, yield* send(), yield* send()].map(({ transport }) => transport)
      }).pipe(over(urlOf(first), urlOf(second)))
      assert.deepStrictEqual(transports, ["smtp2", "smtp2", "smtp2", "smtp1", "smtp1"])
      assert.strictEqual(first.connections(), 2)
    })
  )
})

describe("the state", () => {
  it.effect("is the result of the last mails", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      const states = yield* Effect.gen(function* () {
        const seen = [yield* state]
        sink.misbehave(at("rcpt", { reply: "550 5.1.1 No" }))
        yield* sendFails()
        seen.push(yield* state)
        sink.misbehave(at("mail", { reply: "535 5.7.8 No" }))
        yield* sendFails()
        seen.push(yield* state)
        sink.misbehave(undefined)
        yield* TestClock.adjust("1 second")
        yield* send()
        seen.push(yield* state)
        sink.misbehave(at("dot", { drop: true }))
        yield* sendFails()
        return [...seen, yield* state]
      }).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(states, ["unknown", "ok", "failed", "ok", "ok"])
    })
  )
})

describe("closing", () => {
  it.effect("ends connections even if the peer does not answer QUIT", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* Effect.gen(function* () {
        yield* outcomeOf(send())
        sink.misbehave(() => ({ delay: 60_000 }))
      }).pipe(over(urlOf(sink)))
      assert.strictEqual(sink.accepted(), 1)
    })
  )

  it.effect("interrupts a mail in transmission", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("data", { delay: 60_000 }) })
      const outcome = yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        const sending = yield* Effect.forkDetach(
          outcomeOf(mailer.send({ from: "a@example.com", to: "b@example.org" }, mail("x@example.com")))
        )
        while (!sink.commands.includes("DATA"))
          yield* Effect.promise(() => new Promise((later) => setTimeout(later, 5)))
        return sending
      }).pipe(over(urlOf(sink)), Effect.flatMap(Fiber.join))
      assert.strictEqual(outcome, "broken")
      assert.strictEqual(sink.accepted(), 0)
    })
  )

  it("leaves nothing that keeps the process alive", async () => {
    const sink = await startSink()
    const index = new URL("index.ts", import.meta.url).href
    const script = `
      const { Effect } = await import("effect")
      const { Mailer } = await import("@posthorn/core/platform/Mailer")
      const { Smtp } = await import("${index}")
      const send = Effect.flatMap(Mailer, (mailer) => mailer.send({ from: "a@example.com", to: "b@example.org" }, Buffer.from("x")))
      await Effect.runPromise(Effect.provide(send, Smtp.layerUrl("${urlOf(sink)}")))
      console.log("closed")`
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const exited = once(child, "exit")
    await once(child.stdout, "data")
    assert.deepStrictEqual(await exited, [0, null])
    assert.strictEqual(sink.accepted(), 1)
    await sink.close()
  }, 20_000)
})

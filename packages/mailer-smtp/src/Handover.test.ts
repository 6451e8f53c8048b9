/**
 * The result of each kind of failure: the reason here, and the list of the sink shows whether the message was
 * delivered.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Stage } from "./testing/index.ts"
import {
  at,
  envelope,
  large,
  mail,
  makeSink,
  outcomeOf,
  over,
  send,
  sendFails,
  small,
  until,
  urlOf
} from "./testing/SinkFixture.ts"

const plainExtensions = ["8BITMIME", "ENHANCEDSTATUSCODES", "SMTPUTF8"]

describe.each([
  ["with PIPELINING", { extensions: ["PIPELINING", ...plainExtensions] }],
  ["without PIPELINING", { extensions: plainExtensions }]
])("a connection that ends, %s", (_, options) => {
  it.effect.each([
    ["connect", small, "unreachable", 0],
    ["banner", small, "unreachable", 0],
    ["ehlo", small, "unreachable", 0],
    ["mail", small, "broken", 0],
    ["rcpt", small, "broken", 0],
    ["data", small, "broken", 0],
    ["body", large, "broken", 0],
    ["dot", small, "ambiguous", 1],
    ["dot", large, "ambiguous", 1],
    ["accepted", small, "accepted", 1]
  ] satisfies ReadonlyArray<[Stage, Buffer, string, number]>)("at %s", ([stage, message, reason, delivered]) =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ ...options, misbehave: at(stage, { drop: true }) })
      assert.strictEqual(yield* outcomeOf(send(message)).pipe(over(urlOf(sink))), reason)
      assert.strictEqual(sink.accepted(), delivered)
    })
  )

  it.effect("gives the next mail a new one", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink(options)
      const outcomes = yield* Effect.forEach(["mail", "rcpt", "data", "dot", "accepted"] as const, (stage) =>
        Effect.gen(function* () {
          sink.misbehave(at(stage, { drop: true }, 1))
          return [yield* outcomeOf(send()), yield* outcomeOf(send())]
        })
      ).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(outcomes, [
        ["broken", "accepted"],
        // The connection has now been used. If it ends before MAIL is answered, a fresh connection takes the message.
        ["broken", "accepted"],
        ["broken", "accepted"],
        ["ambiguous", "accepted"],
        ["accepted", "accepted"]
      ])
    })
  )

  it.effect("between two mails affects neither of them", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink(options)
      const outcomes = yield* Effect.gen(function* () {
        const first = yield* outcomeOf(send())
        sink.misbehave(at("mail", { drop: true }, 1))
        return [first, yield* outcomeOf(send())]
      }).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(outcomes, ["accepted", "accepted"])
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [2, 2])
    })
  )

  it.effect("between two mails, with a 421 as the reply to MAIL, affects neither of them", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink(options)
      const outcomes = yield* Effect.gen(function* () {
        const first = yield* outcomeOf(send())
        sink.misbehave(at("mail", { reply: "421 4.4.2 Timeout" }, 1))
        return [first, yield* outcomeOf(send())]
      }).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(outcomes, ["accepted", "accepted"])
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [2, 2])
    })
  )

  it.effect.each([
    ["banner", "554 5.7.1 Go away", "unreachable", "5.7.1"],
    ["banner", "421 4.7.0 Later", "unreachable", "4.7.0"],
    ["ehlo", "421 4.3.2 Shutting down", "unreachable", "4.3.2"],
    ["mail", "451 4.7.1 Later", "refused", "4.7.1"],
    ["mail", "421 4.7.0 Slow down", "refused", "4.7.0"],
    ["mail", "530 5.7.0 Authentication required", "authentication", "5.7.0"],
    ["mail", "550 5.7.8 Bad credentials", "authentication", "5.7.8"],
    ["rcpt", "550 5.1.1 No such user", "refused", "5.1.1"],
    ["rcpt", "450 4.2.1 Try again", "refused", "4.2.1"],
    ["rcpt", "550-5.1.1 No such\r\n550 5.1.1 user", "refused", "5.1.1"],
    ["rcpt", "452 Too many", "refused", undefined],
    ["rcpt", "421 4.7.0 Slow down", "refused", "4.7.0"],
    ["data", "554 5.5.1 No", "refused", "5.5.1"],
    ["data", "421 4.7.0 Slow down", "refused", "4.7.0"],
    ["dot", "552 5.3.4 Too big", "refused", "5.3.4"],
    ["dot", "421 4.3.2 Shutting down", "refused", "4.3.2"]
  ] satisfies ReadonlyArray<[Stage, string, string, string | undefined]>)(
    "a reply at %s: %j",
    ([stage, reply, reason, enhancedCode]) =>
      Effect.gen(function* () {
        const sink = yield* makeSink({ ...options, misbehave: at(stage, { reply }) })
        const error = yield* sendFails().pipe(over(urlOf(sink)))
        assert.deepStrictEqual(
          { ...error },
          {
            _tag: "MailerError",
            reason,
            transport: "smtp1",
            remoteHost: "127.0.0.1",
            code: Number(reply.slice(0, 3)),
            ...(enhancedCode === undefined ? {} : { enhancedCode }),
            reply: reply.replace("\r\n", "\n")
          }
        )
        assert.strictEqual(error.message, error.reply)
        assert.strictEqual(sink.accepted(), 0)
      })
  )

  it.effect("a refusal keeps the connection for the next mail", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink(options)
      const outcomes = yield* Effect.forEach(["mail", "rcpt", "data", "dot"] as const, (stage) =>
        Effect.gen(function* () {
          sink.misbehave(at(stage, { reply: "450 4.2.1 Later" }, 1))
          return [yield* outcomeOf(send()), yield* outcomeOf(send())]
        })
      ).pipe(over(urlOf(sink)))
      for (const outcome of outcomes) assert.deepStrictEqual(outcome, ["refused", "accepted"])
      assert.strictEqual(sink.connections(), 1)
      assert.deepStrictEqual(sink.commands.filter((command) => command === "RSET").length, 3)
    })
  )
})

describe("odd replies", () => {
  it.effect.each([
    ["byte by byte", "dot", { drip: 1 }, "accepted"],
    ["in many lines", "ehlo", { reply: "250-sink.test\r\n250-PIPELINING\r\n250 SIZE", drip: 1 }, "accepted"],
    ["late", "dot", { delay: 300 }, "accepted"],
    ["of garbage to MAIL", "mail", { reply: "what?" }, "broken"],
    ["of garbage to the body", "dot", { reply: "250ok or so" }, "accepted"],
    ["of nothing known to the body", "dot", { reply: "hmm" }, "ambiguous"],
    ["of 3xx to the body", "dot", { reply: "354 go on" }, "ambiguous"],
    ["of 64 KB to the body", "dot", { reply: "x".repeat(65_536) }, "ambiguous"],
    ["of 64 KB to MAIL", "mail", { reply: `550 ${"x".repeat(65_536)}` }, "refused"],
    ["of control characters", "mail", { reply: "550 5.1.1 \0\x1b[31m\x07" }, "refused"]
  ] satisfies ReadonlyArray<[string, Stage, object, string]>)("%s", ([, stage, misbehaviour, reason]) =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at(stage, misbehaviour) })
      assert.strictEqual(yield* outcomeOf(send()).pipe(over(urlOf(sink))), reason)
    })
  )

  it.effect.each([
    ["354 Go on\r\n250 2.0.0 Ok", "ambiguous"],
    ["354 Go on\r\n552 5.3.4 Too big", "refused"],
    ["354 Go on\r\n421 4.4.2 Too slow", "refused"]
  ] as const)("in the middle of the body: %j", ([reply, reason]) =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("data", { reply }, 1) })
      const outcomes = yield* Effect.all([outcomeOf(send(large)), outcomeOf(send())]).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(outcomes, [reason, "accepted"])
      assert.deepStrictEqual([sink.accepted(), sink.connections()], [1, 2])
    })
  )

  it.effect("are cut at 1 KB and cleaned of control characters", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("mail", { reply: `550 5.1.1 \0ü${"ü".repeat(2000)}` }) })
      const { reply } = yield* sendFails().pipe(over(urlOf(sink)))
      assert.match(reply, /^550 5\.1\.1 {2}ü+$/)
      assert.isAtMost(Buffer.byteLength(reply), 1024)
    })
  )
})

describe("mail that the peer does not support", () => {
  it.effect("an address outside ASCII needs SMTPUTF8", () =>
    Effect.gen(function* () {
      const to = "jürgen@example.org"
      const plain = yield* makeSink({ extensions: ["PIPELINING"] })
      assert.strictEqual((yield* sendFails(small, { to }).pipe(over(urlOf(plain)))).reason, "unsupported")
      const modern = yield* makeSink()
      yield* send(small, { to }).pipe(over(urlOf(modern)))
      assert.include(modern.commands, `MAIL FROM:<${envelope.from}> SMTPUTF8 SIZE=${small.length}`)
      assert.strictEqual(modern.mails[0]?.rcpt, to)
    })
  )

  it.effect("a mail above SIZE is not started, and the connection stays open", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ extensions: ["PIPELINING", "SIZE 100"] })
      const outcomes = yield* Effect.all([
        outcomeOf(send()),
        outcomeOf(send(mail("x@example.com", 100))),
        outcomeOf(send())
      ]).pipe(over(urlOf(sink)))
      assert.deepStrictEqual(outcomes, ["accepted", "unsupported", "accepted"])
      assert.strictEqual(sink.connections(), 1)
    })
  )
})

describe("smuggling", () => {
  it.effect.each([
    { to: "a@example.org>\r\nRCPT TO:<b@example.org" },
    { to: "a@example.org\nDATA" },
    { to: "a@example.org> SIZE=1" },
    { to: "a b@example.org" },
    { to: "" },
    { from: "a@example.com>\r\nRCPT TO:<b@example.org" },
    { from: "a\0@example.com" }
  ])("an envelope with %j is not sent in a command", (change) =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      assert.strictEqual((yield* sendFails(small, change).pipe(over(urlOf(sink)))).reason, "unsupported")
      assert.deepStrictEqual(
        sink.commands.filter((command) => !/^(EHLO|QUIT)/.test(command)),
        []
      )
    })
  )

  it.effect.each(["a\r\n.\r\nMAIL FROM:<x@y>\r\n", "a\n.\nb\r\n", "a\r.\rb\r\n", ".\r\n", "..\r\n.a\r\n", "a\r\n."])(
    "a body with %j stays one mail",
    (body) =>
      Effect.gen(function* () {
        const sink = yield* makeSink()
        yield* send(Buffer.from(`X: y\r\n\r\n${body}`)).pipe(over(urlOf(sink)))
        const lines = body.split(/\r\n|\r|\n/).filter((line, at, all) => line !== "" || at < all.length - 1)
        assert.strictEqual(sink.mails[0]?.raw.toString(), `X: y\r\n\r\n${lines.map((line) => `${line}\r\n`).join("")}`)
        assert.strictEqual(sink.accepted(), 1)
      })
  )

  it.effect("a body is sent byte for byte, even in several pieces", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* send(large).pipe(over(urlOf(sink)))
      assert.isTrue(sink.mails[0]?.raw.equals(large))
    })
  )

  it.effect("the null sender is an empty path", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink()
      yield* send(small, { from: "" }).pipe(over(urlOf(sink)))
      assert.include(sink.commands, `MAIL FROM:<> SIZE=${small.length}`)
    })
  )
})

describe("interruption", () => {
  it.effect("of a mail in transmission ends its connection, and nothing is delivered", () =>
    Effect.gen(function* () {
      const sink = yield* makeSink({ misbehave: at("data", { delay: 60_000 }) })
      yield* Effect.gen(function* () {
        const sending = yield* Effect.forkChild(send())
        yield* until(() => sink.commands.includes("DATA"))
        yield* Fiber.interrupt(sending)
        yield* until(() => sink.openConnections() === 0)
      }).pipe(over(urlOf(sink)))
      assert.strictEqual(sink.accepted(), 0)
    })
  )
})

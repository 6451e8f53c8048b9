import { once } from "node:events"
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, FileSystem, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { layer, MailboxCannotListen, MailboxServer, type MailboxServerOptions } from "./MailboxServer.ts"
import * as MailboxStore from "./MailboxStore.ts"
import { folder, platform, sendTo, store } from "./MailboxTesting.ts"

const emailId = "019a9f3c-0000-7000-8000-0000000000a1"
const ours = { "X-Posthorn-Email-Id": emailId }

type Accepted = Parameters<MailboxServerOptions<never>["onAccepted"]>[0]

/** A mailbox for one test, with the messages that it announces. */
const start = Effect.fnUntraced(function* (options: Partial<MailboxServerOptions<never>> = {}) {
  const announced = yield* Queue.unbounded<Accepted>()
  const server = layer({ onAccepted: (accepted) => Queue.offer(announced, accepted), ...options })
  const context = yield* Layer.build(Layer.provideMerge(server, store))
  const { url, port } = yield* Effect.provide(MailboxServer, context)
  const mailbox = yield* Effect.provide(MailboxStore.MailboxStore, context)
  const recipients = Effect.map(mailbox.list({ limit: 100 }), ({ entries }) => entries.map(({ to }) => to))
  return { url, port, mailbox, announced, recipients }
})

it.effect("accepts any mail and reports mail of the service by its id", () =>
  Effect.gen(function* () {
    const { url, announced, mailbox } = yield* start()
    assert.strictEqual(yield* sendTo(url, { to: "anna@example.com", subject: "A", headers: ours }), "250 2.0.0 Kept")
    assert.deepStrictEqual(yield* Queue.take(announced), { emailId, to: "anna@example.com", complained: false })
    const { entries } = yield* mailbox.list({ limit: 10 })
    assert.deepInclude(entries[0], { emailId, to: "anna@example.com", from: "news@posthorn.test", subject: "A" })
  })
)

it.effect("stores other mail too, and does not report it", () =>
  Effect.gen(function* () {
    const { url, announced, recipients } = yield* start()
    yield* sendTo(url, { to: "anna@example.com" })
    yield* sendTo(url, { to: "ben@example.com", headers: { "X-Posthorn-Email-Id": "' OR 1=1" } })
    yield* sendTo(url, { to: "cleo@example.com", headers: ours })
    assert.strictEqual((yield* Queue.take(announced)).to, "cleo@example.com")
    assert.deepStrictEqual(yield* recipients, ["cleo@example.com", "ben@example.com", "anna@example.com"])
  })
)

it.effect("accepts any login", () =>
  Effect.gen(function* () {
    const { url } = yield* start()
    assert.match(yield* sendTo(url.replace("//", "//anna:wrong@"), { to: "anna@example.com" }), /^250 /)
  })
)

it.effect("bounced@ is refused at RCPT with 5.1.1, and the other recipients get the mail", () =>
  Effect.gen(function* () {
    const { url, recipients } = yield* start()
    assert.match(yield* sendTo(url, { to: "bounced@shop.test" }), /^550 5\.1\.1 /)
    assert.match(yield* sendTo(url, { to: ["Bounced@shop.test", "anna@example.com"] }), /^250 /)
    assert.deepStrictEqual(yield* recipients, ["anna@example.com"])
  })
)

it.effect("deferred@ is refused for two attempts of a mail, independently of other mails", () =>
  Effect.gen(function* () {
    const { url, recipients } = yield* start()
    const attempt = (messageId: string) => sendTo(url, { to: "deferred@shop.test", messageId })
    const replies = []
    for (const id of ["<a@x>", "<a@x>", "<b@x>", "<a@x>", "<b@x>", "<b@x>"]) {
      replies.push((yield* attempt(id)).slice(0, 9))
    }
    assert.deepStrictEqual(replies, ["451 4.3.0", "451 4.3.0", "451 4.3.0", "250 2.0.0", "451 4.3.0", "250 2.0.0"])
    assert.deepStrictEqual(yield* recipients, ["deferred@shop.test", "deferred@shop.test"])
  })
)

it.effect("a restart between the attempts of a deferred@ mail changes nothing", () =>
  Effect.gen(function* () {
    const path = yield* folder
    const messageId = "<a@x>"
    const attempt = Effect.gen(function* () {
      const restarted = Layer.fresh(MailboxStore.layer({ folder: path }))
      const server = Layer.provide(layer({ onAccepted: () => Effect.void }), restarted)
      const { url } = yield* Effect.map(Layer.build(server), Context.get(MailboxServer))
      return (yield* sendTo(url, { to: "deferred@shop.test", messageId })).slice(0, 3)
    })
    const replies = yield* Effect.replicateEffect(Effect.scoped(attempt), 3)
    assert.deepStrictEqual(replies, ["451", "451", "250"])
  }).pipe(Effect.provide(platform))
)

it.effect("throttled@ asks for less mail for one minute of the clock, each label for itself", () =>
  Effect.gen(function* () {
    const { url, recipients } = yield* start()
    const reply = (to: string) => Effect.map(sendTo(url, { to }), (text) => text.slice(0, 10))
    assert.strictEqual(yield* reply("throttled@shop.test"), "421 4.7.28")
    yield* TestClock.adjust("59 seconds")
    assert.strictEqual(yield* reply("throttled@shop.test"), "421 4.7.28")
    yield* TestClock.adjust("1 seconds")
    assert.strictEqual(yield* reply("throttled@shop.test"), "250 2.0.0 ")
    assert.strictEqual(yield* reply("throttled+2@shop.test"), "421 4.7.28")
    assert.deepStrictEqual(yield* recipients, ["throttled@shop.test"])
  })
)

it.effect("complained@ is accepted and reported as a complaint", () =>
  Effect.gen(function* () {
    const { url, announced } = yield* start()
    yield* sendTo(url, { to: "complained@shop.test", headers: ours })
    assert.isTrue((yield* Queue.take(announced)).complained)
  })
)

it.effect("slow@ is stored at once and gets its reply five seconds later", () =>
  Effect.gen(function* () {
    const { url, announced, recipients } = yield* start()
    const sending = yield* Effect.forkChild(sendTo(url, { to: "slow@shop.test", headers: ours }))
    yield* Effect.repeat(Effect.andThen(pause, recipients), { until: (to) => to.length > 0 })
    yield* pause
    yield* TestClock.adjust("4999 millis")
    yield* pause
    assert.isUndefined(sending.pollUnsafe())
    assert.strictEqual(yield* Queue.size(announced), 0)
    yield* TestClock.adjust("1 millis")
    assert.match(yield* Fiber.join(sending), /^250 /)
    assert.strictEqual((yield* Queue.take(announced)).to, "slow@shop.test")
  })
)

it.effect("outcome addresses are like any other if they are turned off", () =>
  Effect.gen(function* () {
    const { url, announced } = yield* start({ outcomes: false })
    for (const name of ["bounced", "deferred", "slow", "complained"]) {
      assert.match(yield* sendTo(url, { to: `${name}@shop.test`, headers: ours }), /^250 /)
      assert.isFalse((yield* Queue.take(announced)).complained)
    }
  })
)

it.effect("a mail that cannot be stored is deferred, not lost", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* folder
    const server = Layer.provide(layer({ onAccepted: () => Effect.void }), MailboxStore.layer({ folder: path }))
    const { url } = yield* Effect.map(Layer.build(server), Context.get(MailboxServer))
    yield* fs.remove(path, { recursive: true })
    assert.match(yield* sendTo(url, { to: "anna@example.com" }), /^452 4\.3\.1 /)
    yield* fs.makeDirectory(path)
    assert.match(yield* sendTo(url, { to: "anna@example.com" }), /^250 /)
  }).pipe(Effect.provide(platform))
)

it.effect("a failure of the hook does not affect later mail", () =>
  Effect.gen(function* () {
    const { url } = yield* start({ onAccepted: () => Effect.die("no database") })
    assert.match(yield* sendTo(url, { to: "anna@example.com", headers: ours }), /^250 /)
    assert.match(yield* sendTo(url, { to: "anna@example.com", headers: ours }), /^250 /)
  })
)

it.effect("stores nothing of an incomplete mail", () =>
  Effect.gen(function* () {
    const { url, port, recipients } = yield* start()
    yield* Effect.callback<void>((resume) => {
      const socket = connect(port, "127.0.0.1")
      socket.on("data", (reply) => {
        if (String(reply).startsWith("354")) socket.write("Subject: half\r\n\r\nhal", () => socket.destroy())
      })
      socket.on("close", () => resume(Effect.void))
      socket.write("HELO a\r\nMAIL FROM:<a@a.test>\r\nRCPT TO:<half@example.com>\r\nDATA\r\n")
    })
    yield* sendTo(url, { to: "whole@example.com" })
    assert.deepStrictEqual(yield* recipients, ["whole@example.com"])
  })
)

it.effect("names the port that it cannot use", () =>
  Effect.gen(function* () {
    const { port } = yield* start()
    const error = yield* Effect.flip(start({ port }))
    assert.instanceOf(error, MailboxCannotListen)
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port}: .*EADDRINUSE`))
  })
)

it.effect("uses a free port if its own is in use, if that is allowed", () =>
  Effect.gen(function* () {
    const { port } = yield* start()
    const other = yield* start({ port, orAny: true })
    assert.notStrictEqual(other.port, port)
    assert.match(yield* sendTo(other.url, { to: "anna@example.com" }), /^250 /)
    assert.deepStrictEqual(yield* other.recipients, ["anna@example.com"])
  })
)

it.effect("accepts no mail from a web page, which sends HTTP", () =>
  Effect.gen(function* () {
    const { port, recipients } = yield* start()
    const commands = "HELO a\r\nMAIL FROM:<a@a.test>\r\nRCPT TO:<anna@example.com>\r\nDATA\r\n\r\n.\r\n"
    yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: commands }).catch(() => {}))
    yield* pause
    assert.deepStrictEqual(yield* recipients, [])
  })
)

it.effect("releases the port with its scope, even while a client is connected", () =>
  Effect.gen(function* () {
    const first = yield* Effect.scoped(
      Effect.gen(function* () {
        const { port } = yield* start()
        const client = connect(port, "127.0.0.1").on("error", () => {})
        yield* Effect.promise(() => once(client, "data"))
        return port
      })
    )
    assert.strictEqual((yield* start({ port: first })).port, first)
  })
)

/** Lets sockets proceed while the clock of the test stands still. */
const pause = TestClock.withLive(Effect.sleep("20 millis"))

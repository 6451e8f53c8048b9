import { connect, type Socket } from "node:net"
import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { Tally } from "@posthorn/contract/mail/receivers/Notification"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { SenderDomains } from "@posthorn/core/content/templates/SenderDomains"
import { Receivers } from "@posthorn/core/mail/receivers/Receivers"
import { ReturnPath } from "@posthorn/core/mail/sending/ReturnPath"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import { Effect, Layer, Ref } from "effect"
import { createTransport } from "nodemailer"
import * as BounceClients from "./BounceClients.ts"
import { BounceServer, layer as bounceServer } from "./BounceServer.ts"

const reported = DomainId.make("019a0000-0000-7000-8000-000000000002")
const known = EmailId.make("019a0000-0000-7000-8000-000000000001")
const tally: Tally = { accepted: 1, duplicates: 0, parked: 0, ignored: 0 }

interface Taken {
  readonly text: string
  readonly recipients: ReadonlyArray<string>
}
const taken = Ref.makeUnsafe<ReadonlyArray<Taken>>([])
const isDown = Ref.makeUnsafe(false)

/** The services of the listener; the core tests what the receivers do. */
const services = Layer.mergeAll(
  Layer.mock(Receivers, {
    takeMail: (bytes, recipients) =>
      Effect.gen(function* () {
        if (yield* Ref.get(isDown)) return yield* Effect.die(new Error("the database is away"))
        yield* Ref.update(taken, (all) => [...all, { text: new TextDecoder().decode(bytes), recipients }])
        return tally
      })
  }),
  Layer.mock(ReturnPath, {
    mailOf: (address) =>
      Effect.succeed(
        address.startsWith("bounces+known@") ? known : address.startsWith("bounces+") ? "forged" : "other"
      ),
    reportedDomain: (address) =>
      Effect.succeed(address.startsWith("dmarc+known@") ? reported : address.startsWith("dmarc+") ? "forged" : "other")
  }),
  Layer.mock(SenderDomains, {
    owners: (domains) =>
      Effect.succeed(
        new Map(domains.filter((domain) => domain === "shop.test").map((domain) => [domain, ProjectId.make(known)]))
      )
  }),
  Layer.succeed(Settings, { ...defaults, bounceDomain: "bounces.example" })
)

const mail = "From: <>\r\nTo: x\r\nSubject: Undelivered\r\n\r\n.\r\nIt did not arrive.\r\n"

/** Hands a message over as a peer does and returns the reply code. */
const handOver = (to: string | Array<string>, raw = mail) =>
  Effect.gen(function* () {
    const { port } = yield* BounceServer
    const transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true })
    return yield* Effect.promise(() =>
      transport.sendMail({ envelope: { from: "", to }, raw }).then(
        () => 250,
        (error: { readonly responseCode?: number }) => error.responseCode ?? 0
      )
    )
  })

layer(bounceServer({ host: "127.0.0.1", port: 0 }).pipe(Layer.provide(services)), { timeout: "30 seconds" })(
  "The bounce server",
  (it) => {
    it.effect("receives mail for return paths, for its own domain and for verified domains, octet by octet", () =>
      Effect.gen(function* () {
        yield* Ref.set(taken, [])
        for (const to of ["bounces+known@bounces.example", "fbl@bounces.example", "hello@shop.test"]) {
          assert.strictEqual(yield* handOver(to), 250)
        }
        assert.deepStrictEqual(
          (yield* Ref.get(taken)).map(({ text, recipients }) => [text, recipients]),
          ["bounces+known@bounces.example", "fbl@bounces.example", "hello@shop.test"].map((to) => [mail, [to]])
        )
      })
    )

    it.effect("relays nothing, and refuses a forged return path", () =>
      Effect.gen(function* () {
        yield* Ref.set(taken, [])
        for (const to of [
          "somebody@example.com",
          "bounces+forged@bounces.example",
          "dmarc+forged@bounces.example",
          "x@sub.shop.test"
        ]) {
          assert.strictEqual(yield* handOver(to), 550)
        }
        assert.deepStrictEqual(yield* Ref.get(taken), [])
      })
    )

    it.effect("defers mail while the service cannot process it", () =>
      Effect.gen(function* () {
        yield* Ref.set(isDown, true)
        assert.strictEqual(yield* handOver("hello@shop.test"), 451)
        yield* Ref.set(isDown, false)
        assert.strictEqual(yield* handOver("hello@shop.test"), 250)
      })
    )

    it.effect("a mail of more than 40 MB is refused, and one of more than 1 MB for a bounce address", () =>
      Effect.gen(function* () {
        yield* Ref.set(taken, [])
        const line = `${"x".repeat(990)}\r\n`
        assert.strictEqual(yield* handOver("bounces+known@bounces.example", mail + line.repeat(1_100)), 552)
        assert.strictEqual(yield* handOver("hello@shop.test", mail + line.repeat(1_100)), 250)
        assert.strictEqual(yield* handOver("dmarc+known@bounces.example", mail + line.repeat(1_100)), 250)
        yield* Ref.set(taken, [])
        assert.strictEqual(yield* handOver("hello@shop.test", mail + line.repeat(45_000)), 552)
        assert.deepStrictEqual(yield* Ref.get(taken), [])
      })
    )
  }
)

/** A peer that writes only what the test asks for. */
const peer = Effect.gen(function* () {
  const { port } = yield* BounceServer
  return yield* Effect.acquireRelease(
    Effect.callback<Peer>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(conversation(socket))))
      socket.on("error", () => undefined)
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )
})

interface Peer {
  readonly socket: Socket
  /** Writes a line, or nothing, and waits for this reply; `closed` if the connection ends first. */
  readonly say: (line: string | undefined, reply: RegExp) => Effect.Effect<string>
}

const conversation = (socket: Socket): Peer => {
  let heard = ""
  let isClosed = false
  socket.on("data", (chunk) => {
    heard += chunk.toString()
  })
  socket.on("close", () => {
    isClosed = true
  })
  const until = (reply: RegExp): Effect.Effect<string> =>
    Effect.suspend(() => {
      const found = reply.exec(heard)?.[0]
      if (found !== undefined) {
        heard = ""
        return Effect.succeed(found)
      }
      if (isClosed) return Effect.succeed("closed")
      return Effect.andThen(
        Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
        until(reply)
      )
    })
  return {
    socket,
    say: (line, reply) =>
      Effect.suspend(() => {
        if (line !== undefined) socket.write(line)
        return until(reply)
      })
  }
}

const greet = Effect.fnUntraced(function* (to?: string) {
  const one = yield* peer
  const greeting = yield* one.say(undefined, /^(?:220|421).*\r\n/m)
  if (!greeting.startsWith("220") || to === undefined) return { ...one, greeting }
  yield* one.say("HELO peer.example\r\n", /^250.*\r\n/m)
  yield* one.say("MAIL FROM:<>\r\n", /^250.*\r\n/m)
  yield* one.say(`RCPT TO:<${to}>\r\n`, /^250.*\r\n/m)
  yield* one.say("DATA\r\n", /^354.*\r\n/m)
  return { ...one, greeting }
})

const filling = (size: number) => `Subject: x\r\n\r\n${`${"x".repeat(998)}\r\n`.repeat(size / 1_000)}`

/** All peers of these tests have one address, so the limits per client and in total are tested separately. */
const limited = (limits: Partial<BounceClients.ClientLimits>) =>
  bounceServer({ host: "127.0.0.1", port: 0 }, { ...BounceClients.defaults, ...limits }).pipe(Layer.provide(services))

layer(limited({ reportRoomPerClient: 1_500_000 }), { timeout: "30 seconds" })("A client with unfinished mail", (it) => {
  it.effect("has a share of the memory, and mail that exceeds it is deferred", () =>
    Effect.gen(function* () {
      yield* Ref.set(taken, [])
      const first = yield* greet("bounces+known@bounces.example")
      first.socket.write(filling(900_000))
      const second = yield* greet("bounces+known@bounces.example")
      assert.match(yield* second.say(`${filling(900_000)}.\r\n`, /^\d{3} .*\r\n/m), /^452 4\.3\.1/)
      // Messages to other addresses have their own room.
      assert.strictEqual(yield* handOver("hello@shop.test"), 250)
      assert.match(yield* first.say(".\r\n", /^\d{3} .*\r\n/m), /^250/)
      assert.strictEqual(yield* handOver("bounces+known@bounces.example"), 250)
      const third = yield* greet("bounces+known@bounces.example")
      third.socket.write(filling(900_000))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      third.socket.destroy()
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      const fourth = yield* greet("bounces+known@bounces.example")
      assert.match(yield* fourth.say(`${filling(900_000)}.\r\n`, /^\d{3} .*\r\n/m), /^250/)
    })
  )
})

layer(limited({ connectionsPerClient: 3, mailsPerMinute: 5 }), { timeout: "30 seconds" })("A client", (it) => {
  it.effect("has a limit of connections, and of mails per minute", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const held = [yield* greet(), yield* greet(), yield* greet()]
          assert.isTrue(held.every(({ greeting }) => greeting.startsWith("220")))
          assert.match((yield* greet()).greeting, /^421 4\.7\.0/)
        })
      )
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* handOver("hello@shop.test"), 250)
      assert.strictEqual(yield* handOver("hello@shop.test"), 450)
    })
  )
})

layer(limited({ connections: 3, idle: 1_000 }), { timeout: "30 seconds" })("A full bounce server", (it) => {
  it.effect("closes the connection that has been idle longest, and none that is sending", () =>
    Effect.gen(function* () {
      const sending = yield* greet("bounces+known@bounces.example")
      const idle = yield* greet()
      yield* greet()
      assert.match((yield* greet()).greeting, /^220/)
      assert.match(yield* idle.say(undefined, /^421.*\r\n/m), /^421 4\.3\.2/)
      assert.match(yield* sending.say(`${mail}.\r\n`, /^\d{3} .*\r\n/m), /^250/)
      // A silent client closes by itself.
      assert.match(yield* sending.say(undefined, /^421.*\r\n/m), /^421/)
    })
  )
})

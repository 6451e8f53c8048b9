import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/Auth"
import { EmailId } from "@posthorn/contract/emails/Email"
import type { Tally } from "@posthorn/contract/receivers/Notification"
import { SenderDomains } from "@posthorn/core/domains/SenderDomains"
import { Receivers } from "@posthorn/core/receivers/Receivers"
import { defaults, Settings } from "@posthorn/core/Settings"
import { ReturnPath } from "@posthorn/core/sending/ReturnPath"
import { Effect, Layer, Ref } from "effect"
import { createTransport } from "nodemailer"
import { BounceServer, layer as bounceServer } from "./BounceServer.ts"

const known = EmailId.make("019a0000-0000-7000-8000-000000000001")
const tally: Tally = { accepted: 1, duplicates: 0, parked: 0, ignored: 0 }

interface Taken {
  readonly text: string
  readonly recipients: ReadonlyArray<string>
}
const taken = Ref.makeUnsafe<ReadonlyArray<Taken>>([])
const isDown = Ref.makeUnsafe(false)

/** What the listener asks; what it gets is tested in the core. */
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
      Effect.succeed(address.startsWith("bounces+known@") ? known : address.startsWith("bounces+") ? "forged" : "other")
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

/** Hands a mail over as a peer does; the reply's code. */
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
  "The bounce listener",
  (it) => {
    it.effect("takes mail for return paths, for its own domain and for verified ones, octet by octet", () =>
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

    it.effect("relays nothing, and believes no forged return path", () =>
      Effect.gen(function* () {
        yield* Ref.set(taken, [])
        for (const to of ["somebody@example.com", "bounces+forged@bounces.example", "x@sub.shop.test"]) {
          assert.strictEqual(yield* handOver(to), 550)
        }
        assert.deepStrictEqual(yield* Ref.get(taken), [])
      })
    )

    it.effect("while the service cannot take it, the peer keeps the mail", () =>
      Effect.gen(function* () {
        yield* Ref.set(isDown, true)
        assert.strictEqual(yield* handOver("hello@shop.test"), 451)
        yield* Ref.set(isDown, false)
        assert.strictEqual(yield* handOver("hello@shop.test"), 250)
      })
    )

    it.effect("a mail of more than 40 MB is refused", () =>
      Effect.gen(function* () {
        yield* Ref.set(taken, [])
        const line = `${"x".repeat(990)}\r\n`
        assert.strictEqual(yield* handOver("hello@shop.test", mail + line.repeat(45_000)), 552)
        assert.deepStrictEqual(yield* Ref.get(taken), [])
      })
    )
  }
)

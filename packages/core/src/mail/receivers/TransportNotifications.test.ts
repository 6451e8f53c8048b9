import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { send } from "../../testing/TestClient.ts"
import { mailTo, notify, secret as ofServer, read, wireWith } from "./ReceiversFixture.ts"

const text = `whsec_${Buffer.from("a secret of the provider of a transport").toString("base64")}`
const secret = Redacted.make(text)

let made = 0
const transport = Effect.fnUntraced(function* (more: object) {
  const { body } = yield* send("POST", "/transports", { name: `T${++made}`, host: "smtp.example", port: 587, ...more })
  return String(body.id)
})

const bounce = (emailId: string, id = `bounce-${emailId}`) => ({
  ...{ id, type: "bounce", emailId, timestamp: "2026-11-20T15:00:00.000Z" },
  ...{ bounceType: "Permanent", status: "5.1.1" }
})
const outcome = (answer: { readonly status: number; readonly body: { readonly data?: object } }) =>
  `${answer.status} ${JSON.stringify(answer.body.data ?? {})}`
const tally = (change: object) =>
  `200 ${JSON.stringify({ accepted: 0, duplicates: 0, parked: 0, ignored: 0, ...change })}`

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "60 seconds" })(`notifications of a transport on ${name}`, (it) => {
    it.effect("are accepted with its own secret, and change only mail of its project", () =>
      Effect.gen(function* () {
        const id = yield* transport({ notificationSecret: text })
        const other = yield* freshProject
        const mine = yield* mailTo("gone@example.com")
        const theirs = yield* mailTo("stays@example.com", "SENT", { project: other.project })
        assert.strictEqual(outcome(yield* notify(bounce(theirs), { secret, transport: id })), tally({ ignored: 1 }))
        assert.strictEqual(outcome(yield* notify(bounce(mine), { secret, transport: id })), tally({ accepted: 1 }))
        assert.strictEqual((yield* read(mine)).status, "BOUNCED")
        assert.strictEqual((yield* other.ask("GET", `/emails/${theirs}`)).body.status, "SENT")
        assert.strictEqual(outcome(yield* notify(bounce(mine), { secret, transport: id })), tally({ duplicates: 1 }))
        // The ids of its events do not hide those of the installation.
        const event = bounce(theirs)
        assert.strictEqual(outcome(yield* notify(event)), tally({ accepted: 1 }))
      })
    )

    it.effect("are refused with another secret, without one, and for an unknown transport", () =>
      Effect.gen(function* () {
        const id = yield* transport({ notificationSecret: text })
        const silent = yield* transport({})
        const mail = yield* mailTo("ada@example.com")
        const codeOf = (forged: Parameters<typeof notify>[1]) =>
          Effect.map(notify(bounce(mail), forged), ({ status, body }) => `${status} ${body.error.code}`)
        assert.strictEqual(yield* codeOf({ secret: ofServer, transport: id }), "403 INVALID_SIGNATURE")
        assert.strictEqual(yield* codeOf({ secret }), "403 INVALID_SIGNATURE")
        assert.strictEqual(yield* codeOf({ secret, transport: silent }), "503 SERVICE_UNAVAILABLE")
        assert.strictEqual(yield* codeOf({ secret, transport: "nothing" }), "403 INVALID_SIGNATURE")
        assert.strictEqual(yield* codeOf({ secret, transport: mail }), "403 INVALID_SIGNATURE")
        yield* send("PATCH", `/transports/${id}`, { notificationSecret: null })
        assert.strictEqual(yield* codeOf({ secret, transport: id }), "503 SERVICE_UNAVAILABLE")
        assert.strictEqual((yield* read(mail)).status, "SENT")
      })
    )

    it.effect("contain no inbound mail, which could be for any project", () =>
      Effect.gen(function* () {
        const id = yield* transport({ notificationSecret: text })
        yield* send("POST", "/domains", { domain: "inbound.test" })
        const mail = { from: "eve@example.com", to: ["hi@inbound.test"], subject: "Hello" }
        const event = { id: "in-1", type: "inbound", timestamp: "2026-11-20T15:00:00.000Z", mail }
        assert.strictEqual(outcome(yield* notify(event, { secret, transport: id })), tally({ ignored: 1 }))
      })
    )
  })
}

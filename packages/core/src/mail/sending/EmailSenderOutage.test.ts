import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project } from "../../testing/Services.ts"
import { send, wire } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import * as EmailSender from "./EmailSender.ts"

type Method = "heartbeat" | "mark"

/** What of the queue cannot be reached. */
class Unreachable extends Context.Service<Unreachable, Ref.Ref<ReadonlyArray<Method>>>()(
  "@posthorn/core/sending/EmailSenderOutage.test/Unreachable"
) {}

const flaky = Layer.effectContext(
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const unreachable = yield* Ref.make<ReadonlyArray<Method>>([])
    const unless = <A>(method: Method, effect: Effect.Effect<A>) =>
      Effect.flatMap(Ref.get(unreachable), (methods) =>
        methods.includes(method) ? Effect.die(new Error("The database is away")) : effect
      )
    return Context.make(Unreachable, unreachable).pipe(
      Context.add(DeliveryQueue, {
        ...queue,
        heartbeat: (...given) => unless("heartbeat", queue.heartbeat(...given)),
        mark: (...given) => unless("mark", queue.mark(...given))
      })
    )
  })
)

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

const sender = EmailSender.layer.pipe(
  Layer.provideMerge(flaky),
  Layer.provideMerge(senderDomain),
  Layer.provideMerge(wire),
  Layer.provide(
    Layer.succeed(EmailSender.Options, {
      poll: Duration.millis(100),
      drain: Duration.seconds(5),
      exclusive: false
    })
  )
)

const post = Effect.fnUntraced(function* (to: string) {
  const { body } = yield* send("POST", "/v1/send", { from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>", to })
  return String(body.data.emails[0].email)
})

const read = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const step = TestClock.adjust("200 millis")

/** Time goes by in small steps, with real time in between for what the database has to do. */
const pass = (duration: Duration.Input) =>
  Effect.forEach(Array.from({ length: Duration.toMillis(duration) / 200 }), () =>
    Effect.andThen(step, TestClock.withLive(Effect.sleep("5 millis")))
  )

const until = (id: string, status: string) =>
  eventually(Effect.andThen(step, read(id)), (found) => found.status === status)

const outcomes = ({ attemptLog }: { attemptLog: ReadonlyArray<{ outcome: string }> }) =>
  attemptLog.map(({ outcome }) => outcome)

/** The database's clock, which no test clock moves. */
const endLeases = SqlClient.SqlClient.use((sql) => sql`update workers set lease_until = now() - interval '1 second'`)

layer(sender, { timeout: "60 seconds" })("A sender whose database was away for longer than its lease", (it) => {
  it.effect("does not take its own mails for those of a dead worker", () =>
    Effect.gen(function* () {
      const unreachable = yield* Unreachable
      const peer = yield* Peer
      const reply = yield* Deferred.make<void>()
      yield* peer.answer(() => Effect.as(Deferred.await(reply), receipt))
      const id = yield* post("on-the-wire@example.com")
      yield* eventually(Effect.andThen(step, peer.tries), (tries) => tries.length === 1)

      yield* Ref.set(unreachable, ["heartbeat", "mark"])
      yield* Deferred.succeed(reply, undefined)
      yield* pass("15 seconds")
      yield* endLeases
      yield* pass("10 seconds")
      assert.strictEqual((yield* read(id)).status, "SENDING")
      yield* Ref.set(unreachable, [])
      assert.deepStrictEqual(outcomes(yield* until(id, "SENT")), ["accepted"])
      assert.lengthOf(yield* peer.tries, 1)
      yield* peer.answer(() => Effect.succeed(receipt))
    })
  )

  it.effect("does not send what it could put on record only after the end of the lease", () =>
    Effect.gen(function* () {
      const unreachable = yield* Unreachable
      const peer = yield* Peer
      const before = (yield* peer.tries).length
      yield* pass("10 seconds")
      yield* Ref.set(unreachable, ["heartbeat", "mark"])
      const id = yield* post("late@example.com")
      yield* until(id, "SENDING")
      yield* pass("30 seconds")
      yield* Ref.set(unreachable, ["heartbeat"])
      yield* eventually(Effect.andThen(step, read(id)), ({ attemptLog }) => attemptLog.length === 1)
      yield* pass("2 seconds")
      assert.lengthOf(yield* peer.tries, before)

      yield* Ref.set(unreachable, [])
      yield* pass("40 seconds")
      assert.deepStrictEqual(outcomes(yield* until(id, "SENT")), ["ambiguous", "accepted"])
      assert.lengthOf(yield* peer.tries, before + 1)
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import { project, services } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Failpoint } from "../Failpoint.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"

/** A request waits here just before it commits, while the first renewal of its key finds no database. */
class Slow extends Context.Service<
  Slow,
  {
    readonly reached: Deferred.Deferred<void>
    readonly release: Deferred.Deferred<void>
    readonly renewals: Ref.Ref<number>
  }
>()("@posthorn/core/http/IdempotencyRenewal.test/Slow") {}

const slow = Layer.effect(
  Slow,
  Effect.all({ reached: Deferred.make<void>(), release: Deferred.make<void>(), renewals: Ref.make(0) })
)

const standing = Layer.effect(
  Failpoint,
  Effect.map(
    Slow,
    ({ reached, release }) =>
      (window) =>
        window === "before_accept_commit"
          ? Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(release))
          : Effect.void
  )
)

const flaky = Layer.effect(
  IdempotencyKeys,
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const { renewals } = yield* Slow
    return {
      ...keys,
      renew: (...claim) =>
        Effect.flatMap(
          Ref.updateAndGet(renewals, (count) => count + 1),
          (count) => (count === 1 ? Effect.die(new Error("The database is down")) : keys.renew(...claim))
        )
    }
  })
)

const everything = Layer.merge(flaky, standing).pipe(Layer.provideMerge(services), Layer.provide(slow))

layer(Layer.merge(wireOver(everything), slow), { timeout: "60 seconds" })("The key of a long request", (it) => {
  it.effect("is renewed a second after a failed renewal", () =>
    Effect.gen(function* () {
      yield* Domains.use((domains) => domains.add(project, { domain: "verified.test" }))
      const { reached, release, renewals } = yield* Slow
      const mail = { from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>", to: "anna@example.com" }
      const request = yield* Effect.forkChild(send("POST", "/v1/send", mail, { "idempotency-key": "slow" }))
      yield* Deferred.await(reached)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(yield* Ref.get(renewals), 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Ref.get(renewals), 2)
      yield* Deferred.succeed(release, undefined)
      assert.strictEqual((yield* Fiber.join(request)).status, 200)
    })
  )

  it.effect("is not renewed once the claim is lost", () =>
    Effect.gen(function* () {
      const keys = yield* IdempotencyKeys
      assert.isFalse(yield* keys.renew(project, "slow", "019a0000-0000-7000-8000-00000000dead"))
    })
  )
})

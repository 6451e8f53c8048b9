/** Storage that does not answer, and many requests that wait for it (F10 in packages/bench/FAULTS.md). */
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { Domains } from "../../mail/domains/Domains.ts"
import { eventually } from "../../testing/Eventually.ts"
import { project, services } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Failpoint } from "../Failpoint.ts"
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts"

/** A request that holds the only connection of the database until the test releases it. */
class Holder extends Context.Service<
  Holder,
  { readonly holds: Deferred.Deferred<void>; readonly release: Deferred.Deferred<void> }
>()("@posthorn/core/http/ConcurrencyLimit.test/Holder") {}

const holder = Layer.effect(Holder, Effect.all({ holds: Deferred.make<void>(), release: Deferred.make<void>() }))

const standing = Layer.effect(
  Failpoint,
  Effect.map(
    Holder,
    ({ holds, release }) =>
      (window) =>
        window === "before_accept_commit"
          ? Effect.andThen(Deferred.succeed(holds, undefined), Deferred.await(release))
          : Effect.void
  )
)

const everything = standing.pipe(Layer.provideMerge(services), Layer.provide(holder))

layer(Layer.merge(wireOver(everything), holder), { timeout: "120 seconds" })("While storage does not answer", (it) => {
  it.effect("requests above the limit get 503, the probe is answered, and waiting requests are served later", () =>
    Effect.gen(function* () {
      yield* Domains.use((domains) => domains.add(project, { domain: "verified.test" }))
      const { holds, release } = yield* Holder
      const mail = {
        from: "hi@verified.test",
        subject: "Hi",
        body: "<p>Hi</p>",
        to: ["anna@example.com", "eva@example.com"]
      }
      const first = yield* Effect.forkChild(send("POST", "/v1/send", mail))
      yield* Deferred.await(holds)
      const crowd = yield* Effect.forEach(Array.from({ length: ConcurrencyLimit.most }), () =>
        Effect.forkChild(send("GET", "/contacts"))
      )
      const beyond = yield* eventually(
        Effect.sync(() => crowd.flatMap((fiber) => fiber.pollUnsafe() ?? [])),
        (done) => done.length > 0
      )
      assert.lengthOf(beyond, 1)
      const refused = yield* send("GET", "/contacts")
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [503, "1"])
      assert.strictEqual(refused.body.error.code, "SERVICE_UNAVAILABLE")
      assert.strictEqual((yield* send("GET", "/health")).status, 200)

      yield* Deferred.succeed(release, undefined)
      assert.strictEqual((yield* Fiber.join(first)).status, 200)
      const statuses = (yield* Effect.forEach(crowd, Fiber.join)).map(({ status }) => status)
      assert.strictEqual(statuses.filter((status) => status === 200).length, ConcurrencyLimit.most - 1)
      assert.strictEqual((yield* send("GET", "/contacts")).status, 200)
    })
  )
})

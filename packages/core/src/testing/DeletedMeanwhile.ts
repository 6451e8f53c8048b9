/** A contact that is deleted while something is written about it. Only where there are several connections. */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { waiting } from "./LockWaits.ts"

/** How far the deletion has come when the others meet it: it has the contact, or all is done but the commit. */
export const stages = ["held", "gone"] as const

/** Runs the effect, which meets a deletion at that stage; it is committed once the effect waits for it. */
export const deletedMeanwhile = Effect.fnUntraced(function* <A, E, R>(
  contact: string,
  stage: (typeof stages)[number],
  effect: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const isMet = yield* Deferred.make<void>()
  const met = Effect.andThen(Deferred.succeed(isMet, undefined), waiting(1))
  const deletion = yield* Effect.gen(function* () {
    yield* sql`select from contacts where id = ${contact} for update`
    if (stage === "held") yield* met
    yield* sql`update emails set contact_id = null where contact_id = ${contact}`
    yield* sql`delete from contacts where id = ${contact}`
    if (stage === "gone") yield* met
  }).pipe(sql.withTransaction, Effect.forkChild)
  yield* Deferred.await(isMet)
  const result = yield* effect
  yield* Fiber.join(deletion)
  return result
})

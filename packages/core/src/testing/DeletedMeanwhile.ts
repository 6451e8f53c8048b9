/** Deletes a contact while another connection writes about it. Needs several connections. */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { waiting } from "./LockWaits.ts"

/**
 * The state of the deletion when the effect runs into it: `held`, the contact is locked; `gone`, only the commit is
 * missing.
 */
export const stages = ["held", "gone"] as const

/** Runs the effect against a deletion at that stage. The deletion is committed once the effect waits for it. */
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

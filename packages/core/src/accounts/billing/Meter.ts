/** Reports each unit of usage to the payment provider once: each sent email and each inbound email. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PaymentProvider, type UsageUnit } from "./PaymentProvider.ts"

/** Units of one batch. They are reported concurrently. */
const batch = 200
const concurrency = 10
/** Time after which a unit that was claimed but not reported is claimed again. */
const lease = Duration.minutes(5)

export interface Meter {
  /**
   * Reports all waiting units. A unit that the provider does not accept stays, and is reported again under the same
   * id.
   */
  readonly drain: Effect.Effect<void>
}

interface Waiting extends UsageUnit {
  readonly project: ProjectId
}

const units = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ project: ProjectId, customer: Schema.String, id: Schema.String, at: Schema.DateTimeUtcFromDate })
  )
)

export const make: Effect.Effect<Meter, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const provider = yield* PaymentProvider

  const take = Effect.fnUntraced(function* () {
    const now = yield* DateTime.now
    return yield* units(
      yield* sql`
          with taken as (
            update billing_meter set due_at = ${DateTime.toDate(DateTime.addDuration(now, lease))}
            where (project_id, unit_id) in (
              select project_id, unit_id from billing_meter where due_at <= ${DateTime.toDate(now)}
              order by due_at limit ${batch} for update skip locked
            )
            returning *
          )
          select project_id as project, customer_id as customer, unit_id as id, at from taken join billing_accounts using (project_id)`
    )
  }, Effect.orDie)

  const drop = (accepted: ReadonlyArray<Waiting>) =>
    sql`
        delete from billing_meter using unnest(
          ${accepted.map(({ project }) => project)}::uuid[], ${accepted.map(({ id }) => id)}::uuid[]
        ) as accepted (project_id, unit_id)
        where billing_meter.project_id = accepted.project_id and billing_meter.unit_id = accepted.unit_id`.pipe(
      Effect.asVoid,
      Effect.orDie
    )

  /** The unit, if the provider accepted it. */
  const report = (provider: PaymentProvider, unit: Waiting) =>
    provider.meter(unit).pipe(
      Effect.as([unit]),
      Effect.catchTag("ProviderUnavailable", ({ cause }) =>
        Effect.as(
          Effect.logWarning("Usage could not be reported to the payment provider; it will be reported again", cause),
          []
        )
      )
    )

  const drain = Effect.gen(function* () {
    if (provider === null) return
    for (let taken = yield* take(); taken.length > 0; taken = yield* take()) {
      const accepted = yield* Effect.forEach(taken, (unit) => report(provider, unit), { concurrency })
      yield* drop(accepted.flat())
      if (accepted.some((unit) => unit.length === 0)) return
    }
  }).pipe(Effect.withSpan("Meter.drain"))

  return { drain }
})

/** Statements about the last known state of each project's subscription at the payment provider. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Subscription } from "./PaymentProvider.ts"

export interface BillingAccount {
  readonly project: ProjectId
  /** Id of the customer at the provider. Each project has at most one. */
  readonly customer: string
  /** Null: the free plan. */
  readonly subscription: string | null
  readonly currency: string | null
}

export interface BillingAccounts {
  readonly find: (project: ProjectId) => Effect.Effect<Option.Option<BillingAccount>>
  /** Events of the provider name a customer and no project. */
  readonly findByCustomer: (customer: string) => Effect.Effect<Option.Option<BillingAccount>>
  /**
   * Links a customer to the project if the project has no customer or the one given as `before`. A customer of another
   * project stays with that project.
   */
  readonly tie: (
    project: ProjectId,
    customer: string,
    currency: string | null,
    before: string | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<void>
  readonly setSubscription: (
    project: ProjectId,
    subscription: Subscription | undefined,
    now: DateTime.Utc
  ) => Effect.Effect<void>
  /** Also deletes usage that is not yet reported to the provider. */
  readonly forget: (project: ProjectId) => Effect.Effect<void>
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      customer: Schema.String,
      subscription: Schema.NullOr(Schema.String),
      currency: Schema.NullOr(Schema.String)
    })
  )
)

export const make: Effect.Effect<BillingAccounts, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => {
    const columns = sql.literal(
      `project_id as project, customer_id as customer, subscription_id as subscription, currency`
    )
    const one = (found: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
      found.pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie)

    return {
      find: (project) => one(sql`select ${columns} from billing_accounts where project_id = ${project}`),
      findByCustomer: (customer) => one(sql`select ${columns} from billing_accounts where customer_id = ${customer}`),
      tie: (project, customer, currency, before, now) =>
        sql`
          insert into billing_accounts as stored (project_id, customer_id, currency, updated_at)
          select id, ${customer}, ${currency}, ${DateTime.toDate(now)} from projects
          where id = ${project} and not exists (
            select from billing_accounts where customer_id = ${customer} and project_id <> ${project})
          on conflict (project_id) do update set customer_id = excluded.customer_id, updated_at = excluded.updated_at,
            currency = coalesce(excluded.currency, stored.currency)
          where stored.customer_id in (${customer}, ${before ?? customer})`.pipe(Effect.asVoid, Effect.orDie),
      setSubscription: (project, subscription, now) =>
        sql`
          update billing_accounts set subscription_id = ${subscription?.id ?? null},
                 currency = coalesce(${subscription?.currency ?? null}, currency),
                 period_start = ${subscription ? DateTime.toDate(subscription.period.start) : null},
                 period_end = ${subscription ? DateTime.toDate(subscription.period.end) : null},
                 updated_at = ${DateTime.toDate(now)}
          where project_id = ${project}`.pipe(Effect.asVoid, Effect.orDie),
      forget: (project) =>
        sql`
          with unreported as (delete from billing_meter where project_id = ${project})
          delete from billing_accounts where project_id = ${project}`.pipe(Effect.asVoid, Effect.orDie)
    }
  }
)

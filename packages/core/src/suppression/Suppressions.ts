/** Addresses that get no mail of any type (contract-2 5). */
import type { ProjectId } from "@posthorn/contract/Auth"
import { type EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

export class Suppressions extends Context.Service<
  Suppressions,
  {
    /** Which of these addresses are suppressed, and why. */
    readonly among: (
      project: ProjectId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, SuppressionReason>>
    /** One record for each address; a complaint replaces another reason, never the reverse. Joins a transaction. */
    readonly add: (
      project: ProjectId,
      email: string,
      reason: Exclude<SuppressionReason, "UNSUBSCRIBED">,
      cause: EmailId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@posthorn/core/suppression/Suppressions") {}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ email: Schema.String, reason: SuppressionReason }))
)

export const layerSql: Layer.Layer<Suppressions, never, SqlClient.SqlClient> = Layer.effect(
  Suppressions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Suppressions.of({
      among: Effect.fn("Suppressions.among")(function* (project, emails) {
        const found = yield* rows(
          yield* sql`
            select email, reason from suppressions
            where project_id = ${project} and email = any(${emails}::text[])`
        )
        return new Map(found.map(({ email, reason }) => [email, reason]))
      }, Effect.orDie),
      add: Effect.fn("Suppressions.add")(function* (project, email, reason, cause, now) {
        yield* sql`
          insert into suppressions as held (project_id, email, reason, email_id, created_at)
          values (${project}, ${email}, ${reason}, ${cause}::uuid, ${DateTime.toDate(now)})
          on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
          where excluded.reason = 'COMPLAINT' and held.reason <> 'COMPLAINT'`
      }, Effect.orDie)
    })
  })
)

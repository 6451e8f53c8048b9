/** Addresses that get no mail of any type (contract-2 5). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

export class Suppressions extends Context.Service<
  Suppressions,
  {
    /** One record for each address; a complaint replaces another reason, never the reverse. Joins a transaction. */
    readonly add: (
      project: ProjectId,
      email: string,
      reason: Exclude<SuppressionReason, "UNSUBSCRIBED">,
      cause: EmailId | null,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Those of the addresses whose owners complained. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  }
>()("@posthorn/core/suppression/Suppressions") {}

const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const layerSql: Layer.Layer<Suppressions, never, SqlClient.SqlClient> = Layer.effect(
  Suppressions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Suppressions.of({
      add: Effect.fn("Suppressions.add")(function* (project, email, reason, cause, now) {
        yield* sql`
          insert into suppressions as held (project_id, email, reason, email_id, created_at)
          values (${project}, ${email}, ${reason}, ${cause}::uuid, ${DateTime.toDate(now)})
          on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
          where excluded.reason = 'COMPLAINT' and held.reason <> 'COMPLAINT'`
      }, Effect.orDie),
      complained: Effect.fn("Suppressions.complained")(function* (project, emails) {
        const rows = yield* sql`
          select email from suppressions
          where project_id = ${project} and email = any(${emails}::text[]) and reason = 'COMPLAINT'`
        return new Set((yield* emailRows(rows)).map(({ email }) => email))
      }, Effect.orDie)
    })
  })
)

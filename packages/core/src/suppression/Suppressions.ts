/** Addresses that get no mail of any type (contract-2 5). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Context, DateTime, Effect, Layer } from "effect"
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
  }
>()("@posthorn/core/suppression/Suppressions") {}

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
      }, Effect.orDie)
    })
  })
)

/** Addresses that get no mail of any type (contract-2 5). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { HeldSuppression } from "@posthorn/contract/contacts/ContactExport"
import { EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AddressHashes } from "./AddressHashes.ts"
import { erasedSuppressions } from "./ErasedSuppressionsSql.ts"

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
    readonly find: (project: ProjectId, email: string) => Effect.Effect<Option.Option<HeldSuppression>>
    /** Those of the addresses whose owners complained, also before they were erased. */
    readonly complained: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /** Those of the addresses that are suppressed although nobody knows them any more, with the reason. */
    readonly recognised: (
      project: ProjectId,
      emails: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, SuppressionReason>>
    /** Keeps of the suppression of an address a keyed hash alone; it holds as before. Joins the caller's transaction. */
    readonly erase: (project: ProjectId, email: string) => Effect.Effect<void>
  }
>()("@posthorn/core/suppression/Suppressions") {}

const complaintRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ known: Schema.Array(Schema.String), erasures: Schema.Boolean })])
)
const heldRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      email: Schema.NullOr(Schema.String),
      reason: SuppressionReason,
      emailId: Schema.NullOr(EmailId),
      note: Schema.NullOr(Schema.String),
      createdAt: Schema.DateTimeUtcFromDate
    })
  )
)

export const layerSql: Layer.Layer<Suppressions, never, AddressHashes | SqlClient.SqlClient> = Layer.effect(
  Suppressions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const erased = yield* erasedSuppressions

    return Suppressions.of({
      add: Effect.fn("Suppressions.add")(function* (project, email, reason, cause, now) {
        // The record of a mail whose recipient was erased names nobody.
        if (email === "") return
        yield* sql`
          insert into suppressions as held (project_id, email, reason, email_id, created_at)
          values (${project}, ${email}, ${reason}, ${cause}::uuid, ${DateTime.toDate(now)})
          on conflict (project_id, email) do update set reason = excluded.reason, email_id = excluded.email_id
          where excluded.reason = 'COMPLAINT' and held.reason <> 'COMPLAINT'`
      }, Effect.orDie),
      find: Effect.fn("Suppressions.find")(function* (project, email) {
        const rows = yield* sql`
          select email, reason, email_id as "emailId", note, created_at as "createdAt"
          from suppressions where project_id = ${project} and email = ${email}`
        const held = Array.head(yield* heldRows(rows))
        return Option.isSome(held) ? held : yield* erased.find(project, email)
      }, Effect.orDie),
      complained: Effect.fn("Suppressions.complained")(function* (project, emails) {
        const [{ erasures, known }] = yield* complaintRow(
          yield* sql`
            select array(select email from suppressions
                         where project_id = ${project} and email = any(${emails}::text[]) and reason = 'COMPLAINT') as known,
                   exists(select 1 from erased_suppressions where project_id = ${project}) as erasures`
        )
        const recognised = erasures ? yield* erased.among(project, emails) : []
        const complaints = [...recognised].filter(([, reason]) => reason === "COMPLAINT")
        return new Set([...known, ...complaints.map(([email]) => email)])
      }, Effect.orDie),
      recognised: erased.among,
      erase: erased.add
    })
  })
)

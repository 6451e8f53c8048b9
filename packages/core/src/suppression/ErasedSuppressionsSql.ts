/** Suppressions whose address is known as a hash alone; what asks costs one look where a project has none. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { HeldSuppression } from "@posthorn/contract/contacts/ContactExport"
import { EmailId, SuppressionReason } from "@posthorn/contract/emails/Email"
import { Array, Effect, Option, Schema } from "effect"
import { Hex } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { AddressHashes } from "./AddressHashes.ts"

const Held = Schema.Struct({
  hash: Schema.Uint8Array,
  reason: SuppressionReason,
  emailId: Schema.NullOr(EmailId),
  createdAt: Schema.DateTimeUtcFromDate
})
const heldRows = Schema.decodeUnknownEffect(Schema.Array(Held))

const bytea = (bytes: Uint8Array) => `\\x${Hex.encode(bytes)}`

export const erasedSuppressions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const hashes = yield* AddressHashes

  /** The entry of each address that has one. */
  const entries = Effect.fnUntraced(function* (project: ProjectId, emails: ReadonlyArray<string>) {
    const some = yield* sql`select 1 from erased_suppressions where project_id = ${project} limit 1`
    if (some.length === 0 || emails.length === 0) return []
    const emailOf = new Map<string, string>()
    for (const email of emails) {
      for (const hash of yield* hashes.anyOf(project, email)) emailOf.set(bytea(hash), email)
    }
    const rows = yield* sql`
      select address_hash as hash, reason, email_id as "emailId", created_at as "createdAt"
      from erased_suppressions where project_id = ${project} and address_hash = any(${[...emailOf.keys()]}::text[]::bytea[])`
    return (yield* heldRows(rows)).map((held) => ({ ...held, email: emailOf.get(bytea(held.hash)) ?? "" }))
  }, Effect.orDie)

  return {
    /** Those of the addresses that are suppressed, with the reason. */
    among: (project: ProjectId, emails: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, SuppressionReason>> =>
      Effect.map(entries(project, emails), (found) => new Map(found.map(({ email, reason }) => [email, reason]))),
    find: (project: ProjectId, email: string): Effect.Effect<Option.Option<HeldSuppression>> =>
      Effect.map(entries(project, [email]), (found) =>
        Option.map(Array.head(found), ({ createdAt, emailId, reason }) => ({
          email: null,
          reason,
          emailId,
          note: null,
          createdAt
        }))
      ),
    /** Moves the plain entry of an address here. */
    add: Effect.fn("Suppressions.erase")(function* (project: ProjectId, email: string) {
      const hash = yield* hashes.of(project, email)
      yield* sql`
        with plain as (
          delete from suppressions where project_id = ${project} and email = ${email}
          returning reason, email_id, created_at
        )
        insert into erased_suppressions as held (project_id, address_hash, reason, email_id, created_at)
        select ${project}::uuid, ${bytea(hash)}::text::bytea, reason, email_id, created_at from plain
        on conflict (project_id, address_hash) do update set reason = excluded.reason, email_id = excluded.email_id
        where excluded.reason = 'COMPLAINT' and held.reason <> 'COMPLAINT'`
    }, Effect.orDie)
  }
})

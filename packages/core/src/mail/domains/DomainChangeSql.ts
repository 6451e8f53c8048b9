/**
 * Changes a domain: locks and reads it, decides, and writes. Every change of a domain uses this function.
 *
 * If two projects verify one name at the same time, the unique index makes the second write wait and fail. It is then
 * decided again, now with the name verified by the other project.
 */

import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { projectEvent, recordServiceEvents } from "../../events/ServiceEvents.ts"
import { domainColumns, type LockedDomain, lockedRows, oneDomainRow } from "./DomainRow.ts"
import type { Checked, StoredDomain } from "./DomainStore.ts"

/** The change to write. Undefined leaves the domain unchanged. */
export type Decision =
  | Pick<
      StoredDomain,
      "verified" | "verifiedElsewhere" | "trusted" | "failedChecks" | "records" | "lastError" | "lastCheckedAt"
    >
  | undefined

const isUniqueViolation = (error: { readonly _tag: string } | SqlError.SqlError): boolean =>
  "reason" in error && error.reason._tag === "UniqueViolation"

export const changeDomain = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: DomainId,
  decide: (domain: LockedDomain) => Decision,
  now: DateTime.Utc
): Effect.Effect<Option.Option<Checked>> => {
  const at = DateTime.toDate(now)

  const locked = sql`
    select ${sql.literal(domainColumns)},
           exists (select 1 from domains as other
                   where other.domain = own.domain and other.verified and other.project_id <> own.project_id)
             as "heldElsewhere"
    from domains as own where project_id = ${project} and id = ${id} for update`

  const write = (next: NonNullable<Decision>) => sql`
    update domains as stored set
      (verified, verified_elsewhere, trusted, failed_checks, records, last_error, last_checked_at, verified_at,
        updated_at) = (
        select next.*, ${next.lastCheckedAt && DateTime.toDate(next.lastCheckedAt)}::timestamptz,
               case when next.verified then coalesce(stored.verified_at, ${at}::timestamptz) end,
               case when next is distinct from (stored.verified, stored.verified_elsewhere, stored.trusted,
                                                stored.failed_checks, stored.records, stored.last_error)
                    then ${at}::timestamptz else stored.updated_at end
        from (select ${next.verified}::boolean as verified, ${next.verifiedElsewhere}::boolean, ${next.trusted}::boolean,
                     ${next.failedChecks}::integer, ${JSON.stringify(next.records)}::text::jsonb,
                     ${next.lastError}::text) as next
      )
    where project_id = ${project} and id = ${id} returning ${sql.literal(domainColumns)}`

  const eventRow = ({ domain }: StoredDomain, flip: string) =>
    projectEvent(sql, project, `domain.${flip}`, { domainId: id, domain })

  return Effect.gen(function* () {
    const [row] = yield* lockedRows(yield* locked)
    if (row === undefined) return Option.none<Checked>()
    const { heldElsewhere, ...before } = row
    const next = decide({ ...before, heldElsewhere })
    if (next === undefined) return Option.some<Checked>({ domain: before, flip: null })
    const [domain] = yield* oneDomainRow(yield* write(next))
    const flip = domain.verified === before.verified ? null : domain.verified ? "verified" : "unverified"
    if (flip !== null) yield* recordServiceEvents(sql, eventRow(domain, flip), now)
    return Option.some<Checked>({ domain, flip })
  }).pipe(sql.withTransaction, Effect.retry({ while: isUniqueViolation, times: 5 }), Effect.orDie)
}

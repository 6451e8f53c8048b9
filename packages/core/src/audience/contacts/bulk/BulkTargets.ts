/**
 * The contacts of a job, fixed when it is queued: lists of ids in the order of addresses, one for each step.
 *
 * A step takes its list out in its own transaction, so each list is processed once, whatever dies.
 */
import { type Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Effect, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { JobId } from "../../../platform/jobs/Job.ts"
import { countOf } from "../../../platform/Queries.ts"
import { liveQuery } from "../../filters/LiveQuery.ts"
import { contactColumns, contactRows } from "../ContactRow.ts"

/** Which contacts. Ids without a contact belong to the selection, so that the result names them. */
export type Selection = { readonly ids: ReadonlyArray<ContactId> } | { readonly holds: Statement.Fragment }

/** The number of contacts that one transaction changes. */
export const step = 500

const lists = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ contacts: Schema.Array(ContactId) })))

export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const isSelected = (project: ProjectId, selection: Selection) =>
    sql`project_id = ${project} and ${"ids" in selection ? sql`id = any(${selection.ids}::uuid[])` : selection.holds}`

  const numbered = (project: ProjectId, selection: Selection) =>
    "ids" in selection
      ? sql`
          select given.id, row_number() over (order by contacts.email nulls last, given.id) - 1 as n
          from unnest(${selection.ids}::uuid[]) as given(id)
          left join contacts on contacts.project_id = ${project} and contacts.id = given.id`
      : sql`
          select id, row_number() over (order by email) - 1 as n from contacts where ${isSelected(project, selection)}`

  return {
    /** Limited in time, because the caller waits. */
    count: (project: ProjectId, selection: Selection): Effect.Effect<number> =>
      "ids" in selection
        ? Effect.succeed(selection.ids.length)
        : countOf(
            liveQuery(sql, sql`select count(*)::int as count from contacts where ${isSelected(project, selection)}`)
          ),
    sample: (project: ProjectId, selection: Selection, limit: number): Effect.Effect<ReadonlyArray<Contact>> =>
      liveQuery(
        sql,
        sql`
          select ${sql.literal(contactColumns)} from contacts where ${isSelected(project, selection)}
          order by email limit ${limit}`
      ).pipe(Effect.flatMap(contactRows), Effect.orDie),
    /** Stores the lists of a job, in the transaction that queues it. Returns the number of contacts. */
    freeze: (project: ProjectId, job: JobId, selection: Selection): Effect.Effect<number> =>
      countOf(sql`
        with frozen as (
          insert into bulk_targets (project_id, job_id, part, contacts)
          select ${project}::uuid, ${job}::uuid, n / ${step}::int, array_agg(id order by n)
          from (${numbered(project, selection)}) as numbered group by 3
          returning cardinality(contacts) as contacts
        )
        select coalesce(sum(contacts), 0)::int as count from frozen`),
    /** How many contacts are left. */
    left: (project: ProjectId, job: JobId): Effect.Effect<number> =>
      countOf(sql`
        select coalesce(sum(cardinality(contacts)), 0)::int as count from bulk_targets
        where project_id = ${project} and job_id = ${job}`),
    /** Takes out the first list. Joins the transaction of the step. */
    take: (project: ProjectId, job: JobId): Effect.Effect<Option.Option<ReadonlyArray<ContactId>>> =>
      sql`
        delete from bulk_targets where project_id = ${project} and job_id = ${job} and part = (
          select part from bulk_targets where project_id = ${project} and job_id = ${job} order by part limit 1)
        returning contacts`.pipe(
        Effect.flatMap(lists),
        Effect.map((found) => Array.head(found.map(({ contacts }) => contacts))),
        Effect.orDie
      ),
    /** Whether the project is disabled, so that nothing may be changed. */
    isHeld: (project: ProjectId): Effect.Effect<boolean> =>
      Effect.map(
        Effect.orDie(sql`select 1 from projects where id = ${project} and disabled_at is not null`),
        (found) => found.length > 0
      ),
    drop: (project: ProjectId, job: JobId): Effect.Effect<void> =>
      sql`delete from bulk_targets where project_id = ${project} and job_id = ${job}`.pipe(Effect.asVoid, Effect.orDie)
  }
})

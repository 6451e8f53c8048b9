/** The queue of changes to contacts that segments still have to react to. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"
import { anyOf, type NextDue, nextDue } from "../../platform/jobs/Agenda.ts"

export interface Change {
  readonly contact: ContactId
  /** As in `ChangeNotes.ts`. */
  readonly names: ReadonlyArray<string>
}

/** The statements that change contacts write most entries themselves. Every method joins the caller's transaction. */
export interface ChangeQueue {
  /** Notes the same change for each of the contacts, if a segment of the project reacts to it. */
  readonly note: (project: ProjectId, contacts: ReadonlyArray<ContactId>, name: string) => Effect.Effect<void>
  /**
   * The project with the oldest change, except the given projects. Skips changes that another transaction has locked.
   */
  readonly next: (except: ReadonlyArray<ProjectId>) => Effect.Effect<Option.Option<ProjectId>>
  /** Whether the project has no change that segments still have to react to. */
  readonly isEmpty: (project: ProjectId) => Effect.Effect<boolean>
  /** Removes the oldest changes of the project and returns them. If the transaction fails, they stay in the queue. */
  readonly take: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<Change>>
}

const projects = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const changes = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ contact: ContactId, names: Schema.Array(Schema.String) }))
)

/** The project of the oldest unlocked change. Plans of both queries: `SegmentMemberPlans.test.ts`. */
export const oldest = (sql: SqlClient.SqlClient, except: ReadonlyArray<ProjectId>): Statement.Statement<unknown> => sql`
  select project_id as project from segment_changes where not project_id = any(${except}::uuid[])
  order by id limit 1 for update skip locked`

/**
 * Removes the oldest changes of a project. With an array, each id is an index lookup. With a join, the planner would
 * read the whole queue.
 */
export const taking = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  limit: number
): Statement.Statement<unknown> => sql`
  with taken as materialized (
    select id from segment_changes where project_id = ${project}
    order by id limit ${limit} for update skip locked
  )
  delete from segment_changes where project_id = ${project} and id = any(array(select id from taken))
  returning contact_id as contact, names`

/** Whether a change waits. */
export const next = (sql: SqlClient.SqlClient): NextDue => nextDue(anyOf(sql, sql`segment_changes order by id`))

export const make = Effect.map(
  SqlClient.SqlClient,
  (sql): ChangeQueue => ({
    note: (project, contacts, name) =>
      contacts.length === 0
        ? Effect.void
        : noteChanges(sql, sql`select ${project}::uuid, unnest(${contacts}::uuid[]), array[${name}::text]`).pipe(
            Effect.asVoid,
            Effect.orDie
          ),
    next: (except) =>
      oldest(sql, except).pipe(
        Effect.flatMap(projects),
        Effect.map((found) => Option.map(Array.head(found), ({ project }) => project)),
        Effect.orDie
      ),
    isEmpty: (project) =>
      sql`select from segment_changes where project_id = ${project} limit 1`.pipe(
        Effect.map((found) => found.length === 0),
        Effect.orDie
      ),
    take: (project, limit) => taking(sql, project, limit).pipe(Effect.flatMap(changes), Effect.orDie)
  })
)

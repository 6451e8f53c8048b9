/** What changed about contacts and waits for the segments that react to it. */
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { noteChanges } from "./ChangeNotes.ts"

export interface Change {
  readonly contact: ContactId
  /** As in `ChangeNotes.ts`. */
  readonly names: ReadonlyArray<string>
}

/** Most changes come from the statements that make them; all join the caller's transaction. */
export class ChangeQueue extends Context.Service<
  ChangeQueue,
  {
    /** The same about each of the contacts, where a segment of the project reacts to it. */
    readonly note: (project: ProjectId, contacts: ReadonlyArray<ContactId>, name: string) => Effect.Effect<void>
    /** The project whose change waits longest, leaving these out; changes that others have in hand do not count. */
    readonly next: (except: ReadonlyArray<ProjectId>) => Effect.Effect<Option.Option<ProjectId>>
    /** The oldest changes of the project, and takes them away: they are back when the transaction fails. */
    readonly take: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<Change>>
  }
>()("@posthorn/core/segments/ChangeQueue") {}

const projects = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId })))
const changes = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ contact: ContactId, names: Schema.Array(Schema.String) }))
)

/** The project of the oldest change that nobody has in hand; its plan, and that of the next: `SegmentMemberPlans.test.ts`. */
export const oldest = (sql: SqlClient.SqlClient, except: ReadonlyArray<ProjectId>): Statement.Statement<unknown> => sql`
  select project_id as project from segment_changes where not project_id = any(${except}::uuid[])
  order by id limit 1 for update skip locked`

/**
 * The oldest changes of a project, taken away. As an array their ids are looked up one by one, however many changes wait;
 * as a join the planner would rather read all that do.
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

export const layerSql: Layer.Layer<ChangeQueue, never, SqlClient.SqlClient> = Layer.effect(
  ChangeQueue,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ChangeQueue.of({
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
      take: (project, limit) => taking(sql, project, limit).pipe(Effect.flatMap(changes), Effect.orDie)
    })
  )
)

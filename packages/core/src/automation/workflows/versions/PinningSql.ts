/** The statements that pin live executions to a version, and that let them follow the graph again. */
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { appendVersions } from "../report/StepMoves.ts"

/** Executions of one transaction. */
const batch = 500

/** The last execution of a part, in the order in which the parts are taken. */
export const Place = Schema.Struct({ contact: Schema.String, entryKey: Schema.String })
export type Place = typeof Place.Type

const foundRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, ...Place.fields })))

export interface Pinned {
  readonly changed: number
  readonly after: Place | null
  readonly isLast: boolean
}

export const make = (sql: SqlClient.SqlClient) => ({
  /** Whether the workflow is there. It stays until the transaction ends. */
  hold: Effect.fn("PinningSql.hold")(function* (project: ProjectId, id: WorkflowId) {
    const found = yield* sql`select 1 from workflows where project_id = ${project} and id = ${id} for share`
    return found.length > 0
  }, Effect.orDie),
  /**
   * Changes the next part of the live executions. They are found in the order of the index of live executions, and
   * locked in the order of their ids, as everywhere. Joins the caller's transaction, which has locked the workflow.
   */
  change: Effect.fn("PinningSql.change")(function* (
    project: ProjectId,
    id: WorkflowId,
    { version, pins, after }: { readonly version: number; readonly pins: boolean; readonly after: Place | null },
    at: DateTime.Utc
  ): Effect.fn.Return<Pinned, unknown> {
    const now = DateTime.toDate(at)
    const wanted = pins ? sql`not pinned` : sql`pinned and version = ${version}`
    const found = yield* foundRows(
      yield* sql`
        select id, contact_id as contact, entry_key as "entryKey" from workflow_executions
        where project_id = ${project} and workflow_id = ${id} and status in ('RUNNING', 'WAITING') and ${wanted}
          and ${after === null ? sql`true` : sql`(contact_id, entry_key) > (${after.contact}::uuid, ${after.entryKey})`}
        order by contact_id, entry_key limit ${batch}`.unprepared
    )
    const ids = found.map((row) => row.id)
    const live = sql`
      live as materialized (
        select * from workflow_executions
        where project_id = ${project} and id = any(${ids}::uuid[]) and status in ('RUNNING', 'WAITING') and ${wanted}
        order by id for update
      )`
    if (ids.length > 0) {
      yield* pins
        ? sql`
          with ${live}, counted as (${appendVersions(sql, version, { elsewhere: false }, now)})
          update workflow_executions as execution set pinned = true, version = ${version}
          from live where execution.project_id = ${project} and execution.id = live.id`
        : sql`
          with ${live}
          update workflow_executions as execution set pinned = false
          from live where execution.project_id = ${project} and execution.id = live.id`
    }
    const last = found.at(-1)
    return {
      changed: ids.length,
      after: last === undefined ? after : { contact: last.contact, entryKey: last.entryKey },
      isLast: found.length < batch
    }
  }, Effect.orDie),
  /** Executions that are pinned to this version are about to follow the graph. */
  releasing: Effect.fn("PinningSql.releasing")(function* (project: ProjectId, id: WorkflowId, version: number) {
    yield* sql`update workflows set released_version = ${version} where project_id = ${project} and id = ${id}`
  }, Effect.orDie),
  /** All of them follow it. */
  released: Effect.fn("PinningSql.released")(function* (project: ProjectId, id: WorkflowId) {
    yield* sql`update workflows set released_version = null where project_id = ${project} and id = ${id}`
  }, Effect.orDie)
})

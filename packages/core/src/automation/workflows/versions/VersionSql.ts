/**
 * The statements of versions. A version is one row, which has the steps and transitions as rows of their tables, so that
 * a graph is read alike from both.
 */

import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { VersionAuthor, type WorkflowVersionSummary } from "@posthorn/contract/automation/workflows/WorkflowVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { acting } from "../../../platform/audit/Audited.ts"
import type { Slice } from "../../../platform/OffsetPages.ts"
import { countOf } from "../../../platform/Queries.ts"
import { wholeWorkflow } from "../report/StepMoves.ts"
import type { VersionContent } from "./VersionContent.ts"
import { contentColumns, contentRecord, readContents, stepRecord, transitionRecord } from "./VersionRows.ts"

/** The number of the draft among the versions. */
export const draftNumber = 0

/** Versions of a workflow that are kept, beside those with live executions. */
const kept = 100

export interface VersionHead {
  readonly version: number
  /** Executions can be pinned to it. */
  readonly published: boolean
  /** Recorded by an edit of a workflow that is edited live. */
  readonly edited: boolean
  readonly note: string | null
  readonly author: VersionAuthor
  readonly createdAt: DateTime.Utc
}

const at = Schema.DateTimeUtcFromDate

const head = {
  version: Schema.Int,
  published: Schema.Boolean,
  edited: Schema.Boolean,
  note: Schema.NullOr(Schema.String),
  author: VersionAuthor,
  createdAt: at
}
const heads = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct(head)))
const summaries = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...head, steps: Schema.Int, liveExecutions: Schema.Int, executions: Schema.Int }))
)

const headColumns = `version, published, edited, note, author, created_at as "createdAt"`

/** Who writes the present version. */
export const currentAuthor: Effect.Effect<VersionAuthor> = Effect.map(acting, ({ actor, user }) => {
  if (actor === "key") return { kind: "KEY", userId: null }
  return actor === "service" || actor === "operator"
    ? { kind: "SERVICE", userId: null }
    : { kind: "USER", userId: user }
})

export const make = (sql: SqlClient.SqlClient) => {
  const isOf = (project: ProjectId, id: WorkflowId) => sql`project_id = ${project} and workflow_id = ${id}`
  const isOne = (project: ProjectId, id: WorkflowId, n: number) => sql`${isOf(project, id)} and version = ${n}`

  return {
    /** Its content. None if there is no such version. */
    read: Effect.fn("VersionSql.read")(function* (
      project: ProjectId,
      id: WorkflowId,
      n: number
    ): Effect.fn.Return<Option.Option<VersionContent>, unknown> {
      return Array.head(
        yield* readContents(
          yield* sql`select ${sql.literal(contentColumns)} from workflow_versions as kept where ${isOne(project, id, n)}`
        )
      )
    }, Effect.orDie),
    head: Effect.fn("VersionSql.head")(function* (
      project: ProjectId,
      id: WorkflowId,
      n: number
    ): Effect.fn.Return<Option.Option<VersionHead>, unknown> {
      return Array.head(
        yield* heads(
          yield* sql`select ${sql.literal(headColumns)} from workflow_versions where ${isOne(project, id, n)}`
        )
      )
    }, Effect.orDie),
    newest: Effect.fn("VersionSql.newest")(function* (
      project: ProjectId,
      id: WorkflowId
    ): Effect.fn.Return<Option.Option<VersionHead>, unknown> {
      return Array.head(
        yield* heads(
          yield* sql`
            select ${sql.literal(headColumns)} from workflow_versions
            where ${isOf(project, id)} and version > ${draftNumber} order by version desc limit 1`
        )
      )
    }, Effect.orDie),
    /** Stores a version, or replaces it. */
    write: Effect.fn("VersionSql.write")(function* (
      project: ProjectId,
      id: WorkflowId,
      { version, published, edited, note, author, createdAt }: VersionHead,
      { settings, steps, transitions }: VersionContent,
      now: DateTime.Utc
    ) {
      const stepsById = Object.fromEntries(steps.map((step) => [step.id, stepRecord(step)]))
      yield* sql`
        insert into workflow_versions (project_id, workflow_id, version, published, edited, note, author, trigger_type,
          trigger_config, event_name, refers_to, allow_reentry, reentry_after_hours, goal, exit_rules, steps,
          transitions, created_at, updated_at)
        select ${project}::uuid, ${id}::uuid, ${version}::int, ${published}::boolean, ${edited}::boolean,
               ${note}::text,
               ${JSON.stringify(author)}::text::jsonb, trigger_type, trigger_config, event_name, refers_to,
               allow_reentry, reentry_after_hours, goal, exit_rules, ${JSON.stringify(stepsById)}::text::jsonb,
               ${JSON.stringify(transitions.map(transitionRecord))}::text::jsonb,
               ${DateTime.toDate(createdAt)}::timestamptz, ${DateTime.toDate(now)}::timestamptz
        from jsonb_populate_record(null::workflows, ${JSON.stringify(contentRecord(settings))}::text::jsonb)
        on conflict (project_id, workflow_id, version) do update set
          published = excluded.published, note = excluded.note, trigger_type = excluded.trigger_type,
          trigger_config = excluded.trigger_config, event_name = excluded.event_name, refers_to = excluded.refers_to,
          allow_reentry = excluded.allow_reentry, reentry_after_hours = excluded.reentry_after_hours,
          goal = excluded.goal, exit_rules = excluded.exit_rules, steps = excluded.steps,
          transitions = excluded.transitions, updated_at = excluded.updated_at`
    }, Effect.orDie),
    drop: Effect.fn("VersionSql.drop")(function* (project: ProjectId, id: WorkflowId, n: number) {
      yield* sql`delete from workflow_versions where ${isOne(project, id, n)}`
    }, Effect.orDie),
    /** Newest first. The executions are those that the report counts. */
    list: Effect.fn("VersionSql.list")(function* (
      project: ProjectId,
      id: WorkflowId,
      { limit, offset }: Slice
    ): Effect.fn.Return<ReadonlyArray<WorkflowVersionSummary>, unknown> {
      const found = yield* summaries(
        yield* sql`
          with page as materialized (
            select version, published, edited, note, author, created_at, (select count(*)::int from jsonb_object_keys(steps)) as steps
            from workflow_versions where ${isOf(project, id)} and version > ${draftNumber}
            order by version desc limit ${limit} offset ${offset}
          ),
          counted as (
            select version, sum(entered)::int as executions,
                   sum(entered - completed - skipped - failed - dropped)::int as live
            from (
              select version, entered, completed, skipped, failed, dropped from workflow_step_totals
              where ${isOf(project, id)} and step_id = ${wholeWorkflow}::uuid
              union all
              select version, entered, completed, skipped, failed, dropped from workflow_step_deltas
              where ${isOf(project, id)} and step_id = ${wholeWorkflow}::uuid
            ) as parts
            group by version
          )
          select page.version, published, edited, note, author, created_at as "createdAt", steps,
                 coalesce(live, 0) as "liveExecutions", coalesce(executions, 0) as executions
          from page left join counted on counted.version = page.version
          order by page.version desc`
      )
      return found.map(({ published: _, edited: __, author, createdAt, ...version }) => ({
        ...version,
        publishedAt: createdAt,
        publishedBy: author
      }))
    }, Effect.orDie),
    count: (project: ProjectId, id: WorkflowId) =>
      countOf(
        sql`
          select count(*)::int as count from workflow_versions
          where ${isOf(project, id)} and version > ${draftNumber}`
      ),
    /** Deletes old versions, except those with live executions. */
    prune: Effect.fn("VersionSql.prune")(function* (project: ProjectId, id: WorkflowId) {
      yield* sql`
        delete from workflow_versions as old
        where ${isOf(project, id)} and version > ${draftNumber}
          and version <= (
            select version from workflow_versions
            where ${isOf(project, id)} order by version desc limit 1 offset ${kept})
          and not exists (
            select from workflow_executions as execution
            where execution.project_id = old.project_id and execution.workflow_id = old.workflow_id
              and execution.version = old.version and execution.pinned and execution.status in ('RUNNING', 'WAITING'))`
    }, Effect.orDie)
  }
}

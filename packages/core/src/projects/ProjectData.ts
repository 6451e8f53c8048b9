/** Everything that belongs to a project, to be wiped by a reset or with the project (contract-2 10.2). */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What a reset keeps: settings, people, domains, how the project stands as a sender. Every other table with a project
 * in it is data, so that a new capability is wiped unless somebody says that it is not.
 */
export const kept: ReadonlyArray<string> = [
  "projects",
  "members",
  "invitations",
  "domains",
  "security_checks",
  "security_warnings",
  "suspensions",
  "rate_windows",
  "send_throttles",
  "audit_log",
  "webhook_endpoints",
  "workflow_secrets",
  "billing_accounts",
  "billing_charges",
  "billing_limits",
  "billing_meter",
  "billing_returns",
  "billing_usage",
  "billing_warnings"
]

/** The row of the project goes last, by itself, and its subscription before that; who deleted it stays on record. */
const last: ReadonlyArray<string> = ["projects", "audit_log", "billing_accounts", "billing_meter"]

/**
 * What acts by itself goes before what it acts on: no mail leaves, no import and no workflow goes on, and whoever does has no
 * rows in hand when they go.
 */
const first: ReadonlyArray<string> = [
  "emails",
  "jobs",
  "workflows",
  "workflow_executions",
  "events",
  "webhook_deliveries",
  "segments"
]

/** Rows of one statement: short locks, and progress that a crash does not undo. */
const batch = 5_000

export class ProjectData extends Context.Service<
  ProjectData,
  {
    /**
     * Removes up to a few thousand rows of one table: the data of a project whose reset began then, or all of one that was
     * deleted (null). False when there was nothing left; what comes after the end of the reset is not touched.
     */
    readonly wipeSome: (project: ProjectId, resetting: DateTime.Utc | null) => Effect.Effect<boolean>
    /** How far the project has come with what this capability can see (contract-2 10.2). */
    readonly counts: (project: ProjectId) => Effect.Effect<{
      readonly contacts: number
      readonly lastCampaignSentAt: Date | null
      readonly hasEnabledWorkflow: boolean
    }>
  }
>()("@posthorn/core/projects/ProjectData") {}

const tables = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
const counts = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      contacts: Schema.Int,
      lastCampaignSentAt: Schema.NullOr(Schema.Date),
      hasEnabledWorkflow: Schema.Boolean
    })
  ])
)

export const layerSql: Layer.Layer<ProjectData, never, SqlClient.SqlClient> = Layer.effect(
  ProjectData,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const named = yield* Effect.cached(
      sql`
        select table_name as name from information_schema.columns join information_schema.tables
               using (table_schema, table_name)
        where table_schema = current_schema() and column_name = 'project_id' and table_type = 'BASE TABLE'
        order by array_position(${first}::text[], table_name::text), table_name`.pipe(
        Effect.flatMap(tables),
        Effect.map((found) => found.map(({ name }) => name)),
        Effect.orDie
      )
    )

    const wipeSome = Effect.fn("ProjectData.wipeSome")(function* (project: ProjectId, resetting: DateTime.Utc | null) {
      const spared = resetting === null ? last : kept
      const isGoing =
        resetting === null ? sql`deleted_at is not null` : sql`resetting_since = ${DateTime.toDate(resetting)}`
      for (const table of yield* named) {
        if (spared.includes(table)) continue
        const gone = yield* sql`
          with gone as (
            delete from ${sql(table)}
            where ctid = any(array(select ctid from ${sql(table)} where project_id = ${project} limit ${batch}))
              and exists (select from projects where id = ${project} and ${isGoing})
            returning 1)
          select 1 from gone limit 1`
        if (gone.length > 0) return true
      }
      return false
    }, Effect.orDie)

    return ProjectData.of({
      wipeSome,
      counts: (project) =>
        sql`
          select (select coalesce(sum(contacts), 0)::int from contact_tallies where project_id = ${project}) as contacts,
                 (select max(sent_at) from campaigns where project_id = ${project}) as "lastCampaignSentAt",
                 exists (select from workflows where project_id = ${project} and enabled) as "hasEnabledWorkflow"`.pipe(
          Effect.flatMap(counts),
          Effect.map(([found]) => found),
          Effect.orDie
        )
    })
  })
)

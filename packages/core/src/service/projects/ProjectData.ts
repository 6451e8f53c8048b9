/** The data of a project that a reset or a deletion wipes. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Tables that a reset keeps: settings, API keys, members, domains and sender reputation. Every other table with a project in it
 * is data. So a new table is wiped unless it is listed here.
 */
export const kept: ReadonlyArray<string> = [
  "projects",
  "api_keys",
  "members",
  "invitations",
  "domains",
  "security_checks",
  "security_warnings",
  "suspensions",
  "rate_windows",
  "send_throttles",
  "test_mail_days",
  "audit_log",
  "audience_settings",
  "sending_settings",
  "warmups",
  "warmup_days",
  "webhook_endpoints",
  "transports",
  "transport_tries",
  "link_hosts",
  "workflow_secrets",
  "billing_accounts",
  "billing_charges",
  "billing_limits",
  "billing_meter",
  "billing_returns",
  "billing_usage",
  "billing_warnings"
]

/** The row of the project is deleted last, separately, and its subscription before it. The audit log is kept. */
const last: ReadonlyArray<string> = ["projects", "audit_log", "billing_accounts", "billing_meter"]

/**
 * Tables whose rows cause work are wiped before the tables that the work uses. So no email is sent, no import and no
 * workflow continues, and no worker holds rows when they are deleted.
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

/** Rows that one statement deletes. Locks stay short, and a crash undoes only one statement. */
const batch = 5_000

export interface ProjectData {
  /**
   * Removes up to a few thousand rows of one table: the data of a project whose reset began at `resetting`, or all
   * data of a deleted project (null). False when nothing is left. Does not touch data from after the end of the
   * reset.
   */
  readonly wipeSome: (project: ProjectId, resetting: DateTime.Utc | null) => Effect.Effect<boolean>
  /** What the setup state of a project says about its data. */
  readonly setup: (project: ProjectId) => Effect.Effect<typeof Setup.Type>
}

const Setup = Schema.Struct({
  contactCount: Schema.Int,
  memberCount: Schema.Int,
  templateCount: Schema.Int,
  firstEmailSentAt: Schema.NullOr(Schema.Date),
  firstEventAt: Schema.NullOr(Schema.Date),
  lastCampaignSentAt: Schema.NullOr(Schema.Date),
  hasEnabledWorkflow: Schema.Boolean,
  hasWebhook: Schema.Boolean
})

const tables = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
const setups = Schema.decodeUnknownEffect(Schema.Tuple([Setup]))

export const make: Effect.Effect<ProjectData, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Asked each time, because partitions that retention is about to remove are tables too. */
  const named = sql`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attname = 'project_id' and not attisdropped
      and relkind in ('r', 'p') and not relispartition
    order by array_position(${first}::text[], relname::text), relname`.pipe(
    Effect.flatMap(tables),
    Effect.map((found) => found.map(({ name }) => name)),
    Effect.orDie
  )

  const wipeSome = Effect.fn("ProjectData.wipeSome")(function* (project: ProjectId, resetting: DateTime.Utc | null) {
    const excluded = resetting === null ? last : kept
    const mayWipe =
      resetting === null ? sql`deleted_at is not null` : sql`resetting_since = ${DateTime.toDate(resetting)}`
    for (const table of yield* named) {
      if (excluded.includes(table)) continue
      const deleted = yield* sql`
          with one as materialized (
            select tableoid as partition from ${sql(table)} where project_id = ${project} limit 1
          ),
          deleted as (
            delete from ${sql(table)}
            where tableoid = (select partition from one) and ctid = any(array(
                select ctid from ${sql(table)}
                where project_id = ${project} and tableoid = (select partition from one) limit ${batch}))
              and exists (select from projects where id = ${project} and ${mayWipe})
            returning 1)
          select 1 from deleted limit 1`
      if (deleted.length > 0) return true
    }
    return false
  }, Effect.orDie)

  return {
    wipeSome,
    // Each part reads one row of an index, or the rows of something that a project has few of.
    setup: (project) =>
      sql`
          select (select coalesce(sum(contacts), 0)::int from contact_tallies where project_id = ${project}) as "contactCount",
                 (select count(*)::int from members where project_id = ${project}) as "memberCount",
                 (select count(*)::int from templates where project_id = ${project}) as "templateCount",
                 (select sent_at from emails where project_id = ${project} and sent_at is not null and not test
                    and mode = 'LIVE' order by sent_at limit 1) as "firstEmailSentAt",
                 (select created_at from events where project_id = ${project} and source = 'tracked'
                  order by created_at limit 1) as "firstEventAt",
                 (select max(sent_at) from campaigns where project_id = ${project}) as "lastCampaignSentAt",
                 exists (select from workflows where project_id = ${project} and enabled) as "hasEnabledWorkflow",
                 exists (select from webhook_endpoints where project_id = ${project}) as "hasWebhook"`.pipe(
        Effect.flatMap(setups),
        Effect.map(([found]) => found),
        Effect.orDie
      )
  }
})

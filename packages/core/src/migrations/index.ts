/**
 * The schema, and how a database comes to have it.
 *
 * Migrations are a record, so that a bundled host needs no file system. Append only: what has run anywhere stays as it
 * is. All that are missing run in one transaction under an advisory lock, so a start that is killed leaves nothing and
 * two starts take turns.
 */
import { Context, Data, Effect, Layer, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import projects from "./0001_projects.ts"
import accounts from "./0002_accounts.ts"
import contacts from "./0003_contacts.ts"
import templates from "./0004_templates.ts"
import domains from "./0005_domains.ts"
import events from "./0006_events.ts"
import emails from "./0007_emails.ts"
import suppressions from "./0008_suppressions.ts"
import idempotencyKeys from "./0009_idempotency_keys.ts"
import rateWindows from "./0010_rate_windows.ts"
import workers from "./0011_workers.ts"
import jobs from "./0012_jobs.ts"
import isoMillis from "./0013_iso_millis.ts"
import segments from "./0014_segments.ts"
import jobFiles from "./0015_job_files.ts"
import eventsWithoutContact from "./0016_events_without_contact.ts"
import contactsAtScale from "./0017_contacts_at_scale.ts"
import emailHits from "./0018_email_hits.ts"
import emailsUnsubscribedAt from "./0019_emails_unsubscribed_at.ts"
import receivers from "./0020_receivers.ts"
import security from "./0021_security.ts"
import campaigns from "./0022_campaigns.ts"
import campaignMail from "./0023_campaign_mail.ts"
import eventRetractions from "./0024_event_retractions.ts"
import sessions from "./0025_sessions.ts"
import members from "./0026_members.ts"
import workflows from "./0027_workflows.ts"
import workflowExecutions from "./0028_workflow_executions.ts"
import outboundWebhooks from "./0029_outbound_webhooks.ts"
import activity from "./0030_activity.ts"
import auditAndRetention from "./0031_audit_and_retention.ts"
import billing from "./0032_billing.ts"
import images from "./0033_images.ts"
import workflowActivity from "./0034_workflow_activity.ts"
import eventNames from "./0043_event_names.ts"
import contactDataSize from "./0044_contact_data_size.ts"
import letterLinks from "./0045_letter_links.ts"
import rowCounts from "./0046_row_counts.ts"
import emailsAtScale from "./0047_emails_at_scale.ts"
import rateWindowsPutBack from "./0048_rate_windows_put_back.ts"

const migrations = {
  "0001_projects": projects,
  "0002_accounts": accounts,
  "0003_contacts": contacts,
  "0004_templates": templates,
  "0005_domains": domains,
  "0006_events": events,
  "0007_emails": emails,
  "0008_suppressions": suppressions,
  "0009_idempotency_keys": idempotencyKeys,
  "0010_rate_windows": rateWindows,
  "0011_workers": workers,
  "0012_jobs": jobs,
  "0013_iso_millis": isoMillis,
  "0014_segments": segments,
  "0015_job_files": jobFiles,
  "0016_events_without_contact": eventsWithoutContact,
  "0017_contacts_at_scale": contactsAtScale,
  "0018_email_hits": emailHits,
  "0019_emails_unsubscribed_at": emailsUnsubscribedAt,
  "0020_receivers": receivers,
  "0021_security": security,
  "0022_campaigns": campaigns,
  "0023_campaign_mail": campaignMail,
  "0024_event_retractions": eventRetractions,
  "0025_sessions": sessions,
  "0026_members": members,
  "0027_workflows": workflows,
  "0028_workflow_executions": workflowExecutions,
  "0029_outbound_webhooks": outboundWebhooks,
  "0030_activity": activity,
  "0031_audit_and_retention": auditAndRetention,
  "0032_billing": billing,
  "0033_images": images,
  "0034_workflow_activity": workflowActivity,
  "0043_event_names": eventNames,
  "0044_contact_data_size": contactDataSize,
  "0045_letter_links": letterLinks,
  "0046_row_counts": rowCounts,
  "0047_emails_at_scale": emailsAtScale,
  "0048_rate_windows_put_back": rateWindowsPutBack
}

/** Schema of the database that holds the tables; the host's connections have it as their `search_path`. */
export const DatabaseSchema = Context.Reference<string>("@posthorn/core/migrations/DatabaseSchema", {
  defaultValue: () => "posthorn"
})

/** Which migrations this program knows and the database lacks, and which the database has beyond them. */
export interface MigrationStatus {
  readonly applied: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<string>
}

/** The database and the program do not belong together; `message` says which is behind. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly status: MigrationStatus }> {
  override get message() {
    return this.status.unknown.length > 0
      ? `The database is newer than this program: it has ${this.status.unknown.join(", ")}. Start a newer version.`
      : `The database lacks ${this.status.missing.join(", ")}. Run 'posthorn migrate', or start without --no-migrate.`
  }
}

const Applied = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })))

const nameOf = ({ id, name }: { readonly id: number; readonly name: string }) =>
  `${String(id).padStart(4, "0")}_${name}`

export const status = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = Object.keys(migrations)
  const [table] = yield* sql`select to_regclass('migrations') as name`
  const rows = table?.["name"] ? yield* sql`select migration_id as id, name from migrations order by 1` : []
  const applied = (yield* Applied(rows)).map(nameOf)
  return {
    applied,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name))
  } satisfies MigrationStatus
}).pipe(Effect.orDie)

/** Brings the database up to date; a database that is newer than this program is refused. */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const schema = yield* DatabaseSchema
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:${schema}`}, 0))`
      // `if not exists` asks for the right to create one even where there is one.
      const schemas = yield* sql`select from pg_namespace where nspname = ${schema}`
      if (schemas.length === 0) yield* sql`create schema ${sql(schema)}`
      const before = yield* status
      if (before.unknown.length > 0) return yield* new SchemaMismatch({ status: before })
      yield* Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "migrations" })
    })
  )
}).pipe(Effect.catchTag(["SqlError", "MigrationError"], Effect.die))

/** Migrates before anything built on the database starts. */
export const layer: Layer.Layer<never, SchemaMismatch, SqlClient.SqlClient> = Layer.effectDiscard(migrate)

/** Refuses to start on a database that is not exactly as this program knows it. */
export const layerCheck: Layer.Layer<never, SchemaMismatch, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(status, (found) =>
    found.missing.length + found.unknown.length > 0 ? Effect.fail(new SchemaMismatch({ status: found })) : Effect.void
  )
)

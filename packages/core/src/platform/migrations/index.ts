/**
 * The migrations of the database schema.
 *
 * They are an object, not files, so that a bundled host needs no file system. A released migration never changes. Missing
 * migrations run in one transaction under an advisory lock, so a killed start leaves no trace, and concurrent starts run
 * one after the other. Only in a database that has tables, a migration in steps (`Steps.ts`) ends the transaction: its
 * steps commit each for itself, and its background runs later (`Background.ts`).
 *
 * A migration waits only shortly for the lock of a table, because everything else that needs the table waits behind it.
 * Then it rolls back, lets the others pass, and tries again.
 */
import { Context, Data, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
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
import publicRateShare from "./0049_public_rate_share.ts"
import publicIdempotencyKeys from "./0050_public_idempotency_keys.ts"
import repeatedDeliveries from "./0054_repeated_deliveries.ts"
import invitationsOfAccounts from "./0057_invitations_of_accounts.ts"
import originOfAccounts from "./0058_origin_of_accounts.ts"
import accountSessions from "./0060_account_sessions.ts"
import twoFactors from "./0061_two_factors.ts"
import passkeys from "./0062_passkeys.ts"
import trigramsOutside from "./0063_trigrams_outside.ts"
import erasureKeys from "./0064_erasure_keys.ts"
import publicKeyPolicy from "./0065_public_key_policy.ts"
import rejectDmarcFailures from "./0066_reject_dmarc_failures.ts"
import emailTags from "./0067_email_tags.ts"
import scheduledEmails from "./0068_scheduled_emails.ts"
import emailGroups from "./0069_email_groups.ts"
import templateTexts from "./0073_template_texts.ts"
import translations from "./0074_translations.ts"
import contentVersions from "./0075_content_versions.ts"
import partials from "./0077_partials.ts"
import apiKeys from "./0080_api_keys.ts"
import testMail from "./0081_test_mail.ts"
import webhooksInTestMode from "./0082_webhooks_in_test_mode.ts"
import transports from "./0084_transports.ts"
import linkHosts from "./0085_link_hosts.ts"
import submittedMessageIds from "./0088_submitted_message_ids.ts"
import smtpDialogues from "./0090_smtp_dialogues.ts"
import mailboxProviders from "./0091_mailbox_providers.ts"
import linkTotals from "./0092_link_totals.ts"
import templateSource from "./0094_template_source.ts"
import auditOfApiKeys from "./0095_audit_of_api_keys.ts"
import eventTotalsByName from "./0096_event_totals_by_name.ts"
import contactsByUpdate from "./0098_contacts_by_update.ts"
import segmentJoins from "./0099_segment_joins.ts"
import jobGroups from "./0100_job_groups.ts"
import campaignSource from "./0101_campaign_source.ts"
import formerSteps from "./0102_former_steps.ts"
import liveChanges from "./0103_live_changes.ts"
import partialVersions from "./0104_partial_versions.ts"
import templateTests from "./0105_template_tests.ts"
import imageLists from "./0106_image_lists.ts"
import savedViews from "./0107_saved_views.ts"
import importFaults from "./0108_import_faults.ts"
import consent from "./0109_consent.ts"
import eventTimes from "./0110_event_times.ts"
import mailTopics from "./0111_mail_topics.ts"
import topicTallies from "./0112_topic_tallies.ts"
import contactAliases from "./0113_contact_aliases.ts"
import forms from "./0114_forms.ts"
import optIns from "./0115_opt_ins.ts"
import consents from "./0116_consents.ts"
import heldMessages from "./0117_held_messages.ts"
import bulkTargets from "./0118_bulk_targets.ts"
import privacyRequests from "./0119_privacy_requests.ts"
import systemMailSenders from "./0120_system_mail_senders.ts"
import openOptIns from "./0123_open_opt_ins.ts"
import journeys from "./0127_journeys.ts"
import workflowRateLimits from "./0133_workflow_rate_limits.ts"
import workflowExperiments from "./0134_workflow_experiments.ts"
import domainHealth from "./0139_domain_health.ts"
import dmarcReports from "./0140_dmarc_reports.ts"
import campaignApproval from "./0144_campaign_approval.ts"
import followUps from "./0145_follow_ups.ts"
import sendingPolicy from "./0150_sending_policy.ts"
import contactFrequency from "./0151_contact_frequency.ts"
import warmups from "./0154_warmups.ts"
import campaignArchive from "./0162_campaign_archive.ts"
import workflowVersions from "./0170_workflow_versions.ts"
import workflowReports from "./0175_workflow_reports.ts"
import campaignReports from "./0176_campaign_reports.ts"
import linkPeople from "./0177_link_people.ts"
import reportVersions from "./0178_report_versions.ts"
import reportVariants from "./0179_report_variants.ts"
import campaignExperiments from "./0180_campaign_experiments.ts"
import campaignGoals from "./0181_campaign_goals.ts"
import campaignDelivery from "./0185_campaign_delivery.ts"
import campaignRates from "./0186_campaign_rates.ts"
import campaignRecurrence from "./0187_campaign_recurrence.ts"
import mailingHolds from "./0188_mailing_holds.ts"
import shaping from "./0190_shaping.ts"
import providerQueues from "./0191_provider_queues.ts"
import campaignHoldouts from "./0200_campaign_holdouts.ts"
import campaignRevenues from "./0201_campaign_revenues.ts"
import linkVariants from "./0202_link_variants.ts"
import shapingLogQueue from "./0210_shaping_log_queue.ts"
import releasedVersions from "./0211_released_versions.ts"
import campaignsUnexpanded from "./0220_campaigns_unexpanded.ts"
import segmentCounts from "./0230_segment_counts.ts"
import keptTotals from "./0231_kept_totals.ts"
import eventOutbox from "./0260_event_outbox.ts"
import migrationSteps from "./0280_migration_steps.ts"
import talliesByStatement from "./0290_tallies_by_statement.ts"
import plannedTopicLists from "./0291_planned_topic_lists.ts"
import eventPartitions from "./0292_event_partitions.ts"
import attemptPartitions from "./0293_attempt_partitions.ts"
import { isOnline, type Migration, numberOf, type Online, runStep, takeTurn, together } from "./Steps.ts"

/** Every migration by its number and name, in order. */
export const migrations = {
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
  "0048_rate_windows_put_back": rateWindowsPutBack,
  "0049_public_rate_share": publicRateShare,
  "0050_public_idempotency_keys": publicIdempotencyKeys,
  "0054_repeated_deliveries": repeatedDeliveries,
  "0057_invitations_of_accounts": invitationsOfAccounts,
  "0058_origin_of_accounts": originOfAccounts,
  "0060_account_sessions": accountSessions,
  "0061_two_factors": twoFactors,
  "0062_passkeys": passkeys,
  "0063_trigrams_outside": trigramsOutside,
  "0064_erasure_keys": erasureKeys,
  "0065_public_key_policy": publicKeyPolicy,
  "0066_reject_dmarc_failures": rejectDmarcFailures,
  "0067_email_tags": emailTags,
  "0068_scheduled_emails": scheduledEmails,
  "0069_email_groups": emailGroups,
  "0073_template_texts": templateTexts,
  "0074_translations": translations,
  "0075_content_versions": contentVersions,
  "0077_partials": partials,
  "0080_api_keys": apiKeys,
  "0081_test_mail": testMail,
  "0082_webhooks_in_test_mode": webhooksInTestMode,
  "0084_transports": transports,
  "0085_link_hosts": linkHosts,
  "0088_submitted_message_ids": submittedMessageIds,
  "0090_smtp_dialogues": smtpDialogues,
  "0091_mailbox_providers": mailboxProviders,
  "0092_link_totals": linkTotals,
  "0094_template_source": templateSource,
  "0095_audit_of_api_keys": auditOfApiKeys,
  "0096_event_totals_by_name": eventTotalsByName,
  "0098_contacts_by_update": contactsByUpdate,
  "0099_segment_joins": segmentJoins,
  "0100_job_groups": jobGroups,
  "0101_campaign_source": campaignSource,
  "0102_former_steps": formerSteps,
  "0103_live_changes": liveChanges,
  "0104_partial_versions": partialVersions,
  "0105_template_tests": templateTests,
  "0106_image_lists": imageLists,
  "0107_saved_views": savedViews,
  "0108_import_faults": importFaults,
  "0109_consent": consent,
  "0110_event_times": eventTimes,
  "0111_mail_topics": mailTopics,
  "0112_topic_tallies": topicTallies,
  "0113_contact_aliases": contactAliases,
  "0114_forms": forms,
  "0115_opt_ins": optIns,
  "0116_consents": consents,
  "0117_held_messages": heldMessages,
  "0118_bulk_targets": bulkTargets,
  "0119_privacy_requests": privacyRequests,
  "0120_system_mail_senders": systemMailSenders,
  "0123_open_opt_ins": openOptIns,
  "0127_journeys": journeys,
  "0133_workflow_rate_limits": workflowRateLimits,
  "0134_workflow_experiments": workflowExperiments,
  "0139_domain_health": domainHealth,
  "0140_dmarc_reports": dmarcReports,
  "0144_campaign_approval": campaignApproval,
  "0145_follow_ups": followUps,
  "0150_sending_policy": sendingPolicy,
  "0151_contact_frequency": contactFrequency,
  "0154_warmups": warmups,
  "0162_campaign_archive": campaignArchive,
  "0170_workflow_versions": workflowVersions,
  "0175_workflow_reports": workflowReports,
  "0176_campaign_reports": campaignReports,
  "0177_link_people": linkPeople,
  "0178_report_versions": reportVersions,
  "0179_report_variants": reportVariants,
  "0180_campaign_experiments": campaignExperiments,
  "0181_campaign_goals": campaignGoals,
  "0185_campaign_delivery": campaignDelivery,
  "0186_campaign_rates": campaignRates,
  "0187_campaign_recurrence": campaignRecurrence,
  "0188_mailing_holds": mailingHolds,
  "0190_shaping": shaping,
  "0191_provider_queues": providerQueues,
  "0200_campaign_holdouts": campaignHoldouts,
  "0201_campaign_revenues": campaignRevenues,
  "0202_link_variants": linkVariants,
  "0210_shaping_log_queue": shapingLogQueue,
  "0211_released_versions": releasedVersions,
  "0220_campaigns_unexpanded": campaignsUnexpanded,
  "0230_segment_counts": segmentCounts,
  "0231_kept_totals": keptTotals,
  "0260_event_outbox": eventOutbox,
  "0280_migration_steps": migrationSteps,
  "0290_tallies_by_statement": talliesByStatement,
  "0291_planned_topic_lists": plannedTopicLists,
  "0292_event_partitions": eventPartitions,
  "0293_attempt_partitions": attemptPartitions
}

/** Schema of the database that contains the tables. The host's connections have it as their `search_path`. */
export const DatabaseSchema = Context.Reference<string>("@posthorn/core/migrations/DatabaseSchema", {
  defaultValue: () => "posthorn"
})

const grouped = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",")

/** A step that runs in the background, while servers serve. */
export interface UnfinishedStep {
  readonly migration: string
  readonly step: string
  /** Rows that a backfill has read. */
  readonly rowsDone: number
  /** About how many rows it reads; null before it begins, and for steps of another kind. */
  readonly rowsAbout: number | null
  /** When it began; null before. */
  readonly since: DateTime.Utc | null
}

/** The step in words, with its progress. */
export const describeUnfinished = ({ migration, rowsAbout, rowsDone, since, step }: UnfinishedStep): string => {
  const rows = rowsAbout === null ? "" : `, ${grouped(rowsDone)} of about ${grouped(rowsAbout)} rows`
  return `${migration}, ${step}${rows}, ${since === null ? "not begun" : `since ${DateTime.formatIso(since)}`}`
}

/** The applied migrations, those that the database lacks, and those that this program does not know. */
export interface MigrationStatus {
  readonly applied: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  readonly unknown: ReadonlyArray<string>
  /** What remains of applied migrations, in order. Servers need none of it. */
  readonly unfinished: ReadonlyArray<UnfinishedStep>
}

/** The versions of the database and of the program differ. `message` says which is behind. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{ readonly status: MigrationStatus }> {
  override get message() {
    return this.status.unknown.length > 0
      ? `The database is newer than this program: it has ${this.status.unknown.join(", ")}. Start a newer version.`
      : `The database lacks ${this.status.missing.join(", ")}. Run 'posthorn migrate', or start without --no-migrate.`
  }
}

/** An identifier, quoted for a statement. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The role may not create or change the tables. `message` contains the statement that grants the privilege. */
export class SchemaRefused extends Data.TaggedError("SchemaRefused")<{
  readonly role: string
  readonly database: string
  readonly schema: string
  /** What the role may not do. */
  readonly denied: "create the schema" | "create tables" | "change tables"
}> {
  override get message() {
    const [role, database, schema] = [quoted(this.role), quoted(this.database), quoted(this.schema)]
    if (this.denied === "create the schema") {
      return (
        `The role ${role} may not create the schema ${schema} in the database ${database}. As the owner of the ` +
        `database run: CREATE SCHEMA ${schema} AUTHORIZATION ${role}; or: GRANT CREATE ON DATABASE ${database} TO ${role};`
      )
    }
    if (this.denied === "create tables") {
      return (
        `The role ${role} may not create tables in the schema ${schema} of the database ${database}. ` +
        `As the owner of the schema run: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`
      )
    }
    return (
      `The role ${role} does not own the tables in the schema ${schema} of the database ${database}, and may not ` +
      "change them. Run `posthorn migrate` as their owner, and start with --no-migrate."
    )
  }
}

const Applied = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String })))

const nameOf = ({ id, name }: { readonly id: number; readonly name: string }) =>
  `${String(id).padStart(4, "0")}_${name}`

const Steps = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      step: Schema.String,
      rowsDone: Schema.NumberFromString,
      rowsAbout: Schema.NullOr(Schema.NumberFromString),
      since: Schema.DateTimeUtcFromDate,
      ended: Schema.Boolean
    })
  )
)

type Known = Readonly<Record<string, Migration>>

const onlineOf = (known: Known, name: string): Online | undefined => {
  const migration = known[name]
  return isOnline(migration) ? migration : undefined
}

/** The background steps of these migrations that have not ended. */
const unfinishedOf = Effect.fnUntraced(function* (known: Known, applied: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const planned = applied.flatMap((migration) =>
    (onlineOf(known, migration)?.background ?? []).map(({ name }) => ({ migration, step: name }))
  )
  if (planned.length === 0) return []
  const rows = yield* Steps(
    yield* sql`
      select migration_id as id, step, rows_done::text as "rowsDone", rows_about::text as "rowsAbout",
             started_at as since, finished_at is not null as ended
      from migration_steps`
  )
  return planned.flatMap(({ migration, step }): ReadonlyArray<UnfinishedStep> => {
    const found = rows.find((row) => row.id === numberOf(migration) && row.step === step)
    if (found === undefined) return [{ migration, step, rowsDone: 0, rowsAbout: null, since: null }]
    const { ended, rowsAbout, rowsDone, since } = found
    return ended ? [] : [{ migration, step, rowsDone, rowsAbout, since }]
  })
})

const foundOf = Effect.fnUntraced(
  function* (all: Known) {
    const sql = yield* SqlClient.SqlClient
    const known = Object.keys(all)
    const [table] = yield* sql`select to_regclass('migrations') as name`
    const rows = table?.["name"] ? yield* sql`select migration_id as id, name from migrations order by 1` : []
    const applied = (yield* Applied(rows)).map(nameOf)
    return {
      applied,
      missing: known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !known.includes(name)),
      unfinished: yield* unfinishedOf(all, applied)
    } satisfies MigrationStatus
  },
  Effect.catchTag("SchemaError", Effect.die)
)

/** What the database has of these migrations. */
export const statusIn = (known: Known): Effect.Effect<MigrationStatus, never, SqlClient.SqlClient> =>
  Effect.orDie(foundOf(known))

export const status = statusIn(migrations)

/**
 * Creates the extension pg_trgm in `public` where it is missing and the role may create it. A database has an extension
 * only once, and an application that shares the database expects it in `public`. Where it cannot be created here, the
 * migration that needs it tries again, and works without it.
 */
const trigrams = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    do $$
    begin
      if exists (select from pg_available_extensions where name = 'pg_trgm' and installed_version is null) then
        create extension if not exists pg_trgm schema public;
      end if;
    exception
      when insufficient_privilege or invalid_schema_name or undefined_file or feature_not_supported
        or duplicate_object or duplicate_function or unique_violation then null;
    end $$`
})

const refused = Effect.fnUntraced(function* (schema: string, denied: SchemaRefused["denied"]) {
  const sql = yield* SqlClient.SqlClient
  const [asked] = yield* sql`select current_user as role, current_database() as database`
  return yield* new SchemaRefused({
    role: String(asked?.["role"]),
    database: String(asked?.["database"]),
    schema,
    denied
  })
})

/**
 * Creates the schema unless it exists, and checks that the role may create tables in it. Checks the privileges first: a
 * statement that fails would end the transaction, and `create schema if not exists` requires the privilege even where
 * the schema exists.
 */
const makeSchema = Effect.fnUntraced(function* (schema: string) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql`
    select to_regnamespace(quote_ident(${schema})) is not null as present,
           has_database_privilege(current_database(), 'CREATE') as "mayCreate"`
  if (found?.["present"] !== true) {
    if (found?.["mayCreate"] !== true) return yield* refused(schema, "create the schema")
    yield* sql`create schema ${sql(schema)}`
    return
  }
  const [usable] = yield* sql`
    select has_schema_privilege(${schema}, 'USAGE') and has_schema_privilege(${schema}, 'CREATE') as allowed`
  if (usable?.["allowed"] !== true) return yield* refused(schema, "create tables")
})

/** Whether the role lacks a privilege. A failed migration has the error of its statement as cause. */
const isDenied = (error: unknown): boolean => {
  const at = error instanceof Migrator.MigrationError ? error.cause : error
  return SqlError.isSqlError(at) && at.reason._tag === "AuthorizationError"
}

/** How long a migration first waits for a lock. Each time it tries again, it waits twice as long, up to a minute. */
export const LockPatience = Context.Reference<Duration.Duration>("@posthorn/core/migrations/LockPatience", {
  defaultValue: () => Duration.seconds(2)
})

const longestPatience = Duration.minutes(1)
const longestPause = Duration.seconds(15)

const doubled = (time: Duration.Duration, longest: Duration.Duration) => Duration.min(Duration.times(time, 2), longest)

const isLocked = (error: unknown): boolean => {
  const at = error instanceof Migrator.MigrationError ? error.cause : error
  return SqlError.isSqlError(at) && at.reason._tag === "LockTimeoutError"
}

/** Others pass in the pauses. The patience grows, because a long migration meets a long transaction in each attempt. */
const unlocked = <A, E, R>(
  migrating: (patience: Duration.Duration) => Effect.Effect<A, E, R>,
  patience: Duration.Duration,
  pause = Duration.seconds(1)
): Effect.Effect<A, E, R> =>
  Effect.catchIf(migrating(patience), isLocked, () =>
    Effect.logWarning(
      `A migration waits for another transaction that uses its table. Trying again in ${Duration.format(pause)}; pg_stat_activity shows the transaction.`
    ).pipe(
      Effect.andThen(Effect.sleep(pause)),
      Effect.andThen(
        Effect.suspend(() => unlocked(migrating, doubled(patience, longestPatience), doubled(pause, longestPause)))
      )
    )
  )

const surroundings = Effect.fnUntraced(function* (known: Known) {
  const schema = yield* DatabaseSchema
  const patience = yield* LockPatience
  return {
    schema,
    unlocked: <A, E, R>(run: (patience: Duration.Duration) => Effect.Effect<A, E, R>) => unlocked(run, patience),
    finish: (migration: string) => finishOne(known, migration)
  }
})

const finishOne = (known: Known, migration: string): Effect.Effect<void, unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const around = yield* surroundings(known)
    const steps = onlineOf(known, migration)?.background ?? []
    for (const step of steps) {
      yield* Effect.annotateLogs(runStep(migration, step, around), { migration, step: step.name })
    }
  })

/**
 * Applies the missing ones of these migrations, up to a migration in steps. Returns the name of that migration. In an
 * empty database, it applies all.
 */
const attempt = (known: Known, schema: string, patience: Duration.Duration) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* takeTurn(schema)
        yield* sql`select set_config('lock_timeout', ${`${Duration.toMillis(patience)}ms`}, true)`
        const before = yield* foundOf(known)
        if (before.unknown.length > 0) return yield* new SchemaMismatch({ status: before })
        if (before.applied.length > 0 && before.missing.length === 0) return undefined
        yield* makeSchema(schema)
        if (before.missing.includes("0017_contacts_at_scale")) yield* trigrams
        const isEmpty = before.applied.length === 0
        const next = isEmpty ? undefined : before.missing.find((name) => isOnline(known[name]))
        const now = Object.entries(known).filter(([name]) => next === undefined || name < next)
        const effects = now.map(([name, each]) => [name, isOnline(each) ? together(name, each) : each] as const)
        yield* Migrator.make({})({ loader: Migrator.fromRecord(Object.fromEntries(effects)), table: "migrations" })
        return next
      })
    )
  )

/** Runs the steps of a migration that come before a server of this version. */
const expandOne = Effect.fnUntraced(function* (known: Known, migration: string) {
  const sql = yield* SqlClient.SqlClient
  const around = yield* surroundings(known)
  const run = Effect.forEach(onlineOf(known, migration)?.expand ?? [], (step) => runStep(migration, step, around))
  yield* Effect.mapError(
    run,
    (cause) => new Migrator.MigrationError({ kind: "Failed", message: `Migration "${migration}" failed`, cause })
  )
  yield* sql`
    insert into migrations (migration_id, name) values (${numberOf(migration)}, ${migration.replace(/^\d+_/, "")})
    on conflict do nothing`
})

/** Applies the missing ones of these migrations, without their background. Refuses a database that has others. */
export const migrateTo = Effect.fnUntraced(
  function* (known: Known) {
    const schema = yield* DatabaseSchema
    const patience = yield* LockPatience
    const apply = unlocked((patience) => attempt(known, schema, patience), patience)
    const all = Effect.gen(function* () {
      // Without the lock, which the background of another process may hold for hours.
      const { applied, missing, unknown } = yield* foundOf(known)
      if (applied.length > 0 && missing.length + unknown.length === 0) return
      let done: string | undefined
      for (let next = yield* apply; next !== undefined; next = yield* apply) {
        if (next === done) return yield* Effect.die(new Error(`The number of ${next} is that of another migration`))
        yield* expandOne(known, next)
        done = next
      }
    })
    yield* Effect.catchIf(all, isDenied, () => refused(schema, "change tables"))
  },
  Effect.catchTag(["SqlError", "MigrationError"], Effect.die)
)

/** Runs what remains of the applied ones of these migrations. Returns at once if nothing remains. */
export const finishTo = Effect.fnUntraced(function* (known: Known) {
  const { unfinished } = yield* foundOf(known)
  for (const migration of new Set(unfinished.map((step) => step.migration))) yield* finishOne(known, migration)
}, Effect.orDie)

/** Applies the missing migrations. Refuses a database that is newer than this program. */
export const migrate = migrateTo(migrations)

/** Runs what remains of the applied migrations, beside servers. */
export const finish = finishTo(migrations)

/** Migrates before anything that is built on the database starts. */
export const layer: Layer.Layer<never, SchemaMismatch | SchemaRefused, SqlClient.SqlClient> =
  Layer.effectDiscard(migrate)

/** Refuses to start unless the database has exactly the migrations of this program. */
export const layerCheck: Layer.Layer<never, SchemaMismatch, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.flatMap(status, (found) =>
    found.missing.length + found.unknown.length > 0 ? Effect.fail(new SchemaMismatch({ status: found })) : Effect.void
  )
)

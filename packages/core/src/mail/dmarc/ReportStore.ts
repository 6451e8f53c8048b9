/** Stores DMARC aggregate reports: one row for each report, and sums by day, source and result. */
import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { deleteInBatches } from "../../platform/Batches.ts"
import { dayOf } from "../../platform/QuarterHours.ts"
import type { AggregateReport, ReportedMails } from "./ReportReader.ts"

/** The domain that a report is about. */
export const ReportedDomain = Schema.Struct({
  projectId: Schema.String,
  id: Schema.String,
  domain: Schema.String,
  selector: Schema.String
})
export interface ReportedDomain {
  readonly projectId: ProjectId
  readonly id: DomainId
  readonly domain: string
  readonly selector: string
}

export const limits = {
  /** Reports about a domain that count on one day. */
  reportsADay: 2_000,
  /** Rows of a domain. Beyond, the smallest rows of a day become one for each result. */
  rows: 100_000,
  keptDays: 400
}

const batch = 10_000
/** Rows of one day without a source: three dispositions, and DKIM and SPF each passed or not. */
const results = 12
export const otherSource = "other"

const found = Schema.decodeUnknownEffect(Schema.Array(ReportedDomain))
const counted = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** The domain of any project: the address for reports has only its id. */
export const domainWith = (id: DomainId): Effect.Effect<ReportedDomain | undefined, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [domain] = yield* found(
      yield* sql`select project_id as "projectId", id, domain, selector from domains where id = ${id}`
    )
    return domain as ReportedDomain | undefined
  }).pipe(Effect.orDie)

const sum = (report: AggregateReport, holds: (row: AggregateReport["rows"][number]) => boolean) =>
  report.rows.reduce((all, row) => all + (holds(row) ? row.messages : 0), 0)

/**
 * Stores a report once, in one transaction. The caller has checked that it is about the domain. Reports about one domain
 * wait for one another.
 */
export const store = Effect.fn("ReportStore.store")(
  function* (domain: ReportedDomain, report: AggregateReport) {
    const sql = yield* SqlClient.SqlClient
    const now = yield* DateTime.now
    const at = DateTime.toDate(now)
    const day = DateTime.toDate(dayOf(report.begin))
    const owner = sql`project_id = ${domain.projectId} and domain_id = ${domain.id}`
    yield* sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:dmarc:${domain.id}`}, 0))`
    const [today] = yield* counted(
      yield* sql`
        select count(*)::int as count from dmarc_reports
        where ${owner} and received_at >= ${DateTime.toDate(dayOf(now))}`
    )
    if (today.count >= limits.reportsADay) return "limited" as const
    const inserted = yield* sql`
      insert into dmarc_reports (project_id, domain_id, key, reporter, day, policy, received_at, messages, passed,
                                 dkim_aligned, spf_aligned, quarantined, rejected)
      select project_id, id, sha256(convert_to(${`${report.org}\n${report.id}`}, 'UTF8')), ${report.org}, ${day},
             ${report.policy}, ${at}, ${sum(report, () => true)}, ${sum(report, ({ dkim, spf }) => dkim || spf)},
             ${sum(report, ({ dkim }) => dkim)}, ${sum(report, ({ spf }) => spf)},
             ${sum(report, ({ disposition }) => disposition === "quarantine")},
             ${sum(report, ({ disposition }) => disposition === "reject")}
      from domains where project_id = ${domain.projectId} and id = ${domain.id}
      on conflict do nothing returning 1 as stored`
    if (inserted.length === 0) return "duplicate" as const
    for (const rows of Array.chunksOf(report.rows, batch)) {
      const column = (of: (row: ReportedMails) => unknown) => sql`${rows.map((row) => String(of(row)))}::text[]`
      yield* sql`
        insert into dmarc_rows as held (project_id, domain_id, day, source, from_domain, disposition, dkim, spf, messages, own)
        select ${domain.projectId}::uuid, ${domain.id}::uuid, ${day}::timestamptz, source, from_domain, disposition,
               dkim::boolean, spf::boolean, messages::bigint, own::boolean
        from unnest(${column(({ source }) => source)}, ${column(({ from }) => from)}, ${column(({ disposition }) => disposition)},
                    ${column(({ dkim }) => dkim)}, ${column(({ spf }) => spf)}, ${column(({ messages }) => messages)},
                    ${column(({ own }) => own)}) as row (source, from_domain, disposition, dkim, spf, messages, own)
        on conflict (project_id, domain_id, day, source, from_domain, disposition, dkim, spf)
        do update set messages = held.messages + excluded.messages, own = held.own or excluded.own`
    }
    const [stored] = yield* counted(yield* sql`select count(*)::int as count from dmarc_rows where ${owner}`)
    const excess = stored.count - limits.rows
    if (excess > 0) {
      yield* sql`
        with smallest as (
          delete from dmarc_rows where ${owner} and day = ${day} and (source, from_domain, disposition, dkim, spf) in (
            select source, from_domain, disposition, dkim, spf from dmarc_rows
            where ${owner} and day = ${day} and source <> ${otherSource}
            order by messages, source limit ${excess + results})
          returning *
        )
        insert into dmarc_rows as held (project_id, domain_id, day, source, from_domain, disposition, dkim, spf, messages, own)
        select project_id, domain_id, day, ${otherSource}, '', disposition, dkim, spf, sum(messages), false
        from smallest group by project_id, domain_id, day, disposition, dkim, spf
        on conflict (project_id, domain_id, day, source, from_domain, disposition, dkim, spf)
        do update set messages = held.messages + excluded.messages`
    }
    return "stored" as const
  },
  (effect) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.withTransaction(effect)))
)

/** Deletes what was kept for 400 days, some thousand rows at a time. */
export const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = DateTime.toDate(DateTime.subtract(yield* DateTime.now, { days: limits.keptDays }))
  for (const table of ["dmarc_rows", "dmarc_reports"]) {
    yield* deleteInBatches(sql, table, sql`day < ${before}`)
  }
}).pipe(Effect.orDie, Effect.withSpan("ReportStore.sweep"))

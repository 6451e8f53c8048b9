/** What DMARC reports say about the mail from a domain, and what follows from them. */
import type { DmarcFigures, DmarcQuery, DmarcRow, DmarcSummary } from "@posthorn/contract/mail/domains/DmarcReport"
import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { BadRequest } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { windowDays } from "../../platform/TimeWindows.ts"
import { dmarcValue } from "../domains/DomainRecords.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"

type Key = { readonly projectId: ProjectId; readonly id: DomainId; readonly domain: string }

const maxRows = 100
/** Days and mails from which reports say something. */
const adviceDays = 30
const enoughMessages = 100
/** Percent of mails of others that fail, below which a stricter policy is proposed. */
const fewFailures = 1

/** Sums are selected as `float8`: an `integer` is too small for them. */
const Count = Schema.Int
const figures = {
  messages: Count,
  passed: Count,
  dkimAligned: Count,
  spfAligned: Count,
  quarantined: Count,
  rejected: Count
}
const totalRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct(figures)]))
const groupRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, own: Schema.Boolean, ...figures }))
)
const policyRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ policy: Schema.String, since: Schema.DateTimeUtcFromDate }))
)

type Sums = Effect.Success<ReturnType<typeof totalRows>>[0]

const withFailed = ({ messages, passed, ...rest }: Sums): DmarcFigures => ({
  messages,
  passed,
  failed: messages - passed,
  ...rest
})

const ofRows = `coalesce(sum(messages), 0)::float8 as messages,
  coalesce(sum(messages) filter (where dkim or spf), 0)::float8 as passed,
  coalesce(sum(messages) filter (where dkim), 0)::float8 as "dkimAligned",
  coalesce(sum(messages) filter (where spf), 0)::float8 as "spfAligned",
  coalesce(sum(messages) filter (where disposition = 'quarantine'), 0)::float8 as quarantined,
  coalesce(sum(messages) filter (where disposition = 'reject'), 0)::float8 as rejected`

const ofReports = `sum(messages)::float8 as messages, sum(passed)::float8 as passed,
  sum(dkim_aligned)::float8 as "dkimAligned", sum(spf_aligned)::float8 as "spfAligned",
  sum(quarantined)::float8 as quarantined, sum(rejected)::float8 as rejected`

/** Rows of a domain, of the UTC days `from` to `until`, both included. */
const inDays = (sql: SqlClient.SqlClient, { id, projectId }: Key, [from, until]: readonly [string, string]) => sql`
  project_id = ${projectId} and domain_id = ${id} and day >= ${from}::date::timestamp at time zone 'UTC'
  and day <= ${until}::date::timestamp at time zone 'UTC'`

const groupsOf = Effect.fnUntraced(function* (
  groupBy: "day" | "reporter" | "source",
  within: Statement.Fragment,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  const day = sql.literal(`to_char(day at time zone 'UTC', 'YYYY-MM-DD')`)
  switch (groupBy) {
    case "source":
      return yield* groupRows(
        yield* sql`
          select source as name, bool_or(own) as own, ${sql.literal(ofRows)} from dmarc_rows where ${within}
          group by source order by sum(messages) desc, source limit ${limit}`
      )
    case "reporter":
      return yield* groupRows(
        yield* sql`
          select reporter as name, false as own, ${sql.literal(ofReports)} from dmarc_reports where ${within}
          group by reporter order by sum(messages) desc, reporter limit ${limit}`
      )
    case "day":
      return yield* groupRows(
        yield* sql`
          select ${day} as name, false as own, ${sql.literal(ofReports)} from dmarc_reports where ${within}
          group by day order by day desc limit ${limit}`
      )
  }
}, Effect.orDie)

export interface Evidence {
  readonly messages: number
  /** Whether any mail had our signature. */
  readonly hasOwn: boolean
  /** Mails of sources without our signature that failed. */
  readonly foreignFailed: number
  /** Sources with failures, with most of them first; at most five of each kind. */
  readonly ownFailing: ReadonlyArray<string>
  readonly foreignFailing: ReadonlyArray<string>
  /** In the latest report, and for how many days reports have had no other. */
  readonly policy: { readonly policy: string; readonly days: number } | undefined
  readonly reportAddress: string | null
}

const evidenceRows = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      messages: Count,
      hasOwn: Schema.Boolean,
      foreignFailed: Count,
      ownFailing: Schema.Array(Schema.String),
      foreignFailing: Schema.Array(Schema.String)
    })
  ])
)

const evidenceOf = Effect.fnUntraced(function* ({ id, projectId }: Key, now: DateTime.Utc) {
  const sql = yield* SqlClient.SqlClient
  const since = (days: number) => DateTime.toDate(DateTime.subtract(now, { days }))
  const own = sql`project_id = ${projectId} and domain_id = ${id}`
  const failing = (condition: string) =>
    sql.literal(`coalesce((array_agg(source order by messages - passed desc, source)
      filter (where passed < messages and ${condition}))[1:5], '{}')`)
  const [found] = yield* evidenceRows(
    yield* sql`
      with sources as (
        select source, bool_or(own) as own, sum(messages) as messages,
               coalesce(sum(messages) filter (where dkim or spf), 0) as passed
        from dmarc_rows where ${own} and day > ${since(adviceDays)} group by source
      )
      select coalesce(sum(messages), 0)::float8 as messages, coalesce(bool_or(own), false) as "hasOwn",
             coalesce(sum(messages - passed) filter (where not own), 0)::float8 as "foreignFailed",
             ${failing("own")} as "ownFailing", ${failing("not own")} as "foreignFailing"
      from sources`
  )
  const [policy] = yield* policyRows(
    yield* sql`
      with reports as (select policy, day, received_at from dmarc_reports where ${own} and day > ${since(2 * adviceDays)}),
      latest as (select policy from reports order by day desc, received_at desc limit 1),
      other as (select max(day) as day from reports, latest where reports.policy <> latest.policy)
      select latest.policy, coalesce(
        (select min(day) from reports where day > coalesce((select day from other), '-infinity')),
        (select max(day) from reports)) as since
      from latest`
  )
  return {
    ...found,
    policy: policy && {
      policy: policy.policy,
      days: Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(policy.since)) / 86_400_000)
    }
  }
}, Effect.orDie)

/** The next step by the reports of 30 days. Empty if there is none. Pure. */
export const adviceOf = (evidence: Evidence): string => {
  const { foreignFailed, foreignFailing, hasOwn, messages, ownFailing, policy, reportAddress } = evidence
  if (messages < enoughMessages) {
    return `The reports of the last ${adviceDays} days count ${messages} mails. From ${enoughMessages} on there is advice.`
  }
  if (ownFailing.length > 0) {
    return `Mail of this service fails DMARC when it comes from ${ownFailing.join(", ")}. Correct its DKIM and SPF records before the policy becomes stricter.`
  }
  if (!hasOwn) {
    return "No report has mail that this service signed. Check the DKIM record before the policy becomes stricter."
  }
  if (foreignFailed * 100 >= messages * fewFailures) {
    const share = Math.round((foreignFailed * 1_000) / messages) / 10
    return `${share} % of the mails fail DMARC. Most of them come from ${foreignFailing.join(", ")}. If you send from there, sign that mail with DKIM; otherwise it is forged.`
  }
  switch (policy?.policy) {
    case "reject":
      return ""
    case "quarantine":
      return policy.days < adviceDays
        ? `The policy has been quarantine for ${policy.days} days. After ${adviceDays} days without failures, it can be reject.`
        : `Publish ${dmarcValue("reject", reportAddress)}`
    default:
      return `Publish ${dmarcValue("quarantine", reportAddress)}`
  }
}

export const advice = Effect.fn("Dmarc.advice")(function* (key: Key) {
  const { reportAddress } = yield* ReturnPath
  return adviceOf({
    ...(yield* evidenceOf(key, yield* DateTime.now)),
    reportAddress: yield* reportAddress(key.id)
  })
})

export const summaryOf = Effect.fn("Dmarc.summaryOf")(function* (
  key: Key,
  { groupBy = "source", limit = maxRows, ...window }: DmarcQuery
): Effect.fn.Return<DmarcSummary, BadRequest, ReturnPath | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { dates } = yield* windowDays(window, "UTC")
  const span = [dates[0] ?? "1970-01-01", dates.at(-1) ?? "1970-01-01"] as const
  const within = inDays(sql, key, span)
  const rows = dates.length === 0 ? [] : yield* groupsOf(groupBy, within, Math.min(limit, maxRows))
  const [totals] = yield* Effect.orDie(
    Effect.flatMap(
      sql`
        select ${sql.literal(ofRows)} from dmarc_rows
        where ${within} and ${dates.length > 0}`,
      totalRows
    )
  )
  return {
    totals: withFailed(totals),
    rows: rows.map(
      ({ name, own, ...sums }): DmarcRow => ({
        ...(groupBy === "source" ? { source: name, own } : groupBy === "reporter" ? { reporter: name } : { day: name }),
        ...withFailed(sums)
      })
    ),
    advice: yield* advice(key)
  }
})

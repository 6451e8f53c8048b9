/** Counts mails by result and time. */
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dayFrom, dayOf, quarterFrom, quarterOf } from "../../platform/QuarterHours.ts"
import * as RollUp from "../../platform/RollUp.ts"
import type { Days, TimeWindow } from "../../platform/TimeWindows.ts"

/** Numbers of mails. Each number counts a mail at most once. Test mail is left out. */
export interface MailSums {
  readonly sent: number
  readonly delivered: number
  readonly opened: number
  readonly clicked: number
  readonly bounced: number
  readonly complained: number
}

/** Numbers of mails to one mailbox provider. */
export interface ProviderSums extends MailSums {
  readonly provider: Provider
  readonly deferred: number
  readonly failed: number
  readonly humanOpened: number
  readonly humanClicked: number
}

/** Numbers of mails that only machines opened or clicked. */
export interface MachineSums {
  readonly machineOpened: number
  readonly machineClicked: number
}

/**
 * Totals of mail. Every change of a mail adds to the totals in the same transaction, so they are
 * always exact. They remain when mails, contacts and campaigns are deleted.
 */
export interface MailTotals {
  /**
   * By the index of the day, from 0. Days without mail are absent. `starts` has one more instant than there are days.
   */
  readonly byDay: (
    project: ProjectId,
    starts: Days["starts"]
  ) => Effect.Effect<ReadonlyMap<number, MailSums & MachineSums>>
  /**
   * Sums over the window. Whole quarters of an hour come from the totals. At the edges rows of mails are counted,
   * so mail of deleted contacts is missing there.
   */
  readonly within: (project: ProjectId, window: TimeWindow) => Effect.Effect<MailSums>
  /** By mailbox provider, over a window that begins and ends with a quarter of an hour; the most mail first. */
  readonly byProvider: (project: ProjectId, window: TimeWindow) => Effect.Effect<ReadonlyArray<ProviderSums>>
  /** Adds the pending deltas to the totals, in batches. */
  readonly rollUp: Effect.Effect<void>
}

const sums = {
  sent: Schema.Int,
  delivered: Schema.Int,
  opened: Schema.Int,
  clicked: Schema.Int,
  bounced: Schema.Int,
  complained: Schema.Int
}
const dayRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ day: Schema.Int, ...sums, machineOpened: Schema.Int, machineClicked: Schema.Int }))
)
const providerRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      ...sums,
      deferred: Schema.Int,
      failed: Schema.Int,
      humanOpened: Schema.Int,
      humanClicked: Schema.Int
    })
  )
)
const sumRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct(sums)]))

/** Each counter with the column of the mail that holds its time. */
const timeColumns = {
  sent: "sent_at",
  delivered: "delivered_at",
  opened: "opened_at",
  clicked: "clicked_at",
  bounced: "bounced_at",
  complained: "complained_at"
}
const counters = Object.keys(timeColumns)
const columns = [...counters, "machine_opened", "machine_clicked"]

/** The counters of a mailbox provider. */
const shown = [...counters, "deferred", "failed"]
const results = [...shown, "machine_opened", "machine_clicked"]
const byProvider = { project_id: "project_id", provider: "provider" }
const isKnown = "provider is not null"

const added = (names: ReadonlyArray<string>) =>
  names.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(", ")

/** The totals, and the deltas that are not added to them yet. */
const totalsIn = (sql: SqlClient.SqlClient) => (project: ProjectId, from: DateTime.Utc, until: DateTime.Utc) => {
  const range = sql`
    project_id = ${project} and quarter >= ${DateTime.toDate(from)} and quarter < ${DateTime.toDate(until)}`
  const list = sql.literal(columns.join(", "))
  return sql`
    select quarter, ${list} from mail_totals where ${range}
    union all
    select quarter, ${list} from mail_total_deltas where ${range}`
}

/**
 * One row for each day with mail. A day has about 96 rows to add up, for any number of mails. The days are a
 * sub-select, because a parameter would be parsed for each row.
 */
export const daysStatement = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  starts: Array.NonEmptyReadonlyArray<DateTime.Utc>
) => sql`
  select width_bucket(quarter, (select ${starts.map(DateTime.formatIso)}::timestamptz[])) - 1 as day, ${sql.literal(added(counters))},
         sum(machine_opened)::int as "machineOpened", sum(machine_clicked)::int as "machineClicked"
  from (${totalsIn(sql)(project, Array.headNonEmpty(starts), Array.lastNonEmpty(starts))}) as kept
  group by 1`

/** Whole UTC days, the quarters around them, and the deltas that are not added to them yet. */
export const providersStatement = (sql: SqlClient.SqlClient, project: ProjectId, { from, until }: TimeWindow) => {
  const list = sql.literal(["provider", ...results].join(", "))
  const start = DateTime.toDate(from)
  const end = DateTime.toDate(until)
  const firstDay = DateTime.toDate(DateTime.min(dayFrom(from), until))
  const lastDay = DateTime.toDate(DateTime.max(dayOf(until), DateTime.min(dayFrom(from), until)))
  const quarters = (from: Date, until: Date) => sql`
    select ${list} from provider_totals where project_id = ${project} and quarter >= ${from} and quarter < ${until}`
  return sql`
    select provider, ${sql.literal(added(shown))}, sum(opened - machine_opened)::int as "humanOpened",
           sum(clicked - machine_clicked)::int as "humanClicked"
    from (
      ${quarters(start, firstDay)}
      union all
      select ${list} from provider_days where project_id = ${project} and day >= ${firstDay} and day < ${lastDay}
      union all
      ${quarters(lastDay, end)}
      union all
      select ${list} from mail_total_deltas
      where project_id = ${project} and quarter >= ${start} and quarter < ${end} and ${sql.literal(isKnown)}
    ) as parts
    group by provider having (${sql.literal(results.map((name) => `sum(${name})`).join(", "))})
      is distinct from (${sql.literal(results.map(() => "0").join(", "))})
    order by sent desc, provider`
}

export type Needs = SqlClient.SqlClient

export const make: Effect.Effect<MailTotals, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const kept = totalsIn(sql)

  const byDay = Effect.fn("MailTotals.byDay")(function* (project: ProjectId, starts: Days["starts"]) {
    if (!Array.isReadonlyArrayNonEmpty(starts)) return new Map<number, MailSums & MachineSums>()
    const rows = yield* Effect.flatMap(daysStatement(sql, project, starts), dayRows)
    return new Map(rows.map(({ day, ...counted }) => [day, counted]))
  }, Effect.orDie)

  /** Counts rows of mails, for less than a quarter of an hour. */
  const counted = (project: ProjectId, { from, until }: TimeWindow) => {
    const counts = Object.values(timeColumns).map(
      (column) => sql`
          (select count(*) from emails
           where project_id = ${project} and ${sql(column)} >= ${DateTime.toDate(from)}
             and ${sql(column)} < ${DateTime.toDate(until)} and contact_id is not null and not test)`
    )
    return sql`select ${sql.csv(counts)}`
  }

  const within = Effect.fn("MailTotals.within")(function* (project: ProjectId, { from, until }: TimeWindow) {
    const first = quarterFrom(from)
    const last = quarterOf(until)
    const parts = DateTime.isLessThan(last, first)
      ? counted(project, { from, until })
      : sql`
            ${counted(project, { from, until: first })}
            union all
            select ${sql.literal(added(counters))} from (${kept(project, first, last)}) as kept
            union all
            ${counted(project, { from: last, until })}`
    const names = sql.literal(counters.join(", "))
    const [found] = yield* sumRow(
      yield* sql`select ${sql.literal(added(counters))} from (${parts}) as parts (${names})`
    )
    return found
  }, Effect.orDie)

  const ofProviders = Effect.fn("MailTotals.byProvider")(function* (project: ProjectId, window: TimeWindow) {
    return yield* Effect.flatMap(providersStatement(sql, project, window), providerRows)
  }, Effect.orDie)

  const rollUp = RollUp.rollUp(sql, {
    deltas: "mail_total_deltas",
    totals: "mail_totals",
    key: ["project_id", "quarter"],
    sums: columns,
    also: [
      { totals: "provider_totals", key: { ...byProvider, quarter: "quarter" }, sums: results, where: isKnown },
      {
        totals: "provider_days",
        key: { ...byProvider, day: "date_trunc('day', quarter, 'UTC')" },
        sums: results,
        where: isKnown
      },
      {
        totals: "domain_days",
        key: {
          project_id: "project_id",
          domain: "from_domain",
          day: "date_trunc('day', quarter, 'UTC')",
          provider: "coalesce(provider, 'OTHER')"
        },
        sums: ["sent", "bounced", "complained"],
        where: "from_domain is not null"
      }
    ]
  }).pipe(
    // While mail is sent, new deltas arrive all the time. A batch that is not full is the last.
    Effect.repeat({ while: (isFull) => isFull }),
    Effect.asVoid,
    Effect.orDie,
    Effect.withSpan("MailTotals.rollUp")
  )

  return { byDay, within, byProvider: ofProviders, rollUp } satisfies MailTotals
})

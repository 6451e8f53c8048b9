/** Counts mails by what happened to them, and when. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { quarterFrom, quarterOf } from "../../platform/QuarterHours.ts"
import type { Days, Window } from "../../platform/TimeWindows.ts"

/** Numbers of mails. A mail counts once for each thing that happened to it. Test mail is left out. */
export interface MailSums {
  readonly sent: number
  readonly delivered: number
  readonly opened: number
  readonly clicked: number
  readonly bounced: number
  readonly complained: number
}

/** Numbers of mails that only machines opened or clicked. */
export interface MachineSums {
  readonly machineOpened: number
  readonly machineClicked: number
}

/**
 * Storage port of the feed, the statistics and the job of totals. The transitions of mails update the totals themselves,
 * so the totals are always exact. They remain when mails, contacts and campaigns are deleted.
 */
export class MailTotals extends Context.Service<
  MailTotals,
  {
    /**
     * By the index of the day, from 0. Days without mail are absent. `starts` has one more instant than there are days.
     */
    readonly byDay: (
      project: ProjectId,
      starts: Days["starts"]
    ) => Effect.Effect<ReadonlyMap<number, MailSums & MachineSums>>
    /**
     * Sums over the window. Whole quarters of an hour come from the totals. At the edges single mails are counted, so
     * mail of deleted contacts is missing there.
     */
    readonly within: (project: ProjectId, window: Window) => Effect.Effect<MailSums>
    /** Adds up the pending entries, some thousand at a time. */
    readonly rollUp: Effect.Effect<void>
  }
>()("@posthorn/core/insight/analytics/MailTotals") {}

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
const sumRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct(sums)]))

/** Each counter with the column of the mail that holds its time. */
const moments = {
  sent: "sent_at",
  delivered: "delivered_at",
  opened: "opened_at",
  clicked: "clicked_at",
  bounced: "bounced_at",
  complained: "complained_at"
}
const counters = Object.keys(moments)
const columns = [...counters, "machine_opened", "machine_clicked"]

const rollUpBatch = 10_000

const added = (names: ReadonlyArray<string>) =>
  names.map((name) => `coalesce(sum(${name}), 0)::int as ${name}`).join(", ")

/** The stored totals and the entries that are not added up yet. */
const keptIn = (sql: SqlClient.SqlClient) => (project: ProjectId, from: DateTime.Utc, until: DateTime.Utc) => {
  const range = sql`
    project_id = ${project} and quarter >= ${DateTime.toDate(from)} and quarter < ${DateTime.toDate(until)}`
  const list = sql.literal(columns.join(", "))
  return sql`
    select quarter, ${list} from mail_totals where ${range}
    union all
    select quarter, ${list} from mail_total_deltas where ${range}`
}

/**
 * One row for each day with mail. A day has about 96 rows to add up, whatever its number of mails. The days are a
 * sub-select, because a parameter would be parsed for each row.
 */
export const daysStatement = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  starts: Array.NonEmptyReadonlyArray<DateTime.Utc>
) => sql`
  select width_bucket(quarter, (select ${starts.map(DateTime.formatIso)}::timestamptz[])) - 1 as day, ${sql.literal(added(counters))},
         sum(machine_opened)::int as "machineOpened", sum(machine_clicked)::int as "machineClicked"
  from (${keptIn(sql)(project, Array.headNonEmpty(starts), Array.lastNonEmpty(starts))}) as kept
  group by 1`

export const layerSql: Layer.Layer<MailTotals, never, SqlClient.SqlClient> = Layer.effect(
  MailTotals,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const list = sql.literal(columns.join(", "))
    const kept = keptIn(sql)

    const byDay = Effect.fn("MailTotals.byDay")(function* (project: ProjectId, starts: Days["starts"]) {
      if (!Array.isReadonlyArrayNonEmpty(starts)) return new Map<number, MailSums & MachineSums>()
      const rows = yield* Effect.flatMap(daysStatement(sql, project, starts), dayRows)
      return new Map(rows.map(({ day, ...counted }) => [day, counted]))
    }, Effect.orDie)

    /** Counts single mails, for less than a quarter of an hour. */
    const counted = (project: ProjectId, { from, until }: Window) => {
      const counts = Object.values(moments).map(
        (column) => sql`
          (select count(*) from emails
           where project_id = ${project} and ${sql(column)} >= ${DateTime.toDate(from)}
             and ${sql(column)} < ${DateTime.toDate(until)} and contact_id is not null and not test)`
      )
      return sql`select ${sql.csv(counts)}`
    }

    const within = Effect.fn("MailTotals.within")(function* (project: ProjectId, { from, until }: Window) {
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

    const rollUp = Effect.suspend(
      () => sql`
        with taken as (
          delete from mail_total_deltas where (project_id, quarter, id) in (
            select project_id, quarter, id from mail_total_deltas limit ${rollUpBatch} for update skip locked
          )
          returning *
        ),
        rolled as (
          insert into mail_totals as held (project_id, quarter, ${list})
          select project_id, quarter, ${sql.literal(columns.map((name) => `sum(${name})`).join(", "))} from taken
          group by project_id, quarter order by project_id, quarter
          on conflict (project_id, quarter) do update set
            ${sql.literal(columns.map((name) => `${name} = held.${name} + excluded.${name}`).join(", "))}
        )
        select 1 from taken`
    ).pipe(
      // While mail is sent, new entries keep arriving. A batch that is not full is the last.
      Effect.repeat({ while: (taken) => taken.length === rollUpBatch }),
      Effect.asVoid,
      Effect.orDie,
      Effect.withSpan("MailTotals.rollUp")
    )

    return MailTotals.of({ byDay, within, rollUp })
  })
)

/** Caps and counters in PostgreSQL, served or embedded. */

import { BillingCategory, LimitedCategory } from "@posthorn/contract/accounts/billing/Billing"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { audited } from "../../platform/audit/Audited.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import { BillingStore, type Cap, usedOf } from "./BillingStore.ts"
import type { BillingPeriod } from "./Periods.ts"

const limit = Schema.NullOr(Schema.Int)
const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const termsRow = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      workflows: limit,
      campaigns: limit,
      transactional: limit,
      inbound: limit,
      start: moment,
      end: moment
    })
  ])
)
const counts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ category: BillingCategory, count: Schema.Int })))
const counters = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ category: LimitedCategory, used: Schema.NullOr(Schema.Int) }))
)
const projectRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ProjectId })))

const date = DateTime.toDate

const categorySql = (sql: SqlClient.SqlClient, sourceType: Statement.Fragment) => sql`
  case ${sourceType} when 'CAMPAIGN' then 'campaigns' when 'WORKFLOW' then 'workflows' else 'transactional' end`

/** Counters are always locked in this order, so that transactions do not deadlock. */
const byName = (caps: ReadonlyArray<Cap>) => caps.map(({ category }) => category).sort()

export const layer: Layer.Layer<BillingStore, never, SqlClient.SqlClient> = Layer.effect(
  BillingStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const audit = audited(sql)

    /** Parts of audiences whose emails are not stored yet. */
    const ofAudiences = (project: ProjectId) => sql`
      select 'campaigns', sum(cardinality(contacts)) from campaign_audiences as part
      where project_id = ${project} and exists (
        select from campaigns where campaigns.project_id = part.project_id and id = campaign_id and status = 'SENDING')`

    /** Emails of the ledger that count: all but test emails and emails that are cancelled or suppressed. */
    const ofLedger = (project: ProjectId, { start, end }: BillingPeriod) => sql`
      select ${categorySql(sql, sql`source_type`)} as category, count(*) as count from emails
      where project_id = ${project} and created_at >= ${date(start)} and created_at < ${date(end)} and not test
        and status not in ('CANCELLED', 'SUPPRESSED')
      group by 1
      union all
      ${ofAudiences(project)}`

    const ofCharges = (project: ProjectId, { start, end }: BillingPeriod) => sql`
      select category, count from billing_charges
      where project_id = ${project} and at >= ${date(start)} and at < ${date(end)}`

    const counted = (project: ProjectId, period: BillingPeriod) => sql`
      select category, coalesce(sum(count), 0)::int as count from (
        ${ofLedger(project, period)}
        union all
        ${ofCharges(project, period)}
      ) as each
      group by category`

    const usage = Effect.fn("BillingStore.usage")(function* (project: ProjectId, period: BillingPeriod) {
      const found = new Map((yield* counts(yield* counted(project, period))).map((row) => [row.category, row.count]))
      const of = (category: BillingCategory) => found.get(category) ?? 0
      return {
        workflows: of("workflows"),
        campaigns: of("campaigns"),
        transactional: of("transactional"),
        inbound: of("inbound")
      }
    }, Effect.orDie)

    const ofCounters = (project: ProjectId, { start }: BillingPeriod, caps: ReadonlyArray<Cap>) =>
      sql`project_id = ${project} and period_start = ${date(start)} and category in ${sql.in(byName(caps))}`

    /** The counters, less what was given back since they were counted. */
    const read = Effect.fnUntraced(function* (project: ProjectId, period: BillingPeriod, caps: ReadonlyArray<Cap>) {
      const found = yield* counters(
        yield* sql`
          select category, used - (select count(*)::int from billing_returns as back
                                   where back.project_id = held.project_id and back.category = held.category
                                     and back.period_start = held.period_start) as used
          from billing_usage as held where ${ofCounters(project, period, caps)}`
      )
      return new Map(found.map(({ category, used }) => [category, used]))
    })

    const hold = (project: ProjectId, period: BillingPeriod, caps: ReadonlyArray<Cap>) =>
      sql`
        select category, used from billing_usage where ${ofCounters(project, period, caps)}
        order by category for update`.pipe(Effect.flatMap(counters))

    const create = (project: ProjectId, { start, end }: BillingPeriod, caps: ReadonlyArray<Cap>) =>
      sql`
        insert into billing_usage (project_id, category, period_start, period_end)
        select ${project}::uuid, category, ${date(start)}::timestamptz, ${date(end)}::timestamptz
        from unnest(${byName(caps)}::text[]) as category order by category
        on conflict do nothing`

    /** One statement, so one snapshot: a return is deleted only if the count of the emails includes it. */
    const countAgain = (project: ProjectId, period: BillingPeriod, caps: ReadonlyArray<Cap>) =>
      sql`
        with counted as (${counted(project, period)}),
        forgotten as (delete from billing_returns where ${ofCounters(project, period, caps)})
        update billing_usage set used = (
          select coalesce(sum(count), 0)::int from counted
          where billing_usage.category in ('total', counted.category)
        )
        where ${ofCounters(project, period, caps)}`

    /** Creates missing counters, counts those without a count, and locks all of them until the transaction ends. */
    const holdCounted = Effect.fnUntraced(function* (
      project: ProjectId,
      period: BillingPeriod,
      caps: ReadonlyArray<Cap>
    ) {
      let held = yield* hold(project, period, caps)
      if (held.length < caps.length) {
        yield* create(project, period, caps)
        held = yield* hold(project, period, caps)
      }
      if (held.some(({ used }) => used === null)) yield* countAgain(project, period, caps)
    })

    const raise = (project: ProjectId, period: BillingPeriod, caps: ReadonlyArray<Cap>, count: number) =>
      sql`update billing_usage set used = used + ${count}::int where ${ofCounters(project, period, caps)}`

    // Locks the counters in the same order as every other transaction.
    const recount = (project: ProjectId) =>
      sql`
        with held as materialized (
          select category, period_start from billing_usage where project_id = ${project}
          order by category, period_start for update
        )
        update billing_usage set used = null from held
        where project_id = ${project} and billing_usage.category = held.category
          and billing_usage.period_start = held.period_start`.pipe(Effect.asVoid, Effect.orDie)

    /** A counter, less what was given back since it was counted. */
    const heldUsed = sql`(
      held.used - (select count(*) from billing_returns as back
                   where back.project_id = held.project_id and back.category = held.category
                     and back.period_start = held.period_start))`

    /** The difference of a counter to the kept totals of emails, which count those of all time, and to charges. */
    const drift = (project: ProjectId, period: BillingPeriod) => sql`(
      ${heldUsed} - coalesce((
        select sum(count) from (
          select ${categorySql(sql, sql`key[2]`)} as category, count
          from ${rowCounts(sql, project, "emails")} as kept
          where key[1] not in ('CANCELLED', 'SUPPRESSED')
          union all
          ${ofAudiences(project)}
          union all
          ${ofCharges(project, period)}
        ) as kept where held.category in ('total', kept.category)
      ), 0))`

    return BillingStore.of({
      terms: Effect.fn("BillingStore.terms")(function* (project) {
        const [{ start, end, ...caps }] = yield* termsRow(
          yield* sql`
            select workflows, campaigns, transactional, inbound, period_start as start, period_end as end
            from (select ${project}::uuid as project_id) as asked
            left join billing_limits using (project_id)
            left join billing_accounts on billing_accounts.project_id = asked.project_id and subscription_id is not null`
        )
        return { caps, subscription: start === null || end === null ? undefined : { start, end } }
      }, Effect.orDie),
      setCaps: (project, caps) =>
        audit(
          Effect.gen(function* () {
            yield* sql`insert into billing_limits (project_id) values (${project}) on conflict do nothing`
            yield* sql`
              update billing_limits as stored set (workflows, campaigns, transactional, inbound) = (
                select workflows, campaigns, transactional, inbound
                from jsonb_populate_record(stored, ${JSON.stringify(caps)}::text::jsonb)
              )
              where project_id = ${project}`
          }).pipe(Effect.orDie),
          () => ({ project, action: "billing.limits_changed", details: { ...caps } })
        ),
      usage,
      used: Effect.fn("BillingStore.used")(function* (project, period, caps) {
        // Inbound mail raises no counter.
        const counting = caps.filter(({ category }) => category !== "inbound")
        const held =
          counting.length === 0
            ? new Map<LimitedCategory, number | null>()
            : yield* sql.withTransaction(
                Effect.andThen(holdCounted(project, period, counting), read(project, period, counting))
              )
        const [inbound] = yield* counts(
          yield* sql`
            select 'inbound' as category, coalesce(sum(count), 0)::int as count
            from (${ofCharges(project, period)}) as charge where category = 'inbound'`
        )
        return caps.map((cap) => ({
          ...cap,
          used: cap.category === "inbound" ? (inbound?.count ?? 0) : (held.get(cap.category) ?? 0)
        }))
      }, Effect.orDie),
      excess: Effect.fn("BillingStore.excess")(function* (project, period, caps, count) {
        const found = yield* read(project, period, caps)
        const isKnown = caps.every(({ category }) => typeof found.get(category) === "number")
        const counted = isKnown ? undefined : yield* usage(project, period)
        return caps
          .map((cap) => ({ ...cap, used: counted ? usedOf(counted, cap.category) : (found.get(cap.category) ?? 0) }))
          .find(({ limit, used }) => used + count > limit)
      }, Effect.orDie),
      charge: Effect.fn("BillingStore.charge")(function* (project, period, caps, count) {
        yield* holdCounted(project, period, caps)
        // Only a statement that starts now sees the returns that were stored while this transaction waited.
        const found = yield* read(project, period, caps)
        const excess = caps
          .map((cap) => ({ ...cap, used: found.get(cap.category) ?? 0 }))
          .find(({ limit, used }) => used + count > limit)
        if (excess === undefined) yield* raise(project, period, caps, count)
        return excess
      }, Effect.orDie),
      giveBack: (project, period, caps, count) =>
        raise(project, period, caps, -count).pipe(Effect.asVoid, Effect.orDie),
      record: Effect.fn("BillingStore.record")(function* (project, { id, category, count }, now) {
        yield* sql`
          insert into billing_charges (project_id, category, at, id, count)
          values (${project}, ${category}, ${date(now)}, ${id}, ${count})`
        if (category !== "inbound") return
        yield* sql`
          insert into billing_meter (project_id, unit_id, at, due_at)
          select project_id, ${id}::uuid, ${date(now)}::timestamptz, ${date(now)}::timestamptz
          from billing_accounts where project_id = ${project} and subscription_id is not null`
      }, Effect.orDie),
      recount,
      recountIfWrong: Effect.fn("BillingStore.recountIfWrong")(function* (project, period) {
        const ofPeriod = sql`held.project_id = ${project} and held.period_start = ${date(period.start)}`
        const moved = yield* sql`
          select 1 from billing_usage as held
          where ${ofPeriod} and used is not null and drift is distinct from ${drift(project, period)} limit 1`
        if (moved.length === 0) return
        // One statement, so one snapshot, in which counters and emails agree.
        const wrong = yield* sql`
          with counted as materialized (${counted(project, period)}),
          wrong as materialized (
            select 1 from billing_usage as held
            where ${ofPeriod}
              and (select coalesce(sum(count), 0) from counted where held.category in ('total', counted.category))
                  <> ${heldUsed}
            limit 1
          ),
          seen as (
            update billing_usage as held set drift = ${drift(project, period)} where ${ofPeriod} and not exists (select from wrong)
          )
          select 1 from wrong`
        if (wrong.length > 0) yield* recount(project)
      }, Effect.orDie),
      // The id is that of the category, so a second call finds the row of the first.
      carryOver: (project, period, at) =>
        sql`
          insert into billing_charges (project_id, category, at, id, count)
          select ${project}::uuid, category, ${date(at)}::timestamptz, md5(category)::uuid, sum(count)
          from (${ofLedger(project, period)}) as each
          group by category having sum(count) > 0
          on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie),
      watched: (now) =>
        sql`
          select project_id as id from billing_limits
          where coalesce(workflows, campaigns, transactional, inbound) is not null
          union
          select project_id from billing_usage where period_end > ${date(now)}`.pipe(
          Effect.flatMap(projectRows),
          Effect.map((found) => found.map(({ id }) => id)),
          Effect.orDie
        ),
      firstWarning: (project, category, { start }) =>
        sql`
          insert into billing_warnings (project_id, category, period_start) values (${project}, ${category}, ${date(start)})
          on conflict do nothing returning category`.pipe(
          Effect.map((rows) => rows.length > 0),
          Effect.orDie
        ),
      sweep: Effect.fn("BillingStore.sweep")(function* (before) {
        yield* sql`
          with gone as (
            delete from billing_usage where period_end < ${date(before)} returning project_id, category, period_start
          )
          delete from billing_returns using gone
          where billing_returns.project_id = gone.project_id and billing_returns.category = gone.category
            and billing_returns.period_start = gone.period_start`
      }, Effect.orDie)
    })
  })
)

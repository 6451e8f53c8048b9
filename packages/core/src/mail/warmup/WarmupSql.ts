/** The stored warm-ups: reads them under a lock, ends their days, and lets mail go that was put off. */
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { WarmupLimits, WarmupPreset, WarmupStatus } from "@posthorn/contract/mail/domains/Warmup"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { projectEvent, recordServiceEvents } from "../../events/ServiceEvents.ts"
import { type Acting, recordAs } from "../../platform/audit/Audited.ts"
import { capOf, settledPlan, today } from "./WarmupPlan.ts"

const Row = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  domainId: DomainId,
  domain: Schema.String,
  /** Empty: all mail of the domain. */
  transport: Schema.String,
  preset: WarmupPreset,
  caps: Schema.Array(Schema.Int),
  startsOn: Schema.String,
  timezone: Schema.String,
  hours: Schema.NullOr(Schema.Struct({ from: Schema.String, to: Schema.String })),
  transactional: Schema.Literals(["EXEMPT", "COUNT"]),
  holdAt: WarmupLimits,
  pauseAt: WarmupLimits,
  status: WarmupStatus,
  step: Schema.Int,
  day: Schema.String,
  closed: Schema.Boolean,
  taken: Schema.Int,
  bounced: Schema.Int,
  complained: Schema.Int,
  deferred: Schema.Int,
  slots: Schema.Int,
  putOff: Schema.Int
})
export type StoredPlan = typeof Row.Type

const rows = Schema.decodeUnknownEffect(Schema.Array(Row))

const columns = `id, project_id as "projectId", domain_id as "domainId", domain, transport, preset, caps,
  starts_on as "startsOn", timezone, hours, transactional, hold_at as "holdAt", pause_at as "pauseAt", status, step, day,
  closed, taken, bounced, complained, deferred, slots, put_off as "putOff"`

type Failure = Schema.SchemaError | SqlError.SqlError

export const asJsonb = (sql: SqlClient.SqlClient, value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`

/** Says whether the project has a plan that is not completed. Its mail is claimed separately. */
export const markProject = (sql: SqlClient.SqlClient, project: ProjectId): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`
    update projects set warms_up = not warms_up
    where id = ${project} and warms_up <> exists (
      select from warmups where project_id = ${project} and status <> 'COMPLETED')`)

/** Mails that one statement lets go. */
const part = 5_000

/** Lets a part of the mails go that the plan had put off by `until`. Returns their number. */
export const releaseSome = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  plan: string,
  until: Statement.Fragment,
  now: Date
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql`
      with waiting as materialized (
        select project_id, id from emails
        where project_id = ${project} and put_off_by = ${plan}::uuid and status = 'PENDING' and updated_at ${until}
        limit ${part} for update skip locked
      ),
      going as (
        update emails set due_at = ${now}::timestamptz, put_off_by = null, updated_at = ${now}::timestamptz from waiting
        where emails.project_id = waiting.project_id and emails.id = waiting.id
        returning emails.id
      ),
      counted as (
        update warmups set put_off = greatest(0, put_off - (select count(*) from going)::int)
        where project_id = ${project} and id = ${plan}::uuid
      )
      select id from going`,
    (gone) => gone.length
  )

/** Lets the waiting mail of the domain go: campaigns at once, single mails in parts. */
export const release = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { domain, id, projectId }: Pick<StoredPlan, "domain" | "id" | "projectId">,
  now: Date
) {
  yield* sql`
    update mailings set held_until = null
    where project_id = ${projectId} and held_until is not null and split_part(from_email, '@', 2) = ${domain}`
  const gone = yield* releaseSome(sql, projectId, id, sql`<= ${now}::timestamptz`, now)
  if (gone < part) return
  yield* sql`
    insert into warmup_releases (project_id, warmup_id, until) values (${projectId}, ${id}::uuid, ${now})
    on conflict (project_id, warmup_id) do update set until = excluded.until`
})

const releases = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: ProjectId, plan: Schema.String, until: Schema.DateTimeUtcFromDate }))
)

/** Lets go what `release` left. */
export const releaseAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, now: Date) {
  const waiting = yield* releases(
    yield* sql`select project_id as "projectId", warmup_id as plan, until from warmup_releases`
  )
  for (const { plan, projectId, until } of waiting) {
    const before = DateTime.toDate(until)
    while ((yield* releaseSome(sql, projectId, plan, sql`< ${before}::timestamptz`, now)) >= part);
    yield* sql`
      delete from warmup_releases
      where project_id = ${projectId} and warmup_id = ${plan}::uuid and until = ${before}::timestamptz`
  }
})

/** The plan in the answers, in webhooks and in the audit log. */
const named = ({ domain, domainId, step, transport }: StoredPlan) => ({
  domainId,
  domain,
  transport: transport === "" ? null : transport,
  step
})

/** Records that a plan was paused or completed. The administrators are written to by a job. */
const record = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  plan: StoredPlan,
  change:
    | { readonly name: "domain.warmup_paused"; readonly reason: string }
    | { readonly name: "domain.warmup_completed" },
  now: Date
) {
  const { name, ...more } = change
  yield* recordServiceEvents(
    sql,
    projectEvent(sql, plan.projectId, name, { ...named(plan), ...more }),
    DateTime.makeUnsafe(now.getTime())
  )
  yield* sql`
    update warmups set notice = ${"reason" in more ? more.reason : "completed"}
    where project_id = ${plan.projectId} and id = ${plan.id}::uuid`
})

const service: Acting = { actor: "service", user: null }

const save = (sql: SqlClient.SqlClient, plan: StoredPlan) =>
  sql`
    update warmups set status = ${plan.status}, step = ${plan.step}, day = ${plan.day}, closed = ${plan.closed},
           taken = ${plan.taken}, bounced = ${plan.bounced}, complained = ${plan.complained},
           deferred = ${plan.deferred}, slots = ${plan.slots}, look_at = ${new Date(today(plan).ends)}
    where project_id = ${plan.projectId} and id = ${plan.id}::uuid`

/** Pauses the locked plan, by hand or because of a rate. */
export const pause = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  plan: StoredPlan,
  reason: string,
  by: Acting,
  now: Date
) {
  const paused: StoredPlan = { ...plan, status: "PAUSED", closed: true }
  yield* save(sql, paused)
  yield* record(sql, paused, { name: "domain.warmup_paused", reason }, now)
  yield* recordAs(sql, by, { project: plan.projectId, action: "warmup.paused", details: { ...named(plan), reason } })
  return paused
})

/** The same step begins again on the next local day. */
export const resume = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, plan: StoredPlan, by: Acting) {
  const resumed: StoredPlan = { ...plan, status: "ACTIVE" }
  yield* save(sql, resumed)
  yield* recordAs(sql, by, { project: plan.projectId, action: "warmup.resumed", details: named(plan) })
  return resumed
})

/** Records that the plan was set or removed. */
export const recordUpdate = (sql: SqlClient.SqlClient, plan: StoredPlan, by: Acting, removed: boolean) =>
  recordAs(sql, by, {
    project: plan.projectId,
    action: "warmup.updated",
    details: { ...named(plan), preset: plan.preset, cap: capOf(plan), removed }
  })

/** Ends the days of the locked plan that are over, and pauses it if a rate asks for it. */
const settle = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, before: StoredPlan, now: Date) {
  const { completed, days, pausedBy, plan } = settledPlan(before, now.getTime())
  const after: StoredPlan = { ...before, ...plan }
  if (days.length > 0) {
    yield* sql`
      insert into warmup_days as kept (project_id, warmup_id, day, step, cap, sent, bounced, complained, deferred, result)
      select ${before.projectId}, ${before.id}::uuid, day, step, cap, taken, bounced, complained, deferred, result
      from jsonb_to_recordset(${asJsonb(sql, days)}) as ended(
        day text, step int, cap int, taken int, bounced int, complained int, deferred int, result text)
      on conflict (project_id, warmup_id, day) do update set
        step = excluded.step, cap = excluded.cap, sent = kept.sent + excluded.sent,
        bounced = kept.bounced + excluded.bounced, complained = kept.complained + excluded.complained,
        deferred = kept.deferred + excluded.deferred, result = excluded.result`
  }
  yield* save(sql, after)
  if (pausedBy !== undefined) {
    // The plan of the moment at which it was paused: the days after it are in `after`.
    yield* record(sql, before, { name: "domain.warmup_paused", reason: pausedBy }, now)
    const details = { ...named(before), reason: pausedBy }
    yield* recordAs(sql, service, { project: before.projectId, action: "warmup.paused", details })
  }
  if (completed) {
    yield* record(sql, after, { name: "domain.warmup_completed" }, now)
    yield* release(sql, after, now)
    yield* markProject(sql, before.projectId)
  }
  return after
})

/** The rows of a statement that locks plans, settled. */
const settleAll = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  locking: Statement.Statement<unknown>,
  now: Date
): Effect.fn.Return<ReadonlyArray<StoredPlan>, Failure> {
  const due = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ isDue: Schema.Boolean })))
  const found = yield* locking
  const flags = yield* due(found)
  return yield* Effect.forEach(yield* rows(found), (plan, at) =>
    flags[at]?.isDue === true && plan.status !== "COMPLETED" ? settle(sql, plan, now) : Effect.succeed(plan)
  )
})

const locked = (sql: SqlClient.SqlClient, now: Date) =>
  sql`select ${sql.literal(columns)}, look_at <= ${now}::timestamptz as "isDue" from warmups`

/** The plans of a project that are not completed, locked and settled. */
export const plansOf = (sql: SqlClient.SqlClient, project: ProjectId, now: Date) =>
  Effect.map(
    settleAll(
      sql,
      sql`${locked(sql, now)} where project_id = ${project} and status <> 'COMPLETED' order by id for update`,
      now
    ),
    (plans) => plans.filter(({ status }) => status !== "COMPLETED")
  )

/** The plan, locked and settled. */
export const planOf = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  domain: DomainId,
  transport: string,
  now: Date
): Effect.Effect<StoredPlan | undefined, Failure> =>
  Effect.map(
    settleAll(
      sql,
      sql`${locked(sql, now)} where project_id = ${project} and domain_id = ${domain} and transport = ${transport} for update`,
      now
    ),
    ([plan]) => plan
  )

/** The plans of a domain, locked and settled: the one of all mail first. */
export const plansOfDomain = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  domain: DomainId,
  now: Date
): Effect.Effect<ReadonlyArray<StoredPlan>, Failure> =>
  Effect.map(
    settleAll(
      sql,
      sql`${locked(sql, now)} where project_id = ${project} and domain_id = ${domain} order by id for update`,
      now
    ),
    (plans) => plans.toSorted((one, other) => (one.transport < other.transport ? -1 : 1))
  )

/** Plans that one look settles. */
const looksAtOnce = 50

/** Settles plans whose day is over, or whose figures have changed. Returns their number. */
export const settleDue = (sql: SqlClient.SqlClient, now: Date): Effect.Effect<number, Failure> =>
  sql.withTransaction(
    Effect.map(
      settleAll(
        sql,
        sql`
          ${locked(sql, now)} where status <> 'COMPLETED' and look_at <= ${now}::timestamptz
          order by project_id, id limit ${looksAtOnce} for update skip locked`,
        now
      ),
      (plans) => plans.length
    )
  )

/** Stores the plan as it is set. */
export const put = (sql: SqlClient.SqlClient, plan: StoredPlan): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`
    insert into warmups (project_id, id, domain_id, domain, transport, preset, caps, starts_on, timezone, hours,
      transactional, hold_at, pause_at, status, step, day, look_at, closed, taken, bounced, complained, deferred, slots)
    values (${plan.projectId}, ${plan.id}::uuid, ${plan.domainId}, ${plan.domain}, ${plan.transport}, ${plan.preset},
      ${plan.caps}::int[], ${plan.startsOn}, ${plan.timezone},
      ${plan.hours === null ? sql`null` : asJsonb(sql, plan.hours)}, ${plan.transactional}, ${asJsonb(sql, plan.holdAt)},
      ${asJsonb(sql, plan.pauseAt)}, ${plan.status}, ${plan.step}, ${plan.day}, ${new Date(today(plan).ends)},
      ${plan.closed}, ${plan.taken}, ${plan.bounced}, ${plan.complained}, ${plan.deferred}, ${plan.slots})
    on conflict (project_id, id) do update set
      (preset, caps, starts_on, timezone, hours, transactional, hold_at, pause_at, status, step, day, look_at, closed,
       taken, bounced, complained, deferred, slots) =
      (excluded.preset, excluded.caps, excluded.starts_on, excluded.timezone, excluded.hours, excluded.transactional,
       excluded.hold_at, excluded.pause_at, excluded.status, excluded.step, excluded.day, excluded.look_at,
       excluded.closed, excluded.taken, excluded.bounced, excluded.complained, excluded.deferred, excluded.slots)`)

/** The warm-ups of sender domains: sets, pauses and shows the plans. */
import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import {
  defaultHoldAt,
  defaultPauseAt,
  type SetWarmup,
  type Warmup,
  WarmupDay,
  type WarmupLimits,
  type WarmupQuery,
  warmupPresets
} from "@posthorn/contract/mail/domains/Warmup"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { inText } from "../../accounts/systemmail/Names.ts"
import { SystemMail, systemEmail, type UnaddressedEmail } from "../../accounts/systemmail/SystemMail.ts"
import { acting } from "../../platform/audit/Audited.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { dateAt, daysAfter } from "./WarmupDay.ts"
import { capOf, completesOn, freeAt } from "./WarmupPlan.ts"
import * as WarmupSql from "./WarmupSql.ts"

/** Manages the warm-ups of sender domains. A job ends their days. */
export interface Warmups {
  /** The plan of all mail of the domain first, then those of its transports. */
  readonly list: (project: ProjectId, id: DomainId) => Effect.Effect<ReadonlyArray<Warmup>, ResourceNotFound>
  readonly get: (project: ProjectId, id: DomainId, query: WarmupQuery) => Effect.Effect<Warmup, ResourceNotFound>
  /** Replaces the plan. The step stays if the caps do. */
  readonly set: (
    project: ProjectId,
    id: DomainId,
    query: WarmupQuery,
    input: SetWarmup
  ) => Effect.Effect<Warmup, ResourceNotFound | ValidationError>
  /** The mail that waits is due at once. */
  readonly remove: (project: ProjectId, id: DomainId, query: WarmupQuery) => Effect.Effect<void, ResourceNotFound>
  readonly pause: (project: ProjectId, id: DomainId, query: WarmupQuery) => Effect.Effect<Warmup, ResourceNotFound>
  readonly resume: (project: ProjectId, id: DomainId, query: WarmupQuery) => Effect.Effect<Warmup, ResourceNotFound>
  /** Ends days that are over, lets mail go that waits no more, and writes to administrators. */
  readonly advance: Effect.Effect<void>
}

const serverLabel = /^smtp[1-9]\d?$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The longest time ahead at which a plan begins. */
const maxDaysAhead = 366
/** Days in an answer. */
const maxDays = 400

const noPlan = (id: string) => new ResourceNotFound({ resource: "warmup", id })
const noDomain = (id: string) => new ResourceNotFound({ resource: "domain", id })

const dayRows = Schema.decodeUnknownEffect(Schema.Array(WarmupDay))
const waitingRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ pending: Schema.Int })]))
const domainRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ domain: Schema.String })))
const zoneRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ timezone: Schema.String })]))
const noticeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      projectId: ProjectId,
      domain: Schema.String,
      step: Schema.Int,
      notice: Schema.String
    })
  )
)

const limitsOf = (given: SetWarmup["holdAt"], defaults: WarmupLimits): WarmupLimits => ({
  bounceRate: given?.bounceRate ?? defaults.bounceRate,
  complaintRate: given?.complaintRate ?? defaults.complaintRate,
  deferralRate: given?.deferralRate ?? defaults.deferralRate
})

const areEqual = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) =>
  one.length === other.length && one.every((cap, at) => cap === other[at])

const reasons: { readonly [reason: string]: string } = {
  manual: "It was paused by hand.",
  bounceRate: "Too many of its mails bounced today.",
  complaintRate: "Too many recipients of its mails complained today.",
  deferralRate: "Too many of its mails were deferred by servers today."
}

const changedEmail = (project: string, domain: string, step: number, notice: string): UnaddressedEmail =>
  notice === "completed"
    ? systemEmail(
        "The warm-up of a domain is completed",
        `The warm-up of the domain ${inText(domain)} of the project ${inText(project)} is completed. The domain has no daily cap any more.`,
        "`posthorn domains warmup` shows every day."
      )
    : systemEmail(
        "The warm-up of a domain is paused",
        `The warm-up of the domain ${inText(domain)} of the project ${inText(project)} is paused at step ${step}. ${reasons[notice] ?? ""} Campaigns and other bulk mail of the domain wait; transactional mail does not.`,
        "Find the cause, for example in the health of the domain. Then resume the warm-up: the same step begins again on the next day."
      )

export type Needs =
  | Accounts
  | Projects
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SystemMail
  | Transaction
  | Wakeups

export const make: Effect.Effect<Warmups, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const { mail } = yield* Wakeups
  const { administrators } = yield* Accounts
  const { getCached } = yield* Projects
  const { post } = yield* SystemMail

  const dateNow = Effect.map(DateTime.now, DateTime.toDate)

  /** The name of the domain. With a lock, nobody removes it or sets another plan of it until the transaction ends. */
  const find = Effect.fnUntraced(function* (project: ProjectId, id: DomainId, lock = sql``) {
    const [found] = yield* Effect.orDie(
      Effect.flatMap(sql`select domain from domains where project_id = ${project} and id = ${id} ${lock}`, domainRows)
    )
    return found === undefined ? yield* noDomain(id) : found.domain
  })

  const view = Effect.fnUntraced(function* (
    plan: WarmupSql.StoredPlan,
    now: Date
  ): Effect.fn.Return<Warmup, Schema.SchemaError | SqlError.SqlError> {
    const days = yield* Effect.flatMap(
      sql`
          select day as date, step, cap, sent, bounced, complained, deferred, result from warmup_days
          where project_id = ${plan.projectId} and warmup_id = ${plan.id}::uuid order by day desc limit ${maxDays}`,
      dayRows
    )
    // The counters of the campaigns, and their deltas that are not added yet.
    const [{ pending }] = yield* Effect.flatMap(
      sql`
          with open as materialized (
            select campaign_id from mailings
            where project_id = ${plan.projectId} and is_open and split_part(from_email, '@', 2) = ${plan.domain}
          )
          select coalesce(sum(pending), 0)::int as pending from (
            select pending from campaign_counts
            where project_id = ${plan.projectId} and campaign_id in (select campaign_id from open)
            union all
            select pending from campaign_deltas
            where project_id = ${plan.projectId} and campaign_id in (select campaign_id from open)
          ) as parts`,
      waitingRows
    )
    const isOver = plan.status === "COMPLETED"
    const { bounced, complained, deferred } = plan
    return {
      transport: plan.transport === "" ? null : plan.transport,
      preset: plan.preset,
      caps: plan.preset === "CUSTOM" ? plan.caps : null,
      startsOn: plan.startsOn,
      timezone: plan.timezone,
      hours: plan.hours,
      transactional: plan.transactional,
      holdAt: plan.holdAt,
      pauseAt: plan.pauseAt,
      status: plan.status,
      step: plan.step,
      cap: isOver ? null : capOf(plan),
      sentToday: plan.taken,
      freeNow: isOver ? null : freeAt(plan, now.getTime()),
      waiting: pending + plan.putOff,
      today: { bounced, complained, deferred },
      days: days.toReversed(),
      completesOn: completesOn(plan)
    }
  }, Effect.orDie)

  const labelOf = ({ transport }: WarmupQuery) => (transport ?? "").toLowerCase()

  /** The locked plan, settled. */
  const locked = Effect.fnUntraced(function* (project: ProjectId, id: DomainId, query: WarmupQuery, now: Date) {
    yield* find(project, id)
    const plan = yield* Effect.orDie(WarmupSql.planOf(sql, project, id, labelOf(query), now))
    return plan === undefined ? yield* noPlan(id) : plan
  })

  const get = Effect.fn("Warmups.get")(function* (project: ProjectId, id: DomainId, query: WarmupQuery) {
    const now = yield* dateNow
    return yield* view(yield* locked(project, id, query, now), now)
  }, transaction.run)

  const list = Effect.fn("Warmups.list")(function* (project: ProjectId, id: DomainId) {
    const now = yield* dateNow
    yield* find(project, id)
    const plans = yield* Effect.orDie(WarmupSql.plansOfDomain(sql, project, id, now))
    return yield* Effect.forEach(plans, (plan) => view(plan, now))
  }, transaction.run)

  const requireTransport = Effect.fnUntraced(function* (project: ProjectId, transport: string) {
    if (transport === "" || serverLabel.test(transport)) return
    const known = uuid.test(transport)
      ? yield* Effect.orDie(sql`select 1 from transports where project_id = ${project} and id = ${transport}::uuid`)
      : []
    if (known.length === 0) {
      const message = "Not a transport of the project, nor a label of the server such as smtp1."
      return yield* ValidationError.one("transport", "custom", message)
    }
  })

  const set = Effect.fn("Warmups.set")(function* (
    project: ProjectId,
    id: DomainId,
    query: WarmupQuery,
    input: SetWarmup
  ) {
    const now = yield* dateNow
    const domain = yield* find(project, id, sql`for no key update`)
    const transport = labelOf(query)
    yield* requireTransport(project, transport)
    const before = yield* Effect.orDie(WarmupSql.planOf(sql, project, id, transport, now))
    const [own] = yield* Effect.orDie(
      Effect.flatMap(sql`select timezone from projects where id = ${project}`, zoneRows)
    )
    const timezone = input.timezone ?? own.timezone
    const caps = input.preset === "CUSTOM" ? (input.caps ?? []) : warmupPresets[input.preset]
    const same = before !== undefined && before.preset === input.preset && areEqual(before.caps, caps)
    const today = dateAt(now.getTime(), timezone)
    const startsOn = input.startsOn ?? (same ? before.startsOn : today)
    if (startsOn > daysAfter(today, maxDaysAhead)) {
      return yield* ValidationError.one("startsOn", "custom", "At most a year ahead.")
    }
    const isAhead = startsOn > today
    const fresh = { taken: 0, bounced: 0, complained: 0, deferred: 0, slots: 0 }
    const plan: WarmupSql.StoredPlan = {
      // Another plan in its place does not free the cap of the day again.
      ...(before === undefined || isAhead ? fresh : before),
      id: before?.id ?? (yield* random.uuidV7()),
      putOff: before?.putOff ?? 0,
      projectId: project,
      domainId: id,
      ...{ domain, transport, preset: input.preset, caps, startsOn, timezone },
      hours: input.hours ?? null,
      transactional: input.transactional ?? "EXEMPT",
      holdAt: limitsOf(input.holdAt, defaultHoldAt),
      pauseAt: limitsOf(input.pauseAt, defaultPauseAt),
      status: same ? before.status : "ACTIVE",
      step: same ? before.step : 1,
      closed: same && before.closed,
      day: isAhead ? startsOn : today
    }
    yield* Effect.gen(function* () {
      yield* WarmupSql.put(sql, plan)
      yield* WarmupSql.markProject(sql, project)
      yield* WarmupSql.release(sql, plan, now)
      yield* WarmupSql.recordUpdate(sql, plan, yield* acting, false)
    }).pipe(Effect.orDie)
    yield* transaction.afterCommit(mail.wake)
    return yield* view(yield* locked(project, id, query, now), now)
  }, transaction.run)

  const remove = Effect.fn("Warmups.remove")(function* (project: ProjectId, id: DomainId, query: WarmupQuery) {
    const now = yield* dateNow
    const plan = yield* locked(project, id, query, now)
    yield* Effect.gen(function* () {
      yield* WarmupSql.release(sql, plan, now)
      yield* sql`delete from warmups where project_id = ${project} and id = ${plan.id}::uuid`
      yield* WarmupSql.markProject(sql, project)
      yield* WarmupSql.recordUpdate(sql, plan, yield* acting, true)
    }).pipe(Effect.orDie)
    yield* transaction.afterCommit(mail.wake)
  }, transaction.run)

  const pause = Effect.fn("Warmups.pause")(function* (project: ProjectId, id: DomainId, query: WarmupQuery) {
    const now = yield* dateNow
    const plan = yield* locked(project, id, query, now)
    if (plan.status !== "ACTIVE") return yield* view(plan, now)
    return yield* view(yield* Effect.orDie(WarmupSql.pause(sql, plan, "manual", yield* acting, now)), now)
  }, transaction.run)

  const resume = Effect.fn("Warmups.resume")(function* (project: ProjectId, id: DomainId, query: WarmupQuery) {
    const now = yield* dateNow
    const plan = yield* locked(project, id, query, now)
    if (plan.status !== "PAUSED") return yield* view(plan, now)
    return yield* view(yield* Effect.orDie(WarmupSql.resume(sql, plan, yield* acting)), now)
  }, transaction.run)

  /** Writes to the administrators about plans that were paused or completed. */
  const write = Effect.gen(function* () {
    const found = yield* noticeRows(
      yield* sql`
          select id, project_id as "projectId", domain, step, notice from warmups
          where notice is not null and project_id in (select id from projects where deleted_at is null)
          order by project_id, id limit 100 for update skip locked`
    )
    for (const { domain, id, projectId, step, notice } of found) {
      const { name } = yield* getCached(projectId)
      yield* post((yield* administrators(projectId)).map(changedEmail(name, domain, step, notice)))
      yield* sql`update warmups set notice = null where project_id = ${projectId} and id = ${id}::uuid`
    }
  })

  const advance = Effect.gen(function* () {
    const now = yield* dateNow
    while ((yield* WarmupSql.settleDue(sql, now)) > 0);
    yield* WarmupSql.releaseAll(sql, now)
    yield* transaction.run(Effect.orDie(write))
  }).pipe(Effect.orDie, Effect.withSpan("Warmups.advance"))

  return {
    list,
    get,
    set,
    remove,
    pause,
    resume,
    advance
  } satisfies Warmups
})

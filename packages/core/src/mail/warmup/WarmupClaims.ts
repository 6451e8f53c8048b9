/**
 * Claims mail of projects that warm up a domain. The counters of the plans rise in the transaction that takes the mail,
 * under a lock of the plans, so that no number of workers exceeds a cap, whenever they end.
 *
 * A mailing whose domain has nothing free is passed over by `mailings.held_until`, however many mails wait. Single mail
 * that must wait is put off, one by one, to a place of its own. Mail that was taken before is neither counted nor held
 * again, so that a retry does not wait for the next day.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { mailingHeld } from "../ledger/MailingHolds.ts"
import {
  bulkQueues,
  type Counted,
  closedQueues,
  hasDueBulk,
  hasDueInMailing,
  maxDeaths,
  notHeld,
  unplannedTime,
  weight
} from "../sending/ClaimSql.ts"
import { lockRooms, spendRoom } from "../sending/MailingRates.ts"
import type { QueueRoom } from "../shaping/ShapingState.ts"
import * as WarmupGate from "./WarmupGate.ts"
import { asJsonb, plansOf } from "./WarmupSql.ts"

/** The transport of the installation that is tried first. */
export const firstOfServer = "smtp1"

/** A mail to claim, and the transport that is tried first. */
export interface WantedMail {
  readonly id: string
  readonly transport: string
}

const Candidate = Schema.Struct({
  id: Schema.String,
  lane: Schema.Int,
  campaign: Schema.NullOr(Schema.String),
  domain: Schema.String,
  isReal: Schema.Boolean,
  waits: Schema.Boolean,
  isFresh: Schema.Boolean,
  queue: Schema.Int,
  isPutOff: Schema.Boolean
})
type Candidate = typeof Candidate.Type
const candidates = Schema.decodeUnknownEffect(Schema.Array(Candidate))

const candidateColumns = `
  emails.project_id, emails.id, lane, campaign_id as campaign, split_part(from_email, '@', 2) as domain,
  mode = 'LIVE' and not test as "isReal", type <> 'TRANSACTIONAL' or source_type = 'CAMPAIGN' as waits,
  claim = 0 as "isFresh", emails.queue, due_at, put_off_by is not null as "isPutOff"`

const mailingRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ campaign: Schema.String, domain: Schema.String, isHeld: Schema.Boolean, weight: Schema.Number })
  )
)

/** Mailings of a project that one claim looks at. */
const maxMailings = 50
/** Single mails that one claim puts off, at least. */
const leastPutOff = 200

/** Whether a mailing has mail that may be looked at: any, or while it is held, mail that was taken before. */
const hasMail = (sql: SqlClient.SqlClient, now: Date) => {
  const due = sql`
    emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id and status = 'PENDING'
    and lane = 2 and due_at <= ${unplannedTime(sql, now)}`
  return sql`
    (${notHeld(sql, now)} and ${hasDueInMailing(sql, now)}
     or exists (select from emails where ${due} and claim > 0))`
}

/** Projects that warm up a domain and have due mail that is not held, without a rate and without routes. */
export const warmingProjects = (
  sql: SqlClient.SqlClient,
  { defaultRate, limit, now, pivot }: { defaultRate: number; limit: number; now: Date; pivot: string }
): Statement.Fragment => sql`
  select id from projects
  where warms_up and disabled_reason is null and mail_routes is null
    and coalesce(send_rate_per_second, ${sql.literal(String(defaultRate))}) = 0
    and (exists (select from emails where emails.project_id = projects.id and status = 'PENDING' and lane = 0
                 and due_at <= ${unplannedTime(sql, now)})
         or ${hasDueBulk(sql, sql`projects.id`, now)}
         or exists (select from mailings where mailings.project_id = projects.id and is_open
                    and ${hasMail(sql, now)}))
  order by id < ${pivot}::uuid, id limit ${sql.literal(String(limit))}`

/** Due transactional mails of a project, locked. */
const inTransactional = (sql: SqlClient.SqlClient, project: ProjectId, limit: number, now: Date) => sql`
  select ${sql.literal(candidateColumns)} from emails
  where project_id = ${project}::uuid and status = 'PENDING' and lane = 0
    and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
  order by due_at, id limit ${limit} for update skip locked`

/** Due bulk single mails of a project, locked, without those of closed queues. */
const inBulk = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  limit: number,
  now: Date,
  closed: ReadonlyArray<number>
) => sql`
  select mail.* from ${bulkQueues(sql, sql`${project}::uuid`)} as listed cross join lateral (
    select ${sql.literal(candidateColumns)} from emails
    where project_id = ${project}::uuid and status = 'PENDING' and lane = 1 and emails.queue = listed.queue
      and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
    order by due_at, id limit ${limit} for update skip locked
  ) as mail
  where listed.queue <> all(${closed}::smallint[])
  order by mail.due_at, mail.id limit ${limit}`

/** Due mails of mailings that were taken before, locked: of each at most its share. */
const inMailingsAgain = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaigns: ReadonlyArray<string>,
  shareOf: (campaign: string) => number,
  now: Date,
  closed: ReadonlyArray<number>
) => sql`
  select mail.* from unnest(${campaigns}::uuid[], ${campaigns.map(shareOf)}::int[]) as mailing(id, share)
  cross join lateral (
    select ${sql.literal(candidateColumns)} from emails
    where status = 'PENDING' and lane = 2 and emails.project_id = ${project}::uuid
      and emails.campaign_id = mailing.id and due_at <= ${now}::timestamptz and deaths < ${maxDeaths} and claim > 0
      and emails.queue <> all(${closed}::smallint[])
    order by due_at, id limit mailing.share for update skip locked
  ) as mail`

/** Due mails of mailings, locked: of each queue of each at most its share, without closed queues. */
const inMailings = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaigns: ReadonlyArray<string>,
  shareOf: (campaign: string) => number,
  now: Date,
  closed: ReadonlyArray<number>
) => sql`
  select mail.* from unnest(${campaigns}::uuid[], ${campaigns.map(shareOf)}::int[]) as mailing(id, share)
  join mailings on mailings.project_id = ${project}::uuid and mailings.campaign_id = mailing.id
  cross join lateral unnest(mailings.queues) as listed (queue) cross join lateral (
    select ${sql.literal(candidateColumns)} from emails
    where status = 'PENDING' and lane = 2 and emails.project_id = ${project}::uuid
      and emails.campaign_id = mailings.campaign_id and emails.queue = listed.queue
      and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
    order by due_at, id limit mailing.share for update skip locked
  ) as mail
  where listed.queue <> all(${closed}::smallint[])
  order by mail.due_at, mail.id`

/** What becomes of the candidates, before it is stored. */
const decisions = (gate: WarmupGate.WarmupGate, room: number, queues: ReadonlyArray<QueueRoom>) => {
  /** The room that is left in each queue with a limit. */
  const left = new Map(queues.map(({ queue, room }) => [queue, room]))
  /** The mails that each campaign with a rate may send, and those that it sends. */
  const rooms = new Map<string, number>()
  const sent = new Map<string, number>()
  const counted: Array<Counted> = []
  const putOff: Array<{ id: string; until: Date; plan: string; isNew: boolean }> = []
  const held = new Map<string, Date>()

  const hold = (campaign: string, domain: string, transport: string) =>
    void held.set(campaign, gate.opensAt(domain, transport))

  const look = (mail: Candidate, transport: string) => {
    if (
      counted.length >= room ||
      (mail.campaign !== null && mail.lane === 2 && mail.isFresh && held.has(mail.campaign))
    )
      return
    const rated = mail.lane === 2 ? mail.campaign : null
    const taken = rated === null ? 0 : (sent.get(rated) ?? 0)
    if (rated !== null && taken >= (rooms.get(rated) ?? Number.POSITIVE_INFINITY)) return
    const queueRoom = mail.lane === 0 ? undefined : left.get(mail.queue)
    if (queueRoom !== undefined && queueRoom < 1) return
    const passage = gate.pass(mail, transport)
    if (passage.passes) {
      if (rated !== null && rooms.has(rated)) sent.set(rated, taken + 1)
      const begins = mail.waits && passage.plans.length > 0
      if (queueRoom !== undefined) left.set(mail.queue, queueRoom - 1)
      return void counted.push({ id: mail.id, plans: passage.plans, begins })
    }
    if (mail.lane === 2 && mail.campaign !== null) return hold(mail.campaign, mail.domain, transport)
    const place = gate.putOff(passage.by)
    if (place !== undefined) putOff.push({ id: mail.id, ...place, isNew: !mail.isPutOff })
  }

  return { counted, putOff, held, rooms, sent, hold, look, left: () => room - counted.length }
}
type Decisions = ReturnType<typeof decisions>

/** Stores the counters, and what waits. */
const store = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  gate: WarmupGate.WarmupGate,
  { held, putOff, sent }: Decisions,
  now: Date
) {
  for (const { id, slots, taken } of gate.changed()) {
    const added = putOff.filter(({ isNew, plan }) => isNew && plan === id).length
    yield* sql`
      update warmups set taken = ${taken}, slots = ${slots}, put_off = put_off + ${added}::int
      where project_id = ${project} and id = ${id}::uuid`
  }
  for (const [campaign, taken] of sent) yield* spendRoom(sql, project, campaign, taken, now)
  if (putOff.length > 0) {
    yield* sql`
      update emails set due_at = later.until, put_off_by = coalesce(put_off_by, later.plan),
             updated_at = ${now}::timestamptz,
             holds = (select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(coalesce(holds, '[]')) as earlier (entry)
                      where entry ->> 'reason' <> 'WARMUP')
               || jsonb_build_array(jsonb_build_object('reason', 'WARMUP', 'until', later.until, 'at', coalesce(
                 (select entry -> 'at' from jsonb_array_elements(coalesce(holds, '[]')) as earlier (entry)
                  where entry ->> 'reason' = 'WARMUP'), to_jsonb(${now}::timestamptz))))
      from jsonb_to_recordset(${asJsonb(sql, putOff)}) as later(id uuid, until timestamptz, plan uuid)
      where emails.project_id = ${project} and emails.id = later.id`
  }
  // A mark of a try locks its mailing, and may wait for the plan. A mailing that is locked is held by a later claim.
  for (const [campaign, until] of held) {
    yield* sql`
      with free as materialized (
        select project_id, campaign_id from mailings
        where project_id = ${project} and campaign_id = ${campaign}::uuid for no key update skip locked
      )
      update mailings set held_until = ${until}::timestamptz, holds = ${mailingHeld(sql, "WARMUP", now, until)} from free
      where mailings.project_id = free.project_id and mailings.campaign_id = free.campaign_id`
  }
})

const decode = (statement: Statement.Statement<unknown>) => Effect.flatMap(statement, candidates)

/** Looks for at most `room` mails of a project that may leave by the transports of the installation. Joins the caller's transaction. */
export const pick = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  room: number,
  now: Date,
  rooms: ReadonlyArray<QueueRoom>
) {
  const gate = WarmupGate.make(yield* plansOf(sql, project, now), now)
  const decided = decisions(gate, room, rooms)
  const closed = closedQueues(rooms)
  for (const mail of yield* decode(inTransactional(sql, project, room, now))) decided.look(mail, firstOfServer)
  if (decided.left() > 0) {
    const limit = Math.max(decided.left(), leastPutOff)
    for (const mail of yield* decode(inBulk(sql, project, limit, now, closed))) decided.look(mail, firstOfServer)
  }
  if (decided.left() > 0) {
    const mailings = yield* mailingRows(
      yield* sql`
        select campaign_id as campaign, split_part(from_email, '@', 2) as domain, not ${notHeld(sql, now)} as "isHeld",
               (${sql.literal(weight)})::float8 as weight
        from mailings where project_id = ${project} and is_open and ${hasMail(sql, now)}
        order by random() limit ${maxMailings}`
    )
    const total = mailings.reduce((sum, { weight }) => sum + weight, 0)
    const shares = new Map(
      mailings.map(({ campaign, weight }) => [campaign, Math.ceil((decided.left() * weight) / total)])
    )
    const ids = mailings.map(({ campaign }) => campaign)
    for (const [campaign, room] of yield* lockRooms(sql, project, ids, now)) decided.rooms.set(campaign, room)
    const shareOf = (campaign: string) =>
      Math.min(shares.get(campaign) ?? 1, decided.rooms.get(campaign) ?? Number.MAX_SAFE_INTEGER)
    const all: Array<string> = []
    const before: Array<string> = []
    for (const { campaign, domain, isHeld } of mailings) {
      const { fresh, retries } = gate.room(domain, firstOfServer)
      if (!isHeld && fresh > 0) all.push(campaign)
      else if (retries) before.push(campaign)
      if (!isHeld && fresh < 1) decided.hold(campaign, domain, firstOfServer)
    }
    if (before.length > 0) {
      for (const mail of yield* decode(inMailingsAgain(sql, project, before, shareOf, now, closed)))
        decided.look(mail, firstOfServer)
    }
    if (all.length > 0) {
      for (const mail of yield* decode(inMailings(sql, project, all, shareOf, now, closed)))
        decided.look(mail, firstOfServer)
    }
  }
  yield* store(sql, project, gate, decided, now)
  return decided.counted
})

/** Which of these mails may leave now. Joins the caller's transaction. */
export const pickThese = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  wanted: ReadonlyArray<WantedMail>,
  now: Date
) {
  const gate = WarmupGate.make(yield* plansOf(sql, project, now), now)
  const decided = decisions(gate, wanted.length, [])
  const found = yield* decode(sql`
    select ${sql.literal(candidateColumns)}
    from emails join projects on projects.id = emails.project_id
    where emails.project_id = ${project}::uuid and emails.id = any(${wanted.map(({ id }) => id)}::uuid[])
      and status = 'PENDING' and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
      and projects.disabled_reason is null
      and (lane < 2 or exists (
        select from mailings where mailings.project_id = emails.project_id
          and mailings.campaign_id = emails.campaign_id and is_open and (claim > 0 or ${notHeld(sql, now)})))
    for update of emails skip locked`)
  const campaigns = found.flatMap(({ campaign, lane }) => (lane === 2 && campaign !== null ? [campaign] : []))
  for (const [campaign, room] of yield* lockRooms(sql, project, [...new Set(campaigns)], now)) {
    decided.rooms.set(campaign, room)
  }
  const byId = new Map(found.map((mail) => [mail.id, mail]))
  for (const { id, transport } of wanted) {
    const mail = byId.get(id)
    if (mail !== undefined) decided.look(mail, transport)
  }
  yield* store(sql, project, gate, decided, now)
  return decided.counted
})

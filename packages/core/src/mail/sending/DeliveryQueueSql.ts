/** DeliveryQueue in PostgreSQL, on a server or embedded. */

import { DialogueMode } from "@posthorn/contract/accounts/projects/Project"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { SuppressionReason, TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import { EmailType } from "@posthorn/contract/content/templates/Template"
import { AttachmentInfo, EmailId, EmailMode, RecipientType, SourceType } from "@posthorn/contract/mail/emails/Email"
import { StoredTags } from "@posthorn/contract/mail/emails/Tags"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id, nilId } from "@posthorn/contract/platform/Primitives"
import { Array, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { anyOf, earliest, firstOf, nextDue } from "../../platform/jobs/Agenda.ts"
import { Settings } from "../../platform/Settings.ts"
import type { QueueRoom } from "../shaping/ShapingState.ts"
import { pick, pickThese, type WantedMail, warmingProjects } from "../warmup/WarmupClaims.ts"
import { settleDue } from "../warmup/WarmupSql.ts"
import {
  claimCounted,
  claimLane,
  claimMailings,
  claimProject,
  claimSuspect,
  claimThese,
  complete,
  hasDueBulk,
  hasDueInMailing,
  type QueueStart,
  routedProjects,
  unplannedTime,
  waitingInCampaigns,
  waitingInLane
} from "./ClaimSql.ts"
import { type ClaimedEmail, DeliveryQueue, Personal } from "./DeliveryQueue.ts"
import { mark } from "./MarkSql.ts"
import { reclaim } from "./ReclaimSql.ts"
import { providerId } from "./Replies.ts"
import type { Urgency } from "./RetryLadder.ts"

const nullable = Schema.NullOr(Schema.String)
const shownAddresses = Schema.Array(Schema.Struct({ email: Schema.String, name: nullable }))

const claimedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectId: ProjectId,
      id: EmailId,
      claim: Schema.Int,
      lane: Schema.Literals([0, 1, 2]),
      /** Null if it waits for a person. */
      dueAt: Schema.NullOr(Schema.Date),
      contactId: Schema.NullOr(ContactId),
      topicId: Schema.NullOr(Id),
      topic: Schema.NullOr(Schema.Struct({ key: Schema.String, name: Schema.String })),
      subscribed: Schema.NullOr(Schema.Boolean),
      refusal: Schema.NullOr(TakingRefusal),
      suppression: Schema.NullOr(SuppressionReason),
      mailing: nullable,
      personal: Schema.NullOr(Personal),
      ambiguousPolicy: Schema.Literals(["retry", "hold"]),
      smtpDialogue: DialogueMode,
      projectName: Schema.String,
      to: Schema.String,
      toName: nullable,
      from: Schema.String,
      fromName: nullable,
      replyTo: nullable,
      subject: nullable,
      html: nullable,
      text: nullable,
      type: EmailType,
      sourceType: SourceType,
      test: Schema.Boolean,
      mode: EmailMode,
      tracking: Schema.Boolean,
      headers: Schema.Record(Schema.String, Schema.String),
      tags: StoredTags,
      recipientType: RecipientType,
      groupId: nullable,
      messageId: nullable,
      shown: Schema.NullOr(Schema.Struct({ to: shownAddresses, cc: shownAddresses })),
      attachments: Schema.Array(Schema.Struct({ ...AttachmentInfo.fields, id: Schema.String })),
      templateId: nullable,
      templateVersion: Schema.NullOr(Schema.Int),
      campaignId: nullable,
      variant: nullable,
      workflowId: nullable,
      workflowExecutionId: nullable,
      provider: nullable,
      queue: Schema.Int,
      domainId: nullable,
      ownReturnPath: Schema.Boolean,
      attempts: Schema.Int,
      ladderStep: Schema.Int,
      breaks: Schema.Int,
      ambiguities: Schema.Int,
      ladderSince: Schema.DateTimeUtcFromDate,
      createdAt: Schema.DateTimeUtcFromDate,
      scheduledFor: Schema.NullOr(Schema.DateTimeUtcFromDate),
      linkHost: nullable,
      cappedSince: Schema.NullOr(Schema.DateTimeUtcFromDate)
    })
  )
)

const claimed = (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<ClaimedEmail>, Schema.SchemaError> =>
  Effect.map(claimedRows(rows), withUrgency)

const withUrgency = (rows: Effect.Success<ReturnType<typeof claimedRows>>): ReadonlyArray<ClaimedEmail> =>
  rows.map(({ lane, dueAt: _, ...mail }) => ({ ...mail, urgency: urgencyOf(lane) }))

/**
 * For how long a claim begins in a campaign where the last one ended. Mail before that place was given back, or is of a
 * part of the campaign that was made later.
 */
const startsFor = Duration.seconds(5)

const waitingRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: EmailId,
      dueAt: Schema.DateTimeUtcFromDate,
      from: Schema.String,
      type: EmailType,
      sourceType: SourceType,
      lane: Schema.Literals([0, 1, 2]),
      ladderSince: Schema.DateTimeUtcFromDate,
      queue: Schema.Int
    })
  )
)

const projectRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ProjectId })))

const urgencyOf = (lane: 0 | 1 | 2): Urgency => (lane === 0 ? "transactional" : "bulk")

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
const throttles = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ projectId: ProjectId, tokens: Schema.Finite, warmsUp: Schema.Boolean }))
)
const exceptionRows = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      rated: Schema.Boolean,
      warming: Schema.Array(ProjectId),
      isDue: Schema.Boolean,
      isShaped: Schema.Boolean
    })
  ])
)
const ruleRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ rated: Schema.Boolean, warmsUp: Schema.Boolean }))
)

/** Warming projects of which one claim takes mail. */
const maxWarming = 50
const attachmentRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.String, content: Schema.Uint8Array }))
)

/** The room that is left during a claim, as its parts take mail. */
interface Rooms {
  readonly left: () => ReadonlyArray<QueueRoom>
  readonly take: (mails: ReadonlyArray<ClaimedEmail>) => ReadonlyArray<ClaimedEmail>
}

const keepRooms = (given: ReadonlyArray<QueueRoom>): Rooms => {
  const left = new Map(given.map(({ queue, room }) => [queue, room]))
  return {
    left: () => [...left].map(([queue, room]) => ({ queue, room })),
    take: (mails) => {
      for (const { queue, urgency } of mails) {
        const room = left.get(queue)
        if (room !== undefined && urgency === "bulk") left.set(queue, room - 1)
      }
      return mails
    }
  }
}

/** The mails that may leave at once after a rest: those of a tenth of a second, at least one. */
const burst = `greatest(1, rate / 10.0)`

/**
 * Seconds for which a late claim makes up. Workers look twice a second while mail waits, and later on a busy machine, so
 * the time between two looks counts up to this. Then at most the mails of these seconds leave at once.
 */
const maxLate = 2

export const layer: Layer.Layer<
  DeliveryQueue,
  never,
  SecureRandom.SecureRandom | SqlClient.SqlClient | SuppressedAddress
> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const random = yield* SecureRandom.SecureRandom
    const settings = yield* Settings
    const suppressed = yield* SuppressedAddress

    /** The projects with a rate and due mail, and how many mails each may send now. The rows stay locked until the claim. */
    const refillThrottles = (now: Date, only?: ProjectId) =>
      sql`
        with rated as (
          select id as project_id, coalesce(send_rate_per_second, ${settings.sendRatePerSecond}::int)::float8 as rate
          from projects
          where coalesce(send_rate_per_second, ${settings.sendRatePerSecond}::int) > 0 and disabled_reason is null
            and ${only === undefined ? sql`mail_routes is null` : sql`id = ${only}`}
            and (exists (select from emails where project_id = projects.id and status = 'PENDING' and lane = 0
                         and due_at <= ${now}::timestamptz)
                 or ${hasDueBulk(sql, sql`projects.id`, now)}
                 or exists (select from mailings where mailings.project_id = projects.id and is_open
                            and ${hasDueInMailing(sql, now)}))
        )
        insert into send_throttles as throttle (project_id, tokens, at)
        select project_id, ${sql.literal(burst)}, ${now}::timestamptz from rated order by project_id
        on conflict (project_id) do update set
          tokens = (select least(
                      case when passed <= ${maxLate} then greatest(1, rate * ${maxLate}) else ${sql.literal(burst)} end,
                      throttle.tokens + rate * passed)
                    from rated, greatest(0, extract(epoch from excluded.at - throttle.at)::float8) as passed
                    where rated.project_id = throttle.project_id),
          at = greatest(throttle.at, excluded.at)
        returning project_id as "projectId", tokens,
          (select warms_up from projects where projects.id = project_id) as "warmsUp"`

    /** Claims mail of a project under the plans of its warm-ups. Joins the caller's transaction. */
    const claimWarm = Effect.fnUntraced(function* (
      worker: string,
      project: ProjectId,
      limit: number,
      now: Date,
      rooms: Rooms
    ) {
      const counted = yield* pick(sql, project, limit, now, rooms.left())
      if (counted.length === 0) return []
      return rooms.take(yield* claimed(yield* claimCounted(sql, suppressed, project, counted, { worker, now })))
    })

    const claimWarming = Effect.fnUntraced(function* (
      worker: string,
      projects: ReadonlyArray<ProjectId>,
      limit: number,
      now: Date,
      rooms: Rooms
    ) {
      const share = Math.ceil(limit / projects.length)
      const mails: globalThis.Array<ClaimedEmail> = []
      for (const project of projects) {
        const room = Math.min(share, limit - mails.length)
        if (room < 1) break
        mails.push(...(yield* sql.withTransaction(claimWarm(worker, project, room, now, rooms))))
      }
      return mails
    })

    const claimRated = Effect.fnUntraced(function* (worker: string, limit: number, now: Date, rooms: Rooms) {
      const mails: globalThis.Array<ClaimedEmail> = []
      for (const { projectId, tokens, warmsUp } of yield* throttles(yield* refillThrottles(now))) {
        const room = Math.min(Math.floor(tokens), limit - mails.length)
        if (room < 1) continue
        const taken = warmsUp
          ? yield* claimWarm(worker, projectId, room, now, rooms)
          : rooms.take(
              yield* claimed(
                yield* claimProject(sql, suppressed, projectId, { worker, limit: room, now, rooms: rooms.left() })
              )
            )
        yield* sql`update send_throttles set tokens = tokens - ${taken.length} where project_id = ${projectId}`
        mails.push(...taken)
      }
      return mails
    }, sql.withTransaction)

    const claimWanted = Effect.fnUntraced(function* (
      worker: string,
      project: ProjectId,
      wanted: ReadonlyArray<WantedMail>,
      warmsUp: boolean,
      now: Date
    ) {
      if (!warmsUp) {
        const ids = wanted.map(({ id }) => id)
        return yield* claimed(yield* claimThese(sql, suppressed, project, ids, { worker, now }))
      }
      const counted = yield* pickThese(sql, project, wanted, now)
      if (counted.length === 0) return []
      return yield* claimed(yield* claimCounted(sql, suppressed, project, counted, { worker, now }))
    })

    const claimOfProject = Effect.fnUntraced(function* (
      worker: string,
      project: ProjectId,
      wanted: ReadonlyArray<WantedMail>,
      now: Date
    ) {
      const [rule] = yield* ruleRows(
        yield* sql`
          select coalesce(send_rate_per_second, ${settings.sendRatePerSecond}::int) > 0 as rated, warms_up as "warmsUp"
          from projects where id = ${project}`
      )
      if (rule === undefined) return []
      if (!rule.rated) return yield* claimWanted(worker, project, wanted, rule.warmsUp, now)
      const [throttle] = yield* throttles(yield* refillThrottles(now, project))
      const room = Math.floor(throttle?.tokens ?? 0)
      if (room < 1) return []
      const taken = yield* claimWanted(worker, project, wanted.slice(0, room), rule.warmsUp, now)
      yield* sql`update send_throttles set tokens = tokens - ${taken.length} where project_id = ${project}`
      return taken
    }, sql.withTransaction)

    /** Asks indexes and tables that are empty in most installations, so that other claims need no further question. */
    const exceptions = (now: Date, pivot: string, defaultRate: number) =>
      Effect.map(
        Effect.flatMap(
          sql`
            select exists (select from projects where send_rate_per_second > 0) as rated,
                   array(${warmingProjects(sql, { defaultRate, limit: maxWarming, now, pivot })}) as warming,
                   exists (select from warmups where status <> 'COMPLETED' and look_at <= ${unplannedTime(sql, now)}) as "isDue",
                   exists (select from shaping)
                     or exists (select from mailbox_providers
                                where max_connections is not null or rate_per_minute is not null) as "isShaped"`,
          exceptionRows
        ),
        ([found]) => ({ ...found, rated: found.rated || settings.sendRatePerSecond > 0 })
      )

    /** By campaign and queue. */
    let starts = new Map<string, QueueStart>()
    let startsUntil = 0

    /** Claims mail of campaigns, from where the last claim of this process ended. */
    const claimCampaigns = Effect.fnUntraced(function* (
      given: Omit<Parameters<typeof claimMailings>[2], "rooms">,
      rooms: Rooms
    ) {
      const now = given.now.getTime()
      const isFresh = now <= startsUntil && startsUntil - now <= Duration.toMillis(startsFor)
      const known = isFresh ? starts : new Map<string, QueueStart>()
      const taken: globalThis.Array<ClaimedEmail> = []
      const take = Effect.fnUntraced(function* () {
        const claim = { ...given, limit: given.limit - taken.length, rooms: rooms.left() }
        const found = yield* claimedRows(yield* claimMailings(sql, suppressed, claim, [...known.values()]))
        for (const { mailing: campaign, queue, dueAt, id } of found) {
          if (campaign !== null && dueAt !== null) known.set(`${campaign} ${queue}`, { campaign, queue, dueAt, id })
        }
        taken.push(...rooms.take(withUrgency(found)))
      })
      let isWhole = known.size === 0
      yield* take()
      if (!isWhole && taken.length < given.limit) {
        isWhole = true
        known.clear()
        yield* take()
      }
      if (isWhole) startsUntil = now + Duration.toMillis(startsFor)
      starts = known
      return taken
    })

    const claim = Effect.fn("DeliveryQueue.claim")(function* (
      worker: string,
      limit: number,
      at: DateTime.Utc,
      roomsOf: (isShaped: boolean) => Effect.Effect<ReadonlyArray<QueueRoom>> = () => Effect.succeed([])
    ) {
      const now = DateTime.toDate(at)
      const pivot = yield* random.uuidV4()
      const defaultRate = settings.sendRatePerSecond
      const mails: globalThis.Array<ClaimedEmail> = []
      let found = yield* exceptions(now, pivot, defaultRate)
      if (found.isDue) {
        yield* settleDue(sql, now)
        found = yield* exceptions(now, pivot, defaultRate)
      }
      const { isShaped, rated, warming } = found
      const rooms = keepRooms(yield* roomsOf(isShaped))
      if (rated) mails.push(...(yield* claimRated(worker, limit, now, rooms)))
      if (warming.length > 0) {
        // The other projects get the other half.
        const half = Math.floor((limit - mails.length + (pivot < "8" ? 1 : 0)) / 2)
        if (half > 0) mails.push(...(yield* claimWarming(worker, warming, half, now, rooms)))
      }
      for (const lane of [0, 1] as const) {
        const room = limit - mails.length
        if (room < 1) break
        const given = { worker, lane, limit: room, now, pivot, defaultRate, rooms: rooms.left() }
        mails.push(...rooms.take(yield* claimed(yield* claimLane(sql, suppressed, given))))
      }
      const room = limit - mails.length
      if (room > 0) {
        mails.push(...(yield* claimCampaigns({ worker, limit: room, now, pivot, defaultRate }, rooms)))
      }
      if (mails.length < limit) mails.push(...(yield* claimed(yield* claimSuspect(sql, suppressed, { worker, now }))))
      return mails
    }, Effect.orDie)

    const claimedBySome = anyOf(sql, sql`emails where status = 'SENDING' order by worker`)

    return DeliveryQueue.of({
      heartbeat: (worker, lease) =>
        sql`
          insert into workers (id, started_at, lease_until)
          values (${worker}, clock_timestamp(), clock_timestamp() + make_interval(secs => ${Duration.toSeconds(lease)}))
          on conflict (id) do update set lease_until = excluded.lease_until`.pipe(Effect.asVoid, Effect.orDie),
      claim,
      nextDue: nextDue(
        earliest(sql, [
          firstOf(sql, sql`emails where status = 'PENDING' and lane = 0 order by project_id, due_at`),
          firstOf(sql, sql`emails where status = 'PENDING' and lane = 1 order by project_id, queue, due_at`),
          firstOf(
            sql,
            sql`emails where status = 'PENDING' and lane = 2 order by project_id, campaign_id, queue, due_at`
          ),
          claimedBySome,
          sql`select min(look_at) from warmups where status <> 'COMPLETED'`
        ])
      ),
      nextLost: nextDue(
        earliest(sql, [
          claimedBySome,
          sql`select min(due_at) from emails where status = 'AMBIGUOUS' and due_at < 'infinity'`,
          anyOf(sql, sql`workers where lease_until < clock_timestamp() - interval '1 minute'`)
        ])
      ),
      routed: Effect.fn("DeliveryQueue.routed")(function* (now) {
        const pivot = yield* random.uuidV4()
        const rows = yield* projectRows(yield* routedProjects(sql, pivot, DateTime.toDate(now)))
        return rows.map(({ id }) => id)
      }, Effect.orDie),
      waiting: Effect.fn("DeliveryQueue.waiting")(function* (project, part, limit, at, closed = []) {
        const now = DateTime.toDate(at)
        const rows = yield* waitingRows(
          yield* part === "campaigns"
            ? waitingInCampaigns(sql, project, limit, now, closed)
            : waitingInLane(
                sql,
                project,
                part.lane,
                part.after && { dueAt: DateTime.toDate(part.after.dueAt), id: part.after.id },
                limit,
                now,
                closed
              )
        )
        return rows.map(({ lane, ...mail }) => ({ ...mail, urgency: urgencyOf(lane) }))
      }, Effect.orDie),
      claimThese: Effect.fn("DeliveryQueue.claimThese")(function* (worker, project, wanted, now) {
        return wanted.length === 0 ? [] : yield* claimOfProject(worker, project, wanted, DateTime.toDate(now))
      }, Effect.orDie),
      peek: Effect.fnUntraced(function* (project, id) {
        const now = DateTime.toDate(yield* DateTime.now)
        const rows = yield* sql`
          with claimed as (select * from emails where project_id = ${project} and id = ${id})
          ${complete(sql, suppressed, now)}`
        return Array.head(yield* claimed(rows))
      }, Effect.orDie),
      attachments: Effect.fn("DeliveryQueue.attachments")(function* (project, wanted) {
        const rows = yield* attachmentRows(
          yield* sql`
            select id, content from email_attachments
            where project_id = ${project} and id = any(${wanted}::uuid[])`
        )
        return new Map(rows.map(({ id, content }) => [id, content]))
      }, Effect.orDie),
      mark: Effect.fn("DeliveryQueue.mark")(function* (worker, begun, settled) {
        const results = yield* Effect.forEach(settled, (settlement) =>
          Effect.map(settlement.event ? random.uuidV7() : Effect.succeed(null), (eventId) => ({
            ...settlement,
            eventId,
            providerId: settlement.status === "SENT" ? providerId(settlement.attempt?.reply ?? "") : null
          }))
        )
        const rows = yield* ids(yield* mark(sql, suppressed, worker, begun, results))
        return new Set(rows.map(({ id }) => id))
      }, Effect.orDie),
      release: (worker) =>
        sql`
          update emails set status = 'PENDING', worker = null
          where status = 'SENDING' and worker = ${worker}::uuid and begun_at is null`.pipe(Effect.asVoid, Effect.orDie),
      disown: (worker, held) =>
        sql`
          update emails set worker = ${nilId}::uuid
          where status = 'SENDING' and worker = ${worker}::uuid and id <> all(${held}::uuid[])`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      retire: (worker) =>
        sql`
          update workers set lease_until = clock_timestamp() - interval '1 second'
          where id = ${worker}`.pipe(Effect.asVoid, Effect.orDie),
      reclaim: (now) =>
        reclaim(sql, DateTime.toDate(now), settings.evidenceWait).pipe(
          Effect.map((rows) => rows.length),
          Effect.orDie
        ),
      evidenceOver: (now) =>
        // Another worker holds the skipped rows. Waiting for them while holding others could deadlock.
        sql`
          with expired as materialized (
            select project_id, id from emails
            where status = 'AMBIGUOUS' and due_at < 'infinity' and due_at <= ${DateTime.toDate(now)}::timestamptz
            for update skip locked
          )
          update emails set status = 'PENDING', due_at = ${DateTime.toDate(now)} from expired
          where emails.project_id = expired.project_id and emails.id = expired.id
          returning emails.id`.pipe(
          Effect.map((rows) => rows.length),
          Effect.orDie
        ),
      expireOthers: (worker) =>
        sql`
          update workers set lease_until = clock_timestamp() - interval '1 second'
          where id <> ${worker}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)

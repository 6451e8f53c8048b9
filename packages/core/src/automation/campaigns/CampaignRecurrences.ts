/**
 * Campaigns that recur. A draft has a schedule; each firing makes a campaign with what the draft says then, and schedules
 * it, in the transaction that moves the draft on to its next firing. So a process that dies makes the campaign and moves
 * on, or neither. The loops of campaigns start it.
 */
import { type Campaign, CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignRecurrence, SetRecurrence } from "@posthorn/contract/automation/campaigns/CampaignRecurrence"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { copyName } from "../../platform/CopyName.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { nextAfter, parse, type Schedule } from "../workflows/Schedules.ts"
import * as CampaignContents from "./CampaignContents.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { startsAt } from "./CampaignTiming.ts"

const minimumMinutes = 60

/** Campaigns with a firing to come, for each project. */
const mostRecurring = 50

/** A firing that was missed by more than this is dropped. */
const longestOutage = Duration.days(1)

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: CampaignId })))

/** A time of the schedule, and when its campaign is made. */
interface Occurrence {
  readonly at: DateTime.Utc
  readonly dueAt: DateTime.Utc
}

type Recurring = Pick<Campaign, "delivery"> & { readonly recurrence: CampaignRecurrence }

const before = (instant: DateTime.Utc) => DateTime.subtract(instant, { milliseconds: 1 })

/** The times of the schedule, until the end of the recurrence. */
function* occurrences(
  { delivery, recurrence }: Recurring,
  schedule: Schedule,
  after: DateTime.Utc
): Generator<Occurrence> {
  const { endsAt, timezone } = recurrence
  for (let at = nextAfter(schedule, after); ; at = nextAfter(schedule, at)) {
    if (endsAt !== null && DateTime.isGreaterThan(at, endsAt)) return
    if (delivery?.expiresAt != null && DateTime.isGreaterThanOrEqualTo(at, delivery.expiresAt)) return
    yield { at, dueAt: startsAt(delivery, at, timezone) ?? at }
  }
}

const scheduleOf = ({ schedule, timezone }: Pick<CampaignRecurrence, "schedule" | "timezone">) =>
  parse(schedule, timezone, minimumMinutes)

/** The latest time that is due and not too old, of those from `nextAt` on, and the first one that is not due. */
const dueAndNext = (recurring: Recurring, now: DateTime.Utc) => {
  const schedule = Option.getOrUndefined(Result.getSuccess(scheduleOf(recurring.recurrence)))
  const { nextAt } = recurring.recurrence
  let due: Occurrence | undefined
  if (schedule === undefined || nextAt === null) return { due, next: undefined }
  const oldest = DateTime.subtractDuration(now, longestOutage)
  // A campaign is made at most 26 hours before its time, and never after it.
  for (const occurrence of occurrences(recurring, schedule, before(DateTime.max(nextAt, oldest)))) {
    if (DateTime.isGreaterThan(occurrence.dueAt, now)) return { due, next: occurrence }
    if (DateTime.isGreaterThanOrEqualTo(occurrence.dueAt, oldest)) due = occurrence
  }
  return { due, next: undefined }
}

/** The first time whose campaign is still to be made. */
const firstOf = (recurring: Recurring, schedule: Schedule, now: DateTime.Utc): Occurrence | undefined => {
  const { enabled, maxRuns, runs } = recurring.recurrence
  if (!enabled || (maxRuns !== null && runs >= maxRuns)) return undefined
  for (const occurrence of occurrences(recurring, schedule, now)) {
    if (DateTime.isGreaterThan(occurrence.dueAt, now)) return occurrence
  }
  return undefined
}

const dateIn = (at: DateTime.Utc, timezone: string): string =>
  Option.match(DateTime.setZoneNamed(at, timezone), {
    onNone: () => DateTime.formatIsoDateUtc(at),
    onSome: DateTime.formatIsoDate
  })

export const make = Effect.gen(function* () {
  const contents = yield* CampaignContents.make
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const sql = yield* SqlClient.SqlClient
  const store = yield* CampaignStore
  const transaction = yield* Transaction
  const { campaigns: wakeup } = yield* Wakeups

  const keep = (project: ProjectId, id: CampaignId, recurrence: CampaignRecurrence, next: Occurrence | undefined) =>
    Effect.flatMap(DateTime.now, (now) =>
      store.setRecurrence(project, id, { ...recurrence, nextAt: next?.at ?? null }, next?.dueAt ?? null, now)
    )

  /** Stores the recurrence of a draft that the caller has locked. */
  const set = Effect.fn("CampaignRecurrences.set")(function* (
    project: ProjectId,
    campaign: Campaign,
    input: SetRecurrence
  ) {
    const now = yield* DateTime.now
    const { timezone: ofProject } = yield* Effect.orDie(projects.get(project))
    const recurrence: CampaignRecurrence = {
      schedule: input.schedule,
      timezone: input.timezone ?? ofProject,
      endsAt: input.endsAt ?? null,
      maxRuns: input.maxRuns ?? null,
      enabled: input.enabled,
      runs: campaign.recurrence?.runs ?? 0,
      nextAt: null
    }
    const schedule = scheduleOf(recurrence)
    const errors: ReadonlyArray<Fault> = [
      ...Result.match(schedule, {
        onFailure: (message) => [{ field: "schedule", code: "invalid_string", message } as const],
        onSuccess: () => []
      }),
      ...(recurrence.endsAt !== null && DateTime.isLessThanOrEqualTo(recurrence.endsAt, now)
        ? [{ field: "endsAt", code: "custom", message: "Must be in the future." } as const]
        : [])
    ]
    if (errors.length > 0 || Result.isFailure(schedule)) return yield* new ValidationError({ errors })
    const next = firstOf({ ...campaign, recurrence }, schedule.success, now)
    if (next !== undefined && campaign.recurrence?.nextAt == null) {
      if ((yield* store.countRecurring(project)) >= mostRecurring) {
        return yield* ValidationError.one(
          "enabled",
          "too_big",
          `At most ${mostRecurring} campaigns of a project recur.`
        )
      }
    }
    yield* keep(project, campaign.id, recurrence, next)
  })

  /** After a change of the draft: the time of its next firing depends on its delivery. */
  const changed = Effect.fnUntraced(function* (project: ProjectId, id: CampaignId, recurring: Recurring) {
    const schedule = Option.getOrUndefined(Result.getSuccess(scheduleOf(recurring.recurrence)))
    if (schedule === undefined || recurring.recurrence.nextAt === null) return
    const now = yield* DateTime.now
    yield* keep(project, id, recurring.recurrence, firstOf(recurring, schedule, now))
  })

  /** Makes the campaign of one time, unless it is made. */
  const makeOne = Effect.fnUntraced(function* (
    project: ProjectId,
    parent: Campaign,
    recurrence: CampaignRecurrence,
    { at, dueAt }: Occurrence,
    now: DateTime.Utc
  ) {
    const made = yield* sql`
      select from campaigns
      where project_id = ${project} and parent_id = ${parent.id} and occurrence = ${DateTime.toDate(at)}::timestamptz`.pipe(
      Effect.orDie
    )
    if (made.length > 0) return false
    const name = copyName(parent.name, CampaignContents.maxCampaignName, ` ${dateIn(at, recurrence.timezone)}`)
    const id = CampaignId.make(yield* random.uuidV7())
    yield* store.insert(project, id, yield* contents.copy(project, id, { ...parent, name }, now), now)
    yield* store.setOccurrence(project, id, parent.id, at)
    const startsAt = parent.delivery?.localTime == null ? null : dueAt
    yield* store.setState(project, id, { status: "SCHEDULED", scheduledFor: at, startsAt }, now)
    return true
  })

  /** The draft whose firing has been due for longest, except the given ones. */
  const due = Effect.fnUntraced(function* (now: DateTime.Utc, not: ReadonlyArray<CampaignId>) {
    const found = yield* sql`
      select project_id as project, id from campaigns
      where recurs_at <= ${DateTime.toDate(now)}::timestamptz and status = 'DRAFT' and id <> all(${not}::uuid[])
        and not exists (select from projects where projects.id = project_id and disabled_reason is not null)
      order by recurs_at, id limit 1`
    return Array.head(yield* keys(found))
  }, Effect.orDie)

  /** Makes the campaign that is due, and moves the draft on. Does nothing if none is due any more. */
  const fire = Effect.fn("CampaignRecurrences.fire")(function* (project: ProjectId, id: CampaignId) {
    const now = yield* DateTime.now
    const parent = Option.getOrUndefined(yield* store.lock(project, id))
    const recurrence = parent?.recurrence ?? null
    if (parent === undefined || recurrence === null || parent.status !== "DRAFT") return
    const { due, next } = dueAndNext({ delivery: parent.delivery, recurrence }, now)
    const isMade = due !== undefined && (yield* makeOne(project, parent, recurrence, due, now))
    const runs = recurrence.runs + Number(isMade)
    const isOver = recurrence.maxRuns !== null && runs >= recurrence.maxRuns
    yield* failpoint("before_recurrence_commit")
    yield* keep(project, id, { ...recurrence, runs }, isOver ? undefined : next)
    yield* transaction.afterCommit(wakeup.wake)
  }, transaction.run)

  return { set, changed, due, fire }
})

/** Runs due schedules, and starts executions for their contacts. */

import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { ScheduleTrigger } from "@posthorn/contract/automation/workflows/Trigger"
import { DateTime, Duration, Effect, Option, Result, Schema } from "effect"
import * as Audiences from "../../../audience/segments/Audiences.ts"
import { pauseAfter } from "../../../platform/Backoff.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { lastBetween, nextAfter, parse, type Schedule } from "../Schedules.ts"
import * as FiringStore from "./FiringStore.ts"

/** A firing that was missed by more than this is dropped. */
const longestOutage = Duration.days(1)

const readConfig = Schema.decodeUnknownOption(ScheduleTrigger)

/** The stored schedule. None if it is no longer valid. */
const scheduleOf = (config: Schema.JsonObject): Option.Option<Schedule> =>
  Option.flatMap(readConfig(config), ({ schedule, cron, timezone }) =>
    Result.getSuccess(parse(schedule ?? cron ?? "", timezone ?? "UTC"))
  )

/** The latest missed firing. */
const missed = (
  { nextRunAt }: FiringStore.DueSchedule,
  schedule: Schedule,
  now: DateTime.Utc
): Option.Option<DateTime.Utc> => {
  const before = DateTime.subtract(nextRunAt, { milliseconds: 1 })
  return lastBetween(schedule, DateTime.max(before, DateTime.subtractDuration(now, longestOutage)), now)
}

const segmentOf = (config: Schema.JsonObject): SegmentId | undefined =>
  Option.match(readConfig(config), { onNone: () => undefined, onSome: ({ segmentId }) => segmentId ?? undefined })

const storable = (defect: unknown): string => String(defect).replaceAll("\0", "\uFFFD").slice(0, 1_000)

export const make = Effect.gen(function* () {
  const audiences = yield* Audiences.make
  const { executions: wakeup } = yield* Wakeups
  const store = yield* FiringStore.make
  const transaction = yield* Transaction

  /** Stores the firing of one due schedule. False if none is due. */
  const fire = Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = Option.getOrUndefined(yield* store.takeSchedule(now))
    if (due === undefined) return false
    const schedule = Option.getOrUndefined(scheduleOf(due.config))
    if (schedule === undefined) {
      yield* store.reschedule(due, null)
      return true
    }
    const instant = due.disabled ? Option.none<DateTime.Utc>() : missed(due, schedule, now)
    if (Option.isSome(instant)) yield* store.fire(due, instant.value, now)
    yield* store.reschedule(due, nextAfter(schedule, now))
    return true
  }).pipe(transaction.run, Effect.withSpan("Firings.fire"))

  const startSome = Effect.fnUntraced(function* (firing: FiringStore.DueFiring, now: DateTime.Utc) {
    const segment = segmentOf(firing.config)
    const audience = segment && (yield* audiences.of(firing.project, Audiences.membersOf(segment), now))
    const started = yield* store.startSome(firing, audience, now)
    if (started > 0) yield* transaction.afterCommit(wakeup.wake)
  })

  const postpone = Effect.fnUntraced(function* (firing: FiringStore.DueFiring, defect: unknown) {
    const wait = pauseAfter(firing.failures + 1)
    yield* Effect.logError(`The firing of a schedule failed; next try in ${Duration.format(wait)}`, defect).pipe(
      Effect.annotateLogs({ projectId: firing.project, workflowId: firing.workflow })
    )
    yield* store.postpone(firing, storable(defect), DateTime.addDuration(yield* DateTime.now, wait))
  })

  /** Starts the next executions of a firing. False if none is running. */
  const start = Effect.gen(function* () {
    const now = yield* DateTime.now
    const firing = Option.getOrUndefined(yield* store.takeFiring(now))
    if (firing === undefined) return false
    yield* transaction.attempt(startSome(firing, now)).pipe(Effect.catchDefect((defect) => postpone(firing, defect)))
    return true
  }).pipe(transaction.run, Effect.withSpan("Firings.start"))

  return { fire, nextSchedule: store.nextSchedule, start, nextFiring: store.nextFiring }
})

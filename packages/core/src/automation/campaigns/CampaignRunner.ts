/**
 * The loops that carry campaigns: schedules that come due, audiences that become mails, stops that are carried out, ends
 * that are found, counters that are added up. Any number of processes may run them.
 */

import type { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import { forkLoop } from "../../platform/jobs/Loop.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { CampaignStarts } from "./CampaignStarts.ts"
import { CampaignWork } from "./CampaignWork.ts"

export interface Options {
  /** Between two looks where there was nothing to do, unless it is woken. A schedule is late by as much at most. */
  readonly poll: Duration.Duration
}

export const Options = Context.Reference<Options>("@posthorn/core/campaigns/CampaignRunner/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1) })
})

/** Before a campaign that could not be started is tried again; it keeps no other waiting meanwhile. */
const secondTry = Duration.seconds(30)

export const layer: Layer.Layer<never, never, CampaignStarts | CampaignWork | Wakeups> = Layer.effectDiscard(
  Effect.gen(function* () {
    const work = yield* CampaignWork
    const starts = yield* CampaignStarts
    const { campaigns: wakeup, mail } = yield* Wakeups
    const { poll } = yield* Options

    /** Campaigns that are left alone until a time of the monotonic clock: those that failed, and the one in hand. */
    const leftAlone = new Map<CampaignId, number>()

    const startDue = Effect.gen(function* () {
      const clock = yield* elapsedMillis
      for (const [id, until] of leftAlone) if (until <= clock) leftAlone.delete(id)
      const due = Option.getOrUndefined(yield* work.due(yield* DateTime.now, [...leftAlone.keys()]))
      if (due === undefined) return 0
      leftAlone.set(due.id, clock + Duration.toMillis(secondTry))
      yield* starts.startDue(due.project, due.id).pipe(Effect.annotateLogs({ campaignId: due.id }))
      leftAlone.delete(due.id)
      return 1
    })

    const expand = Effect.gen(function* () {
      const made = yield* work.expand(yield* DateTime.now)
      if (made > 0) yield* mail.wake
      return made
    })

    /** A step gives how much it has done: where that is nothing, it rests. */
    const loop = (name: string, step: Effect.Effect<number>) =>
      forkLoop(
        name,
        Effect.map(step, (done) => done > 0),
        { wakeup, poll }
      )

    yield* loop("Starting of scheduled campaigns", startDue)
    yield* loop("Making of a campaign's mails", expand)
    yield* loop("Cancelling of a campaign's mails", Effect.flatMap(DateTime.now, work.cancelWaiting))
    yield* loop("Completion of campaigns", Effect.flatMap(DateTime.now, work.complete))
    yield* loop("Adding up of campaign counters", work.rollUp)
  })
)

/**
 * The loops of campaigns. They start scheduled campaigns, create the mails of audiences, cancel mails of stopped
 * campaigns, complete finished ones, and add up counters. Any number of processes may run them.
 */

import type { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import { forkLoop } from "../../platform/jobs/Loop.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as CampaignStarts from "./CampaignStarts.ts"
import * as CampaignWork from "./CampaignWork.ts"

export interface Options {
  /** Time between two checks without a wakeup. A schedule is late by at most this time. */
  readonly poll: Duration.Duration
}

export const Options = Context.Reference<Options>("@posthorn/core/campaigns/CampaignRunner/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1) })
})

/** Delay before a failed start is tried again. Other campaigns do not wait for it. */
const retryDelay = Duration.seconds(30)

type Needs = Effect.Services<typeof CampaignStarts.make> | Effect.Services<typeof CampaignWork.make> | Wakeups

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const work = yield* CampaignWork.make
    const starts = yield* CampaignStarts.make
    const { campaigns: wakeup, mail } = yield* Wakeups
    const { poll } = yield* Options

    /** Campaigns that are skipped until a time of the monotonic clock: failed ones, and the current one. */
    const skippedUntil = new Map<CampaignId, number>()

    const startDue = Effect.gen(function* () {
      const clock = yield* elapsedMillis
      for (const [id, until] of skippedUntil) if (until <= clock) skippedUntil.delete(id)
      const due = Option.getOrUndefined(yield* work.due(yield* DateTime.now, [...skippedUntil.keys()]))
      if (due === undefined) return 0
      skippedUntil.set(due.id, clock + Duration.toMillis(retryDelay))
      yield* starts.startDue(due.project, due.id).pipe(Effect.annotateLogs({ campaignId: due.id }))
      skippedUntil.delete(due.id)
      return 1
    })

    const expand = Effect.gen(function* () {
      const created = yield* work.expand(yield* DateTime.now)
      if (created > 0) yield* mail.wake
      return created
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
    yield* loop("Cancelling of the mails of expired campaigns", Effect.flatMap(DateTime.now, work.expire))
    yield* loop("Completion of campaigns", Effect.flatMap(DateTime.now, work.complete))
    yield* forkLoop("Adding up of campaign counters", work.rollUp, { wakeup, poll })
  })
)

/**
 * The loops of campaigns. They fire recurrences, start scheduled campaigns, create the mails of audiences, decide
 * experiments, cancel mails of stopped campaigns, complete finished ones, and add up counters. Any number of processes may
 * run them.
 */

import type { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import type { NextDue } from "../../platform/jobs/Agenda.ts"
import { forkLoop } from "../../platform/jobs/Loop.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as CampaignRecurrences from "./CampaignRecurrences.ts"
import * as CampaignStarts from "./CampaignStarts.ts"
import * as CampaignWork from "./CampaignWork.ts"
import * as CampaignExperiments from "./experiment/CampaignExperiments.ts"

export interface Options {
  /** Time between two checks without a wakeup. A schedule is late by at most this time. */
  readonly poll: Duration.Duration
}

export const Options = Context.Reference<Options>("@posthorn/core/campaigns/CampaignRunner/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1) })
})

/** Delay before a failed start is tried again. Other campaigns do not wait for it. */
const retryDelay = Duration.seconds(30)

type Needs =
  | Effect.Services<typeof CampaignRecurrences.make>
  | Effect.Services<typeof CampaignExperiments.make>
  | Effect.Services<typeof CampaignStarts.make>
  | Effect.Services<typeof CampaignWork.make>
  | Wakeups

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const work = yield* CampaignWork.make
    const experiments = yield* CampaignExperiments.make
    const starts = yield* CampaignStarts.make
    const recurrences = yield* CampaignRecurrences.make
    const { campaigns: wakeup, mail } = yield* Wakeups
    const { poll } = yield* Options

    /** Does the work of one campaign that is due. A campaign whose work fails does not hold up others. */
    const oneByOne = <A extends { readonly project: ProjectId; readonly id: CampaignId }>(
      next: (now: DateTime.Utc, not: ReadonlyArray<CampaignId>) => Effect.Effect<Option.Option<A>>,
      work: (project: ProjectId, id: CampaignId) => Effect.Effect<void>
    ) => {
      /** Campaigns that are skipped until a time of the monotonic clock: failed ones, and the current one. */
      const skippedUntil = new Map<CampaignId, number>()
      return Effect.gen(function* () {
        const clock = yield* elapsedMillis
        for (const [id, until] of skippedUntil) if (until <= clock) skippedUntil.delete(id)
        const due = Option.getOrUndefined(yield* next(yield* DateTime.now, [...skippedUntil.keys()]))
        if (due === undefined) return 0
        skippedUntil.set(due.id, clock + Duration.toMillis(retryDelay))
        yield* work(due.project, due.id).pipe(Effect.annotateLogs({ campaignId: due.id }))
        skippedUntil.delete(due.id)
        return 1
      })
    }

    const expand = Effect.gen(function* () {
      const created = yield* work.expand(yield* DateTime.now)
      if (created > 0) yield* mail.wake
      return created
    })

    /** A step gives how much it has done: where that is nothing, it rests. */
    const loop = (name: string, next: NextDue, step: Effect.Effect<number>) =>
      forkLoop(
        name,
        Effect.map(step, (done) => done > 0),
        { wakeup, next, poll }
      )
    const { next } = work

    yield* loop("Firing of recurring campaigns", next.occurrence, oneByOne(recurrences.due, recurrences.fire))
    yield* loop("Starting of scheduled campaigns", next.start, oneByOne(work.due, starts.startDue))
    yield* loop("Deciding of experiments of campaigns", next.decision, oneByOne(experiments.due, experiments.settle))
    yield* loop("Making of a campaign's mails", next.part, expand)
    yield* loop("Cancelling of a campaign's mails", next.stopped, Effect.flatMap(DateTime.now, work.cancelWaiting))
    yield* loop("Cancelling of the mails of expired campaigns", next.expiry, Effect.flatMap(DateTime.now, work.expire))
    yield* loop("Completion of campaigns", next.completion, Effect.flatMap(DateTime.now, work.complete))
    yield* forkLoop("Adding up of campaign counters", work.rollUp, { wakeup, next: next.delta, poll })
  })
)

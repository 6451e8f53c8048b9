/** The loops that run executions. Any number of processes may run them: each skips the rows that another has locked. */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Duration, Effect, Layer } from "effect"
import type { NextDue } from "../../../platform/jobs/Agenda.ts"
import { forkLoop } from "../../../platform/jobs/Loop.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import * as Firings from "../start/Firings.ts"
import * as DueExecutions from "./DueExecutions.ts"
import { RunStore } from "./RunStore.ts"
import * as WebhookCalls from "./WebhookCalls.ts"

export interface Options {
  /** Time between two checks without a wakeup. A timer is late by at most this time. */
  readonly poll: Duration.Duration
}

export const Options = Context.Reference<Options>("@posthorn/core/workflows/run/Runner/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1) })
})

/** Concurrent requests of one process, in all and for one project. A slow server does not block other projects. */
const maxCalls = 64
const maxCallsOfProject = 16

type Needs =
  | Effect.Services<typeof DueExecutions.make>
  | Effect.Services<typeof Firings.make>
  | Effect.Services<typeof WebhookCalls.make>
  | RunStore
  | Wakeups

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const calls = yield* WebhookCalls.make
    const firings = yield* Firings.make
    const { executions: wakeup } = yield* Wakeups
    const { poll } = yield* Options
    const store = yield* RunStore
    const turns = yield* DueExecutions.make
    const scope = yield* Effect.scope

    const loop = (name: string, next: NextDue | undefined, step: Effect.Effect<boolean>) =>
      forkLoop(name, step, { wakeup, next, poll })

    yield* loop("Carrying of workflow executions", store.nextDue?.inside, turns.take)
    yield* loop(
      "Thawing of workflow executions",
      store.nextDue?.frozen,
      Effect.map(store.thaw, (thawed) => thawed > 0)
    )
    yield* loop("Firing of workflow schedules", firings.nextSchedule, firings.fire)
    yield* loop("Starting of scheduled workflows", firings.nextFiring, firings.start)

    /** Running calls, by project. */
    const under = new Map<ProjectId, number>()
    const count = (project: ProjectId, by: 1 | -1) =>
      Effect.sync(() => {
        const now = (under.get(project) ?? 0) + by
        if (now === 0) under.delete(project)
        else under.set(project, now)
      })

    const call = (begun: WebhookCalls.WebhookCall) =>
      calls.make(begun).pipe(
        Effect.catchDefect((defect) => Effect.logError("The result of a webhook call could not be stored", defect)),
        Effect.ensuring(Effect.andThen(count(begun.projectId, -1), wakeup.wake))
      )

    const request = Effect.gen(function* () {
      const running = [...under.values()].reduce((sum, each) => sum + each, 0)
      if (running >= maxCalls) return false
      const busy = [...under].flatMap(([project, each]) => (each >= maxCallsOfProject ? [project] : []))
      const begun = yield* calls.begin(Math.min(maxCalls - running, maxCallsOfProject), busy)
      for (const each of begun) {
        yield* count(each.projectId, 1)
        yield* Effect.forkIn(call(each), scope)
      }
      return begun.length > 0
    })
    yield* loop("Beginning of webhook calls", store.nextDue?.outside, request)
  })
)

/** What comes round for the standing of projects, and the mail to their people (contract-2 13.1, 18). */
import { Duration, Effect, Layer } from "effect"
import { PeriodicJobs } from "../jobs/PeriodicJobs.ts"
import { Mailer } from "../sending/Mailer.ts"
import { SystemMailSender } from "../systemmail/SystemMailSender.ts"
import { Standing } from "./Standing.ts"

export const layer: Layer.Layer<never, never, Mailer | PeriodicJobs | Standing | SystemMailSender> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { schedule } = yield* PeriodicJobs
      const standing = yield* Standing
      const letters = yield* SystemMailSender
      const { send } = yield* Mailer
      // Three times a minute, so that a bounce is looked at within one.
      yield* Effect.forkScoped(
        schedule({ name: "security-changed", every: Duration.seconds(20) }, standing.evaluateChanged)
      )
      yield* Effect.forkScoped(schedule({ name: "security-all", every: Duration.hours(1) }, standing.evaluateAll))
      yield* Effect.forkScoped(schedule({ name: "system-mail", every: Duration.seconds(10) }, letters.drain(send)))
    })
  )

import { ProjectId } from "@posthorn/contract/platform/Auth"
import { SendingPolicy } from "@posthorn/core/mail/policy/SendingPolicy"
import { DateTime, Effect } from "effect"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

/** The worker keeps the settings of a project for a second. */
const forgotten = "1500 millis"

const hourOf = (instant: DateTime.Utc, later: number) =>
  `${String((DateTime.toPartsUtc(instant).hour + later) % 24).padStart(2, "0")}:00`

const journey = {
  goal: { eventName: "purchase", attribution: "SENT" },
  experiment: {
    variants: [{ key: "A" }, { key: "B", subject: "Another subject" }, { key: "C", subject: "A third subject" }],
    testShare: 1
  }
} as const

export const row: Row = {
  id: "C9",
  title: "a campaign with quiet hours, caps, variants and a goal, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "as C1: one project, one worker, a pool of 20 connections, a sink on the same machine; from the send to the last 250",
    "quiet hours that begin in some hours, two caps that no contact reaches, three variants of which all contacts are the test, and a goal",
    "baseline: the same worker, without these settings, as C1"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Campaigning.stage("C9", Sink.start, 20)
    const project = ProjectId.make(stage.sender.id)

    const settings = (isOn: boolean) =>
      Effect.gen(function* () {
        const policy = yield* SendingPolicy
        const now = yield* DateTime.now
        const cap = { limit: 100, unit: "days" } as const
        yield* policy.update(project, {
          quietHours: isOn ? { from: hourOf(now, 10), to: hourOf(now, 12), timezone: "PROJECT" } : null,
          frequencyCaps: isOn
            ? [
                { id: "week", amount: 7, ...cap },
                { id: "month", amount: 30, ...cap }
              ]
            : null
        })
        yield* Effect.sleep(forgotten)
      }).pipe(Effect.provideContext(stage.services))

    const sent =
      (isOn: boolean): Run =>
      (effort) =>
        Effect.andThen(settings(isOn), Campaigning.sent(stage, isOn ? journey : {})(effort))

    return [
      {
        name: "sent",
        unit: "mails/s",
        target: ">= 0.85 of C1",
        posthorn: sent(true),
        baselines: { "C1: without them": sent(false) }
      }
    ]
  })
}

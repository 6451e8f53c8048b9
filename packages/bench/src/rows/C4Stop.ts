import { Effect } from "effect"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const contactsPerMail = 20
const patienceSeconds = 120

/** After this long without an email, no further one arrives. */
const silence = "5 seconds"

export const row: Row = {
  id: "C4",
  title: "a campaign that is stopped while it is sent",
  needsPostgres: true,
  conditions: [
    "100,000 contacts, 20,000 with --quick; one worker, a pool of 20 connections; stopped when 200 mails have left",
    `from the call to the last 250 of the peer, after which no mail arrived for ${silence}; 0 if none arrived after the call`
  ],
  cases: Effect.gen(function* () {
    const { sender, services, sink } = yield* Campaigning.stage("C4", Sink.start, 20)

    const stopped =
      (stop: typeof Campaigning.cancel): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          yield* Campaigning.clear()
          yield* Campaigning.audience(sender, mails * contactsPerMail)
          const id = yield* Campaigning.draft(sender)
          const before = yield* sink.count
          yield* Campaigning.begin(sender, id)
          yield* sink.arrivals(before, 200, patienceSeconds)
          const called = Date.now()
          yield* stop(sender, id)
          const answered = Date.now() - called
          let count = yield* sink.count
          for (let last = -1; last !== count; count = yield* sink.count) {
            last = count
            yield* Effect.sleep(silence)
          }
          const arrivals = yield* sink.arrivals(before, count - before, patienceSeconds)
          const value = Math.max(0, Math.max(...arrivals.map(({ at }) => at)) - called)
          return { value, more: { "call, ms": answered, "mails that left": arrivals.length } }
        }).pipe(Effect.provideContext(services))

    const target = "<= 5,000 ms"
    return [
      { name: "cancel", unit: "ms", target, posthorn: stopped(Campaigning.cancel), baselines: {} },
      { name: "pause", unit: "ms", target, posthorn: stopped(Campaigning.pause), baselines: {} }
    ]
  })
}

import { Effect } from "effect"
import * as PacedLoad from "../load/PacedLoad.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row, Run } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"
import { pacedSends } from "./PacedSends.ts"

const perSecond = 20
const contactsPerMail = 200

export const row: Row = {
  id: "C3",
  title: "transactional mail during a campaign to a million",
  needsPostgres: true,
  conditions: [
    "1,000,000 contacts, 200,000 with --quick; one API process and one worker, which also sends the campaign",
    `${perSecond} requests a second of another project; from the start of each to the moment before its 250`,
    "POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "baseline: the same processes and requests without a campaign"
  ],
  cases: Effect.gen(function* () {
    const { database, other, sender, services, sink } = yield* Campaigning.stage("C3", Sink.start, 20)
    const api = yield* Server.start({
      name: "C3 api",
      role: "api",
      database,
      environment: { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    })
    const load = yield* PacedLoad.start
    let seeded = 0

    const sends = Effect.fnUntraced(function* (seconds: number) {
      const pace = { url: api.url, senders: [other] as const, perSecond, seconds }
      const { answered, there } = yield* pacedSends(load, sink, pace)
      return { value: there.p99, latency: there, more: { "API p99, ms": answered.p99 } }
    })

    const beside: Run = ({ mails, seconds }) =>
      Effect.gen(function* () {
        const contacts = mails * contactsPerMail
        yield* Campaigning.clear()
        if (seeded !== contacts) yield* Campaigning.audience(sender, contacts)
        seeded = contacts
        const id = yield* Campaigning.draft(sender)
        yield* Campaigning.begin(sender, id)
        const sample = yield* sends(seconds)
        yield* Campaigning.cancel(sender, id)
        yield* Campaigning.over
        return sample
      }).pipe(Effect.provideContext(services))

    return [
      {
        name: "accept -> 250, p99",
        unit: "ms",
        target: "<= 5,000 ms; API p99 <= 200 ms",
        posthorn: beside,
        baselines: { "no campaign": ({ seconds }) => sends(seconds) }
      }
    ]
  })
}

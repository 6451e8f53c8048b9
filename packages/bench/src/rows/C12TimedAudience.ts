import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { memoryOf } from "../machine/ProcessTimes.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

const hourMillis = 3_600_000
/** So long ago, the first and the last zone of the world have reached the time, and all mail is due at once. */
const passed = 13 * hourMillis

const timed = {
  delivery: { localTime: { passed: "SEND_NOW" } },
  experiment: {
    variants: [{ key: "A" }, { key: "B", subject: "Another subject" }, { key: "C", subject: "A third subject" }],
    testShare: 1
  },
  holdout: { share: 0.01 },
  goal: { eventName: "bought" }
} as const

export const row: Row = {
  id: "C12",
  title: "the audience of a campaign with local time, a holdout and an experiment, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "--audience sets the number of contacts, in 200 time zones; one worker, which creates the mails and sends at the same time",
    "from the start of sending until the mail of every contact is stored; then the campaign is cancelled",
    "a hundredth of the contacts is held out; three variants, of which all others are the test; the local time has passed in every zone, so that mail is sent meanwhile as in C2",
    "baseline: the same contacts and worker, without them, as C2"
  ],
  cases: Effect.gen(function* () {
    const { sender, services, sink, worker } = yield* Campaigning.stage("C12", Sink.start, 20)
    const zones = Intl.supportedValuesOf("timeZone").slice(0, 200)
    let seeded = 0

    const ready = Effect.fnUntraced(function* (contacts: number) {
      yield* Campaigning.clear()
      if (seeded === contacts) return
      const sql = yield* SqlClient.SqlClient
      yield* Campaigning.audience(sender, contacts)
      yield* Effect.orDie(sql`
        update contacts set data = data || jsonb_build_object('timezone', (${zones}::text[])[1 + abs(hashtext(id::text)) % ${zones.length}::int])
        where project_id = ${sender.id}::uuid`)
      yield* Effect.orDie(sql.unsafe("vacuum analyze contacts"))
      seeded = contacts
    })

    const made = (contacts: number, isTimed: boolean) => () =>
      Effect.gen(function* () {
        yield* ready(contacts)
        const id = yield* Campaigning.draft(sender, isTimed ? timed : {})
        const before = yield* sink.count
        yield* Campaigning.begin(sender, id, isTimed ? { scheduledFor: Date.now() - passed } : {})
        yield* Campaigning.until(id, "status = 'SENDING'")
        const begun = Date.now()
        yield* sink.arrivals(before, 1, 600)
        yield* Campaigning.until(id, "expanded")
        const value = Date.now() - begun
        const memory = yield* memoryOf(worker.pid)
        yield* Campaigning.cancel(sender, id)
        yield* Campaigning.quiet
        return { value, ...memory }
      }).pipe(Effect.provideContext(services))

    const { audienceSizes } = yield* Bench
    return audienceSizes.slice(-1).map((contacts) => ({
      name: `made, of ${contacts}`,
      unit: "ms",
      target: "<= 1.25 x C2",
      posthorn: made(contacts, true),
      baselines: { "C2: without them": made(contacts, false) }
    }))
  })
}

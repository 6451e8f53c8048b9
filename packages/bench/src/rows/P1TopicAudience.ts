import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Topics } from "@posthorn/core/audience/topics/Topics"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Campaigning from "./Campaigning.ts"

export const row: Row = {
  id: "P1",
  title: "the audience of a campaign with a topic, fixed when sending starts",
  needsPostgres: true,
  conditions: [
    "--audience sets the number of contacts; one in twenty has left the topic, one in twenty has said yes to it",
    "the call of send, which lists the recipients; then the campaign is cancelled",
    "baseline: the same call for a campaign without a topic"
  ],
  cases: Effect.gen(function* () {
    const { sender, services } = yield* Campaigning.stage("P1", Sink.start, 20)
    const { topicId } = yield* Effect.gen(function* () {
      const topics = yield* Topics
      const { id } = yield* Effect.orDie(
        topics.create(ProjectId.make(sender.id), { name: "News", defaultSubscription: "subscribed" })
      )
      return { topicId: id }
    }).pipe(Effect.provideContext(services))
    let seeded = 0

    const ready = Effect.fnUntraced(function* (contacts: number) {
      yield* Campaigning.clear()
      if (seeded === contacts) return
      const sql = yield* SqlClient.SqlClient
      yield* Campaigning.audience(sender, contacts)
      yield* Effect.orDie(sql`
        update contacts set topics_off = case when right(id::text, 1) = '0' then array[${topicId}::uuid] end,
          topics_on = case when right(id::text, 1) = '1' then array[${topicId}::uuid] end
        where project_id = ${sender.id}::uuid and right(id::text, 1) in ('0', '1')`)
      yield* Effect.orDie(sql.unsafe("vacuum analyze contacts"))
      seeded = contacts
    })

    const fixed = (contacts: number, topic: string | null) => () =>
      Effect.gen(function* () {
        yield* ready(contacts)
        const id = yield* Campaigning.draft(sender, { topicId: topic })
        const begun = performance.now()
        yield* Campaigning.begin(sender, id)
        const value = performance.now() - begun
        yield* Campaigning.cancel(sender, id)
        yield* Campaigning.quiet
        return { value }
      }).pipe(Effect.provideContext(services))

    const { audienceSizes } = yield* Bench
    return audienceSizes.slice(-1).map((contacts) => ({
      name: `fixed, of ${contacts}`,
      unit: "ms",
      target: "<= 1.15 x",
      posthorn: fixed(contacts, topicId),
      baselines: { "without a topic": fixed(contacts, null) }
    }))
  })
}

/** The job that removes what contacts said about a topic that is gone. Nothing reads it any more. */
import { TopicId } from "@posthorn/contract/audience/topics/Topic"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "../../platform/jobs/Job.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { talliedByStatement } from "../contacts/TalliesSql.ts"

/** Contacts that one transaction changes. */
const batchSize = 5_000

const Counted = Schema.Struct({ contacts: Schema.Int })

export const job = Job.define({
  name: "topic-deletion",
  payload: Schema.Struct({ topic: TopicId }),
  result: Counted,
  checkpoint: Counted,
  run: Effect.fnUntraced(function* ({ topic }, { project, save, saved }) {
    const sql = yield* SqlClient.SqlClient
    const transaction = yield* Transaction

    /** In the order in which all writers lock contacts. An empty list is none. */
    const clear = sql`
      with setting as materialized (select ${talliedByStatement(sql)})
      update contacts set topics_on = nullif(array_remove(topics_on, ${topic}::uuid), '{}'),
                          topics_off = nullif(array_remove(topics_off, ${topic}::uuid), '{}')
      from setting
      where project_id = ${project} and id = any(array(
        select id from contacts
        where project_id = ${project} and (topics_on @> array[${topic}::uuid] or topics_off @> array[${topic}::uuid])
        order by email limit ${batchSize} for no key update))
      returning id`

    const advance = Effect.fnUntraced(function* (contacts: number) {
      const changed = yield* Effect.orDie(clear)
      const point = { contacts: contacts + changed.length }
      yield* save({ progress: 0, result: point, checkpoint: point })
      return { ...point, isLast: changed.length === 0 }
    }, transaction.run)

    let reached = { contacts: saved._tag === "Some" ? saved.value.result.contacts : 0, isLast: false }
    while (!reached.isLast) reached = yield* advance(reached.contacts)
    yield* Effect.orDie(sql`delete from topic_tallies where project_id = ${project} and topic_id = ${topic}`)
    return { contacts: reached.contacts }
  })
})

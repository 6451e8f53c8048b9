/** Evaluates conditions of steps for stored contacts, with their events and segments. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { conditionSql } from "../../../audience/filters/FilterSql.ts"
import { Audiences } from "../../../audience/segments/Audiences.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ContactId, results: Schema.Array(Schema.Boolean) }))
)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audiences = yield* Audiences
  return {
    /** The result of each condition, by contact. */
    evaluate: Effect.fn("ConditionQueries.evaluate")(function* (
      project: ProjectId,
      contacts: ReadonlyArray<ContactId>,
      conditions: ReadonlyArray<Condition>,
      context: Schema.JsonObject,
      now: DateTime.Utc
    ) {
      const segments = yield* audiences.definitions(project, { _tag: "AllOf", conditions })
      const scope = { project, now, segments, few: true, context }
      const results = conditions.map((condition) => conditionSql(sql, condition, scope))
      const found = yield* rows(
        yield* sql`
          select id, array[${sql.csv(results)}] as results from contacts
          where project_id = ${project} and id = any(${contacts}::uuid[])`
      )
      return new Map(found.map(({ id, results }) => [id, results]))
    }, Effect.orDie)
  }
})

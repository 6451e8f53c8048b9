/** Conditions of steps, asked of contacts as they are now. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { conditionSql } from "../../../audience/filters/FilterSql.ts"
import { Audiences } from "../../../audience/segments/Audiences.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ContactId, answers: Schema.Array(Schema.Boolean) }))
)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audiences = yield* Audiences
  return {
    /** For each of the contacts, which of the conditions hold; with events and segments as they are stored. */
    ask: Effect.fn("Questions.ask")(function* (
      project: ProjectId,
      contacts: ReadonlyArray<ContactId>,
      conditions: ReadonlyArray<Condition>,
      context: Schema.JsonObject,
      now: DateTime.Utc
    ) {
      const segments = yield* audiences.definitions(project, { _tag: "AllOf", conditions })
      const scope = { project, now, segments, few: true, context }
      const answers = conditions.map((condition) => conditionSql(sql, condition, scope))
      const found = yield* rows(
        yield* sql`
          select id, array[${sql.csv(answers)}] as answers from contacts
          where project_id = ${project} and id = any(${contacts}::uuid[])`
      )
      return new Map(found.map(({ id, answers }) => [id, answers]))
    }, Effect.orDie)
  }
})

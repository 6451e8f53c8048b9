import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as RowCounts from "../../../platform/RowCounts.ts"
import { databases } from "../../../testing/Databases.ts"
import * as ExecutionTotals from "./ExecutionTotals.ts"

const begin = Date.UTC(2026, 2, 1)
/** A minute within two days. */
const Minute = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * 24 * 60 }))

const at = (minutes: number) => DateTime.makeUnsafe(begin + minutes * 60_000)

describe.each(databases())("totals of executions on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    const start = Effect.fnUntraced(function* (project: ProjectId, minutes: ReadonlyArray<number>) {
      const sql = yield* SqlClient.SqlClient
      const contact = randomUUID()
      yield* sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        values (${contact}, ${project}, ${`${contact}@example.com`}, true, '{}', now(), now())`
      yield* sql`
        insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
          step_execution_id, current_since, started_at, created_at, updated_at)
        select ${project}::uuid, gen_random_uuid(), ${randomUUID()}::uuid, ${contact}::uuid, n, 'COMPLETED', 'EVENT', 0,
               gen_random_uuid(), now(), at, now(), now()
        from unnest(${minutes.map((each) => DateTime.formatIso(at(each)))}::timestamptz[]) with ordinality as start (at, n)`
      return contact
    })

    it.effect.prop(
      "of a window equal counted rows, to the minute, added up or not",
      [Schema.Array(Minute).check(Schema.isMaxLength(6)), Schema.Boolean, Minute, Minute],
      ([starts, isAddedUp, one, other]) =>
        Effect.gen(function* () {
          const totals = yield* ExecutionTotals.make
          const project = ProjectId.make(randomUUID())
          yield* start(project, starts)
          if (isAddedUp) yield* RowCounts.rollUp
          const [from, until] = [Math.min(one, other), Math.max(one, other)]
          assert.strictEqual(
            yield* totals.started(project, { from: at(from), until: at(until) }),
            starts.filter((minutes) => minutes >= from && minutes < until).length
          )
        })
    )

    it.effect("stay after their executions are deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const totals = yield* ExecutionTotals.make
        const project = ProjectId.make(randomUUID())
        const contact = yield* start(project, [1, 20, 21])
        yield* sql`delete from contacts where id = ${contact}`
        assert.strictEqual(yield* totals.started(project, { from: at(0), until: at(60) }), 3)
      })
    )
  })
})

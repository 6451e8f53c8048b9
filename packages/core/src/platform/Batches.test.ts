import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import { deleteInBatches } from "./Batches.ts"

for (const [name, database] of databases()) {
  layer(database)(`Deletion in batches on ${name}`, (it) => {
    it.effect("deletes all rows for which the condition holds, more than one batch, and no other", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table old_rows (n integer not null)`
        yield* sql`insert into old_rows select generate_series(1, 12000)`
        assert.strictEqual(yield* deleteInBatches(sql, "old_rows", sql`n <= ${10_000}`), 10_000)
        assert.deepStrictEqual(yield* sql`select min(n) as first, count(*)::int as left from old_rows`, [
          { first: 10_001, left: 2_000 }
        ])
        assert.strictEqual(yield* deleteInBatches(sql, "old_rows", sql`n <= ${10_000}`), 0)
      })
    )
  })
}

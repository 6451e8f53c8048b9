/** Rows that are seeded without triggers are counted as the triggers would have counted them. */
import { assert, it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as Postgres from "../Postgres.ts"
import * as Seed from "../Seed.ts"
import { seedMail } from "./Mail.ts"

const server = inject("postgres")

it.live.skipIf(server === undefined)("seeded events and mails have their kept counts", () =>
  Effect.gen(function* () {
    if (server === undefined) return
    const url = yield* freshDatabase(server)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [project] = yield* Seed.projects(1)
      yield* seedMail(project?.id ?? "", 300)
      const kept = yield* sql`
        select relation, key, sum(count)::int as count
        from (select relation, key, count from row_counts union all
              select relation, key, count from row_count_deltas) as kept
        group by 1, 2 having sum(count) <> 0 order by 1, 2`
      const counted = yield* sql`
        select 'emails' as relation, array[status, source_type] as key, count(*)::int as count from emails group by 2
        union all
        select 'events', array[source, name], count(*)::int from events group by 2
        order by 1, 2`
      assert.isAbove(counted.length, 5)
      assert.deepStrictEqual(kept, counted)
    }).pipe(Effect.provide(Seed.core(Postgres.layer(url))))
  })
)

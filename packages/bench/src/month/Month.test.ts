/** Two days of a project and the four after them. The long form is `npm run month`. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { live } from "../chaos/OnPostgres.ts"
import * as Postgres from "../Postgres.ts"
import { unseeded } from "../Unseeded.ts"
import * as Course from "./Course.ts"
import { check } from "./Promises.ts"

/** To repeat a run, write its seed here. */
const seed = Math.floor(Math.random() * 1_000_000)

const plan = { contacts: 60, days: 2, zones: 12, seed, stepMinutes: 60 }

live(
  `every promise of journeys and campaigns holds for two days of a project (seed ${seed})`,
  () =>
    Effect.gen(function* () {
      const { ledger } = yield* unseeded(
        "month",
        inject("postgres")?.url ?? "",
        Effect.flatMap(Postgres.emptyDatabase, (database) => Course.run(plan, database))
      )
      for (const { checked, name, violations } of check(ledger)) {
        assert.deepStrictEqual(violations, [], name)
        assert.isAbove(checked, 0, name)
      }
    }),
  300_000
)

/** The rows of topics and consent in their short form: each measures something in a small project, and fails for nothing. */
import { assert, describe, it } from "@effect/vitest"
import type {} from "@posthorn/core/testing/template"
import { Effect } from "effect"
import { inject } from "vitest"
import { Bench } from "../Bench.ts"
import * as Published from "../processes/Published.ts"
import type { Case, Row } from "../Row.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { rows } from "./index.ts"

const postgres = inject("postgres")?.url

const effort = { seconds: 1, mails: 25 }
const none = Effect.die("no row here asks for it")

const shortOf = Effect.fnUntraced(function* (row: Row) {
  const measured = Effect.fnUntraced(function* ({ name, posthorn, baselines }: Case) {
    const runs = { posthorn, ...baselines }
    for (const [which, run] of Object.entries(runs)) {
      const { value } = yield* Effect.scoped(run(effort))
      assert.isTrue(Number.isFinite(value) && value > 0, `${row.id} ${name}, ${which}: ${value}`)
    }
    return 1
  })
  return yield* Effect.scoped(Effect.flatMap(row.cases, (cases) => Effect.forEach(cases, measured)))
})

/** The long forms take minutes each, and the short ones start many processes, so they are asked for by name. */
const isWanted = process.env["POSTHORN_BENCH_CONSENT"] === "1"

describe.skipIf(!isWanted || postgres === undefined)(
  "the rows of topics and consent (with POSTHORN_BENCH_CONSENT=1)",
  () => {
    it.live.each(["P4", "P5", "P6", "P7", "P8"])(
      "%s measures 1,000 contacts",
      (id) =>
        Effect.gen(function* () {
          const bench = {
            postgres,
            folder: yield* temporaryFolder("consent-rows"),
            program: Effect.succeed(Published.sources),
            profiles: undefined,
            audienceSizes: [1_000],
            audience: none,
            mail: none,
            console: none
          }
          const row = rows.find((row) => row.id === id)
          assert.isDefined(row)
          if (row === undefined) return
          assert.isAbove((yield* Effect.provideService(shortOf(row), Bench, bench)).length, 0)
        }).pipe(Effect.scoped),
      120_000
    )
  }
)

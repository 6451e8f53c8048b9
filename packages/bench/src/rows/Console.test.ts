/** The rows of the console in their short form: each measures something in a small project, and fails for nothing. */
import { assert, describe, it } from "@effect/vitest"
import type {} from "@posthorn/core/testing/template"
import { Effect, Scope } from "effect"
import { inject } from "vitest"
import { Bench } from "../Bench.ts"
import { browserProgram } from "../browser/Chromium.ts"
import * as Published from "../processes/Published.ts"
import type { Case, Row } from "../Row.ts"
import * as ConsoleProject from "../seed/ConsoleProject.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { rows } from "./index.ts"

const postgres = inject("postgres")?.url

const effort = { seconds: 1, mails: 25, minutes: 0.05 }
const none = Effect.die("no row here asks for it")

const shortOf = Effect.fnUntraced(function* (row: Row) {
  const figures: Array<readonly [name: string, value: number]> = []
  const measured = Effect.fnUntraced(function* ({ name, posthorn }: Case) {
    const { value } = yield* Effect.scoped(posthorn(effort))
    figures.push([`${row.id} ${name}`, value])
  })
  yield* Effect.scoped(Effect.flatMap(row.cases, (cases) => Effect.forEach(cases, measured)))
  return figures
})

/** A run takes minutes of browser time, so it is asked for by name. */
const isWanted = process.env["POSTHORN_BENCH_BROWSER"] === "1"

describe.skipIf(!isWanted || postgres === undefined || browserProgram === undefined)(
  "the rows of the console (with POSTHORN_BENCH_BROWSER=1)",
  () => {
    it.live(
      "measure a project of 2,000 contacts",
      () =>
        Effect.gen(function* () {
          const scope = yield* Effect.scope
          const bench = {
            postgres,
            folder: yield* temporaryFolder("console-rows"),
            program: Effect.succeed(Published.sources),
            profiles: undefined,
            audienceSizes: [],
            audience: none,
            mail: none,
            console: yield* Effect.cached(
              Scope.provide(ConsoleProject.make(postgres, { contacts: 2_000, mails: 2_000 }), scope)
            )
          }
          const selected = rows.filter(({ id }) => id.startsWith("U"))
          assert.deepStrictEqual(
            selected.map(({ id }) => id),
            ["U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9"]
          )
          const figures = (yield* Effect.provideService(Effect.forEach(selected, shortOf), Bench, bench)).flat()
          for (const [name, value] of figures) {
            // Nothing may move, and an idle tab may ask for nothing.
            assert.isTrue(Number.isFinite(value) && value >= 0, `${name}: ${value}`)
            if (!/^U4|idle/.test(name)) assert.isAbove(value, 0, name)
          }
          assert.lengthOf(figures, 22)
        }).pipe(Effect.scoped),
      300_000
    )
  }
)

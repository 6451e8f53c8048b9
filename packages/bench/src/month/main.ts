/**
 * `npm run month -- [--contacts 100000] [--days 30] [--zones 200] [--seed 7] [--step 15] [--out file.json] [--keep]` runs
 * a month of a project through `posthorn dev` and its clock, and checks every promise of journeys and campaigns from the
 * ledger and the events. Prints a table. Exits with 1 if a promise is broken.
 */
import { writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import { write as writeDocuments } from "../results/Documents.ts"
import { keep, origin } from "../results/Kept.ts"
import { postgresFor, unseeded } from "../Unseeded.ts"
import * as Course from "./Course.ts"
import type { Lived } from "./Lived.ts"
import { check } from "./Promises.ts"

const { values } = parseArgs({
  options: {
    contacts: { type: "string", default: "100000" },
    days: { type: "string", default: "30" },
    zones: { type: "string", default: "200" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    step: { type: "string", default: "15" },
    out: { type: "string" },
    keep: { type: "boolean", default: false }
  }
})

const plan = {
  contacts: Number(values.contacts),
  days: Number(values.days),
  zones: Number(values.zones),
  seed: Number(values.seed),
  stepMinutes: Number(values.step)
}

const program = Effect.gen(function* () {
  const postgres = yield* postgresFor("month")
  const from = yield* origin("month", yield* Postgres.settings(postgres), values.seed)
  const { impatient, ledger, replies, seconds, steps } = yield* unseeded(
    "month",
    postgres,
    Effect.flatMap(Postgres.emptyDatabase, (database) => Course.run(plan, database))
  )
  const promises = check(ledger)
  const rows = promises.map(({ checked, name, violations }) => `| ${name} | ${checked} | ${violations.length} |`)
  yield* Console.log(`| promise | checked | violated |\n|---|---|---|\n${rows.join("\n")}\n`)
  for (const { name, violations } of promises) {
    for (const sentence of violations.slice(0, 10)) yield* Console.error(`${name}: ${sentence}`)
  }
  const figures = {
    mails: ledger.mails.length,
    tries: ledger.mails.reduce((sum, { tries }) => sum + tries.length, 0),
    executions: ledger.executions.length,
    events: ledger.events.length,
    ...{ seconds: Math.round(seconds), steps, impatient, ...replies }
  }
  yield* Console.log(`${JSON.stringify(figures)}, seed ${values.seed}`)
  const found: Lived = {
    name: "month",
    ...{ plan, figures },
    promises: promises.map(({ checked, name, violations }) => ({ name, checked, violated: violations.length }))
  }
  const { out } = values
  if (out !== undefined)
    yield* Effect.promise(() => writeFile(out, `${JSON.stringify({ ...found, sentences: promises }, null, 2)}\n`))
  if (values.keep) {
    yield* keep("month", [{ ...found, origin: from }], ({ name }) => name)
    yield* writeDocuments
  }
  const broken = promises.filter(({ violations }) => violations.length > 0).length
  if (broken > 0) return yield* new BenchFailure({ message: `${broken} promises are broken: see above.` })
})

NodeRuntime.runMain(Effect.scoped(program))

/**
 * The long form of the fault tests: `npm run chaos -- --kills 20 --seed 7 --out chaos.json`.
 *
 * Runs on its own PostgreSQL server, which it creates in a temporary folder, with real processes on loopback. Each
 * scenario has its own database; 0 leaves one out, and `--only campaign_kills` all others; `--long` uses larger
 * numbers. The same seed gives the same requests, moments and victims. Exits with 1 if a promise was broken.
 *
 * `--keep` writes each finished scenario to `results/chaos.json`, in place of the one with the same name, and
 * regenerates the tables that show them.
 */
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Data, Duration, Effect, Record } from "effect"
import * as Postgres from "../Postgres.ts"
import { write as writeDocuments } from "../results/Documents.ts"
import { keep, origin } from "../results/Kept.ts"
import * as Cluster from "./Cluster.ts"
import * as Installation from "./Installation.ts"
import * as Report from "./Report.ts"
import { long, type Numbers, type Scenario, scenarios, usual } from "./Scenarios.ts"
import type { Verdict } from "./Verdict.ts"

const amounts = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: "string" as const }]))

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    out: { type: "string" },
    keep: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    only: { type: "string" },
    projects: { type: "string", default: "6" },
    ...amounts
  }
})

const given: { readonly [name: string]: string | boolean | undefined } = values
const numbers: Numbers = Record.map(values.long ? long : usual, (amount, name) => Number(given[name] ?? amount))

class PromiseBroken extends Data.TaggedError("PromiseBroken") {
  override readonly message = "A promise was broken: see above."
}

class UnknownScenario extends Data.TaggedError("UnknownScenario")<{ readonly message: string }> {}

/** A scenario that could not be finished has no numbers. */
const broken = (cause: Cause.Cause<never>): Verdict => ({
  ...{ accepted: 0, delivered: 0, lost: 0, extra: 0, bound: 0, ambiguous: 0, resting: 0 },
  violations: [Cause.pretty(cause)]
})

const perform = Effect.fnUntraced(function* (cluster: Cluster.Cluster, { name, faults, run }: Scenario) {
  yield* Console.error(`${name}: ${faults}`)
  const databaseUrl = yield* cluster.database(name)
  const [time, found] = yield* Effect.scoped(run(cluster)).pipe(
    Effect.provide(Installation.layer({ databaseUrl, projects: Number(values.projects) })),
    Effect.catchCause((cause) => Effect.succeed(broken(cause))),
    Effect.timed
  )
  yield* Console.error(`${name}: over after ${Math.round(Duration.toSeconds(time))} s`)
  for (const violation of found.violations) yield* Console.error(`${name}: ${violation}`)
  return { scenario: name, faults, ...found }
})

/** The scenarios that were requested and that this machine supports. */
const chosenOf = Effect.fnUntraced(function* (all: ReadonlyArray<Scenario>) {
  const only = values.only?.split(",") ?? all.map(({ name }) => name)
  const strange = only.filter((name) => !all.some((scenario) => scenario.name === name))
  if (strange.length > 0) {
    const known = all.map(({ name }) => name).join(", ")
    return yield* new UnknownScenario({ message: `There is no scenario ${strange.join(", ")}; there are ${known}.` })
  }
  return yield* Effect.filter(all, ({ faults, name, needs }) => {
    if (faults === 0 || !only.includes(name)) return Effect.succeed(false)
    if (needs === undefined) return Effect.succeed(true)
    return Effect.tap(needs.isThere, (isThere) =>
      isThere ? Effect.void : Console.error(`SKIPPED: ${name}. It needs ${needs.what}.`)
    )
  })
})

const program = Effect.gen(function* () {
  const chosen = yield* chosenOf(scenarios(values.seed, numbers))
  const cluster = yield* Cluster.make
  const settings = yield* Postgres.settings(yield* cluster.database("settings"))
  const from = yield* origin("chaos", settings, values.seed)
  const rows = yield* Effect.forEach(chosen, (scenario) =>
    Effect.tap(perform(cluster, scenario), (row) =>
      values.keep && row.accepted > 0
        ? keep("chaos", [{ ...row, origin: from }], ({ scenario }) => scenario)
        : Effect.void
    )
  )
  yield* Console.log(`${Report.table(rows)}\n\nSeed ${values.seed}`)
  if (values.out !== undefined) yield* Report.write(values.out, { settings: values, rows })
  if (values.keep) yield* writeDocuments
  if (rows.some(({ violations }) => violations.length > 0)) return yield* new PromiseBroken()
})

// A signal also ends the servers.
NodeRuntime.runMain(Effect.scoped(program))

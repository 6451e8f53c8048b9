/**
 * The long form of the fault tests: `npm run chaos -- --kills 20 --seed 7 --out chaos.json`.
 *
 * Runs on a PostgreSQL server of its own, which it makes in a temporary folder, with real processes on loopback. Each
 * scenario has a database of its own; 0 leaves one out, and `--only campaign_kills` all others; `--long` has more of
 * everything. The same seed draws the same requests, moments and victims. Ends with 1 when a promise was broken.
 *
 * `--keep` puts each scenario that came to its end into `results/chaos.json`, in place of the one of the same name, and
 * makes the tables anew that show them.
 */
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Data, Effect } from "effect"
import * as Postgres from "../Postgres.ts"
import { write as writeDocuments } from "../results/Documents.ts"
import { keep, origin } from "../results/Kept.ts"
import * as Cluster from "./Cluster.ts"
import * as Installation from "./Installation.ts"
import * as Report from "./Report.ts"
import { type Scenario, scenarios } from "./Scenarios.ts"
import type { Verdict } from "./Verdict.ts"

/** How much there is of everything; the long form is what the tables of the README are made of. */
const usual = {
  projects: 6,
  mails: 2_000,
  contacts: 4_000,
  workers: 2,
  racers: 4,
  kills: 20,
  restarts: 100,
  freezes: 10,
  "peer-breaks": 200,
  "api-kills": 20,
  outages: 5,
  "outage-seconds": 2,
  takeovers: 1,
  "blocked-seconds": 45
}
const long = {
  ...usual,
  contacts: 20_000,
  kills: 150,
  freezes: 30,
  "peer-breaks": 1_000,
  "api-kills": 100,
  outages: 30,
  takeovers: 3
}

const amounts = Object.fromEntries(Object.keys(usual).map((name) => [name, { type: "string" as const }]))

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    out: { type: "string" },
    keep: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    only: { type: "string" },
    ...amounts
  }
})

const given: { readonly [name: string]: string | boolean | undefined } = values
const amount = (name: keyof typeof usual): number => Number(given[name] ?? (values.long ? long : usual)[name])

class PromiseBroken extends Data.TaggedError("PromiseBroken") {
  override readonly message = "A promise was broken: see above."
}

/** A scenario that could not be brought to its end has no numbers. */
const broken = (cause: Cause.Cause<never>): Verdict => ({
  ...{ accepted: 0, delivered: 0, lost: 0, extra: 0, bound: 0, ambiguous: 0, resting: 0 },
  violations: [Cause.pretty(cause)]
})

const perform = Effect.fnUntraced(function* (cluster: Cluster.Cluster, { name, faults, run }: Scenario) {
  yield* Console.error(`${name}: ${faults}`)
  const databaseUrl = yield* cluster.database(name)
  const found = yield* Effect.scoped(run(cluster)).pipe(
    Effect.provide(Installation.layer({ databaseUrl, projects: amount("projects") })),
    Effect.catchCause((cause) => Effect.succeed(broken(cause)))
  )
  for (const violation of found.violations) yield* Console.error(`${name}: ${violation}`)
  return { scenario: name, faults, ...found }
})

const program = Effect.gen(function* () {
  const cluster = yield* Cluster.make
  const chosen = scenarios({
    seed: values.seed,
    mails: amount("mails"),
    contacts: amount("contacts"),
    workers: amount("workers"),
    kills: amount("kills"),
    restarts: amount("restarts"),
    freezes: amount("freezes"),
    peerBreaks: amount("peer-breaks"),
    apiKills: amount("api-kills"),
    racers: amount("racers"),
    outages: amount("outages"),
    outageSeconds: amount("outage-seconds"),
    takeovers: amount("takeovers"),
    blockedSeconds: amount("blocked-seconds")
  }).filter(({ faults, name }) => faults > 0 && (values.only?.split(",").includes(name) ?? true))
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

// A signal ends the servers too.
NodeRuntime.runMain(Effect.scoped(program))

/**
 * The long form of the fault tests: `npm run chaos -- --kills 20 --seed 7 --out chaos.json`.
 *
 * Runs on a PostgreSQL server of its own, which it makes in a temporary folder, with real processes on loopback. Each
 * scenario has a database of its own; 0 leaves one out, and `--only campaign_kills` all others. The same seed draws the
 * same requests, moments and victims. Ends with 1 when a promise was broken.
 */
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Data, Effect } from "effect"
import * as Cluster from "./Cluster.ts"
import * as Installation from "./Installation.ts"
import * as Report from "./Report.ts"
import { type Scenario, scenarios } from "./Scenarios.ts"
import type { Verdict } from "./Verdict.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    out: { type: "string" },
    projects: { type: "string", default: "6" },
    mails: { type: "string", default: "2000" },
    contacts: { type: "string", default: "4000" },
    only: { type: "string" },
    workers: { type: "string", default: "2" },
    kills: { type: "string", default: "20" },
    restarts: { type: "string", default: "100" },
    "api-kills": { type: "string", default: "20" },
    racers: { type: "string", default: "4" },
    outages: { type: "string", default: "5" },
    "outage-seconds": { type: "string", default: "2" },
    takeovers: { type: "string", default: "1" },
    "blocked-seconds": { type: "string", default: "45" }
  }
})

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
    Effect.provide(Installation.layer({ databaseUrl, projects: Number(values.projects) })),
    Effect.catchCause((cause) => Effect.succeed(broken(cause)))
  )
  for (const violation of found.violations) yield* Console.error(`${name}: ${violation}`)
  return { scenario: name, faults, ...found }
})

const program = Effect.gen(function* () {
  const cluster = yield* Cluster.make
  const chosen = scenarios({
    seed: values.seed,
    mails: Number(values.mails),
    contacts: Number(values.contacts),
    workers: Number(values.workers),
    kills: Number(values.kills),
    restarts: Number(values.restarts),
    apiKills: Number(values["api-kills"]),
    racers: Number(values.racers),
    outages: Number(values.outages),
    outageSeconds: Number(values["outage-seconds"]),
    takeovers: Number(values.takeovers),
    blockedSeconds: Number(values["blocked-seconds"])
  }).filter(({ faults, name }) => faults > 0 && (values.only?.split(",").includes(name) ?? true))
  const rows = yield* Effect.forEach(chosen, (scenario) => perform(cluster, scenario))
  yield* Console.log(`${Report.table(rows)}\n\nSeed ${values.seed}`)
  if (values.out !== undefined) yield* Report.write(values.out, { settings: values, rows })
  if (rows.some(({ violations }) => violations.length > 0)) return yield* new PromiseBroken()
})

// A signal ends the servers too.
NodeRuntime.runMain(Effect.scoped(program))

/**
 * `npm run hostile -- [--shapes 1000] [--longest 1900000] [--seed 7] [--out hostile.json]` sends every text of every
 * request with n and 2n characters to a server on PostgreSQL. Exits with 1 if the time of one grew faster than
 * linearly, or if one blocked others.
 */
import { writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import { postgresFor, unseeded } from "../Unseeded.ts"
import { hostile } from "./Hostile.ts"

const { values } = parseArgs({
  options: {
    shapes: { type: "string", default: "1000" },
    longest: { type: "string", default: "1900000" },
    seed: { type: "string", default: "7" },
    out: { type: "string" }
  }
})

const program = Effect.gen(function* () {
  const postgres = yield* postgresFor("hostile run")
  const options = { shapes: Number(values.shapes), longest: Number(values.longest), seed: Number(values.seed) }
  const tally = yield* unseeded("hostile run", postgres, hostile(options))
  const { fields, findings, requests, statuses } = tally
  for (const finding of findings) yield* Console.error(finding)
  const counts = Object.entries(statuses).map(([status, count]) => `| ${status} | ${count} |`)
  yield* Console.log(`| status | answers |\n|---|---|\n${counts.join("\n")}\n`)
  yield* Console.log(`${fields} fields, ${requests} texts, ${findings.length} findings`)
  const { out } = values
  if (out !== undefined) {
    yield* Effect.promise(() => writeFile(out, `${JSON.stringify({ settings: values, ...tally }, null, 2)}\n`))
  }
  if (findings.length > 0) return yield* new BenchFailure({ message: "Not every text took linear time: see above." })
})

NodeRuntime.runMain(Effect.scoped(program))

/**
 * `npm run hostile -- [--shapes 1000] [--longest 1900000] [--seed 7] [--out hostile.json]` sends every text of every
 * request with n and 2n characters to a server on PostgreSQL. Exits with 1 if the time of one grew faster than
 * linearly, or if one blocked others.
 */
import { writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import * as Published from "../processes/Published.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
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
  const postgres = yield* Postgres.find
  if (postgres === undefined) return yield* new BenchFailure({ message: "The run needs a PostgreSQL server." })
  const options = { shapes: Number(values.shapes), longest: Number(values.longest), seed: Number(values.seed) }
  const folder = yield* temporaryFolder("hostile")
  const none = Effect.fail(new BenchFailure({ message: "The run seeds nothing." }))
  const tally = yield* Effect.provideService(hostile(options), Bench, {
    postgres,
    folder,
    program: yield* Published.make(folder),
    profiles: undefined,
    audienceSizes: [],
    audience: none,
    mail: none
  })
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

/**
 * `npm run hostile -- [--shapes 1000] [--longest 1900000] [--seed 7] [--minutes 14] [--from 500] [--only templates,send] [--out hostile.json] [--again hostile.json]`
 * sends every text of every request with n and 2n characters to a server on PostgreSQL. Exits with 1 if the work for one
 * grew faster than linearly, or if one blocked others. `--minutes` ends a run early, and `--from` continues it. `--only` tries
 * the fields of operations or their groups, `--again` what an earlier run found.
 */
import { readFile, writeFile } from "node:fs/promises"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import { postgresFor, unseeded } from "../Unseeded.ts"
import { hostile } from "./Hostile.ts"

const { values } = parseArgs({
  options: {
    shapes: { type: "string", default: "1000" },
    longest: { type: "string", default: "1900000" },
    seed: { type: "string", default: "7" },
    out: { type: "string" },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "Infinity" },
    only: { type: "string" },
    again: { type: "string" }
  }
})

const Found = Schema.fromJsonString(Schema.Struct({ findings: Schema.Array(Schema.String) }))

const findingsIn = (path: string) =>
  Effect.flatMap(
    Effect.promise(() => readFile(path, "utf8")),
    Schema.decodeEffect(Found)
  )

const program = Effect.gen(function* () {
  const postgres = yield* postgresFor("hostile run")
  const earlier = values.again === undefined ? undefined : yield* findingsIn(values.again)
  const options = {
    from: Number(values.from),
    minutes: Number(values.minutes),
    shapes: Number(values.shapes),
    longest: Number(values.longest),
    seed: Number(values.seed),
    operations: values.only?.split(","),
    again: earlier?.findings
  }
  const tally = yield* unseeded("hostile run", postgres, hostile(options))
  const { doubled, fields, findings, next, ratio, requests, statuses, stop, texts } = tally
  const counts = Object.entries(statuses).map(([status, count]) => `| ${status} | ${count} |`)
  yield* Console.log(`| status | answers |\n|---|---|\n${counts.join("\n")}\n`)
  yield* Console.log(
    `${fields} fields, ${texts} texts (${doubled} doubled), ${requests} requests, ${findings.length} findings`
  )
  yield* Console.log(`largest ratio ${ratio.value.toFixed(2)}: ${ratio.text}`)
  yield* Console.log(`longest stop ${stop.value.toFixed(0)} ms: ${stop.text}`)
  if (next !== undefined) yield* Console.log(`The time is over: continue with --from ${next}.`)
  const { out } = values
  if (out !== undefined) {
    yield* Effect.promise(() => writeFile(out, `${JSON.stringify({ settings: values, ...tally }, null, 2)}\n`))
  }
  if (findings.length > 0) return yield* new BenchFailure({ message: "Not every text took linear time: see above." })
})

NodeRuntime.runMain(Effect.scoped(program))

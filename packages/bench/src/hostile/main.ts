/**
 * `npm run hostile -- [--shapes 1000] [--longest 1900000] [--seed 7] [--only templates,send] [--out hostile.json] [--again hostile.json]`
 * sends every text of every request with n and 2n characters to a server on PostgreSQL. Exits with 1 if the time of one
 * grew faster than linearly, or if one blocked others. `--only` names operations or their groups. With `--again` it tries only what an earlier run found: a machine that is busy with
 * other work makes findings that a quiet one does not confirm.
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
    shapes: Number(values.shapes),
    longest: Number(values.longest),
    seed: Number(values.seed),
    operations: values.only?.split(","),
    again: earlier?.findings
  }
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

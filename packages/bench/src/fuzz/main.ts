/**
 * `npm run fuzz -- [--requests 100000] [--sessions 10000] [--seed 7] [--concurrency 16] [--minutes 14] [--out fuzz.json] [--keep]` sends hostile requests
 * drawn from openapi.json to a server on PostgreSQL, and holds hostile SMTP sessions with it. Exits with 1 if an answer does not match the document.
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
import { fuzz } from "./Fuzz.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    sessions: { type: "string", default: "10000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    concurrency: { type: "string", default: "16" },
    minutes: { type: "string", default: "Infinity" },
    out: { type: "string" },
    keep: { type: "boolean", default: false }
  }
})

const program = Effect.gen(function* () {
  const postgres = yield* postgresFor("fuzz")
  const options = {
    requests: Number(values.requests),
    sessions: Number(values.sessions),
    seed: Number(values.seed),
    concurrency: Number(values.concurrency),
    minutes: Number(values.minutes)
  }
  const from = yield* origin("fuzz", yield* Postgres.settings(postgres), values.seed)
  const result = yield* unseeded("fuzz", postgres, fuzz(options))
  const { findings, replies, requests, rss, sessions, statuses, submitted, unreached } = result
  const counts = Object.entries(statuses).map(([status, count]) => `| ${status} | ${count} |`)
  yield* Console.log(`operations without one success: ${unreached.join(", ") || "none"}\n`)
  const memory = rss.map((megabytes) => (megabytes === undefined ? "-" : Math.round(megabytes))).join(", ")
  yield* Console.log(`| status | answers |\n|---|---|\n${counts.join("\n")}\n`)
  yield* Console.log(
    `${requests} requests, ${sessions} SMTP sessions with ${submitted} messages accepted (${Object.entries(replies)
      .map(([code, count]) => `${code}: ${count}`)
      .join(", ")}), ${findings.length} findings, RSS after each tenth ${memory} MB, seed ${values.seed}`
  )
  const { out } = values
  if (out !== undefined) {
    yield* Effect.promise(() => writeFile(out, `${JSON.stringify({ settings: values, ...result }, null, 2)}\n`))
  }
  if (values.keep) {
    yield* keep("fuzz", [{ ...result, origin: from }], () => "fuzz")
    yield* writeDocuments
  }
  if (findings.length > 0) return yield* new BenchFailure({ message: "Not every answer was as described: see above." })
})

NodeRuntime.runMain(Effect.scoped(program))

/**
 * The long form of the model test: `npm run model -- [--runs 1000] [--seed 7]`, on every database that the tests know.
 * `--path` and `--replay` repeat one run, as a failure has printed them.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    path: { type: "string" },
    replay: { type: "string" }
  }
})

const variables = Object.entries(values).flatMap(([name, value]) =>
  value === undefined ? [] : [[`MODEL_${name.toUpperCase()}`, value] as const]
)
const { status } = spawnSync("vitest", ["run", fileURLToPath(new URL("./Model.test.ts", import.meta.url))], {
  env: { ...process.env, ...Object.fromEntries(variables) },
  stdio: "inherit"
})
process.exitCode = status ?? 1

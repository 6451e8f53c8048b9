/**
 * The long form of the model test: `npm run model -- [--runs 1000] [--seed 7]`, on every database of the tests.
 * `--path` and `--replay` repeat one run, with the values from the output of a failure. `--plants` checks instead that a
 * fault in each rule of consent is found.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    path: { type: "string" },
    replay: { type: "string" },
    plants: { type: "boolean" }
  }
})

const variables = Object.entries(values).flatMap(([name, value]) =>
  value === undefined ? [] : [[`MODEL_${name.toUpperCase()}`, String(value)] as const]
)
const { status } = spawnSync(
  "vitest",
  ["run", fileURLToPath(new URL(`./${values.plants === true ? "Plants" : "Model"}.test.ts`, import.meta.url))],
  {
    env: { ...process.env, ...Object.fromEntries(variables) },
    stdio: "inherit"
  }
)
process.exitCode = status ?? 1

/** The documents that show kept figures: RESULTS.md, and the marked sections of the README. */
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Row as Scar } from "../chaos/Report.ts"
import type { Result as Fuzzed } from "../fuzz/Fuzz.ts"
import type { MeasuredRow } from "../Measure.ts"
import type { Soaked } from "../soak/Soaked.ts"
import { read } from "./Kept.ts"
import { inserted, results } from "./Tables.ts"

const readme = fileURLToPath(new URL("../../../../README.md", import.meta.url))
const report = fileURLToPath(new URL("../../RESULTS.md", import.meta.url))

/** Each file with the text that it has and the text that it should have. */
export const documents = Effect.gen(function* () {
  const figures = {
    bench: yield* read<MeasuredRow>("bench"),
    chaos: yield* read<Scar>("chaos"),
    fuzz: yield* read<Fuzzed>("fuzz"),
    soak: yield* read<Soaked>("soak")
  }
  const text = (file: string) => Effect.promise(() => readFile(file, "utf8").catch(() => ""))
  const shown = yield* text(readme)
  return [
    { file: readme, is: shown, should: inserted(shown, figures) },
    { file: report, is: yield* text(report), should: results(figures) }
  ]
})

export const write: Effect.Effect<void> = Effect.flatMap(documents, (all) =>
  Effect.promise(async () => {
    for (const { file, should } of all) await writeFile(file, should)
  })
)

/** The documents with stored figures: RESULTS.md with its plot, and the marked lines of the README. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Row as FaultRow } from "../chaos/Report.ts"
import type { Result as Fuzzed } from "../fuzz/Fuzz.ts"
import type { MeasuredRow } from "../Measure.ts"
import type { Lived } from "../month/Lived.ts"
import { rows } from "../rows/index.ts"
import type { Soaked } from "../soak/Soaked.ts"
import { curves } from "./Curves.ts"
import { folder, read } from "./Kept.ts"
import { inserted, results } from "./Tables.ts"

const order = rows.map(({ id }) => id)
const placeOf = ({ id }: MeasuredRow) => order.indexOf(id)

const readme = fileURLToPath(new URL("../../../../README.md", import.meta.url))
const plot = join(folder, "curves.svg")
const report = fileURLToPath(new URL("../../RESULTS.md", import.meta.url))

/** Each file with its current and its expected text. */
export const documents = Effect.gen(function* () {
  const figures = {
    bench: (yield* read<MeasuredRow>("bench")).toSorted((one, other) => placeOf(one) - placeOf(other)),
    chaos: yield* read<FaultRow>("chaos"),
    fuzz: yield* read<Fuzzed>("fuzz"),
    month: yield* read<Lived>("month"),
    soak: yield* read<Soaked>("soak")
  }
  const text = (file: string) => Effect.promise(() => readFile(file, "utf8").catch(() => ""))
  const shown = yield* text(readme)
  const drawn = curves(figures.bench)
  return [
    { file: readme, is: shown, should: inserted(shown, figures) },
    { file: report, is: yield* text(report), should: results(figures) },
    ...(drawn === undefined ? [] : [{ file: plot, is: yield* text(plot), should: drawn }])
  ]
})

export const write: Effect.Effect<void> = Effect.flatMap(documents, (all) =>
  Effect.promise(async () => {
    for (const { file, should } of all) await writeFile(file, should)
  })
)

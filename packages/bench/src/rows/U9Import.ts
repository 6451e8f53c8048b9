import { Effect, Layer } from "effect"
import * as Stage from "../browser/Stage.ts"
import * as Postgres from "../Postgres.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { csvOf, imported, rowsPerItem } from "./A6Import.ts"
import { about } from "./Console.ts"

let runs = 0

export const row: Row = {
  id: "U9",
  title: "the console, import of a file",
  needsPostgres: true,
  conditions: [
    ...about,
    "the file of A6, new addresses each time, through the wizard into a project of its own; from the press of Import after the check to the frame with the result; role all: API and worker in one process",
    "baseline: A6 in turn, which has no server, no browser and no upload, in the same database"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U9", "all")
    const services = yield* Layer.build(Seed.core(Postgres.layer(stage.project.url)))
    const through: Run = ({ mails }) =>
      stage.visit("an import", {}, async (page) => {
        const rows = mails * rowsPerItem
        page.setDefaultTimeout(600_000)
        await page.goto(`${stage.url}/console/p/${stage.project.empty}/contacts/import`)
        const file = Buffer.from(csvOf(rows, `run${++runs}-`))
        await page
          .getByLabel("CSV or TSV file")
          .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: file })
        for (let n = 0; n < 3; n++) await page.getByRole("button", { name: "Next" }).click()
        const count = rows.toLocaleString("en-US")
        await page.getByText(`${count} new, 0 changed, 0 faulty`, { exact: true }).waitFor()
        const begun = performance.now()
        await page.getByRole("button", { name: "Import", exact: true }).click()
        await page.getByText(`Imported: ${count} new`).waitFor()
        return { value: (1_000 * rows) / (performance.now() - begun) }
      })
    return [
      {
        name: "import",
        unit: "rows/s",
        target: ">= 0.9 of A6",
        posthorn: through,
        baselines: { A6: imported(services) }
      }
    ]
  })
}

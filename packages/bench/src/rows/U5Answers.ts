import { Effect, Schema } from "effect"
import { contacts } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { answered, shownAt } from "../browser/Vitals.ts"
import * as Api from "../processes/Api.ts"
import type { Row, Run } from "../Row.ts"
import { spread } from "../Statistics.ts"
import { about, loads } from "./Console.ts"

const plans = ["team", "pro"] as const

const Count = Schema.Struct({ count: Schema.Int })

export const row: Row = {
  id: "U5",
  title: "the console, from what was typed to the answer",
  needsPostgres: true,
  conditions: [
    ...about,
    "from the last input to the frame that shows it, with the wait for further letters: 250 ms in a search, 400 ms in a condition",
    "the search is for an address that one contact has; the condition changes from one value of a field to another, which one in nine or four contacts has",
    "the figure is the median of the repetitions of a run, five in runs of 10 s"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U5")
    const { project, server, at } = stage
    const counts = yield* Effect.forEach(plans, (value) =>
      Api.ask(
        server,
        project.key,
        {
          method: "POST",
          path: "/contacts/count",
          status: 200,
          body: { condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value }] }] } }
        },
        Count
      )
    )
    const searched: Run = (effort) =>
      stage.visit("a search", {}, async (page) => {
        await page.goto(at(contacts.path))
        await shownAt(page, contacts.selector, contacts.text)
        await page.waitForTimeout(1_000)
        const took: Array<number> = []
        for (const _ of loads(effort)) {
          const search = page.getByRole("searchbox")
          await search.click()
          const answer = answered(page, contacts.selector, project.rare)
          await page.keyboard.type(project.rare)
          took.push(await answer)
          await search.fill("")
          await page.getByText(`/ ${project.contacts.toLocaleString("en-US")}`).waitFor()
        }
        return { value: spread(took).median }
      })
    const counted: Run = (effort) =>
      stage.visit("a condition", {}, async (page) => {
        await page.goto(at("/segments/new"))
        await page.getByRole("button", { name: "Add condition" }).click()
        await page.getByLabel("Field").fill("plan")
        const took: Array<number> = []
        for (const round of [0, ...loads(effort)]) {
          const which = round % plans.length
          const text = `${(counts[which]?.count ?? 0).toLocaleString("en-US")} contact`
          const answer = answered(page, '[role="status"]', text)
          await page.getByLabel("Value", { exact: true }).fill(plans[which] ?? "")
          const millis = await answer
          if (round > 0) took.push(millis)
        }
        return { value: spread(took).median }
      })
    return [
      { name: "rare search", unit: "ms", target: "<= 350 ms", posthorn: searched, baselines: {} },
      { name: "count of a condition", unit: "ms", target: "<= 900 ms", posthorn: counted, baselines: {} }
    ]
  })
}

import { Effect } from "effect"
import { overview, places } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { followed, shownAt } from "../browser/Vitals.ts"
import type { Row, Run } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"
import { about, loads } from "./Console.ts"

export const row: Row = {
  id: "U2",
  title: "the console, from page to page",
  needsPostgres: true,
  conditions: [
    ...about,
    `a press of a place in the sidebar until the frame that shows its rows; ${places.map(({ name }) => name).join(", ")}, after a round that does not count`,
    "the figure is the median"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U2")
    const walked: Run = (effort) =>
      stage.visit("a walk", {}, async (page) => {
        await page.goto(stage.at(overview.path))
        await shownAt(page, overview.selector, overview.text)
        const took: Array<number> = []
        for (const round of [0, ...loads(effort)]) {
          for (const { path, selector, text } of places) {
            const link = `nav a[href$="/p/${stage.project.id}${path === "/" ? "" : path}"]`
            const millis = await followed(page, link, selector, text)
            if (round > 0) took.push(millis)
            await page.waitForTimeout(1_000)
          }
        }
        const latency = latencyOf(took)
        return { value: latency.p50, latency }
      })
    return [{ name: "next page", unit: "ms", target: "<= 300 ms", posthorn: walked, baselines: {} }]
  })
}

import { Effect } from "effect"
import { everyPage } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { shownAt, vitalsOf } from "../browser/Vitals.ts"
import type { Row, Run } from "../Row.ts"
import { about } from "./Console.ts"

/** Longer than the pause of 15 s between two reads of a list. */
const liveMillis = 16_000

const live = new Set(["overview", "activity", "mails"])

export const row: Row = {
  id: "U4",
  title: "the console, what moves on its pages",
  needsPostgres: true,
  conditions: [
    ...about,
    `the score of layout shifts (CLS) of every page from its navigation until its requests are answered; ${[...live].join(", ")} in runs of 5 s or more also until the lists were read again, 16 s`,
    "runs below 2 s look at every sixth page",
    "the figure is that of the worst page; those above 0.001 stand beside it"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U4")
    const moved: Run = ({ seconds }) =>
      Effect.gen(function* () {
        const pages = everyPage(stage.project).filter((_, n) => seconds >= 2 || n % 6 === 0)
        const scores = yield* Effect.forEach(pages, ({ name, path, selector, text }) =>
          stage.visit(name, {}, async (page) => {
            await page.goto(stage.at(path), { waitUntil: "commit" })
            await shownAt(page, selector, text)
            await page.waitForTimeout(1_000)
            if (seconds >= 5 && live.has(name)) await page.waitForTimeout(liveMillis)
            return [name, (await vitalsOf(page)).shift] as const
          })
        )
        return {
          value: Math.max(...scores.map(([, score]) => score)),
          more: Object.fromEntries(scores.filter(([, score]) => score > 0.001))
        }
      })
    return [{ name: "worst page", unit: "CLS", target: "<= 0.02", posthorn: moved, baselines: {} }]
  })
}

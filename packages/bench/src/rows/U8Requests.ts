import { Effect } from "effect"
import { overview, places } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { followed, shownAt } from "../browser/Vitals.ts"
import type { Row, Run } from "../Row.ts"
import { about } from "./Console.ts"

const isCall = (url: string) => !/\/console(?:\/|$)/.test(new URL(url).pathname)

/** Between two pages of the walk. */
const pauseMillis = 5_000

export const row: Row = {
  id: "U8",
  title: "the console, what it asks for",
  needsPostgres: true,
  conditions: [
    ...about,
    "requests to the API by a visible tab with the overview that is left alone for --minutes (15 by default, 1 with --quick), after its page has loaded",
    `and a minute of somebody who opens another place every ${pauseMillis / 1_000} s, over a fifth of that time`
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U8")
    const open = (
      work: (page: Parameters<Parameters<typeof stage.visit>[2]>[0], asked: () => number) => Promise<number>
    ) =>
      stage.visit("an idle tab", {}, async (page) => {
        let requests = 0
        page.on("request", (request) => {
          if (isCall(request.url())) requests++
        })
        await page.goto(stage.at(overview.path))
        await shownAt(page, overview.selector, overview.text)
        await page.waitForTimeout(1_000)
        requests = 0
        return await work(page, () => requests)
      })
    const idle: Run = ({ minutes = 0 }) =>
      Effect.map(
        open(async (page, asked) => {
          await page.waitForTimeout(minutes * 60_000)
          return asked()
        }),
        (value) => ({ value, more: { minutes } })
      )
    const walked: Run = ({ minutes = 0 }) =>
      Effect.map(
        open(async (page, asked) => {
          const begun = performance.now()
          for (let n = 0; n === 0 || performance.now() - begun < (minutes * 60_000) / 5; n++) {
            const place = places[n % places.length] ?? overview
            const path = place.path === "/" ? "" : place.path
            await followed(page, `nav a[href$="/p/${stage.project.id}${path}"]`, place.selector, place.text)
            await page.waitForTimeout(pauseMillis)
          }
          return (asked() * 60_000) / (performance.now() - begun)
        }),
        (value) => ({ value })
      )
    return [
      { name: "an idle tab", unit: "requests", target: "<= 2 in 15 minutes", posthorn: idle, baselines: {} },
      { name: "a minute of work", unit: "requests", target: "<= 60", posthorn: walked, baselines: {} }
    ]
  })
}

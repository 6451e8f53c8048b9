import { Effect } from "effect"
import { campaignReport, contacts, overview, workflow } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { shownAt, vitalsOf } from "../browser/Vitals.ts"
import type { Case, Row, Run } from "../Row.ts"
import { spread } from "../Statistics.ts"
import { about, loads } from "./Console.ts"

export const row: Row = {
  id: "U1",
  title: "the console, first visit of a page",
  needsPostgres: true,
  conditions: [
    ...about,
    "largest contentful paint with an empty cache, from the start of the navigation; the figure is the median of the visits of a run, five in runs of 10 s",
    "with the processor of the page four times slower: the server, which shares the machine, is not slowed"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U1")
    const { project, at, url } = stage
    const signIn = { name: "sign-in", address: `${url}/console/sign-in`, selector: "button", text: "Sign in" }
    const pages = [
      signIn,
      ...[overview, contacts, campaignReport(project), workflow(project)].map((page) => ({
        ...page,
        address: at(page.path)
      }))
    ]
    const painted =
      ({ name, address, selector, text }: (typeof pages)[number], slower: number): Run =>
      (effort) =>
        Effect.gen(function* () {
          const seen = yield* Effect.forEach(loads(effort), () =>
            stage.visit(name, { slower, isSignedOut: name === signIn.name }, async (page) => {
              await page.goto(address, { waitUntil: "commit" })
              const content = await shownAt(page, selector, text)
              await page.waitForTimeout(1_000)
              return { ...(await vitalsOf(page)), content }
            })
          )
          return {
            value: spread(seen.map(({ largestPaint }) => largestPaint)).median,
            more: { "content shown, ms": spread(seen.map(({ content }) => content)).median }
          }
        })
    return [1, 4].flatMap((slower) =>
      pages.map(
        (page): Case => ({
          name: slower === 1 ? page.name : `${page.name}, CPU x${slower}`,
          unit: "ms",
          target: slower === 1 ? "<= 1,000 ms" : "<= 2,500 ms",
          posthorn: painted(page, slower),
          baselines: {}
        })
      )
    )
  })
}

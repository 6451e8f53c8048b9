import { Effect } from "effect"
import { contacts } from "../browser/Pages.ts"
import * as Stage from "../browser/Stage.ts"
import { heapOf, shownAt } from "../browser/Vitals.ts"
import type { Row, Run } from "../Row.ts"
import { about } from "./Console.ts"

const most = 10_000
const mostInShort = 300

/** Scrolls the list to the row of this number, down or up, and waits until it is shown. */
const scrollTo = (row: number) => `(async () => {
  const grid = document.querySelector('[role="grid"]')
  const scroller = /auto|scroll/.test(getComputedStyle(grid).overflowY) ? grid : document.scrollingElement
  const numbers = () => [...grid.querySelectorAll("[aria-rowindex]")].map((row) => Number(row.getAttribute("aria-rowindex")))
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()))
  // The header, which always stands there, is row 1.
  const isShown = () => numbers().some((number) => number > 1 && (${row} === 2 ? number === 2 : number >= ${row}))
  const end = performance.now() + 300000
  while (!isShown()) {
    if (performance.now() > end) throw new Error("Row ${row} is not shown; " + Math.max(...numbers()) + " is.")
    scroller.scrollTop = ${row} === 2 ? Math.max(0, scroller.scrollTop - 4000) : scroller.scrollTop + 4000
    await frame()
    await frame()
  }
})()`

export const row: Row = {
  id: "U6",
  title: "the console, memory of a long list",
  needsPostgres: true,
  conditions: [
    ...about,
    `the heap of the page with the list of contacts after ${most} rows (or all, if there are fewer; ${mostInShort} in runs below 2 s) were scrolled and scrolled back, after a collection; before it and a second time beside it`
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Stage.start("U6")
    const scrolled: Run = ({ seconds }) =>
      stage.visit("a long list", {}, async (page) => {
        page.setDefaultTimeout(600_000)
        await page.goto(stage.at(contacts.path))
        await shownAt(page, contacts.selector, contacts.text)
        await page.waitForTimeout(1_000)
        const before = await heapOf(page)
        const far = Math.min(seconds < 2 ? mostInShort : most, stage.project.contacts)
        const heaps: Array<number> = []
        for (let n = 0; n < 2; n++) {
          await page.evaluate(scrollTo(far))
          await page.evaluate(scrollTo(2))
          heaps.push(await heapOf(page))
        }
        const [first = Number.NaN, second = Number.NaN] = heaps
        return { value: first, more: { "before, MB": before, "second time, MB": second } }
      })
    return [{ name: "heap", unit: "MB", target: "<= 80 MB", posthorn: scrolled, baselines: {} }]
  })
}

/**
 * What a page measures of its speed. The script runs in every page before its own: it observes the largest contentful
 * paint, layout shifts and interactions, and can wait for a frame that shows something.
 */
import type { Page } from "playwright-core"

/** Milliseconds, but for `shift`, which is the score of layout shifts (CLS). */
export interface Vitals {
  readonly largestPaint: number
  readonly shift: number
  /** The slowest interaction since the last reset; 0: none took longer than a frame. */
  readonly interaction: number
}

/**
 * CLS is the largest sum of shifts of one second with no gap of a second, in windows of five seconds at most. Shifts
 * within half a second of an input do not count. An interaction is from its event to the next frame; the browser tells
 * those from 16 ms on, in steps of 8.
 */
const observer = `(() => {
  const measured = { largestPaint: 0, shift: 0, interaction: 0, lastInput: 0 }
  let sum = 0, first = 0, last = 0
  const observe = (type, each, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...options })
  observe("largest-contentful-paint", (entry) => { measured.largestPaint = entry.startTime })
  observe("layout-shift", (entry) => {
    if (entry.hadRecentInput) return
    if (entry.startTime - last > 1000 || entry.startTime - first > 5000) { sum = 0; first = entry.startTime }
    last = entry.startTime
    sum += entry.value
    measured.shift = Math.max(measured.shift, sum)
  })
  observe("event", (entry) => {
    if (entry.interactionId > 0) measured.interaction = Math.max(measured.interaction, entry.duration)
  }, { durationThreshold: 16 })
  addEventListener("input", () => { measured.lastInput = performance.now() }, { capture: true })
  const frame = () => new Promise((done) => requestAnimationFrame(() => done()))
  const isShown = (selector, text) =>
    [...document.querySelectorAll(selector)].some((element) => (element.textContent ?? "").includes(text))
  globalThis.posthornBench = {
    measured,
    /** The time of the first frame after the element shows the text; fails after 30 seconds. */
    shown: async (selector, text) => {
      const end = performance.now() + 30000
      while (!isShown(selector, text)) {
        if (performance.now() > end) throw new Error(location.pathname + " does not show " + selector + " " + text)
        await frame()
      }
      await frame()
      return performance.now()
    }
  }
})()`

export const observe = (page: Page): Promise<void> => page.addInitScript({ content: observer }).then(() => {})

/** Reads what the page has measured, after the frames that are under way. */
export const vitalsOf = (page: Page): Promise<Vitals> =>
  page.evaluate(
    `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done({ ...posthornBench.measured }), 50)))`
  )

export const resetInteraction = (page: Page): Promise<unknown> =>
  page.evaluate("void (posthornBench.measured.interaction = 0)")

const shown = (selector: string, text: string) =>
  `posthornBench.shown(${JSON.stringify(selector)}, ${JSON.stringify(text)})`

/** Milliseconds from the start of the page to the frame that shows the text. */
export const shownAt = (page: Page, selector: string, text: string): Promise<number> =>
  page.evaluate(shown(selector, text))

/** Milliseconds from a press of the link to the frame that shows the text. */
export const followed = (page: Page, link: string, selector: string, text: string): Promise<number> =>
  page.evaluate(`(async () => {
    const begun = performance.now()
    document.querySelector(${JSON.stringify(link)}).click()
    return (await ${shown(selector, text)}) - begun
  })()`)

/** Milliseconds from the last input to the frame that shows the text; asked for before the input. */
export const answered = (page: Page, selector: string, text: string): Promise<number> =>
  page.evaluate(`(async () => {
    const at = await ${shown(selector, text)}
    return at - posthornBench.measured.lastInput
  })()`)

/** Slows the processor of the page. */
export const slow = async (page: Page, times: number): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: times })
}

/** Megabytes of the heap after a collection. */
export const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  await session.detach()
  return usedSize / 1024 / 1024
}

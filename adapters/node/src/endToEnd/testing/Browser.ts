/** A browser for tests, with checks that hold for every page. */
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { browserProgram } from "./BrowserPresence.ts"

export class Browser extends Context.Service<
  Browser,
  { readonly visit: <A>(options: BrowserContextOptions, look: (page: Page) => Promise<A>) => Effect.Effect<A> }
>()("@posthorn/node/endToEnd/testing/Browser") {}

export const layer = Layer.effect(
  Browser,
  Effect.gen(function* () {
    const started = yield* Effect.acquireRelease(
      Effect.promise(() => chromium.launch({ executablePath: browserProgram ?? "", args: ["--no-sandbox"] })),
      (running) => Effect.promise(() => running.close())
    )
    return Browser.of({
      visit: (options, look) =>
        Effect.promise(async () => {
          const context = await started.newContext({ locale: "en-US", ...options })
          try {
            return await look(await context.newPage())
          } finally {
            await context.close()
          }
        })
    })
  })
)

export const telephone = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2 }
export const desk = { viewport: { width: 1280, height: 800 } }
/** The windows in which pages are checked. The check itself changes to the dark scheme. */
export const looks = [
  ["phone", telephone],
  ["desk", desk]
] as const

/** Minified, because each page parses it. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** The rules whose result depends on colours. */
const colorRules = { type: "rule", values: ["color-contrast", "link-in-text-block"] }

/** Whatever appears, slides or fades is at its end. An endless animation has none, and refuses. */
const atRest = `for (const animation of document.getAnimations()) try { animation.finish() } catch {}`

const violations = async (page: Page, runOnly: unknown) => {
  await page.evaluate(atRest)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const options = JSON.stringify({ iframes: false, preload: false, resultTypes: ["violations"], runOnly })
  return page.evaluate(
    `axe.run(${options})
       .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`
  )
}

/** Pixels by which the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

const faultsOf = async (page: Page) => ({ found: await violations(page, tags), overflow: await overflow(page) })

/**
 * Checks that a page has no accessibility violation and fits the window, in both colour schemes unless only the text
 * differs from a page that was checked. With `PICTURES` set, it saves screenshots in the folder.
 */
export const flawless = (pictures: string) => {
  const keep = async (page: Page, name: string) => {
    if (process.env["PICTURES"] === undefined) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
  }
  return async (page: Page, name: string, schemes: "both" | "light" = "both") => {
    await page.emulateMedia({ colorScheme: "light" })
    await keep(page, `${name}-light`)
    assert.deepStrictEqual(await faultsOf(page), { found: [], overflow: 0 }, name)
    if (schemes === "light") return
    await page.emulateMedia({ colorScheme: "dark" })
    await keep(page, `${name}-dark`)
    assert.deepStrictEqual(await violations(page, colorRules), [], `${name}, dark`)
  }
}

/** The rules whose result depends on the width. */
const layoutRules = { type: "rule", values: ["scrollable-region-focusable", "target-size"] }

/** Checks at another width what depends on it, on a page that is flawless at one width. */
export const assertFits = async (page: Page, name: string): Promise<void> => {
  const found = await violations(page, layoutRules)
  assert.deepStrictEqual({ found, overflow: await overflow(page) }, { found: [], overflow: 0 }, name)
}

/** Moves the focus by the keyboard to the element with this name. */
export const tabTo = async (page: Page, name: string) => {
  for (let n = 0; n < 30; n++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate("document.activeElement?.textContent?.trim()")) === name) return
  }
  assert.fail(`The keyboard does not reach ${name}`)
}

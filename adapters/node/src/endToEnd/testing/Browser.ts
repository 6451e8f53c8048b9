/** A browser for tests, with checks that hold for every page. */
import { mkdirSync } from "node:fs"
import { assert } from "@effect/vitest"
import axe from "axe-core"
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
export const looks = [
  ["phone-light", { ...telephone, colorScheme: "light" }],
  ["phone-dark", { ...telephone, colorScheme: "dark" }],
  ["desk-light", { ...desk, colorScheme: "light" }],
  ["desk-dark", { ...desk, colorScheme: "dark" }]
] as const

const faultsOf = async (page: Page) => {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    `axe.run({ iframes: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
       .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`
  )
  const width = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
  return { found, overflow: width }
}

/** Checks that a page has no accessibility violation and fits the window, and saves a screenshot in the folder. */
export const flawless = (pictures: string) => {
  mkdirSync(pictures, { recursive: true })
  return async (page: Page, name: string) => {
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true })
    assert.deepStrictEqual(await faultsOf(page), { found: [], overflow: 0 }, name)
  }
}

/** Moves the focus by the keyboard to the element with this name. */
export const tabTo = async (page: Page, name: string) => {
  for (let n = 0; n < 30; n++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate("document.activeElement?.textContent?.trim()")) === name) return
  }
  assert.fail(`The keyboard does not reach ${name}`)
}

/**
 * A browser whose pages must be clean: no error or warning in the console, no violation of the policy, no request to
 * another origin, and no request that the OpenAPI document does not describe.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request
} from "playwright-core"
import { assert, expect } from "vitest"
import type { DevServer } from "./DevServer.ts"

const places = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin"]
// Chromium without windows comes first: it takes half the time of the whole browser.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** The path of a browser, if one is installed. */
export const browserProgram: string | undefined = names
  .flatMap((name) => places.map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

let started: Promise<Browser> | undefined

/**
 * The browser of this worker, which ends with it: a start takes seconds of the processor. To close it ends what the
 * test file has opened.
 */
export const launch = async (): Promise<Browser> => {
  if (started !== undefined && !(await started).isConnected()) started = undefined
  started ??= chromium.launch({
    executablePath: browserProgram ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync"
    ]
  })
  const browser = await started
  const close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())))
  return Object.assign(Object.create(browser), { close })
}

/** The windows in which every page is checked. The check itself changes to the dark scheme. */
export const looks = {
  "desk-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  "phone-light": { viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true }
} as const satisfies { readonly [name: string]: BrowserContextOptions }

export type Look = keyof typeof looks

const pictures = resolve(import.meta.dirname, "../../screenshots")

const root = resolve(import.meta.dirname, "../../../..")

/** The operations of the document as a pattern of their paths. */
const operations: ReadonlyArray<readonly [method: string, path: RegExp]> = Object.entries(
  JSON.parse(readFileSync(join(root, "openapi/openapi.json"), "utf8")).paths as Record<string, object>
).flatMap(([path, methods]) =>
  Object.keys(methods).map(
    (method) => [method.toUpperCase(), new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`)] as const
  )
)

const isDescribed = (method: string, path: string) =>
  path === "/console" ||
  path.startsWith("/console/") ||
  path.startsWith("/dev/") ||
  path.startsWith("/uploads/") ||
  path === "/pages.css" ||
  path === "/live" ||
  operations.some(([known, pattern]) => known === method && pattern.test(path))

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Goes to a page of the project: `go("/mails")`. */
  readonly go: (path: string) => Promise<void>
  /** What was wrong so far. A test that provokes an error takes it out. */
  readonly faults: Array<string>
}

/** Whether an image of a mail is loaded, in the frame that shows the mail. */
const isOfPreview = (request: Request): boolean =>
  request.resourceType() === "image" && request.frame().url().includes("/console/preview.html")

const watch = (page: Page, origin: string, faults: Array<string>) => {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      faults.push(`console ${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`))
  page.on("request", (request) => {
    const url = new URL(request.url())
    if (url.protocol === "data:" || url.protocol === "blob:") return
    // A mail of the mailbox is as its receiver has it: with the pixel that counts the opening.
    if (url.origin === origin && url.pathname.startsWith("/t/o/") && isOfPreview(request)) return
    if (url.origin !== origin) faults.push(`foreign request: ${url.href}`)
    else if (!isDescribed(request.method(), url.pathname))
      faults.push(`unknown request: ${request.method()} ${url.pathname}`)
  })
}

/** Keeps a picture of the whole page. */
const keep = async (page: Page, name: string): Promise<void> => {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}

/** Keeps a picture of a page for looking at, if `PICTURES` is set: a picture takes as long as a check. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  if (process.env["PICTURES"] !== undefined) await keep(page, name)
}

/** Keeps a picture of a page on which a test failed. */
export const keepFailure = (page: Page, name: string): Promise<void> => keep(page, `failed-${name}`)

/** The owner needs no password, whose check takes a second on a busy machine. */
const signIn = async ({ request }: BrowserContext, { url, email, password }: DevServer): Promise<void> => {
  const answer = await (email === "dev@posthorn.test"
    ? request.post(`${url}/dev/session`, { headers: { origin: url } })
    : request.post(`${url}/auth/login`, { data: { email, password } }))
  assert.strictEqual(answer.status(), 200, await answer.text())
}

/** Opens a signed-in browser, lets the test look, and then checks that its pages were clean. */
export const visit = async (
  browser: Browser,
  server: DevServer,
  options: BrowserContextOptions,
  look: (visit: Visit) => Promise<void>
): Promise<void> => {
  const context = await browser.newContext({ locale: "en-US", timezoneId: "UTC", reducedMotion: "reduce", ...options })
  const faults: Array<string> = []
  try {
    await signIn(context, server)
    const page = await context.newPage()
    watch(page, new URL(server.url).origin, faults)
    const go = async (path: string) => {
      await page.goto(`${server.url}/console/p/${server.projectId}${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
    }
    try {
      await look({ page, context, go, faults })
    } catch (error) {
      await keepFailure(page, `${expect.getState().currentTestName?.replace(/\W+/g, "-").slice(0, 120)}`)
      throw error
    }
    assert.deepStrictEqual(faults, [])
  } finally {
    await context.close()
  }
}

/** Minified, because each page parses it. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** The rules whose result depends on colours. */
const colorRules = ["color-contrast", "link-in-text-block"]

/** Whatever appears, slides or fades is at its end. An endless animation has none, and refuses. */
const atRest = `for (const animation of document.getAnimations()) try { animation.finish() } catch {}`

const run = async (page: Page, options: object): Promise<ReadonlyArray<string>> => {
  await page.evaluate(atRest)
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const all = { iframes: false, preload: false, resultTypes: ["violations"], ...options }
  return await page.evaluate(
    // The last announcement for screen readers may name a button that is gone. It is removed after seven seconds.
    `axe.run({ exclude: [["[data-live-announcer]"]] }, ${JSON.stringify(all)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" ")))`
  )
}

/** What axe finds on the page, one line a rule. The rules about colours take most of its time. */
export const violations = async (page: Page, colors = true): Promise<ReadonlyArray<string>> => {
  // An open dialog hides the page behind it from screen readers, and with it the main landmark and the heading.
  const isOverlaid = (await page.locator('[role="dialog"],[role="alertdialog"]').count()) > 0
  const rules = {
    // Off unless it is named: a person who speaks what they see must be understood.
    "label-content-name-mismatch": { enabled: true },
    ...(!colors && Object.fromEntries(colorRules.map((rule) => [rule, { enabled: false }]))),
    ...(isOverlaid && { "landmark-one-main": { enabled: false }, "page-has-heading-one": { enabled: false } })
  }
  return run(page, { runOnly: tags, rules })
}

/** Pixels by which the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")

/**
 * The page has no accessibility violation in either colour scheme, and fits the window. It is light afterwards. In the
 * window of a phone, colours are checked only on request: the parts of a page have the same colours at each width.
 */
export const assertFlawless = async (
  page: Page,
  name: string,
  colors = (page.viewportSize()?.width ?? 0) > looks["phone-light"].viewport.width
): Promise<void> => {
  await keepPicture(page, name)
  const found = await violations(page, colors)
  assert.deepStrictEqual({ found, overflow: await overflow(page) }, { found: [], overflow: 0 }, name)
  if (!colors && process.env["PICTURES"] === undefined) return
  await page.emulateMedia({ colorScheme: "dark" })
  await keepPicture(page, `${name}-dark`)
  if (colors) {
    assert.deepStrictEqual(await run(page, { runOnly: { type: "rule", values: colorRules } }), [], `${name}, dark`)
  }
  await page.emulateMedia({ colorScheme: "light" })
}

/** Moves the focus by the keyboard to the element with this accessible name. */
export const tabTo = async (page: Page, name: string, most = 100): Promise<void> => {
  for (let n = 0; n < most; n++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate(
      "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()"
    )
    if (focused === name) return
  }
  assert.fail(`The keyboard does not reach ${name}`)
}

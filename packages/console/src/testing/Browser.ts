/**
 * A browser whose pages must be clean: no error or warning in the console, no violation of the policy, no request to
 * another origin, and no request that the OpenAPI document does not describe.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import axe from "axe-core"
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
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** The path of a browser, if one is installed. */
export const browserProgram: string | undefined = names
  .flatMap((name) => places.map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

export const launch = (): Promise<Browser> =>
  chromium.launch({
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

/** The four looks in which every page is checked. */
export const looks = {
  "desk-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  "desk-dark": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  "phone-light": { viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true },
  "phone-dark": { viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true }
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

/** Keeps a picture of the whole page for looking at. */
export const keepPicture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
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
    await context.request.post(`${server.url}/auth/login`, { data: { email: server.email, password: server.password } })
    const page = await context.newPage()
    watch(page, new URL(server.url).origin, faults)
    const go = async (path: string) => {
      await page.goto(`${server.url}/console/p/${server.projectId}${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
    }
    try {
      await look({ page, context, go, faults })
    } catch (error) {
      await keepPicture(page, `failed-${expect.getState().currentTestName?.replace(/\W+/g, "-").slice(0, 120)}`)
      throw error
    }
    assert.deepStrictEqual(faults, [])
  } finally {
    await context.close()
  }
}

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** What axe finds on the page, one line a rule. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  // An open dialog hides the page behind it from screen readers, and with it the main landmark and the heading.
  const isOverlaid = (await page.locator('[role="dialog"],[role="alertdialog"]').count()) > 0
  const rules = isOverlaid
    ? { "landmark-one-main": { enabled: false }, "page-has-heading-one": { enabled: false } }
    : {}
  return await page.evaluate(
    `axe.run({ iframes: false, runOnly: ${JSON.stringify(tags)}, rules: ${JSON.stringify(rules)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" ")))`
  )
}

/** Pixels by which the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")

/** The page has no accessibility violation and fits the window. Its picture is kept for looking at. */
export const assertFlawless = async (page: Page, name: string): Promise<void> => {
  await keepPicture(page, name)
  const found = await violations(page)
  assert.deepStrictEqual({ found, overflow: await overflow(page) }, { found: [], overflow: 0 }, name)
}

/** Moves the focus by the keyboard to the element with this accessible name. */
export const tabTo = async (page: Page, name: string, most = 60): Promise<void> => {
  for (let n = 0; n < most; n++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate(
      "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()"
    )
    if (focused === name) return
  }
  assert.fail(`The keyboard does not reach ${name}`)
}

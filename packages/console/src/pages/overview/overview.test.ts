/** The overview, the activity and the frame around all pages, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

describe.skipIf(browserProgram === undefined)("the overview in the console", () => {
  let server: DevServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    await server.call("POST", "/v1/send", {
      to: "ada@example.com",
      from: `hi@${server.domain}`,
      subject: "Your order",
      body: "<p>Hello</p>"
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/")
      await page.getByText("Mail sent").first().waitFor()
      // Also the colours of what only a phone shows.
      await assertFlawless(page, `overview-${look}`, true)
      await go("/activity")
      await page.getByText("ada@example.com").first().waitFor()
      await assertFlawless(page, `activity-${look}`)
    })
  })

  it.each(["desk-light", "phone-light"] as const)("keeps the place of what is being read: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await page.addInitScript(`
        window.shifted = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
        }).observe({ type: "layout-shift", buffered: true })`)
      await go("/")
      await page.getByText("Mail sent").first().waitFor()
      await page.locator('main [class*="_bar"]').first().waitFor({ state: "detached" })
      await page.waitForTimeout(500)
      assert.isBelow(Number(await page.evaluate("window.shifted")), 0.02)
    })
  })

  it("leads from a figure to the mails behind it, and reads a chart by the keyboard and as a table", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      await page.getByRole("img", { name: "Mails per day" }).focus()
      await page.keyboard.press("End")
      await page.getByRole("status").filter({ hasText: "Sent 1" }).waitFor()
      await page.getByRole("button", { name: "Show as table" }).click()
      assert.strictEqual(await page.getByRole("table").getByRole("row").count(), 31)
      await page.locator("dl").getByRole("link", { name: "1", exact: true }).first().click()
      await page.getByRole("heading", { name: "Mails", level: 1 }).waitFor()
    })
  })

  it("leads from an activity to its record and to its contact", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/activity?type=email.sent")
      await page.getByRole("link", { name: "ada@example.com" }).first().click()
      await page.getByRole("heading", { name: "ada@example.com", level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole("row").nth(1).getByRole("link").last().click()
      await page.waitForURL(/\/mails\/[0-9a-f-]{36}$/)
    })
  })

  it("goes to places by two keys, and to anything by the palette", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      await page.keyboard.press("g")
      await page.keyboard.press("m")
      await page.getByRole("heading", { name: "Mails", level: 1 }).waitFor()
      await page.keyboard.press("/")
      assert.strictEqual(await page.evaluate("document.activeElement.type"), "search")
      await page.keyboard.press("Control+k")
      await page.getByRole("dialog", { name: "Go to" }).waitFor()
      await page.keyboard.type("webh")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Webhooks" }).waitFor()
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keys" }).waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.getByRole("banner").getByRole("button", { name: "Search" }).click()
      await page.getByRole("dialog", { name: "Go to" }).waitFor()
    })
  })

  it("opens a menu by the keyboard, and gives the focus back to its button", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      const button = page.getByRole("button", { name: "Account" })
      await button.focus()
      await page.keyboard.press("ArrowUp")
      const items = page.getByRole("menuitem")
      await items.last().waitFor()
      await assertFlawless(page, "menu")
      assert.strictEqual(await items.last().evaluate((item) => item === item.ownerDocument.activeElement), true)
      assert.strictEqual(await button.getAttribute("aria-expanded"), "true")
      await page.keyboard.press("Escape")
      await items.last().waitFor({ state: "detached" })
      assert.strictEqual(await button.evaluate((element) => element === element.ownerDocument.activeElement), true)
      await button.click()
      await page.getByRole("menuitem", { name: "Colours" }).click()
      await items.last().waitFor({ state: "detached" })
    })
  })

  it("keeps the first page small", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      await page.getByText("Mail sent").first().waitFor()
      const bytes = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.endsWith(".js"))
          .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0)
      )
      assert.isBelow(bytes, 160_000)
      assert.isAbove(bytes, 50_000)
    })
  })
})

/** Signing in and the account, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

describe.skipIf(browserProgram === undefined)("the account in the console", () => {
  let server: DevServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page }) => {
      for (const path of ["sign-in", "sign-up", "forgot", "projects", "account"]) {
        await page.goto(`${server.url}/console/${path}`)
        await page.getByRole("heading", { level: 1 }).waitFor()
        await assertFlawless(page, `account-${path}-${look}`)
      }
    })
  })

  it("leads who is not signed in to the sign-in page and back, by one button and the keyboard alone", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context }) => {
      await context.clearCookies()
      await page.goto(`${server.url}/console/p/${server.projectId}/mails?state=BOUNCED`)
      await page.getByRole("heading", { name: "Sign in" }).waitFor()
      await tabTo(page, "Continue as dev@posthorn.test")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Mails" }).waitFor()
      assert.include(page.url(), "/mails?state=BOUNCED")
    })
  })

  it("opens a dialog over the page when the session ends, and repeats the call", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go, faults }) => {
      await go("/mails")
      await context.clearCookies()
      await page.getByRole("link", { name: "Activity" }).first().click()
      const dialog = page.getByRole("dialog", { name: "Your session ended. Sign in again." })
      await dialog.getByRole("button", { name: /^Continue as/ }).click()
      await dialog.waitFor({ state: "detached" })
      await page.getByRole("heading", { name: "Activity" }).waitFor()
      await page
        .getByText(/appears here|Mail sent/)
        .first()
        .waitFor()
      // The refused call itself is an error in the console of the browser.
      const refused = faults.filter((fault) => fault.includes("401"))
      assert.isNotEmpty(refused)
      faults.splice(0, faults.length, ...faults.filter((fault) => !refused.includes(fault)))
    })
  })

  it("creates a project, and shows its secret key once and masked", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page }) => {
      await page.goto(`${server.url}/console/projects`)
      await page.getByLabel("Name").fill("Second")
      await page.getByRole("button", { name: "Create project" }).click()
      await page.getByText("Second is created.").waitFor()
      assert.notMatch((await page.textContent("body")) ?? "", /sk_[\w-]{20}/)
      await page.getByRole("button", { name: "Show", exact: true }).click()
      assert.match((await page.locator("[data-secret]").textContent()) ?? "", /^sk_[\w-]{40,}$/)
      await page.getByRole("link", { name: "Open the project" }).click()
      await page.getByRole("heading", { name: "Overview" }).waitFor()
    })
  })

  it("ends the other sessions, and signs out by the menu", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await page.goto(`${server.url}/console/account`)
      await page.getByRole("button", { name: "End all others" }).click()
      await page.getByText("Ended.").waitFor()
      // The header row and the own session. The page reads the list again after the answer.
      await page.locator('[role="grid"][aria-rowcount="2"]').waitFor()
      await go("/")
      await page.getByRole("button", { name: "Account" }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "Sign in" }).waitFor()
      assert.strictEqual(
        await page.evaluate(
          "Object.keys({ ...localStorage, ...sessionStorage }).filter((name) => name.startsWith('posthorn')).length"
        ),
        0
      )
    })
  })
})

/** Pages outside of a project in their states, pages that do not exist, and a connection that is lost. */
import type { Browser, Page, Route } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import {
  assertFlawless,
  browserProgram,
  type Look,
  launch,
  looks,
  tabTo,
  violations,
  visit
} from "./testing/Browser.ts"
import { type DevServer, startDevServer } from "./testing/DevServer.ts"

const isApi = (url: URL) => !/^\/(?:console|uploads)(?:\/|$)/.test(url.pathname)
const isStart = (url: URL) => /^\/(?:config|health|users\/@me|users\/@me\/projects)$/.test(url.pathname)

const refuse = (route: Route) =>
  route.fulfill({
    status: 500,
    contentType: "application/json",
    body: JSON.stringify({
      success: false,
      error: {
        code: "INTERNAL_SERVER_ERROR",
        message: "The service could not answer.",
        statusCode: 500,
        requestId: "019a0000-0000-7000-8000-000000000000",
        suggestion: "Try again later."
      }
    })
  })

/** Takes out what the browser itself writes about answers that are faults. */
const forgive = (faults: Array<string>) =>
  faults.splice(0, faults.length, ...faults.filter((fault) => !/status of [45]\d\d|net::ERR|PosthornError/.test(fault)))

const noBars = (page: Page) => page.locator('main [class*="_bar"]').first().waitFor({ state: "detached" })

describe.skipIf(browserProgram === undefined)("pages outside of a project", () => {
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

  const open = (page: Page, path: string) => page.goto(`${server.url}/console${path}`)

  it("loading: the account has its parts, and is read by screen readers", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page }) => {
      let release = () => {}
      const held = new Promise<void>((done) => {
        release = done
      })
      await page.route(
        (url) => isApi(url) && !isStart(url),
        async (route) => {
          await held
          await route.continue().catch(() => undefined)
        }
      )
      await open(page, "/account")
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor()
      assert.deepStrictEqual(await violations(page), [])
      release()
      await page.getByText("This session").waitFor()
    })
  })

  it("failed: the account says what and why, and is there again after one press", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, faults }) => {
      await page.route((url) => isApi(url) && !isStart(url), refuse)
      await open(page, "/account")
      await page.getByRole("heading", { level: 1 }).waitFor()
      const retry = page.getByRole("alert").getByRole("button", { name: "Try again" })
      await retry.first().waitFor()
      await assertFlawless(page, "outside-failed-account")
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await retry.first().click()
      await retry.first().waitFor({ state: "detached" })
      await noBars(page)
      forgive(faults)
    })
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)(
    "failed: the list of projects says what and why, and is there again by the keyboard alone: %s",
    async (look) => {
      await visit(browser, server, looks[look], async ({ page, faults }) => {
        // The list is read before its page, so its failure stands in place of the page.
        await page.route((url) => url.pathname === "/users/@me/projects", refuse)
        await open(page, "/projects")
        await page.getByRole("heading", { level: 1, name: "This page could not be shown" }).waitFor()
        await page.getByRole("alert").getByText("The service could not answer.").waitFor()
        assert.strictEqual(await page.getByRole("grid").count(), 0)
        await assertFlawless(page, `outside-failed-projects-${look}`)
        await tabTo(page, "Try again")
        const refused = page.waitForResponse((response) => response.url().endsWith("/users/@me/projects"))
        await page.keyboard.press("Enter")
        await refused
        await page.getByRole("alert").getByText("The service could not answer.").waitFor()
        await page.unrouteAll({ behavior: "ignoreErrors" })
        await tabTo(page, "Try again")
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor()
        await page.getByRole("grid", { name: "Projects" }).getByRole("row").nth(1).waitFor()
        forgive(faults)
      })
    }
  )

  it("failed: a start that the service does not answer can be tried again", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, faults }) => {
      await page.route(isStart, refuse)
      await open(page, "/projects")
      await page.getByText("The service could not answer.").waitFor()
      await assertFlawless(page, "outside-failed-start")
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor()
      forgive(faults)
    })
  })

  it("failed: the button of a development server says that it did not work", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, faults }) => {
      await context.clearCookies()
      await open(page, "/sign-in")
      await page.route("**/dev/session", refuse)
      await page.getByRole("button", { name: /^Continue as/ }).click()
      await page.getByRole("alert").waitFor()
      await assertFlawless(page, "outside-failed-sign-in")
      forgive(faults)
    })
  })

  it("empty: somebody without a project is told what one is for, and makes one", async () => {
    const email = "new@example.com"
    const password = "a long password of somebody new"
    const answer = await fetch(`${server.url}/auth/signup`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ email, password })
    })
    assert.oneOf(answer.status, [200, 201], await answer.text())
    await visit(browser, { ...server, email, password }, looks["phone-light"], async ({ page }) => {
      await open(page, "/")
      await page.getByText("A project has its own contacts, mails, domains and keys.").waitFor()
      await assertFlawless(page, "outside-empty-projects")
      await page.getByLabel("Name").fill("First")
      await page.getByRole("button", { name: "Create project" }).click()
      await page.getByText("First is created.").waitFor()
    })
  })

  it("an address that leads nowhere says so, and leads home", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page }) => {
      for (const path of [
        "/nowhere",
        "/p/01900000-0000-7000-8000-000000000000/mails",
        `/p/${server.projectId}/nowhere`
      ]) {
        await open(page, path)
        await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor()
        await page.getByRole("link", { name: "Go to the overview" }).waitFor()
      }
      await page.getByRole("link", { name: "Go to the overview" }).click()
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    })
  })

  it("a lost connection: a band says so, what was read stays, a write keeps its text, and reading goes on by itself", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      const band = page.getByText("The server does not answer.")
      await go("/mails")
      await page.getByRole("row", { name: /ada@example\.com/ }).waitFor()
      await page.getByRole("button", { name: "Send a test" }).first().click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Subject").fill("Kept")
      await page.route(isApi, (route) => route.abort("connectionrefused"))
      await dialog.getByRole("button", { name: "Send", exact: true }).click()
      await dialog.getByRole("alert").waitFor()
      assert.strictEqual(await dialog.getByLabel("Subject").inputValue(), "Kept")
      await page.keyboard.press("Escape")
      await page
        .getByLabel("State")
        .first()
        .selectOption("DELIVERED")
        .catch(() => undefined)
      await page.getByRole("link", { name: "Contacts" }).first().click()
      await band.waitFor()
      await assertFlawless(page, "connection-lost")
      await page.getByRole("link", { name: "Mails" }).first().click()
      await page.getByRole("row", { name: /ada@example\.com/ }).waitFor()
      await band.waitFor()
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await band.waitFor({ state: "detached", timeout: 30_000 })
      forgive(faults)
    })
  }, 90_000)
})

/** The pages about mails, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString()

describe.skipIf(browserProgram === undefined)("mails in the console", () => {
  let server: DevServer
  let browser: Browser
  let mailId: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    const send = (mail: object) =>
      server.call<{ data: { emails: [{ email: string }] } }>("POST", "/v1/send", {
        from: `hi@${server.domain}`,
        ...mail
      })
    const { body } = await send({
      to: "ada@example.com",
      subject: '<img src=x onerror="document.title=1"> \u202etxt',
      body: '<p>Hello <script>parent.document.title = "taken"</script><a href="https://example.com">here</a></p>',
      tags: { order: "4711" }
    })
    mailId = body.data.emails[0].email
    await send({ to: "bounced@example.test", subject: "Bounces", body: "<p>x</p>" })
    await send({ to: "reader-of-letters@example.com", subject: "A long subject ".repeat(15), body: "<p>x</p>" })
    await send({ to: "eva@example.com", subject: "Later", body: "<p>x</p>", scheduledFor: inAWeek() })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/mails")
      await page.getByText("ada@example.com").waitFor()
      await assertFlawless(page, `mails-${look}`)
      await go("/mails?q=nobody@example.com")
      await page.getByText("Nothing matches").waitFor()
      await assertFlawless(page, `mails-filtered-${look}`)
      await go("/mails/scheduled")
      await page.getByText("eva@example.com").waitFor()
      await assertFlawless(page, `scheduled-${look}`)
      await go(`/mails/${mailId}`)
      await page.getByText("Accepted").first().waitFor()
      await assertFlawless(page, `mail-${look}`)
      await go(`/mails/${mailId}?tab=preview`)
      await page.frameLocator("iframe").getByText("Hello").waitFor()
      await assertFlawless(page, `mail-preview-${look}`)
      await go("/mailbox")
      await page.getByRole("grid").waitFor()
      await assertFlawless(page, `mailbox-${look}`)
    })
  })

  it("breaks no address for a long subject, limits the list to some days, and mails to an address with an outcome", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/mails")
      const address = page.getByText("reader-of-letters@example.com", { exact: true })
      await address.waitFor()
      assert.isBelow((await address.boundingBox())?.height ?? 99, 30)
      await page.getByLabel("Range").selectOption("7")
      await page.waitForURL(/days=7/)
      await address.waitFor()
      await go("/mailbox")
      await page.getByRole("button", { name: "deferred@example.test" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Send", exact: true }).click()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      const { body } = await server.call<{ data: ReadonlyArray<{ to: string }> }>("GET", "/emails?limit=1")
      assert.strictEqual(body.data[0]?.to, "deferred@example.test")
    })
  })

  it("shows text from outside as text, and lets nothing in a mail run", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/mails/${mailId}?tab=preview`)
      await page.frameLocator("iframe").getByText("Hello").waitFor()
      assert.match((await page.getByRole("heading", { level: 1 }).textContent()) ?? "", /<img src=x onerror/)
      assert.match((await page.getByRole("heading", { level: 1 }).textContent()) ?? "", /U\+202E/)
      assert.notMatch(await page.title(), /^(?:1|taken)$|\u202e/)
    })
  })

  it("saves the filters as a view, opens the list with it, and deletes it with a way back", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      const views = page.getByRole("button", { name: "Views" })
      const choose = async (name: string) => {
        await views.click()
        await page.getByRole("menuitem", { name }).click()
      }
      await go("/mails?state=BOUNCED")
      await page.getByText("bounced@example.test").waitFor()
      await choose("Save this view")
      const dialog = page.getByRole("dialog", { name: "Save this view" })
      await dialog.getByRole("textbox", { name: "Name" }).fill("Bounced ones")
      await dialog.getByText("All members of the project see it").click()
      await assertFlawless(page, "view-form")
      await dialog.getByRole("button", { name: "Save" }).click()
      await page.getByText("Bounced ones is saved.").waitFor()
      const { body } = await server.call<ReadonlyArray<object>>("GET", "/views?page=mails")
      assert.deepInclude(body[0], { name: "Bounced ones", query: "state=BOUNCED", shared: true })

      // The list opens with the last view, but not over a query of its own.
      await go("/mails")
      await page.waitForURL(/state=BOUNCED/)
      await page.getByText("ada@example.com").waitFor({ state: "detached" })
      await go("/mails?source=CAMPAIGN")
      await page.getByText("Nothing matches").waitFor()
      assert.notInclude(page.url(), "BOUNCED")
      await views.click()
      await page.getByRole("menuitem", { name: "Bounced ones" }).first().waitFor()
      await assertFlawless(page, "views-menu")
      await page.getByRole("menuitem", { name: "Everything" }).click()
      await page.getByText("ada@example.com").waitFor()
      await go("/mails")
      await page.getByText("ada@example.com").waitFor()
      assert.notInclude(page.url(), "BOUNCED")

      await views.click()
      await page.getByRole("menuitem", { name: "Bounced ones" }).click()
      await page.waitForURL(/state=BOUNCED/)
      await choose("Change Bounced ones")
      const change = page.getByRole("dialog", { name: "Change this view" })
      await change.getByRole("textbox", { name: "Name" }).fill("Bad addresses")
      await change.getByRole("button", { name: "Save" }).click()
      await page.getByText("Bad addresses is saved.").waitFor()
      await choose("Delete Bad addresses")
      await page.getByText("Bad addresses is deleted.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await views.click()
      await page.getByRole("menuitem", { name: "Bad addresses" }).first().waitFor()
    })
  })

  it("filters by state, keeps the filter in the URL, and shows the same by a copied link", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await go("/mails")
      await page.getByLabel("State").selectOption("BOUNCED")
      await page.getByText("ada@example.com").waitFor({ state: "detached" })
      assert.include(page.url(), "state=BOUNCED")
      const copy = await context.newPage()
      await copy.goto(page.url())
      await copy.getByText("bounced@example.test").waitFor()
      assert.strictEqual(await copy.getByRole("grid").getAttribute("aria-rowcount"), "2")
    })
  })

  it("sends a test, finds it by its address, and cancels a scheduled mail", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/mails")
      await page.getByRole("button", { name: "Send a test" }).first().click()
      await page.getByLabel("To", { exact: true }).fill("first@example.com")
      await page.getByRole("button", { name: "Send", exact: true }).click()
      await page.getByRole("row", { name: /first@example\.com/ }).waitFor()
      await page.getByRole("searchbox").fill("first@example.com")
      await page.getByText("ada@example.com").waitFor({ state: "detached" })
      assert.include(page.url(), "q=first%40example.com")
      await go("/mails/scheduled")
      await page
        .getByRole("row", { name: /eva@example\.com/ })
        .getByRole("button", { name: "More actions" })
        .click()
      await page.getByRole("menuitem", { name: "Cancel mail" }).click()
      await page.getByText("1 mail is cancelled.").waitFor()
      await page.getByText("Mail that waits for its time").waitFor()
    })
  })

  it("sends a test by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/mails")
      await page.getByRole("row").nth(1).waitFor()
      await tabTo(page, "Send a test")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByLabel("Subject").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("keys@example.com")
      await tabTo(page, "Send")
      await page.keyboard.press("Enter")
      await page.getByRole("row", { name: /keys@example\.com/ }).waitFor()
      await page.getByRole("dialog").waitFor({ state: "detached" })
      const focused = "(document.activeElement?.textContent ?? '').trim()"
      assert.strictEqual(await page.evaluate(focused), "Send a test")
    })
  })
})

/** What a newcomer does in the first hour, in one browser against a development server: from signing in to a workflow. */
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { browserProgram, launch, looks, visit } from "./testing/Browser.ts"
import { type DevServer, startDevServer } from "./testing/DevServer.ts"

const rows = Array.from({ length: 10_000 }, (_, n) =>
  n === 5_000 ? "not an address,basic" : `person${n}@example.com,${n < 3 ? "vip" : "basic"}`
)

describe.skipIf(browserProgram === undefined)("a newcomer", () => {
  let server: DevServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const signIn = async (page: Page) => {
    await page.goto(`${server.url}/`)
    await page.getByRole("button", { name: /^Continue as/ }).click()
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor()
  }

  const sendTest = async (page: Page) => {
    await page.getByRole("link", { name: "Mails" }).first().click()
    await page.getByRole("heading", { name: "Mails", level: 1 }).waitFor()
    await page.getByRole("button", { name: "Send a test" }).first().click()
    await page.getByLabel("To", { exact: true }).fill("me@example.com")
    await page.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("row", { name: /me@example\.com/ }).waitFor()
  }

  const importContacts = async (page: Page) => {
    await page.getByLabel("CSV or TSV file").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`email,plan\n${rows.join("\n")}\n`)
    })
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("person0@example.com").first().waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel(/segment/i).first().waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page
      .getByText(/9,?999 new, 0 changed, 1 faulty/)
      .first()
      .waitFor({ timeout: 60_000 })
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText(/Imported: 9,?999 new/).waitFor({ timeout: 60_000 })
  }

  const buildSegment = async (page: Page) => {
    await page.getByRole("textbox", { name: "Name" }).fill("VIPs")
    await page.getByRole("button", { name: "Add condition" }).click()
    await page.getByLabel("Field").fill("plan")
    await page.getByLabel("Value", { exact: true }).fill("vip")
    await page.getByText("3 contacts match").waitFor()
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.getByRole("heading", { name: "VIPs", level: 1 }).waitFor()
  }

  const writeMail = async (page: Page) => {
    await page.getByRole("button", { name: "Create template" }).first().click()
    await page.getByRole("textbox", { name: "Name" }).fill("First letter")
    await page.getByRole("textbox", { name: "Subject" }).fill("A letter for you")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("heading", { name: "First letter", level: 1 }).waitFor()
    await page
      .getByRole("listbox", { name: "Blocks of the mail" })
      .getByRole("option", { name: /^Text/ })
      .first()
      .click()
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Hello from the blocks")
    await page.getByText("Draft saved").waitFor()
    await page.getByRole("button", { name: "Publish" }).click()
    await page.getByText("Version 2 is live.").waitFor()
  }

  const sendCampaign = async (page: Page) => {
    await page.getByRole("button", { name: "New campaign" }).first().click()
    await page.getByRole("dialog").getByLabel("Name").fill("To the VIPs")
    await page.getByRole("dialog").getByLabel("Start from").selectOption({ label: "First letter" })
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { level: 1, name: "To the VIPs" }).waitFor()
    await page.getByRole("radio", { name: "A segment" }).check({ force: true })
    await page.getByLabel("Segment", { exact: true }).selectOption({ index: 1 })
    await page.getByText("3 contacts will get the mail.").first().waitFor()
    await page.getByRole("button", { name: "Check and send" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("button", { name: "Undo" }).waitFor()
    await page.locator('[role="progressbar"][aria-valuenow="100"]').waitFor({ timeout: 60_000 })
  }

  const drawWorkflow = async (page: Page) => {
    await page.getByRole("dialog", { name: "New workflow" }).waitFor()
    await page.keyboard.type("After a purchase")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "After a purchase" }).waitFor()
    await page.getByText("Steps as list").click()
    await page.locator("[data-step]").first().click()
    await page.getByRole("dialog", { name: "Trigger" }).getByLabel("Event").fill("purchase")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.locator("[data-step]:focus").waitFor()
    await page.keyboard.press("i")
    await page.getByRole("menuitem", { name: "Delay" }).click()
    await page.getByRole("dialog", { name: "Delay" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Everything is saved").waitFor()
    await page.getByRole("button", { name: "Enable" }).click()
    await page.getByText("After a purchase is enabled.").waitFor()
  }

  it("signs in, imports, segments, writes, sends a campaign, and follows a workflow", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await context.clearCookies()
      await signIn(page)
      await sendTest(page)
      await go("/contacts/import")
      await importContacts(page)
      await go("/segments/new")
      await buildSegment(page)
      await go("/templates")
      await writeMail(page)
      await go("/campaigns")
      await sendCampaign(page)

      await go("/mailbox")
      await page.getByRole("link", { name: "A letter for you" }).first().waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "A letter for you" }).count(), 3)
      await page.getByRole("link", { name: "A letter for you" }).first().click()
      await page.frameLocator("iframe").getByText("Hello from the blocks").waitFor()

      await go("/workflows?new=blank")
      await drawWorkflow(page)
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? ""
      await server.call("POST", "/events/track", { email: "person1@example.com", event: "purchase" })
      await go(`/workflows/${id}?tab=executions`)
      await page.getByRole("link", { name: "person1@example.com" }).click()
      await page
        .locator(".react-flow__node", { hasText: "Delay" })
        .getByText(/Scheduled|Waiting/)
        .waitFor()
      await go("/mailbox")
      await page.getByRole("button", { name: "+1 day" }).click()
      await page.getByText("The clock of the service stands at").waitFor()
      await go(`/workflows/${id}?tab=executions`)
      await page.getByRole("link", { name: "person1@example.com" }).click()
      await page.getByRole("region", { name: "person1@example.com" }).getByText("Completed").first().waitFor()
    })
  }, 240_000)
})

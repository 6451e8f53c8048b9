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

  /** Follows the sidebar. */
  const open = async (page: Page, name: string) => {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click()
    await page.getByRole("heading", { level: 1, name }).waitFor()
  }

  const signIn = async (page: Page) => {
    await page.goto(`${server.url}/console`)
    await page.getByRole("button", { name: "Continue as dev@posthorn.test" }).click()
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
  }

  const sendTest = async (page: Page) => {
    await open(page, "Mails")
    await page.getByRole("button", { name: "Send a test" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("To", { exact: true }).fill("me@example.com")
    await dialog.getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("row", { name: /me@example\.com/ }).waitFor()
  }

  const importContacts = async (page: Page) => {
    await open(page, "Contacts")
    await page.getByRole("link", { name: "Import" }).first().click()
    await page.getByLabel("CSV or TSV file").setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`email,plan\n${rows.join("\n")}\n`)
    })
    const step = page.locator('[aria-current="step"]')
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("person0@example.com").first().waitFor()
    assert.strictEqual(await step.textContent(), "Columns")
    await page.getByRole("button", { name: "Next" }).click()
    await step.getByText("Options").waitFor()
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByText("9,999 new, 0 changed, 1 faulty", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Import", exact: true }).click()
    await page.getByText("Imported: 9,999 new, 0 changed, 1 faulty").waitFor()
    await page.getByRole("row", { name: "not an address" }).waitFor()
  }

  const buildSegment = async (page: Page) => {
    await open(page, "Segments")
    await page.getByRole("button", { name: "New segment" }).first().click()
    await page.getByRole("textbox", { name: "Name" }).fill("VIPs")
    await page.getByRole("button", { name: "Add condition" }).click()
    await page.getByLabel("Field").fill("plan")
    await page.getByLabel("Value", { exact: true }).fill("vip")
    await page.getByText("3 contacts match").waitFor()
    await page.getByRole("button", { name: "Create segment" }).click()
    await page.getByRole("heading", { level: 1, name: "VIPs" }).waitFor()
  }

  const writeMail = async (page: Page) => {
    await open(page, "Templates")
    await page.getByRole("button", { name: "Create template" }).first().click()
    await page.getByRole("textbox", { name: "Name" }).fill("First letter")
    await page.getByRole("textbox", { name: "Subject" }).fill("A letter for you")
    await page.getByRole("button", { name: "Create", exact: true }).click()
    await page.getByRole("heading", { level: 1, name: "First letter" }).waitFor()
    await page.getByRole("treegrid", { name: "Blocks of the mail" }).getByRole("row", { name: /^Text/ }).first().click()
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("Hello from the blocks")
    await page.getByText("Draft saved").waitFor()
    await page.getByRole("button", { name: "Publish" }).click()
    await page.getByText("Version 2 is live.").waitFor()
  }

  const sendCampaign = async (page: Page) => {
    await open(page, "Campaigns")
    await page.getByRole("button", { name: "New campaign" }).first().click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("To the VIPs")
    await dialog.getByLabel("Start from").selectOption({ label: "First letter" })
    await dialog.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { level: 1, name: "To the VIPs" }).waitFor()
    await page.getByRole("radio", { name: "A segment" }).check()
    await page.getByLabel("Segment", { exact: true }).selectOption("VIPs (3)")
    await page.getByText("3 contacts will get the mail.").first().waitFor()
    await page.getByRole("button", { name: "Check and send" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Send", exact: true }).click()
    await page.getByRole("status").getByRole("button", { name: "Undo" }).waitFor()
    await page.locator('[role="progressbar"][aria-valuenow="100"]').waitFor()
    await page.getByText("3 of 3").waitFor()
  }

  const readMail = async (page: Page) => {
    await open(page, "Dev mailbox")
    const mails = page.getByRole("link", { name: "A letter for you" })
    await mails.nth(2).waitFor()
    assert.strictEqual(await mails.count(), 3)
    await mails.first().click()
    await page.frameLocator("iframe").getByText("Hello from the blocks").waitFor()
  }

  const drawWorkflow = async (page: Page) => {
    await open(page, "Workflows")
    await page.getByRole("button", { name: "New workflow" }).first().click()
    const creating = page.getByRole("dialog", { name: "New workflow" })
    await creating.getByRole("radio", { name: /^Blank/ }).check()
    await creating.getByLabel("Name").fill("After a purchase")
    await creating.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { level: 1, name: "After a purchase" }).waitFor()
    await page.getByText("Steps as list").click()
    await page.locator("[data-step]").first().click()
    await page.getByRole("dialog", { name: "Trigger" }).getByLabel("Event").fill("purchase")
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.locator("[data-step]:focus").press("i")
    await page.getByRole("menuitem", { name: "Delay" }).click()
    await page.getByRole("dialog", { name: "Delay" }).waitFor()
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Everything is saved").waitFor()
    await page.getByRole("button", { name: "Enable" }).click()
    await page.getByText("After a purchase is enabled.").waitFor()
  }

  const followWorkflow = async (page: Page) => {
    const tracked = await fetch(`${server.url}/v1/track`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.publicKey}`, "content-type": "application/json" },
      body: JSON.stringify({ email: "person1@example.com", event: "purchase" })
    })
    assert.strictEqual(tracked.status, 200)
    const openExecution = async () => {
      await page.getByRole("link", { name: "Executions" }).click()
      await page.getByRole("link", { name: "person1@example.com" }).click()
    }
    await openExecution()
    await page.locator(".react-flow__node", { hasText: "Delay" }).getByText("Scheduled").waitFor()
    await open(page, "Dev mailbox")
    await page.getByRole("button", { name: "+1 day" }).click()
    await page.getByText("The clock of the service stands at").waitFor()
    await open(page, "Workflows")
    await page.getByRole("link", { name: "After a purchase" }).click()
    await openExecution()
    await page.locator(".react-flow__node", { hasText: "Delay" }).getByText("Completed").waitFor()
    await page.getByRole("region", { name: "person1@example.com" }).getByText("Completed").first().waitFor()
  }

  it("signs in, imports, segments, writes, sends a campaign, and follows a workflow", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context }) => {
      await context.clearCookies()
      for (const step of [
        signIn,
        sendTest,
        importContacts,
        buildSegment,
        writeMail,
        sendCampaign,
        readMail,
        drawWorkflow,
        followWorkflow
      ]) {
        await step(page)
      }
    })
  })
})

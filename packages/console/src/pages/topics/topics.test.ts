/** The pages about topics, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

interface Topic {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly archived: boolean
  readonly translations: { readonly [language: string]: { readonly name: string } }
}

const hostile = '<img src=x onerror="document.title=1"> \u202etxt'

describe.skipIf(browserProgram === undefined)("topics in the console", () => {
  let server: DevServer
  let browser: Browser
  let news: Topic

  const create = async (name: string) =>
    (await server.call<Topic>("POST", "/topics", { name, defaultSubscription: "unsubscribed" })).body
  const get = async (topic: string) => (await server.call<Topic>("GET", `/topics/${topic}`)).body

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    news = await create("Product news")
    await create(hostile)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/topics")
      await page
        .getByText(/<img src=x onerror.*U\+202E/)
        .first()
        .waitFor()
      await assertFlawless(page, `topics-${look}`)
      await page.getByRole("button", { name: "New topic" }).click()
      await page.getByRole("dialog").getByLabel("Name").waitFor()
      await assertFlawless(page, `topics-new-${look}`)
      await go(`/topics/${news.id}`)
      await page.getByLabel("Place in lists").waitFor()
      await assertFlawless(page, `topic-${look}`)
    })
  })

  it("makes a topic by the keyboard only, and shows a fault at its field", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go("/topics")
      await tabTo(page, "New topic")
      await page.keyboard.press("Enter")
      const dialog = page.getByRole("dialog")
      await dialog.waitFor()
      await page.keyboard.type("Offers")
      await dialog.getByLabel("Key").fill("product-news")
      await page.keyboard.press("Enter")
      await dialog.locator('[aria-invalid="true"], [data-invalid]').or(dialog.getByRole("alert")).first().waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("status of 4")))
      await dialog.getByLabel("Key").fill("offers")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Offers" }).waitFor()
      assert.strictEqual((await get("offers")).name, "Offers")
    })
  })

  it("changes a topic, with a text in another language", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/topics/${news.id}`)
      await page.getByRole("textbox", { name: "Language" }).fill("de")
      await page.getByRole("button", { name: "Add language" }).click()
      const german = page.getByRole("group", { name: "de" })
      await german.getByLabel("Name").fill("Neuigkeiten")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Saved.").waitFor()
      assert.strictEqual((await get(news.key)).translations["de"]?.name, "Neuigkeiten")
    })
  })

  it("lists its contacts by what they said, and leads to them from the numbers", async () => {
    const topic = await create("Listed")
    const opened = `/topics/${topic.id}?tab=contacts`
    for (const [email, state] of [
      ["yes@example.com", "subscribed"],
      ["also@example.com", "subscribed"],
      ["no@example.com", "unsubscribed"]
    ] as const) {
      await server.call("POST", "/contacts", { email, topics: { [topic.key]: state } })
    }
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/topics/${topic.id}`)
      await page.getByRole("main").getByRole("link", { name: "Contacts", exact: true }).click()
      const grid = page.getByRole("grid", { name: "Contacts" })
      await grid.getByText("yes@example.com").waitFor()
      assert.strictEqual(await grid.getAttribute("aria-rowcount"), "3")
      await assertFlawless(page, "topic-contacts")
      await page.getByLabel("Contacts that").selectOption("unsubscribed")
      await grid.getByText("no@example.com").waitFor()
      assert.include(page.url(), "state=unsubscribed")
      assert.strictEqual(await grid.getByText("yes@example.com").count(), 0)
      await page.getByLabel("Contacts that").selectOption("pending")
      await page.getByText("No contact was asked to confirm and has not answered yet.").waitFor()
      await assertFlawless(page, "topic-contacts-empty")
      await go(`/topics/${topic.id}`)
      await tabTo(page, "2")
      await page.keyboard.press("Enter")
      await grid.getByText("yes@example.com").waitFor()
      await grid.getByText("also@example.com").click()
      await page.getByRole("heading", { level: 1, name: "also@example.com" }).waitFor()
    })
    for (const look of Object.keys(looks) as ReadonlyArray<Look>) {
      await visit(browser, server, looks[look], async ({ page, go }) => {
        await go(opened)
        await page.getByText("yes@example.com").waitFor()
        await assertFlawless(page, `topic-contacts-${look}`)
      })
    }
  })

  it("archives a topic and takes it back, and deletes one after it was asked for", async () => {
    const gone = await create("Gone")
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/topics/${gone.id}`)
      await page.getByRole("button", { name: "Archive" }).click()
      await page.getByText("Gone is archived.").waitFor()
      await page.getByText(/^This topic is archived/).waitFor()
      assert.isTrue((await get(gone.key)).archived)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Gone is in use again.").waitFor()
      assert.isFalse((await get(gone.key)).archived)
      await page.getByRole("button", { name: "Delete" }).click()
      const dialog = page.getByRole("alertdialog")
      await dialog.getByText(/^What people said about it/).waitFor()
      await assertFlawless(page, "topic-delete")
      await dialog.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor()
      assert.strictEqual((await server.call("GET", `/topics/${gone.key}`)).status, 404)
    })
  })

  it("is chosen for a template and a campaign, and stays with later changes", async () => {
    const offers = await create("Special offers")
    const mail = { from: `hi@${server.domain}`, subject: "News", body: "<p>Hello</p>" }
    const made = async (path: string, body: object) => {
      const { body: answer } = await server.call<{ id: string; data?: { id: string } }>("POST", path, body)
      return answer.id ?? answer.data?.id ?? ""
    }
    const templateId = await made("/templates", { ...mail, name: "Offer", type: "MARKETING" })
    const campaignId = await made("/campaigns", { ...mail, name: "Autumn offer", audienceType: "ALL" })
    const topicOf = async (path: string) => {
      const { body } = await server.call<{ topicId?: string; data?: { topicId: string } }>("GET", path)
      return body.topicId ?? body.data?.topicId
    }
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/templates/${templateId}?view=details`)
      await page.getByLabel("Topic").selectOption({ label: "Special offers" })
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await vi.waitFor(async () => assert.strictEqual(await topicOf(`/templates/${templateId}`), offers.id), 20_000)
      await go(`/campaigns/${campaignId}/edit`)
      await page.getByLabel("Topic").selectOption({ label: "Special offers" })
      await vi.waitFor(async () => assert.strictEqual(await topicOf(`/campaigns/${campaignId}`), offers.id), 20_000)
      // Another change of the campaign keeps it.
      await page.getByLabel("Name", { exact: true }).fill("Winter offer")
      await vi.waitFor(async () => {
        const { body } = await server.call<{ data?: { name: string }; name?: string }>(
          "GET",
          `/campaigns/${campaignId}`
        )
        assert.strictEqual(body.data?.name ?? body.name, "Winter offer")
      }, 20_000)
      assert.strictEqual(await topicOf(`/campaigns/${campaignId}`), offers.id)
    })
  })
})

/** The pages about sign-up forms, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

interface Form {
  readonly id: string
  readonly publicId: string
  readonly enabled: boolean
  readonly fields: ReadonlyArray<{
    readonly key: string
    readonly type: string
    readonly options: ReadonlyArray<string>
  }>
  readonly topics: ReadonlyArray<object>
  readonly texts: { readonly consentText: string | null }
  readonly translations: { readonly [language: string]: { readonly title: string | null } }
}

const hostile = '<img src=x onerror="document.title=1"> \u202etxt'

describe.skipIf(browserProgram === undefined)("forms in the console", () => {
  let server: DevServer
  let browser: Browser
  let form: Form

  const create = async (body: object) => (await server.call<Form>("POST", "/forms", body)).body
  const get = async (id: string) => (await server.call<Form>("GET", `/forms/${id}`)).body

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    await server.call("POST", "/topics", { name: "Product news", defaultSubscription: "unsubscribed" })
    await server.call("POST", "/segments", { name: "Friends", type: "STATIC" })
    form = await create({
      name: "Newsletter",
      fields: [
        { key: "company", label: hostile },
        { key: "size", label: "Size", type: "select", options: ["1 to 10", "more"] }
      ],
      texts: { title: hostile, consentText: "I want news by mail." },
      consentRequired: true
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/forms")
      await page.getByText("Newsletter").first().waitFor()
      await assertFlawless(page, `forms-${look}`)
      await go(`/forms/${form.id}`)
      await page.getByText("Without a script").first().waitFor()
      await page.getByText("Product news").first().waitFor()
      await assertFlawless(page, `form-${look}`)
      assert.notStrictEqual(await page.title(), "1")
    })
  })

  it("makes a form by the keyboard only, adds a field and a topic, and the page of the form asks for them", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go("/forms")
      await tabTo(page, "New form")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByLabel("Name").waitFor()
      await page.keyboard.type("Waiting list")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Waiting list" }).waitFor()
      const id = page.url().split("/").at(-1) ?? ""
      await page.getByRole("button", { name: "Add field" }).click()
      const field = page.getByRole("group", { name: "Field 1" })
      await field.getByLabel("Label").fill("Company")
      await field.getByLabel("Name in the data").fill("email")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await field.locator('[aria-invalid="true"]').waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
      await field.getByLabel("Name in the data").fill("company")
      await page.getByLabel("Product news").selectOption("choice")
      await page.getByRole("textbox", { name: "Language" }).fill("de")
      await page.getByRole("button", { name: "Add language" }).click()
      await page.getByRole("group", { name: "de" }).getByLabel("Title").fill("Warteliste")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText("Saved.").waitFor()
      const saved = await get(id)
      assert.deepStrictEqual(
        saved.fields.map(({ key, type }) => [key, type]),
        [["company", "text"]]
      )
      assert.deepStrictEqual(saved.topics, [{ key: "product-news", mode: "choice" }])
      assert.strictEqual(saved.translations["de"]?.title, "Warteliste")
      const shown = await (await fetch(`${server.url}/f/${saved.publicId}?lang=de`)).text()
      assert.include(shown, "Warteliste")
      assert.include(shown, "Company")
      await page.getByRole("link", { name: "Open the form" }).waitFor()
    })
  })

  it("disables a form and takes it back, and deletes one after it was asked for", async () => {
    const gone = await create({ name: "Gone" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/forms/${gone.id}`)
      await page.getByRole("button", { name: "Disable", exact: true }).click()
      await page.getByText("Gone is disabled.").waitFor()
      assert.strictEqual((await fetch(`${server.url}/f/${gone.publicId}`)).status, 404)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Gone is enabled.").waitFor()
      assert.isTrue((await get(gone.id)).enabled)
      await page.getByRole("button", { name: "Delete", exact: true }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click()
      await page.getByRole("heading", { level: 1, name: "Forms" }).waitFor()
      assert.strictEqual((await server.call("GET", `/forms/${gone.id}`)).status, 404)
    })
  })
})

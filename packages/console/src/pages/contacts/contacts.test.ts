/** The pages about contacts, in a browser against a development server. */
import { readFileSync } from "node:fs"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

interface Contact {
  readonly id: string
  readonly email: string
  readonly subscribed: boolean
  readonly data: { readonly [key: string]: unknown }
}

const hostile = '<img src=x onerror="document.title=1"> \u202etxt'

describe.skipIf(browserProgram === undefined)("contacts in the console", () => {
  let server: DevServer
  let browser: Browser
  let ada: Contact

  const create = async (email: string, data: object = {}) =>
    (await server.call<Contact>("POST", "/contacts", { email, data })).body
  const found = async (email: string) =>
    (await server.call<{ data: ReadonlyArray<Contact> }>("GET", `/contacts?search=${encodeURIComponent(email)}`)).body
      .data[0]

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    ada = await create("ada@example.com", { plan: "pro", seats: 5, trial: true, note: hostile })
    await create("bob@example.com", { plan: "free" })
    await create("eva@example.com")
    await server.call("POST", "/events/track", {
      email: "ada@example.com",
      event: "order.paid",
      data: { note: hostile }
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      for (const [path, text, name] of [
        ["/contacts?columns=plan,note", "ada@example.com", "contacts"],
        ["/contacts?q=nobody@example.com", "Nothing matches", "contacts-filtered"],
        [`/contacts/${ada.id}`, "order.paid", "contact"],
        ["/contacts/import", "CSV or TSV file", "contacts-import"],
        ["/contacts/fields", "data.plan", "contacts-fields"]
      ] as const) {
        await go(path)
        await page.getByText(text).first().waitFor()
        await assertFlawless(page, `${name}-${look}`)
      }
      await page.getByRole("button", { name: "data.plan" }).click()
      await page.getByRole("dialog").getByText("Nothing uses this field").waitFor()
      await assertFlawless(page, `contacts-field-${look}`)
    })
  })

  it("shows text from outside as text", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts?columns=note")
      assert.match((await page.getByRole("row", { name: /ada@/ }).textContent()) ?? "", /<img src=x onerror.*U\+202E/)
      await go(`/contacts/${ada.id}`)
      await page
        .getByText(/<img src=x onerror/)
        .first()
        .waitFor()
      assert.notStrictEqual(await page.title(), "1")
    })
  })

  it("finds by address, unsubscribes the selected, and shows the same by a copied link", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await go("/contacts")
      await page.getByText("eva@example.com").waitFor()
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), "4")
      await page.getByRole("searchbox").fill("bob")
      await page.getByText("eva@example.com").waitFor({ state: "detached" })
      assert.include(page.url(), "q=bob")
      await page.getByRole("row", { name: /bob@example\.com/ }).press("Space")
      await page.getByRole("button", { name: "Unsubscribe" }).click()
      await page.getByText("1 contact changed.").waitFor()
      assert.strictEqual((await found("bob@example.com"))?.subscribed, false)
      await page.getByLabel("Subscription").selectOption("unsubscribed")
      await page.getByRole("link", { name: "bob@example.com" }).waitFor()
      const copy = await context.newPage()
      await copy.goto(page.url())
      await copy.getByText("bob@example.com").waitFor()
      assert.strictEqual(await copy.getByRole("grid").getAttribute("aria-rowcount"), "2")
    })
  })

  it("adds selected contacts to a static segment, lists its members, exports them, and deletes one", async () => {
    const { body: segment } = await server.call<{ id: string }>("POST", "/segments", {
      name: "Friends",
      type: "STATIC"
    })
    await create("gone@example.com")
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts")
      await page.getByRole("row", { name: /gone@example\.com/ }).press("Space")
      await page.getByRole("button", { name: "Add to segment" }).click()
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Segment").selectOption({ label: "Friends" })
      await dialog.getByRole("button", { name: "Add to segment" }).click()
      await page.getByText("1 contact joined the segment.").waitFor()
      await go(`/contacts?segment=${segment.id}`)
      await page.getByText("gone@example.com").waitFor()
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), "2")
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "Export" }).click()
      assert.strictEqual((await saved).suggestedFilename(), "contacts.csv")
      await page.getByRole("row", { name: /gone@example\.com/ }).press("Space")
      await page.getByRole("button", { name: "Delete", exact: true }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete", exact: true }).click()
      await page.getByText("1 contact changed.").waitFor()
      assert.strictEqual(await found("gone@example.com"), undefined)
    })
  })

  it("edits data in place with its type, adds and removes a field, and takes a deletion back", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/contacts/${ada.id}`)
      await page.getByRole("heading", { level: 1, name: "ada@example.com" }).waitFor()
      await page.getByLabel("seats", { exact: true }).fill("many")
      await page.getByLabel("seats", { exact: true }).press("Enter")
      await page.getByText("This field is a number.").waitFor()
      await page.getByLabel("seats", { exact: true }).fill("7")
      await page.getByLabel("seats", { exact: true }).press("Enter")
      await page.getByText("seats is saved.").waitFor()
      await page.getByLabel("Name").fill("country")
      await page.getByLabel("Value", { exact: true }).fill("DE")
      await page.getByLabel("Value", { exact: true }).press("Enter")
      await page.getByText("country is saved.").waitFor()
      await page
        .locator("form", { has: page.getByLabel("trial", { exact: true }) })
        .getByRole("button", { name: "Remove field" })
        .click()
      await page.getByText("trial is removed.").waitFor()
      const { data } = (await server.call<Contact>("GET", `/contacts/${ada.id}`)).body
      assert.deepStrictEqual(data, { plan: "pro", seats: 7, note: hostile, country: "DE" })
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByText("bob@example.com").waitFor()
      assert.strictEqual(await page.getByRole("row", { name: /ada@example\.com/ }).count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("row", { name: /ada@example\.com/ }).waitFor()
      assert.strictEqual((await server.call("GET", `/contacts/${ada.id}`)).status, 200)
    })
  })

  it("erases a person after the address is typed", async () => {
    const { id } = await create("erased@example.com")
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/contacts/${id}`)
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "Export personal data" }).click()
      assert.strictEqual((await saved).suggestedFilename(), "erased@example.com.json")
      await page.getByRole("button", { name: "Erase" }).click()
      const dialog = page.getByRole("alertdialog")
      await dialog.getByRole("textbox").fill("erased@example.com")
      await dialog.getByRole("button", { name: "Erase" }).click()
      await page.getByText("The person is erased.").waitFor()
      assert.strictEqual((await server.call("GET", `/contacts/${id}`)).status, 404)
    })
  })

  it("adds a contact by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts")
      await tabTo(page, "Add contact")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").waitFor()
      await page.keyboard.type("keys@example.com")
      await page.keyboard.press("Enter")
      await page.getByRole("row", { name: /keys@example\.com/ }).waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("keys")
      await page.getByText("eva@example.com").waitFor({ state: "detached" })
      await tabTo(page, "Columns")
      await page.keyboard.press("Tab")
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "keys@example.com" }).waitFor()
    })
  })

  it("imports 10,000 contacts from a file above 5 MB, and names its faulty row", async () => {
    const note = "x".repeat(520)
    const rows = Array.from({ length: 10_000 }, (_, n) =>
      n === 9_900 ? `not an address,pro,${n},"a\nb"` : `person${n}@example.com,pro,${n},${n === 0 ? '"a\nb"' : note}`
    )
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts/import")
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByText("Choose a file.").waitFor()
      await page.getByLabel("CSV or TSV file").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`E-Mail,Plan,Seats,Notes\n${rows.join("\n")}\n`)
      })
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByLabel("Target of Notes").selectOption("skip")
      await page.getByLabel("Field of Plan").fill("tier")
      await assertFlawless(page, "contacts-import-columns")
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByText("9,999 new, 0 changed, 1 faulty", { exact: true }).waitFor({ timeout: 60_000 })
      await assertFlawless(page, "contacts-import-check")
      assert.strictEqual(await found("person9999@example.com"), undefined)
      await page.getByRole("button", { name: "Import", exact: true }).click()
      await page.getByText("Imported: 9,999 new, 0 changed, 1 faulty").waitFor({ timeout: 60_000 })
      // The header is line 1, and the first row has two lines.
      await page.getByRole("row", { name: "not an address" }).getByText("9903").waitFor()
      await assertFlawless(page, "contacts-import-result")
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "Faulty rows as CSV" }).click()
      assert.strictEqual(
        readFileSync(await (await saved).path(), "utf8"),
        'row,error,E-Mail,Plan,Seats,Notes\r\n9903,Not a valid email address.,not an address,pro,9900,"a\nb"'
      )
      assert.include(page.url(), "group=")
      assert.deepStrictEqual((await found("person9999@example.com"))?.data, { tier: "pro", Seats: 9_999 })
      const { body } = await server.call<{ data: ReadonlyArray<{ dryRun: boolean }> }>("GET", "/contacts/import")
      assert.strictEqual(body.data.filter(({ dryRun }) => !dryRun).length, 2)
      await page.getByRole("link", { name: "Open contacts" }).click()
      await page.getByText(/ \/ 10,0\d\d/).waitFor()
    })
  }, 120_000)
})

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

  it("filters by a condition, which stands in the link, together with a segment", async () => {
    const { body: segment } = await server.call<{ id: string }>("POST", "/segments", {
      name: "Example people",
      condition: { groups: [{ filters: [{ field: "email", operator: "contains", value: "example.com" }] }] }
    })
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await go("/contacts")
      await page.getByText("eva@example.com").waitFor()
      await page.getByRole("button", { name: "Condition" }).click()
      const dialog = page.getByRole("dialog", { name: "Condition" })
      await dialog.getByRole("button", { name: "Add condition" }).first().click()
      await dialog.getByRole("button", { name: "Apply" }).click()
      await dialog.getByText("Say what the condition is about.").first().waitFor()
      await dialog.getByPlaceholder("Field").fill("plan")
      await dialog.getByPlaceholder("Field").press("Enter")
      await dialog.getByLabel("Value", { exact: true }).fill("pro")
      await dialog.getByText("1 contact matches").waitFor()
      await assertFlawless(page, "contacts-condition")
      await dialog.getByRole("button", { name: "Apply" }).click()
      await page.getByText("eva@example.com").waitFor({ state: "detached" })
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), "2")
      await page.getByLabel("Segment").selectOption({ label: "Example people" })
      await page.waitForURL(new RegExp(`segment=${segment.id}`))
      await page.getByText("ada@example.com").waitFor()
      const copy = await context.newPage()
      await copy.goto(page.url())
      await copy.getByText("ada@example.com").waitFor()
      assert.strictEqual(await copy.getByRole("grid").getAttribute("aria-rowcount"), "2")
      await page.getByRole("button", { name: "Remove Condition" }).click()
      await page.getByText("eva@example.com").waitFor()
    })
  })

  it("changes all contacts that match the filters after their number was shown", async () => {
    for (const name of ["one", "two", "three"]) await create(`${name}@all.example.com`)
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts?q=all.example")
      await page.getByRole("row", { name: /one@all/ }).press("Space")
      await page.getByRole("button", { name: "Select all 3 that match" }).click()
      await page.getByText("3 selected").waitFor()
      await page.getByRole("button", { name: "Unsubscribe" }).click()
      const dialog = page.getByRole("alertdialog", { name: "Unsubscribe" })
      await dialog.getByText("3 contacts will be changed.").waitFor()
      await assertFlawless(page, "contacts-all")
      await dialog.getByRole("button", { name: "Unsubscribe" }).click()
      await page.getByText("3 contacts changed.").waitFor()
      for (const name of ["one", "two", "three"]) {
        assert.strictEqual((await found(`${name}@all.example.com`))?.subscribed, false)
      }
      assert.strictEqual((await found("ada@example.com"))?.subscribed, true)
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
      const dialog = page.getByRole("alertdialog")
      await dialog.getByLabel("Segment").selectOption({ label: "Friends" })
      await dialog.getByText("1 contact will be changed.").waitFor()
      await dialog.getByRole("button", { name: "Add to segment" }).click()
      await page.getByText("1 contact changed.").waitFor()
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

  it("pauses mail of a contact, and asks it to confirm", async () => {
    const { id } = await create("quiet@example.com")
    await server.call("PATCH", "/settings/audience", { doubleOptIn: { from: `hi@${server.domain}` } })
    await server.call("POST", "/topics", { name: "Product news", defaultSubscription: "unsubscribed" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/contacts/${id}?tab=preferences`)
      await page.getByText("The contact was never asked to confirm.").waitFor()
      await page.getByText("Product news").waitFor()
      await assertFlawless(page, "contact-preferences")
      await page.getByRole("button", { name: "Pause for 30 days" }).click()
      await page.getByText("Marketing mail is paused until").waitFor()
      const paused = (await server.call<{ snoozedUntil: string | null }>("GET", `/contacts/${id}`)).body.snoozedUntil
      assert.isAbove(Date.parse(paused ?? ""), Date.now() + 29 * 86_400_000)
      await page.getByRole("button", { name: "End the pause" }).click()
      await page.getByText("Marketing mail is not paused.").waitFor()
      await page.getByRole("button", { name: "Unsubscribe" }).click()
      await page.getByRole("button", { name: "Ask to confirm" }).click()
      await page.getByText("The contact is asked by mail.").waitFor()
      await page.getByText("Waits for an answer").waitFor()
      await assertFlawless(page, "contact-opt-in")
      await page.getByRole("button", { name: "Cancel the request" }).click()
      await page.getByText("The request is cancelled.").waitFor()
    })
  })

  it("shows what proves the consent of a contact, each record by a link, and exports the records", async () => {
    const { body: chain } = await server.call<Contact>("POST", "/contacts", {
      email: "chain@example.com",
      consent: { basis: "consent", wording: `Send me news. ${hostile}`, language: "en", evidence: { page: 3 } }
    })
    await server.call("PATCH", `/contacts/${chain.id}`, { subscribed: false })
    // The records of the contact, whatever address it had.
    await server.call("PATCH", `/contacts/${chain.id}`, { email: "renamed@example.com" })
    await visit(browser, server, looks["desk-light"], async ({ page, context, go }) => {
      await go(`/contacts/${chain.id}`)
      await page.getByRole("link", { name: "Consent" }).click()
      const grid = page.getByRole("grid", { name: "Records of consent" })
      await grid.getByText("Withdrew").waitFor()
      assert.strictEqual(await grid.getAttribute("aria-rowcount"), "3")
      await assertFlawless(page, "contact-consent")
      await grid.getByRole("button", { name: "Agreed" }).click()
      const panel = page.getByRole("dialog", { name: "Agreed" })
      await panel.getByText(/^Send me news\. <img src=x onerror/).waitFor()
      await panel.getByText(/"page": 3/).waitFor()
      await assertFlawless(page, "contact-consent-record")
      const copy = await context.newPage()
      await copy.goto(page.url())
      await copy.getByRole("dialog", { name: "Agreed" }).waitFor()
      await page.keyboard.press("Escape")
      await panel.waitFor({ state: "detached" })
      const saved = page.waitForEvent("download")
      await page.getByRole("button", { name: "Export records" }).click()
      const text = readFileSync(await (await saved).path(), "utf8")
      assert.strictEqual(text.trim().split("\r\n").length, 3)
    })
    for (const look of Object.keys(looks) as ReadonlyArray<Look>) {
      await visit(browser, server, looks[look], async ({ page, go }) => {
        await go(`/contacts/${chain.id}?tab=consent`)
        await page.getByText("Withdrew", { exact: true }).waitFor()
        await assertFlawless(page, `contact-consent-${look}`)
      })
    }
  })

  it("says what consent a contact never gave", async () => {
    const { body } = await server.call<Contact>("POST", "/contacts", { email: "never@example.com", subscribed: false })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/contacts/${body.id}?tab=consent`)
      await page.getByText("The contact never agreed to mail and never withdrew.").waitFor()
      await assertFlawless(page, "contact-consent-empty")
    })
  })

  it("merges a contact into another one by the keyboard only, after a look at what moves", async () => {
    const stays = await create("stays@example.com", { plan: "pro" })
    const { body: goes } = await server.call<Contact>("POST", "/contacts", {
      email: "goes@example.com",
      externalId: "user-7",
      data: { plan: "free", seats: 3 },
      subscribed: false
    })
    for (const event of ["seen", "bought"]) {
      await server.call("POST", "/events/track", { email: "goes@example.com", event })
    }
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/contacts/${stays.id}`)
      await tabTo(page, "Merge")
      await page.keyboard.press("Enter")
      const dialog = page.getByRole("alertdialog", { name: "Merge with another contact" })
      await dialog.locator("input:focus").waitFor()
      await page.keyboard.type("nobody@example.com")
      await page.keyboard.press("Enter")
      await dialog.getByText("There is no such contact.").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("stays@example.com")
      await page.keyboard.press("Enter")
      await dialog.getByText("This is the contact itself. Name another one.").waitFor()
      await dialog.getByLabel("Find it by").selectOption("externalId")
      await dialog.getByLabel("Your id of the contact that goes").fill("user-7")
      await page.keyboard.press("Enter")
      await dialog.getByText(/^\d events, 0 mails, 0 runs of workflows, 0 static segments that it joins$/).waitFor()
      await dialog.getByText("The other contact is unsubscribed, so this one will be too.").waitFor()
      await assertFlawless(page, "contact-merge")
      assert.strictEqual((await server.call("GET", `/contacts/${goes.id}`)).status, 200)
      await dialog.locator("input:focus").waitFor()
      await page.keyboard.type("stays@example.com")
      await page.keyboard.press("Enter")
      await dialog.getByText("This is not goes@example.com.").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("goes@example.com")
      await page.keyboard.press("Enter")
      await page.getByText("goes@example.com is merged into this contact.").waitFor()
      await page.getByLabel("seats", { exact: true }).waitFor()
      const { body } = await server.call<Contact>("GET", `/contacts/${stays.id}`)
      assert.deepInclude(body, { subscribed: false, data: { plan: "pro", seats: 3 } })
      // The address of the contact that went leads to the one that stayed.
      await go(`/contacts/${goes.id}`)
      await assertFlawless(page, "contact-merged")
      await page.getByRole("link", { name: "Open it" }).click()
      await page.getByRole("heading", { level: 1, name: "stays@example.com" }).waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("status of 404")))
    })
    await visit(browser, server, looks["phone-light"], async ({ page, go }) => {
      await go(`/contacts/${stays.id}`)
      await page.getByRole("button", { name: "Merge" }).click()
      await page.getByRole("alertdialog").getByLabel("Address of the contact that goes").fill("ada@example.com")
      await page.keyboard.press("Enter")
      await page.getByRole("alertdialog").getByRole("status").waitFor()
      await assertFlawless(page, "contact-merge-phone-light")
    })
  })

  it("sets a field of all contacts that match, and removes it, after their number was shown", async () => {
    for (const name of ["one", "two"]) await create(`${name}@data.example.com`, { tier: "old" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      const open = async () => {
        await go("/contacts?q=data.example")
        await page.getByRole("row", { name: /one@data/ }).press("Space")
        await page.getByRole("button", { name: "Select all 2 that match" }).click()
        await page.getByRole("button", { name: "Set data" }).click()
        return page.getByRole("alertdialog", { name: "Set data" })
      }
      const dialog = await open()
      await dialog.locator("input:focus").waitFor()
      await page.keyboard.type("data.seats")
      await dialog.getByLabel("Change").selectOption({ label: "Set a number" })
      await dialog.getByLabel("Value").fill("many")
      await dialog.getByText("This field is a number.").waitFor()
      assert.strictEqual(await dialog.getByRole("button", { name: "Set data" }).count(), 0)
      await dialog.getByLabel("Value").fill("9")
      await dialog.getByText("2 contacts will be changed.").waitFor()
      await assertFlawless(page, "contacts-set-data")
      await dialog.getByRole("button", { name: "Set data" }).click()
      await page.getByText("2 contacts changed.").waitFor()
      assert.deepStrictEqual((await found("two@data.example.com"))?.data, { tier: "old", seats: 9 })
      assert.notStrictEqual((await found("ada@example.com"))?.data["seats"], 9)
      const again = await open()
      await again.getByLabel("Field").fill("tier")
      await again.getByLabel("Change").selectOption({ label: "Remove the field" })
      await again.getByText("2 contacts will be changed.").waitFor()
      await again.getByRole("button", { name: "Set data" }).click()
      await page.getByText("2 contacts changed.").waitFor()
      assert.deepStrictEqual((await found("one@data.example.com"))?.data, { seats: 9 })
      assert.strictEqual((await found("bob@example.com"))?.data["plan"], "free")
    })
    await visit(browser, server, looks["phone-light"], async ({ page, go }) => {
      await go("/contacts?q=data.example")
      await page.getByRole("row", { name: /one@data/ }).press("Space")
      await page.getByRole("button", { name: "Set data" }).click()
      await page.getByRole("alertdialog").getByLabel("Field").fill("seats")
      await page.getByRole("alertdialog").getByLabel("Value").fill("x")
      await page.getByText("1 contact will be changed.").waitFor()
      await assertFlawless(page, "contacts-set-data-phone-light")
    })
  })

  it("filters by the data of an event, and says so in the link and in words", async () => {
    await server.call("POST", "/events/track", { email: "eva@example.com", event: "paid", data: { amount: 80 } })
    await server.call("POST", "/events/track", { email: "bob@example.com", event: "paid", data: { amount: 20 } })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts")
      await page.getByRole("button", { name: "Condition" }).click()
      const dialog = page.getByRole("dialog", { name: "Condition" })
      await dialog.getByRole("button", { name: "Add condition" }).first().click()
      await dialog.getByLabel("About").selectOption({ label: "Event" })
      await dialog.getByPlaceholder("Name of the event").fill("paid")
      await dialog.getByRole("button", { name: "Test its data" }).click()
      await dialog.locator("input:focus").waitFor()
      await dialog.getByRole("button", { name: "Apply" }).click()
      await dialog.getByText(/Say what the condition is about\..*Give a value\./).waitFor()
      await dialog.getByPlaceholder("Field of its data").fill("amount")
      const test = dialog.getByRole("group", { name: "Test 1.1.1 of its data" })
      await test.getByLabel("Comparison").selectOption({ label: "is above" })
      await test.getByLabel("Value", { exact: true }).fill("50")
      await dialog.getByText("1 contact matches").waitFor()
      await dialog.getByText("Contacts where paid happened (with data of which amount is above 50).").waitFor()
      await assertFlawless(page, "contacts-condition-data")
      await dialog.getByRole("button", { name: "Apply" }).click()
      await page.getByText("ada@example.com").waitFor({ state: "detached" })
      await page.getByText("eva@example.com").waitFor()
      // Another number of times keeps the test.
      await page.getByRole("button", { name: "Condition", exact: true }).click()
      await dialog.getByLabel("At least this often").fill("2")
      await dialog.getByText("No contact matches now.").waitFor()
      await dialog.getByText("paid happened at least 2 times (with data of which amount is above 50)").waitFor()
    })
    await visit(browser, server, looks["phone-light"], async ({ page, go }) => {
      const where = [{ path: "amount", operator: "greaterThan", value: 50 }]
      const filters = [{ field: "event.paid", operator: "triggered", where }]
      await go(`/contacts?condition=${encodeURIComponent(JSON.stringify({ groups: [{ filters }] }))}`)
      await page.getByText("eva@example.com").waitFor()
      await page.getByRole("button", { name: "Condition", exact: true }).click()
      await page.getByRole("dialog").getByText("1 contact matches").waitFor()
      await assertFlawless(page, "contacts-condition-data-phone-light")
    })
  })

  it("erases a person after the address is typed", async () => {
    const { id } = await create("erased@example.com")
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
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
      // The live stream may say that the contact changed before the page is left: it then reads what is erased.
      faults.splice(0, faults.length, ...faults.filter((fault) => !(fault.includes("404") && fault.includes(id))))
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

  it("walks and selects in the list by the keyboard: one stop for Tab, ranges, all, and the heads of columns", async () => {
    for (const name of ["a", "b", "c", "d"])
      await server.call("POST", "/contacts", { email: `walk-${name}@example.com`, subscribed: true })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts?q=walk-&sort=email&dir=asc")
      await page.getByRole("row", { name: /walk-d@/ }).waitFor()
      const focused = () =>
        page.evaluate<string>(
          "document.activeElement.closest('tr')?.querySelector('tbody th')?.textContent ?? document.activeElement.textContent"
        )
      const press = async (...keys: ReadonlyArray<string>) => {
        for (const key of keys) await page.keyboard.press(key)
        return focused()
      }
      const selected = () => page.locator('tbody tr[aria-selected="true"]').count()
      await tabTo(page, "Columns")
      assert.strictEqual(await press("Tab"), "walk-a@example.com")
      assert.strictEqual(await press("ArrowDown", "ArrowDown"), "walk-c@example.com")
      assert.strictEqual(await press("End", "ArrowDown"), "walk-d@example.com")
      // Tab leaves the list, and comes back to the row that it left.
      assert.strictEqual(await press("ArrowUp", "Shift+Tab"), "Columns")
      assert.strictEqual(await press("Tab"), "walk-c@example.com")
      await press("Tab")
      assert.isTrue(await page.evaluate("document.activeElement.closest('[role=grid]') === null"))
      await tabTo(page, "Columns")
      assert.strictEqual(await press("Tab"), "walk-c@example.com")
      // A range, a row less, all rows, none.
      await press("Home", "Space", "Shift+ArrowDown", "Shift+ArrowDown")
      assert.strictEqual(await selected(), 3)
      await press("Space")
      assert.strictEqual(await selected(), 2)
      await press("Control+a")
      assert.strictEqual(await selected(), 4)
      await page.getByText("4 selected").waitFor()
      await press("Escape")
      assert.strictEqual(await selected(), 0)
      await page.getByRole("checkbox", { name: "Select walk-b@example.com" }).click()
      await page.getByRole("checkbox", { name: "Select walk-d@example.com" }).click({ modifiers: ["Shift"] })
      assert.strictEqual(await selected(), 3)
      // A click on a row adds it while others are selected.
      await page
        .getByRole("row", { name: /walk-a@/ })
        .getByRole("gridcell")
        .last()
        .click()
      assert.strictEqual(await selected(), 4)
      await press("Escape", "Home", "ArrowUp", "ArrowRight")
      assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Address")
      assert.strictEqual(await page.evaluate("document.activeElement.ariaSort"), "ascending")
      await press("Enter")
      await page.waitForFunction("document.querySelector('tbody th').textContent.startsWith('walk-d')")
      await press("ArrowDown", "ArrowRight", "ArrowRight")
      assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "A")
      await press("ArrowLeft", "ArrowLeft", "Enter")
      await page.getByRole("heading", { name: "walk-a@example.com" }).waitFor()
    })
  })

  it("imports a file by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts")
      await tabTo(page, "Import")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Import contacts" }).waitFor()
      const chooser = page.waitForEvent("filechooser")
      for (let n = 0; n < 40; n++) {
        await page.keyboard.press("Tab")
        if ((await page.evaluate("document.activeElement?.type")) === "file") break
      }
      await page.keyboard.press("Enter")
      await (await chooser).setFiles({
        name: "keys.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("E-Mail,Plan\nkeyboard@example.com,pro\n")
      })
      for (const step of ["Target of E-Mail", "Static segment"]) {
        await tabTo(page, "Next")
        await page.keyboard.press("Enter")
        await page.getByLabel(step).waitFor()
      }
      await tabTo(page, "Next")
      await page.keyboard.press("Enter")
      await page.getByText("1 new, 0 changed, 0 faulty", { exact: true }).waitFor({ timeout: 60_000 })
      await tabTo(page, "Import")
      await page.keyboard.press("Enter")
      await page.getByText("Imported: 1 new, 0 changed, 0 faulty").waitFor({ timeout: 60_000 })
      assert.deepStrictEqual((await found("keyboard@example.com"))?.data, { Plan: "pro" })
    })
  })

  it("imports subscriptions and topics, asks for confirmations, and keeps what proves the consent", async () => {
    await server.call("PATCH", "/settings/audience", { doubleOptIn: { mode: "all", from: `hi@${server.domain}` } })
    await server.call("POST", "/topics", { name: "Offers", key: "offers", defaultSubscription: "unsubscribed" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/contacts/import")
      await page.getByLabel("CSV or TSV file").setInputFiles({
        name: "people.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(
          "email,subscribed,topic.offers,offers too\nasked1@example.com,yes,yes,x\nasked2@example.com,,yes,x\nquiet1@example.com,,,x\n"
        )
      })
      await page.getByRole("button", { name: "Next" }).click()
      assert.strictEqual(await page.getByLabel("Target of topic.offers").inputValue(), "topic")
      assert.strictEqual(await page.getByLabel("Topic of topic.offers").inputValue(), "offers")
      await page.getByLabel("Target of offers too").selectOption("topic")
      await page.getByLabel("Topic of offers too").selectOption("offers")
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByText("Only one column can have each").waitFor()
      await page.getByLabel("Target of offers too").selectOption("skip")
      await assertFlawless(page, "contacts-import-topics")
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByLabel("Contacts that the file subscribes").waitFor()
      await page.getByRole("button", { name: "Next" }).click()
      await page.getByText("Say whether these are asked.").waitFor()
      await page.getByLabel("Contacts that the file subscribes").selectOption("send")
      await page.getByLabel("Basis").fill("consent")
      await page.getByLabel("Agreed on").fill("2025-03-01")
      await page.getByLabel("What the people read").fill("Yes, send me offers.")
      await assertFlawless(page, "contacts-import-options")
      await page.getByRole("button", { name: "Next" }).click()
      await page
        .getByText("3 new, 0 changed, 0 faulty, 2 asked to confirm", { exact: true })
        .waitFor({ timeout: 60_000 })
      await page.getByRole("button", { name: "Import", exact: true }).click()
      await page.getByText("Imported: 3 new, 0 changed, 0 faulty, 2 asked to confirm").waitFor({ timeout: 60_000 })
    })
    const asked = await found("asked1@example.com")
    const { body } = await server.call<{
      data: ReadonlyArray<{ action: string; basis: string; source: string; wording: object }>
    }>("GET", `/contacts/${asked?.id}/consents`)
    assert.deepInclude(body.data[0], { action: "requested", basis: "consent", source: "import" })
    assert.deepInclude(body.data[0]?.wording, { text: "Yes, send me offers." })
    await server.call("PATCH", "/settings/audience", { doubleOptIn: { mode: "off" } })
    await server.call("PATCH", "/topics/offers", { archived: true })
  }, 120_000)

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
      const group = new URL(page.url()).searchParams.get("group") ?? ""
      assert.isNotEmpty(group)
      assert.deepStrictEqual((await found("person9999@example.com"))?.data, { tier: "pro", Seats: 9_999 })
      // The file is sent in two parts.
      const { body } = await server.call<{ data: ReadonlyArray<{ dryRun: boolean }> }>(
        "GET",
        `/contacts/import?groupId=${group}`
      )
      assert.strictEqual(body.data.filter(({ dryRun }) => !dryRun).length, 2)
      await page.getByRole("link", { name: "Open contacts" }).click()
      await page.getByText(/ \/ 10,0\d\d/).waitFor()
    })
  }, 120_000)

  it("draws the rows near the window, keeps 20 pages of a long list, and reads the others again on the way back", async () => {
    const { body } = await server.call<{ total: number }>("GET", "/contacts?limit=1")
    assert.isAbove(body.total, 10_000)
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      let reads = 0
      page.on("request", (request) => {
        if (request.url().endsWith("/contacts/query")) reads++
      })
      await go("/contacts?sort=email&dir=asc")
      const rows = page.locator("tbody tr")
      await rows.first().waitFor()
      const firstName = (await rows.first().getByRole("link").textContent()) ?? ""
      for (let n = 0; n < 2_000 && reads < 24; n++) {
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        await page.waitForTimeout(100)
        assert.isBelow(await rows.count(), 300)
      }
      assert.isAtLeast(reads, 24)
      const index = Number(await rows.last().getAttribute("aria-rowindex"))
      assert.isAbove(index, 2_200)
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), String(body.total + 1))
      const shown = await rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute("aria-rowindex"))))
      assert.deepStrictEqual(
        shown,
        shown.map((_, n) => (shown[0] ?? 0) + n)
      )
      // A selected row leaves the memory and stays selected.
      await rows.last().press("Space")
      await page.getByText("1 selected").waitFor()
      const before = reads
      await page.evaluate("scrollTo(0, 0)")
      await page.getByRole("link", { name: firstName, exact: true }).waitFor()
      assert.isAbove(reads, before)
      assert.isBelow(reads - before, 25)
      await page.getByText("1 selected").waitFor()
      // By the keyboard from the first row on.
      await rows.first().focus()
      for (let n = 0; n < 40; n++) await page.keyboard.press("PageDown")
      const at = Number(await page.evaluate("document.activeElement?.getAttribute('aria-rowindex')"))
      assert.isAbove(at, 300)
      await page.keyboard.press("Home")
      await page.waitForFunction("document.activeElement?.getAttribute('aria-rowindex') === '2'")
    })
    // It loads forty pages of a hundred rows, which takes minutes beside other tests.
  }, 300_000)
})

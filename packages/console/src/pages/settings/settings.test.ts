/** Settings, members, billing and audit, in a browser against a development server. */
import { readFileSync } from "node:fs"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"
import { auditCsv } from "./auditCsv.ts"

it("the CSV of the audit has no formulas", () => {
  const csv = auditCsv([
    {
      id: "1",
      at: "2026-03-01T00:00:00.000Z",
      action: "api_key.created",
      actor: "key",
      user: null,
      apiKey: { id: "2", name: '=HYPERLINK("https://example.com")' },
      details: { name: 'a "b", c' }
    }
  ])
  assert.strictEqual(
    csv,
    'at,action,actor,user,apiKey,details\r\n2026-03-01T00:00:00.000Z,api_key.created,key,,"\'=HYPERLINK(""https://example.com"")","{""name"":""a \\""b\\"", c""}"'
  )
})

describe.skipIf(browserProgram === undefined)("the settings in the console", () => {
  let server: DevServer
  let browser: Browser

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    await server.call("POST", "/api-keys", { name: "<b>Shop</b>", scopes: ["send"] })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  const project = async () => (await server.call<Record<string, unknown>>("GET", "/projects/current")).body

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/settings")
      await page.getByText("Complaints of all time").waitFor()
      await assertFlawless(page, `settings-${look}`)
      await go("/settings/audience")
      await page.getByRole("heading", { name: "Confirmation by mail" }).waitFor()
      await assertFlawless(page, `settings-audience-${look}`)
      await go("/settings/members")
      await page.getByText(`(you)`).waitFor()
      await assertFlawless(page, `settings-members-${look}`)
      await page.getByRole("button", { name: "Invite a member" }).click()
      await page.getByRole("dialog").waitFor()
      await assertFlawless(page, `settings-invite-${look}`)
      await go("/settings/billing")
      await page.getByText("(no cap)").first().waitFor()
      await assertFlawless(page, `settings-billing-${look}`)
      await go("/settings/audit")
      await page.getByText("<b>Shop</b>").first().waitFor()
      await assertFlawless(page, `settings-audit-${look}`)
      await go("/settings/audit?action=member.*&from=2001-01-01&to=2001-01-02")
      await page.getByText("Nothing matches these filters.").waitFor()
      await assertFlawless(page, `settings-audit-empty-${look}`)
    })
  })

  it("changes the project by the keyboard alone, and shows its name everywhere", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings")
      await tabTo(page, "Audit")
      await page.keyboard.press("Tab")
      await page.keyboard.press("ControlOrMeta+a")
      await page.keyboard.type("Shop <i>one</i>")
      await page.keyboard.press("Enter")
      await page.getByText("Saved.").waitFor()
      await page.waitForFunction("document.title.includes('Shop <i>one</i>')")
      assert.strictEqual((await project())["name"], "Shop <i>one</i>")
    })
  })

  it("sends only what changed, and shows a fault at its field", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, context, go, faults }) => {
      await go("/settings")
      await page.getByLabel("Tracking of opens and clicks").selectOption("MARKETING_ONLY")
      await page.getByLabel("Transactional mail").selectOption("hold")
      await page.getByLabel("Mails a second").fill("25")
      const [request] = await Promise.all([
        page.waitForRequest((sent) => sent.method() === "PATCH"),
        page.getByRole("button", { name: "Save", exact: true }).click()
      ])
      assert.deepStrictEqual(Object.keys(request.postDataJSON()).sort(), [
        "ambiguousPolicy",
        "sendRatePerSecond",
        "tracking"
      ])
      await page.getByText("Saved.").waitFor()
      const [changed] = await (await context.request.get(`${server.url}/users/@me/projects`)).json()
      assert.strictEqual(changed["tracking"], "MARKETING_ONLY")
      assert.strictEqual(changed["sendRatePerSecond"], 25)
      await page.getByLabel("Origins that may use the public key").fill("https://shop.example\nnot an origin")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.getByText(/An origin, such as https/).waitFor()
      assert.isNotEmpty(faults.filter((fault) => fault.includes("422")))
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
    })
  })

  it("sets quiet hours and a cap of the sending policy", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings")
      await page.getByText("There are quiet hours").click()
      await page.getByLabel("From", { exact: true }).fill("22:00")
      await page.getByRole("button", { name: "Add a cap" }).click()
      await page.getByLabel("Mails", { exact: true }).fill("2")
      await assertFlawless(page, "settings-policy")
      await page.getByRole("button", { name: "Save the sending policy" }).click()
      await page.getByText("Saved.").waitFor()
      const { body } = await server.call<{ quietHours: object; frequencyCaps: ReadonlyArray<object> }>(
        "GET",
        "/settings/sending"
      )
      assert.deepInclude(body.quietHours, { from: "22:00", to: "08:00", timezone: "CONTACT", action: "WAIT" })
      assert.deepStrictEqual(body.frequencyCaps, [{ id: "cap-1", limit: 2, amount: 7, unit: "days", topicId: null }])
    })
  })

  it("invites a member, and withdraws the invitation", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings/members")
      await page.getByRole("button", { name: "Invite a member" }).click()
      await page.getByLabel("Email").fill("grace@example.com")
      await page
        .getByRole("dialog")
        .getByRole("radio", { name: /^Admin/ })
        .check()
      await page.getByRole("button", { name: "Send the invitation" }).click()
      const row = page.getByRole("row", { name: /grace@example\.com/ })
      await row.getByText("Admin").waitFor()
      const invitations = () =>
        server.call<{ data: ReadonlyArray<{ email: string; role: string }> }>(
          "GET",
          `/projects/${server.projectId}/invitations`
        )
      const open = (await invitations()).body.data
      assert.deepStrictEqual(
        open.map(({ email, role }) => [email, role]),
        [["grace@example.com", "ADMIN"]]
      )
      await row.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Withdraw the invitation" }).click()
      await row.waitFor({ state: "detached" })
      assert.isEmpty((await invitations()).body.data)
    })
  })

  it("invites an administrator by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings/members")
      await page.getByText("(you)").waitFor()
      await tabTo(page, "Invite a member")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByLabel("Email").waitFor()
      await page.keyboard.type("keys@example.com")
      await page.keyboard.press("Tab")
      await page.keyboard.press("ArrowDown")
      await tabTo(page, "Send the invitation")
      await page.keyboard.press("Enter")
      const row = page.getByRole("row", { name: /keys@example\.com/ })
      await row.getByText("Admin").waitFor()
      // Later tests count the members and the invitations.
      await row.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Withdraw the invitation" }).click()
      await row.waitFor({ state: "detached" })
    })
  })

  it("changes the rules of the audience, sends only what changed, and shows faults at their fields", async () => {
    const settings = async () =>
      (
        await server.call<{ readonly [name: string]: { readonly [name: string]: unknown } }>(
          "GET",
          "/settings/audience"
        )
      ).body
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go("/settings/audience")
      await page.getByLabel("Days until the link expires").fill("2")
      await page.getByLabel("Hours until a reminder").fill("72")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page.locator('[aria-invalid="true"]').first().waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
      await page.getByLabel("Days until the link expires").fill("5")
      await page.getByLabel("Colour").fill("#1f5eff")
      await page.getByText("Recipients can ask for their data").click()
      const asked = page.waitForRequest((request) => request.method() === "PATCH")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      assert.deepStrictEqual((await asked).postDataJSON(), {
        doubleOptIn: { expiresInDays: 5, reminderAfterHours: 72 },
        selfService: { export: true },
        pages: { color: "#1f5eff" }
      })
      await page.getByText("The settings are saved.").waitFor()
      const { doubleOptIn, pages } = await settings()
      assert.strictEqual(doubleOptIn?.["reminderAfterHours"], 72)
      assert.strictEqual(pages?.["color"], "#1f5eff")
    })
  })

  it("shows the preference page with what is not saved yet, in a language, as a contact, and changes nothing", async () => {
    await server.call("POST", "/topics", {
      name: "Product news",
      key: "previewed",
      defaultSubscription: "unsubscribed",
      translations: { de: { name: "Neuigkeiten" } }
    })
    await server.call("POST", "/contacts", { email: "nora@example.com", topics: { previewed: "subscribed" } })
    const before = await server.call("GET", "/settings/audience")
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings/audience")
      const card = page.getByRole("region", { name: "Preview of the preference page" })
      const shown = card.frameLocator("iframe")
      await shown.getByText("Product news").waitFor()
      assert.isFalse(await shown.getByLabel("Product news").isChecked())
      await page.getByLabel("Name", { exact: true }).fill("Preview & Sons")
      await shown.getByText("Preview & Sons").first().waitFor()
      await card.getByLabel("Language").selectOption({ label: "German" })
      await shown.getByText("Neuigkeiten").waitFor()
      await card.getByLabel("As this contact").fill("nobody@example.com")
      await card.getByText("No contact has this address.").waitFor()
      await card.getByLabel("As this contact").fill("nora@example.com")
      await shown.locator("input[type=checkbox]:checked").first().waitFor()
      await shown.getByText("n***@example.com").waitFor()
      assert.strictEqual(await shown.locator("form").count(), 0)
      await page.evaluate("scrollTo(0, 0)")
      await assertFlawless(page, "settings-audience-preview")
    })
    assert.deepStrictEqual((await server.call("GET", "/settings/audience")).body, before.body)
    for (const look of Object.keys(looks) as ReadonlyArray<Look>) {
      await visit(browser, server, looks[look], async ({ page, go }) => {
        await go("/settings/audience")
        await page.frameLocator("iframe").getByText("Product news").waitFor()
        await assertFlawless(page, `settings-audience-preview-${look}`)
      })
    }
  })

  it("leads an invited person to the console, where what a member may not do names the role", async () => {
    await server.call("POST", `/projects/${server.projectId}/members`, { email: "joan@example.com" })
    const link = await vi.waitFor(
      async () => {
        const { body } = await server.call("GET", "/dev/mailbox.json?search=joan@example.com")
        const found = /http[^\s"\\]+\/account\/invitation[^\s"\\<]+/.exec(JSON.stringify(body))?.[0]
        assert.isDefined(found)
        return found ?? ""
      },
      { timeout: 30_000, interval: 200 }
    )
    await visit(browser, server, looks["desk-light"], async ({ page, context, go, faults }) => {
      await context.clearCookies()
      await page.goto(link)
      await page.getByLabel("New password").fill("a long password of joan")
      await page.getByRole("button", { name: "Accept" }).click()
      await page.getByRole("link", { name: "Open the console" }).click()
      await page.getByRole("heading", { name: "Overview" }).waitFor()
      // The hosted pages are no part of the document.
      faults.splice(0, faults.length, ...faults.filter((fault) => !/ \/(?:account\/invitation|pages\.css)/.test(fault)))
      await go("/settings")
      await page.getByRole("button", { name: /^Delete the project/ }).click()
      await page.getByText("This needs the role OWNER. Ask dev@posthorn.test.").last().waitFor()
      await go("/settings/audit")
      await page.getByText("This needs the role ADMIN. Ask dev@posthorn.test.").last().waitFor()
      await assertFlawless(page, "settings-audit-member")
      await go("/settings/members")
      await page.getByRole("row", { name: /joan/ }).getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Leave the project" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Leave the project" }).click()
      await page.getByRole("heading", { name: "Projects" }).waitFor()
      const { body } = await server.call<{ data: ReadonlyArray<unknown> }>(
        "GET",
        `/projects/${server.projectId}/members`
      )
      assert.lengthOf(body.data, 1)
    })
  })

  it("sets a cap, and shows how much of it is used", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings/billing")
      await page.getByLabel("Campaigns").fill("500")
      await page.getByRole("button", { name: "Save", exact: true }).click()
      await page
        .getByRole("progressbar", { name: "Campaigns" })
        .getByText("0 of 500")
        .or(page.getByText("0 of 500"))
        .first()
        .waitFor()
    })
  })

  it("filters the audit by what the URL says, and exports it", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings/audit?action=api_key.*")
      await page.getByText("<b>Shop</b>").first().waitFor()
      assert.strictEqual(await page.getByRole("grid").getAttribute("aria-rowcount"), "2")
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export CSV" }).click()
      ])
      assert.match(
        readFileSync(await file.path(), "utf8"),
        /^at,action,actor,user,apiKey,details\r\n[^\n]*api_key\.created/
      )
    })
  })

  it("finds a record by its name in the palette", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings")
      await page.keyboard.press("ControlOrMeta+k")
      await page.getByRole("searchbox").fill(server.domain)
      await page.getByRole("menuitem", { name: new RegExp(server.domain) }).waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: server.domain }).waitFor()
    })
  })

  it("deletes the data only after the name was typed", async () => {
    const { body } = await server.call<{ id: string }>("POST", "/contacts", { email: "ada@example.com" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/settings")
      await page.getByRole("button", { name: "Delete all data" }).click()
      const dialog = page.getByRole("alertdialog")
      await dialog.getByRole("textbox").fill("another name")
      await dialog.getByRole("button", { name: "Delete all data" }).click()
      await dialog.getByText(/^This is not/).waitFor()
      assert.strictEqual((await server.call("GET", `/contacts/${body.id}`)).status, 200)
      await dialog.getByRole("textbox").fill(String((await project())["name"]))
      await dialog.getByRole("button", { name: "Delete all data" }).click()
      await page.getByText("All data is deleted.").waitFor()
      assert.strictEqual((await server.call("GET", `/contacts/${body.id}`)).status, 404)
    })
  })
})

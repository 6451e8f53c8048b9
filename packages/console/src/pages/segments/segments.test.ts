/** Segments and the builder of conditions, in a browser against a development server. */
import type { Contact, FilterTree, Segment } from "@posthorn/client/session"
import type { Browser, Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

const hostile = '<img src=x onerror="document.title=1">'

/** Moves the focus by the keyboard to a control. */
const tabToControl = async (page: Page, control: Locator) => {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press("Tab")
    if (await control.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail("The keyboard does not reach the control")
}

describe.skipIf(browserProgram === undefined)("segments in the console", () => {
  let server: DevServer
  let browser: Browser
  const ids: Record<string, string> = {}

  const create = async (name: string, fields: object) => {
    const { status, body } = await server.call<Segment>("POST", "/segments", { name, ...fields })
    assert.strictEqual(status, 201, name)
    ids[name] = body.id
  }
  const stored = async (name: string) => (await server.call<Segment>("GET", `/segments/${ids[name]}`)).body
  const membersOf = async (name: string) => {
    const { body } = await server.call<{ data: ReadonlyArray<Contact> }>("GET", `/segments/${ids[name]}/contacts`)
    return body.data.map(({ email }) => email).sort()
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    for (const [name, plan, seats] of [
      ["ada", "pro", 5],
      ["bob", "pro", 20],
      ["eve", "free", 1]
    ] as const) {
      await server.call("POST", "/contacts", { email: `${name}@example.com`, data: { plan, seats } })
    }
    await server.call("POST", "/events/track", { email: "ada@example.com", event: "purchase" })
    await create("Hand-picked", { type: "STATIC", trackMembership: true })
    await server.call("POST", `/segments/${ids["Hand-picked"]}/members`, { emails: ["ada@example.com"] })
    const condition: FilterTree = {
      logic: "OR",
      groups: [
        {
          filters: [{ field: "data.plan", operator: "equals", value: "pro" }],
          conditions: {
            logic: "OR",
            groups: [
              { filters: [{ field: "event.purchase", operator: "triggeredWithin", value: 30, unit: "days" }] },
              { filters: [{ field: "data.seats", operator: "greaterThan", value: 10 }] }
            ]
          }
        },
        { filters: [{ field: `segment.${ids["Hand-picked"]}`, operator: "memberOfSegment" }] }
      ]
    }
    await create("Active pros", { condition })
    await create(hostile, {
      condition: { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: hostile }] }] }
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      for (const [path, text, name] of [
        ["/segments", hostile, "segments"],
        ["/segments/new", "3 contacts match", "segment-new"],
        [`/segments/${ids["Active pros"]}`, "2 contacts match", "segment"],
        [`/segments/${ids[hostile]}`, "No contact matches now.", "segment-hostile"],
        [`/segments/${ids["Hand-picked"]}?tab=members`, "ada@example.com", "segment-members"]
      ] as const) {
        await go(path)
        await page.getByText(text).first().waitFor()
        await assertFlawless(page, `${name}-${look}`)
      }
    })
  })

  it("builds a segment by the keyboard alone", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      await page.keyboard.press("g")
      await page.keyboard.press("s")
      await page.getByRole("heading", { name: "Segments", level: 1 }).waitFor()
      await page.getByText("Active pros").waitFor()
      await tabTo(page, "New segment")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "New segment", level: 1 }).waitFor()
      await tabToControl(page, page.getByRole("textbox", { name: "Name" }))
      await page.keyboard.type("Small pros")
      await tabTo(page, "Create segment")
      await tabToControl(page, page.getByRole("textbox", { name: "Name" }))
      await tabTo(page, "Add condition")
      await page.keyboard.press("Enter")
      // The focus is in the new row, on what it is about.
      await tabToControl(page, page.getByLabel("Field"))
      await page.keyboard.type("plan")
      await tabToControl(page, page.getByLabel("Value", { exact: true }))
      await page.keyboard.type("pro")
      await page.getByText("2 contacts match").waitFor()
      await tabTo(page, "Add condition")
      await page.keyboard.press("Enter")
      await page.keyboard.type("Event")
      await tabToControl(page, page.getByLabel("Name of the event"))
      await page.keyboard.type("purchase")
      await page.getByText('Contacts where plan is "pro" and purchase happened.').waitFor()
      await page.getByText("1 contact matches").waitFor()
      await tabTo(page, "Create segment")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Small pros", level: 1 }).waitFor()
      const { body } = await server.call<ReadonlyArray<Segment>>("GET", "/segments")
      const made = body.find(({ name }) => name === "Small pros")
      assert.strictEqual(made?.memberCount, 1)
      assert.deepStrictEqual(made?.condition, {
        logic: "AND",
        groups: [
          {
            filters: [
              { field: "data.plan", operator: "equals", value: "pro" },
              { field: "event.purchase", operator: "triggered" }
            ]
          }
        ]
      })
    })
  })

  it("says what is missing at its place, and takes a condition as JSON", async () => {
    await create("Everybody", { condition: { groups: [] } })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/segments/${ids["Everybody"]}`)
      await page.getByRole("button", { name: "Add condition" }).click()
      await page.getByText("2 things are missing").waitFor()
      await page.getByRole("button", { name: "Save" }).click()
      const row = page.getByRole("group", { name: "Condition 1.1" })
      await row.getByText("Say what the condition is about. Give a value.").waitFor()
      assert.isTrue(await row.evaluate((element) => element.contains(document.activeElement)))
      await page.getByRole("button", { name: "Edit as JSON" }).click()
      const json = page.getByLabel("Condition as JSON")
      await json.fill("{")
      await page.getByText("This is not a condition.").waitFor()
      await json.fill('{"groups":[{"filters":[{"field":"data.seats","operator":"between","value":[1,5]}]}]}')
      await page.getByText("Contacts where seats is between 1 and 5.").waitFor()
      await page.getByText("2 contacts match").waitFor()
      await page.getByRole("button", { name: "Edit as form" }).click()
      await page.getByLabel("To", { exact: true }).fill("30")
      await page.getByText("3 contacts match").waitFor()
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Saved.").waitFor()
      assert.deepStrictEqual((await stored("Everybody")).condition, {
        groups: [{ filters: [{ field: "data.seats", operator: "between", value: [1, 30] }] }]
      })
      await page.getByRole("button", { name: "Edit as JSON" }).click()
      await json.fill(`{"groups":[{"filters":[{"field":"segment.${ids["Everybody"]}","operator":"memberOfSegment"}]}]}`)
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("groups.0.filters.0.field").waitFor()
      await page.getByRole("button", { name: "Edit as form" }).click()
      await row.getByText(/itself/).waitFor()
      // The browser itself reports the answer with status 422.
      assert.deepStrictEqual(
        faults.splice(0).filter((fault) => !fault.includes("422")),
        []
      )
    })
  })

  it("shows both versions after a change meanwhile: keep mine, take theirs", async () => {
    await create("Contested", { type: "STATIC" })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      const name = page.getByRole("textbox", { name: "Name" })
      for (const [choice, wins] of [
        ["Keep mine", "Mine"],
        ["Take theirs", "Theirs"]
      ] as const) {
        await go(`/segments/${ids["Contested"]}`)
        await name.fill("Mine")
        await name.press("End")
        await page.getByRole("textbox", { name: "Description" }).fill(choice)
        await server.call("PATCH", `/segments/${ids["Contested"]}`, { name: "Theirs", description: "other" })
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByText("Somebody changed this segment").waitFor()
        await page.getByRole("button", { name: choice }).click()
        await page.getByText("Somebody changed this segment").waitFor({ state: "detached" })
        if (wins === "Mine") await page.getByText("Saved.").waitFor()
        assert.strictEqual((await stored("Contested")).name, wins)
        assert.strictEqual(await name.inputValue(), wins)
      }
      // The browser itself reports the two answers with status 409.
      assert.deepStrictEqual(
        faults.splice(0).filter((fault) => !fault.includes("409")),
        []
      )
    })
  })

  it("adds members by paste and file, and removes one with undo and by address", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/segments/${ids["Hand-picked"]}?tab=members`)
      await page.getByRole("button", { name: "Add members" }).click()
      const dialog = page.getByRole("dialog")
      await dialog
        .getByLabel("Addresses", { exact: true })
        .fill("Bob <bob@example.com>, ada@example.com\nnobody@example.com")
      await dialog.getByLabel("File with addresses").setInputFiles({
        name: "a.csv",
        mimeType: "text/csv",
        buffer: Buffer.from('email,plan\n"eve@example.com",free\n')
      })
      await dialog.getByText("4 addresses", { exact: true }).waitFor()
      await dialog.getByRole("button", { name: "Add members (4)" }).click()
      await dialog.getByText("2 added, 0 of them created. 1 were members before.").waitFor()
      await dialog.getByText("nobody@example.com").last().waitFor()
      await page.keyboard.press("Escape")
      assert.deepStrictEqual(await membersOf("Hand-picked"), ["ada@example.com", "bob@example.com", "eve@example.com"])

      await page.getByRole("row", { name: /bob@/ }).getByRole("button", { name: "Remove" }).click()
      await page.getByRole("row", { name: /bob@/ }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("row", { name: /bob@/ }).waitFor()

      await page.getByRole("button", { name: "Remove members" }).click()
      await dialog.getByLabel("Addresses", { exact: true }).fill("eve@example.com")
      await dialog.getByRole("button", { name: "Remove members (1)" }).click()
      await dialog.getByText("1 member removed.").waitFor()
      assert.deepStrictEqual(await membersOf("Hand-picked"), ["ada@example.com", "bob@example.com"])
    })
  })

  it("deletes with undo, and names what uses a segment", async () => {
    await create("Unused", { type: "STATIC" })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/segments/${ids["Unused"]}`)
      await page.getByRole("button", { name: "Delete" }).click()
      await page.getByRole("heading", { name: "Segments", level: 1 }).waitFor()
      await page.getByRole("row", { name: /Unused/ }).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("row", { name: /Unused/ }).waitFor()

      await page
        .getByRole("row", { name: /Hand-picked/ })
        .getByText("Hand-picked")
        .click()
      await page.getByRole("heading", { name: "Hand-picked", level: 1 }).waitFor()
      await page.getByRole("button", { name: "Delete" }).click()
      await page
        .getByText("Hand-picked is not deleted, because it is used by Segment Active pros.")
        .waitFor({ timeout: 15_000 })
      await page
        .getByRole("row", { name: /Hand-picked/ })
        .getByText("Hand-picked")
        .click()
      await page.getByText("because something uses it").waitFor()
      assert.deepStrictEqual(
        faults.splice(0).filter((fault) => !fault.includes("409")),
        []
      )
      assert.strictEqual((await stored("Unused")).name, "Unused")
    })
  })
})

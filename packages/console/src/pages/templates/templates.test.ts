/** Templates and pieces in a browser, against a development server. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

const starts = join(import.meta.dirname, "starts")
const start = (name: string) => readFileSync(join(starts, name), "utf8")

interface Stored {
  readonly id: string
  readonly version: number
  readonly source: string
  readonly body: string
  readonly subject: string
}

describe.skipIf(browserProgram === undefined)("templates in the console", () => {
  let server: DevServer
  let browser: Browser
  let welcome: Stored

  const create = async (body: object) => {
    const { status, body: made } = await server.call<Stored>("POST", "/templates", {
      from: `hi@${server.domain}`,
      subject: "Hello",
      type: "TRANSACTIONAL",
      ...body
    })
    assert.strictEqual(status, 201, JSON.stringify(made))
    return made
  }
  const read = async (id: string) => (await server.call<Stored>("GET", `/templates/${id}`)).body

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    welcome = await create({ name: "Welcome", format: "MJML", source: start("welcome.mjml") })
    await server.call("POST", "/partials", { name: "footer", body: "<p>Acme</p>" })
    await server.call("PATCH", `/templates/${welcome.id}`, { subject: "Hello again" })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it("has starts that compile without a warning, to less than 40 kB", async () => {
    const names = readdirSync(starts)
    assert.strictEqual(names.length, 6)
    for (const name of names) {
      // The footer of marketing mail has links to this server, which is a local one.
      const { status, body } = await server.call<{ warnings: ReadonlyArray<unknown>; size: { html: number } }>(
        "POST",
        "/templates/render",
        {
          subject: "Hello",
          format: "MJML",
          source: start(name),
          type: "TRANSACTIONAL"
        }
      )
      assert.deepStrictEqual([name, status, body.warnings], [name, 200, []])
      assert.isBelow(body.size.html, 40_000, name)
    }
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/templates")
      await page.getByRole("link", { name: "Welcome" }).waitFor()
      await assertFlawless(page, `templates-${look}`)
      await go(`/templates/${welcome.id}`)
      await page.frameLocator("iframe").getByText("Your account is ready").waitFor()
      await assertFlawless(page, `template-blocks-${look}`)
      for (const [query, text] of [
        ["?tab=code", "mj-attributes"],
        ["?tab=preview", "No warnings"],
        ["?view=details", "Save"],
        ["?view=versions", "Version 2"],
        ["?view=results", "Mail from this template"]
      ] as const) {
        await go(`/templates/${welcome.id}${query}`)
        await page.getByText(text).first().waitFor()
        await assertFlawless(page, `template${query.replace(/\W/g, "-")}-${look}`)
      }
      await go("/templates/pieces")
      await page.getByRole("link", { name: "footer" }).click()
      await page.getByRole("textbox", { name: "HTML" }).waitFor()
      await page.getByText("Nothing uses it.").waitFor()
      await assertFlawless(page, `piece-${look}`)
    })
  })

  it("writes and publishes a template by the keyboard alone", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/")
      await page.keyboard.press("g")
      await page.keyboard.press("t")
      await page.getByRole("heading", { name: "Templates", level: 1 }).waitFor()
      await tabTo(page, "Create template")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog", { name: "Create template" }).waitFor()
      await page.getByRole("textbox", { name: "Name" }).waitFor()
      await page.keyboard.type("By keyboard")
      await page.keyboard.press("Tab")
      await page.keyboard.type("Typed subject")
      await tabTo(page, "Create")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "By keyboard", level: 1 }).waitFor()
      const outline = page.getByRole("listbox", { name: "Blocks of the mail" })
      await outline.waitFor()
      await tabTo(page, "Theme and styles")
      for (let n = 0; n < 4; n++) await page.keyboard.press("ArrowDown")
      const content = page.getByRole("textbox", { name: "Text", exact: true })
      await content.waitFor()
      for (let n = 0; n < 20 && !(await content.evaluate((field) => field === document.activeElement)); n++) {
        await page.keyboard.press("Tab")
      }
      await page.keyboard.press("Control+a")
      await page.keyboard.type("Hello {{firstName ?? you}}")
      await page.getByText("Draft saved").waitFor()
      await page.keyboard.press("Shift+Tab")
      for (let n = 0; n < 60; n++) {
        if ((await page.evaluate("document.activeElement?.textContent")) === "Publish") break
        await page.keyboard.press("Shift+Tab")
      }
      await page.keyboard.press("Enter")
      await page.getByText("Version 2 is live.").waitFor()
      const id = page.url().split("/templates/")[1]?.split("?")[0] ?? ""
      const stored = await read(id)
      assert.strictEqual(stored.version, 2)
      assert.strictEqual(stored.subject, "Typed subject")
      assert.strictEqual(stored.source, start("blank.mjml").replace("Write here.", "Hello {{firstName ?? you}}"))
      assert.include(stored.body, "Hello {{firstName ?? you}}")
    })
  })

  it("sends the draft to oneself as a test", async () => {
    const made = await create({ name: "Tried", body: "<p>Hello</p>", subject: "Stored" })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("textbox", { name: "Subject" }).fill("Tried out")
      await page.getByRole("button", { name: "Send test" }).click()
      const dialog = page.getByRole("dialog", { name: "Send a test" })
      const to = dialog.getByRole("textbox", { name: "To" })
      const own = await to.inputValue()
      assert.include(own, "@")
      await assertFlawless(page, "template-test")
      await to.fill("stranger@example.com")
      await dialog.getByRole("button", { name: "Send", exact: true }).click()
      await dialog.getByRole("alert").waitFor()
      assert.strictEqual(faults.splice(0).filter((fault) => fault.includes("403")).length, 1)
      await to.fill(own)
      await dialog.getByRole("button", { name: "Send", exact: true }).click()
      await page.getByText(`Sent to ${own}.`).waitFor()
    })
    const { body } = await server.call<{ data: ReadonlyArray<{ to: string; subject: string; test: boolean }> }>(
      "GET",
      "/emails?mode=ALL"
    )
    assert.deepInclude(
      body.data.map(({ subject, test }) => [subject, test]),
      ["[TEST] Tried out", true]
    )
  })

  it("chooses a picture for a block, from a file or the library, and deletes it after a warning", async () => {
    const source =
      '<mjml><mj-body><mj-section><mj-column><mj-image src="" alt="Logo" /></mj-column></mj-section></mj-body></mjml>'
    const made = await create({ name: "Pictured", format: "MJML", source })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("option", { name: /^Image/ }).click()
      await page.getByRole("button", { name: "Choose image" }).click()
      const dialog = page.getByRole("dialog", { name: "Images of the project" })
      await dialog.getByText("The project has no images.").waitFor()
      await dialog.getByLabel("Upload an image").setInputFiles({
        name: "notes.png",
        mimeType: "image/png",
        buffer: Buffer.from("no image")
      })
      await dialog.getByRole("alert").waitFor()
      assert.strictEqual(faults.splice(0).filter((fault) => fault.includes("415")).length, 1)
      const buffer = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
      await dialog.getByLabel("Upload an image").setInputFiles({ name: "logo.gif", mimeType: "image/gif", buffer })
      await dialog.waitFor({ state: "detached" })
      const address = await page.getByRole("textbox", { name: "Address of the image" }).inputValue()
      assert.match(address, /\/uploads\/.*\.gif$/)
      await page.getByRole("textbox", { name: "Address of the image" }).fill("")
      await page.getByRole("button", { name: "Choose image" }).click()
      await dialog.getByRole("button", { name: /^Use image/ }).waitFor()
      await assertFlawless(page, "template-images")
      await dialog.getByRole("button", { name: /^Use image/ }).click()
      await dialog.waitFor({ state: "detached" })
      assert.strictEqual(await page.getByRole("textbox", { name: "Address of the image" }).inputValue(), address)
      await page.getByText("Draft saved").waitFor()
      await page.getByRole("button", { name: "Choose image" }).click()
      await dialog.getByRole("button", { name: /^Delete image/ }).click()
      const warning = page.getByRole("alertdialog", { name: "Delete this image?" })
      await warning.getByText("Mail that was already sent with it loses the picture.").waitFor()
      await warning.getByRole("button", { name: "Delete" }).click()
      await dialog.getByText("The project has no images.").waitFor()
      // The preview behind the dialog still names the picture.
      for (const fault of faults.splice(0)) assert.match(fault, /404/)
    })
  })

  it("shows both texts when another version became live, and restores an earlier one", async () => {
    const made = await create({ name: "Contested", body: "<p>One</p>" })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("textbox", { name: "Subject" }).fill("Mine")
      await page.getByText("Draft saved").waitFor()
      await server.call("PATCH", `/templates/${made.id}`, { body: "<p>Theirs</p>" })
      await page.getByRole("button", { name: "Publish" }).click()
      const dialog = page.getByRole("dialog", { name: "Another version became live" })
      await dialog.getByText("<p>Theirs</p>").waitFor()
      await dialog.getByText("<p>One</p>").waitFor()
      assert.strictEqual(faults.splice(0).filter((fault) => fault.includes("409")).length, 1)
      await dialog.getByRole("button", { name: "Publish mine" }).click()
      await page.getByText("Version 3 is live.").waitFor()
      await page.getByRole("link", { name: "Versions" }).click()
      await page
        .getByRole("row", { name: /Version 2/ })
        .getByRole("button", { name: "Restore" })
        .click()
      await page.getByText("Version 2 is live again.").waitFor()
      assert.strictEqual((await read(made.id)).body, "<p>Theirs</p>")
    })
  })

  it("keeps a hostile mail inside its frame, and hostile names as text", async () => {
    const name = '<img src=x onerror="alert(1)">'
    const body = `<script>parent.document.title = "taken"; fetch("/users/@me")</script><p onclick="top.location='/'">Hostile</p>`
    const made = await create({ name, body })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/templates/${made.id}?tab=preview`)
      await page.frameLocator("iframe").getByText("Hostile").click()
      await page.getByRole("heading", { name, level: 1 }).waitFor()
      await page
        .getByText(/script/)
        .first()
        .waitFor()
      assert.include(await page.title(), "onerror")
      const frame = page.frames().find((each) => each.url().includes("preview.html"))
      const reached = await frame?.evaluate(
        "(() => { try { return parent.document.title } catch (error) { return error.name } })()"
      )
      assert.strictEqual(reached, "SecurityError")
      const calls = await frame?.evaluate("fetch('/users/@me').then(() => 'answered', () => 'refused')")
      assert.strictEqual(calls, "refused")
      faults.splice(0)
    })
  })

  it("deletes with a way back, and makes a piece that a template includes", async () => {
    const made = await create({ name: "Deleted", body: "<p>Bye</p>" })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByText("Deleted will be deleted.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("link", { name: "Deleted" }).waitFor()
      assert.strictEqual((await server.call("GET", `/templates/${made.id}`)).status, 200)
      await page.getByRole("link", { name: "Pieces" }).click()
      await page.getByRole("button", { name: "Create piece" }).click()
      await page.getByRole("textbox", { name: "Name" }).fill("greeting")
      await page.getByRole("textbox", { name: "HTML" }).click()
      await page.keyboard.type("Good day")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("heading", { name: "greeting", level: 1 }).waitFor()
      const { body } = await server.call<{ html: string }>("POST", "/templates/render", {
        subject: "Hello",
        body: "<p>{{> greeting}}</p>"
      })
      assert.include(body.html, "Good day")
    })
  })
})

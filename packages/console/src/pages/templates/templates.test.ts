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
    assert.strictEqual(names.length, 7)
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
      if (look.startsWith("phone")) {
        await page.getByRole("row", { name: /^Button/ }).click()
        await page.getByRole("button", { name: "Settings", exact: true }).click()
        await page.getByRole("textbox", { name: "Label" }).waitFor()
        await assertFlawless(page, `template-settings-${look}`)
        await page.getByRole("button", { name: "Mail", exact: true }).click()
      }
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
      await go(`/templates/${welcome.id}?view=versions`)
      await page.getByRole("button", { name: "Compare" }).click()
      await page.locator("ins", { hasText: "Hello again" }).waitFor()
      await assertFlawless(page, `template-compare-${look}`)
      await go("/templates/pieces")
      await page.getByRole("link", { name: "footer" }).click()
      await page.getByRole("textbox", { name: "HTML" }).waitFor()
      await page.frameLocator("iframe").getByText("Acme").waitFor()
      await assertFlawless(page, `piece-${look}`)
      await page.getByRole("link", { name: "Versions" }).click()
      await page.getByText("Version 1").waitFor()
      await assertFlawless(page, `piece-versions-${look}`)
      await page.getByRole("link", { name: "Use" }).click()
      await page.getByText("Nothing uses it.").waitFor()
      await assertFlawless(page, `piece-use-${look}`)
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
      const outline = page.getByRole("treegrid", { name: "Blocks of the mail" })
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
      const sent = await server.call("POST", "/v1/send", { to: "ada@example.com", template: id })
      assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
      const deadline = Date.now() + 20_000
      let mails: ReadonlyArray<{ readonly html: string }> = []
      while (mails.length === 0 && Date.now() < deadline) {
        const answer = await server.call<{ data: typeof mails }>("GET", "/dev/mailbox.json?search=Typed%20subject")
        mails = answer.body.data
      }
      const seen = (html: string) =>
        html
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .trim()
      assert.strictEqual(seen(mails[0]?.html ?? ""), seen(stored.body.replace("{{firstName ?? you}}", "you")))
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
      await page.getByRole("row", { name: /^Image/ }).click()
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

  it("moves, cuts, copies, pastes and wraps blocks by the keyboard and the mouse, and takes it all back", async () => {
    const source = `<mjml>
  <mj-head><mj-attributes><mj-all font-family="Arial" /></mj-attributes></mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>One</mj-text>
        <mj-text>Two</mj-text>
      </mj-column>
      <mj-column>
        <own-thing keep='{{a < b}}'><x>1</x></own-thing>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
    const { body: draft, status } = await server.call<Stored>("POST", "/templates", {
      name: "Moved",
      subject: "Moved",
      from: `hi@${server.domain}`,
      type: "TRANSACTIONAL",
      format: "MJML",
      source: source.replace("<own-thing keep='{{a < b}}'><x>1</x></own-thing>", "<mj-raw>{{> footer}}</mj-raw>")
    })
    assert.strictEqual(status, 201)
    const stored = async () =>
      (await server.call<{ source: string }>("GET", `/templates/${draft.id}/draft`)).body.source ?? ""
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/templates/${draft.id}`)
      const row = (name: RegExp) => page.getByRole("row", { name })
      const saved = async (change: () => Promise<void>) => {
        const done = page.waitForResponse((answer) => answer.request().method() === "PUT")
        await change()
        await done
        return stored()
      }
      await row(/^Text One/).click()
      const cut = await saved(() => page.keyboard.press("Control+x"))
      assert.notInclude(cut, "One")
      await row(/^Piece footer/).click()
      const back = await saved(() => page.keyboard.press("Control+v"))
      assert.match(back, /footer\}\}<\/mj-raw>\s*<mj-text>One<\/mj-text>\s*<\/mj-column>/)
      // By the keyboard: the button of the row starts the drag, arrows choose the place, Enter drops.
      await row(/^Text Two/).click()
      await page.getByRole("button", { name: "Drag Text Two" }).focus()
      await page.keyboard.press("Enter")
      const dropped = await saved(async () => {
        for (let n = 0; n < 20; n++) {
          const target = (await page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''")) as string
          if (/between Piece footer and Text One/i.test(target)) break
          await page.keyboard.press("ArrowDown")
        }
        await page.keyboard.press("Enter")
      })
      assert.match(dropped, /footer\}\}<\/mj-raw>\s*<mj-text>Two<\/mj-text>\s*<mj-text>One/)
      // By the mouse.
      const mouse = await saved(() => row(/^Text Two/).dragTo(row(/^Text One/), { targetPosition: { x: 60, y: 22 } }))
      assert.match(mouse, /<mj-text>One<\/mj-text>\s*<mj-text>Two<\/mj-text>/)
      const wrapped = await saved(() => page.getByRole("button", { name: "Show under a condition" }).click())
      assert.include(wrapped, "<mj-raw>{{#if firstName}}</mj-raw>")
      await row(/^If firstName/).waitFor()
      const field = page.getByRole("combobox", { name: "Shown if this has a value" })
      const condition = await saved(() => field.fill("plan"))
      assert.include(condition, "<mj-raw>{{#if plan}}</mj-raw>")
      await row(/^If plan/).click()
      for (let n = 0; n < 6; n++) await page.keyboard.press("Control+z")
      await page.getByText("Draft saved").waitFor()
      await row(/^Text One/).waitFor()
      const undone = await saved(() => page.keyboard.press("Control+Shift+z"))
      assert.notInclude(undone, "One")
      const original = await saved(() => page.keyboard.press("Control+z"))
      assert.strictEqual(original, (await read(draft.id)).source)
    })
  })

  it("writes rich text: marks, lists, links and variables; hostile text that is pasted does nothing", async () => {
    const made = await create({
      name: "Rich",
      format: "MJML",
      source: start("blank.mjml").replace("Write here.", "Hello {{firstName ?? you}},<br />bye")
    })
    const text = async () =>
      /<mj-text>(.*)<\/mj-text>/.exec(
        (await server.call<{ source: string }>("GET", `/templates/${made.id}/draft`)).body.source
      )?.[1]
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("row", { name: /^Text Hello/ }).click()
      const field = page.getByRole("textbox", { name: "Text", exact: true })
      const saved = async (change: () => Promise<unknown>) => {
        const done = page.waitForResponse((answer) => answer.request().method() === "PUT")
        await change()
        await done
        return text()
      }
      await field.waitFor()
      await assertFlawless(page, "template-rich")
      await field.click()
      await page.keyboard.press("Control+End")
      const typed = await saved(() => page.keyboard.type(" & {{plan}}"))
      assert.strictEqual(typed, "Hello {{firstName ?? you}},<br />bye &amp; {{plan}}")
      await page.keyboard.press("Shift+Home")
      // The editor hears of the selection in a task of its own.
      await page.waitForTimeout(300)
      const bold = await saved(() => page.keyboard.press("Control+b"))
      assert.strictEqual(bold, "Hello {{firstName ?? you}},<br /><b>bye &amp; {{plan}}</b>")
      // The toolbar is one stop of Tab; arrows walk it.
      await page.getByRole("button", { name: "Italic" }).focus()
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("ArrowRight")
      await page.keyboard.press("Enter")
      await page.getByRole("textbox", { name: "Address of the link" }).fill("https://example.com/?a=1&b={{id}}")
      const linked = await saved(() => page.keyboard.press("Enter"))
      assert.include(linked, '<br /><a href="https://example.com/?a=1&amp;b={{id}}"><b>bye &amp; {{plan}}</b></a>')
      const unlinked = await saved(() => page.keyboard.press("Control+z"))
      assert.strictEqual(unlinked, bold)
      await page.keyboard.press("End")
      await page.waitForTimeout(300)
      await page.keyboard.press("Enter")
      const list = await saved(() => page.getByRole("button", { name: "List", exact: true }).click())
      assert.include(list, "</b><ul><li></li></ul>")
      const pasted = await saved(() =>
        page.evaluate(`(() => {
          const data = new DataTransfer()
          data.setData("text/html", '<p style="color:red" onclick="alert(1)">a<img src="x" onerror="alert(1)"><strong>b</strong> {{who}}</p>')
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
        })()`)
      )
      assert.include(pasted, "<ul><li>a<b>b</b> {{who}}</li></ul>")
      await page.getByRole("button", { name: "Edit as code" }).click()
      const code = page.getByRole("textbox", { name: "Text", exact: true })
      const table = await saved(() => code.fill("<table><tr><td>a</td></tr></table>"))
      assert.strictEqual(table, "<table><tr><td>a</td></tr></table>")
      await page.getByText("so it is edited as code").waitFor()
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
        .getByRole("button", { name: "Compare" })
        .click()
      const compared = page.getByRole("dialog", { name: "Compare with the live version" })
      await compared.locator("del", { hasText: "<p>Theirs</p>" }).waitFor()
      await compared.locator("ins", { hasText: "<p>One</p>" }).waitFor()
      await compared.getByRole("button", { name: "Restore" }).click()
      await page.getByText("Version 2 is live again.").waitFor()
      assert.strictEqual((await read(made.id)).body, "<p>Theirs</p>")
    })
  })

  it("keeps a piece as a draft, publishes it, asks when somebody else did, and restores", async () => {
    const { body: piece } = await server.call<Stored>("POST", "/partials", { name: "banner", body: "<p>First</p>" })
    const live = async () => (await server.call<Stored>("GET", `/partials/${piece.id}`)).body
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go(`/templates/pieces/${piece.id}`)
      const code = page.getByRole("textbox", { name: "HTML" })
      await code.click()
      // The editor closes a tag that is opened.
      await page.keyboard.press("Control+a")
      await page.keyboard.type("<p>Second")
      await page.getByText("Draft saved").waitFor()
      await page.frameLocator("iframe").getByText("Second").waitFor()
      assert.strictEqual((await live()).body, "<p>First</p>")
      await page.getByRole("button", { name: "Publish" }).click()
      await page.getByText("Version 2 is live.").waitFor()
      assert.strictEqual((await live()).body, "<p>Second</p>")
      await page.getByRole("textbox", { name: "HTML" }).click()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("<p>{{#if}}")
      await page.getByText("1 fault prevents publishing").waitFor()
      await page.keyboard.press("Control+a")
      await page.keyboard.type("<p>Mine")
      await page.getByText("1 fault prevents publishing").waitFor({ state: "detached" })
      await page.getByText("Draft saved").waitFor()
      await server.call("PATCH", `/partials/${piece.id}`, { body: "<p>Theirs</p>" })
      await page.getByRole("button", { name: "Publish" }).click()
      const dialog = page.getByRole("dialog", { name: "Another version became live" })
      await dialog.locator("del", { hasText: "<p>Theirs</p>" }).waitFor()
      await dialog.locator("ins", { hasText: "<p>Mine</p>" }).waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !/409|422/.test(fault)))
      await dialog.getByRole("button", { name: "Publish mine" }).click()
      await page.getByText("Version 4 is live.").waitFor()
      await page.getByRole("link", { name: "Versions" }).click()
      await page
        .getByRole("row", { name: /Version 1/ })
        .getByRole("button", { name: "Restore" })
        .click()
      await page.getByText("Version 1 is live again.").waitFor()
      assert.strictEqual((await live()).body, "<p>First</p>")
    })
  })

  it("writes a template in another language, and shows it in the preview", async () => {
    const made = await create({ name: "Spoken", subject: "Hello", format: "MJML", source: start("blank.mjml") })
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/templates/${made.id}`)
      await page.getByRole("button", { name: "Add language" }).click()
      await page.getByRole("textbox", { name: "Language tag" }).fill("no language")
      await page.keyboard.press("Enter")
      await page.getByText("A language tag is needed").waitFor()
      await page.getByRole("textbox", { name: "Language tag" }).fill("DE")
      await page.keyboard.press("Enter")
      await page
        .getByRole("combobox", { name: "Language" })
        .locator("option:checked", { hasText: "German (de)" })
        .waitFor({ state: "attached" })
      await page.getByRole("textbox", { name: "Subject" }).fill("Hallo")
      await page.getByRole("row", { name: /^Text Write here/ }).click()
      await page.getByRole("textbox", { name: "Text", exact: true }).fill("Guten Tag")
      await page.frameLocator("iframe").getByText("Guten Tag").waitFor()
      await page.getByText("Draft saved").waitFor()
      await assertFlawless(page, "template-language")
      await page.getByRole("tab", { name: "Preview" }).click()
      await page.getByText("Hallo", { exact: true }).waitFor()
      // The link of the page opens the same language.
      await page.reload()
      await page.frameLocator("iframe").getByText("Guten Tag").waitFor()
      await page.getByRole("button", { name: "Publish" }).click()
      await page.getByText("Version 2 is live.").waitFor()
    })
    const stored = (
      await server.call<Stored & { translations: { [tag: string]: Stored } }>("GET", `/templates/${made.id}`)
    ).body
    assert.strictEqual(stored.source, start("blank.mjml"))
    assert.strictEqual(stored.translations["de"]?.subject, "Hallo")
    assert.strictEqual(stored.translations["de"]?.source, start("blank.mjml").replace("Write here.", "Guten Tag"))
  })

  it("leads from a missing variable, a warning and a fault to their place", async () => {
    const made = await create({
      name: "Checked",
      body: `<p>a</p>\n<p>{{order.total}}</p>\n<a href="http://example.com/a">b</a>`
    })
    const blocks = await create({
      name: "Checked blocks",
      format: "MJML",
      source: start("blank.mjml").replace("Write here.", "Total {{order.total}}")
    })
    await server.call("POST", "/contacts", { email: "grace@example.com", data: { order: { total: "9.99" } } })
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      const line = () => page.evaluate("getSelection()?.anchorNode?.textContent ?? ''")
      await go(`/templates/${made.id}?tab=preview`)
      await page.getByRole("button", { name: "Show order.total" }).click()
      await page.locator(".cm-content:focus").waitFor()
      await page.waitForFunction(
        "(getSelection()?.anchorNode?.parentElement?.closest('.cm-line')?.textContent ?? '').includes('order.total')"
      )
      await page.getByRole("tab", { name: "Preview" }).click()
      await page.getByRole("button", { name: /^Show A link leads to http/ }).click()
      await page.waitForFunction(
        "(getSelection()?.anchorNode?.parentElement?.closest('.cm-line')?.textContent ?? '').includes('example.com/a')"
      )
      await page.keyboard.press("Control+End")
      await page.keyboard.type("{{> foo")
      await page.locator(".cm-tooltip-autocomplete").getByText("footer").waitFor()
      await page.keyboard.press("Escape")
      for (let n = 0; n < "{{> foo".length; n++) await page.keyboard.press("Backspace")
      await page.keyboard.type("{{#if}}")
      await page.getByText("1 fault prevents publishing").waitFor()
      await page.keyboard.press("Control+Home")
      await page.getByRole("button", { name: "Line 3" }).click()
      await page.waitForFunction(
        "(getSelection()?.anchorNode?.parentElement?.closest('.cm-line')?.textContent ?? '').includes('example.com/a')"
      )
      assert.isString(await line())
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
      await go(`/templates/${blocks.id}?tab=preview`)
      const contact = page.getByRole("combobox", { name: "Address of a contact" })
      await contact.fill("gra")
      await page.locator('datalist option[value="grace@example.com"]').waitFor({ state: "attached" })
      await page.getByRole("button", { name: "Show order.total" }).click()
      await page.getByRole("row", { name: /^Text Total/, selected: true }).waitFor()
      await page.getByRole("tab", { name: "Preview" }).click()
      await page.getByRole("combobox", { name: "Address of a contact" }).fill("grace@example.com")
      await page.frameLocator("iframe").getByText("Total 9.99").waitFor()
      await page.getByRole("button", { name: "Show order.total" }).waitFor({ state: "detached" })
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

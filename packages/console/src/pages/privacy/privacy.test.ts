/** The page of privacy requests, in a browser against a development server. */
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"

interface Request {
  readonly id: string
  readonly status: string
  readonly email: string | null
  readonly note: string | null
}

describe.skipIf(browserProgram === undefined)("privacy requests in the console", () => {
  let server: DevServer
  let browser: Browser

  const requests = async (query = "") =>
    (await server.call<{ readonly data: ReadonlyArray<Request> }>("GET", `/privacy-requests${query}`)).body.data

  /** A contact that asks for its erasure, and confirms it by the link of its mail. */
  const asks = async (email: string) => {
    const { body: contact } = await server.call<{ readonly id: string }>("POST", "/contacts", { email })
    const { body: links } = await server.call<{ readonly token: string }>("GET", `/contacts/${contact.id}/links`)
    await server.call("POST", `/public/preferences/${links.token}/requests`, { type: "ERASURE" })
    const path = await vi.waitFor(
      async () => {
        const { body } = await server.call("GET", `/dev/mailbox.json?search=${email}`)
        const found = /\/privacy\/[\w-]+/.exec(JSON.stringify(body))?.[0]
        assert.isDefined(found)
        return found
      },
      { timeout: 30_000, interval: 200 }
    )
    await fetch(server.url + path, { method: "POST", body: new URLSearchParams({ confirm: "1" }) })
    return contact.id
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    await server.call("PATCH", "/settings/audience", { selfService: { erasure: "request" } })
    await asks("ada@example.com")
    await asks("bob@example.com")
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)(
    "the page and its dialogs are accessible and fit: %s",
    async (look) => {
      await visit(browser, server, looks[look], async ({ page, go }) => {
        await go("/privacy-requests")
        await page.getByText("bob@example.com").first().waitFor()
        await assertFlawless(page, `privacy-requests-${look}`)
        await page.getByRole("link", { name: "bob@example.com" }).first().click()
        const panel = page.getByRole("dialog", { name: "Privacy requests" })
        await panel.getByRole("button", { name: "Erase" }).waitFor()
        await assertFlawless(page, `privacy-request-${look}`)
        await panel.getByRole("button", { name: "Refuse" }).click()
        await page.getByRole("dialog", { name: "Refuse" }).waitFor()
        await assertFlawless(page, `privacy-refuse-${look}`)
      })
    }
  )

  it("erases who asked for it, once the address is typed, by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      const [request] = (await requests("?status=OPEN")).filter(({ email }) => email === "ada@example.com")
      await go(`/privacy-requests?status=OPEN&request=${request?.id}`)
      const panel = page.getByRole("dialog", { name: "Privacy requests" })
      await panel.getByRole("button", { name: "Erase" }).waitFor()
      await tabTo(page, "Erase")
      await page.keyboard.press("Enter")
      const dialog = page.getByRole("alertdialog", { name: "Erase" })
      await dialog.getByRole("textbox").waitFor()
      await page.keyboard.type("ada@example.com")
      await dialog.getByRole("button", { name: "Erase" }).focus()
      await page.keyboard.press("Enter")
      await panel.getByText("(erased)").waitFor()
      await vi.waitFor(async () => {
        const found = (await requests()).find(({ id }) => id === request?.id)
        assert.deepInclude(found, { status: "DONE", email: null })
      })
    })
  })

  it("refuses with a reason, which the person gets by mail", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/privacy-requests?status=OPEN")
      await page.getByRole("link", { name: "bob@example.com" }).first().click()
      await page.getByRole("button", { name: "Refuse" }).click()
      const dialog = page.getByRole("dialog", { name: "Refuse" })
      await dialog.getByLabel("Reason").fill("We must keep your invoices.")
      await dialog.getByRole("button", { name: "Refuse" }).click()
      await page.getByText("Reason of the refusal").waitFor()
      const [found] = await requests("?status=REFUSED")
      assert.strictEqual(found?.note, "We must keep your invoices.")
      await vi.waitFor(
        async () => {
          const { body } = await server.call("GET", "/dev/mailbox.json?search=bob@example.com")
          assert.include(JSON.stringify(body), "We must keep your invoices.")
        },
        { timeout: 30_000, interval: 500 }
      )
    })
  })
})

/** Keys, webhooks and transports, in a browser against a development server. */
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { assertFlawless, browserProgram, type Look, launch, looks, tabTo, visit } from "../../testing/Browser.ts"
import { type DevServer, startDevServer } from "../../testing/DevServer.ts"
import { webhookEvents } from "./webhookEvents.ts"

it("the events to choose from are those of the document", () => {
  const document = JSON.parse(
    readFileSync(join(resolve(import.meta.dirname, "../../../../.."), "openapi/openapi.json"), "utf8")
  )
  const known = Object.keys(document.webhooks).filter((name) => name !== "webhook.test")
  const offered = known.map((name) => name.replace(/^(segment|topic|form)\..*/, "$1.*"))
  assert.sameMembers([...webhookEvents], [...new Set(offered)])
})

describe.skipIf(browserProgram === undefined)("keys, webhooks and transports in the console", () => {
  let server: DevServer
  let browser: Browser
  let receiver: Server
  let url: string
  let webhookId: string

  beforeAll(async () => {
    receiver = createServer((_, response) => response.writeHead(500).end("<script>alert(1)</script>"))
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    ;[server, browser] = await Promise.all([startDevServer(), launch()])
    await server.call("POST", "/api-keys", { name: "<b>Shop</b>", scopes: ["send", "emails:read"] })
    const { body } = await server.call<{ id: string }>("POST", "/webhooks", { url, events: ["email.*"] })
    webhookId = body.id
    await server.call("POST", `/webhooks/${webhookId}/test`)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    receiver?.close()
  })

  it.each(Object.keys(looks) as ReadonlyArray<Look>)("every page is accessible and fits: %s", async (look) => {
    await visit(browser, server, looks[look], async ({ page, go }) => {
      await go("/keys")
      await page.getByText("<b>Shop</b>").waitFor()
      await assertFlawless(page, `keys-${look}`)
      await go("/keys?key=new")
      await page.getByRole("dialog").waitFor()
      await assertFlawless(page, `keys-new-${look}`)
      await go("/webhooks")
      await page.getByText(url).waitFor()
      await assertFlawless(page, `webhooks-${look}`)
      await go(`/webhooks/${webhookId}`)
      await page.getByText("webhook.test").first().waitFor()
      await assertFlawless(page, `webhook-${look}`)
      await go("/transports")
      await page.getByText("A transport is an SMTP server").waitFor()
      await assertFlawless(page, `transports-${look}`)
    })
  })

  it("creates a key, shows it once, and revokes it", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go("/keys")
      await page.getByRole("button", { name: "Create API key" }).click()
      await page.getByLabel("Name").fill("Reports")
      await page.getByLabel("May do").selectOption("read")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByRole("button", { name: "Show", exact: true }).click()
      const key = (await page.locator("[data-secret]").textContent()) ?? ""
      const asked = await fetch(`${server.url}/projects/current`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual(asked.status, 200)
      assert.notInclude(page.url(), "ph_live")
      await page
        .getByRole("row", { name: /Reports/ })
        .getByRole("button", { name: "More actions" })
        .click()
      await page.getByRole("menuitem", { name: "Revoke" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click()
      await page.getByText("Reports is revoked.").waitFor()
      const refused = await fetch(`${server.url}/projects/current`, { headers: { authorization: `Bearer ${key}` } })
      assert.strictEqual(refused.status, 401)
    })
  })

  it("adds a webhook, shows faults at their fields, and shows what a delivery got as text", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go, faults }) => {
      await go("/webhooks")
      await page.getByRole("button", { name: "Add webhook" }).click()
      await page.getByLabel("URL").fill("ftp://example.com/hook")
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByRole("dialog").getByText(/http/).waitFor()
      faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes("422")))
      await page.getByLabel("URL").fill(`${url}/second`)
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByText("Signing secret: it is shown only now.", { exact: false }).waitFor()
      await go(`/webhooks/${webhookId}`)
      await page.getByRole("button", { name: "webhook.test" }).first().click()
      await page.getByRole("dialog", { name: "Delivery" }).getByText("<script>alert(1)</script>").first().waitFor()
      assert.include(page.url(), "delivery=")
    })
  })

  it("replays a delivery by the keyboard only", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/webhooks/${webhookId}`)
      await page.getByRole("button", { name: "webhook.test" }).first().waitFor()
      // The list is one stop of the Tab key; arrows move in it.
      const focused = "document.activeElement?.tagName"
      for (let n = 0; n < 40 && (await page.evaluate(focused)) !== "TR"; n++) await page.keyboard.press("Tab")
      for (let n = 0; n < 5 && (await page.evaluate(focused)) !== "BUTTON"; n++) await page.keyboard.press("ArrowRight")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog", { name: "Delivery" }).getByRole("button", { name: "Replay" }).waitFor()
      await tabTo(page, "Replay")
      const asked = page.waitForResponse((response) => response.url().endsWith("/replay"))
      await page.keyboard.press("Enter")
      assert.isTrue((await asked).ok())
      await page.getByText("It is posted again.").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
    })
  })

  it("deletes a webhook after eight seconds, unless it is undone", async () => {
    await visit(browser, server, looks["desk-light"], async ({ page, go }) => {
      await go(`/webhooks/${webhookId}`)
      await page.getByRole("button", { name: "More actions" }).first().click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("link", { name: "Overview" }).first().click()
      await page.getByRole("heading", { name: "Overview" }).waitFor()
      assert.strictEqual((await server.call("GET", `/webhooks/${webhookId}`)).status, 200)
    })
  })
})

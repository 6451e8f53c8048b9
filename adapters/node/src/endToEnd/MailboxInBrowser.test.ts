/** The dev mailbox in a browser. Screenshots are kept in `node_modules/.cache/dev-mailbox`. */
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import * as MailboxHttp from "@posthorn/platform-node/mailbox/MailboxHttp"
import { MailboxStore } from "@posthorn/platform-node/mailbox/MailboxStore"
import { mailOf, store } from "@posthorn/platform-node/testing/MailboxTesting"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Browser, layer as browser, desk, flawless, looks, tabTo } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"

const assertFlawless = flawless("node_modules/.cache/dev-mailbox")

const site = HttpRouter.serve(MailboxHttp.layer({ publicUrl: "https://mail.example.com", open: false }), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provideMerge(store),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
)

const letter = (subject: string) => `From: "Shop" <orders@posthorn.test>
Subject: ${subject}
X-Posthorn-Email-Id: 019a9f3c-0000-7000-8000-0000000000a1
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

Your order is on its way.
--b
Content-Type: text/html; charset=utf-8

<!doctype html><h1 id="width" style="width: 100%">Thank you</h1><script>document.title = "taken"</script>
<a href="https://example.com/orders/4711">Follow it</a>
--b--
`

/** The pages of a mailbox with only these emails, the last one on top. */
const mailbox = Effect.fnUntraced(function* (...subjects: ReadonlyArray<string>) {
  const { clear, keep } = yield* MailboxStore
  const { address } = yield* HttpServer.HttpServer
  yield* clear
  for (const subject of subjects) {
    yield* keep({ from: "bounces@posthorn.test", to: "anna@example.com" }, mailOf(letter(subject)))
  }
  return `http://127.0.0.1:${"port" in address ? address.port : ""}/dev/mailbox`
})

describe.skipIf(browserProgram === undefined)("the dev mailbox in a browser", () => {
  layer(Layer.merge(browser, site), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("has no layout or accessibility errors on phones and desktops, in light and dark", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const url = yield* mailbox(
          "Weekly summary, with a subject so long that it wraps on any telephone",
          "Your order"
        )
        for (const [look, options] of looks) {
          yield* visit(options, async (page) => {
            await page.goto(url)
            await assertFlawless(page, `list-${look}`)
            await page.goto(`${url}?search=nobody`)
            await assertFlawless(page, `search-${look}`)
            await page.goto(url)
            await page.getByRole("link", { name: "Your order" }).click()
            await page.frameLocator("iframe").getByText("Thank you").waitFor()
            await assertFlawless(page, `mail-${look}`)
          })
        }
      })
    )

    it.effect("shows a mail at the width of a phone, and runs no script in it", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const url = yield* mailbox("Your order")
        const seen = yield* visit(desk, async (page) => {
          await page.goto(url)
          await page.getByRole("link", { name: "Your order" }).click()
          const width = async () => (await page.locator("iframe").boundingBox())?.width ?? 0
          const full = await width()
          await page.getByLabel("Phone").check()
          await page.frameLocator("iframe").getByText("Thank you").waitFor()
          return { full: full > 800, phone: await width(), title: await page.title() }
        })
        assert.deepStrictEqual(seen, { full: true, phone: 375, title: "Your order · Dev mailbox" })
      })
    )

    it.effect("shows a new mail without a reload, and keeps the focus", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { keep } = yield* MailboxStore
        const services = yield* Effect.context<MailboxStore>()
        const url = yield* mailbox("Your order")
        const seen = yield* visit(desk, async (page) => {
          await page.goto(url)
          await page.getByRole("link", { name: "Your order" }).focus()
          const arrives = keep({ from: "bounces@posthorn.test", to: "anna@example.com" }, mailOf(letter("Your code")))
          await Effect.runPromiseWith(services)(arrives)
          await page.getByRole("link", { name: "Your code" }).waitFor()
          const focused = await page.evaluate("document.activeElement.textContent")
          return { focused, status: await page.getByRole("status").textContent() }
        })
        assert.deepStrictEqual(seen, { focused: "Your order", status: "2 mails, newest first." })
      })
    )

    it.effect("works with the keyboard alone and without scripts: search, open, switch views, empty", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const url = yield* mailbox("Your order", "Your password")
        const seen = yield* visit({ ...desk, javaScriptEnabled: false }, async (page) => {
          await page.goto(url)
          await page.getByLabel("Address or subject").focus()
          await page.keyboard.type("password")
          await page.keyboard.press("Enter")
          await page.waitForURL(/search=password/)
          const found = await page.getByRole("status").textContent()
          await tabTo(page, "Your password")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Your password" }).waitFor()
          await tabTo(page, "Headers")
          await page.keyboard.press("Enter")
          await page.waitForURL(/#/)
          const at = new URL(page.url()).hash
          await page.goto(url)
          await tabTo(page, "Empty the mailbox")
          await page.keyboard.press("Enter")
          await tabTo(page, "Delete them")
          await page.keyboard.press("Enter")
          await page.getByText("No mail yet").waitFor()
          return { found, at }
        })
        assert.match(seen.found ?? "", /^1 mail for “password”/)
        assert.strictEqual(seen.at, "#headers")
      })
    )
  })
})

/**
 * The pages behind the links of an email, in a browser: at telephone and desktop widths, in the light and the dark
 * scheme, and with the keyboard alone. Screenshots are kept in `node_modules/.cache/public-pages`.
 */
import { assert, describe, layer } from "@effect/vitest"
import { languages } from "@posthorn/core/platform/web/Languages"
import { Effect, Layer, Schema } from "effect"
import { postJson } from "../testing/ApiCall.ts"
import { Browser, layer as browser, desk, flawless, looks, tabTo, telephone } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"
import { request, send, succeed } from "./testing/Caller.ts"
import { addressOf } from "./testing/Installation.ts"
import { parsed } from "./testing/Received.ts"
import { mailTo, Shop, shop, shopName } from "./testing/Shop.ts"

const pictures = "node_modules/.cache/public-pages"
const assertFlawless = flawless(pictures)
const from = "zoe@mail.example.com"

const Id = Schema.Struct({ id: Schema.String })
const Contacts = Schema.Struct({ data: Schema.Array(Schema.Struct({ subscribed: Schema.Boolean })) })

let readers = 0

/** The links of a marketing email as the recipient got it, on the running server. */
const linksOfMail = Effect.gen(function* () {
  const { caller } = yield* Shop
  const to = `reader-${++readers}@example.org`
  const template = yield* succeed(201, Id, caller, "POST", "/templates", {
    name: `News ${readers}`,
    subject: "News",
    body: '<p>News</p><a href="{{subscribeUrl}}">s</a> <a href="{{manageUrl}}">m</a> <a href="{{unsubscribeUrl}}">u</a>',
    from,
    type: "MARKETING"
  })
  yield* send(caller, { to, template: template.id, subscribed: true })
  const { html } = yield* parsed((yield* mailTo(to)).raw)
  const link = (purpose: string) => {
    const path = new RegExp(`https://posthorn\\.example(/${purpose}/[^"]+)"`).exec(html)?.[1] ?? ""
    assert.notStrictEqual(path, "", purpose)
    return `${caller.url}${path}`
  }
  const isSubscribed = Effect.map(
    succeed(200, Contacts, caller, "GET", `/contacts?search=${encodeURIComponent(to)}`),
    ({ data }) => data[0]?.subscribed
  )
  return { to, isSubscribed, unsubscribe: link("unsubscribe"), subscribe: link("subscribe"), manage: link("manage") }
})

/** The page behind the link of a password-reset email. */
const resetPage = Effect.gen(function* () {
  const { caller } = yield* Shop
  const email = addressOf(shopName)
  yield* postJson(`${caller.url}/auth/request-password-reset`, { email })
  const { text } = yield* parsed((yield* mailTo(email)).raw)
  const path = /https:\/\/posthorn\.example(\/account\/\S+)/.exec(text ?? "")?.[1] ?? ""
  assert.notStrictEqual(path, "")
  return `${caller.url}${path}`
})

describe.skipIf(browserProgram === undefined)("the public pages in a browser", () => {
  layer(Layer.merge(browser, shop), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect("have no layout or accessibility errors on phones and desktops, in light and dark, in every state", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const { unsubscribe, subscribe, manage } = yield* linksOfMail
        const pages = {
          unsubscribe,
          subscribe,
          manage,
          "not-found": `${caller.url}/unsubscribe/nonsense`,
          "reset-password": yield* resetPage,
          "account-error": `${caller.url}/account/error?reason=state`
        }
        for (const [look, options] of looks) {
          yield* visit(options, async (page) => {
            for (const [name, url] of Object.entries(pages)) {
              await page.goto(url)
              await assertFlawless(page, `${name}-${look}`)
            }
            await page.goto(unsubscribe)
            await page.getByRole("button").click()
            await assertFlawless(page, `unsubscribed-${look}`)
            await page.goto(manage)
            await page.getByRole("button").first().click()
            await assertFlawless(page, `managed-${look}`)
          })
        }
      })
    )

    it.effect("have no layout or accessibility errors in every language, at the width of a small phone", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { manage, subscribe } = yield* linksOfMail
        yield* visit({ ...telephone, colorScheme: "light" }, async (page) => {
          for (const language of languages) {
            await page.goto(`${subscribe}?lang=${language}`)
            await assertFlawless(page, `subscribe-${language}`)
            await page.goto(`${manage}?lang=${language}`)
            await assertFlawless(page, `manage-${language}`)
          }
        })
      })
    )

    it.effect("work with the keyboard alone and without JavaScript, and the focus is visible", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { isSubscribed, unsubscribe } = yield* linksOfMail
        const steps = yield* visit({ ...desk, javaScriptEnabled: false }, async (page) => {
          await page.goto(unsubscribe)
          await tabTo(page, "Unsubscribe")
          await page.screenshot({ path: `${pictures}/focus.png` })
          const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
          await page.keyboard.press("Enter")
          const status = await page.getByRole("status").textContent()
          await tabTo(page, "Subscribe again")
          await page.keyboard.press("Enter")
          const asked = await page.getByRole("heading", { level: 1 }).textContent()
          await tabTo(page, "Deutsch")
          await page.keyboard.press("Enter")
          const german = await page.getByRole("heading", { level: 1 }).textContent()
          return { outline, status, asked, german, language: await page.locator("html").getAttribute("lang") }
        })
        assert.deepStrictEqual(steps, {
          outline: "solid",
          status: "You have been unsubscribed.",
          asked: "Subscribe",
          german: "Abonnieren",
          language: "de"
        })
        assert.isFalse(yield* isSubscribed)
      })
    )

    it.effect("load nothing from other hosts, and set no cookie", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const { manage } = yield* linksOfMail
        const seen = yield* visit(desk, async (page) => {
          const asked: Array<string> = []
          const said: Array<string> = []
          page.on("request", (made) => asked.push(new URL(made.url()).origin))
          page.on("console", (message) => said.push(message.text()))
          await page.goto(manage)
          await page.getByRole("button").last().click()
          const styled = await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius")
          return { asked: [...new Set(asked)], said, styled, cookies: await page.context().cookies() }
        })
        // The browser requests an icon, which does not exist.
        const complaints = seen.said.filter((text) => !text.includes("404"))
        assert.deepStrictEqual(
          { ...seen, said: complaints },
          { asked: [new URL(caller.url).origin], said: [], styled: "14px", cookies: [] }
        )
      })
    )

    it.effect("a link in the mail leads to its target, and the click counts as a person's", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const to = `clicker-${++readers}@example.org`
        const [id] = yield* send(caller, {
          to,
          from,
          subject: "Link",
          body: `<p><a href="${caller.url}/health?a=1&amp;b=2#c">x</a></p>`
        })
        const { html } = yield* parsed((yield* mailTo(to)).raw)
        const path = /href="https:\/\/posthorn\.example(\/t\/c\/[^"]+)"/.exec(html)?.[1] ?? ""
        yield* Effect.sleep("2 seconds")
        const landed = yield* visit(desk, async (page) => {
          await page.goto(`${caller.url}${path}`)
          return page.url()
        })
        assert.strictEqual(landed, `${caller.url}/health?a=1&b=2#c`)
        const { text } = yield* request(caller, "GET", `/emails/${id}`)
        assert.deepInclude(JSON.parse(text), { status: "CLICKED", clicks: 1 })
      })
    )
  })
})

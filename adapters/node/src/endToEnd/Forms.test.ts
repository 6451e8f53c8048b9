/**
 * Sign-up forms in a browser, with and without script: the page of the service, and pages of other origins.
 * Screenshots are kept in `node_modules/.cache/forms`.
 */
import { createServer } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { languages } from "@posthorn/core/platform/web/Languages"
import { Effect, Layer, Schema } from "effect"
import type { Page } from "playwright-core"
import { eventually } from "../testing/Program.ts"
import { Browser, layer as browser, desk, flawless, looks, tabTo, telephone } from "./testing/Browser.ts"
import { browserProgram } from "./testing/BrowserPresence.ts"
import { succeed } from "./testing/Caller.ts"
import { Shop, shop } from "./testing/Shop.ts"

const pictures = "node_modules/.cache/forms"
const assertFlawless = flawless(pictures)

const Form = Schema.Struct({ id: Schema.String, publicId: Schema.String, spamCount: Schema.Int })
const Snippet = Schema.Struct({ html: Schema.String, script: Schema.String })
const Contacts = Schema.Struct({
  data: Schema.Array(Schema.Struct({ subscribed: Schema.Boolean, data: Schema.Record(Schema.String, Schema.Unknown) }))
})

const everyField = {
  fields: [
    { key: "firstName", label: "First name", type: "text", required: true },
    { key: "age", label: "Years", type: "number" },
    { key: "born", label: "Day of birth", type: "date" },
    { key: "size", label: "Size", type: "select", options: ["S", "M"] },
    { key: "partner", label: "I come with a partner", type: "checkbox" },
    { key: "campaign", label: "Campaign", type: "hidden" }
  ],
  texts: { description: "Once a month.", consentText: "I agree to the terms." },
  consentRequired: true
}

let count = 0

/** A form of the shop, and its page. */
const newForm = Effect.fnUntraced(function* (more: object = {}) {
  const { caller } = yield* Shop
  const form = yield* succeed(201, Form, caller, "POST", "/forms", { name: `Newsletter ${++count}`, ...more })
  return { ...form, page: `${caller.url}/f/${form.publicId}` }
})

const contactOf = Effect.fnUntraced(function* (email: string) {
  const { caller } = yield* Shop
  const { data } = yield* succeed(200, Contacts, caller, "GET", `/contacts?email=${encodeURIComponent(email)}`)
  return data[0]
})

const stored = (email: string) => eventually(contactOf(email), (contact) => contact !== undefined)

/** The snippet of a form, for the server of the test, whose public address is another. */
const snippetOf = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
  const { caller } = yield* Shop
  const { html, script } = yield* succeed(200, Snippet, caller, "GET", `/forms/${id}/snippet`)
  const here = (text: string) => text.replaceAll("https://posthorn.example", caller.url)
  return { html: here(html), script: here(script) }
})

/** A page of another origin, which allows no inline style and no inline script. */
const foreignPage = Effect.fnUntraced(function* (body: string) {
  const { caller } = yield* Shop
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const made = createServer((request, response) => {
            response.setHeader("content-type", "text/html; charset=utf-8")
            response.setHeader(
              "content-security-policy",
              `default-src 'none'; script-src ${caller.url}; connect-src ${caller.url}; form-action ${caller.url}`
            )
            response.end(
              request.url === "/thanks"
                ? "<!doctype html><title>Thanks</title>"
                : `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>${body}</main></html>`
            )
          }).listen(0, "127.0.0.1", () => resolve(made))
        })
    ),
    (made) => Effect.promise(() => new Promise((resolve) => made.close(resolve)))
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
})

const fill = async (page: Page, email: string) => {
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("First name").fill("Ada")
  await page.getByLabel("Years").fill("36")
  await page.getByLabel("Day of birth").fill("1815-12-10")
  await page.getByLabel("Size").selectOption("M")
  await page.getByLabel("I come with a partner").check()
  await page.getByLabel("I agree to the terms.").check()
}

const values = { firstName: "Ada", age: 36, born: "1815-12-10", size: "M", partner: true }

describe.skipIf(browserProgram === undefined)("sign-up forms in a browser", () => {
  layer(Layer.merge(browser, shop), { timeout: "180 seconds", excludeTestServices: true })((it) => {
    it.effect("the page has no layout or accessibility errors, in any look and state", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const topic = { name: "Offers", description: "Now and then.", defaultSubscription: "unsubscribed" }
        yield* succeed(201, Schema.Struct({ id: Schema.String }), caller, "POST", "/topics", topic)
        const form = yield* newForm({ ...everyField, topics: [{ key: "offers", mode: "choice" }] })
        for (const [look, options] of looks) {
          yield* visit(options, async (page) => {
            await page.goto(form.page)
            assert.isFalse(await page.getByLabel("Offers").isChecked())
            await assertFlawless(page, `form-${look}`)
            await page.goto(`${form.page}?lang=de`)
            await page.getByRole("button").click()
            await page.getByRole("alert").waitFor()
            await assertFlawless(page, `faults-${look}`)
          })
        }
      })
    )

    it.effect("the page has no layout or accessibility errors in every language, on a small phone", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const form = yield* newForm(everyField)
        yield* visit(telephone, async (page) => {
          for (const language of languages) {
            await page.goto(`${form.page}?lang=${language}`)
            await assertFlawless(page, `form-${language}`, "light")
          }
        })
      })
    )

    it.effect("with script, one submission is enough, and nothing is asked of other hosts", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const form = yield* newForm(everyField)
        const seen = yield* visit(desk, async (page) => {
          const asked: Array<string> = []
          page.on("request", (made) => asked.push(new URL(made.url()).origin))
          await page.goto(form.page)
          await fill(page, "script@example.org")
          await page.getByRole("button").click()
          const title = await page.getByRole("status").textContent()
          await assertFlawless(page, "done")
          return { title, asked: [...new Set(asked)], cookies: await page.context().cookies() }
        })
        assert.deepStrictEqual(seen, { title: "Thank you", asked: [caller.url], cookies: [] })
        assert.deepInclude(yield* contactOf("script@example.org"), { subscribed: true, data: values })
      })
    )

    it.effect("without script, by the keyboard alone, one more step is needed", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const form = yield* newForm(everyField)
        const titles = yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
          await page.goto(form.page)
          await fill(page, "plain@example.org")
          await tabTo(page, "Subscribe")
          await page.keyboard.press("Enter")
          const step = await page.getByRole("heading", { level: 1, name: "One more step" }).textContent()
          await page.getByRole("button").waitFor({ state: "visible" })
          await tabTo(page, "Send")
          await page.keyboard.press("Enter")
          return [step, await page.getByRole("status").textContent()]
        })
        assert.deepStrictEqual(titles, ["One more step", "Thank you"])
        assert.deepInclude(yield* contactOf("plain@example.org"), { subscribed: true, data: values })
        yield* visit(telephone, async (page) => {
          await page.route("**/forms.js", (route) => route.abort())
          await page.goto(form.page)
          await fill(page, "later@example.org")
          await page.getByRole("button").click()
          await page.getByRole("button", { name: "Send" }).waitFor({ state: "visible" })
          await assertFlawless(page, "step")
        })
        assert.isUndefined(yield* contactOf("later@example.org"))
      })
    )

    it.effect("the snippet works on a page of another origin, with and without script", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const form = yield* newForm(everyField)
        const { html, script } = yield* snippetOf(form)
        const both = yield* foreignPage(html + script)
        const inPlace = yield* visit(desk, async (page) => {
          await page.goto(both)
          await fill(page, "in-place@example.org")
          await page.getByRole("button").click()
          return {
            said: await page.getByRole("status").textContent(),
            url: page.url(),
            forms: await page.locator("form").count()
          }
        })
        assert.match(inPlace.said ?? "", /^Your details have been received\./)
        assert.deepStrictEqual([inPlace.url, inPlace.forms], [`${both}/`, 1])
        assert.deepInclude(yield* contactOf("in-place@example.org"), { subscribed: true, data: values })
        const plain = yield* visit({ ...desk, javaScriptEnabled: false }, async (page) => {
          await page.goto(both)
          await fill(page, "no-script@example.org")
          await page.getByRole("button").click()
          const step = await page.getByRole("heading", { level: 1 }).textContent()
          await page.getByRole("button").waitFor({ state: "visible" })
          await page.getByRole("button").click()
          return [step, await page.getByRole("status").textContent()]
        })
        assert.deepStrictEqual(plain, ["One more step", "Thank you"])
        assert.deepInclude(yield* contactOf("no-script@example.org"), { data: values })
      })
    )

    it.effect(
      "the script alone shows the form where it stands, shows faults at their fields, and follows the redirect",
      () =>
        Effect.gen(function* () {
          const { visit } = yield* Browser
          const form = yield* newForm({
            ...everyField,
            consentRequired: false,
            redirectUrl: "https://shop.example/thanks",
            translations: { de: { title: "Unser Brief" } }
          })
          const { script } = yield* snippetOf(form)
          const address = yield* foreignPage(script)
          const seen = yield* visit(desk, async (page) => {
            await page.route("https://shop.example/**", (route) =>
              route.fulfill({ contentType: "text/html", body: "<title>Thanks</title>" })
            )
            await page.goto(address)
            await page.getByRole("heading", { level: 2 }).waitFor()
            await page.evaluate("document.querySelector('form').noValidate = true")
            await page.getByLabel("Email address").fill("nobody@")
            await page.getByRole("button").click()
            await page.getByText("This is not a valid email address.").waitFor()
            const focused = await page.evaluate("document.activeElement.name")
            const faulty = await page.locator("[aria-invalid]").count()
            await page.getByLabel("Email address").fill("rendered@example.org")
            await page.getByLabel("First name").fill("Ada")
            await page.getByRole("button").click()
            await page.waitForURL("https://shop.example/thanks")
            return { focused, faulty }
          })
          assert.deepStrictEqual(seen, { focused: "email", faulty: 2 })
          assert.deepInclude(yield* stored("rendered@example.org"), { subscribed: true, data: { firstName: "Ada" } })
          const german = yield* visit({ ...desk, locale: "de-DE" }, async (page) => {
            await page.goto(`${form.page}`)
            return page.getByRole("heading", { level: 1 }).textContent()
          })
          assert.strictEqual(german, "Unser Brief")
        })
    )

    it.effect("a page of an origin that is not listed sends nothing", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const form = yield* newForm({ allowedOrigins: ["https://shop.example"], requireTicket: false })
        const { html, script } = yield* snippetOf(form)
        for (const javaScriptEnabled of [true, false]) {
          const address = yield* foreignPage(html + script)
          yield* visit({ ...desk, javaScriptEnabled }, async (page) => {
            await page.goto(address)
            await page.getByLabel("Email address").fill("foreign@example.org")
            await page.getByRole("button").click()
            await page.getByText("This form cannot be sent from there").waitFor()
          })
        }
        assert.isUndefined(yield* contactOf("foreign@example.org"))
      })
    )
  })
})

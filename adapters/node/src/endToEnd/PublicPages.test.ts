import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { languages } from "@posthorn/core/platform/web/Languages"
import { Effect, Layer, Schema } from "effect"
import { postJson } from "../testing/ApiCall.ts"
import { eventually } from "../testing/Program.ts"
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
const Token = Schema.Struct({ token: Schema.String })
const Contact = Schema.Struct({
  subscribed: Schema.Boolean,
  topics: Schema.Record(Schema.String, Schema.String),
  snoozedUntil: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Schema.String)
})
const Contacts = Schema.Struct({ data: Schema.Array(Contact) })

/** A window of 1280 by 1024 pixels at 400 %. */
const window = { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }
const zoomed = [["zoomed", window]] as const

/** Topics of the project of this test. Without them, its page asks one question. */
const addTopics = Effect.gen(function* () {
  const { caller } = yield* Shop
  for (const [key, defaultSubscription] of [
    ["news", "subscribed"],
    ["tips", "unsubscribed"]
  ]) {
    yield* succeed(201, Id, caller, "POST", "/topics", {
      key,
      name: `The ${key} of the shop`,
      description: "Once a month, what is new and what comes next.",
      defaultSubscription
    })
  }
})

/** A site on an origin of its own, whose page frames the URL of its query. Returns the origin. */
const embedder = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const site = createServer((request, response) => {
        const url = new URL(request.url ?? "/", "http://site").searchParams.get("url") ?? ""
        response.setHeader("content-type", "text/html").end(`<iframe src="${url}" width="600" height="600"></iframe>`)
      })
      await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
      return site
    }),
    (site) => Effect.sync(() => site.close())
  ),
  (site) => `http://127.0.0.1:${(site.address() as AddressInfo).port}`
)

const setPages = (pages: object) =>
  Effect.gen(function* () {
    const { caller } = yield* Shop
    yield* succeed(200, Schema.Unknown, caller, "PATCH", "/settings/audience", { pages })
  })

let readers = 0

/** The links of a marketing email as the recipient got it, on the running server. */
const linksOf = Effect.fnUntraced(function* (more: object) {
  const { caller } = yield* Shop
  const to = `reader-${++readers}@example.org`
  const template = yield* succeed(201, Id, caller, "POST", "/templates", {
    name: `News ${readers}`,
    subject: "News",
    body: '<p>News</p><a href="{{subscribeUrl}}">s</a> <a href="{{manageUrl}}">m</a> <a href="{{unsubscribeUrl}}">u</a>',
    from,
    type: "MARKETING"
  })
  yield* send(caller, { to, template: template.id, subscribed: true, ...more })
  const { html } = yield* parsed((yield* mailTo(to)).raw)
  const link = (purpose: string) => {
    const path = new RegExp(`https://posthorn\\.example(/${purpose}/[^"]+)"`).exec(html)?.[1] ?? ""
    assert.notStrictEqual(path, "", purpose)
    return `${caller.url}${path}`
  }
  const contact = Effect.map(
    succeed(200, Contacts, caller, "GET", `/contacts?search=${encodeURIComponent(to)}`),
    ({ data }) => data[0]
  )
  const isSubscribed = Effect.map(contact, (found) => found?.subscribed)
  return {
    to,
    contact,
    isSubscribed,
    unsubscribe: link("unsubscribe"),
    subscribe: link("subscribe"),
    manage: link("manage")
  }
})
const linksOfMail = linksOf({})

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

/** A sent campaign in the public archive. Returns its path. */
const archived = Effect.fnUntraced(function* (body: string) {
  const { caller } = yield* Shop
  yield* succeed(201, Schema.Unknown, caller, "POST", "/contacts", { email: "archive@example.org" })
  const { data } = yield* succeed(201, Schema.Struct({ data: Id }), caller, "POST", "/campaigns", {
    name: "Autumn",
    subject: "Autumn news",
    body,
    from,
    audienceType: "ALL",
    archive: true
  })
  yield* succeed(200, Schema.Unknown, caller, "POST", `/campaigns/${data.id}/send`, {})
  const State = Schema.Struct({ data: Schema.Struct({ status: Schema.String, archiveUrl: Schema.String }) })
  const sent = yield* eventually(
    succeed(200, State, caller, "GET", `/campaigns/${data.id}`),
    (found) => found.data.status === "SENT"
  )
  return new URL(sent.data.archiveUrl).pathname
})

describe.skipIf(browserProgram === undefined)("the public pages in a browser", () => {
  layer(Layer.merge(browser, shop), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect("show an archived campaign without its scripts and forms, and the list without errors", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const path = yield* archived(
          `<h1>Autumn</h1><script>document.title = "ran"; document.cookie = "a=b"</script>
           <img src="x" onerror="document.title = 'ran'"><a href="javascript:document.title='ran'">Press</a>`
        )
        yield* visit(desk, async (page) => {
          await page.goto(`${caller.url}${path.replace(/\/[^/]+$/, "")}`)
          await assertFlawless(page, "archive")
          await page.getByRole("link", { name: "Autumn news" }).click()
          await page.getByRole("heading", { name: "Autumn" }).waitFor()
          await page.getByText("Press").click()
          await page.waitForTimeout(200)
          assert.notStrictEqual(await page.title(), "ran")
          assert.strictEqual(await page.evaluate("window.origin"), "null")
        })
      })
    )

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
        yield* visit(telephone, async (page) => {
          for (const language of languages) {
            await page.goto(`${subscribe}?lang=${language}`)
            await assertFlawless(page, `subscribe-${language}`, "light")
            await page.goto(`${manage}?lang=${language}`)
            await assertFlawless(page, `manage-${language}`, "light")
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
          const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
          await page.keyboard.press("Enter")
          const status = await page.getByRole("status").textContent()
          await tabTo(page, "Subscribe again")
          await page.keyboard.press("Enter")
          const asked = await page.getByRole("heading", { level: 1, name: "Subscribe", exact: true }).textContent()
          await tabTo(page, "Deutsch")
          await page.keyboard.press("Enter")
          const german = await page.getByRole("heading", { level: 1, name: "Abonnieren", exact: true }).textContent()
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

    it.effect("the preferences have no errors on any screen, in any language and colour, with faults and without", () =>
      Effect.gen(function* () {
        yield* addTopics
        const { visit } = yield* Browser
        const { manage } = yield* linksOfMail
        for (const color of [null, "#ffee00", "#101828"]) {
          yield* setPages({
            color,
            websiteUrl: "https://acme.example/",
            privacyUrl: "https://acme.example/privacy",
            imprintUrl: "https://acme.example/imprint"
          })
          // Colours do not depend on the width.
          const wide = looks.filter(([look]) => look === "desk")
          for (const [look, options] of color === null ? [...looks, ...zoomed] : wide) {
            yield* visit(options, async (page) => {
              await page.goto(manage)
              await assertFlawless(page, `preferences-${color}-${look}`)
              await page.getByLabel("Until a date").check()
              await page.getByRole("button", { name: "Save" }).click()
              await page.getByRole("alert").waitFor()
              await assertFlawless(page, `preferences-fault-${color}-${look}`)
              await page.getByLabel("For 30 days").check()
              await page.getByRole("button", { name: "Save" }).click()
              await page.getByRole("status").waitFor()
              await assertFlawless(page, `preferences-saved-${color}-${look}`)
            })
          }
        }
        yield* visit(telephone, async (page) => {
          for (const language of languages) {
            await page.goto(`${manage}?lang=${language}`)
            await assertFlawless(page, `preferences-${language}`, "light")
          }
        })
        yield* setPages({ color: null, websiteUrl: null, privacyUrl: null, imprintUrl: null })
      })
    )

    it.effect("every preference is set with the keyboard alone and without JavaScript", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { contact, manage } = yield* linksOfMail
        const status = yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
          await page.goto(manage)
          const tab = async (selector: string) => {
            for (let n = 0; n < 30; n++) {
              await page.keyboard.press("Tab")
              if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
            }
            assert.fail(`The keyboard does not reach ${selector}`)
          }
          await tab('[name="topic"][value="news"]')
          await page.keyboard.press("Space")
          await tab('[name="topic"][value="tips"]')
          await page.keyboard.press("Space")
          await tab('[name="snooze"][value=""]')
          await page.keyboard.press("ArrowDown")
          await page.keyboard.press("ArrowDown")
          await tab("#until")
          await tab("#locale")
          await page.keyboard.type("Nederlands")
          await tab('[value="save"]')
          await page.keyboard.press("Enter")
          return page.getByRole("status").textContent()
        })
        assert.strictEqual(status, "Uw voorkeuren zijn opgeslagen.")
        const found = yield* contact
        assert.deepInclude(found, { subscribed: true, locale: "nl" })
        assert.deepStrictEqual(found?.topics, { news: "unsubscribed", tips: "subscribed" })
        const days = (Date.parse(found?.snoozedUntil ?? "") - Date.now()) / 86_400_000
        assert.isTrue(days > 59 && days <= 60, String(days))
        yield* visit({ ...desk, javaScriptEnabled: false }, async (page) => {
          await page.goto(`${manage}?lang=en`)
          await tabTo(page, "Unsubscribe from everything")
          await page.keyboard.press("Enter")
          await page.getByRole("status").waitFor()
        })
        assert.isFalse((yield* contact)?.subscribed)
      })
    )

    it.effect("take what people ask about their data, with the keyboard alone and without JavaScript", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const setSelfService = (selfService: object) =>
          succeed(200, Schema.Unknown, caller, "PATCH", "/settings/audience", { selfService })
        yield* setSelfService({ export: true, erasure: "automatic" })
        const { id } = yield* succeed(201, Id, caller, "POST", "/contacts", { email: `asks-${++readers}@example.org` })
        const { token } = yield* succeed(200, Token, caller, "GET", `/contacts/${id}/links`)
        const manage = `${caller.url}/manage/${token}`
        for (const button of ["Send me my data", "Delete my data"]) {
          yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
            await page.goto(manage)
            await tabTo(page, button)
            await page.keyboard.press("Enter")
            await page.getByRole("status").getByText("Check your inbox").waitFor()
          })
        }
        yield* visit({ ...telephone, colorScheme: "light" }, async (page) => {
          await page.goto(manage)
          await assertFlawless(page, "privacy-manage")
        })
        yield* setSelfService({ export: false, erasure: "off" })
      })
    )

    it.effect("the link of a mail about data speaks every language, and acts by its button without JavaScript", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const setErasure = (erasure: string) =>
          succeed(200, Schema.Unknown, caller, "PATCH", "/settings/audience", { selfService: { erasure } })
        yield* setErasure("automatic")
        const email = `erased-${++readers}@example.org`
        const { id } = yield* succeed(201, Id, caller, "POST", "/contacts", { email })
        const { token } = yield* succeed(200, Token, caller, "GET", `/contacts/${id}/links`)
        yield* postJson(`${caller.url}/public/preferences/${token}/requests`, { type: "ERASURE" })
        const { text } = yield* parsed((yield* mailTo(email)).raw)
        const path = /https:\/\/posthorn\.example(\/privacy\/[\w-]+)/.exec(text)?.[1] ?? ""
        assert.notStrictEqual(path, "", text)
        const found = Effect.map(request(caller, "GET", `/contacts/${id}`), ({ status }) => status)
        const shown = yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
          const seen: Array<readonly [string | null, string | null]> = []
          for (const language of languages) {
            await page.goto(`${caller.url}${path}?lang=${language}`)
            const button = page.getByRole("button")
            seen.push([await page.locator("html").getAttribute("lang"), await button.textContent()])
          }
          return seen
        })
        assert.deepStrictEqual(
          shown.map(([language]) => language),
          [...languages]
        )
        assert.strictEqual(new Set(shown.map(([, button]) => button)).size, languages.length)
        assert.strictEqual(yield* found, 200)
        yield* visit(telephone, async (page) => {
          await page.goto(`${caller.url}${path}`)
          await assertFlawless(page, "privacy-link")
        })
        yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
          await page.goto(`${caller.url}${path}?lang=en`)
          await tabTo(page, "Yes, delete my data")
          await page.keyboard.press("Enter")
          await page.getByText("Your data has been deleted.").waitFor()
        })
        assert.strictEqual(yield* found, 404)
        yield* setErasure("off")
      })
    )

    it.effect("the link of a confirmation mail speaks every language, and acts by its buttons without JavaScript", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        yield* succeed(200, Schema.Unknown, caller, "PATCH", "/settings/audience", { doubleOptIn: { from } })
        /** A contact that is asked, and the path of its link. */
        const asked = Effect.gen(function* () {
          const email = `asked-${++readers}@example.org`
          const body = { email, subscribed: false }
          const { id } = yield* succeed(201, Id, caller, "POST", "/contacts", body)
          yield* succeed(202, Id, caller, "POST", `/contacts/${id}/opt-in`, {})
          const { text } = yield* parsed((yield* mailTo(email)).raw)
          const path = /https:\/\/posthorn\.example(\/confirm\/[\w-]+)/.exec(text)?.[1] ?? ""
          assert.notStrictEqual(path, "", text)
          return {
            path,
            subscribed: Effect.map(succeed(200, Contact, caller, "GET", `/contacts/${id}`), (found) => found.subscribed)
          }
        })
        const { path, subscribed } = yield* asked
        const shown = yield* visit(telephone, async (page) => {
          const seen: Array<readonly [string | null, string | null]> = []
          for (const language of languages) {
            await page.goto(`${caller.url}${path}?lang=${language}`)
            await assertFlawless(page, `confirm-${language}`, "light")
            seen.push([
              await page.locator("html").getAttribute("lang"),
              await page.getByRole("button").first().textContent()
            ])
          }
          return seen
        })
        assert.deepStrictEqual(
          shown.map(([language]) => language),
          [...languages]
        )
        assert.strictEqual(new Set(shown.map(([, button]) => button)).size, languages.length)
        assert.isFalse(yield* subscribed)
        const press = (link: string, field: string, language: string) =>
          visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
            await page.goto(`${caller.url}${link}?lang=${language}`)
            const name = (await page.locator(`button[name="${field}"]`).textContent()) ?? ""
            await tabTo(page, name.trim())
            await page.keyboard.press("Enter")
            await page.getByRole("status").waitFor()
          })
        yield* press(path, "confirm", "de")
        assert.isTrue(yield* subscribed)
        const refused = yield* asked
        yield* press(refused.path, "decline", "fr")
        assert.isFalse(yield* refused.subscribed)
        yield* visit(telephone, async (page) => {
          for (const [name, link] of [
            ["confirmed", path],
            ["declined", refused.path]
          ] as const) {
            await page.goto(`${caller.url}${link}`)
            await assertFlawless(page, name)
          }
        })
      })
    )

    it.effect("the page of a topic has no errors in any language, and leaves the topic without JavaScript", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { caller } = yield* Shop
        const key = `topic-${++readers}`
        const topic = { key, name: "Weekly letters", defaultSubscription: "subscribed" }
        yield* succeed(201, Id, caller, "POST", "/topics", topic)
        const { contact, unsubscribe } = yield* linksOf({ topic: key })
        yield* visit(telephone, async (page) => {
          for (const language of languages) {
            await page.goto(`${unsubscribe}?lang=${language}`)
            assert.strictEqual(await page.getByRole("button").count(), 2, language)
            await assertFlawless(page, `topic-${language}`, "light")
          }
        })
        yield* visit({ ...telephone, javaScriptEnabled: false }, async (page) => {
          await page.goto(`${unsubscribe}?lang=en`)
          const name = (await page.getByRole("button").first().textContent()) ?? ""
          await tabTo(page, name.trim())
          await page.keyboard.press("Enter")
          await page.getByRole("status").waitFor()
        })
        yield* visit(telephone, async (page) => {
          await page.goto(unsubscribe)
          await assertFlawless(page, "topic-left", "light")
        })
        const found = yield* contact
        assert.deepStrictEqual([found?.subscribed, found?.topics[key]], [true, "unsubscribed"])
      })
    )

    it.effect("only origins of the project may frame the preferences", () =>
      Effect.gen(function* () {
        const { visit } = yield* Browser
        const { manage, unsubscribe } = yield* linksOfMail
        const listed = yield* embedder
        const other = yield* embedder
        yield* setPages({ embedOrigins: [listed] })
        const framed = (origin: string, url: string) =>
          visit(desk, async (page) => {
            await page.goto(`${origin}/?${new URLSearchParams({ url })}`, { waitUntil: "load" })
            const frame = page.frames().find((frame) => frame !== page.mainFrame())
            return await frame?.locator(".card").count()
          })
        assert.strictEqual(yield* framed(listed, manage), 1)
        assert.strictEqual(yield* framed(other, manage), 0)
        assert.strictEqual(yield* framed(listed, unsubscribe), 0)
        yield* setPages({ embedOrigins: [] })
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

import { assert, describe, it, layer } from "@effect/vitest"
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Array, DateTime, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { PublicLinks, type Purpose, purposes } from "../../platform/links/PublicLinks.ts"
import { languages } from "../../platform/web/Languages.ts"
import { masked } from "../../platform/web/PageHtml.ts"
import { acceptedLanguages } from "../../platform/web/PageRequest.ts"
import { pageWords } from "../../platform/web/PageWords.ts"
import { project } from "../../testing/Services.ts"
import { send, Wire, wire } from "../../testing/TestClient.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import * as PagesHttp from "./PagesHttp.ts"
import { preferenceWords } from "./PreferenceWords.ts"

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

/** Requests a page as a browser or a mailbox provider does, without a key. */
const visit = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const handler = yield* Wire
  const response = yield* Effect.promise(() => handler(new Request(`http://posthorn${path}`, init)))
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, text }
})

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit(path, { method: "POST", body: new URLSearchParams(fields), headers })

const oneClick = { "List-Unsubscribe": "One-Click" }

interface Recipient {
  readonly contact: ContactId
  readonly email: EmailId
  readonly address: string
}

let people = 0

/** A recipient of a mail, and the links in that mail. */
const recipient = Effect.fnUntraced(function* (more: Record<string, unknown> = {}) {
  const address = `reader-${++people}@example.com`
  const { status, body } = yield* send("POST", "/v1/send", {
    to: address,
    from: "hi@verified.test",
    subject: "News",
    body: "<p>News</p>",
    subscribed: true,
    ...more
  })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const [{ contact, email }] = body.data.emails
  return { contact: contact.id, email, address } as Recipient
})

const pathOf = (purpose: Purpose, { contact, email }: Recipient) =>
  Effect.map(
    PublicLinks.use((links) => links.token(purpose, { project, contact, email })),
    (token) => `/${purpose}/${token}`
  )

const isSubscribed = ({ contact }: Recipient) =>
  Effect.map(send("GET", `/contacts/${contact}`), ({ body }) => Boolean(body.subscribed))

const eventsOf = ({ contact }: Recipient) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select name, email_id, data from events where contact_id = ${contact} order by created_at, id`
  )

const markOf = ({ email }: Recipient) =>
  Effect.map(
    SqlClient.SqlClient.use((sql) => sql`select unsubscribed_at as mark from emails where id = ${email}`),
    ([row]) => row?.["mark"]
  )

layer(Layer.provideMerge(senderDomain, wire), { timeout: "60 seconds", excludeTestServices: false })(
  "The public pages",
  (it) => {
    it.effect.each(purposes)("%s: GET and HEAD return a page and change nothing, for any client", (purpose) =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf(purpose, reader)
        for (const init of [
          {},
          { method: "HEAD" },
          { headers: { "user-agent": "Barracuda Sentinel (EE)" } },
          { headers: { "sec-purpose": "prefetch", range: "bytes=0-10" } }
        ]) {
          const { status, headers } = yield* visit(
            `${path}?confirm=1&subscribed=false&List-Unsubscribe=One-Click`,
            init
          )
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        }
        assert.isTrue(yield* isSubscribed(reader))
        assert.deepStrictEqual(yield* eventsOf(reader), [])
      })
    )

    it.effect("every response has its security headers and no cookie", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        const answers = [
          yield* visit(path),
          yield* post(path, {}),
          yield* post(path, oneClick),
          yield* visit("/manage/x")
        ]
        for (const { headers } of answers) {
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
          assert.strictEqual(headers.get("x-robots-tag"), "noindex")
          assert.strictEqual(
            headers.get("content-security-policy"),
            "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
          )
          assert.isNull(headers.get("set-cookie"))
          assert.isNull(headers.get("ratelimit-limit"))
        }
      })
    )

    it.effect(
      "RFC 8058: one-click POST unsubscribes, urlencoded or multipart, without a redirect, and may repeat",
      () =>
        Effect.gen(function* () {
          const multipart = new FormData()
          multipart.set("List-Unsubscribe", "One-Click")
          for (const body of [new URLSearchParams(oneClick), multipart]) {
            const reader = yield* recipient()
            const path = yield* pathOf("unsubscribe", reader)
            for (let n = 0; n < 3; n++) {
              const { status, headers, text } = yield* visit(path, { method: "POST", body })
              assert.deepStrictEqual([status, text], [200, "Unsubscribed"])
              assert.strictEqual(headers.get("content-type"), "text/plain; charset=utf-8")
            }
            assert.isFalse(yield* isSubscribed(reader))
            assert.deepStrictEqual(yield* eventsOf(reader), [
              {
                name: "contact.unsubscribed",
                email_id: reader.email,
                data: { reason: "one_click", emailId: reader.email }
              }
            ])
          }
        })
    )

    it.effect("the button unsubscribes and marks the mail once; the undo link subscribes", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        const asked = yield* visit(path)
        assert.match(asked.text, /<input type="hidden" name="confirm" value="1">/)
        assert.strictEqual([...asked.text.matchAll(/<button/g)].length, 1)
        const done = yield* post(path, { confirm: "1" })
        assert.strictEqual(done.status, 200)
        assert.include(done.text, `role="status"><h1>${pageWords.en.unsubscribe.done}</h1>`)
        assert.isFalse(yield* isSubscribed(reader))
        const mark = yield* markOf(reader)
        assert.instanceOf(mark, Date)
        const back = /href="(\/subscribe\/[^"]+)"/.exec(done.text)?.[1] ?? ""
        yield* TestClock.adjust("1 minute")
        const again = yield* post(back, { confirm: "1" })
        assert.include(again.text, pageWords.en.subscribe.done)
        assert.isTrue(yield* isSubscribed(reader))
        yield* TestClock.adjust("1 minute")
        yield* post(path, { confirm: "1" })
        assert.deepStrictEqual(yield* markOf(reader), mark)
        const events = yield* eventsOf(reader)
        assert.deepStrictEqual(
          events.map(({ name, data }) => [name, data]),
          ["contact.unsubscribed", "contact.subscribed", "contact.unsubscribed"].map((name) => [
            name,
            { reason: "page", emailId: reader.email }
          ])
        )
        const { body } = yield* send("GET", `/emails/${reader.email}`)
        assert.include(
          body.timeline.map(({ type }: { type: string }) => type),
          "unsubscribed"
        )
      })
    )

    it.effect("twenty concurrent clicks make one change with one event", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        yield* Effect.replicateEffect(post(path, oneClick), 20, { concurrency: "unbounded" })
        assert.strictEqual((yield* eventsOf(reader)).length, 1)
      })
    )

    it.effect("manage sets the chosen subscription", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("manage", reader)
        assert.strictEqual([...(yield* visit(path)).text.matchAll(/<button/g)].length, 3)
        for (const subscribed of [false, true, true]) {
          const { status, text } = yield* post(path, { subscribed: String(subscribed) })
          assert.strictEqual(status, 200)
          assert.include(text, pageWords.en[subscribed ? "subscribe" : "unsubscribe"].done)
          assert.strictEqual(yield* isSubscribed(reader), subscribed)
        }
      })
    )

    it.effect.each([
      ["unsubscribe", {}],
      ["unsubscribe", { confirm: "0" }],
      ["unsubscribe", { confirm: "yes" }],
      ["unsubscribe", { subscribed: "false" }],
      ["unsubscribe", { "List-Unsubscribe": "one-click" }],
      ["subscribe", oneClick],
      ["subscribe", { subscribed: "true" }],
      ["manage", { confirm: "1" }],
      ["manage", oneClick],
      ["manage", { subscribed: "no" }]
    ] as const)("POST to %s with %j shows the form again and changes nothing", ([purpose, fields]) =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf(purpose, reader)
        const { status, text } = yield* post(path, fields)
        assert.strictEqual(status, 200)
        assert.include(text, pageWords.en[purpose].title)
        assert.notInclude(text, 'role="status"')
        assert.isTrue(yield* isSubscribed(reader))
      })
    )

    it.effect("a body that is not a form or is too long shows the form again", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        for (const [contentType, body] of [
          ["application/json", '{"confirm":"1"}'],
          ["text/plain", "List-Unsubscribe=One-Click"],
          ["multipart/form-data", "List-Unsubscribe=One-Click"],
          ["multipart/form-data; boundary=x", "--x\r\nnonsense"],
          ["application/x-www-form-urlencoded", `${"x".repeat(70_000)}&confirm=1`]
        ] as const) {
          const { status } = yield* visit(path, { method: "POST", body, headers: { "content-type": contentType } })
          assert.strictEqual(status, 200, contentType)
          assert.isTrue(yield* isSubscribed(reader), contentType)
        }
      })
    )

    it.effect("a modified token, or one for another purpose, gets a 404 page and changes nothing", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        for (const purpose of purposes) {
          const path = yield* pathOf(purpose, reader)
          const token = path.slice(purpose.length + 2)
          const others = purposes.filter((other) => other !== purpose).map((other) => `/${other}/${token}`)
          const flipped = [0, 3, 20, token.indexOf(".") + 1, token.length - 1].map(
            (at) => `/${purpose}/${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`
          )
          for (const bad of [...others, ...flipped, `/${purpose}/${"x".repeat(2_000)}`, `${path}x`, `/${purpose}/..`]) {
            const answers = [yield* visit(bad), yield* post(bad, { ...oneClick, confirm: "1", subscribed: "false" })]
            for (const { status } of answers) assert.strictEqual(status, 404, bad)
          }
          const { text, headers } = yield* visit(others[0] ?? "")
          assert.include(text, pageWords.en.notFound.title)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
        }
        assert.isTrue(yield* isSubscribed(reader))
      })
    )

    it.effect("for a deleted contact the page says there is nothing to do, and one-click still answers 200", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const paths = yield* Effect.forEach(purposes, (purpose) => pathOf(purpose, reader))
        yield* send("DELETE", `/contacts/${reader.contact}`)
        for (const path of paths) {
          const answers = [yield* visit(path), yield* post(path, { confirm: "1", subscribed: "true" })]
          for (const { status, text } of answers) {
            assert.strictEqual(status, 200)
            assert.include(text, pageWords.en.nothing.title)
          }
        }
        const { status, text } = yield* post(paths[0] ?? "", oneClick)
        assert.deepStrictEqual([status, text], [200, "Unsubscribed"])
      })
    )

    it.effect("a link with ids of another project gets 404", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const other = yield* Projects.use((projects) => projects.create("Other"))
        const token = yield* PublicLinks.use((links) =>
          links.token("unsubscribe", { project: other.project.id, contact: reader.contact, email: reader.email })
        )
        const { text } = yield* post(`/unsubscribe/${token}`, { confirm: "1" })
        assert.include(text, pageWords.en.nothing.title)
        assert.isTrue(yield* isSubscribed(reader))
      })
    )

    it.effect("pages work while the project is disabled", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        yield* TestClock.withLive(Projects.use((projects) => projects.disable(project, "MANUAL")))
        const { text } = yield* post(path, { confirm: "1" })
        yield* TestClock.withLive(Projects.use((projects) => projects.enable(project)))
        assert.include(text, pageWords.en.unsubscribe.done)
        assert.isFalse(yield* isSubscribed(reader))
      })
    )

    it.effect("pages say there is nothing to do once the project is deleted", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("unsubscribe", reader)
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set deleted_at = now() where id = ${project}`)
        const { text } = yield* post(path, { confirm: "1" })
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set deleted_at = null where id = ${project}`)
        assert.include(text, pageWords.en.nothing.title)
        assert.isTrue(yield* isSubscribed(reader))
      })
    )

    it.effect("the links of a test mail change nothing", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        yield* SqlClient.SqlClient.use((sql) => sql`update emails set test = true where id = ${reader.email}`)
        assert.strictEqual((yield* post(yield* pathOf("unsubscribe", reader), oneClick)).text, "Unsubscribed")
        yield* post(yield* pathOf("manage", reader), { subscribed: "false" })
        assert.isTrue(yield* isSubscribed(reader))
      })
    )

    it.effect("unsubscribing from campaign mail records an event with the campaign", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const campaign = "019a0000-0000-7000-8000-00000000ca4e"
        yield* SqlClient.SqlClient.use(
          (sql) => sql`update emails set campaign_id = ${campaign} where id = ${reader.email}`
        )
        yield* post(yield* pathOf("unsubscribe", reader), oneClick)
        const [event] = yield* eventsOf(reader)
        assert.deepStrictEqual(event?.["data"], {
          reason: "one_click",
          emailId: reader.email,
          campaignId: campaign
        })
      })
    )

    it.effect("subscribing does not remove a suppression, and the page says so", () =>
      Effect.gen(function* () {
        const reader = yield* recipient()
        const path = yield* pathOf("subscribe", reader)
        const now = yield* DateTime.now
        yield* Suppressions.use((list) => list.add(project, reader.address, "COMPLAINT", null, now))
        assert.include((yield* visit(path)).text, pageWords.en.isBlocked)
        assert.include((yield* post(path, { confirm: "1" })).text, pageWords.en.isBlocked)
        const again = yield* send("POST", "/v1/send", {
          to: reader.address,
          from: "hi@verified.test",
          subject: "News",
          body: "x"
        })
        assert.strictEqual(again.body.data.emails[0].status, "SUPPRESSED")
        // The list keeps a hash of an erased address, which may come back.
        yield* send("POST", `/contacts/${reader.contact}/erase`)
        const back = yield* send("POST", "/contacts", { email: reader.address })
        const { body: links } = yield* send("GET", `/contacts/${back.body.id}/links`)
        assert.include((yield* visit(new URL(links.subscribeUrl).pathname)).text, pageWords.en.isBlocked)
      })
    )

    it.effect("a page shows the project, the masked address, escaped text and no remote content", () =>
      Effect.gen(function* () {
        yield* SqlClient.SqlClient.use(
          (sql) => sql`update projects set name = ${'<b>"Smith" & Sons</b>'} where id = ${project}`
        )
        const reader = yield* recipient()
        const { text } = yield* visit(yield* pathOf("manage", reader))
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set name = 'Example' where id = ${project}`)
        assert.include(text, "r***@example.com")
        assert.notInclude(text, reader.address)
        assert.include(text, "&lt;b&gt;&quot;Smith&quot; &amp; Sons&lt;/b&gt;")
        assert.notMatch(text, /<script|<b>|style=|https?:|src=|onclick/)
        assert.match(text, /<link rel="stylesheet" href="\/pages\.css">/)
        assert.match(text, /<html lang="en">/)
        assert.strictEqual([...text.matchAll(/<h1/g)].length, 1)
      })
    )

    it.effect("the stylesheet is served", () =>
      Effect.gen(function* () {
        const { status, headers, text } = yield* visit("/pages.css")
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "text/css; charset=utf-8")
        assert.include(text, "prefers-color-scheme: dark")
        assert.notMatch(text, /url\(|@import/)
      })
    )

    it.effect("one client address gets 600 requests a minute, and no more", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Layer.Success<typeof wire>>()
        const seenFrom = HttpRouter.middleware(
          (app) =>
            Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) =>
              request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers["x-address"]) })
            ),
          { global: true }
        )
        const routes = Layer.mergeAll(PagesHttp.layer, seenFrom).pipe(Layer.provide(Layer.succeedContext(context)))
        const web = yield* Effect.acquireRelease(
          Effect.sync(() => HttpRouter.toWebHandler(routes, { disableLogger: true })),
          ({ dispose }) => Effect.promise(dispose)
        )
        const ask = (address: string, init: RequestInit = {}) =>
          Effect.promise(() =>
            web.handler(new Request("http://posthorn/unsubscribe/x", { ...init, headers: { "x-address": address } }))
          )
        const statuses = yield* Effect.forEach(Array.range(1, 600), () => ask("192.0.2.1"))
        assert.deepStrictEqual([...new Set(statuses.map(({ status }) => status))], [404])
        for (const init of [{}, { method: "POST" }]) {
          const refused = yield* ask("192.0.2.1", init)
          assert.strictEqual(refused.status, 429)
          assert.strictEqual(refused.headers.get("retry-after"), "60")
          assert.include(yield* Effect.promise(() => refused.text()), pageWords.en.busy.title)
        }
        assert.strictEqual((yield* ask("192.0.2.2")).status, 404)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* ask("192.0.2.1")).status, 404)
      })
    )

    it.effect("the language is the requested one, else that of the contact, the project or the browser", () =>
      Effect.gen(function* () {
        const languageOf = (path: string, accept = "") =>
          Effect.map(
            visit(path, { headers: { "accept-language": accept } }),
            ({ text }) => /<html lang="([^"]+)"/.exec(text)?.[1]
          )
        const french = yield* pathOf("manage", yield* recipient({ data: { locale: "fr-CA" } }))
        assert.strictEqual(yield* languageOf(french, "ja"), "fr")
        assert.strictEqual(yield* languageOf(`${french}?lang=zh`), "zh-CN")
        assert.strictEqual(yield* languageOf(`${french}?lang=de-AT`), "de")
        assert.strictEqual(yield* languageOf(`${french}?lang=tlh`), "fr")
        const plain = yield* pathOf("manage", yield* recipient({ data: { locale: "sv" } }))
        assert.strictEqual(yield* languageOf(plain, "nl"), "en")
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set language = 'sv' where id = ${project}`)
        assert.strictEqual(yield* languageOf(plain, "da, nl;q=0.5, pl;q=0.7"), "pl")
        yield* SqlClient.SqlClient.use((sql) => sql`update projects set language = 'en' where id = ${project}`)
        assert.strictEqual(yield* languageOf("/unsubscribe/x", "es-MX"), "es")
        for (const language of languages) {
          const { text } = yield* visit(`${french}?lang=${language}`)
          assert.include(text, `<html lang="${language}">`)
          for (const other of languages) assert.include(text, `href="?lang=${other}" lang="${other}"`)
        }
      })
    )
  }
)

describe("the words", () => {
  it.each(languages.filter((language) => language !== "en"))("of %s are its own", (language) => {
    const said = (words: object): ReadonlyArray<string> =>
      Object.values(words).flatMap((value) =>
        typeof value === "string" ? [value] : typeof value === "function" ? [value("Acme")] : said(value)
      )
    const own = [...said(pageWords[language]), ...said(preferenceWords[language])]
    const english = [...said(pageWords.en), ...said(preferenceWords.en)]
    assert.strictEqual(own.length, english.length)
    for (const [n, text] of own.entries()) {
      assert.notStrictEqual(text, english[n])
      assert.strictEqual(text.includes("Acme"), english[n]?.includes("Acme"))
    }
  })
})

describe("an address", () => {
  it.each([
    ["anna@example.com", "a***@example.com"],
    ["a@example.com", "a***@example.com"],
    ["x@xn--mnchen-3ya.example", "x***@xn--mnchen-3ya.example"]
  ])("%s is shown as %s", (email, expected) => {
    assert.strictEqual(masked(email), expected)
  })
})

describe("Accept-Language", () => {
  it.each([
    ["de-AT,de;q=0.9,en;q=0.8", ["de-AT", "de", "en"]],
    ["en;q=0.1, fr;q=0.9", ["fr", "en"]],
    ["*", []],
    ["de;q=0, nl", ["nl"]],
    [undefined, []],
    [";;q=,,", []]
  ])("%j wants %j", (header, expected) => {
    assert.deepStrictEqual(acceptedLanguages(header), expected)
  })
})

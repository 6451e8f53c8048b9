import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import { PublicLinks, type Purpose } from "../../platform/links/PublicLinks.ts"
import { languages } from "../../platform/web/Languages.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { Wire, wireOver } from "../../testing/TestClient.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import { preferenceWords } from "./PreferenceWords.ts"

let projects = 0

/** Requests a page as a browser does, without a key. */
const visit = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const handler = yield* Wire
  const response = yield* Effect.promise(() => handler(new Request(`http://posthorn${path}`, init)))
  return { status: response.status, headers: response.headers, text: yield* Effect.promise(() => response.text()) }
})

const visitOf = (path: (purpose: Purpose) => Effect.Effect<string, never, PublicLinks>) =>
  Effect.flatMap(path("manage"), (link) => visit(link))

const post = (path: string, fields: ReadonlyArray<readonly [string, string]>) =>
  visit(path, { method: "POST", body: new URLSearchParams(fields.map(([name, value]) => [name, value])) })

/** A project with the topics `news` and `offers`, which contacts take by default, and `tips`, which they do not. */
const audience = Effect.gen(function* () {
  const fresh = yield* freshProject
  const { ask, project } = fresh
  const domain = `pages${++projects}.test`
  yield* Effect.orDie(Domains.use((domains) => domains.add(project, { domain })))
  const ids = new Map<string, string>()
  for (const [key, defaultSubscription] of [
    ["news", "subscribed"],
    ["offers", "subscribed"],
    ["tips", "unsubscribed"]
  ] as const) {
    const { status, body } = yield* ask("POST", "/topics", {
      key,
      name: `The ${key}`,
      description: `About ${key}`,
      defaultSubscription,
      translations: { de: { name: `Die ${key}` } }
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    ids.set(key, body.id)
  }
  const { body: template } = yield* ask("POST", "/templates", {
    name: "T",
    subject: "Hi",
    body: "<p>Hi</p>",
    from: `a@${domain}`
  })

  let people = 0
  /** A recipient of a mail of the topic, and the links of that mail. */
  const reader = Effect.fnUntraced(function* (topic: string | null = null, more: object = {}) {
    const to = `reader-${++people}@example.com`
    const sent = yield* ask("POST", "/v1/send", {
      to,
      template: template.id,
      subscribed: true,
      ...(topic && { topic }),
      ...more
    })
    assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
    const [{ contact, email }] = sent.body.data.emails
    const topicId = topic === null ? undefined : ids.get(topic)
    const path = (purpose: Purpose) =>
      Effect.map(
        PublicLinks.use((links) =>
          links.token(purpose, {
            project,
            contact: contact.id,
            email,
            ...(topicId !== undefined && purpose !== "manage" && { topic: topicId })
          })
        ),
        (token) => `/${purpose}/${token}`
      )
    const contactNow = Effect.map(ask("GET", `/contacts/${contact.id}`), ({ body }) => body)
    const says = Effect.map(contactNow, ({ subscribed, topics }) => ({ subscribed, ...topics }))
    const events = Effect.map(
      SqlClient.SqlClient.use(
        (sql) => sql`select name, data from events where contact_id = ${contact.id} order by created_at, id`
      ),
      (rows) => rows.map(({ name }) => String(name))
    )
    return { email, id: contact.id, to, path, contactNow, says, events }
  })
  return { ...fresh, domain, ids, template, reader }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Preferences of recipients, on ${name}`,
    (it) => {
      it.effect("the page says what waits for a confirmation", () =>
        Effect.gen(function* () {
          const { ask, domain, reader } = yield* audience
          yield* ask("PATCH", "/settings/audience", { doubleOptIn: { from: `a@${domain}` } })
          const { id, path } = yield* reader()
          const { body: links } = yield* ask("GET", `/contacts/${id}/links`)
          const page = Effect.map(visitOf(path), ({ text }) => text)
          const tips = Effect.map(visit(`/public/preferences/${links.token}`), ({ text }) =>
            JSON.parse(text).topics.find(({ key }: { key: string }) => key === "tips")
          )
          assert.notInclude(yield* page, preferenceWords.en.waits)
          assert.deepInclude(yield* tips, { state: "unset", takes: false })
          const asked = yield* ask("POST", `/contacts/${id}/opt-in`, { subscribe: false, topics: ["tips"] })
          assert.strictEqual(asked.status, 202, JSON.stringify(asked.body))
          assert.lengthOf((yield* page).split(preferenceWords.en.waits), 2)
          assert.deepInclude(yield* tips, { state: "pending", takes: false })
          yield* ask("PATCH", `/contacts/${id}`, { subscribed: false })
          assert.notInclude(yield* page, preferenceWords.en.waits)
          yield* TestClock.adjust("2 minutes")
          yield* ask("POST", `/contacts/${id}/opt-in`, {})
          assert.lengthOf((yield* page).split(preferenceWords.en.waits), 2)
          yield* TestClock.adjust("8 days")
          assert.notInclude(yield* page, preferenceWords.en.waits)
        })
      )

      it.effect("one-click on mail of a topic leaves the topic, and other mail keeps coming", () =>
        Effect.gen(function* () {
          const { ask, ids, reader, template } = yield* audience
          const sql = yield* SqlClient.SqlClient
          const { email, path, says, events, to } = yield* reader("news")
          const link = yield* path("unsubscribe")
          assert.lengthOf(link.split("/")[2] ?? "", 110)
          for (let n = 0; n < 2; n++) {
            const { status, text } = yield* post(link, [["List-Unsubscribe", "One-Click"]])
            assert.deepStrictEqual([status, text], [200, "Unsubscribed"])
          }
          assert.deepStrictEqual(yield* says, { subscribed: true, news: "unsubscribed" })
          assert.deepStrictEqual(yield* events, ["topic.news.unsubscribed"])
          const [event] =
            yield* sql`select data from events where name = 'topic.news.unsubscribed' and email_id = ${email}`
          assert.deepStrictEqual(event?.["data"], {
            topicId: ids.get("news"),
            topicKey: "news",
            reason: "one_click",
            emailId: email
          })
          const [mail] = yield* sql`select unsubscribed_at is not null as counted from emails where id = ${email}`
          assert.strictEqual(mail?.["counted"], true)
          const send = (topic?: string) =>
            Effect.map(
              ask("POST", "/v1/send", { to, template: template.id, ...(topic && { topic }) }),
              ({ status }) => status
            )
          assert.deepStrictEqual([yield* send("news"), yield* send("offers"), yield* send()], [422, 200, 200])
        })
      )

      it.effect("one-click leaves everything where the project says so, and where the topic is gone", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          const gone = yield* reader("offers")
          const link = yield* gone.path("unsubscribe")
          assert.strictEqual((yield* ask("DELETE", "/topics/offers")).status, 204)
          yield* post(link, [["List-Unsubscribe", "One-Click"]])
          assert.deepStrictEqual(yield* gone.says, { subscribed: false })
          yield* ask("PATCH", "/settings/audience", { oneClickScope: "all" })
          const { path, says, events } = yield* reader("news")
          yield* post(yield* path("unsubscribe"), [["List-Unsubscribe", "One-Click"]])
          assert.deepStrictEqual(yield* says, { subscribed: false })
          assert.deepStrictEqual(yield* events, ["contact.unsubscribed"])
        })
      )

      it.effect("the page of a topic leaves it or everything, and leads back", () =>
        Effect.gen(function* () {
          const { reader } = yield* audience
          const { path, says, events } = yield* reader("news")
          const link = yield* path("unsubscribe")
          const asked = yield* visit(link)
          assert.include(asked.text, "subscribed to “The news”")
          assert.strictEqual([...asked.text.matchAll(/<button/g)].length, 2)
          assert.match(asked.text, /name="scope" value="all"/)
          assert.match(asked.text, /href="\/manage\/[\w-]{88}"/)
          assert.include((yield* visit(`${link}?lang=de`)).text, "„Die news“ abbestellen")
          yield* post(link, [["confirm", "0"]])
          assert.deepStrictEqual(yield* says, { subscribed: true })
          const done = yield* post(link, [["confirm", "1"]])
          assert.include(done.text, preferenceWords.en.left("The news"))
          assert.deepStrictEqual(yield* says, { subscribed: true, news: "unsubscribed" })
          const undo = /href="(\/subscribe\/[\w-]{110})"/.exec(done.text)?.[1] ?? ""
          assert.include((yield* visit(undo)).text, preferenceWords.en.join("The news"))
          const back = yield* post(undo, [["confirm", "1"]])
          assert.include(back.text, preferenceWords.en.joined("The news"))
          assert.deepStrictEqual(yield* says, { subscribed: true, news: "subscribed" })
          const all = yield* post(link, [
            ["confirm", "1"],
            ["scope", "all"]
          ])
          assert.match(all.text, /href="\/subscribe\/[\w-]{88}"/)
          assert.deepStrictEqual(yield* says, { subscribed: false, news: "subscribed" })
          assert.deepStrictEqual(yield* events, [
            "topic.news.unsubscribed",
            "topic.news.subscribed",
            "contact.unsubscribed"
          ])
        })
      )

      it.effect("who subscribes by the link of one topic takes no other topic", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          const { id, path, says, events } = yield* reader("tips", { subscribed: true, topic: undefined })
          yield* ask("PATCH", `/contacts/${id}`, { subscribed: false })
          yield* post(yield* path("subscribe"), [["confirm", "1"]])
          assert.deepStrictEqual(yield* says, {
            subscribed: true,
            news: "unsubscribed",
            offers: "unsubscribed",
            tips: "subscribed"
          })
          assert.deepStrictEqual([...(yield* events)].sort(), [
            "contact.subscribed",
            "contact.unsubscribed",
            "topic.tips.subscribed"
          ])
        })
      )

      const boxes = (text: string) =>
        [...text.matchAll(/name="topic" value="(\w+)"( checked)?/g)].map(([, key, isTicked]) =>
          isTicked ? `${key} ✓` : key
        )

      it.effect("the page shows the topics that the contact takes, and saves what is ticked, once", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          yield* ask("POST", "/topics", {
            key: "staff",
            name: "S",
            defaultSubscription: "unsubscribed",
            visibility: "private"
          })
          yield* ask("POST", "/topics", { key: "old", name: "O", defaultSubscription: "subscribed" })
          yield* ask("PATCH", "/topics/old", { archived: true })
          const { id, path, says, events } = yield* reader()
          const link = yield* path("manage")
          assert.deepStrictEqual(boxes((yield* visit(link)).text), ["news ✓", "offers ✓", "tips"])
          const shown = ["news", "offers", "tips"].map((key) => ["shown", key] as const)
          const save = (...topics: ReadonlyArray<string>) =>
            post(link, [["action", "save"], ...shown, ...topics.map((key) => ["topic", key] as const)])
          const saved = yield* save("news", "tips", "staff", "nothing")
          assert.strictEqual(saved.status, 200)
          assert.include(saved.text, `role="status"><h1>${preferenceWords.en.saved}</h1>`)
          assert.deepStrictEqual(boxes(saved.text), ["news ✓", "offers", "tips ✓"])
          const now = { subscribed: true, news: "subscribed", offers: "unsubscribed", tips: "subscribed" }
          assert.deepStrictEqual(yield* says, now)
          const before = yield* events
          assert.deepStrictEqual([...before].sort(), [
            "topic.news.subscribed",
            "topic.offers.unsubscribed",
            "topic.tips.subscribed"
          ])
          yield* save("news", "tips")
          assert.deepStrictEqual(yield* events, before)
          // None ticked changes the topics only.
          yield* save()
          assert.deepStrictEqual(yield* says, {
            subscribed: true,
            news: "unsubscribed",
            offers: "unsubscribed",
            tips: "unsubscribed"
          })
          // A box that the page did not show stays as it is: the later of two tabs wins for what it showed.
          yield* post(link, [
            ["action", "save"],
            ["shown", "tips"],
            ["topic", "tips"]
          ])
          assert.deepInclude(yield* says, { news: "unsubscribed", tips: "subscribed" })
          const left = yield* post(link, [["action", "unsubscribe"]])
          assert.deepStrictEqual(boxes(left.text), ["news", "offers", "tips"])
          assert.isFalse((yield* says).subscribed)
          yield* save("offers")
          assert.deepInclude(yield* says, { subscribed: true, offers: "subscribed" })
          yield* ask("PATCH", `/contacts/${id}`, { data: { locale: "de" } })
          assert.include((yield* visit(link)).text, "Die news")
        })
      )

      it.effect("a private topic is on the page of contacts that take it, or have said something about it", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          const { body: staff } = yield* ask("POST", "/topics", {
            key: "staff",
            name: "Staff",
            defaultSubscription: "unsubscribed",
            visibility: "private"
          })
          const { id, path } = yield* reader()
          const link = yield* path("manage")
          const sql = yield* SqlClient.SqlClient
          assert.notInclude((yield* visit(link)).text, "Staff")
          yield* sql`update contacts set topics_off = array[${staff.id}::uuid] where id = ${id}`
          assert.deepStrictEqual(boxes((yield* visit(link)).text).at(-1), "staff")
          yield* sql`update contacts set topics_off = null, topics_on = array[${staff.id}::uuid] where id = ${id}`
          assert.deepStrictEqual(boxes((yield* visit(link)).text).at(-1), "staff ✓")
        })
      )

      it.effect(
        "a pause ends after days, or at the start of a day in the contact's zone; a bad one stores nothing",
        () =>
          Effect.gen(function* () {
            yield* TestClock.setTime(Date.UTC(2026, 2, 1, 12))
            const { ask, reader, ids } = yield* audience
            const { path, contactNow, says, events } = yield* reader(null, {
              data: { timezone: "America/New_York", locale: "de-AT" }
            })
            const link = yield* path("manage")
            const save = (...fields: ReadonlyArray<readonly [string, string]>) =>
              post(link, [["action", "save"], ...fields])
            const until = Effect.map(contactNow, ({ snoozedUntil }) => snoozedUntil)
            yield* save(["snooze", "30"])
            assert.strictEqual(yield* until, "2026-03-31T12:00:00.000Z")
            assert.include((yield* visit(link)).text, "31. März 2026")
            yield* save(["snooze", "until"], ["until", "2026-07-01"])
            assert.strictEqual(yield* until, "2026-07-01T04:00:00.000Z")
            yield* save(["snooze", ""], ["locale", "de"])
            assert.deepInclude(yield* contactNow, { snoozedUntil: "2026-07-01T04:00:00.000Z", locale: "de-AT" })
            yield* save(["snooze", "off"], ["locale", "fr"])
            assert.deepInclude(yield* contactNow, { snoozedUntil: null, locale: "fr" })
            assert.deepStrictEqual(yield* events, ["contact.snoozed", "contact.snoozed", "contact.unsnoozed"])
            for (const [fields, field] of [
              [[["snooze", "31"]], "snooze"],
              [[["snooze", "until"]], "until"],
              [
                [
                  ["snooze", "until"],
                  ["until", "2026-03-01"]
                ],
                "until"
              ],
              [
                [
                  ["snooze", "until"],
                  ["until", "2026-02-30"]
                ],
                "until"
              ],
              [
                [
                  ["snooze", "until"],
                  ["until", "2027-04-01"]
                ],
                "until"
              ],
              [
                [
                  ["snooze", "until"],
                  ["until", "x".repeat(5_000)]
                ],
                "until"
              ],
              [[["locale", "tlh"]], "locale"]
            ] as const) {
              const refused = yield* save(...fields, ["shown", "news"])
              assert.strictEqual(refused.status, 422, JSON.stringify(fields))
              const words = preferenceWords.fr
              assert.include(refused.text, words.notSaved)
              const fault = { snooze: words.badPause, until: words.badDate, locale: words.badLanguage }[field]
              assert.include(refused.text, fault)
            }
            assert.deepStrictEqual(yield* says, { subscribed: true })
            assert.strictEqual((yield* events).length, 3)
            yield* ask("PATCH", "/settings/audience", { pages: { snooze: false, language: false } })
            const bare = yield* save(["snooze", "30"], ["locale", "de"])
            assert.strictEqual(bare.status, 200)
            assert.notMatch(bare.text, /name="snooze"|name="locale"/)
            assert.deepInclude(yield* contactNow, { snoozedUntil: null, locale: "fr" })
            assert.isTrue(ids.has("news"))
          })
      )

      it.effect("GET and HEAD change nothing, nor does any other body or the link of a test mail", () =>
        Effect.gen(function* () {
          const { reader } = yield* audience
          const { email, path, says, events } = yield* reader()
          const link = yield* path("manage")
          for (const method of ["GET", "HEAD"]) {
            yield* visit(`${link}?action=save&shown=news&snooze=30`, { method, headers: { "sec-purpose": "prefetch" } })
          }
          for (const fields of [
            [["action", "delete"]],
            [["shown", "news"]],
            [["topic", "news"]],
            [["confirm", "1"]],
            []
          ] as ReadonlyArray<ReadonlyArray<readonly [string, string]>>) {
            assert.strictEqual((yield* post(link, fields)).status, 200)
          }
          yield* SqlClient.SqlClient.use((sql) => sql`update emails set test = true where id = ${email}`)
          yield* post(link, [
            ["action", "save"],
            ["shown", "news"],
            ["snooze", "30"]
          ])
          assert.deepStrictEqual(yield* says, { subscribed: true })
          assert.deepStrictEqual(yield* events, [])
        })
      )

      it.effect("the branding of the project is on the page; origins may frame the page of preferences alone", () =>
        Effect.gen(function* () {
          const { ask, project, reader } = yield* audience
          const sql = yield* SqlClient.SqlClient
          const pages = {
            name: "Acme & Sons",
            color: "#FFEE00",
            websiteUrl: "https://acme.example/",
            privacyUrl: "https://acme.example/privacy",
            imprintUrl: "https://acme.example/imprint",
            embedOrigins: ["https://app.acme.example", "https://acme.example"]
          }
          assert.strictEqual((yield* ask("PATCH", "/settings/audience", { pages })).status, 200)
          yield* sql`
            update audience_settings set settings = jsonb_set(settings, '{pages,logoUrl}', '"https://cdn.acme.example/l.png"')
            where project_id = ${project}`
          const { path } = yield* reader("news")
          const { text, headers } = yield* visit(yield* path("manage"))
          assert.include(text, '<img class="logo" src="https://cdn.acme.example/l.png" alt="">')
          assert.match(text, /<a href="https:\/\/acme\.example\/">.*Acme &amp; Sons/)
          for (const link of ["privacy", "imprint"]) assert.include(text, `href="https://acme.example/${link}"`)
          assert.include(text, 'href="/pages.css?accent=ffee00"')
          assert.notMatch(text, /<script|style=/)
          assert.strictEqual(
            headers.get("content-security-policy"),
            "default-src 'none'; style-src 'self'; img-src https://cdn.acme.example; form-action 'self'; frame-ancestors https://app.acme.example https://acme.example; base-uri 'none'"
          )
          const other = yield* visit(yield* path("unsubscribe"))
          assert.include(other.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
          const style = yield* visit("/pages.css?accent=ffee00")
          assert.include(style.text, "background: #ffee00;\n  color: #000000;")
          const plain = (yield* visit("/pages.css")).text
          for (const accent of ["red", "ffee0", "ffee00;}", "%22"]) {
            assert.strictEqual((yield* visit(`/pages.css?accent=${accent}`)).text, plain)
          }
        })
      )

      it.effect("mail leads to the project's own page with the same token, and the hosted page keeps answering", () =>
        Effect.gen(function* () {
          const { ask, domain, reader } = yield* audience
          yield* ask("PATCH", "/settings/audience", {
            pages: { preferencesUrl: "https://acme.example/settings?tab=mail" }
          })
          const { to, path } = yield* reader("news")
          const { body: own } = yield* ask("POST", "/templates", {
            name: "Own",
            subject: "Hi",
            body: '<a href="{{manageUrl}}">p</a>',
            from: `a@${domain}`
          })
          yield* TestClock.adjust("2 seconds")
          const sent = yield* ask("POST", "/v1/send", { to, template: own.id, topic: "news" })
          const { body } = yield* ask("GET", `/emails/${sent.body.data.emails[0].email}/content`)
          const token = /https:\/\/acme\.example\/settings\?tab=mail&amp;token=([\w-]{88})"/.exec(body.html)?.[1] ?? ""
          assert.strictEqual((yield* visit(`/manage/${token}`)).status, 200)
          assert.match(body.html, /https:\/\/posthorn\.example\/unsubscribe\//)
          const page = yield* visit(yield* path("unsubscribe"))
          assert.match(page.text, /href="https:\/\/acme\.example\/settings\?tab=mail&amp;token=[\w-]{88}"/)
        })
      )

      it.effect("a page of the project's own reads and changes all of it by the token", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.UTC(2026, 2, 1, 12))
          const { ask, reader } = yield* audience
          yield* ask("PATCH", "/settings/audience", { pages: { name: "Acme", color: "#1f5eff" } })
          const { email, id, to, path, contactNow, says, events } = yield* reader(null, { data: { locale: "de-AT" } })
          const token = (yield* path("manage")).split("/")[2] ?? ""
          const api = (method: string, body?: unknown, more: { token?: string; query?: string; type?: string } = {}) =>
            Effect.map(
              visit(`/public/preferences/${more.token ?? token}${more.query ?? ""}`, {
                method,
                headers: {
                  origin: "https://acme.example",
                  ...(body !== undefined && { "content-type": more.type ?? "application/json" })
                },
                body: body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
              }),
              ({ status, headers, text }) => ({ status, headers, body: JSON.parse(text) })
            )
          const first = yield* api("GET")
          assert.strictEqual(first.headers.get("access-control-allow-origin"), "*")
          assert.isNull(first.headers.get("access-control-allow-credentials"))
          assert.strictEqual(first.headers.get("cache-control"), "no-store")
          assert.deepStrictEqual(first.body, {
            project: { name: "Acme", logoUrl: null, color: "#1f5eff", privacyUrl: null },
            email: "r***@example.com",
            locale: "de-AT",
            language: "de",
            subscribed: true,
            snoozedUntil: null,
            test: false,
            topics: [
              { key: "news", name: "Die news", description: null, state: "unset", takes: true },
              { key: "offers", name: "Die offers", description: null, state: "unset", takes: true },
              { key: "tips", name: "Die tips", description: null, state: "unset", takes: false }
            ],
            selfService: { export: false, erasure: "off" },
            blocked: false
          })
          assert.notInclude(JSON.stringify(first.body), to)
          const english = yield* api("GET", undefined, { query: "?lang=en" })
          assert.deepInclude(english.body.topics[0], { name: "The news", description: "About news" })
          const changed = yield* api("PATCH", {
            topics: { news: "unsubscribed", tips: "subscribed" },
            snoozeDays: 60,
            locale: "pt-br",
            wording: "We write twice a month.",
            unknown: 1
          })
          assert.strictEqual(changed.status, 200, JSON.stringify(changed.body))
          assert.deepInclude(changed.body, {
            locale: "pt-BR",
            language: "pt",
            snoozedUntil: "2026-04-30T12:00:00.000Z"
          })
          assert.deepStrictEqual(yield* says, { subscribed: true, news: "unsubscribed", tips: "subscribed" })
          const before = yield* events
          yield* api("PATCH", { topics: { news: "unsubscribed", tips: "subscribed" } })
          yield* api("PATCH", {})
          assert.deepStrictEqual(yield* events, before)
          yield* api("PATCH", { snoozedUntil: null })
          assert.isNull((yield* contactNow).snoozedUntil)
          yield* api("PATCH", { subscribed: false, topics: { offers: "subscribed" } })
          assert.deepInclude(yield* says, { subscribed: false, offers: "subscribed" })
          yield* api("PATCH", { topics: { tips: "subscribed", offers: "subscribed" } })
          assert.deepInclude(yield* says, { subscribed: true, tips: "subscribed", offers: "subscribed" })

          const after = yield* contactNow
          for (const [body, status, fields] of [
            [{ topics: { nothing: "subscribed" } }, 422, ["topics.nothing"]],
            [{ topics: { news: "unset" } }, 422, ["topics.news"]],
            [{ topics: "news" }, 422, ["topics"]],
            [{ snoozeDays: 31 }, 422, ["snoozeDays"]],
            [{ snoozeDays: 30, snoozedUntil: "2026-05-01T00:00:00Z" }, 422, ["snoozeDays"]],
            [{ snoozedUntil: "2026-03-01T12:00:00Z" }, 422, ["snoozedUntil"]],
            [{ snoozedUntil: "2027-03-03T12:00:00Z" }, 422, ["snoozedUntil"]],
            [{ locale: "no such tag" }, 422, ["locale"]],
            [{ wording: "x".repeat(4_001) }, 422, ["wording"]],
            [{ wording: "a\u0000" }, 422, ["wording"]],
            [{ subscribed: "no", news: 1, topics: { news: "unsubscribed" } }, 422, ["subscribed"]],
            ["[]", 422, [""]],
            ["5", 422, [""]],
            ["{", 400, []],
            [`{"topics":${"[".repeat(20)}`, 400, []],
            ["x".repeat(40_000), 413, []]
          ] as const) {
            const refused = yield* api("PATCH", body)
            const said = (refused.body.error?.errors ?? []).map(({ field }: { field: string }) => field)
            assert.deepStrictEqual([refused.status, said], [status, fields], JSON.stringify(body).slice(0, 100))
          }
          assert.strictEqual((yield* api("PATCH", "subscribed=false", { type: "text/plain" })).status, 415)
          assert.strictEqual((yield* api("PATCH", "", { type: "text/plain" })).status, 200)
          assert.strictEqual((yield* api("PATCH")).status, 200)
          assert.strictEqual((yield* api("PATCH", {}, { type: "application/merge-patch+json" })).status, 200)
          assert.deepStrictEqual(yield* contactNow, after)

          const { body: links } = yield* ask("GET", `/contacts/${id}/links`)
          assert.strictEqual((yield* api("GET", undefined, { token: links.token })).status, 200)
          assert.strictEqual(links.manageUrl, `https://posthorn.example/manage/${links.token}`)
          for (const other of [token.slice(0, -1), "x", (yield* path("unsubscribe")).split("/")[2]]) {
            for (const method of ["GET", "PATCH"]) {
              const { status, body } = yield* api(method, method === "GET" ? undefined : {}, { token: other ?? "" })
              assert.deepStrictEqual([status, body.error.details.resource], [404, "preferences"])
            }
          }
          yield* SqlClient.SqlClient.use((sql) => sql`update emails set test = true where id = ${email}`)
          const inert = yield* api("PATCH", { subscribed: false })
          assert.deepInclude(inert.body, { test: true, subscribed: true })
          yield* ask("DELETE", `/contacts/${id}`)
          assert.strictEqual((yield* api("GET")).status, 404)
          assert.strictEqual((yield* ask("GET", `/contacts/${id}/links`)).status, 404)
        })
      )

      it.effect("each change has a record with what the page said; its client is kept as the settings say", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          const { id, path } = yield* reader("news")
          const sql = yield* SqlClient.SqlClient
          const agent = { "user-agent": "Firefox" }
          const records = (where: string) =>
            sql`
              select action, topic_key, source, actor, user_agent, text from consents
              left join consent_wordings using (project_id)
              where contact_id = ${id} and source = ${where}
                and (consents.wording_hash is null or consents.wording_hash = consent_wordings.hash)
              order by consents.recorded_at, consents.id`
          yield* visit(yield* path("unsubscribe"), {
            method: "POST",
            headers: agent,
            body: new URLSearchParams({ confirm: "1" })
          })
          yield* ask("PATCH", "/settings/audience", { consent: { userAgent: true } })
          const token = (yield* path("manage")).split("/")[2]
          yield* visit(`/public/preferences/${token}?lang=de`, {
            method: "PATCH",
            headers: { ...agent, "content-type": "application/json" },
            body: JSON.stringify({ topics: { news: "subscribed" }, wording: "Ich möchte Neues lesen." })
          })
          const [left, joined] = yield* records("page")
          assert.deepInclude(left, { action: "withdrawn", topic_key: "news", actor: "recipient", user_agent: null })
          assert.include(left?.["text"], "Unsubscribe from “The news”")
          assert.deepInclude(joined, {
            action: "granted",
            topic_key: "news",
            user_agent: "Firefox",
            text: "Ich möchte Neues lesen."
          })
        })
      )

      it.effect("the answer to a change is what the next visit reads", () =>
        Effect.gen(function* () {
          const { ask, domain, ids, reader } = yield* audience
          yield* ask("PATCH", "/settings/audience", { doubleOptIn: { from: `a@${domain}` } })
          const staff = { key: "staff", name: "Staff", defaultSubscription: "subscribed", visibility: "private" }
          assert.strictEqual((yield* ask("POST", "/topics", staff)).status, 201)
          const { id, path } = yield* reader(null, { data: { locale: "not a tag" } })
          const link = (yield* path("manage")).replace("/manage/", "/public/preferences/")
          const read = Effect.map(visit(link), ({ text }) => JSON.parse(text))
          const change = Effect.fnUntraced(function* (body: object) {
            const answer = yield* visit(link, {
              method: "PATCH",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            assert.strictEqual(answer.status, 200, answer.text)
            assert.deepStrictEqual(JSON.parse(answer.text), yield* read, JSON.stringify(body))
            return JSON.parse(answer.text)
          })
          const keys = ({ topics }: { readonly topics: ReadonlyArray<{ readonly key: string }> }) =>
            topics.map(({ key }) => key)

          yield* change({ topics: { news: "unsubscribed" } })
          yield* change({ topics: { news: "subscribed", tips: "subscribed" } })
          yield* change({ topics: { news: "subscribed" } })
          assert.deepStrictEqual(keys(yield* change({ subscribed: false })), ["news", "offers", "tips"])
          // Whoever subscribes to everything takes the private topic again, so the page offers it.
          assert.deepStrictEqual(keys(yield* change({ subscribed: true })), ["news", "offers", "tips", "staff"])
          yield* change({ subscribed: false })
          yield* change({ topics: { tips: "subscribed" } })
          yield* change({ snoozeDays: 30 })
          yield* change({ snoozedUntil: null, topics: { offers: "subscribed" } })
          assert.strictEqual((yield* change({ locale: "fr" })).locale, "fr")
          yield* ask("PATCH", `/contacts/${id}`, { topics: { offers: "unset", tips: "unset" } })
          yield* ask("POST", `/contacts/${id}/opt-in`, { subscribe: false, topics: ["tips"] })
          yield* change({ topics: { news: "unsubscribed" } })
          yield* change({ topics: { tips: "unsubscribed" } })
          yield* ask("PATCH", `/topics/${ids.get("offers")}`, { archived: true })
          yield* change({ topics: { news: "subscribed" } })
        })
      )

      it.effect("the page of an archived topic says what became of it", () =>
        Effect.gen(function* () {
          const { ask, ids, reader } = yield* audience
          const { path } = yield* reader("news")
          yield* ask("PATCH", `/topics/${ids.get("news")}`, { archived: true })
          const { text } = yield* post(yield* path("unsubscribe"), [["confirm", "1"]])
          assert.include(text, preferenceWords.en.isNotSubscribed("The news"))
        })
      )

      it.effect("the links of a contact lead to the one that it was merged into", () =>
        Effect.gen(function* () {
          const { ask, reader } = yield* audience
          const [gone, stays] = [yield* reader("news"), yield* reader()]
          const [manage, leave] = [yield* gone.path("manage"), yield* gone.path("unsubscribe")]
          const merged = yield* ask("POST", `/contacts/${stays.id}/merge`, { contactId: gone.id })
          assert.strictEqual(merged.status, 200, JSON.stringify(merged.body))
          const own = visitOf(stays.path)
          assert.deepStrictEqual(boxes((yield* visit(manage)).text), boxes((yield* own).text))
          yield* post(manage, [
            ["action", "save"],
            ["shown", "tips"],
            ["topic", "tips"]
          ])
          assert.strictEqual((yield* stays.says)["tips"], "subscribed")
          // The undo link names the contact that is there.
          const { text } = yield* post(leave, [["confirm", "1"]])
          assert.strictEqual((yield* stays.says)["news"], "unsubscribed")
          const undo = /href="(\/subscribe\/[^"]+)"/.exec(text)?.[1] ?? ""
          yield* post(undo, [["confirm", "1"]])
          assert.strictEqual((yield* stays.says)["news"], "subscribed")
          const preview = yield* ask("POST", "/settings/audience/preview", { contactId: gone.id })
          assert.strictEqual(preview.status, 404, JSON.stringify(preview.body))
        })
      )

      it.effect("any origin may call it, without credentials", () =>
        Effect.gen(function* () {
          const { status, headers } = yield* visit("/public/preferences/x", {
            method: "OPTIONS",
            headers: { origin: "https://acme.example", "access-control-request-method": "PATCH" }
          })
          assert.strictEqual(status, 204)
          assert.strictEqual(headers.get("access-control-allow-origin"), "*")
          assert.strictEqual(headers.get("access-control-allow-methods"), "GET, POST, PATCH, OPTIONS")
        })
      )

      it.effect("twenty saves at once make each change once", () =>
        Effect.gen(function* () {
          const { reader } = yield* audience
          const { path, events } = yield* reader()
          const link = yield* path("manage")
          yield* Effect.replicateEffect(
            post(link, [
              ["action", "save"],
              ["shown", "news"],
              ["shown", "tips"],
              ["topic", "tips"]
            ]),
            20,
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([...(yield* events)].sort(), ["topic.news.unsubscribed", "topic.tips.subscribed"])
        })
      )

      it.effect("is in all languages", () =>
        Effect.gen(function* () {
          const { reader } = yield* audience
          const { path } = yield* reader()
          const link = yield* path("manage")
          for (const language of languages) {
            const { text } = yield* visit(`${link}?lang=${language}`)
            assert.include(text, `<html lang="${language}">`)
            assert.include(text, preferenceWords[language].topics)
          }
        })
      )
    }
  )
}

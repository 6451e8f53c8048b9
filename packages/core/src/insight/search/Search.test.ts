import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { freshProject, seed } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

let projects = 0

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`The search on ${name}`, (it) => {
    const fresh = Effect.gen(function* () {
      const { ask, project } = yield* freshProject
      const domain = `find${++projects}.test`
      yield* Effect.orDie(Domains.use((domains) => domains.add(ProjectId.make(project), { domain })))
      const make = (path: string, body: object) =>
        Effect.map(ask("POST", path, body), ({ status, body }) => {
          if (status >= 300) throw new Error(JSON.stringify(body))
          return body
        })
      const find = (q: string, more = "") =>
        Effect.map(
          ask("GET", `/search?q=${encodeURIComponent(q)}${more}`),
          ({ body }) => body.results as ReadonlyArray<{ type: string; id: string; title: string; subtitle: string }>
        )
      const titles = (q: string, more = "") =>
        Effect.map(find(q, more), (results) => results.map(({ type, title }) => `${type} ${title}`))
      const letter = { subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}` }
      return { ask, project, domain, make, find, titles, letter }
    })

    it.effect("finds every type by name and by id, mails by id, and a contact by its address", () =>
      Effect.gen(function* () {
        const { domain, find, letter, make } = yield* fresh
        const contact = yield* make("/contacts", { email: "orchid@example.com", subscribed: false })
        const campaign = (yield* make("/campaigns", { ...letter, name: "Orchid news", audienceType: "ALL" })).data.id
        const template = (yield* make("/templates", { ...letter, name: "Plain", alias: "orchid-letter" })).id
        const partial = (yield* make("/partials", { name: "orchid-footer", body: "Bye", description: "Last line" })).id
        const segment = (yield* make("/segments", { name: "ORCHID lovers", type: "STATIC" })).id
        const workflow = (yield* make("/workflows", { name: "After an orchid" })).id
        const wanted = [
          { type: "contact", id: contact.id, title: "orchid@example.com", subtitle: "unsubscribed" },
          { type: "campaign", id: campaign, title: "Orchid news", subtitle: "DRAFT" },
          { type: "template", id: template, title: "Plain", subtitle: "MARKETING" },
          { type: "partial", id: partial, title: "orchid-footer", subtitle: "Last line" },
          { type: "segment", id: segment, title: "ORCHID lovers", subtitle: "STATIC" },
          { type: "workflow", id: workflow, title: "After an orchid", subtitle: "disabled" }
        ]
        const without = (results: Effect.Success<ReturnType<typeof find>>) =>
          results.map(({ type, id, title, subtitle }) => ({ type, id, title, subtitle }))
        assert.deepStrictEqual(without(yield* find(" OrChid ")), wanted)
        for (const one of wanted) assert.deepStrictEqual(without(yield* find(one.id.toUpperCase())), [one])
        const [found] = yield* find(domain)
        assert.deepInclude(found, { type: "domain", title: domain, subtitle: "verified" })
        const { data } = yield* make("/v1/send", { ...letter, to: "orchid@example.com", subject: "Your orchid" })
        const email = data.emails[0].email
        assert.deepStrictEqual(without(yield* find(email)), [
          { type: "email", id: email, title: "Your orchid", subtitle: "orchid@example.com" }
        ])
        assert.isEmpty(yield* find("019a0000-0000-7000-8000-00000000dead"))
      })
    )

    it.effect("shows what is equal before what begins so, and that before what contains it", () =>
      Effect.gen(function* () {
        const { make, titles } = yield* fresh
        for (const name of ["An early bird", "Bird", "Birds of May", "Birdsong", "Thunderbird"]) {
          yield* make("/segments", { name, type: "STATIC" })
          yield* TestClock.adjust("1 second")
        }
        for (const email of ["a.bird@x.test", "bird@x.test", "bird@x.tester", "bird.two@x.test", "b@bird.test"]) {
          yield* make("/contacts", { email })
          yield* TestClock.adjust("1 second")
        }
        assert.deepStrictEqual(yield* titles("bird"), [
          "contact bird.two@x.test",
          "contact bird@x.test",
          "contact bird@x.tester",
          "contact b@bird.test",
          "contact a.bird@x.test",
          "segment Bird",
          "segment Birdsong",
          "segment Birds of May",
          "segment Thunderbird",
          "segment An early bird"
        ])
        assert.deepStrictEqual((yield* titles("bird@x.test"))[0], "contact bird@x.test")
        assert.deepStrictEqual(yield* titles("bird", "&limit=1"), ["contact bird.two@x.test", "segment Bird"])
        // Two characters are looked for at the beginning of addresses only.
        assert.deepStrictEqual(yield* titles("b@"), ["contact b@bird.test"])
        assert.deepStrictEqual(yield* titles("d@"), [])
      })
    )

    it.effect("takes the text literally, and at most ten results of a type", () =>
      Effect.gen(function* () {
        const { ask, make, project, titles } = yield* fresh
        yield* make("/segments", { name: "100% wool_", type: "STATIC" })
        yield* seed(project, "wool", 30)
        assert.deepStrictEqual(yield* titles("0%"), ["segment 100% wool_"])
        for (const none of ["1%w", "l_x", "\\%", "'; drop table contacts"]) assert.isEmpty(yield* titles(none), none)
        assert.lengthOf(yield* titles("wool-"), 5)
        assert.lengthOf(yield* titles("wool-", "&limit=100"), 10)
        for (const query of ["", "q=a", `q=${"a".repeat(201)}`, "q=%00%00a", "q=ab&limit=0", "q=ab&limit=x"]) {
          assert.strictEqual((yield* ask("GET", `/search?${query}`)).status, 400, query)
        }
      })
    )

    it.effect("is for members and the secret key, stays within the project, and is closed to API keys", () =>
      Effect.gen(function* () {
        const owner = yield* person("finder")
        const member = yield* person("member")
        const outsider = yield* person("outsider")
        const { id, secret } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const bearer = { authorization: `Bearer ${secret}` }
        const { body: hidden } = yield* send("POST", "/segments", { name: "Secret garden", type: "STATIC" }, bearer)
        const of = { "x-project-id": id }
        for (const cookie of [owner.cookie, member.cookie]) {
          const { body } = yield* browse(cookie, "GET", "/search?q=garden", undefined, of)
          assert.strictEqual(body.results[0].id, hidden.id)
        }
        const stranger = yield* browse(outsider.cookie, "GET", "/search?q=garden", undefined, of)
        assert.deepStrictEqual([stranger.status, stranger.body.error.code], [403, "PROJECT_ACCESS_DENIED"])
        const { body: key } = yield* send("POST", "/api-keys", { name: "All", scopes: ["*"] }, bearer)
        const closed = yield* send("GET", "/search?q=garden", undefined, { authorization: `Bearer ${key.key}` })
        assert.deepStrictEqual(
          [closed.status, closed.body.error.details],
          [403, { reason: "scope", requiredScope: null }]
        )
        const other = yield* fresh
        for (const q of ["garden", hidden.id]) assert.isEmpty(yield* other.find(q))
      })
    )

    it.effect("reads addresses through indexes", () =>
      Effect.gen(function* () {
        const { project } = yield* freshProject
        yield* seed(project, "many", 20_000)
        const sql = yield* SqlClient.SqlClient
        yield* sql`analyze contacts`
        const plan = yield* sql<{ "QUERY PLAN": string }>`
          explain select id from contacts
          where project_id = ${project} and email >= 'many-1' and email < ${"many-1\u{10ffff}"} order by email limit 5`
        assert.include(plan.map((line) => line["QUERY PLAN"]).join("\n"), "Index")
      })
    )
  })
}

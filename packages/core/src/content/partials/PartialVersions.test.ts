/** Versions and drafts of partials, over HTTP and in two processes. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import * as Posthorn from "../../Posthorn.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { Settings } from "../../platform/Settings.ts"
import { databases, freshDatabase, poolOptions } from "../../testing/Databases.ts"
import { host, project as seeded, servicesOn, settings } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Partials } from "./Partials.ts"

let domains = 0

/** A new project with the partial `footer`, and requests about it. */
const footerProject = Effect.gen(function* () {
  const { project, ask } = yield* freshProject
  const domain = `partials${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(project, { domain })))
  const { body: made } = yield* ask("POST", "/partials", { name: "footer", body: "<p>One</p>", text: "One" })
  const path = `/partials/${made.id}`
  const on = (method: string, sub: string, body?: object) => ask(method, `${path}${sub}`, body)
  const ok = (method: string, sub: string, body?: object) =>
    Effect.map(on(method, sub, body), ({ status, body: answer }) => {
      if (status >= 300) throw new Error(`${method} ${sub}: ${status} ${JSON.stringify(answer)}`)
      return answer
    })
  /** Status, code, and what the details say. */
  const refused = (method: string, sub: string, body?: object) =>
    Effect.map(on(method, sub, body), ({ status, body: answer }) => {
      const { code, details = {}, errors = [] } = answer.error
      const faults = errors.map((_: { field: string; code: string }) => `${_.field} ${_.code}`)
      return [status, code, ...[details.reason ?? details.resource ?? []].flat(), ...faults].join(" ")
    })
  const other = (name: string, body: string) =>
    Effect.map(ask("POST", "/partials", { name, body }), ({ body }) => `/partials/${body.id}`)
  /** What `{{> footer}}` prints in a mail of now. */
  const printed = Effect.fnUntraced(function* () {
    const texts = { subject: "Hi", body: "{{> footer}}", text: "{{> footer}}" }
    const { body: answer } = yield* ask("POST", "/v1/send", { to: "ada@example.com", from: `hi@${domain}`, ...texts })
    const { body: content } = yield* ask("GET", `/emails/${answer.data.emails[0].email}/content`)
    return [content.html, content.text]
  })
  const audit = SqlClient.SqlClient.use((sql) => entriesOf(sql, project, 100)).pipe(
    Effect.map((found) =>
      found
        .filter(({ action }) => action.startsWith("partial."))
        .map(({ action, details: { partialId: _, ...details } }) => ({ action, details }))
        .reverse()
    )
  )
  return { ask, domain, made, path, on, ok, refused, other, printed, audit }
})

const nowhere = "019a0000-0000-7000-8000-00000000dead"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Versions of a partial on ${name}`, (it) => {
    it.effect("each change of a text is one, other changes are not", () =>
      Effect.gen(function* () {
        const { made, ok, audit } = yield* footerProject
        assert.deepInclude(made, { version: 1, draft: null })
        assert.strictEqual((yield* ok("PATCH", "", { body: "<p>Two</p>" })).version, 2)
        assert.strictEqual((yield* ok("PATCH", "", { body: "<p>Two</p>" })).version, 2)
        assert.strictEqual((yield* ok("PATCH", "", { text: null })).version, 3)
        assert.deepInclude(yield* ok("PATCH", "", { name: "end", description: "x" }), { name: "end", version: 3 })
        const page = yield* ok("GET", "/versions?pageSize=2")
        assert.deepInclude(page, { page: 1, pageSize: 2, total: 3, totalPages: 2 })
        const rest = { createdAt: "1970-01-01T00:00:00.000Z", actor: { type: "key" }, restoredFrom: null }
        assert.deepStrictEqual(page.data, [
          { version: 3, live: true, ...rest },
          { version: 2, live: false, ...rest }
        ])
        assert.deepStrictEqual(yield* ok("GET", "/versions/1"), { ...made, name: "end", description: "x" })
        assert.deepStrictEqual((yield* audit)[0], { action: "partial.created", details: { name: "footer" } })
      })
    )

    it.effect("restore prints the earlier texts, as a new version", () =>
      Effect.gen(function* () {
        const { ok, printed, audit, made } = yield* footerProject
        yield* ok("PATCH", "", { body: "<p>Two</p>", text: null, expectedVersion: 1 })
        const restored = yield* ok("POST", "/versions/1/restore", { expectedVersion: 2 })
        assert.deepInclude(restored, { id: made.id, body: "<p>One</p>", text: "One", version: 3 })
        assert.deepStrictEqual(yield* printed(), ["<p>One</p>", "One"])
        assert.strictEqual((yield* ok("GET", "/versions")).data[0].restoredFrom, 1)
        assert.strictEqual((yield* ok("POST", "/versions/1/restore")).version, 3)
        assert.deepStrictEqual((yield* audit).slice(1), [
          { action: "partial.updated", details: { name: "footer" } },
          { action: "partial.updated", details: { name: "footer", version: 3, restoredFrom: 1 } }
        ])
      })
    )

    it.effect("is not restored when a partial that it names is gone", () =>
      Effect.gen(function* () {
        const { ask, ok, refused, other } = yield* footerProject
        const logo = yield* other("logo", "<img>")
        yield* ok("PATCH", "", { body: "{{> logo}}" })
        yield* ok("PATCH", "", { body: "none" })
        assert.strictEqual((yield* ask("DELETE", logo)).status, 204)
        assert.strictEqual(yield* refused("POST", "/versions/2/restore"), "422 VALIDATION_ERROR body template_syntax")
        assert.deepInclude(yield* ok("GET", ""), { body: "none", version: 3 })
      })
    )

    it.effect("a change that expects another version is refused, and changes nothing", () =>
      Effect.gen(function* () {
        const { ok, on, refused } = yield* footerProject
        yield* ok("PATCH", "", { body: "Two", expectedVersion: 1 })
        const { status, body } = yield* on("PATCH", "", { body: "Three", name: "end", expectedVersion: 1 })
        assert.deepStrictEqual([status, body.error.details], [409, { reason: "version_changed", version: 2 }])
        const stale = yield* refused("POST", "/versions/1/restore", { expectedVersion: 1 })
        assert.strictEqual(stale, "409 CONFLICT version_changed")
        assert.deepInclude(yield* ok("GET", ""), { name: "footer", body: "Two", version: 2 })
      })
    )

    it.effect("what does not exist is not found", () =>
      Effect.gen(function* () {
        const { ask, made, ok, refused } = yield* footerProject
        for (const version of ["2", "0", "x", "1.5", "99999999999999999999"]) {
          for (const [method, sub] of [
            ["GET", ""],
            ["POST", "/restore"]
          ] as const) {
            const answer = yield* refused(method, `/versions/${version}${sub}`)
            assert.strictEqual(answer, "404 RESOURCE_NOT_FOUND partial_version")
          }
        }
        assert.strictEqual(yield* refused("GET", "/draft"), "404 RESOURCE_NOT_FOUND draft")
        assert.strictEqual(yield* refused("DELETE", "/draft"), "404 RESOURCE_NOT_FOUND draft")
        assert.strictEqual(yield* refused("POST", "/publish"), "409 CONFLICT no_draft")
        const another = yield* footerProject
        yield* another.ok("PUT", "/draft", { body: "Other" })
        const requests = [
          ["GET", "/versions"],
          ["GET", "/versions/1"],
          ["POST", "/versions/1/restore"],
          ["GET", "/draft"],
          ["PUT", "/draft"],
          ["DELETE", "/draft"],
          ["POST", "/publish"]
        ] as const
        for (const path of [`/partials/${nowhere}`, another.path, "/partials/x"]) {
          for (const [method, sub] of requests) {
            const { status, body } = yield* ask(method, `${path}${sub}`, method === "GET" ? undefined : {})
            assert.deepStrictEqual([status, body.error.details.resource], [404, "partial"], `${method} ${path}${sub}`)
          }
        }
        assert.strictEqual((yield* another.ok("GET", "/draft")).body, "Other")
        yield* ok("PUT", "/draft", { body: "Gone" })
        yield* ok("DELETE", "")
        const sql = yield* SqlClient.SqlClient
        assert.isEmpty(yield* sql`select 1 from content_versions where owner_id = ${made.id}`)
        assert.isEmpty(yield* sql`select 1 from content_drafts where owner_id = ${made.id}`)
      })
    )

    it.effect("a draft is published as the next version, and nothing prints it before", () =>
      Effect.gen(function* () {
        const { ok, refused, printed, audit } = yield* footerProject
        const draft = yield* ok("PUT", "/draft", { body: "<p>Two</p>" })
        assert.deepInclude(draft, { body: "<p>Two</p>", text: "One", basedOn: 1, problems: [] })
        assert.deepStrictEqual(yield* ok("GET", "/draft"), draft)
        const { updatedAt } = draft
        assert.deepInclude(yield* ok("GET", ""), { body: "<p>One</p>", version: 1, draft: { basedOn: 1, updatedAt } })
        assert.deepStrictEqual(yield* printed(), ["<p>One</p>", "One"])
        assert.deepInclude(yield* ok("POST", "/publish"), { body: "<p>Two</p>", version: 2, draft: null })
        assert.deepStrictEqual(yield* printed(), ["<p>Two</p>", "One"])
        assert.strictEqual(yield* refused("POST", "/publish"), "409 CONFLICT no_draft")
        assert.deepStrictEqual((yield* audit).slice(1), [
          { action: "partial.updated", details: { name: "footer", version: 2 } }
        ])
      })
    )

    it.effect("a draft is not published over another change, unless it is forced", () =>
      Effect.gen(function* () {
        const { ok, on } = yield* footerProject
        yield* ok("PUT", "/draft", { body: "Draft" })
        yield* ok("PATCH", "", { body: "Change" })
        const { status, body } = yield* on("POST", "/publish")
        assert.deepStrictEqual([status, body.error.details], [409, { reason: "version_changed", version: 2 }])
        assert.deepInclude(yield* ok("GET", ""), { body: "Change", version: 2 })
        const forced = yield* ok("POST", "/publish", { force: true })
        assert.deepInclude(forced, { body: "Draft", version: 3, draft: null })
        assert.deepInclude(yield* ok("PUT", "/draft", { text: null }), { body: "Draft", text: null, basedOn: 3 })
        yield* ok("DELETE", "/draft")
        assert.isNull((yield* ok("GET", "")).draft)
      })
    )

    it.effect("a draft takes what no partial may have, and lists it as problems", () =>
      Effect.gen(function* () {
        const { ok, refused, other } = yield* footerProject
        const problemsOf = (body: object) =>
          Effect.map(ok("PUT", "/draft", body), ({ problems }) =>
            problems.map((_: { field: string; code: string }) => `${_.field} ${_.code}`)
          )
        assert.deepStrictEqual(yield* problemsOf({ body: "", text: "{{" }), ["body required", "text template_syntax"])
        const unsound = yield* refused("POST", "/publish")
        assert.strictEqual(unsound, "422 VALIDATION_ERROR body required text template_syntax")
        assert.deepStrictEqual(yield* problemsOf({ body: "{{> none}}" }), ["body template_syntax"])
        yield* other("outer", "{{> footer}}")
        assert.deepStrictEqual(yield* problemsOf({ body: "{{> outer}}" }), ["body template_syntax"])
        assert.strictEqual(yield* refused("POST", "/publish"), "422 VALIDATION_ERROR body template_syntax")
        assert.strictEqual(
          yield* refused("PUT", "/draft", { body: "x".repeat(256 * 1024 + 1), text: 1 }),
          "422 VALIDATION_ERROR body too_big text invalid_type"
        )
        assert.deepInclude(yield* ok("GET", ""), { body: "<p>One</p>", version: 1 })
        assert.strictEqual((yield* ok("GET", "/draft")).body, "{{> outer}}")
      })
    )

    it.effect("a draft that is no layout is not published while the partial is one", () =>
      Effect.gen(function* () {
        const { ask, domain, ok, refused } = yield* footerProject
        yield* ok("PATCH", "", { body: "<main>{{> content}}</main>", text: null })
        const template = { name: "Hello", subject: "Hi", body: "Hi", from: `hi@${domain}`, layout: "footer" }
        assert.strictEqual((yield* ask("POST", "/templates", template)).status, 201)
        const draft = yield* ok("PUT", "/draft", { body: "<main></main>" })
        assert.deepInclude(draft.problems[0], { field: "body", code: "custom" })
        assert.strictEqual(yield* refused("POST", "/publish"), "422 VALIDATION_ERROR body custom")
      })
    )

    it.effect("a partial is neither deleted nor renamed while a draft of another partial names it", () =>
      Effect.gen(function* () {
        const { ask, made, ok, refused, other } = yield* footerProject
        const logo = yield* other("logo", "<img>")
        yield* ok("PUT", "/draft", { text: "{{> logo}}" })
        const users = { templates: [], partials: [{ id: made.id, name: "footer" }], campaigns: [] }
        assert.deepStrictEqual((yield* ask("GET", `${logo}/usage`)).body, { ...users, canDelete: false })
        assert.deepStrictEqual((yield* ask("DELETE", logo)).body.error.details, users)
        assert.deepStrictEqual((yield* ask("PATCH", logo, { name: "sign" })).body.error.details, users)
        // A partial does not keep itself.
        yield* ok("PUT", "/draft", { body: "{{> footer}}" })
        assert.strictEqual((yield* ask("DELETE", logo)).status, 204)
        yield* ok("DELETE", "")
        assert.strictEqual(yield* refused("GET", ""), "404 RESOURCE_NOT_FOUND partial")
      })
    )

    it.effect("of many that publish at once, one does", () =>
      Effect.gen(function* () {
        const { ok, on } = yield* footerProject
        yield* ok("PUT", "/draft", { body: "Once" })
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.map(on("POST", "/publish"), ({ status }) => status)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.sort(), [200, ...Array.from({ length: 7 }, () => 409)])
        assert.deepInclude(yield* ok("GET", ""), { body: "Once", version: 2 })
      })
    )
  })
}

const server = inject("postgres")

describe.runIf(server !== undefined)("Two processes on one database", () => {
  it.effect(
    "publish one partial at the same moment: one does, the other is refused",
    () =>
      Effect.gen(function* () {
        if (server === undefined) return
        const url = yield* freshDatabase(server)
        const pool = Layer.fresh(Layer.orDie(PgClient.layer(poolOptions(url))))
        const first = yield* Layer.build(servicesOn(pool))
        const second = yield* Layer.build(
          Layer.fresh(Posthorn.layer).pipe(
            Layer.provide(Layer.merge(Layer.fresh(host), pool)),
            Layer.provide(Layer.succeed(Settings, settings))
          )
        )
        const within = <A, E>(
          process: Context.Context<Partials>,
          use: (partials: Partials["Service"]) => Effect.Effect<A, E>
        ) => Effect.provide(Partials.use(use), process)
        const { id } = yield* within(first, (partials) => partials.create(seeded, { name: "footer", body: "0" }))
        for (let round = 1; round <= 20; round++) {
          yield* within(second, (partials) => partials.saveDraft(seeded, id, { body: `${round}` }))
          const outcomes = yield* Effect.all(
            [first, second].map((process) =>
              within(process, (partials) => partials.publish(seeded, id, {})).pipe(
                Effect.map(({ version }) => `version ${version}`),
                Effect.catchTag("CONFLICT", ({ reason }) => Effect.succeed(reason))
              )
            ),
            { concurrency: 2 }
          )
          assert.sameMembers(outcomes, [`version ${round + 1}`, "no_draft"])
        }
        const after = yield* within(first, (partials) => partials.get(seeded, id))
        assert.deepInclude(after, { body: "20", version: 21, draft: null })
        const { total } = yield* within(second, (partials) => partials.versions(seeded, id, {}))
        assert.strictEqual(total, 21)
      }).pipe(Effect.scoped),
    60_000
  )
})

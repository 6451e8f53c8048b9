/** Versions and drafts of templates, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { type Wire, wireOver } from "../../testing/TestClient.ts"

let domains = 0

/** A new project, a template in it, and requests about that template. */
const templateProject = Effect.gen(function* () {
  const { project, ask } = yield* freshProject
  const domain = `versions${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(project, { domain })))
  const from = `hi@${domain}`
  const content = { subject: "One", body: "<p>One</p>", text: "One", from, type: "TRANSACTIONAL", language: "en" }
  const { body: made } = yield* ask("POST", "/templates", { name: "Welcome", alias: "welcome", ...content })
  const path = `/templates/${made.id}`
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
  const send = Effect.fnUntraced(function* () {
    const { body: answer } = yield* ask("POST", "/v1/send", { to: "ada@example.com", template: made.id })
    const id = String(answer.data.emails[0].email)
    const { body: texts } = yield* ask("GET", `/emails/${id}/content`)
    const { body: record } = yield* ask("GET", `/emails/${id}`)
    return [texts.subject, texts.html, texts.text, record.templateVersion]
  })
  const audit = SqlClient.SqlClient.use((sql) => entriesOf(sql, project, 100)).pipe(
    Effect.map((found) =>
      found.flatMap(({ action, actor, details }) =>
        action.startsWith("template.") ? [{ action, actor, details }] : []
      )
    )
  )
  return { project, ask, domain, from, made, path, on, ok, refused, send, audit }
})

const nowhere = "019a0000-0000-7000-8000-00000000dead"

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`Versions of a template on ${name}`, (it) => {
    it.effect("each change of the content creates one, other changes do not", () =>
      Effect.gen(function* () {
        const { made, ok } = yield* templateProject
        assert.deepInclude(made, { version: 1, draft: null, alias: "welcome" })
        assert.strictEqual((yield* ok("PATCH", "", { subject: "Two" })).version, 2)
        assert.strictEqual((yield* ok("PATCH", "", { subject: "Two" })).version, 2)
        const renamed = yield* ok("PATCH", "", { name: "Hello", description: "x", alias: "hello" })
        assert.deepInclude(renamed, { name: "Hello", alias: "hello", version: 2 })
        assert.strictEqual((yield* ok("PATCH", "", { strict: true, replyTo: made.from })).version, 3)
        const page = yield* ok("GET", "/versions?pageSize=2")
        assert.deepInclude(page, { page: 1, pageSize: 2, total: 3, totalPages: 2 })
        const createdAt = "1970-01-01T00:00:00.000Z"
        const rest = { createdAt, actor: { type: "key" }, restoredFrom: null }
        assert.deepStrictEqual(page.data, [
          { version: 3, live: true, ...rest },
          { version: 2, live: false, ...rest }
        ])
        const first = yield* ok("GET", "/versions/1")
        assert.deepInclude(first, { id: made.id, name: "Hello", subject: "One", strict: false, version: 1 })
      })
    )

    it.effect("a restored version renders the same mail, as a new version", () =>
      Effect.gen(function* () {
        const { ok, send, audit, made } = yield* templateProject
        const before = yield* send()
        yield* ok("PATCH", "", { subject: "Two", body: "<p>Two</p>", text: null })
        assert.deepStrictEqual(yield* send(), ["Two", "<p>Two</p>", "Two", 2])
        const restored = yield* ok("POST", "/versions/1/restore", { expectedVersion: 2 })
        const { version: _, updatedAt: __, ...content } = made
        assert.deepInclude(restored, { ...content, version: 3 })
        assert.deepStrictEqual(yield* send(), [...before.slice(0, 3), 3])
        assert.strictEqual((yield* ok("GET", "/versions")).data[0].restoredFrom, 1)
        assert.strictEqual((yield* ok("POST", "/versions/1/restore")).version, 3)
        assert.deepStrictEqual(yield* audit, [
          {
            action: "template.restored",
            actor: "key",
            details: { templateId: made.id, version: 3, restoredFrom: 1 }
          }
        ])
      })
    )

    it.effect("a change that expects another version is refused, and changes nothing", () =>
      Effect.gen(function* () {
        const { ok, on, refused } = yield* templateProject
        yield* ok("PATCH", "", { subject: "Two", expectedVersion: 1 })
        const { status, body } = yield* on("PATCH", "", { subject: "Three", expectedVersion: 1 })
        assert.deepStrictEqual([status, body.error.details], [409, { reason: "version_changed", version: 2 }])
        assert.strictEqual(
          yield* refused("POST", "/versions/1/restore", { expectedVersion: 1 }),
          "409 CONFLICT version_changed"
        )
        assert.deepInclude(yield* ok("GET", ""), { subject: "Two", version: 2 })
      })
    )

    it.effect("unknown versions and templates are not found", () =>
      Effect.gen(function* () {
        const { ask, ok, refused } = yield* templateProject
        for (const version of ["2", "0", "x", "1.5", "01", "-1", "99999999999999999999"]) {
          assert.strictEqual(yield* refused("GET", `/versions/${version}`), "404 RESOURCE_NOT_FOUND template_version")
          assert.strictEqual(
            yield* refused("POST", `/versions/${version}/restore`),
            "404 RESOURCE_NOT_FOUND template_version"
          )
        }
        assert.strictEqual(yield* refused("GET", "/draft"), "404 RESOURCE_NOT_FOUND draft")
        assert.strictEqual(yield* refused("DELETE", "/draft"), "404 RESOURCE_NOT_FOUND draft")
        assert.strictEqual(yield* refused("POST", "/publish"), "409 CONFLICT no_draft")
        const other = yield* templateProject
        yield* other.ok("PUT", "/draft", { subject: "Other" })
        const requests = [
          ["GET", "/versions"],
          ["GET", "/versions/1"],
          ["POST", "/versions/1/restore"],
          ["GET", "/draft"],
          ["PUT", "/draft"],
          ["DELETE", "/draft"],
          ["POST", "/publish"]
        ] as const
        for (const path of [`/templates/${nowhere}`, other.path, "/templates/x"]) {
          for (const [method, sub] of requests) {
            const { status, body } = yield* ask(method, `${path}${sub}`, method === "GET" ? undefined : {})
            assert.deepStrictEqual([status, body.error.code], [404, "TEMPLATE_NOT_FOUND"], `${method} ${path}${sub}`)
          }
        }
        assert.strictEqual((yield* other.ok("GET", "/draft")).subject, "Other")
        yield* ok("DELETE", "")
        const sql = yield* SqlClient.SqlClient
        assert.isEmpty(
          yield* sql`
          select 1 from content_versions left join templates
            on templates.project_id = content_versions.project_id and templates.id = owner_id
          where templates.id is null`
        )
      })
    )

    it.effect("a draft is published as the next version, and nothing is sent from it before", () =>
      Effect.gen(function* () {
        const { made, ok, refused, send, audit } = yield* templateProject
        const draft = yield* ok("PUT", "/draft", {
          subject: "Two",
          translations: { DE: { subject: "Zwei", body: "<p>Zwei</p>" } }
        })
        const content = {
          subject: "Two",
          body: "<p>One</p>",
          text: "One",
          from: made.from,
          language: "en",
          translations: { de: { subject: "Zwei", body: "<p>Zwei</p>", text: null } },
          basedOn: 1,
          problems: []
        }
        assert.deepInclude(draft, content)
        assert.deepStrictEqual(yield* ok("GET", "/draft"), draft)
        const { updatedAt } = draft
        assert.deepInclude(yield* ok("GET", ""), { subject: "One", version: 1, draft: { basedOn: 1, updatedAt } })
        assert.deepStrictEqual(yield* send(), ["One", "<p>One</p>", "One", 1])
        const published = yield* ok("POST", "/publish")
        assert.deepInclude(published, { subject: "Two", version: 2, draft: null, translations: content.translations })
        assert.deepStrictEqual(yield* send(), ["Two", "<p>One</p>", "One", 2])
        assert.strictEqual(yield* refused("POST", "/publish"), "409 CONFLICT no_draft")
        assert.deepStrictEqual(yield* audit, [
          { action: "template.published", actor: "key", details: { templateId: made.id, version: 2 } }
        ])
      })
    )

    it.effect("a draft is not published over another change, unless it is forced", () =>
      Effect.gen(function* () {
        const { ok, on } = yield* templateProject
        yield* ok("PUT", "/draft", { subject: "Draft" })
        yield* ok("PATCH", "", { body: "<p>Change</p>" })
        const { status, body } = yield* on("POST", "/publish")
        assert.deepStrictEqual([status, body.error.details], [409, { reason: "version_changed", version: 2 }])
        assert.deepInclude(yield* ok("GET", ""), { subject: "One", version: 2 })
        assert.deepInclude(yield* ok("POST", "/publish", { force: true }), {
          subject: "Draft",
          body: "<p>One</p>",
          version: 3,
          draft: null
        })
        yield* ok("PUT", "/draft", { subject: "Again" })
        assert.deepInclude(yield* ok("PUT", "/draft", { text: null }), { subject: "Draft", text: null, basedOn: 3 })
        yield* ok("DELETE", "/draft")
        assert.isNull((yield* ok("GET", "")).draft)
      })
    )

    it.effect("a draft accepts invalid content, and lists its problems", () =>
      Effect.gen(function* () {
        const { ok, refused, made } = yield* templateProject
        const draft = yield* ok("PUT", "/draft", {
          subject: "",
          body: "<p>{{#if}</p>",
          from: "Ada <ada@elsewhere.test>",
          replyTo: "nobody",
          language: "German!",
          translations: { de: { subject: "Hallo", text: "{{" }, fr: null }
        })
        assert.deepInclude(draft, {
          from: "ada@elsewhere.test",
          fromName: "Ada",
          translations: { de: { subject: "Hallo", body: "", text: "{{" } }
        })
        const problems = [
          "subject required",
          "replyTo invalid_string",
          "language invalid_string",
          "translations.de.body required",
          "body template_syntax",
          "translations.de.text template_syntax"
        ]
        assert.deepStrictEqual(
          draft.problems.map((_: { field: string; code: string }) => `${_.field} ${_.code}`),
          [...problems, "from custom"]
        )
        assert.strictEqual(yield* refused("POST", "/publish"), `422 VALIDATION_ERROR ${problems.join(" ")}`)
        yield* ok("PUT", "/draft", { from: "ada@elsewhere.test" })
        assert.strictEqual((yield* refused("POST", "/publish")).slice(0, 3), "403")
        assert.strictEqual(
          yield* refused("PUT", "/draft", { subject: 1, type: "NEWS" }),
          "422 VALIDATION_ERROR subject invalid_type type invalid_enum"
        )
        assert.strictEqual(
          yield* refused("PUT", "/draft", { subject: "x".repeat(999), body: "x".repeat(2 * 1024 * 1024 + 1) }),
          "422 VALIDATION_ERROR subject too_big body too_big"
        )
        assert.deepInclude(yield* ok("GET", ""), { subject: made.subject, version: 1 })
        assert.strictEqual((yield* ok("GET", "/draft")).from, "ada@elsewhere.test")
      })
    )

    it.effect("a version is not restored if its sender domain was removed", () =>
      Effect.gen(function* () {
        const { project, ok, on, made, domain } = yield* templateProject
        const former = `former-${domain}`
        const added = yield* Effect.orDie(Domains.use((service) => service.add(project, { domain: former })))
        yield* ok("PATCH", "", { from: `hi@${former}` })
        yield* ok("PATCH", "", { from: made.from })
        yield* Effect.orDie(Domains.use((service) => service.remove(project, added.id)))
        assert.strictEqual((yield* on("POST", "/versions/2/restore")).status, 403)
        assert.deepInclude(yield* ok("GET", ""), { from: made.from, version: 3 })
      })
    )

    it.effect("of two concurrent publications, one succeeds", () =>
      Effect.gen(function* () {
        const { ok, on } = yield* templateProject
        yield* ok("PUT", "/draft", { subject: "Once" })
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.map(on("POST", "/publish"), ({ status }) => status)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.sort(), [200, ...Array.from({ length: 7 }, () => 409)])
        assert.deepInclude(yield* ok("GET", ""), { subject: "Once", version: 2 })
      })
    )

    it.effect("of many concurrent changes that expect the same version, one succeeds; others each get a version", () =>
      Effect.gen(function* () {
        const { ok, on } = yield* templateProject
        const all = (body: (n: number) => object) =>
          Effect.all(
            Array.from({ length: 8 }, (_, n) => Effect.map(on("PATCH", "", body(n)), ({ status }) => status)),
            { concurrency: "unbounded" }
          )
        const expecting = yield* all((n) => ({ subject: `Subject ${n}`, expectedVersion: 1 }))
        assert.deepStrictEqual(expecting.filter((status) => status === 200).length, 1)
        const tags = ["de", "fr", "it", "es", "nl", "pt", "pl", "ja"]
        yield* all((n) => ({ translations: { [tags[n] ?? ""]: { subject: `${n}`, body: "<p></p>" } } }))
        const after = yield* ok("GET", "")
        assert.sameMembers(Object.keys(after.translations), tags)
        assert.strictEqual(after.version, 10)
        assert.strictEqual((yield* ok("GET", "/versions")).total, 10)
      })
    )

    it.effect("a version names the member who made it", () =>
      Effect.gen(function* () {
        const owner = yield* person("owner")
        const project = yield* newProject(owner.cookie)
        const domain = `members${++domains}.test`
        const asOwner = (method: string, path: string, body?: object) =>
          browse(owner.cookie, method, path, body, { "x-project-id": project.id })
        yield* asOwner("POST", "/domains", { domain })
        const made = yield* asOwner("POST", "/templates", {
          name: "Welcome",
          subject: "One",
          body: "<p>One</p>",
          from: `hi@${domain}`
        })
        const page = yield* asOwner("GET", `/templates/${made.body.id}/versions`)
        assert.deepStrictEqual(page.body.data[0].actor, { type: "member", userId: owner.id })
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Saved views on ${name}`, (it) => {
    const opened = Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id: project, secret } = yield* newProject(owner.cookie)
      const join = Effect.fnUntraced(function* (role: "ADMIN" | "MEMBER") {
        const someone = yield* person(role.toLowerCase())
        yield* addMember(owner.cookie, project, someone, role)
        return someone
      })
      const of =
        ({ cookie }: { readonly cookie: string }) =>
        (method: string, path: string, body?: unknown) =>
          browse(cookie, method, path, body, { "x-project-id": project })
      const key = (method: string, path: string, body?: unknown) =>
        send(method, path, body, { authorization: `Bearer ${secret}` })
      return { owner, project, join, of, key, asOwner: of(owner) }
    })
    const view = { page: "mails", name: "Bounced", query: "status=BOUNCED" }
    const code = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } | null }) =>
      `${status} ${body?.error?.code ?? "ok"}`
    const names = ({ body }: { readonly body: ReadonlyArray<{ readonly name: string }> }) =>
      body.map(({ name }) => name)

    it.effect("are seen by their maker, and shared ones by every member and the secret key", () =>
      Effect.gen(function* () {
        const { asOwner, owner, join, of, key } = yield* opened
        const asMember = of(yield* join("MEMBER"))
        const made = yield* asOwner("POST", "/views", view)
        assert.strictEqual(made.status, 201)
        assert.deepInclude(made.body, { ...view, shared: false, createdBy: { id: owner.id, email: owner.email } })
        yield* asOwner("POST", "/views", { ...view, name: "all of us", page: "contacts", shared: true })
        yield* asMember("POST", "/views", { ...view, name: "Mine" })
        yield* key("POST", "/views", { ...view, name: "By key" })
        assert.deepStrictEqual(names(yield* asOwner("GET", "/views")), ["all of us", "Bounced", "By key"])
        assert.deepStrictEqual(names(yield* asMember("GET", "/views")), ["all of us", "By key", "Mine"])
        assert.deepStrictEqual(names(yield* key("GET", "/views")), ["all of us", "By key"])
        assert.deepStrictEqual(names(yield* asOwner("GET", "/views?page=contacts")), ["all of us"])
        const byKey = (yield* key("GET", "/views?page=mails")).body[0]
        assert.deepInclude(byKey, { createdBy: null, shared: true })
        for (const wrong of [
          { ...view, page: "unknown" },
          { ...view, name: " " },
          { ...view, name: "a".repeat(101) },
          { ...view, query: "a".repeat(2001) },
          { page: "mails", name: "x" }
        ]) {
          assert.strictEqual(code(yield* asOwner("POST", "/views", wrong)), "422 VALIDATION_ERROR")
        }
        assert.strictEqual(code(yield* asOwner("POST", "/views", { ...view, query: "a".repeat(2000) })), "201 ok")
        assert.strictEqual(code(yield* key("POST", "/views", { ...view, shared: false })), "422 VALIDATION_ERROR")
        assert.strictEqual(code(yield* key("PATCH", `/views/${byKey.id}`, { shared: false })), "422 VALIDATION_ERROR")
        assert.strictEqual(code(yield* asOwner("GET", "/views?page=unknown")), "400 BAD_REQUEST")
      })
    )

    it.effect("are changed by their maker, and shared ones by an admin too", () =>
      Effect.gen(function* () {
        const { asOwner, join, of, key } = yield* opened
        const [asMember, asOther, asAdmin] = [
          of(yield* join("MEMBER")),
          of(yield* join("MEMBER")),
          of(yield* join("ADMIN"))
        ]
        const { id } = (yield* asMember("POST", "/views", view)).body
        const path = `/views/${id}`
        for (const ask of [asOther, asAdmin, asOwner, key]) {
          assert.strictEqual(code(yield* ask("PATCH", path, { name: "x" })), "404 RESOURCE_NOT_FOUND")
          assert.strictEqual(code(yield* ask("DELETE", path)), "404 RESOURCE_NOT_FOUND")
        }
        const renamed = yield* asMember("PATCH", path, { name: "Shared now", shared: true })
        assert.deepInclude(renamed.body, { ...view, name: "Shared now", shared: true })
        assert.strictEqual(code(yield* asOther("PATCH", path, { name: "x" })), "403 FORBIDDEN")
        assert.strictEqual(code(yield* asOther("DELETE", path)), "403 FORBIDDEN")
        assert.deepInclude((yield* asAdmin("PATCH", path, { query: "q=x" })).body, { query: "q=x", name: "Shared now" })
        assert.strictEqual((yield* asOther("GET", "/views")).body[0].query, "q=x")
        const other = yield* opened
        assert.strictEqual(code(yield* other.asOwner("DELETE", path)), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(code(yield* asAdmin("DELETE", path)), "204 ok")
        assert.strictEqual(code(yield* asMember("DELETE", path)), "404 RESOURCE_NOT_FOUND")
      })
    )

    it.effect("are at most 50 of a member and 200 of a project, also when saved at once", () =>
      Effect.gen(function* () {
        const { asOwner, owner, project, key } = yield* opened
        const sql = yield* SqlClient.SqlClient
        const fill = (user: string | null, count: number) => sql`
          insert into saved_views (project_id, id, user_id, page, name, query, shared, created_at)
          select ${project}::uuid, gen_random_uuid(), ${user}::uuid, 'mails', 'x', '', true, now()
          from generate_series(1, ${count}::int)`
        yield* fill(owner.id, 48)
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => asOwner("POST", "/views", view)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 422, 422, 422])
        yield* fill(null, 149)
        assert.strictEqual(code(yield* key("POST", "/views", view)), "201 ok")
        assert.strictEqual(code(yield* key("POST", "/views", view)), "422 VALIDATION_ERROR")
      })
    )

    it.effect("go with the member who made them, and are closed to API keys", () =>
      Effect.gen(function* () {
        const { asOwner, join, of, key, project } = yield* opened
        const leaver = yield* join("MEMBER")
        yield* of(leaver)("POST", "/views", { ...view, shared: true })
        assert.lengthOf((yield* asOwner("GET", "/views")).body, 1)
        const path = `/projects/${project}/members/${leaver.id}`
        assert.strictEqual((yield* settled(asOwner("DELETE", path))).status, 204)
        assert.deepStrictEqual((yield* asOwner("GET", "/views")).body, [])
        const { body: apiKey } = yield* key("POST", "/api-keys", { name: "All", scopes: ["*"] })
        const closed = yield* send("GET", "/views", undefined, { authorization: `Bearer ${apiKey.key}` })
        assert.deepStrictEqual(
          [closed.status, closed.body.error.details],
          [403, { reason: "scope", requiredScope: null }]
        )
      })
    )

    it.effect("that hold the address of a person are removed when the person is erased", () =>
      Effect.gen(function* () {
        const { asOwner, join, of, key } = yield* opened
        const email = "juergen+x@example.com"
        const contact = yield* key("POST", "/contacts", { email })
        assert.strictEqual(contact.status, 201, JSON.stringify(contact.body))
        const once = encodeURIComponent(email)
        const asMember = of(yield* join("MEMBER"))
        for (const query of [
          `q=${email}`,
          `q=${once}`,
          `q=${once.toUpperCase()}`,
          `from=${encodeURIComponent(`/x?q=${once}`)}`,
          "q=other%2Bx%40example.com"
        ]) {
          assert.strictEqual((yield* asMember("POST", "/views", { ...view, query })).status, 201)
        }
        yield* asOwner("POST", "/views", { ...view, name: email.toUpperCase() })
        assert.strictEqual((yield* key("POST", `/contacts/${contact.body.id}/erase`)).status, 200)
        const left = [...(yield* asMember("GET", "/views")).body, ...(yield* asOwner("GET", "/views")).body]
        assert.deepStrictEqual(
          left.map(({ query }) => query),
          ["q=other%2Bx%40example.com"]
        )
      })
    )
  })
}

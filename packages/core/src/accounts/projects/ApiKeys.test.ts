import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, browse, emailsTo, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { project, publicKey, servicesOn } from "../../testing/Services.ts"
import { clientHeader, outcome, send, wire, wireOver } from "../../testing/TestClient.ts"
import { sendExpiryEmails } from "./ApiKeyEmails.ts"
import { checkKey } from "./KeyCheck.ts"
import { Projects, layer as projects } from "./Projects.ts"

const bearer = (key: string, headers: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...headers })

const create = (input: Record<string, unknown> = {}) =>
  Effect.map(send("POST", "/api-keys", { name: "Shop", scopes: ["*"], ...input }), ({ status, body }) => {
    assert.strictEqual(status, 201, JSON.stringify(body))
    return body
  })

const whoami = (key: string, headers: Record<string, string> = {}) =>
  outcome("GET", "/projects/current", undefined, bearer(key, headers))

const faultsOf = (input: unknown, method = "POST", path = "/api-keys") =>
  Effect.map(send(method, path, input), ({ status, body }) => [
    status,
    ...(body.error?.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
  ])

const unknownId = "019a0000-0000-7000-8000-00000000dead"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`API keys on ${name}`, (it) => {
    it.effect("a new key is shown once, with its settings in canonical form", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 10))
        const { key, ...record } = yield* create({
          name: " Till ",
          scopes: ["send", "emails:read", "send"],
          senderDomains: ["ACME.com.", "acme.com"],
          ipRanges: ["198.51.100.7/24", "2001:DB8::1", "192.0.2.4"],
          rateLimitPerMinute: 30,
          expiresAt: "2026-04-01"
        })
        assert.match(key, /^ph_live_[\w-]{43}$/)
        const { id, ...fields } = record
        assert.deepStrictEqual(fields, {
          projectId: project,
          name: "Till",
          mode: "LIVE",
          scopes: ["send", "emails:read"],
          senderDomains: ["acme.com"],
          ipRanges: ["198.51.100.0/24", "2001:db8::1", "192.0.2.4"],
          rateLimitPerMinute: 30,
          hint: key.slice(-4),
          expiresAt: "2026-04-01T00:00:00.000Z",
          previousValidUntil: null,
          lastUsedAt: null,
          lastUsedVia: null,
          createdBy: { kind: "key", id: null },
          createdAt: "2026-03-01T10:00:00.000Z",
          updatedAt: "2026-03-01T10:00:00.000Z"
        })
        assert.deepStrictEqual((yield* send("GET", `/api-keys/${id}`)).body, record)
        const test = yield* create({ mode: "TEST", scopes: ["send"] })
        assert.match(test.key, /^ph_test_[\w-]{43}$/)
        const { body: all } = yield* send("GET", "/api-keys")
        assert.deepStrictEqual(
          all.slice(0, 2).map((found: { id: string; key?: string }) => [found.id, found.key]),
          [
            [test.id, undefined],
            [id, undefined]
          ]
        )
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql<{ name: string }>`
          select table_name as name from information_schema.tables where table_schema = current_schema()`
        const dump = yield* Effect.forEach(tables, ({ name }) => sql`select rows::text from ${sql(name)} as rows`)
        assert.include(JSON.stringify(dump), key.slice(-4))
        for (const secret of [key, test.key]) assert.notInclude(JSON.stringify(dump), secret.slice(8, 40))
      })
    )

    it.effect("a faulty request names each fault, and nothing is stored", () =>
      Effect.gen(function* () {
        const before = (yield* send("GET", "/api-keys")).body.length
        assert.deepStrictEqual(yield* faultsOf({}), [422, "name required", "scopes required"])
        assert.deepStrictEqual(yield* faultsOf({ name: "x".repeat(101), scopes: [] }), [
          422,
          "name too_big",
          "scopes too_small"
        ])
        assert.deepStrictEqual(
          yield* faultsOf({
            name: "K",
            scopes: ["sends"],
            mode: "BOTH",
            senderDomains: ["no domain"],
            ipRanges: ["198.51.100.0/33"],
            rateLimitPerMinute: 0,
            expiresAt: "tomorrow"
          }),
          [
            422,
            "mode invalid_enum",
            "scopes.0 invalid_enum",
            "senderDomains.0 invalid_string",
            "ipRanges.0 invalid_string",
            "rateLimitPerMinute too_small",
            "expiresAt invalid_string"
          ]
        )
        assert.deepStrictEqual(
          yield* faultsOf({ name: "K", mode: "TEST", scopes: ["send", "contacts:write"], expiresAt: "2020-01-01" }),
          [422, "scopes.1 custom", "expiresAt custom"]
        )
        assert.deepStrictEqual(yield* faultsOf({ name: "K", mode: "TEST", scopes: ["*"] }), [422, "scopes.0 custom"])
        assert.deepStrictEqual(yield* faultsOf({ name: "K", scopes: ["*"], expiresAt: "2027-02-30" }), [
          422,
          "expiresAt invalid_string"
        ])
        const { id } = yield* create({ mode: "TEST", scopes: ["emails:write", "contacts:read"] })
        assert.deepStrictEqual(yield* faultsOf({ scopes: ["verify"] }, "PATCH", `/api-keys/${id}`), [
          422,
          "scopes.0 custom"
        ])
        assert.deepStrictEqual(yield* faultsOf({ overlapHours: 169 }, "POST", `/api-keys/${id}/rotate`), [
          422,
          "overlapHours too_big"
        ])
        assert.strictEqual((yield* send("GET", "/api-keys")).body.length, before + 1)
        for (const [method, path] of [
          ["GET", `/api-keys/${unknownId}`],
          ["PATCH", `/api-keys/${unknownId}`],
          ["POST", `/api-keys/${unknownId}/rotate`],
          ["DELETE", `/api-keys/${unknownId}`],
          ["GET", "/api-keys/nonsense"]
        ] as const) {
          const { status, body } = yield* send(method, path, method === "GET" ? undefined : {})
          assert.deepStrictEqual([status, body.error.details.resource], [404, "api_key"], `${method} ${path}`)
        }
      })
    )

    it.effect("a key opens what its scopes name, wherever the secret key does", () =>
      Effect.gen(function* () {
        const { key, id } = yield* create({ name: "Reader", scopes: ["contacts:write", "templates:read"] })
        const { body } = yield* send("GET", "/projects/current", undefined, bearer(key))
        assert.deepStrictEqual(body.key, { kind: "api", mode: "LIVE", scopes: ["contacts:write", "templates:read"] })
        assert.strictEqual(yield* outcome("GET", "/contacts", undefined, bearer(key)), "200 ok")
        const created = yield* send("POST", "/contacts", { email: "ada@example.com" }, bearer(key))
        assert.strictEqual(created.status, 201)
        const refused = yield* send("POST", "/templates", { name: "T" }, bearer(key))
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.details],
          [403, "FORBIDDEN", { reason: "scope", requiredScope: "templates:write" }]
        )
        const closed = yield* send("GET", "/api-keys", undefined, bearer(key))
        assert.deepStrictEqual(closed.body.error.details, { reason: "scope", requiredScope: null })
        const sends = yield* send("PATCH", `/emails/${id}`, {}, bearer(key))
        assert.deepStrictEqual(sends.body.error.details, { reason: "scope", requiredScope: "send" })
        const everything = yield* create()
        assert.strictEqual(yield* outcome("GET", "/webhooks", undefined, bearer(everything.key)), "200 ok")
        assert.strictEqual(yield* outcome("GET", "/api-keys", undefined, bearer(everything.key)), "403 FORBIDDEN")
        assert.strictEqual(
          yield* outcome("GET", `/projects/${project}/members`, undefined, bearer(everything.key)),
          "403 FORBIDDEN"
        )
        const track = yield* send("POST", "/v1/track", {}, bearer(everything.key))
        assert.deepStrictEqual([track.status, track.body.error.details], [401, { reason: "secret" }])
        assert.strictEqual(yield* outcome("GET", "/users/@me", undefined, bearer(everything.key)), "401 UNAUTHORIZED")
      })
    )

    it.effect("a key is refused outside of its addresses, and from an unknown address", () =>
      Effect.gen(function* () {
        const { key } = yield* create({ ipRanges: ["198.51.100.0/24", "2001:db8::/32"] })
        const from = (address: string) => whoami(key, { [clientHeader]: address })
        assert.strictEqual(yield* from("198.51.100.9"), "200 ok")
        assert.strictEqual(yield* from("::ffff:198.51.100.9"), "200 ok")
        assert.strictEqual(yield* from("2001:db8:1::5"), "200 ok")
        assert.strictEqual(yield* from("198.51.101.9"), "403 FORBIDDEN")
        assert.strictEqual(yield* from("2001:db9::5"), "403 FORBIDDEN")
        const { body } = yield* send("GET", "/contacts", undefined, bearer(key))
        assert.deepStrictEqual(body.error.details, { reason: "ip_not_allowed" })
      })
    )

    it.effect("a key sends from its domains only", () =>
      Effect.gen(function* () {
        for (const domain of ["acme.test", "other.test"]) yield* send("POST", "/domains", { domain })
        const { key } = yield* create({ scopes: ["send"], senderDomains: ["acme.test"] })
        const mail = (from: string) => ({ to: "ada@example.com", from, subject: "Hi", body: "<p>Hi</p>" })
        assert.strictEqual(yield* outcome("POST", "/v1/send", mail("a@acme.test"), bearer(key)), "200 ok")
        const { status, body } = yield* send("POST", "/v1/send", mail("a@other.test"), bearer(key))
        assert.deepStrictEqual(
          [status, body.error.code, body.error.details],
          [403, "FORBIDDEN", { reason: "sender_domain", domain: "other.test" }]
        )
        assert.strictEqual(yield* outcome("POST", "/v1/send", mail("a@other.test")), "200 ok")
      })
    )

    it.effect("a key has its own limit beside that of the project", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 2))
        const { key } = yield* create({ rateLimitPerMinute: 3 })
        for (let count = 0; count < 3; count++) assert.strictEqual(yield* whoami(key), "200 ok")
        const { status, headers, body } = yield* send("GET", "/contacts", undefined, bearer(key))
        assert.deepStrictEqual(
          [status, headers.get("retry-after"), body.error.details],
          [429, "61", { limit: 3, retryAfter: 61, scope: "key" }]
        )
        const other = yield* send("GET", "/contacts")
        assert.strictEqual(other.headers.get("ratelimit-limit"), "1000")
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* whoami(key), "200 ok")
      })
    )

    it.effect("a key ends at its expiry, and the answer says so", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 3))
        const { key, id } = yield* create({ expiresAt: "2026-03-03T00:00:05Z" })
        assert.strictEqual(yield* whoami(key), "200 ok")
        yield* TestClock.adjust("4999 millis")
        assert.strictEqual(yield* whoami(key), "200 ok")
        yield* TestClock.adjust("1 millis")
        const { status, body } = yield* send("GET", "/contacts", undefined, bearer(key))
        assert.deepStrictEqual([status, body.error.details], [401, { reason: "expired" }])
        assert.include(body.error.message, "expired")
        assert.strictEqual((yield* settled(send("PATCH", `/api-keys/${id}`, { expiresAt: null }))).status, 200)
        assert.strictEqual(yield* whoami(key), "200 ok")
      })
    )

    it.effect("the old key is accepted during the overlap; another rotation ends the oldest at once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 4))
        const first = yield* create()
        const rotate = (body?: unknown) => settled(send("POST", `/api-keys/${first.id}/rotate`, body))
        const { body: second } = yield* rotate()
        assert.notStrictEqual(second.key, first.key)
        assert.strictEqual(second.hint, second.key.slice(-4))
        const overlap = Date.parse(second.previousValidUntil) - Date.UTC(2026, 2, 5)
        assert.isTrue(overlap >= 0 && overlap < 5_000, second.previousValidUntil)
        assert.deepStrictEqual([yield* whoami(first.key), yield* whoami(second.key)], ["200 ok", "200 ok"])
        const { body: third } = yield* rotate({ overlapHours: 1 })
        assert.deepStrictEqual(
          [yield* whoami(first.key), yield* whoami(second.key), yield* whoami(third.key)],
          ["401 INVALID_API_KEY", "200 ok", "200 ok"]
        )
        yield* TestClock.setTime(Date.parse(third.previousValidUntil))
        assert.strictEqual(yield* whoami(second.key), "401 INVALID_API_KEY")
        const { body: fourth } = yield* rotate({ overlapHours: 0 })
        assert.isNull(fourth.previousValidUntil)
        assert.deepStrictEqual([yield* whoami(third.key), yield* whoami(fourth.key)], ["401 INVALID_API_KEY", "200 ok"])
      })
    )

    it.effect("a rotation under load refuses nothing during the overlap", () =>
      Effect.gen(function* () {
        const { key, id } = yield* create({ scopes: ["contacts:read"] })
        const answers: Array<string> = []
        const load = yield* Effect.forkChild(
          Effect.forever(Effect.tap(whoami(key), (answer) => Effect.sync(() => answers.push(answer))))
        )
        const { body: next } = yield* settled(send("POST", `/api-keys/${id}/rotate`))
        for (let count = 0; count < 20; count++) answers.push(yield* whoami(next.key))
        yield* Fiber.interrupt(load)
        assert.isAbove(answers.length, 20)
        assert.deepStrictEqual([...new Set(answers)], ["200 ok"])
      })
    )

    it.effect("a deleted or changed key is so in every process when the answer arrives", () =>
      Effect.gen(function* () {
        const process = Effect.flatMap(Layer.build(Layer.fresh(projects)), (built) =>
          Effect.provideContext(Projects, built)
        )
        const others = [yield* process, yield* process]
        const { key, id } = yield* create({ scopes: ["contacts:read"] })
        const seen = Effect.forEach(others, (other) =>
          other.authenticate("secret", key).pipe(
            Effect.map(({ apiKey }) => apiKey?.scopes.join() ?? "none"),
            Effect.catch(({ reason }) => Effect.succeed(reason))
          )
        )
        assert.deepStrictEqual(yield* seen, ["contacts:read", "contacts:read"])
        yield* settled(send("PATCH", `/api-keys/${id}`, { scopes: ["events:read"] }))
        assert.deepStrictEqual(yield* seen, ["events:read", "events:read"])
        assert.strictEqual((yield* settled(send("DELETE", `/api-keys/${id}`))).status, 204)
        assert.deepStrictEqual(yield* seen, ["unknown", "unknown"])
        assert.strictEqual(yield* whoami(key), "401 INVALID_API_KEY")
      }).pipe(Effect.scoped)
    )

    it.effect("the last use is recorded once a minute", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 6))
        const { key, id } = yield* create()
        const lastUse = Effect.map(send("GET", `/api-keys/${id}`), ({ body }) => [body.lastUsedAt, body.lastUsedVia])
        yield* whoami(key)
        assert.deepStrictEqual(yield* lastUse, ["2026-03-06T00:00:00.000Z", "HTTP"])
        yield* TestClock.adjust("59 seconds")
        yield* whoami(key)
        assert.deepStrictEqual(yield* lastUse, ["2026-03-06T00:00:00.000Z", "HTTP"])
        yield* TestClock.adjust("1 seconds")
        const { project: found, actor } = yield* checkKey(key, { operation: "send", address: undefined, via: "SMTP" })
        assert.strictEqual(found.id, project)
        assert.deepInclude(actor, { kind: "key" })
        assert.deepStrictEqual(yield* lastUse, ["2026-03-06T00:01:00.000Z", "SMTP"])
      })
    )

    it.effect("outside of HTTP, a key is checked by the same rules", () =>
      Effect.gen(function* () {
        const check = (key: string, address?: string) =>
          checkKey(key, { operation: "send", address, via: "SMTP" }).pipe(
            Effect.as("ok"),
            Effect.catch(({ reason }) => Effect.succeed<string>(reason))
          )
        const reader = yield* create({ scopes: ["emails:read"] })
        const sender = yield* create({ scopes: ["send"], ipRanges: ["192.0.2.1"] })
        assert.strictEqual(yield* check(reader.key), "scope")
        assert.strictEqual(yield* check(sender.key, "192.0.2.2"), "ip_not_allowed")
        assert.strictEqual(yield* check(sender.key, "192.0.2.1"), "ok")
        assert.strictEqual(yield* check(publicKey), "public")
        assert.strictEqual(yield* check(`ph_live_${"x".repeat(43)}`), "unknown")
      })
    )

    it.effect("a project has at most 100 keys", () =>
      Effect.gen(function* () {
        const { body } = yield* send("GET", "/api-keys")
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into api_keys (project_id, id, name, mode, scopes, sender_domains, ip_ranges, hash, hint, created_at, updated_at)
          select ${project}, gen_random_uuid(), 'Many', 'LIVE', '{send}', '{}', '{}', 'many ' || n, 'many', now(), now()
          from generate_series(${body.length + 1}::int, 99) as n`
        const answers = yield* Effect.all(
          [1, 2, 3].map(() => faultsOf({ name: "Last", scopes: ["send"] })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map((answer) => answer.join(" ")).sort(), [
          "201",
          "422 name too_big",
          "422 name too_big"
        ])
        yield* sql`delete from api_keys where name in ('Many', 'Last')`
      })
    )
  })
}

layer(wire, { timeout: "120 seconds" })("API keys of members", (it) => {
  it.effect("an ADMIN manages keys, a MEMBER does not even see them", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id, secret } = yield* newProject(owner.cookie)
      const member = yield* person("member")
      yield* addMember(owner.cookie, id, member, "MEMBER")
      const inProject = { "x-project-id": id }
      for (const [method, path] of [
        ["GET", "/api-keys"],
        ["POST", "/api-keys"],
        ["GET", `/api-keys/${unknownId}`],
        ["PATCH", `/api-keys/${unknownId}`],
        ["POST", `/api-keys/${unknownId}/rotate`],
        ["DELETE", `/api-keys/${unknownId}`]
      ] as const) {
        const { status, body } = yield* browse(
          member.cookie,
          method,
          path,
          method === "GET" ? undefined : {},
          inProject
        )
        assert.deepStrictEqual([status, body.error.details], [403, { reason: "role" }], `${method} ${path}`)
      }
      const input = { name: "Till", scopes: ["send"] }
      const { body: key } = yield* browse(owner.cookie, "POST", "/api-keys", input, inProject)
      assert.deepStrictEqual(key.createdBy, { kind: "member", id: owner.id })
      // Keys of another project are not found, and the secret key of this one sees its own.
      assert.strictEqual(yield* outcome("GET", `/api-keys/${key.id}`), "404 RESOURCE_NOT_FOUND")
      assert.strictEqual(yield* outcome("DELETE", `/api-keys/${key.id}`), "404 RESOURCE_NOT_FOUND")
      assert.strictEqual(yield* outcome("GET", `/api-keys/${key.id}`, undefined, bearer(secret)), "200 ok")
      const { body: current } = yield* send("GET", "/projects/current", undefined, bearer(key.key))
      assert.strictEqual(current.id, id)
    })
  )

  it.effect("keys outlive a change of the project's own keys; on a disabled project they can be ended", () =>
    Effect.gen(function* () {
      const owner = yield* person("owner")
      const { id } = yield* newProject(owner.cookie)
      const inProject = { "x-project-id": id }
      const make = (name: string) =>
        Effect.map(
          browse(owner.cookie, "POST", "/api-keys", { name, scopes: ["*"] }, inProject),
          ({ body }) => body as { id: string; key: string }
        )
      const [one, two] = [yield* make("One"), yield* make("Two")]
      yield* settled(browse(owner.cookie, "POST", `/users/@me/projects/${id}/regenerate-keys`))
      assert.strictEqual(yield* whoami(one.key), "200 ok")
      yield* settled(Effect.orDie(Projects.use(({ disable }) => disable(id as never, "MANUAL"))))
      const { status, body } = yield* send("POST", "/contacts", { email: "a@example.com" }, bearer(one.key))
      assert.deepStrictEqual([status, body.error.code], [403, "PROJECT_DISABLED"])
      const refused = yield* browse(owner.cookie, "PATCH", `/api-keys/${one.id}`, { name: "X" }, inProject)
      assert.strictEqual(refused.body.error.code, "PROJECT_DISABLED")
      const rotated = yield* settled(browse(owner.cookie, "POST", `/api-keys/${one.id}/rotate`, {}, inProject))
      assert.strictEqual(rotated.status, 200)
      const removed = yield* settled(browse(owner.cookie, "DELETE", `/api-keys/${two.id}`, undefined, inProject))
      assert.strictEqual(removed.status, 204)
      assert.strictEqual(yield* whoami(two.key), "401 INVALID_API_KEY")
    })
  )

  it.effect("the OWNER and ADMINs get one letter seven days before an expiry; the audit log has every change", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 1))
      const owner = yield* person("owner")
      const { id } = yield* newProject(owner.cookie)
      const admin = yield* person("admin")
      yield* addMember(owner.cookie, id, admin, "ADMIN")
      const member = yield* person("member")
      yield* addMember(owner.cookie, id, member, "MEMBER")
      const inProject = { "x-project-id": id }
      const now = yield* DateTime.now
      const expiresAt = DateTime.formatIso(DateTime.add(now, { days: 8 }))
      const input = { name: "Till", scopes: ["send"], expiresAt }
      const { body: key } = yield* browse(owner.cookie, "POST", "/api-keys", input, inProject)
      const letters = (address: string) =>
        Effect.map(
          emailsTo(address),
          (found) => found.filter(({ subject }) => subject.includes("expire")) as ReadonlyArray<{ body: string }>
        )
      yield* sendExpiryEmails
      assert.lengthOf(yield* letters(owner.email), 0)
      yield* TestClock.adjust("1 days")
      for (let run = 0; run < 3; run++) yield* sendExpiryEmails
      const [letter, ...more] = yield* letters(owner.email)
      assert.lengthOf(more, 0)
      assert.include(letter?.body, expiresAt)
      assert.include(letter?.body, key.hint)
      assert.notInclude(letter?.body, key.key)
      assert.lengthOf(yield* letters(admin.email), 1)
      assert.lengthOf(yield* letters(member.email), 0)
      // Another expiry has another letter.
      const later = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 2 }))
      yield* settled(browse(owner.cookie, "PATCH", `/api-keys/${key.id}`, { expiresAt: later }, inProject))
      yield* sendExpiryEmails
      assert.lengthOf(yield* letters(owner.email), 2)
      yield* TestClock.adjust("3 days")
      for (let run = 0; run < 2; run++) yield* sendExpiryEmails
      assert.lengthOf(yield* letters(owner.email), 2)
      yield* settled(browse(owner.cookie, "POST", `/api-keys/${key.id}/rotate`, {}, inProject))
      yield* settled(browse(owner.cookie, "DELETE", `/api-keys/${key.id}`, undefined, inProject))
      const sql = yield* SqlClient.SqlClient
      const audit = yield* sql`
        select action, actor, user_id = ${owner.id} as "isOwner", details - 'id' as details from audit_log
        where project_id = ${id} and action like 'api_key.%' order by id`
      const details = { name: "Till", mode: "LIVE", scopes: ["send"] }
      assert.deepStrictEqual(audit, [
        { action: "api_key.created", actor: "user", isOwner: true, details },
        { action: "api_key.updated", actor: "user", isOwner: true, details },
        { action: "api_key.expired", actor: "service", isOwner: null, details },
        { action: "api_key.rotated", actor: "user", isOwner: true, details },
        { action: "api_key.deleted", actor: "user", isOwner: true, details }
      ])
    })
  )
})

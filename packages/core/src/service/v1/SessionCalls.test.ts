/** `POST /emails` and `POST /contacts/verify`: what `/v1/send` and `/v1/verify` are for keys, also with a session. */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { Projects } from "../../accounts/projects/Projects.ts"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, zone } from "../../testing/Services.ts"
import { outcome, send, wireOver } from "../../testing/TestClient.ts"

let last = 0

/** A project with a verified domain, and its members. */
const shop = Effect.gen(function* () {
  const domain = `shop-${++last}.test`
  const owner = yield* person("owner")
  const project = yield* newProject(owner.cookie)
  const bearer = { authorization: `Bearer ${project.secret}` }
  yield* send("POST", "/domains", { domain }, bearer)
  const mail = (more = {}) => ({
    to: "ada@example.com",
    from: `hi@${domain}`,
    subject: "Hi",
    body: "<p>Hi</p>",
    ...more
  })
  return { owner, project, bearer, mail, inProject: { "x-project-id": project.id } }
})

const key = Effect.fnUntraced(function* (bearer: Record<string, string>, input: object) {
  const { body } = yield* send("POST", "/api-keys", { name: "Key", ...input }, bearer)
  return { authorization: `Bearer ${body.key}` }
})

const summary = ({ status, body }: { readonly status: number; readonly body: { readonly error?: { code: string } } }) =>
  `${status} ${body?.error?.code ?? "ok"}`

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`A session on ${name}`, (it) => {
    it.effect("sends mail with any role, as the secret key does", () =>
      Effect.gen(function* () {
        const { bearer, inProject, mail, owner, project } = yield* shop
        const [admin, member] = [yield* person("admin"), yield* person("member")]
        yield* settled(addMember(owner.cookie, project.id, admin, "ADMIN"))
        yield* settled(addMember(owner.cookie, project.id, member, "MEMBER"))
        for (const { cookie, email } of [owner, admin, member]) {
          const to = `for-${email}`
          const { status, body } = yield* browse(cookie, "POST", "/emails", mail({ to }), inProject)
          assert.strictEqual(status, 200, JSON.stringify(body))
          const [{ email: id }] = body.data.emails
          const { body: record } = yield* browse(cookie, "GET", `/emails/${id}`, undefined, inProject)
          assert.deepInclude(record, { to, subject: "Hi", status: "PENDING", apiKeyId: null })
        }
        const byKey = yield* send("POST", "/emails", mail(), bearer)
        const byV1 = yield* send("POST", "/v1/send", mail(), bearer)
        assert.strictEqual(byKey.status, 200)
        assert.deepStrictEqual(Object.keys(byKey.body.data), Object.keys(byV1.body.data))
      })
    )

    it.effect("is refused as the secret key is: a fault, an unverified domain, a disabled project", () =>
      Effect.gen(function* () {
        const { bearer, inProject, mail, owner, project } = yield* shop
        const send = (body: unknown) => Effect.map(browse(owner.cookie, "POST", "/emails", body, inProject), summary)
        assert.strictEqual(yield* send(mail({ to: "nobody" })), "422 VALIDATION_ERROR")
        assert.strictEqual(yield* send(mail({ from: "hi@other.example" })), "403 INTERNAL_SERVER_ERROR")
        assert.strictEqual(yield* send(mail({ template: project.id })), "404 TEMPLATE_NOT_FOUND")
        assert.strictEqual(yield* send(mail({ text: "x".repeat(41 * 1024 * 1024) })), "413 PAYLOAD_TOO_LARGE")
        yield* settled(Projects.use(({ disable }) => disable(ProjectId.make(project.id), "MANUAL")))
        assert.strictEqual(yield* send(mail()), "403 PROJECT_DISABLED")
        assert.strictEqual(yield* outcome("POST", "/emails", mail(), bearer), "403 PROJECT_DISABLED")
        const verified = yield* browse(owner.cookie, "POST", "/contacts/verify", { email: "a@b.co" }, inProject)
        assert.strictEqual(summary(verified), "403 PROJECT_DISABLED")
      })
    )

    it.effect("shares the space of Idempotency-Keys with the secret key", () =>
      Effect.gen(function* () {
        const { bearer, inProject, mail, owner } = yield* shop
        const once = { "idempotency-key": "order-1" }
        const post = (more = {}) => browse(owner.cookie, "POST", "/emails", mail(), { ...inProject, ...once, ...more })
        const first = yield* post()
        assert.strictEqual(first.status, 200)
        assert.strictEqual(summary(yield* post()), "409 IDEMPOTENCY_KEY_REUSED")
        const replayed = yield* post({ "idempotency-mode": "replay" })
        assert.deepStrictEqual([replayed.status, replayed.body], [200, first.body])
        assert.strictEqual(
          yield* outcome("POST", "/v1/send", mail(), { ...bearer, ...once }),
          "409 IDEMPOTENCY_KEY_REUSED"
        )
      })
    )

    it.effect("sends and verifies for no other project, and from no page of another origin", () =>
      Effect.gen(function* () {
        const { inProject, mail, owner } = yield* shop
        const { owner: stranger } = yield* shop
        for (const [path, body] of [
          ["/emails", mail()],
          ["/contacts/verify", { email: "ada@example.com" }]
        ] as const) {
          const answers = [
            browse(stranger.cookie, "POST", path, body, inProject),
            browse(owner.cookie, "POST", path, body),
            browse("", "POST", path, body, inProject),
            browse(owner.cookie, "POST", path, body, { ...inProject, origin: "https://evil.example" })
          ]
          assert.deepStrictEqual(
            (yield* Effect.all(answers)).map(summary),
            ["403 PROJECT_ACCESS_DENIED", "400 BAD_REQUEST", "401 INVALID_API_KEY", "403 FORBIDDEN"],
            path
          )
        }
        const { body } = yield* browse(owner.cookie, "GET", "/emails", undefined, inProject)
        assert.strictEqual(body.total, 0)
      })
    )

    it.effect("API keys need the scopes of `/v1/send` and `/v1/verify`, and keep to their sender domains", () =>
      Effect.gen(function* () {
        const { bearer, mail } = yield* shop
        const sender = yield* key(bearer, { scopes: ["send"] })
        const reader = yield* key(bearer, { scopes: ["emails:write", "contacts:write"] })
        const verifier = yield* key(bearer, { scopes: ["verify"] })
        const elsewhere = yield* key(bearer, { scopes: ["send"], senderDomains: ["elsewhere.test"] })
        const address = { email: "ada@example.com" }
        const refused = (path: string, body: unknown, headers: Record<string, string>) =>
          Effect.map(send("POST", path, body, headers), ({ status, body }) => [status, body.error.details])
        assert.strictEqual(yield* outcome("POST", "/emails", mail(), sender), "200 ok")
        assert.strictEqual(yield* outcome("POST", "/contacts/verify", address, verifier), "200 ok")
        assert.deepInclude((yield* refused("/emails", mail(), reader))[1], { requiredScope: "send" })
        assert.deepInclude((yield* refused("/emails", mail(), elsewhere))[1], { reason: "sender_domain" })
        assert.deepInclude((yield* refused("/contacts/verify", address, sender))[1], { requiredScope: "verify" })
        const { body } = yield* send("GET", "/emails", undefined, bearer)
        assert.isString(body.data[0].apiKeyId)
      })
    )

    it.effect("verifies an address as `/v1/verify` does, and stores nothing", () =>
      Effect.gen(function* () {
        const { bearer, inProject, owner } = yield* shop
        zone.set("good.example", { mx: [{ priority: 10, exchange: "mx.example" }], a: ["192.0.2.1"] })
        const address = { email: " Anna@Good.Example " }
        const bySession = yield* browse(owner.cookie, "POST", "/contacts/verify", address, inProject)
        const byV1 = yield* send("POST", "/v1/verify", address, bearer)
        assert.deepInclude(bySession.body.data, { email: "anna@good.example", valid: true })
        assert.deepStrictEqual([bySession.status, bySession.body], [byV1.status, byV1.body])
        assert.strictEqual(
          summary(yield* browse(owner.cookie, "POST", "/contacts/verify", { email: "nobody" }, inProject)),
          "422 VALIDATION_ERROR"
        )
        assert.strictEqual((yield* send("GET", "/contacts", undefined, bearer)).body.total, 0)
      })
    )
  })
}

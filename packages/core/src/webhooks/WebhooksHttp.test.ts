import { assert, describe, it, layer } from "@effect/vitest"
import { isPattern } from "@posthorn/contract/webhooks/WebhookTypes"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { freshProject } from "../audience/segments/SegmentsFixture.ts"
import { EventLog } from "../events/EventLog.ts"
import { SecretBox } from "../platform/SecretBox.ts"
import { SecretRotation } from "../service/secrets/SecretRotation.ts"
import { boxUnder, nextSecret, rotationUnder, secret } from "../testing/Services.ts"
import { wire } from "../testing/TestClient.ts"
import { openSecret } from "./WebhookSecrets.ts"
import { answered, endpoint, listening, loops, soon, unreachable } from "./WebhooksFixture.ts"

describe("Patterns of types", () => {
  it.each([
    "*",
    "email.*",
    "email.bounce",
    "event.tracked",
    "workflow.*",
    "workflow.execution.*",
    "segment.*",
    "segment.pro.*",
    "segment.größe-2.entry",
    "webhook.test"
  ])("%s matches a type", (pattern) => assert.isTrue(isPattern(pattern)))
  it.each([
    "",
    ".*",
    "email",
    "email.",
    "email.opened",
    "mail.*",
    "email.bounce.*",
    "em*",
    "**",
    "segment",
    "segment..entry",
    "segment.pro.left",
    "segment.pro.entry.*",
    "Email.*"
  ])("'%s' matches no type", (pattern) => assert.isFalse(isPattern(pattern)))
})

const unknownId = "019a0000-0000-7000-8000-00000000ffff"

layer(Layer.provideMerge(loops, wire), { timeout: "60 seconds" })("Webhooks over HTTP", (it) => {
  it.effect("shows the secret only in the response that creates it", () =>
    Effect.gen(function* () {
      const { ask, project } = yield* freshProject
      const url = "https://app.example.com/hooks/mail"
      const made = yield* ask("POST", "/webhooks", { url, events: ["email.*", "contact.unsubscribed"] })
      assert.strictEqual(made.status, 201)
      const { secret, ...record } = made.body
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      const { id, createdAt, updatedAt, ...rest } = record
      assert.strictEqual(createdAt, updatedAt)
      assert.deepStrictEqual(rest, {
        projectId: project,
        url,
        description: null,
        events: ["email.*", "contact.unsubscribed"],
        enabled: true,
        testMode: false,
        disabledReason: null,
        secretHint: secret.slice(-4),
        lastSuccessAt: null,
        failingSince: null
      })
      assert.deepStrictEqual((yield* ask("GET", `/webhooks/${id}`)).body, record)
      yield* TestClock.adjust("1 second")
      const own = `whsec_${"a".repeat(32)}`
      const second = yield* ask("POST", "/webhooks", { url, events: ["*"], secret: own, enabled: false })
      assert.deepInclude(second.body, { secret: own, enabled: false, secretHint: "aaaa" })
      const list = yield* ask("GET", "/webhooks")
      assert.deepStrictEqual(
        list.body.map((webhook: { id: string }) => webhook.id),
        [second.body.id, id]
      )
      assert.notInclude(JSON.stringify(list.body), "whsec_")
      const sql = yield* SqlClient.SqlClient
      const stored = JSON.stringify(yield* sql`select * from webhook_endpoints where project_id = ${project}`)
      assert.notInclude(stored, own)
      const rotated = yield* ask("POST", `/webhooks/${id}/rotate-secret`)
      assert.strictEqual(rotated.status, 200)
      assert.strictEqual(
        Date.parse(rotated.body.previousValidUntil),
        Date.parse(rotated.body.updatedAt) + 24 * 3600 * 1000
      )
      assert.strictEqual((yield* ask("DELETE", `/webhooks/${id}`)).status, 204)
      assert.strictEqual((yield* ask("GET", `/webhooks/${id}`)).status, 404)
    })
  )

  it.effect("refuses invalid fields, each with its own error", () =>
    Effect.gen(function* () {
      const { ask } = yield* freshProject
      const url = "https://app.example.com/hook"
      const good = { url, events: ["*"] }
      const faults = (body: { error: { code: string; errors: ReadonlyArray<{ field: string; code: string }> } }) =>
        [body.error.code, ...body.error.errors.map(({ field, code }) => `${field} ${code}`)].join(", ")
      for (const [body, expected] of [
        [{}, "url required, events required"],
        [{ ...good, url: "ftp://example.com/" }, "url invalid_string"],
        [{ ...good, url: "http://127.0.0.1/" }, "url invalid_string"],
        [{ ...good, url: "http://0x7f000001/" }, "url invalid_string"],
        [{ ...good, url: "http://[::ffff:10.0.0.1]/" }, "url invalid_string"],
        [{ ...good, url: "http://169.254.169.254/latest" }, "url invalid_string"],
        [{ ...good, url: "https://user:pw@example.com/" }, "url invalid_string"],
        [{ ...good, url: `https://example.com/${"x".repeat(2048)}` }, "url invalid_string"],
        [{ ...good, url: 7 }, "url invalid_type"],
        [{ ...good, events: [] }, "events too_small"],
        [{ ...good, events: Array.from({ length: 51 }, () => "*") }, "events too_big"],
        [{ ...good, events: ["*", "email.opened"] }, "events.1 invalid_enum"],
        [{ ...good, description: "x".repeat(501) }, "description too_big"],
        [{ ...good, enabled: "yes" }, "enabled invalid_type"],
        [{ ...good, secret: "whsec_aHVudGVy" }, "secret invalid_string"],
        [{ ...good, secret: "x".repeat(44) }, "secret invalid_string"]
      ] as const) {
        const { status, body: answer } = yield* ask("POST", "/webhooks", body)
        assert.strictEqual(`${status} ${faults(answer)}`, `422 VALIDATION_ERROR, ${expected}`)
        assert.notInclude(JSON.stringify(answer), "whsec_a")
      }
      for (let n = 0; n < 20; n++) assert.strictEqual((yield* ask("POST", "/webhooks", good)).status, 201)
      const { body: list } = yield* ask("GET", "/webhooks")
      assert.strictEqual(faults((yield* ask("POST", "/webhooks", good)).body), "VALIDATION_ERROR, url too_big")
      const patched = yield* ask("PATCH", `/webhooks/${list[0].id}`, { url: "http://10.0.0.1/" })
      assert.strictEqual(faults(patched.body), "VALIDATION_ERROR, url invalid_string")
    })
  )

  it.effect("responds 404 to ids of other projects and to malformed ids", () =>
    Effect.gen(function* () {
      const { ask, hook } = yield* listening()
      const { ask: foreign } = yield* freshProject
      const { body: test } = yield* ask("POST", `${hook.path}/test`)
      const about = ({ status, body }: { status: number; body: { error?: { details?: object } } }) =>
        `${status} ${JSON.stringify(body?.error?.details)}`
      for (const [who, id] of [
        [ask, unknownId],
        [ask, "nonsense"],
        [foreign, hook.id]
      ] as const) {
        const missing = `404 {"resource":"webhook","id":"${id}"}`
        for (const [method, path, body] of [
          ["GET", "", undefined],
          ["PATCH", "", {}],
          ["DELETE", "", undefined],
          ["POST", "/rotate-secret", undefined],
          ["POST", "/test", undefined],
          ["GET", "/deliveries", undefined],
          ["GET", `/deliveries/${test.id}`, undefined],
          ["POST", `/deliveries/${test.id}/replay`, undefined],
          ["POST", "/replay", { startDate: "2026-03-01" }]
        ] as const) {
          assert.strictEqual(about(yield* who(method, `/webhooks/${id}${path}`, body)), missing, `${method} ${path}`)
        }
      }
      for (const id of [unknownId, "nonsense"]) {
        const missing = `404 {"resource":"delivery","id":"${id}"}`
        assert.strictEqual(about(yield* ask("GET", `${hook.path}/deliveries/${id}`)), missing)
        assert.strictEqual(about(yield* ask("POST", `${hook.path}/deliveries/${id}/replay`)), missing)
      }
      const other = yield* endpoint({ ask } as Parameters<typeof endpoint>[0])
      assert.strictEqual((yield* ask("GET", `${other.path}/deliveries/${test.id}`)).status, 404)
    })
  )

  it.effect("changes the given fields; a disabled endpoint receives nothing, and its waiting deliveries fail", () =>
    Effect.gen(function* () {
      const { ask, hook, track } = yield* listening({ description: "mine" })
      hook.answer(() => unreachable)
      yield* track({ email: "anna@example.com", event: "bought" })
      yield* soon(hook.read, ({ failingSince }) => failingSince !== null)
      const off = yield* ask("PATCH", hook.path, { enabled: false, events: ["event.tracked"], description: null })
      assert.deepInclude(off.body, { enabled: false, disabledReason: null, description: null, url: hook.url })
      const [given] = yield* hook.deliveries
      assert.deepInclude(given, { status: "FAILED", nextAttemptAt: null, attempts: 1 })
      assert.strictEqual((yield* hook.detail(given?.id ?? "")).attemptLog[0].error, "connection_failed")
      yield* track({ email: "anna@example.com", event: "bought" })
      const sql = yield* SqlClient.SqlClient
      yield* soon(sql`select from event_outbox`, ({ length }) => length === 0)
      assert.lengthOf(yield* hook.deliveries, 1)
      assert.deepStrictEqual(
        (yield* ask("POST", `${hook.path}/replay`, { startDate: "1970-01-01", status: "all" })).body,
        {
          queued: 0
        }
      )
      hook.answer(() => answered(200))
      assert.strictEqual((yield* ask("POST", `${hook.path}/test`)).status, 202)
      const [test] = yield* soon(hook.deliveries, ([first]) => first?.status === "SUCCEEDED")
      assert.strictEqual(test?.type, "webhook.test")
      const on = yield* ask("PATCH", hook.path, { enabled: true })
      assert.deepInclude(on.body, { enabled: true, failingSince: null })
    })
  )

  it.effect("lists deliveries by status, type and time, in pages", () =>
    Effect.gen(function* () {
      const { ask, hook } = yield* listening()
      for (let n = 0; n < 3; n++) yield* ask("POST", `${hook.path}/test`)
      yield* soon(hook.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"))
      const list = (query: string) => Effect.map(ask("GET", `${hook.path}/deliveries?${query}`), (answer) => answer)
      const first = yield* list("limit=2")
      assert.deepInclude(first.body, { total: 3, hasMore: true })
      const second = yield* list(`limit=2&cursor=${first.body.cursor}`)
      const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
      assert.strictEqual(new Set(ids).size, 3)
      assert.notInclude(JSON.stringify(first.body), "payload")
      assert.strictEqual((yield* list("status=SUCCEEDED&type=webhook.test")).body.total, 3)
      assert.strictEqual((yield* list("status=FAILED")).body.total, 0)
      assert.strictEqual((yield* list("type=email.sent")).body.total, 0)
      assert.strictEqual((yield* list("startDate=2200-01-01")).body.total, 0)
      assert.strictEqual((yield* list("endDate=2200-01-01")).body.total, 3)
      for (const [query, code] of [
        ["status=DONE", "BAD_REQUEST"],
        ["startDate=soon", "BAD_REQUEST"],
        ["limit=0", "BAD_REQUEST"],
        ["cursor=nonsense", "INVALID_CURSOR"]
      ]) {
        const { status, body } = yield* list(query ?? "")
        assert.strictEqual(`${status} ${body.error.code}`, `400 ${code}`)
      }
    })
  )

  it.effect("replays failed deliveries, missed events, or both", () =>
    Effect.gen(function* () {
      const { ask, hook, track } = yield* listening({ events: ["event.tracked"] })
      const start = DateTime.formatIso(yield* DateTime.now)
      const trackEvent = (event: string) => track({ email: "anna@example.com", event })
      const replay = (body: object) =>
        Effect.map(ask("POST", `${hook.path}/replay`, { startDate: start, ...body }), ({ status, body }) =>
          status === 202 ? body.queued : `${status} ${body.error.errors[0].field}`
        )
      const settled = soon(hook.deliveries, (all) => all.length > 0 && all.every(({ status }) => status !== "PENDING"))
      hook.answer(() => answered(410))
      yield* trackEvent("lost")
      yield* soon(hook.read, ({ enabled }) => enabled === false)
      yield* trackEvent("missed")
      const before = DateTime.subtract(yield* DateTime.now, { days: 2 })
      yield* track({ email: "anna@example.com", event: "history", occurredAt: before })
      const sql = yield* SqlClient.SqlClient
      yield* soon(sql`select from event_outbox`, ({ length }) => length === 0)
      hook.answer(() => answered(200))
      yield* ask("PATCH", hook.path, { enabled: true })
      yield* trackEvent("delivered")
      yield* soon(hook.deliveries, (all) => all.length === 2 && all.every(({ status }) => status !== "PENDING"))
      const [delivered, lost] = yield* hook.deliveries
      assert.deepStrictEqual([delivered?.status, lost?.status], ["SUCCEEDED", "FAILED"])

      assert.strictEqual(yield* replay({ types: ["email.*"] }), 0)
      assert.strictEqual(yield* replay({ endDate: start }), 0)
      assert.strictEqual(yield* replay({ startDate: "2200-01-01" }), 0)
      assert.strictEqual(yield* replay({}), 1)
      const [, again] = yield* settled
      assert.strictEqual(again?.id, lost?.id)
      assert.deepInclude(again, { status: "SUCCEEDED", attempts: 2 })
      assert.strictEqual(yield* replay({ status: "missed", types: ["event.*"] }), 1)
      yield* settled
      assert.strictEqual(yield* replay({ status: "missed" }), 0)
      assert.strictEqual(yield* replay({ status: "all" }), 3)
      yield* settled
      assert.deepStrictEqual(
        hook.requests.map(({ body }) => JSON.parse(new TextDecoder().decode(body)).data.name).slice(0, 4),
        ["lost", "delivered", "lost", "missed"]
      )
      assert.lengthOf(hook.requests, 7)

      hook.answer(() => Effect.never)
      const one = `${hook.path}/deliveries/${lost?.id}/replay`
      const first = yield* ask("POST", one)
      assert.strictEqual(first.status, 202)
      assert.deepInclude(first.body, { id: lost?.id, status: "PENDING", completedAt: null })
      const second = yield* ask("POST", one)
      assert.strictEqual(second.status, 200)
      assert.deepInclude(second.body, { id: lost?.id, status: "PENDING" })

      assert.strictEqual(yield* replay({ startDate: null }), "422 startDate")
      assert.strictEqual(yield* replay({ startDate: "soon" }), "422 startDate")
      assert.strictEqual(yield* replay({ startDate: "2026-02-30" }), "422 startDate")
      assert.strictEqual(yield* replay({ status: "some" }), "422 status")
      assert.strictEqual(yield* replay({ types: ["some"] }), "422 types.0")
      assert.strictEqual(yield* replay({ startDate: "2026-03-02", endDate: "2026-03-01" }), "422 startDate")
    })
  )

  it.effect("delivers events of the service under their names, to endpoints with matching patterns", () =>
    Effect.gen(function* () {
      const mine = yield* freshProject
      const log = yield* EventLog
      const names = ["email.open", "contact.subscribed", "segment.pro.entry", "domain.verified", "campaign.sent"]
      const hooks = new Map(
        yield* Effect.forEach(
          ["*", "email.*", "segment.*", "segment.pro.*", "segment.pro.entry", "segment.other.*", "domain.verified"],
          (pattern) => Effect.map(endpoint(mine, { events: [pattern] }), (hook) => [pattern, hook] as const)
        )
      )
      const events = [
        ...names.map((name) => ({ contact: null, name, source: "system", data: { of: name } }) as const),
        { contact: null, name: "domain.verified", source: "tracked", data: null } as const
      ]
      yield* log.record(mine.project, events, yield* DateTime.now)
      const all = hooks.get("*")
      yield* soon(
        Effect.sync(() => all?.requests ?? []),
        ({ length }) => length === 6
      )
      const types = (pattern: string) =>
        Effect.map(hooks.get(pattern)?.deliveries ?? Effect.succeed([]), (found) =>
          found.map(({ type }) => type).sort()
        )
      assert.deepStrictEqual(yield* types("*"), [...names, "event.tracked"].sort())
      assert.deepStrictEqual(yield* types("email.*"), ["email.open"])
      for (const pattern of ["segment.*", "segment.pro.*", "segment.pro.entry"]) {
        assert.deepStrictEqual(yield* types(pattern), ["segment.pro.entry"])
      }
      assert.deepStrictEqual(yield* types("segment.other.*"), [])
      assert.deepStrictEqual(yield* types("domain.verified"), ["domain.verified"])
    })
  )

  it.effect("the secrets are sealed again when the secret of the installation is replaced", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask } = yield* freshProject
      const webhook = { url: "https://app.example.com/hooks/mail", events: ["*"] }
      const broken = yield* ask("POST", "/webhooks", webhook)
      yield* sql`update webhook_endpoints set secret = 'unreadable' where id = ${broken.body.id}`
      const first = yield* ask("POST", "/webhooks", webhook)
      const second = yield* ask("POST", `/webhooks/${first.body.id}/rotate-secret`)

      yield* SecretRotation.use(({ rotate }) => rotate).pipe(Effect.provide(rotationUnder(nextSecret, secret)))
      const [stored] = yield* sql`select secret, previous_secret from webhook_endpoints where id = ${first.body.id}`
      const box = yield* Effect.provide(SecretBox, boxUnder(nextSecret), { local: true })
      const opened = yield* Effect.forEach(Object.values(stored ?? {}).map(String), (sealed) =>
        openSecret(box, first.body.id, sealed)
      )
      assert.deepStrictEqual(opened.map(Redacted.value), [second.body.secret, first.body.secret])
      const [left] = yield* sql`select secret from webhook_endpoints where id = ${broken.body.id}`
      assert.deepStrictEqual(left, { secret: "unreadable" })
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import { addMember, browse, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

/** A form with a file, between lines of the boundary `part`. */
const file = (text: string) =>
  `--part\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n--part--\r\n`

interface Entry {
  readonly id: string
  readonly at: string
  readonly action: string
  readonly actor: string
  readonly user: { readonly id: string; readonly email: string | null } | null
  readonly apiKey: { readonly id: string; readonly name: string } | null
  readonly details: { readonly [key: string]: unknown }
}

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`The audit of a project on ${name}`, (it) => {
    /** A project with its people, and requests of each of them. */
    const staff = Effect.gen(function* () {
      const [owner, admin, member] = [yield* person("owner"), yield* person("admin"), yield* person("member")]
      const { id, secret } = yield* newProject(owner.cookie)
      yield* addMember(owner.cookie, id, admin, "ADMIN")
      yield* addMember(owner.cookie, id, member, "MEMBER")
      const bearer = { authorization: `Bearer ${secret}` }
      const ask = (method: string, path: string, body?: unknown) => send(method, path, body, bearer)
      const as = (cookie: string) => (method: string, path: string, body?: unknown) =>
        browse(cookie, method, path, body, { "x-project-id": id })
      const list = (query = "") => Effect.map(ask("GET", `/projects/${id}/audit${query}`), ({ body }) => body)
      const actions = (query = "") =>
        Effect.map(list(query), ({ data }) => data.map(({ action }: Entry) => action) as ReadonlyArray<string>)
      return { owner, admin, member, id, secret, ask, as, list, actions }
    })

    const made = (found: Effect.Success<ReturnType<typeof send>>) => {
      if (found.status >= 300) throw new Error(JSON.stringify(found.body))
      return found.body
    }

    it.effect(
      "records each of the actions on campaigns, workflows, segments, contacts, suppressions and webhooks",
      () =>
        Effect.gen(function* () {
          const { admin, id, ask, as, list } = yield* staff
          yield* Effect.orDie(Domains.use((domains) => domains.add(ProjectId.make(id), { domain: `audit-${id}.test` })))
          const by = as(admin.cookie)
          const since = new Set<string>((yield* list("?limit=100")).data.map((entry: Entry) => entry.id))
          const contact = made(yield* by("POST", "/contacts", { email: "ada@example.com" }))
          const other = made(yield* by("POST", "/contacts", { email: "bob@example.com" }))
          yield* by("POST", "/contacts", { email: "eve@example.com" })

          const letter = { subject: "Hi", body: "<p>Hi</p>", from: `a@audit-${id}.test`, audienceType: "ALL" }
          const campaign = () =>
            Effect.map(by("POST", "/campaigns", { name: "News", ...letter }), (found) => made(found).data.id)
          const [sent, later, dropped] = [yield* campaign(), yield* campaign(), yield* campaign()]
          made(yield* by("POST", `/campaigns/${sent}/send`, {}))
          made(yield* by("POST", `/campaigns/${sent}/pause`))
          made(yield* by("POST", `/campaigns/${sent}/pause`))
          made(yield* by("POST", `/campaigns/${sent}/resume`))
          made(yield* by("POST", `/campaigns/${later}/send`, { scheduledFor: "2099-12-24T09:00:00Z" }))
          made(yield* by("POST", `/campaigns/${later}/cancel`))
          made(yield* by("POST", `/campaigns/${later}/cancel`))
          yield* by("DELETE", `/campaigns/${dropped}`)

          const { id: flow } = made(yield* by("POST", "/workflows", { name: "Flow", eventName: "a" }))
          yield* by("POST", `/workflows/${flow}/steps`, { type: "EXIT" })
          for (const enabled of [true, true, false]) made(yield* by("PATCH", `/workflows/${flow}`, { enabled }))
          yield* by("DELETE", `/workflows/${flow}`)

          const { id: segment } = made(yield* by("POST", "/segments", { name: "Few", type: "STATIC" }))
          yield* by("DELETE", `/segments/${segment}`)

          yield* by("GET", "/contacts/export?format=ndjson")
          yield* by("GET", `/contacts/${other.id}/export`)
          yield* by("DELETE", `/contacts/${contact.id}`)
          yield* by("DELETE", `/contacts/${contact.id}`)
          yield* by("POST", `/contacts/${other.id}/erase`)
          const bulk = made(yield* by("POST", "/contacts/bulk-delete", { contactIds: [contact.id, other.id] }))
          const imported = made(
            yield* send("POST", "/contacts/import", file("email\nada@example.com\n"), {
              authorization: "",
              "content-type": "multipart/form-data; boundary=part",
              cookie: `__Host-posthorn_session=${admin.cookie}`,
              "x-project-id": id
            })
          )

          const held = made(
            yield* by("POST", "/suppressions", { email: "gone@example.com", note: "asked by eve@example.com" })
          )
          yield* by("POST", "/suppressions", { email: "gone@example.com" })
          yield* by("POST", "/suppressions", { emails: ["one@example.com", "two@example.com", "gone@example.com"] })
          yield* by("DELETE", "/suppressions/gone@example.com")
          yield* by("DELETE", "/suppressions/gone@example.com")

          const url = "https://hooks.example.com/secret-path"
          const { id: webhook } = made(yield* by("POST", "/webhooks", { url, events: ["*"] }))
          for (const enabled of [false, false]) made(yield* by("PATCH", `/webhooks/${webhook}`, { enabled }))
          made(yield* by("POST", `/webhooks/${webhook}/rotate-secret`))
          yield* by("DELETE", `/webhooks/${webhook}`)
          yield* by("DELETE", `/webhooks/${webhook}`)

          const { data } = (yield* list("?limit=100")) as { data: ReadonlyArray<Entry> }
          const entries = data.filter((entry) => !since.has(entry.id)).toReversed()
          assert.deepStrictEqual(
            entries.map(({ action, details }) => [action, details]),
            [
              ["campaign.sent", { campaignId: sent, name: "News", recipients: 3 }],
              ["campaign.paused", { campaignId: sent, name: "News" }],
              ["campaign.resumed", { campaignId: sent, name: "News" }],
              ["campaign.scheduled", { campaignId: later, name: "News", scheduledFor: "2099-12-24T09:00:00.000Z" }],
              ["campaign.cancelled", { campaignId: later, name: "News" }],
              ["campaign.deleted", { campaignId: dropped, name: "News" }],
              ["workflow.enabled", { workflowId: flow, name: "Flow" }],
              ["workflow.disabled", { workflowId: flow, name: "Flow" }],
              ["workflow.deleted", { workflowId: flow, name: "Flow" }],
              ["segment.deleted", { segmentId: segment, name: "Few" }],
              ["contacts.exported", { format: "ndjson" }],
              ["contacts.exported", { contactId: other.id }],
              ["contact.deleted", { contactId: contact.id }],
              ["contact.erased", { contactId: other.id }],
              ["contact.deleted", { jobId: bulk.jobId, contacts: 2 }],
              ["contacts.imported", { jobId: imported.jobId, rows: 1 }],
              ["suppression.added", { suppressionId: held.id }],
              ["suppression.added", { suppressions: 2 }],
              ["suppression.removed", { suppressionId: held.id }],
              ["webhook.created", { webhookId: webhook }],
              ["webhook.updated", { webhookId: webhook }],
              ["webhook.updated", { webhookId: webhook, secretRotated: true }],
              ["webhook.deleted", { webhookId: webhook }]
            ]
          )
          for (const { actor, user, apiKey } of entries) {
            assert.deepStrictEqual([actor, user, apiKey], ["user", { id: admin.id, email: admin.email }, null])
          }
          const text = JSON.stringify(entries.map(({ details }) => details))
          for (const secret of ["@", "<p>", "secret-path"]) assert.notInclude(text, secret)
          // A refused change is no change.
          assert.strictEqual((yield* ask("DELETE", `/campaigns/${sent}`)).status, 409)
          assert.strictEqual((yield* list("?action=campaign.deleted")).data.length, 1)
        })
    )

    it.effect("filters by action, user and time, and counts on the first page only", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const { admin, id, ask, as, list, actions } = yield* staff
        const { body: key } = yield* ask("POST", "/api-keys", {
          name: "Till",
          scopes: ["webhooks:write", "segments:write"]
        })
        const hook = { url: "https://hooks.example.com/x", events: ["*"] }
        yield* TestClock.adjust("1 day")
        yield* ask("POST", "/webhooks", hook)
        yield* TestClock.adjust("1 minute")
        yield* as(admin.cookie)("POST", "/webhooks", hook)
        yield* TestClock.adjust("1 minute")
        const { body: last } = yield* send("POST", "/webhooks", hook, { authorization: `Bearer ${key.key}` })
        yield* send("DELETE", `/webhooks/${last.id}`, undefined, { authorization: `Bearer ${key.key}` })
        const byWhom = (yield* list("?action=webhook.*")).data.map(({ action, actor, user, apiKey }: Entry) => [
          action,
          actor,
          user,
          apiKey
        ])
        const till = { id: key.id, name: "Till" }
        assert.deepStrictEqual(byWhom, [
          ["webhook.deleted", "key", null, till],
          ["webhook.created", "key", null, till],
          ["webhook.created", "user", { id: admin.id, email: admin.email }, null],
          ["webhook.created", "key", null, null]
        ])
        assert.deepStrictEqual(yield* actions("?action=webhook.deleted"), ["webhook.deleted"])
        assert.deepStrictEqual(yield* actions("?action=webhook"), [])
        assert.deepStrictEqual(yield* actions(`?userId=${admin.id.toUpperCase()}`), ["webhook.created", "member.added"])
        assert.deepStrictEqual(yield* actions("?startDate=2026-03-02T09:02:00Z"), [
          "webhook.deleted",
          "webhook.created"
        ])
        assert.deepStrictEqual(yield* actions("?startDate=2026-03-02&endDate=2026-03-02T09:01:00Z"), [
          "webhook.created"
        ])
        assert.notInclude(yield* actions("?endDate=2026-03-01"), "webhook.created")

        const all = (yield* list("?limit=100")).data
        const walked: Array<Entry> = []
        let page = yield* list("?limit=3")
        assert.strictEqual(page.total, all.length)
        while (page.cursor !== undefined) {
          walked.push(...page.data)
          page = yield* list(`?limit=3&cursor=${page.cursor}`)
          assert.strictEqual(page.total, 0)
        }
        assert.deepStrictEqual([...walked, ...page.data], all)

        const { cursor } = yield* list("?limit=1")
        for (const query of [
          "action=.*",
          "action=Webhook.created",
          `action=${"a".repeat(101)}`,
          "userId=x",
          "startDate=2026-02-30",
          "startDate=2026-03-02&endDate=2026-03-01",
          "limit=0",
          `cursor=${cursor}&action=webhook.*`
        ]) {
          assert.strictEqual((yield* ask("GET", `/projects/${id}/audit?${query}`)).status, 400, query)
        }
      })
    )

    it.effect("a user who has gone keeps the id, and the total ends at 10,000", () =>
      Effect.gen(function* () {
        const { id, list } = yield* staff
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into audit_log (project_id, user_id, actor, action, at)
          select ${id}::uuid, '019a0000-0000-7000-8000-00000000beef', 'user', 'webhook.created', '2020-01-01'
          from generate_series(1, 10001)`
        const page = yield* list("?action=webhook.*")
        assert.deepStrictEqual([page.total, page.data.length, page.hasMore], [10_000, 20, true])
        assert.deepStrictEqual(page.data[0].user, { id: "019a0000-0000-7000-8000-00000000beef", email: null })
      })
    )

    it.effect("is for owners, admins and the secret key; API keys and other projects get nothing of it", () =>
      Effect.gen(function* () {
        const { owner, admin, member, id, ask, as } = yield* staff
        const other = yield* staff
        const path = `/projects/${id}/audit`
        assert.strictEqual((yield* ask("GET", path)).status, 200)
        for (const { cookie } of [owner, admin]) assert.strictEqual((yield* browse(cookie, "GET", path)).status, 200)
        const low = yield* as(member.cookie)("GET", path)
        assert.deepStrictEqual([low.status, low.body.error.details], [403, { reason: "role" }])
        const { body: key } = yield* ask("POST", "/api-keys", { name: "All", scopes: ["*"] })
        const closed = yield* send("GET", path, undefined, { authorization: `Bearer ${key.key}` })
        assert.deepStrictEqual(
          [closed.status, closed.body.error.details],
          [403, { reason: "scope", requiredScope: null }]
        )
        for (const found of [
          yield* other.ask("GET", path),
          yield* browse(other.owner.cookie, "GET", path),
          yield* ask("GET", "/projects/no-id/audit")
        ]) {
          assert.deepStrictEqual([found.status, found.body.error.code], [404, "RESOURCE_NOT_FOUND"])
        }
        const theirs = (yield* other.list("?limit=100")).data.map((entry: Entry) => entry.id)
        const ours = (yield* ask("GET", `${path}?limit=100`)).body.data.map((entry: Entry) => entry.id)
        assert.isEmpty(ours.filter((each: string) => theirs.includes(each)))
      })
    )
  })
}

/** Changes that are based on a record as it was read, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sendingProject } from "../automation/campaigns/CampaignsFixture.ts"
import { Domains } from "../mail/domains/Domains.ts"
import { addMember, browse, newProject, person } from "../testing/Browser.ts"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import { send, wireOver } from "../testing/TestClient.ts"

type Body = { readonly [field: string]: unknown }
type Ask = (method: string, path: string, body?: unknown) => ReturnType<typeof send>

interface Kind {
  readonly path: string
  readonly method: "PATCH" | "PUT"
  readonly made: Body
  /** A field that a change sets to a text. */
  readonly field: string
}

const kinds = (from: string): { readonly [kind: string]: Kind } => {
  const campaign = { name: "Launch", subject: "Hi", body: "<p>Hi</p>", from, audienceType: "ALL" }
  const condition = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  return {
    campaign: { path: "/campaigns", method: "PUT", made: campaign, field: "name" },
    segment: { path: "/segments", method: "PATCH", made: { name: "Pro", condition }, field: "name" },
    workflow: { path: "/workflows", method: "PATCH", made: { name: "Welcome" }, field: "name" },
    webhook: {
      path: "/webhooks",
      method: "PATCH",
      made: { url: "https://app.example.com/hooks", events: ["email.*"] },
      field: "description"
    }
  }
}
const names = Object.keys(kinds(""))

/** A record of this kind, and changes of it. */
const recordOf = Effect.fnUntraced(function* (ask: Ask, from: string, name: string) {
  const { path, method, made, field } = kinds(from)[name] as Kind
  const created = yield* ask("POST", path, made)
  assert.strictEqual(created.status, 201, JSON.stringify(created.body))
  const record = created.body.data ?? created.body
  const own = `${path}/${record.id}`
  const read = Effect.map(ask("GET", own), ({ body }) => body.data ?? body)
  const whole = method === "PUT" ? made : {}
  const change = (text: string, more: Body = {}, as: Ask = ask) =>
    Effect.map(as(method, own, { ...whole, [field]: text, ...more }), ({ status, body }) => ({
      status,
      body,
      record: body?.data ?? body
    }))
  return { record, field, own, method, read, change }
})

for (const [database, services] of databases()) {
  layer(wireOver(servicesOn(services)), { timeout: "60 seconds" })(`A change of what was read on ${database}`, (it) => {
    it.effect.each(names)("of a %s is made once, and refused when another came first", (name) =>
      Effect.gen(function* () {
        const { ask, draft } = yield* sendingProject(0)
        const { record, field, read, change } = yield* recordOf(ask, draft.from, name)
        const first = yield* change("First", { ifUpdatedAt: record.updatedAt })
        assert.deepStrictEqual([first.status, first.record[field]], [200, "First"])
        const before = yield* read

        const refused = yield* change("Second", { ifUpdatedAt: record.updatedAt })
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.details],
          [409, "CONFLICT", { reason: "changed_meanwhile", updatedAt: before.updatedAt }]
        )
        assert.deepStrictEqual(yield* read, before)
        const { updatedAt } = refused.body.error.details
        assert.strictEqual((yield* change("Second", { ifUpdatedAt: updatedAt })).record[field], "Second")
        // Any spelling of the instant, and neither nothing nor null, asks the same.
        const now = (yield* read).updatedAt.replace("Z", "+00:00")
        assert.strictEqual((yield* change("Third", { ifUpdatedAt: now })).status, 200)
        assert.strictEqual((yield* change("Fourth", { ifUpdatedAt: null })).status, 200)
        assert.strictEqual((yield* change("Fifth")).status, 200)
      })
    )

    it.effect.each(names)("of a %s has a new time, though the clock stands still or goes back", (name) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 2, 1))
        const { ask, draft } = yield* sendingProject(0)
        const { record, change } = yield* recordOf(ask, draft.from, name)
        const first = yield* change("First")
        yield* TestClock.setTime(Date.UTC(2026, 1, 1))
        const second = yield* change("Second")
        const times = [record, first.record, second.record].map(({ updatedAt }) => Date.parse(updatedAt))
        assert.deepStrictEqual(
          times,
          times.toSorted((a, b) => a - b)
        )
        assert.strictEqual(new Set(times).size, 3)
        assert.strictEqual((yield* change("Third", { ifUpdatedAt: first.record.updatedAt })).status, 409)
      })
    )

    it.effect.each(names)("of a %s is made by one of many at the same moment", (name) =>
      Effect.gen(function* () {
        const { ask, draft } = yield* sendingProject(0)
        const { record, field, read, change } = yield* recordOf(ask, draft.from, name)
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, (_, n) => change(`Number ${n}`, { ifUpdatedAt: record.updatedAt })),
          { concurrency: "unbounded" }
        )
        const made = answers.filter(({ status }) => status === 200)
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
          200,
          ...Array.from({ length: 7 }, () => 409)
        ])
        assert.strictEqual((yield* read)[field], made[0]?.record[field])
      })
    )

    it.effect.each(names)("of a %s asks for a time, and for a record of the project", (name) =>
      Effect.gen(function* () {
        const { ask, draft } = yield* sendingProject(0)
        const { record, own, read, change } = yield* recordOf(ask, draft.from, name)
        for (const ifUpdatedAt of ["yesterday", "", "2".repeat(65), 1, true]) {
          const { status, body } = yield* change("Other", { ifUpdatedAt })
          assert.deepStrictEqual([status, body.error.errors[0].field], [422, "ifUpdatedAt"])
        }
        assert.deepInclude(yield* read, { updatedAt: record.updatedAt })
        const stranger = yield* sendingProject(0)
        const foreign = yield* change(
          "Other",
          { from: stranger.draft.from, ifUpdatedAt: record.updatedAt },
          stranger.ask
        )
        assert.strictEqual(foreign.status, 404)
        assert.notProperty(foreign.body.error.details, "updatedAt")
        assert.strictEqual((yield* ask("DELETE", own)).status, 204)
        assert.strictEqual((yield* change("Other", { ifUpdatedAt: record.updatedAt })).status, 404)
      })
    )

    it.effect("is refused too when only the graph of a workflow, or the secret of a webhook, was changed", () =>
      Effect.gen(function* () {
        const { ask, draft } = yield* sendingProject(0)
        const workflow = yield* recordOf(ask, draft.from, "workflow")
        yield* ask("POST", `${workflow.own}/steps`, { type: "EXIT", config: { reason: "done" } })
        assert.strictEqual((yield* workflow.change("X", { ifUpdatedAt: workflow.record.updatedAt })).status, 409)
        const webhook = yield* recordOf(ask, draft.from, "webhook")
        yield* ask("POST", `${webhook.own}/rotate-secret`)
        assert.strictEqual((yield* webhook.change("X", { ifUpdatedAt: webhook.record.updatedAt })).status, 409)
      })
    )

    it.effect("of a workflow is refused before its graph is judged, and leaves its graph", () =>
      Effect.gen(function* () {
        const { ask, draft } = yield* sendingProject(0)
        const { record, read, change } = yield* recordOf(ask, draft.from, "workflow")
        yield* change("Renamed")
        const before = yield* read
        const stale = { enabled: true, eventName: "signup", ifUpdatedAt: record.updatedAt }
        assert.strictEqual((yield* change("X", stale)).status, 409)
        assert.strictEqual((yield* change("X", { ...stale, ifUpdatedAt: before.updatedAt })).status, 422)
        assert.deepStrictEqual(yield* read, before)
      })
    )

    it.effect("is made by keys and members who may change the record, and by no others", () =>
      Effect.gen(function* () {
        const owner = yield* person("owner")
        const admin = yield* person("admin")
        const member = yield* person("member")
        const outsider = yield* person("outsider")
        const { id, secret } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, admin, "ADMIN")
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const domain = `roles-${database.toLowerCase()}.test`
        yield* Effect.orDie(Domains.use((service) => service.add(ProjectId.make(id), { domain })))
        const withKey =
          (key: string): Ask =>
          (method, path, body) =>
            send(method, path, body, { authorization: `Bearer ${key}` })
        const withCookie =
          (cookie: string): Ask =>
          (method, path, body) =>
            browse(cookie, method, path, body, { "x-project-id": id })
        const apiKey = (scopes: ReadonlyArray<string>) =>
          Effect.map(withKey(secret)("POST", "/api-keys", { name: "Key", scopes }), ({ body }) => withKey(body.key))
        for (const name of names) {
          const { own, read, change } = yield* recordOf(withKey(secret), `hi@${domain}`, name)
          const as = Effect.fnUntraced(function* (ask: Ask) {
            const { updatedAt } = yield* read
            return (yield* change(`After ${updatedAt}`, { ifUpdatedAt: updatedAt }, ask)).status
          })
          const group = own.split("/")[1]
          const answers = {
            owner: yield* as(withCookie(owner.cookie)),
            admin: yield* as(withCookie(admin.cookie)),
            member: yield* as(withCookie(member.cookie)),
            outsider: yield* as(withCookie(outsider.cookie)),
            writing: yield* as(yield* apiKey([`${group}:write`])),
            reading: yield* as(yield* apiKey([`${group}:read`])),
            publicKey: yield* as(withKey((yield* newProject(owner.cookie)).publicKey))
          }
          assert.deepStrictEqual(answers, {
            owner: 200,
            admin: 200,
            member: name === "webhook" ? 403 : 200,
            outsider: 403,
            writing: 200,
            reading: 403,
            publicKey: 401
          })
        }
      })
    )
  })
}

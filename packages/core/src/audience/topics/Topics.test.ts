/** Topics over HTTP: the record, its keys, its limits, archiving and deletion. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as JobRunner from "../../platform/jobs/JobRunner.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import * as TopicDeletion from "./TopicDeletion.ts"

const news = { name: "News", defaultSubscription: "unsubscribed" }

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Topics on ${name}`, (it) => {
    it.effect("are created with defaults, read by id or key, changed and listed by position", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const created = yield* ask("POST", "/topics", news)
        assert.strictEqual(created.status, 201, JSON.stringify(created.body))
        assert.deepInclude(created.body, {
          projectId: project,
          key: "news",
          name: "News",
          description: null,
          translations: {},
          defaultSubscription: "unsubscribed",
          visibility: "public",
          doubleOptIn: null,
          position: 0,
          archived: false,
          subscribedCount: 0,
          unsubscribedCount: 0,
          subscriberCount: 0
        })
        for (const path of ["news", created.body.id, created.body.id.toUpperCase()])
          assert.deepStrictEqual((yield* ask("GET", `/topics/${path}`)).body, created.body)
        const translations = { de: { name: "Tipps", description: null }, "pt-BR": { name: "Dicas", description: "x" } }
        const tips = yield* ask("POST", "/topics", {
          name: "Tips & Tricks",
          key: "tips",
          description: "Weekly",
          translations: { ...translations, de: { name: "Tipps" } },
          defaultSubscription: "subscribed",
          visibility: "private",
          position: 0
        })
        assert.deepInclude(tips.body, { key: "tips", translations, visibility: "private", position: 0 })
        const last = yield* ask("POST", "/topics", { name: "  Offers  ", defaultSubscription: "subscribed" })
        assert.deepInclude(last.body, { name: "Offers", key: "offers", position: 1 })
        const changed = yield* ask("PATCH", "/topics/news", { name: "Newsletter", description: "Monthly", position: 7 })
        assert.deepInclude(changed.body, { key: "news", name: "Newsletter", description: "Monthly", position: 7 })
        assert.deepStrictEqual(
          (yield* ask("GET", "/topics")).body.map(({ key }: { key: string }) => key),
          ["tips", "offers", "news"]
        )
        const same = yield* ask("PATCH", "/topics/news", {})
        assert.deepStrictEqual(same.body, changed.body)
        const other = yield* freshProject
        assert.deepStrictEqual((yield* other.ask("GET", "/topics")).body, [])
        assert.strictEqual(yield* other.outcome("GET", `/topics/${created.body.id}`), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* other.outcome("PATCH", "/topics/news", { name: "x" }), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* other.outcome("DELETE", "/topics/news"), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual((yield* other.ask("POST", "/topics", news)).status, 201)
      })
    )

    it.effect("have a key from their name, which is unique and never changes", () =>
      Effect.gen(function* () {
        const { ask, outcome } = yield* freshProject
        const keyOf = (name: string) =>
          Effect.map(ask("POST", "/topics", { ...news, name }), ({ status, body }) => [status, body.key])
        assert.deepStrictEqual(yield* keyOf("Größe & Preise"), [201, "groe-preise"])
        assert.deepStrictEqual(yield* keyOf("Groe-Preise"), [201, "groe-preise-2"])
        assert.deepStrictEqual(yield* keyOf("新闻"), [201, "topic"])
        assert.deepStrictEqual(yield* keyOf("__x"), [201, "x"])
        assert.deepStrictEqual(yield* keyOf("y".repeat(100)), [201, "y".repeat(60)])
        assert.strictEqual(yield* outcome("POST", "/topics", { ...news, key: "x" }), "409 key_taken")
        const faulty = yield* ask("POST", "/topics", { name: "n", key: "-A", defaultSubscription: "maybe" })
        assert.deepStrictEqual(
          faulty.body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
          [
            ["key", "invalid_string"],
            ["defaultSubscription", "invalid_enum"]
          ]
        )
        const fixed = yield* ask("PATCH", "/topics/x", { key: "z", defaultSubscription: "subscribed", name: "Z" })
        assert.deepStrictEqual(
          fixed.body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code]),
          [
            ["key", "custom"],
            ["defaultSubscription", "custom"]
          ]
        )
        assert.strictEqual((yield* ask("GET", "/topics/x")).body.name, "__x")
        assert.strictEqual(
          yield* outcome("PATCH", "/topics/x", { key: "x", defaultSubscription: "unsubscribed" }),
          "200 ok"
        )
        for (const body of [
          {},
          { ...news, name: "" },
          { ...news, name: "n".repeat(101) },
          { ...news, description: "d".repeat(501) },
          { ...news, translations: { deu: { name: "x" } } },
          { ...news, translations: { de: {} } },
          {
            ...news,
            translations: Object.fromEntries(
              Array.from({ length: 21 }, (_, n) => [`a${String.fromCharCode(97 + n)}`, { name: "x" }])
            )
          },
          { ...news, position: -1 },
          { ...news, visibility: "hidden" }
        ])
          assert.strictEqual(yield* outcome("POST", "/topics", body), "422 VALIDATION_ERROR", JSON.stringify(body))
        assert.strictEqual(yield* outcome("GET", "/topics?archived=maybe"), "400 BAD_REQUEST")
        for (const path of ["nothing", "x".repeat(65), "%00", "019b0000-0000-7000-8000-000000000000"])
          assert.strictEqual(yield* outcome("GET", `/topics/${path}`), "404 RESOURCE_NOT_FOUND", path)
      })
    )

    it.effect("can ask for a confirmation once there is a sender for it", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const refused = yield* ask("POST", "/topics", { ...news, doubleOptIn: true })
        assert.deepInclude(refused.body.error.errors[0], { field: "doubleOptIn", code: "custom" })
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into audience_settings (project_id, settings, updated_at)
          values (${project}, '{"doubleOptIn":{"from":"a@example.com"}}', now())`
        assert.strictEqual((yield* ask("POST", "/topics", { ...news, doubleOptIn: true })).body.doubleOptIn, true)
        const kept = yield* ask("PATCH", "/settings/audience", { doubleOptIn: { from: null } })
        assert.deepInclude(kept.body.error.errors[0], { field: "doubleOptIn.from", code: "required" })
        assert.strictEqual((yield* ask("PATCH", "/topics/news", { doubleOptIn: null })).body.doubleOptIn, null)
        assert.strictEqual((yield* ask("PATCH", "/settings/audience", { doubleOptIn: { from: null } })).status, 200)
      })
    )

    it.effect("are at most 100 in a project, archived ones included, also for parallel calls", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived,
            created_at, updated_at)
          select ${project}::uuid, gen_random_uuid(), 'k' || n, 'n', '{}', true, true, n, true, now(), now()
          from generate_series(1, 98) as n`
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, (_, n) => ask("POST", "/topics", { ...news, name: `More ${n}` })),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 201, 422, 422])
        const full = answers.find(({ status }) => status === 422)
        assert.strictEqual(full?.body.error.errors[0].code, "too_big")
        assert.strictEqual((yield* ask("GET", "/topics")).body.length, 2)
        assert.strictEqual((yield* ask("GET", "/topics?archived=true")).body.length, 98)
        assert.strictEqual((yield* ask("GET", "/topics?archived=all")).body.length, 100)
      })
    )

    it.effect("are archived and come back, and the audit log says who did what", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const { body: topic } = yield* ask("POST", "/topics", news)
        assert.strictEqual((yield* ask("PATCH", "/topics/news", { archived: true })).body.archived, true)
        assert.deepStrictEqual((yield* ask("GET", "/topics")).body, [])
        assert.strictEqual((yield* ask("PATCH", "/topics/news", { archived: false })).body.archived, false)
        assert.strictEqual((yield* ask("PATCH", "/topics/news", { archived: false })).status, 200)
        assert.strictEqual((yield* ask("DELETE", "/topics/news")).status, 204)
        const sql = yield* SqlClient.SqlClient
        const entries = yield* sql`
          select action, details from audit_log where project_id = ${project} and action like 'topic.%' order by id`
        const details = { topicId: topic.id, key: "news" }
        assert.deepStrictEqual(
          entries.map((entry) => ({ ...entry })),
          ["topic.created", "topic.archived", "topic.changed", "topic.deleted"].map((action) => ({ action, details }))
        )
      })
    )

    it.effect("cannot be deleted while a step of a workflow names them", () =>
      Effect.gen(function* () {
        const { ask, project, outcome } = yield* freshProject
        const { body: topic } = yield* ask("POST", "/topics", news)
        const { body: workflow } = yield* ask("POST", "/workflows", {
          name: "Welcome",
          triggerType: "EVENT",
          triggerConfig: { eventName: "signed_up" }
        })
        const sql = yield* SqlClient.SqlClient
        const step = (config: object) => sql`
          insert into workflow_steps (id, project_id, workflow_id, ordinal, type, name, position, config, created_at,
            updated_at)
          values (gen_random_uuid(), ${project}::uuid, ${workflow.id}::uuid, 5, 'UPDATE_CONTACT', 'Step', '{}',
            ${JSON.stringify(config)}::text::jsonb, now(), now())`
        for (const config of [
          { topicId: topic.id },
          { topics: { news: "subscribed" } },
          { topics: { [topic.id]: "unset" } }
        ]) {
          yield* step(config)
          const usage = yield* ask("GET", `/topics/${topic.id}/usage`)
          assert.deepInclude(usage.body, { campaigns: [], templates: [], forms: [], segments: [], canDelete: false })
          assert.deepInclude(usage.body.workflowSteps[0], { name: "Step", workflowId: workflow.id })
          const refused = yield* ask("DELETE", "/topics/news")
          assert.deepStrictEqual(
            [refused.status, refused.body.error.code, refused.body.error.details.workflowSteps],
            [409, "RESOURCE_IN_USE", usage.body.workflowSteps]
          )
          yield* sql`delete from workflow_steps where project_id = ${project} and ordinal = 5`
        }
        assert.strictEqual((yield* ask("GET", "/topics/news/usage")).body.canDelete, true)
        assert.strictEqual(yield* outcome("DELETE", "/topics/news"), "204 ok")
      })
    )

    it.effect("are gone from all reads once deleted, and a job removes the states of contacts", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const { body: topic } = yield* ask("POST", "/topics", news)
        const { body: kept } = yield* ask("POST", "/topics", { ...news, name: "Kept" })
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at, topics_on, topics_off)
          select gen_random_uuid(), ${project}::uuid, n || '@example.com', true, '{}', now(), now(),
                 array[${topic.id}]::uuid[], case when n > 7000 then array[${kept.id}]::uuid[] end
          from generate_series(1, 7001) as n`
        assert.deepInclude((yield* ask("GET", "/topics/news")).body, { subscribedCount: 7001, subscriberCount: 7001 })
        assert.strictEqual((yield* ask("DELETE", "/topics/news")).status, 204)
        const one = yield* ask("GET", "/contacts?email=7001@example.com")
        assert.deepStrictEqual(one.body.data[0].topics, { kept: "unsubscribed" })
        const { body: again } = yield* ask("POST", "/topics", news)
        assert.deepInclude(again, { key: "news", subscribedCount: 0 })
        yield* Effect.scoped(
          Effect.andThen(
            Layer.build(JobRunner.layer([TopicDeletion.job])),
            eventually(sql`select from topic_tallies where topic_id = ${topic.id}`, (left) => left.length === 0)
          )
        )
        assert.deepStrictEqual(
          (yield* sql`
            select count(*)::int as count, count(topics_on)::int as on, count(topics_off)::int as off
            from contacts where project_id = ${project}`).map((row) => ({ ...row })),
          [{ count: 7001, on: 0, off: 1 }]
        )
        assert.deepInclude((yield* ask("GET", "/topics/kept")).body, { unsubscribedCount: 1 })
      })
    )
  })
}

/** Tests of templates, sent to members and contacts. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sendingProject } from "../../automation/campaigns/CampaignsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import * as EmailSender from "./EmailSender.ts"

const tick = TestClock.adjust("250 millis")

for (const [name, database] of databases()) {
  const worker = EmailSender.layer.pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )

  layer(worker, { timeout: "60 seconds", excludeTestServices: false })(`A test of a template, on ${name}`, (it) => {
    const opened = Effect.gen(function* () {
      const peer = yield* Peer
      yield* peer.answer(() => Effect.succeed(receipt))
      const fresh = yield* sendingProject(1)
      const { ask, domain, project } = fresh
      const from = `hi@${domain}`
      const create = (more: object) =>
        Effect.map(
          ask("POST", "/templates", {
            name: "Welcome",
            subject: "Hello {{firstName}}",
            body: '<p>{{plan}}</p><a href="{{manageUrl}}">manage</a>',
            from,
            ...more
          }),
          ({ status, body }) => {
            assert.strictEqual(status, 201, JSON.stringify(body))
            return String(body.id)
          }
        )
      const arrived = (count: number) =>
        eventually(
          Effect.andThen(
            tick,
            Effect.map(peer.accepted, (all) => all.filter((mail) => mail.from.address === from))
          ),
          (found) => found.length === count
        )
      const member = `member@${domain}`
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        with added as (
          insert into users (id, email, email_verified, created_at, updated_at)
          values (gen_random_uuid(), ${member}, true, now(), now()) returning id
        )
        insert into members (project_id, user_id, role, created_at) select ${project}, id, 'OWNER', now() from added`
      return { ...fresh, sql, create, arrived, member }
    })

    it.effect("goes to members and contacts only, marked as a test, and nothing counts it", () =>
      Effect.gen(function* () {
        const { arrived, ask, create, member, outcome, project, sql } = yield* opened
        const id = yield* create({ type: "MARKETING", strict: true })
        const test = (body: object) => ask("POST", `/templates/${id}/test`, body)
        assert.strictEqual(
          yield* outcome("POST", `/templates/${id}/test`, { email: "stranger@example.com" }),
          "403 recipient"
        )
        assert.strictEqual(yield* outcome("POST", `/templates/${id}/test`, {}), "422 VALIDATION_ERROR")
        const first = yield* test({ email: member, data: { plan: "pro" } })
        assert.deepStrictEqual([first.status, first.body.message], [200, "Test email queued."])
        yield* sql`update contacts set subscribed = false where project_id = ${project}`
        const second = yield* test({ email: "C-1@example.com" })
        const mails = yield* arrived(2)
        const to = (address: string) => mails.find((mail) => mail.to[0]?.address === address)
        assert.strictEqual(to(member)?.subject, "[TEST] Hello [firstName]")
        assert.include(to(member)?.html, "<p>pro</p>")
        assert.strictEqual(to("c-1@example.com")?.subject, "[TEST] Hello Ada")
        for (const { headers, html } of mails) {
          assert.strictEqual(new Map(headers).get("X-Posthorn-Test"), "true")
          assert.include(html, "https://posthorn.example/manage/")
          assert.notInclude(html, "/track/")
        }
        assert.deepInclude((yield* ask("GET", `/emails/${second.body.data.email}`)).body, {
          test: true,
          tracking: false,
          templateId: id,
          templateVersion: 1,
          sourceType: "TRANSACTIONAL"
        })
        yield* eventually(
          Effect.andThen(tick, ask("GET", `/emails/${second.body.data.email}`)),
          ({ body }) => body.status === "SENT"
        )
        assert.strictEqual((yield* ask("GET", `/templates/${id}/usage`)).body.emailsSent, 0)
        assert.strictEqual((yield* ask("GET", `/templates/${id}/stats`)).body.sent, 0)
        // A mail that is no test is counted.
        yield* ask("POST", "/v1/send", { to: "c-1@example.com", template: id, data: { plan: "pro", firstName: "Ada" } })
        yield* sql`update contacts set subscribed = true where project_id = ${project}`
        const sent = yield* ask("POST", "/v1/send", { to: "c-1@example.com", template: id, data: { plan: "pro" } })
        assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
        yield* eventually(
          Effect.andThen(tick, ask("GET", `/templates/${id}/usage`)),
          ({ body }) => body.emailsSent === 1
        )
      })
    )

    it.effect("has the texts of the version, the draft and the language that are asked for", () =>
      Effect.gen(function* () {
        const { arrived, ask, create, member, outcome } = yield* opened
        const id = yield* create({ subject: "One", translations: { de: { subject: "Eins", body: "<p>Eins</p>" } } })
        yield* ask("PATCH", `/templates/${id}`, { subject: "Two" })
        const path = `/templates/${id}/test`
        assert.strictEqual(yield* outcome("POST", path, { email: member, version: "draft" }), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", path, { email: member, version: 9 }), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", path, { email: member, version: 0 }), "422 VALIDATION_ERROR")
        yield* ask("PUT", `/templates/${id}/draft`, { subject: "Drafted {{firstName" })
        const faulty = yield* ask("POST", path, { email: member, version: "draft" })
        assert.deepStrictEqual([faulty.status, faulty.body.error.errors[0].field], [422, "subject"])
        yield* ask("PUT", `/templates/${id}/draft`, { subject: "Drafted" })
        for (const more of [{}, { version: 1 }, { version: "draft" }, { locale: "de-AT" }]) {
          assert.strictEqual((yield* ask("POST", path, { email: member, ...more })).status, 200)
        }
        assert.sameMembers(
          (yield* arrived(4)).map(({ subject }) => subject),
          ["[TEST] Two", "[TEST] One", "[TEST] Drafted", "[TEST] Eins"]
        )
      })
    )

    it.effect("is refused for a template of another project, a suppressed address and an unverified domain", () =>
      Effect.gen(function* () {
        const { create, member, outcome, project, sql } = yield* opened
        const id = yield* create({})
        const path = `/templates/${id}/test`
        const other = yield* opened
        assert.strictEqual(yield* other.outcome("POST", path, { email: other.member }), "404 TEMPLATE_NOT_FOUND")
        assert.strictEqual(yield* other.outcome("POST", path, { email: member }), "404 TEMPLATE_NOT_FOUND")
        yield* sql`
          insert into suppressions (project_id, email, reason, created_at)
          values (${project}, ${member}, 'MANUAL', now())`
        assert.strictEqual(yield* outcome("POST", path, { email: member }), "409 suppressed")
        yield* sql`update domains set verified = false where project_id = ${project}`
        assert.match(yield* outcome("POST", path, { email: member }), /^403 /)
      })
    )
  })
}

/** What the deletion of a contact removes, and what it keeps. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { executionAt, workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { waiting } from "../../testing/LockWaits.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Deletion of a contact on ${name}`, (it) => {
    it.effect("deletes its events, memberships and executions; sent mail and a suppression stay", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const mine = yield* workflowProject
        const { ask, outcome, project } = mine
        const email = "anna@example.com"
        const mail = Effect.map(
          ask("POST", "/v1/send", { to: email, from: `a@${mine.domain}`, subject: "Hi", body: "<p>Hi</p>" }),
          ({ body }) => body.data.emails[0]
        )
        const sent = yield* mail
        yield* sql`update emails set status = 'SENT', sent_at = now() where id = ${sent.email}`
        const waiting = yield* mail
        const contact = sent.contact.id as string
        yield* mine.track({ email, event: "signed_up", data: { plan: "pro" } })
        yield* ask("PATCH", `/contacts/${contact}`, { subscribed: true })
        const segment = (yield* ask("POST", "/segments", { name: "Press", type: "STATIC" })).body.id as string
        yield* ask("POST", `/segments/${segment}/members`, { emails: [email] })
        const { id: workflow, steps } = yield* mine.workflow()
        yield* executionAt(project, workflow, steps[0].id)
        yield* sql`update workflow_executions set contact_id = ${contact} where project_id = ${project}`
        yield* ask("POST", "/suppressions", { email })

        assert.strictEqual((yield* ask("DELETE", `/contacts/${contact}`)).status, 204)
        const left = (table: string) =>
          Effect.map(
            sql`select from ${sql(table)} where project_id = ${project} and contact_id = ${contact}`,
            (rows) => [table, rows.length]
          )
        const tables = ["events", "segment_members", "workflow_executions", "emails"]
        assert.deepStrictEqual(
          yield* Effect.forEach(tables, left),
          tables.map((table) => [table, 0])
        )
        assert.deepStrictEqual(yield* sql`select name from events where project_id = ${project}`, [])
        const record = (id: string) => Effect.map(ask("GET", `/emails/${id}`), ({ body }) => body)
        assert.deepInclude(yield* record(sent.email), { status: "SENT", contactId: null, to: email })
        assert.deepInclude(yield* record(waiting.email), { status: "CANCELLED", contactId: null })
        assert.strictEqual((yield* ask("GET", `/segments/${segment}`)).body.memberCount, 0)
        assert.strictEqual((yield* ask("GET", `/suppressions/${email}`)).body.reason, "MANUAL")
        assert.strictEqual(yield* outcome("DELETE", `/contacts/${contact}`), "404 CONTACT_NOT_FOUND")

        const again = yield* ask("POST", "/contacts", { email })
        assert.deepInclude(again.body, { data: {}, _meta: { isNew: true, isUpdate: false } })
        assert.strictEqual((yield* ask("GET", `/contacts/${again.body.id}/export`)).body.events.length, 0)
        assert.strictEqual((yield* mail).status, "SUPPRESSED")
      })
    )

    // PGlite has one connection, so transactions cannot wait for each other.
    if (name !== "PGlite")
      it.effect("lowers the count of a segment that the contact joins at the same time", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { ask, project } = yield* workflowProject
          const contact = (yield* ask("POST", "/contacts", { email: "anna@example.com" })).body.id as string
          const segment = (yield* ask("POST", "/segments", { name: "Press", type: "STATIC" })).body.id as string
          // A fiber forked within a transaction would be part of it.
          const joined = yield* Deferred.make<void>()
          const deleted = yield* Effect.forkChild(
            Effect.andThen(Deferred.await(joined), ask("DELETE", `/contacts/${contact}`))
          )
          yield* Effect.gen(function* () {
            yield* sql`update segments set member_count = 1 where id = ${segment}`
            yield* sql`
              insert into segment_members (project_id, segment_id, contact_id, added_at)
              values (${project}, ${segment}, ${contact}, now())`
            yield* Deferred.succeed(joined, undefined)
            yield* waiting(1)
          }).pipe(sql.withTransaction)
          assert.strictEqual((yield* Fiber.join(deleted)).status, 204)
          assert.strictEqual((yield* ask("GET", `/segments/${segment}`)).body.memberCount, 0)
        })
      )

    it.effect("keeps an address that complained suppressed, even if a later call subscribes it again", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { ask, domain, project } = yield* workflowProject
        const email = "anna@example.com"
        yield* sql`
          insert into suppressions (project_id, email, reason, created_at)
          values (${project}, ${email}, 'COMPLAINT', now())`
        const letter = { to: email, from: `a@${domain}`, subject: "Hi", body: "<p>Hi</p>" }
        const calls = [
          ["/contacts", { email, subscribed: true }],
          ["/contacts", { email }],
          ["/v1/send", { ...letter, subscribed: true }]
        ] as const
        for (const [path, body] of calls) {
          yield* ask("POST", path, body)
          const { body: sent } = yield* ask("POST", "/v1/send", letter)
          assert.strictEqual(sent.data.emails[0].status, "SUPPRESSED")
        }
        assert.strictEqual((yield* ask("GET", `/suppressions/${email}`)).body.reason, "COMPLAINT")
      })
    )
  })
}

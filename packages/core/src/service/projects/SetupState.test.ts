import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`The setup state on ${name}`, (it) => {
    it.effect("counts what the project has, and says when the first mail was sent and the first event tracked", () =>
      Effect.gen(function* () {
        const owner = yield* person("owner")
        const project = yield* newProject(owner.cookie)
        const bearer = { authorization: `Bearer ${project.secret}` }
        const post = (path: string, body: unknown) => send("POST", path, body, bearer)
        const state = Effect.map(
          send("GET", `/projects/${project.id}/setup-state`, undefined, bearer),
          ({ body }) => body.data
        )
        assert.deepStrictEqual(yield* state, {
          hasSubscription: false,
          hasVerifiedDomain: false,
          domainCount: 0,
          contactCount: 0,
          memberCount: 1,
          templateCount: 0,
          firstEmailSentAt: null,
          firstEventAt: null,
          lastCampaignSentAt: null,
          hasEnabledWorkflow: false,
          hasWebhook: false
        })

        const member = yield* person("member")
        yield* settled(addMember(owner.cookie, project.id, member, "MEMBER"))
        const domain = `${project.id}.test`
        yield* post("/domains", { domain })
        const mail = { from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" }
        yield* post("/templates", { ...mail, name: "News" })
        yield* post("/webhooks", { url: "https://hooks.example.com", events: ["email.sent"] })
        const eventAt = DateTime.formatIso(yield* DateTime.now)
        yield* post("/events/track", { email: "ada@example.com", event: "seen" })
        yield* TestClock.adjust("1 minute")
        yield* post("/events/track", { email: "ada@example.com", event: "seen" })

        const { body: key } = yield* post("/api-keys", { name: "Test", scopes: ["send"], mode: "TEST" })
        const sentAt = yield* DateTime.now
        const sql = yield* SqlClient.SqlClient
        const sendAt = Effect.fnUntraced(function* (authorization: string, minutes: number) {
          const sent = yield* send("POST", "/v1/send", { ...mail, to: "ada@example.com" }, { authorization })
          assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
          const at = DateTime.toDate(DateTime.add(sentAt, { minutes }))
          yield* sql`update emails set sent_at = ${at} where id = ${sent.body.data.emails[0].email}`
        })
        yield* sendAt(`Bearer ${key.key}`, 0)
        assert.isNull((yield* state).firstEmailSentAt)
        yield* sendAt(bearer.authorization, 2)
        yield* sendAt(bearer.authorization, 1)

        assert.deepInclude(yield* state, {
          hasVerifiedDomain: true,
          domainCount: 1,
          contactCount: 1,
          memberCount: 2,
          templateCount: 1,
          firstEmailSentAt: DateTime.formatIso(DateTime.add(sentAt, { minutes: 1 })),
          firstEventAt: eventAt,
          hasWebhook: true
        })
        const bySession = yield* browse(member.cookie, "GET", `/projects/${project.id}/setup-state`)
        assert.deepStrictEqual(bySession.body.data, yield* state)
        const other = yield* newProject((yield* person("other")).cookie)
        const foreign = yield* send("GET", `/projects/${project.id}/setup-state`, undefined, {
          authorization: `Bearer ${other.secret}`
        })
        assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "RESOURCE_NOT_FOUND"])
      })
    )
  })
}

/** Who needs an approval to send a campaign, who gives it, and what ends it, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seed } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { addMember, browse, emailsTo, newProject, person } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

let domains = 0

/** A project with an owner, an administrator and a member, and their requests. */
const staffed = Effect.gen(function* () {
  const [owner, admin, member] = [yield* person("owner"), yield* person("admin"), yield* person("member")]
  const { id, secret } = yield* newProject(owner.cookie)
  const project = ProjectId.make(id)
  yield* addMember(owner.cookie, id, admin, "ADMIN")
  yield* addMember(owner.cookie, id, member, "MEMBER")
  const domain = `approval${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(project, { domain })))
  yield* seed(project, "c", 2)
  const draft = { name: "Launch", subject: "News", body: "<p>Hi</p>", from: `news@${domain}`, audienceType: "ALL" }
  const as =
    ({ cookie }: { readonly cookie: string }) =>
    (method: string, path: string, body?: unknown) =>
      browse(cookie, method, path, body, { "x-project-id": id })
  const withKey = (method: string, path: string, body?: unknown) =>
    send(method, path, body, { authorization: `Bearer ${secret}` })
  const create = Effect.map(withKey("POST", "/campaigns", draft), ({ body }) => String(body.data.id))
  const rule = (campaignApproval: string) => as(owner)("PATCH", "/settings/sending", { campaignApproval })
  return { owner, admin, member, project, draft, as, withKey, create, rule }
})

const summary = ({ status, body }: Effect.Success<ReturnType<typeof browse>>) =>
  `${status} ${body?.error?.details?.reason ?? body?.error?.code ?? body?.data?.approval?.state ?? "ok"}`

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`The approval of campaigns on ${name}`, (it) => {
    it.effect("is a setting that an administrator changes, off at first", () =>
      Effect.gen(function* () {
        const { admin, member, project, as, withKey } = yield* staffed
        const off = {
          quietHours: null,
          frequencyCaps: [],
          onCap: { campaigns: "SKIP", workflows: "WAIT" },
          maxWaitHours: 24,
          campaignApproval: "OFF",
          capsCountSince: null,
          updatedAt: null
        }
        assert.deepStrictEqual((yield* as(member)("GET", "/settings/sending")).body, off)
        assert.strictEqual(
          summary(yield* as(member)("PATCH", "/settings/sending", { campaignApproval: "ALL" })),
          "403 role"
        )
        const wrong = yield* as(admin)("PATCH", "/settings/sending", { campaignApproval: "SOME" })
        assert.strictEqual(wrong.body.error.errors[0].field, "campaignApproval")
        assert.deepStrictEqual((yield* withKey("PATCH", "/settings/sending", {})).body, off)
        const { body } = yield* as(admin)("PATCH", "/settings/sending", { campaignApproval: "ALL" })
        assert.strictEqual(body.campaignApproval, "ALL")
        assert.deepStrictEqual((yield* withKey("GET", "/settings/sending")).body, body)
        const audit = yield* SqlClient.SqlClient.use(
          (sql) => sql`
            select details from audit_log where project_id = ${project} and action = 'project.settings_changed'`
        )
        assert.deepStrictEqual(
          audit.map((_) => ({ ..._ })),
          [{ details: { sending: ["campaignApproval"] } }]
        )
        const none = yield* as(admin)("PATCH", "/settings/sending", { campaignApproval: null })
        assert.strictEqual(none.body.campaignApproval, "OFF")
      })
    )

    it.effect("a member needs one under MEMBERS; it is asked for, given once, and the requester is notified", () =>
      Effect.gen(function* () {
        const { owner, admin, member, project, as, withKey, create, rule } = yield* staffed
        yield* rule("MEMBERS")
        const id = yield* create
        const path = `/campaigns/${id}`
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/send`, {})), "409 approval_required")
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/approve`, {})), "409 approval_state")
        const asked = yield* as(member)("POST", `${path}/request-approval`, { note: "Please" })
        assert.deepStrictEqual(asked.body.data.approval, {
          state: "REQUESTED",
          requestedBy: { kind: "USER", userId: member.id },
          decidedBy: null,
          note: "Please",
          at: asked.body.data.approval.at
        })
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/request-approval`, {})), "200 REQUESTED")
        for (const { email } of [owner, admin]) {
          const mails = (yield* emailsTo(email)).filter(({ subject }) => subject.includes("waits for an approval"))
          assert.lengthOf(mails, 1)
          assert.include(mails[0]?.subject, "Launch")
        }
        assert.isFalse((yield* emailsTo(member.email)).some(({ subject }) => subject.includes("approval")))
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/send`, {})), "409 approval_required")
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/approve`, {})), "403 role")
        assert.strictEqual(summary(yield* withKey("POST", `${path}/approve`, {})), "401 UNAUTHORIZED")
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/reject`, {})), "422 VALIDATION_ERROR")
        const approved = yield* as(admin)("POST", `${path}/approve`, {})
        assert.deepInclude(approved.body.data.approval, {
          state: "APPROVED",
          requestedBy: { kind: "USER", userId: member.id },
          decidedBy: { kind: "USER", userId: admin.id },
          note: null
        })
        assert.strictEqual(summary(yield* as(owner)("POST", `${path}/approve`, {})), "200 APPROVED")
        assert.strictEqual(summary(yield* as(owner)("POST", `${path}/reject`, { note: "No" })), "409 approval_state")
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/request-approval`, {})), "409 approval_state")
        assert.strictEqual((yield* as(member)("POST", `${path}/send`, {})).status, 200)
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/approve`, {})), "409 approval_state")

        const rows = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
          Effect.map(SqlClient.SqlClient.use(statement), (found) => found.map((_) => ({ ..._ })))
        const data = { campaignId: id, name: "Launch" }
        assert.deepStrictEqual(
          yield* rows(
            (sql) => sql`
              select name, data from events where project_id = ${project} and name like 'campaign.%' order by created_at, name desc`
          ),
          [
            { name: "campaign.approved", data: { ...data, note: null, userId: admin.id } },
            { name: "campaign.approval_requested", data: { ...data, note: "Please", userId: member.id } }
          ].toSorted((a, b) => (a.name < b.name ? 1 : -1))
        )
        assert.deepStrictEqual(
          yield* rows(
            (sql) => sql`
              select action, user_id as user from audit_log
              where project_id = ${project} and action like 'campaign.%' order by id`
          ),
          [
            { action: "campaign.approval_requested", user: member.id },
            { action: "campaign.approved", user: admin.id },
            { action: "campaign.sent", user: member.id }
          ]
        )
        const other = yield* create
        assert.strictEqual((yield* as(admin)("POST", `/campaigns/${other}/send`, {})).status, 200)
        const another = yield* create
        assert.strictEqual((yield* withKey("POST", `/campaigns/${another}/send`, {})).status, 200)
      })
    )

    it.effect("a change of content or audience ends it; the same content does not", () =>
      Effect.gen(function* () {
        const { admin, member, draft, as, create, project, rule } = yield* staffed
        yield* rule("MEMBERS")
        const id = yield* create
        const path = `/campaigns/${id}`
        const state = Effect.map(as(member)("GET", path), ({ body }) => body.data.approval.state)
        const approve = Effect.andThen(
          as(member)("POST", `${path}/request-approval`, {}),
          as(admin)("POST", `${path}/approve`, {})
        )
        const put = (more: object) => as(member)("PUT", path, { ...draft, ...more })
        const changes = [
          { body: "<p>Other</p>" },
          { preheader: "Look" },
          { type: "HEADLESS" },
          {
            audienceType: "FILTERED",
            audienceCondition: { groups: [{ filters: [{ field: "email", operator: "contains", value: "c" }] }] }
          }
        ]
        for (const change of changes) {
          yield* approve
          assert.strictEqual((yield* put({})).status, 200)
          assert.strictEqual(yield* state, "APPROVED", JSON.stringify(change))
          assert.strictEqual((yield* put(change)).body.data.approval.state, "NONE", JSON.stringify(change))
          assert.strictEqual(summary(yield* as(member)("POST", `${path}/send`, {})), "409 approval_required")
          yield* put({})
        }
        yield* as(member)("POST", `${path}/request-approval`, {})
        yield* put({ subject: "Other" })
        assert.strictEqual(yield* state, "NONE")
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/approve`, {})), "409 approval_state")
        yield* as(member)("POST", `${path}/request-approval`, {})
        const rejected = yield* as(admin)("POST", `${path}/reject`, { note: "Wrong price" })
        assert.deepInclude(rejected.body.data.approval, { state: "REJECTED", note: "Wrong price" })
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/reject`, { note: "Again" })), "200 REJECTED")
        const recorded = yield* SqlClient.SqlClient.use(
          (sql) => sql`
            select user_id as user, details ->> 'campaignId' as campaign,
                   (select count(*)::int from events
                    where project_id = ${project} and name = 'campaign.rejected' and data ->> 'note' = 'Wrong price') as told
            from audit_log where project_id = ${project} and action = 'campaign.rejected'`
        )
        assert.deepStrictEqual(
          recorded.map((_) => ({ ..._ })),
          [{ user: admin.id, campaign: id, told: 1 }]
        )
        yield* put({ subject: "Third" })
        assert.strictEqual(yield* state, "REJECTED")
        yield* approve
        const later = yield* as(member)("POST", `${path}/send`, { scheduledFor: "2099-01-01T00:00:00Z" })
        assert.strictEqual(later.body.data.status, "SCHEDULED")
        assert.strictEqual(summary(yield* put({ subject: "Fourth" })), "409 approval_required")
        assert.strictEqual(summary(yield* as(member)("POST", `${path}/request-approval`, {})), "409 approval_state")
        assert.strictEqual((yield* as(admin)("PUT", path, { ...draft, subject: "Fifth" })).status, 200)
        const copy = yield* as(member)("POST", `${path}/duplicate`)
        assert.strictEqual(copy.body.data.approval.state, "NONE")
      })
    )

    it.effect("under ALL everybody needs one, from another administrator, unless there is only one", () =>
      Effect.gen(function* () {
        const { owner, admin, as, withKey, create, rule } = yield* staffed
        yield* rule("OFF")
        const early = yield* create
        yield* as(owner)("POST", `/campaigns/${early}/request-approval`, {})
        assert.strictEqual(summary(yield* as(owner)("POST", `/campaigns/${early}/approve`, {})), "200 APPROVED")
        yield* rule("ALL")
        // It was approved by the one who asked, which was enough before.
        assert.strictEqual(summary(yield* as(owner)("POST", `/campaigns/${early}/send`, {})), "409 approval_required")
        const id = yield* create
        const path = `/campaigns/${id}`
        for (const ask of [as(owner), as(admin), withKey]) {
          assert.strictEqual(summary(yield* ask("POST", `${path}/send`, {})), "409 approval_required")
        }
        yield* as(admin)("POST", `${path}/request-approval`, {})
        assert.strictEqual(summary(yield* as(admin)("POST", `${path}/approve`, {})), "403 own_request")
        assert.strictEqual(summary(yield* as(owner)("POST", `${path}/approve`, {})), "200 APPROVED")
        assert.strictEqual((yield* withKey("POST", `${path}/send`, {})).status, 200)

        const byKey = yield* create
        yield* withKey("POST", `/campaigns/${byKey}/request-approval`, {})
        const answer = yield* as(admin)("POST", `/campaigns/${byKey}/approve`, {})
        assert.deepStrictEqual(answer.body.data.approval.requestedBy, { kind: "KEY", userId: null })

        const alone = yield* create
        yield* as(owner)("POST", `/campaigns/${alone}/request-approval`, {})
        yield* as(owner)(
          "PATCH",
          `/projects/${(yield* as(owner)("GET", path)).body.data.projectId}/members/${admin.id}`,
          {
            role: "MEMBER"
          }
        )
        assert.strictEqual(summary(yield* as(owner)("POST", `/campaigns/${alone}/approve`, {})), "200 APPROVED")
        assert.strictEqual((yield* as(owner)("POST", `/campaigns/${alone}/send`, {})).status, 200)
      })
    )

    it.effect("two decisions at once: one counts", () =>
      Effect.gen(function* () {
        const { owner, admin, member, as, create } = yield* staffed
        const id = yield* create
        yield* as(member)("POST", `/campaigns/${id}/request-approval`, {})
        const answers = yield* Effect.all(
          [
            as(owner)("POST", `/campaigns/${id}/approve`, {}),
            as(admin)("POST", `/campaigns/${id}/reject`, { note: "No" })
          ],
          { concurrency: 2 }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
      })
    )

    it.effect("the text beside the subject is rendered, hidden in the HTML, and not in the text", () =>
      Effect.gen(function* () {
        const { draft, project, withKey } = yield* staffed
        yield* seed(project, "ada", 1, { firstName: "Ada" })
        const wrong = yield* withKey("POST", "/campaigns", { ...draft, preheader: "{{#if a}}" })
        assert.deepInclude(wrong.body.error.errors[0], { field: "preheader", code: "template_syntax" })
        for (const preheader of ["x".repeat(251), "a\nb"]) {
          assert.strictEqual((yield* withKey("POST", "/campaigns", { ...draft, preheader })).status, 422)
        }
        const body = '<!-- <body> --><html><head></head><body title="a>b"><p>Hi</p></body></html>'
        const texts = { preheader: "For {{firstName ?? you}} & co", body, type: "HEADLESS" }
        const created = yield* withKey("POST", "/campaigns", { ...draft, ...texts })
        assert.strictEqual(created.body.data.preheader, texts.preheader)
        const tested = yield* withKey("POST", `/campaigns/${created.body.data.id}/test`, { email: "ada-1@example.com" })
        const { html, text } = (yield* withKey("GET", `/emails/${tested.body.data.email}/content`)).body
        assert.match(html, /<body title="a>b"><div style="display:none[^"]*">For Ada &amp; co<\/div><p>Hi<\/p>/)
        assert.strictEqual(text.trim(), "Hi")
        const copy = yield* withKey("POST", `/campaigns/${created.body.data.id}/duplicate`)
        assert.strictEqual(copy.body.data.preheader, texts.preheader)
      })
    )
  })
}

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { filter, plan, seed } from "../../audience/segments/SegmentsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { campaignIn, countRows, sendingProject, states, work } from "./CampaignsFixture.ts"

const unknownId = "019a0000-0000-7000-8000-00000000dead"
const start = Date.UTC(2026, 10, 20, 15, 4, 5, 123)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Campaigns on ${name}`, (it) => {
    it.effect("a campaign has the fields of the contract, with times of the service's clock", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const { ask, project, draft, domain } = yield* sendingProject(3)
        const { status, body } = yield* ask("POST", "/campaigns", { ...draft, name: " Launch ", status: "SENT" })
        assert.strictEqual(status, 201)
        assert.deepStrictEqual(body, {
          success: true,
          data: {
            id: body.data.id,
            name: "Launch",
            description: null,
            subject: "News for {{firstName ?? you}}",
            preheader: null,
            archive: false,
            archiveUrl: null,
            format: "HTML",
            body: "<p>Hi {{firstName}}</p>",
            source: null,
            from: `news@${domain}`,
            fromName: null,
            replyTo: null,
            type: "MARKETING",
            layout: null,
            status: "DRAFT",
            paused: false,
            statusReason: null,
            audienceType: "ALL",
            segmentId: null,
            audienceCondition: null,
            recipientsOf: null,
            text: null,
            language: null,
            translations: {},
            templateId: null,
            templateVersion: null,
            topicId: null,
            policy: { quietHours: "APPLY", frequencyCaps: "APPLY" },
            delivery: null,
            priority: 3,
            experiment: null,
            experimentState: null,
            goal: null,
            holdout: null,
            approval: { state: "NONE", requestedBy: null, decidedBy: null, note: null, at: null },
            recurrence: null,
            parentId: null,
            scheduledFor: null,
            startsAt: null,
            estimatedRecipients: 3,
            audienceSize: 0,
            holdoutSize: 0,
            totalRecipients: 0,
            sentCount: 0,
            deliveredCount: 0,
            openedCount: 0,
            clickedCount: 0,
            bouncedCount: 0,
            complainedCount: 0,
            unsubscribedCount: 0,
            failedCount: 0,
            suppressedCount: 0,
            cancelledCount: 0,
            projectId: project,
            sentAt: null,
            completedAt: null,
            createdAt: "2026-11-20T15:04:05.123Z",
            updatedAt: "2026-11-20T15:04:05.123Z"
          },
          warnings: [{ field: "status", message: "`status` is unknown.", suggestion: null }]
        })
        assert.match(body.data.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
        const got = yield* ask("GET", `/campaigns/${body.data.id.toUpperCase()}`)
        assert.deepStrictEqual(got.body, { success: true, data: { ...body.data, segment: null, topic: null } })
      })
    )

    it.effect("every fault of a body is reported, and nothing is stored", () =>
      Effect.gen(function* () {
        const { ask, outcome, draft } = yield* sendingProject(1)
        const faults = (body: object) =>
          Effect.map(ask("POST", "/campaigns", body), ({ status, body }) => [
            status,
            ...(body.error.errors ?? []).map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`)
          ])
        assert.deepStrictEqual(yield* faults({}), [422, "name required", "audienceType required"])
        assert.deepStrictEqual(yield* faults({ name: "A", audienceType: "ALL" }), [
          422,
          "subject required",
          "body required",
          "from required"
        ])
        assert.deepStrictEqual(yield* faults({ ...draft, subject: "{{#if a}}", audienceType: "SEGMENT" }), [
          422,
          "segmentId required",
          "subject template_syntax"
        ])
        assert.deepStrictEqual(yield* faults({ ...draft, audienceType: "FILTERED", audienceCondition: null }), [
          422,
          "audienceCondition required"
        ])
        assert.deepStrictEqual(
          yield* faults({ ...draft, audienceType: "FILTERED", audienceCondition: filter("plan", "equals", 1) }),
          [422, "audienceCondition.groups.0.filters.0.field custom"]
        )
        assert.deepStrictEqual(
          yield* faults({
            ...draft,
            audienceType: "FILTERED",
            audienceCondition: filter(`segment.${unknownId}`, "memberOfSegment")
          }),
          [422, "audienceCondition.groups.0.filters.0.field custom"]
        )
        assert.deepStrictEqual(yield* faults({ ...draft, audienceType: "SOME", type: 7, name: "x".repeat(201) }), [
          422,
          "name too_big",
          "type invalid_type",
          "audienceType invalid_enum"
        ])
        const refusals = [
          [{ ...draft, subject: "a\r\nBcc: x" }, "422 VALIDATION_ERROR"],
          [{ ...draft, audienceType: "SEGMENT", segmentId: unknownId }, "404 SEGMENT_NOT_FOUND"],
          [{ ...draft, templateId: unknownId }, "404 TEMPLATE_NOT_FOUND"],
          [{ ...draft, from: "a@unverified.example.net" }, "403 sender_domain_unverified"],
          ["[]", "422 VALIDATION_ERROR"],
          ["{", "400 INVALID_JSON"]
        ] as const
        for (const [body, expected] of refusals)
          assert.strictEqual(yield* outcome("POST", "/campaigns", body), expected)
        assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, 0)
      })
    )

    it.effect("a template supplies the fields that the request does not have; its texts are copied", () =>
      Effect.gen(function* () {
        const { ask, draft, read } = yield* sendingProject(1)
        const template = (yield* ask("POST", "/templates", {
          name: "T",
          subject: "From template",
          body: "<p>T</p>",
          from: draft.from,
          fromName: "Templates",
          replyTo: "reply@example.com",
          type: "HEADLESS"
        })).body
        const made = yield* ask("POST", "/campaigns", {
          name: "C",
          audienceType: "ALL",
          subject: "Own",
          templateId: template.id
        })
        const id = made.body.data.id
        const { subject, body, from, fromName, replyTo, type, templateId } = made.body.data
        assert.deepStrictEqual(
          [subject, body, from, fromName, replyTo, type, templateId],
          ["Own", "<p>T</p>", draft.from, "Templates", "reply@example.com", "HEADLESS", template.id]
        )
        const usage = yield* ask("GET", `/templates/${template.id}/usage`)
        assert.deepStrictEqual(usage.body.campaigns, [{ id, name: "C", status: "DRAFT" }])
        yield* ask("PATCH", `/templates/${template.id}`, { body: "<p>Changed</p>" })
        assert.strictEqual((yield* read(id)).body, "<p>T</p>")
        assert.strictEqual((yield* ask("DELETE", `/templates/${template.id}`)).status, 204)
        assert.strictEqual((yield* read(id)).templateId, null)
      })
    )

    it.effect("replacing resets absent fields, and keeps the schedule", () =>
      Effect.gen(function* () {
        const { ask, create, draft, project } = yield* sendingProject(2)
        const id = yield* create({ description: "Note", fromName: "Me", type: "TRANSACTIONAL" })
        yield* ask("POST", `/campaigns/${id}/send`, { scheduledFor: "2099-05-05" })
        yield* seed(project, "more", 2)
        const { status, body } = yield* ask("PUT", `/campaigns/${id}`, {
          ...draft,
          name: "Other",
          segmentId: unknownId
        })
        assert.strictEqual(status, 200)
        assert.deepInclude(body.data, {
          name: "Other",
          description: null,
          fromName: null,
          type: "MARKETING",
          segmentId: null,
          status: "SCHEDULED",
          scheduledFor: "2099-05-05T00:00:00.000Z",
          estimatedRecipients: 4
        })
      })
    )

    it.effect("lists with filters, and refuses an unknown status", () =>
      Effect.gen(function* () {
        const { ask, create, outcome } = yield* sendingProject(1)
        yield* create({ name: "Alpha" })
        yield* TestClock.adjust("1 second")
        const beta = yield* create({ name: "beta", subject: "100% off_" })
        yield* ask("POST", `/campaigns/${beta}/send`, { scheduledFor: 4102444800000 })
        const names = (query: string) =>
          Effect.map(ask("GET", `/campaigns?${query}`), ({ body }) => body.data.map((_: { name: string }) => _.name))
        assert.deepStrictEqual(yield* names(""), ["beta", "Alpha"])
        assert.deepStrictEqual(yield* names("sort=name&dir=asc"), ["Alpha", "beta"])
        assert.deepStrictEqual(yield* names("sort=nonsense"), ["beta", "Alpha"])
        assert.deepStrictEqual(yield* names("search=%25 OFF_"), ["beta"])
        assert.deepStrictEqual(yield* names("search=NEWS@"), ["beta", "Alpha"])
        assert.deepStrictEqual(yield* names("status=SCHEDULED"), ["beta"])
        assert.deepStrictEqual(yield* names("pageSize=1&page=2"), ["Alpha"])
        const bad = yield* ask("GET", "/campaigns?status=sent")
        assert.strictEqual(bad.status, 400)
        assert.deepInclude(bad.body.error.details, { parameter: "status", received: "sent" })
        assert.strictEqual(yield* outcome("GET", "/campaigns?page=0"), "400 BAD_REQUEST")
      })
    )

    it.effect("a copy is an independent draft", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(2)
        const id = yield* campaignIn(project, "SENT")
        const { status, body } = yield* project.ask("POST", `/campaigns/${id}/duplicate`)
        assert.strictEqual(status, 201)
        assert.strictEqual(body.success, true)
        assert.deepInclude(body.data, {
          name: "Launch (Copy)",
          status: "DRAFT",
          sentCount: 0,
          totalRecipients: 0,
          estimatedRecipients: 2,
          sentAt: null,
          completedAt: null
        })
        assert.isString(body.message)
        assert.notStrictEqual(body.data.id, id)
        const long = yield* project.create({ name: "é".repeat(200) })
        const copy = yield* project.ask("POST", `/campaigns/${long}/duplicate`)
        assert.strictEqual(copy.body.data.name, `${"é".repeat(193)} (Copy)`)
      })
    )

    it.effect("unknown and malformed ids are unknown campaigns, except in send", () =>
      Effect.gen(function* () {
        const { outcome, ask } = yield* sendingProject(1)
        const requests = [
          ["GET", ""],
          ["DELETE", ""],
          ["POST", "/duplicate"],
          ["POST", "/cancel"],
          ["POST", "/pause"],
          ["POST", "/resume"],
          ["POST", "/retry-failed"],
          ["GET", "/stats"],
          ["GET", "/recipients"]
        ] as const
        for (const [method, path] of requests) {
          for (const id of [unknownId, "7"]) {
            assert.strictEqual(yield* outcome(method, `/campaigns/${id}${path}`), "404 CAMPAIGN_NOT_FOUND")
          }
        }
        assert.strictEqual(yield* outcome("POST", `/campaigns/${unknownId}/send`), "404 CAMPAIGN_NOT_FOUND")
        const malformed = yield* ask("POST", "/campaigns/7/send", { scheduledFor: "never" })
        assert.deepStrictEqual(
          [malformed.status, malformed.body.error.errors[0].field, malformed.body.error.errors[0].code],
          [422, "id", "invalid_string"]
        )
        const unread = yield* ask("POST", `/campaigns/${unknownId}/send`, { scheduledFor: "never" })
        assert.deepStrictEqual([unread.status, unread.body.error.details.parameter], [400, "scheduledFor"])
      })
    )

    it.effect("campaigns of other projects cannot be read or changed", () =>
      Effect.gen(function* () {
        const mine = yield* sendingProject(2)
        const { ask, outcome, draft } = yield* sendingProject(1)
        const before = yield* Effect.forEach(states, (state) => campaignIn(mine, state))
        const records = yield* Effect.forEach(before, mine.read)
        const requests = [
          ["GET", "", undefined],
          ["PUT", "", draft],
          ["DELETE", "", undefined],
          ["POST", "/duplicate", undefined],
          ["POST", "/send", {}],
          ["POST", "/send", { scheduledFor: "2099-01-01" }],
          ["POST", "/cancel", undefined],
          ["POST", "/pause", undefined],
          ["POST", "/resume", undefined],
          ["POST", "/retry-failed", { includeAmbiguous: true }],
          ["POST", "/test", { email: "c-1@example.com" }],
          ["GET", "/stats", undefined],
          ["GET", "/recipients", undefined]
        ] as const
        for (const id of before) {
          for (const [method, path, body] of requests) {
            assert.strictEqual(yield* outcome(method, `/campaigns/${id}${path}`, body), "404 CAMPAIGN_NOT_FOUND")
          }
        }
        assert.deepStrictEqual(yield* Effect.forEach(before, mine.read), records)
        assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, 0)
        const segment = (yield* mine.ask("POST", "/segments", { name: "S", type: "STATIC" })).body.id
        const foreign = { ...draft, audienceType: "SEGMENT", segmentId: segment }
        assert.strictEqual(yield* outcome("POST", "/campaigns", foreign), "404 SEGMENT_NOT_FOUND")
      })
    )

    it.effect("sending fixes the audience once, with one mail for each contact", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const project = yield* sendingProject(5)
        const { ask, create, read, stats } = project
        const id = yield* create()
        const { status, body } = yield* ask("POST", `/campaigns/${id}/send`)
        assert.strictEqual(status, 200)
        assert.strictEqual(body.message, "Sending has started.")
        assert.deepInclude(body.data, {
          id,
          status: "SENDING",
          scheduledFor: null,
          sentAt: "2026-11-20T15:04:05.123Z",
          totalRecipients: 0,
          estimatedRecipients: 5
        })
        yield* seed(project.project, "late", 2)
        yield* work
        const after = yield* read(id)
        assert.deepInclude(after, { totalRecipients: 5, status: "SENDING" })
        assert.deepInclude(yield* stats(id), { totalRecipients: 5, pendingCount: 5, sentCount: 0, openRate: 0 })
        const rows = yield* countRows(id)
        assert.strictEqual(rows["total"], 5)
        const page = yield* ask("GET", `/campaigns/${id}/recipients?limit=2`)
        assert.deepStrictEqual([page.body.total, page.body.hasMore, page.body.data.length], [5, true, 2])
        const ids = [...page.body.data]
        for (let cursor = page.body.cursor; cursor !== undefined; ) {
          const next = yield* ask("GET", `/campaigns/${id}/recipients?limit=2&cursor=${cursor}`)
          ids.push(...next.body.data)
          cursor = next.body.cursor
        }
        const contacts = ids.map((_: { contactId: string }) => _.contactId)
        assert.deepStrictEqual(contacts, [...contacts].sort())
        assert.strictEqual(new Set(contacts).size, 5)
        assert.deepStrictEqual(
          { ...ids[0], contactId: null, emailId: null, email: null },
          {
            contactId: null,
            email: null,
            emailId: null,
            status: "PENDING",
            variant: null,
            reason: null,
            sentAt: null,
            deliveredAt: null,
            openedAt: null,
            clickedAt: null,
            bouncedAt: null,
            error: null
          }
        )
        assert.match(ids[0].emailId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
        const some = yield* ask("GET", `/campaigns/${id}/recipients?search=C-3@&status=PENDING`)
        assert.deepStrictEqual(
          some.body.data.map((_: { email: string }) => _.email),
          ["c-3@example.com"]
        )
        assert.strictEqual((yield* ask("GET", `/campaigns/${id}/recipients?status=SOON`)).status, 400)
        const stolen = yield* ask("GET", `/campaigns/${id}/recipients?status=SENT&cursor=${page.body.cursor}`)
        assert.strictEqual(stolen.body.error.code, "INVALID_CURSOR")
      })
    )

    it.effect("the audience has the selected contacts, only subscribed ones if consent is required", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(2)
        const { ask, create } = project
        yield* seed(project.project, "pro", 3, { plan: "pro" })
        const sql = yield* SqlClient.SqlClient
        yield* sql`update contacts set subscribed = false where project_id = ${project.project} and email = 'pro-1@example.com'`
        const dynamic = (yield* ask("POST", "/segments", { name: "Pro", condition: plan("pro") })).body.id
        const fixed = (yield* ask("POST", "/segments", { name: "Fixed", type: "STATIC" })).body.id
        yield* ask("POST", `/segments/${fixed}/members`, { emails: ["c-1@example.com", "pro-1@example.com"] })
        const audiences = [
          [{}, 4],
          [{ type: "TRANSACTIONAL" }, 5],
          [{ type: "HEADLESS" }, 4],
          [{ audienceType: "SEGMENT", segmentId: dynamic }, 2],
          [{ audienceType: "SEGMENT", segmentId: dynamic, type: "TRANSACTIONAL" }, 3],
          [{ audienceType: "SEGMENT", segmentId: fixed.toUpperCase() }, 1],
          [{ audienceType: "FILTERED", audienceCondition: plan("pro") }, 2],
          [
            {
              audienceType: "FILTERED",
              audienceCondition: filter(`segment.${fixed}`, "memberOfSegment"),
              type: "TRANSACTIONAL"
            },
            2
          ],
          [{ audienceType: "FILTERED", audienceCondition: { groups: [] } }, 4]
        ] as const
        for (const [audience, size] of audiences) {
          const id = yield* create(audience)
          const before = yield* project.read(id)
          assert.strictEqual(before.estimatedRecipients, size, JSON.stringify(audience))
          yield* ask("POST", `/campaigns/${id}/send`)
          yield* work
          assert.strictEqual((yield* project.read(id)).totalRecipients, size, JSON.stringify(audience))
        }
        const shown = yield* project.read(yield* create({ audienceType: "SEGMENT", segmentId: fixed }))
        assert.deepStrictEqual(shown.segment, { id: fixed, name: "Fixed", type: "STATIC", memberCount: 2 })
      })
    )

    it.effect("a segment that an active campaign uses cannot be deleted", () =>
      Effect.gen(function* () {
        const { ask, create } = yield* sendingProject(1)
        const segment = (yield* ask("POST", "/segments", { name: "S", condition: { groups: [] } })).body.id
        const direct = yield* create({ name: "Direct", audienceType: "SEGMENT", segmentId: segment })
        const named = yield* create({
          name: "Named",
          audienceType: "FILTERED",
          audienceCondition: filter(`segment.${segment}`, "memberOfSegment")
        })
        const refused = yield* ask("DELETE", `/segments/${segment}`)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
        assert.deepStrictEqual(refused.body.error.details.campaigns, [
          { id: direct, name: "Direct", status: "DRAFT" },
          { id: named, name: "Named", status: "DRAFT" }
        ])
        for (const id of [direct, named]) yield* ask("DELETE", `/campaigns/${id}`)
        assert.strictEqual((yield* ask("DELETE", `/segments/${segment}`)).status, 204)
      })
    )

    it.effect("fields and events report the active campaigns that use them", () =>
      Effect.gen(function* () {
        const { ask, create } = yield* sendingProject(1)
        const audience = (field: string, operator: string, value?: string) => ({
          audienceType: "FILTERED",
          audienceCondition: filter(field, operator, value)
        })
        const byField = yield* create({ name: "By field", ...audience("data.plan.name", "equals", "pro") })
        const byEvent = yield* create({ name: "By event", ...audience("event.signed_up", "triggered") })
        const field = (yield* ask("GET", "/contacts/fields/plan/usage")).body
        assert.deepStrictEqual(field.usedInCampaigns, [{ id: byField, name: "By field", status: "DRAFT" }])
        const event = (yield* ask("GET", "/events/signed_up/usage")).body
        assert.deepStrictEqual(event.usedInCampaigns, [{ id: byEvent, name: "By event", status: "DRAFT" }])
        assert.isFalse(event.canDelete)
        assert.strictEqual((yield* ask("DELETE", "/events/signed_up")).status, 409)
        assert.strictEqual((yield* ask("DELETE", "/contacts/fields/plan")).status, 409)
        for (const id of [byField, byEvent]) yield* ask("DELETE", `/campaigns/${id}`)
        assert.deepStrictEqual((yield* ask("GET", "/events/signed_up/usage")).body.usedInCampaigns, [])
      })
    )

    it.effect("a domain that an active campaign sends from cannot be removed", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(1)
        const { ask, project: id } = project
        const [{ id: domain }] = (yield* ask("GET", `/domains/project/${id}`)).body
        const draft = yield* campaignIn(project, "DRAFT")
        yield* campaignIn(project, "SENT")
        const sending = yield* campaignIn(project, "SENDING")
        const refused = yield* ask("DELETE", `/domains/${domain}`)
        assert.strictEqual(refused.body.error.code, "RESOURCE_IN_USE")
        const { campaigns, pendingEmails } = refused.body.error.details
        assert.sameMembers(
          campaigns.map((_: { id: string }) => _.id),
          [draft, sending]
        )
        assert.strictEqual(pendingEmails, 1)
        yield* ask("DELETE", `/campaigns/${draft}`)
        yield* ask("POST", `/campaigns/${sending}/cancel`)
        yield* work
        assert.strictEqual((yield* ask("DELETE", `/domains/${domain}`)).status, 204)
      })
    )

    it.effect("refuses to send to an empty audience, from an unverified domain, and an invalid text", () =>
      Effect.gen(function* () {
        const { ask, create, outcome, project, domain, read } = yield* sendingProject(1)
        const sql = yield* SqlClient.SqlClient
        const empty = yield* create({ audienceType: "FILTERED", audienceCondition: plan("none") })
        assert.strictEqual(yield* outcome("POST", `/campaigns/${empty}/send`), "400 EMPTY_AUDIENCE")
        assert.deepInclude(yield* read(empty), { status: "DRAFT", sentAt: null, estimatedRecipients: 0 })
        const scheduled = yield* ask("POST", `/campaigns/${empty}/send`, { scheduledFor: "2099-01-01T09:00:00+02:00" })
        assert.strictEqual(scheduled.body.message, "Campaign scheduled for 2099-01-01T07:00:00.000Z.")
        const id = yield* create()
        yield* sql`update campaigns set body = '{{#if' where id = ${id}::uuid`
        assert.strictEqual(yield* outcome("POST", `/campaigns/${id}/send`), "422 VALIDATION_ERROR")
        yield* sql`update domains set verified = false where project_id = ${project}`
        const refused = yield* ask("POST", `/campaigns/${id}/send`, { scheduledFor: "2099-01-01" })
        assert.deepStrictEqual([refused.status, refused.body.error.details.domain], [403, domain])
      })
    )

    it.effect("of two simultaneous sends one succeeds", () =>
      Effect.gen(function* () {
        const { create, outcome, read } = yield* sendingProject(3)
        const id = yield* create()
        const outcomes = yield* Effect.all(
          Array.from({ length: 4 }, () => outcome("POST", `/campaigns/${id}/send`)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.sort(), [
          "200 ok",
          "409 campaign_state",
          "409 campaign_state",
          "409 campaign_state"
        ])
        yield* work
        assert.strictEqual((yield* read(id)).totalRecipients, 3)
      })
    )

    it.effect("a campaign starts at its time, or has the reason why it was cancelled", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const { ask, create, read, project } = yield* sendingProject(2)
        const sql = yield* SqlClient.SqlClient
        const at = (more: object = {}, scheduledFor = "2026-11-20T16:00:00Z") =>
          Effect.tap(create(more), (id) => ask("POST", `/campaigns/${id}/send`, { scheduledFor }))
        const past = yield* at({}, "1999-12-31")
        const sent = yield* at()
        const empty = yield* at({ audienceType: "FILTERED", audienceCondition: plan("none") })
        const moved = yield* at()
        yield* ask("POST", `/campaigns/${moved}/send`, { scheduledFor: "2026-11-21" })
        yield* work
        assert.deepInclude(yield* read(past), { status: "SENDING", totalRecipients: 2, scheduledFor: null })
        assert.strictEqual((yield* read(sent)).status, "SCHEDULED")
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 16))
        yield* work
        assert.deepInclude(yield* read(sent), { status: "SENDING", sentAt: "2026-11-20T16:00:00.000Z" })
        assert.deepInclude(yield* read(empty), {
          status: "SENT",
          totalRecipients: 0,
          completedAt: "2026-11-20T16:00:00.000Z"
        })
        assert.deepInclude(yield* read(moved), { status: "SCHEDULED", scheduledFor: "2026-11-21T00:00:00.000Z" })
        yield* sql`update domains set verified = false where project_id = ${project}`
        yield* TestClock.setTime(Date.UTC(2026, 10, 21))
        yield* work
        assert.deepInclude(yield* read(moved), {
          status: "CANCELLED",
          statusReason: "DOMAIN_NOT_VERIFIED",
          scheduledFor: null,
          completedAt: "2026-11-21T00:00:00.000Z"
        })
        yield* sql`update domains set verified = true where project_id = ${project}`
        const disabled = yield* at()
        yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
        yield* work
        assert.deepInclude(yield* read(disabled), { status: "CANCELLED", statusReason: "PROJECT_DISABLED" })
      })
    )

    it.effect("every action in every state follows the table", () =>
      Effect.gen(function* () {
        const triggers = {
          update: { DRAFT: "200 DRAFT", SCHEDULED: "200 SCHEDULED" },
          schedule: { DRAFT: "200 SCHEDULED", SCHEDULED: "200 SCHEDULED" },
          send: { DRAFT: "200 SENDING", SCHEDULED: "200 SENDING" },
          cancel: {
            SCHEDULED: "200 CANCELLED",
            SENDING: "200 CANCELLED",
            PAUSED: "200 CANCELLED",
            CANCELLED: "200 CANCELLED"
          },
          pause: { SENDING: "200 PAUSED", PAUSED: "200 PAUSED" },
          resume: { SENDING: "200 SENDING", PAUSED: "200 SENDING" },
          // Without a failed mail nothing changes.
          "retry-failed": { SENDING: "200 SENDING", PAUSED: "200 PAUSED", SENT: "200 SENT" },
          delete: {
            DRAFT: "204 deleted",
            SCHEDULED: "204 deleted",
            SENT: "204 deleted",
            CANCELLED: "204 deleted",
            SENDING: "409 RESOURCE_IN_USE SENDING",
            PAUSED: "409 RESOURCE_IN_USE PAUSED"
          }
        }
        const project = yield* sendingProject(2)
        const { ask, read, draft } = project
        const act = (trigger: keyof typeof triggers, id: string) => {
          if (trigger === "update") return ask("PUT", `/campaigns/${id}`, draft)
          if (trigger === "delete") return ask("DELETE", `/campaigns/${id}`)
          if (trigger === "schedule") return ask("POST", `/campaigns/${id}/send`, { scheduledFor: "2098-01-01" })
          return ask("POST", `/campaigns/${id}/${trigger}`)
        }
        for (const trigger of Object.keys(triggers) as ReadonlyArray<keyof typeof triggers>) {
          for (const state of states) {
            const id = yield* campaignIn(project, state)
            const { status, body } = yield* act(trigger, id)
            const campaign = yield* read(id)
            const now = campaign === undefined ? "deleted" : campaign.paused ? "PAUSED" : campaign.status
            const code = body?.error?.code
            const expected = (triggers[trigger] as Record<string, string>)[state] ?? `409 CONFLICT ${state}`
            assert.strictEqual(
              [status, code, now].filter((_) => _ !== undefined).join(" "),
              expected,
              `${trigger} in ${state}`
            )
            if (code === "CONFLICT") {
              const { reason, status: found, allowed } = body.error.details
              assert.strictEqual(reason, "campaign_state")
              assert.strictEqual(found, state === "PAUSED" ? "SENDING" : state)
              assert.notInclude(allowed, found)
            }
            if (campaign?.paused) assert.strictEqual(campaign.status, "SENDING")
          }
        }
      })
    )

    it.effect("cancelling cancels all mails, also those that were not created yet", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(4)
        const { ask, create, read, stats } = project
        const whole = yield* campaignIn(project, "SENDING")
        const early = yield* create()
        yield* ask("POST", `/campaigns/${early}/send`)
        for (const id of [whole, early]) {
          const { body } = yield* ask("POST", `/campaigns/${id}/cancel`)
          assert.strictEqual(body.message, "Campaign cancelled.")
          assert.isNotNull(body.data.completedAt)
        }
        yield* work
        for (const id of [whole, early]) {
          assert.deepInclude(yield* stats(id), { totalRecipients: 4, cancelledCount: 4, pendingCount: 0 })
          assert.deepInclude(yield* read(id), { status: "CANCELLED", cancelledCount: 4, paused: false })
        }
      })
    )

    it.effect("failed mails are sent again with their ids, and sent mails are not", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(4)
        const { ask, read, stats, recipients, domain } = project
        const id = yield* campaignIn(project, "SENT")
        const sql = yield* SqlClient.SqlClient
        const of = (n: number) => sql`campaign_id = ${id}::uuid and to_email = ${`c-${n}@example.com`}`
        yield* sql`update emails set status = 'FAILED', error_code = 'rejected' where ${of(1)}`
        yield* sql`update emails set status = 'AMBIGUOUS', due_at = 'infinity' where ${of(2)}`
        const before = yield* recipients(id)
        const first = yield* ask("POST", `/campaigns/${id}/retry-failed`)
        assert.deepStrictEqual([first.status, first.body.data], [200, { retried: 1, status: "SENDING" }])
        assert.deepInclude(yield* read(id), { status: "SENDING", completedAt: null })
        assert.deepInclude(yield* stats(id), { pendingCount: 1, sentCount: 2, ambiguousCount: 1, failedCount: 0 })
        const second = yield* ask("POST", `/campaigns/${id}/retry-failed`, { includeAmbiguous: true })
        assert.deepStrictEqual(second.body.data, { retried: 1, status: "SENDING" })
        const third = yield* ask("POST", `/campaigns/${id}/retry-failed`, { includeAmbiguous: true })
        assert.deepStrictEqual(third.body.data, { retried: 0, status: "SENDING" })
        const ids = (list: ReadonlyArray<{ emailId: string }>) => list.map(({ emailId }) => emailId)
        assert.deepStrictEqual(ids(yield* recipients(id)), ids(before))
        assert.deepInclude(yield* stats(id), { pendingCount: 2, sentCount: 2, totalRecipients: 4 })
        yield* sql`update domains set verified = false where project_id = ${project.project}`
        const refused = yield* ask("POST", `/campaigns/${id}/retry-failed`)
        assert.deepStrictEqual([refused.status, refused.body.error.details.domain], [403, domain])
      })
    )

    it.effect("deleting keeps the records of sent mails", () =>
      Effect.gen(function* () {
        const project = yield* sendingProject(2)
        const id = yield* campaignIn(project, "SENT")
        const [{ emailId }] = yield* project.recipients(id)
        assert.strictEqual((yield* project.ask("DELETE", `/campaigns/${id}`)).status, 204)
        assert.strictEqual(yield* project.outcome("GET", `/campaigns/${id}`), "404 CAMPAIGN_NOT_FOUND")
        assert.strictEqual((yield* project.ask("GET", `/emails/${emailId}`)).body.status, "SENT")
      })
    )
  })
}

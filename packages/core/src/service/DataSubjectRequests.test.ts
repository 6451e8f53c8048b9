import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as ContactBulk from "../audience/contacts/ContactBulk.ts"
import { DataSubjectRequests } from "../audience/contacts/DataSubjectRequests.ts"
import { importJob } from "../audience/contacts/files/ContactImportJob.ts"
import { askingProject, submit } from "../audience/optins/OptInsFixture.ts"
import { Suppressions } from "../audience/suppression/Suppressions.ts"
import { build, work } from "../automation/workflows/ExecutionsFixture.ts"
import { workflowProject } from "../automation/workflows/WorkflowsFixture.ts"
import * as EventDispatcher from "../events/EventDispatcher.ts"
import * as DeliveryReports from "../mail/sending/DeliveryReports.ts"
import * as JobRunner from "../platform/jobs/JobRunner.ts"
import { databases } from "../testing/Databases.ts"
import { eventually } from "../testing/Eventually.ts"
import { project, publicKey, servicesOn, type TestServices } from "../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../testing/TestClient.ts"
import { reaction } from "../webhooks/WebhookFanout.ts"

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    truncate jobs, contacts, events, emails, email_contents, email_attachments, email_attempts, suppressions,
             domains, idempotency_keys, webhook_endpoints cascade`
  yield* send("POST", "/domains", { domain: "mail.test" })
  return sql
})

const message = { from: { email: "hi@mail.test", name: "Shop" }, subject: "Dear Anna", body: "<p>Anna, hello</p>" }

/** An accepted email: the id of its record and the id of its contact. */
const mail = Effect.fnUntraced(function* (to: unknown, more: object = {}) {
  const { status, body } = yield* send("POST", "/v1/send", { ...message, to, ...more })
  assert.strictEqual(status, 200, JSON.stringify(body))
  const [first] = body.data.emails
  return { email: first.email as string, contact: first.contact.id as string, status: first.status as string }
})

const became = Effect.fnUntraced(function* (email: string, status: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update emails set status = ${status}, sent_at = now(), error_code = 'rejected',
           error_message = '550 <anna@example.com> unknown' where id = ${email}`
  yield* sql`
    insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, code, reply)
    values (${project}, ${email}, 1, now(), now(), 'rejected', 550, '550 <anna@example.com> unknown')`
})

/** As a word: keys in base64 have these letters by chance. */
const anna = /\banna\b/

/** The content of all tables, as one text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'posthorn'`
  const rows = yield* Effect.forEach(tables, ({ name }) => sql`select t::text as row from ${sql(name)} t`)
  return JSON.stringify(rows).toLowerCase()
})

/** Dispatches all events. */
const dispatched = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Layer.build(EventDispatcher.layer([reaction]))
  const waiting = sql`select from event_outbox`
  yield* eventually(Effect.andThen(TestClock.adjust("1 second"), waiting), ({ length }) => length === 0)
})

const erase = (contact: string) => send("POST", `/contacts/${contact}/erase`)

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`DataSubjectRequests on ${name}`, (it) => {
    it.effect("an export contains contact, events, mail and suppression", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        yield* send(
          "POST",
          "/v1/track",
          { email: "anna@example.com", event: "signup", data: { plan: "pro" } },
          { authorization: `Bearer ${publicKey}` }
        )
        const { contact, email } = yield* mail("anna@example.com")
        yield* send("PATCH", `/contacts/${contact}`, { subscribed: false })
        yield* mail("bob@example.com")
        const suppressions = yield* Suppressions
        yield* suppressions.add(project, "anna@example.com", "MANUAL", null, yield* DateTime.now)
        const { status, body } = yield* send("GET", `/contacts/${contact}/export`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(Object.keys(body), [
          "exportedAt",
          "contact",
          "events",
          "emails",
          "segments",
          "executions",
          "conversions",
          "assignments",
          "frequency",
          "optIns",
          "suppression",
          "consents",
          "aliases",
          "heldMessages",
          "mergedIds",
          "privacyRequests"
        ])
        assert.strictEqual(body.exportedAt, "2026-11-20T15:00:00.000Z")
        assert.deepStrictEqual(body.contact, (yield* send("GET", `/contacts/${contact}`)).body)
        assert.deepStrictEqual(
          body.events.map(({ name, source, data }: Record<string, unknown>) => [name, source, data]),
          [
            ["signup", "tracked", { plan: "pro" }],
            ["contact.unsubscribed", "system", { reason: "api" }]
          ]
        )
        assert.lengthOf(body.emails, 1)
        const { attemptLog: _, timeline: __, ...record } = (yield* send("GET", `/emails/${email}`)).body
        assert.deepStrictEqual(body.emails[0], record)
        assert.deepStrictEqual([body.segments, body.executions], [[], []])
        assert.deepStrictEqual(body.suppression, {
          id: body.suppression.id,
          email: "anna@example.com",
          reason: "MANUAL",
          emailId: null,
          note: null,
          createdAt: "2026-11-20T15:00:00.000Z"
        })
      })
    )

    it.effect("an erasure leaves no name, address or content; state and times of mail stay", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const attachments = [{ filename: "anna.txt", content: "YW5uYQ==" }]
        const to = { name: "Anna Smith", email: "anna@example.com" }
        const sent = yield* mail(to, { attachments, headers: { "X-Person": "Anna" }, data: { name: "Anna" } })
        yield* became(sent.email, "BOUNCED")
        const waiting = yield* mail(to)
        const open = yield* mail(to)
        yield* became(open.email, "AMBIGUOUS")
        yield* sql`
          insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
          values (gen_random_uuid(), ${project}, ${sent.contact}, ${sent.email}, 'email.bounce', 'system',
                  '{"to": "anna@example.com"}', now())`
        yield* sql`
          insert into email_hits (project_id, email_id, at, id, kind, link, url, verdict, ordinal)
          values (${project}, ${sent.email}, now(), gen_random_uuid(), 'click', 1, 'https://example.com/?anna', 'human', 1)`
        yield* sql`
          insert into email_deferrals (project_id, email_id, at, detail)
          values (${project}, ${sent.email}, now(), '<anna@example.com>: try again later')`
        const times = sql`select id, sent_at, bounced_at, created_at, opens, clicks from emails order by id`
        const before = yield* times
        yield* TestClock.adjust("1 minute")
        const { status, body } = yield* erase(sent.contact)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(
          { ...body, erasedAt: typeof body.erasedAt },
          {
            contactId: sent.contact,
            erasedAt: "string",
            events: 1,
            emails: 3,
            executions: 0,
            memberships: 0,
            consents: 2
          }
        )
        assert.notMatch(yield* everything, anna)
        assert.notInclude(yield* everything, "yw5u")
        assert.deepStrictEqual(yield* times, before)
        const statuses = yield* Effect.forEach([sent, waiting, open], ({ email }) => send("GET", `/emails/${email}`))
        assert.deepStrictEqual(
          statuses.map(({ body }) => body.status),
          ["BOUNCED", "CANCELLED", "AMBIGUOUS"]
        )
        assert.deepInclude(statuses[0]?.body, {
          to: "",
          toName: null,
          subject: "",
          contactId: null,
          headers: {},
          attachments: [],
          from: "hi@mail.test"
        })
        assert.strictEqual(statuses[0]?.body.attemptLog[0].code, 550)
        const content = yield* send("GET", `/emails/${sent.email}/content`)
        assert.deepInclude(content.body, { html: null, text: null, subject: "", headers: {} })
        assert.strictEqual(yield* outcome("GET", `/emails/${sent.email}/content?format=raw`), "404 RESOURCE_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", `/emails/${open.email}/retry`), "409 CONFLICT")
        for (const method of ["GET", "DELETE"] as const)
          assert.strictEqual(yield* outcome(method, `/contacts/${sent.contact}`), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", `/contacts/${sent.contact}/erase`), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("GET", `/contacts/${sent.contact}/export`), "404 CONTACT_NOT_FOUND")
        assert.deepStrictEqual(yield* sql`select name from events`, [])
      })
    )

    it.effect("further ids, held messages, merges, forms and requests to confirm are exported and erased", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const acme = yield* askingProject({ mode: "off" })
        yield* acme.ask("PATCH", "/settings/audience", { ingest: { anonymous: "hold" } })
        for (const name of ["News", "Tips"]) {
          yield* acme.ask("POST", "/topics", { name, defaultSubscription: "unsubscribed" })
        }
        const ingest = (...batch: ReadonlyArray<object>) => acme.ask("POST", "/ingest/v1/batch", { batch })
        const other = yield* acme.ask("POST", "/contacts", { email: "other@example.com", externalId: "anna-2" })
        const { body: anna } = yield* acme.ask("POST", "/contacts", {
          email: "anna@example.com",
          externalId: "anna-1",
          subscribed: true,
          topics: { news: "subscribed" },
          consent: { wording: "Yes.", evidence: { by: "anna@example.com" } }
        })
        const form = yield* acme.ask("POST", "/forms", { name: "Sign up", requireTicket: false })
        yield* submit(`/f/${form.body.publicId}`, { email: "anna@example.com" })
        yield* ingest({ type: "alias", previousId: "anna-0", userId: "anna-1", messageId: "m1" })
        yield* acme.ask("POST", `/contacts/${anna.id}/merge`, { contactId: other.body.id })
        const asked = yield* acme.ask("POST", `/contacts/${anna.id}/opt-in`, { subscribe: false, topics: ["tips"] })
        assert.strictEqual(asked.status, 202, JSON.stringify(asked.body))
        // What was held before its id was tied is released then. This one came at the same time.
        yield* sql`
          insert into held_messages (project_id, id, person_id, verified, content, received_at)
          values (${acme.project}, gen_random_uuid(), 'anna-0', true, '{"traits": {"name": "Anna"}}', now())`
        const { body } = yield* acme.ask("GET", `/contacts/${anna.id}/export`)
        assert.deepStrictEqual(
          body.aliases.map(({ alias, verified }: { alias: string; verified: boolean }) => [alias, verified]),
          [
            ["anna-0", true],
            ["anna-2", true]
          ]
        )
        assert.deepInclude(body.heldMessages[0], { personId: "anna-0", content: { traits: { name: "Anna" } } })
        assert.deepStrictEqual(body.mergedIds, [other.body.id])
        assert.include(
          body.events.map(({ name }: { name: string }) => name),
          "form.sign-up.submitted"
        )
        assert.deepInclude(body.consents[0], { action: "granted" })
        const erased = yield* acme.ask("POST", `/contacts/${anna.id}/erase`)
        assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
        const left = yield* everything
        assert.notInclude(left, "anna")
        assert.notInclude(left, "other@example.com")
        assert.lengthOf(yield* sql`select from contact_merges where project_id = ${acme.project}`, 0)
      })
    )

    it.effect("stored responses and faulty rows of imports no longer contain an erased person", () =>
      Effect.gen(function* () {
        yield* fresh
        const key = { "idempotency-key": randomUUID(), "idempotency-mode": "replay" }
        const request = { ...message, to: ["anna@example.com", "joanna@example.com"] }
        const ask = send("POST", "/v1/send", request, key)
        const first = yield* ask
        const { imports } = yield* ContactBulk.make
        const rows = ["email,subscribed", "Anna@EXAMPLE.com,perhaps", "joanna@example.com,perhaps", "anna@,"]
        const { jobId } = yield* imports.queue(project, new TextEncoder().encode(rows.join("\n")), { inferTypes: true })
        yield* Layer.build(JobRunner.layer([importJob]))
        const job = Effect.map(send("GET", `/contacts/import/${jobId}`), ({ body }) => body)
        const before = yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), job),
          ({ state }) => state === "completed"
        )
        assert.strictEqual((yield* erase(first.body.data.emails[0].contact.id)).status, 200)
        const again = yield* ask
        assert.strictEqual(again.status, 200)
        assert.strictEqual(JSON.stringify(again.body), JSON.stringify(first.body).replace('"anna@example.com"', '""'))
        const [anna, ...others] = before.result.errors
        assert.deepStrictEqual((yield* job).result, { ...before.result, errors: [{ ...anna, email: "" }, ...others] })
        assert.notMatch(yield* everything, /(?<!jo)anna@example/)
        assert.strictEqual((yield* send("GET", "/contacts")).body.total, 1)
      })
    )

    it.effect("webhook deliveries about an erased person are deleted, pending ones too; those about others stay", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const { body: endpoint } = yield* send("POST", "/webhooks", {
          url: "https://example.com/hook",
          events: ["*"]
        })
        const track = (email: string, data: object = {}) =>
          send("POST", "/v1/track", { email, event: "signup", data }, { authorization: `Bearer ${publicKey}` })
        yield* track("anna@example.com")
        const { body: before } = yield* send("GET", "/contacts?search=anna")
        yield* send("PATCH", `/contacts/${before.data[0].id}`, { email: "ann@example.com" })
        yield* track("ann@example.com")
        yield* track("joann@example.com", { friend: { value: "ann@example.com", persistent: false } })
        yield* dispatched
        const log = Effect.map(send("GET", `/webhooks/${endpoint.id}/deliveries`), ({ body }) => body.total)
        // Three events that were tracked, and the change of the address.
        assert.strictEqual(yield* log, 4)
        assert.strictEqual((yield* erase(before.data[0].id)).status, 200)
        assert.strictEqual(yield* log, 1)
        assert.deepStrictEqual(
          (yield* sql`select body::jsonb #>> '{data,contactEmail}' as email from webhook_deliveries`).map(
            ({ email }) => email
          ),
          ["joann@example.com"]
        )
      })
    )

    it.effect("webhook deliveries about mail to an address without a contact are deleted too", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* send("POST", "/webhooks", { url: "https://example.com/hook", events: ["email.*"] })
        const first = yield* mail("anna@example.com")
        yield* send("DELETE", `/contacts/${first.contact}`)
        yield* sql`
          insert into events (id, project_id, email_id, name, source, data, created_at)
          values (gen_random_uuid(), ${project}, ${first.email}, 'email.sent', 'system', '{"to": "anna@example.com"}', now())`
        yield* dispatched
        assert.include(yield* everything, "anna@")
        yield* erase((yield* mail("anna@example.com")).contact)
        assert.notInclude(yield* everything, "anna@")
      })
    )

    it.effect("content that mails of one request share stays for the other recipients", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const attachments = [{ filename: "terms.txt", content: "dGVybXM=" }]
        const { body } = yield* send("POST", "/v1/send", {
          ...message,
          to: ["anna@example.com", "bob@example.com"],
          attachments
        })
        const [anna, bob] = body.data.emails
        yield* erase(anna.contact.id)
        const kept = yield* send("GET", `/emails/${bob.email}/content`)
        assert.strictEqual(kept.body.html, message.body)
        assert.deepStrictEqual(yield* sql`select count(*)::int as count from email_attachments`, [{ count: 1 }])
        yield* erase(bob.contact.id)
        for (const table of ["email_contents", "email_attachments"])
          assert.deepStrictEqual(yield* sql`select * from ${sql(table)}`, [])
      })
    )

    it.effect("mail to the address from before an earlier deletion is erased too, mail of others is not", () =>
      Effect.gen(function* () {
        yield* fresh
        const first = yield* mail("anna@example.com")
        yield* send("DELETE", `/contacts/${first.contact}`)
        const second = yield* mail("anna@example.com")
        const bob = yield* mail("bob@example.com")
        assert.strictEqual((yield* erase(second.contact)).body.emails, 2)
        assert.strictEqual((yield* send("GET", `/emails/${first.email}`)).body.to, "")
        assert.strictEqual((yield* send("GET", `/emails/${bob.email}`)).body.to, "bob@example.com")
      })
    )

    it.effect(
      "mail that a workflow sent to an erased person for another contact is erased, with its webhook deliveries",
      () =>
        Effect.gen(function* () {
          const sql = yield* fresh
          const mine = yield* workflowProject
          const template = yield* mine.template({ subject: "About {{email}}", type: "TRANSACTIONAL" })
          const mail = (to: object) => ({
            type: "SEND_EMAIL",
            templateId: template.id as string,
            config: { recipient: to }
          })
          yield* build(mine, {
            event: "go",
            steps: {
              boss: { ...mail({ type: "CUSTOM", customEmail: "boss@example.com" }), to: "own" },
              own: mail({ type: "CONTACT" })
            }
          })
          yield* mine.ask("POST", "/webhooks", { url: "https://example.com/hook", events: ["*"] })
          yield* mine.track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* sql`
          insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
          select gen_random_uuid(), project_id, contact_id, id, 'email.sent', 'system',
                 jsonb_build_object('to', to_email), now()
          from emails`
          yield* dispatched
          const { body: boss } = yield* mine.ask("POST", "/contacts", { email: "boss@example.com" })
          const erased = yield* mine.ask("POST", `/contacts/${boss.id}/erase`)
          assert.deepInclude(erased.body, { emails: 1, events: 0 })
          const { body } = yield* mine.ask("GET", "/emails")
          assert.deepStrictEqual(
            body.data.map(({ to, subject, status }: Record<string, string>) => [to, subject, status]).sort(),
            [
              ["", "", "CANCELLED"],
              ["ada@example.com", "About ada@example.com", "PENDING"]
            ]
          )
          for (const table of ["events", "webhook_deliveries"]) {
            const stored = yield* sql`
            select t::text as row from ${sql(table)} t where t::text like '%email.sent%' and project_id = ${mine.project}`
            assert.lengthOf(stored, 1, table)
            assert.notInclude(JSON.stringify(stored), "boss@example.com")
          }
          assert.lengthOf(yield* sql`select from email_contents`, 1)
        })
    )

    it.effect("an erased address stays suppressed by its hash when it is added again", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const suppressions = yield* Suppressions
        const { contact } = yield* mail("anna@example.com")
        yield* suppressions.add(project, "anna@example.com", "COMPLAINT", null, yield* DateTime.now)
        yield* erase(contact)
        assert.notInclude(yield* everything, "anna@")
        const [held] = yield* sql`select email, reason from suppressions`
        assert.strictEqual(held?.["reason"], "COMPLAINT")
        assert.match(String(held?.["email"]), /^sha256:[0-9a-f]{64}$/)

        const both = yield* send("POST", "/v1/send", { ...message, to: ["anna@example.com", "bob@example.com"] })
        assert.deepStrictEqual(
          both.body.data.emails.map(({ status }: { status: string }) => status),
          ["SUPPRESSED", "PENDING"]
        )
        const [again] = both.body.data.emails
        const record = yield* send("GET", `/emails/${again.email}`)
        assert.deepInclude(record.body, { status: "SUPPRESSED", suppressionReason: "COMPLAINT" })
        const { body } = yield* send("GET", `/contacts/${again.contact.id}/export`)
        assert.deepInclude(body.suppression, { email: null, reason: "COMPLAINT" })
        // The address has no complaint in another project.
        assert.deepStrictEqual(
          yield* suppressions.find(ProjectId.make(randomUUID()), "anna@example.com"),
          Option.none()
        )
      })
    )

    it.effect("an import does not resubscribe an address that complained before its erasure", () =>
      Effect.gen(function* () {
        yield* fresh
        const suppressions = yield* Suppressions
        const { contact } = yield* mail("anna@example.com")
        yield* suppressions.add(project, "anna@example.com", "COMPLAINT", null, yield* DateTime.now)
        yield* erase(contact)
        const { imports } = yield* ContactBulk.make
        const file = new TextEncoder().encode("email,subscribed\nanna@example.com,true\nbob@example.com,true\n")
        const { jobId } = yield* imports.queue(project, file, { inferTypes: true })
        yield* Layer.build(JobRunner.layer([importJob]))
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), send("GET", `/contacts/import/${jobId}`)),
          ({ body }) => body.state === "completed"
        )
        const { body } = yield* send("GET", "/contacts?sort=email&dir=asc")
        assert.deepStrictEqual(
          body.data.map(({ email, subscribed }: Record<string, unknown>) => [email, subscribed]),
          [
            ["anna@example.com", false],
            ["bob@example.com", true]
          ]
        )
      })
    )

    it.effect(
      "a report about mail to an erased person suppresses no address, and stores nothing about the recipient",
      () =>
        Effect.gen(function* () {
          const sql = yield* fresh
          const notices = yield* DeliveryReports.make
          const { contact, email } = yield* mail("anna@example.com")
          yield* became(email, "SENT")
          yield* erase(contact)
          const at = yield* DateTime.now
          const text = "550 5.1.1 <anna@example.com> unknown"
          const bounce = { kind: "bounced", at, enhancedCode: "5.1.1", diagnostic: text, aboutMailbox: true } as const
          const reports = [
            { kind: "deferred", at, detail: text },
            { kind: "rejected", at, message: text },
            { ...bounce, bounceType: "Transient" },
            { ...bounce, bounceType: "Permanent" },
            { kind: "complained", at, feedbackType: "abuse" }
          ] as const
          for (const report of reports)
            assert.strictEqual(
              yield* notices.report(EmailId.make(email), report, { kind: "test", id: randomUUID() }),
              "applied"
            )
          assert.strictEqual((yield* send("GET", `/emails/${email}`)).body.status, "COMPLAINED")
          assert.notMatch(yield* everything, anna)
          for (const table of ["suppressions", "events", "email_deferrals"])
            assert.deepStrictEqual(yield* sql`select * from ${sql(table)}`, [])
        })
    )

    it.effect("contacts of another project are not found, and stay unchanged", () =>
      Effect.gen(function* () {
        yield* fresh
        const requests = yield* DataSubjectRequests
        const { contact } = yield* mail("anna@example.com")
        const before = yield* everything
        const there = ProjectId.make(randomUUID())
        const id = ContactId.make(contact)
        assert.strictEqual((yield* Effect.flip(requests.export(there, id)))._tag, "CONTACT_NOT_FOUND")
        assert.strictEqual((yield* Effect.flip(requests.erase(there, id)))._tag, "CONTACT_NOT_FOUND")
        assert.strictEqual(yield* everything, before)
        assert.strictEqual(yield* outcome("POST", `/contacts/${randomUUID()}/erase`), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", "/contacts/nonsense/erase"), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("GET", "/contacts/nonsense/export"), "404 CONTACT_NOT_FOUND")
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Suspensions } from "../../accounts/projects/Suspensions.ts"
import { filter, seed } from "../../audience/segments/SegmentsFixture.ts"
import * as DeliveryReports from "../../mail/sending/DeliveryReports.ts"
import * as EmailSender from "../../mail/sending/EmailSender.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { Wire, wireOver } from "../../testing/TestClient.ts"
import * as CampaignRunner from "./CampaignRunner.ts"
import { countRows, sendingProject } from "./CampaignsFixture.ts"

const tick = TestClock.adjust("250 millis")

const refuse = (code: number, enhancedCode: string) =>
  new MailerError({ reason: "refused", transport: "smtp1", code, enhancedCode, reply: `${code} ${enhancedCode}` })

for (const [name, database] of databases()) {
  const workers = Layer.mergeAll(EmailSender.layer, CampaignRunner.layer).pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )

  layer(workers, { timeout: "60 seconds", excludeTestServices: false })(`A campaign on its way, on ${name}`, (it) => {
    const until = (
      look: Effect.Effect<{ readonly [field: string]: unknown }, never, never>,
      wanted: { readonly [field: string]: unknown }
    ) =>
      eventually(Effect.andThen(tick, look), (found) =>
        Object.entries(wanted).every(([field, value]) => found[field] === value)
      )

    /** A mail server that accepts everything, and its mails of one sender. */
    const peer = Effect.gen(function* () {
      const peer = yield* Peer
      yield* peer.answer(() => Effect.succeed(receipt))
      const from = (domain: string) =>
        Effect.map(peer.accepted, (messages) => messages.filter((_) => _.from.address === `news@${domain}`))
      return { ...peer, from }
    })

    const looking = Effect.fnUntraced(function* (contacts: number) {
      const context = yield* Effect.context<Layer.Success<typeof workers>>()
      const project = yield* sendingProject(contacts)
      const state = (id: string) => Effect.provideContext(project.read(id), context)
      const counts = (id: string) => Effect.provideContext(project.stats(id), context)
      return { ...project, state, counts }
    })

    it.effect("becomes SENT when every mail is sent, each rendered for its contact", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, counts, domain, recipients, project } = yield* looking(0)
        yield* seed(project, "ada", 1, { firstName: "Ada <3", city: "Ulm" })
        yield* seed(project, "nobody", 1)
        const id = yield* create({ replyTo: "re@example.com", fromName: "News", preheader: "In {{city ?? town}}" })
        yield* ask("POST", `/campaigns/${id}/send`)
        const sent = yield* until(state(id), { status: "SENT" })
        assert.deepInclude(sent, { totalRecipients: 2, sentCount: 2, paused: false })
        assert.isNotNull(sent["completedAt"])
        assert.deepInclude(yield* counts(id), { sentCount: 2, pendingCount: 0, deliveryRate: 0 })
        const messages = yield* from(domain)
        const subjects = messages.map(({ to, subject }) => `${to[0]?.address}: ${subject}`).sort()
        assert.deepStrictEqual(subjects, ["ada-1@example.com: News for Ada <3", "nobody-1@example.com: News for you"])
        const ada = messages.find(({ to }) => to[0]?.address === "ada-1@example.com")
        assert.match(ada?.html ?? "", /^<div style="display:none[^"]*">In Ulm<\/div><p>Hi Ada &lt;3<\/p>/)
        assert.notInclude(ada?.text, "Ulm")
        assert.include(ada?.html, "/unsubscribe/")
        assert.deepStrictEqual(ada?.from, { address: `news@${domain}`, name: "News" })
        assert.deepStrictEqual(ada?.replyTo, { address: "re@example.com", name: undefined })
        const headers = new Map(ada?.headers)
        assert.match(headers.get("List-Unsubscribe") ?? "", /^<https:\/\/posthorn\.example\/unsubscribe\/\S+>$/)
        assert.strictEqual(headers.get("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
        assert.strictEqual(headers.get("Precedence"), "bulk")
        assert.strictEqual(headers.get("Auto-Submitted"), "auto-generated")
        assert.strictEqual(headers.get("X-Auto-Response-Suppress"), "All")
        assert.match(
          headers.get("List-ID") ?? "",
          new RegExp(`<${id}\\.[a-z0-9-]+\\.${domain.replaceAll(".", "\\.")}>$`)
        )
        assert.match(headers.get("Feedback-ID") ?? "", new RegExp(`^${id}:[a-z0-9-]+:posthorn$`))
        const rows = yield* recipients(id)
        const emailId = rows.find((_: { email: string }) => _.email === "ada-1@example.com").emailId
        assert.strictEqual(headers.get("X-Posthorn-Email-Id"), emailId)
        const record = (yield* ask("GET", `/emails/${emailId}`)).body
        assert.deepInclude(record, {
          subject: "News for Ada <3",
          sourceType: "CAMPAIGN",
          campaignId: id,
          status: "SENT",
          test: false,
          tracking: true
        })
      })
    )

    it.effect("each mail is in the language of its contact, with the texts that were copied from the template", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, state, domain, recipients, project, draft } = yield* looking(0)
        yield* seed(project, "kai", 1, { locale: "de-CH" })
        yield* seed(project, "joe", 1)
        const sender = `news@${domain}`
        const template = (yield* ask("POST", "/templates", {
          name: "News",
          subject: "News",
          body: "<p>Hi</p>",
          text: "Hi, in short",
          from: sender,
          translations: { de: { subject: "Neues", body: "<p>Hallo {{locale}}</p>", text: "Kurz" } }
        })).body
        const { name, audienceType } = draft
        const { body: made } = yield* ask("POST", "/campaigns", { name, audienceType, templateId: template.id })
        assert.deepInclude(made.data, {
          text: "Hi, in short",
          language: null,
          translations: template.translations,
          templateVersion: 1
        })
        const id = String(made.data.id)
        const [listed] = (yield* ask("GET", "/campaigns")).body.data
        assert.deepStrictEqual([listed.translations, "text" in listed], [{ de: { subject: "Neues" } }, false])
        yield* ask("PATCH", `/templates/${template.id}`, { translations: { de: null }, text: null })
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        const messages = yield* from(domain)
        assert.deepStrictEqual(
          messages.map(({ to, subject, text }) => [to[0]?.address, subject, text.split("\n")[0]]).sort(),
          [
            ["joe-1@example.com", "News", "Hi, in short"],
            ["kai-1@example.com", "Neues", "Kurz"]
          ]
        )
        for (const { email, emailId } of yield* recipients(id)) {
          const isKai = email === "kai-1@example.com"
          const record = (yield* ask("GET", `/emails/${emailId}`)).body
          assert.deepInclude(record, { locale: isKai ? "de" : "en", templateVersion: 1 })
          const content = (yield* ask("GET", `/emails/${emailId}/content`)).body
          assert.include(content.html, isKai ? "<p>Hallo de-CH</p>" : "<p>Hi</p>")
        }
      })
    )

    it.effect("the sent text can be read later, after any change of its contact", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, domain, recipients } = yield* looking(1)
        const id = yield* create({ body: "<p>{{email}} {{data.firstName}}{{#if plan}} {{plan}}{{/if}}</p>" })
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        const [message] = yield* from(domain)
        const [{ emailId, contactId }] = yield* recipients(id)
        const content = Effect.map(ask("GET", `/emails/${emailId}/content`), ({ body }) => body)
        const shown = yield* content
        // As rendered, without the tracking pixel, which is added on sending.
        assert.match(
          message?.html.replace(shown.html, "") ?? "",
          /^<img src="[^"]+\/t\/o\/[^"]+" width="1" height="1" alt="">$/
        )
        assert.strictEqual(shown.text, message?.text)
        assert.strictEqual(shown.subject, "News for Ada")
        assert.include(shown.html, "<p>c-1@example.com Ada</p>")
        yield* ask("PATCH", `/contacts/${contactId}`, {
          email: "other@example.com",
          data: { firstName: "Eve", plan: "pro" }
        })
        assert.deepStrictEqual(yield* content, shown)
        yield* ask("DELETE", `/contacts/${contactId}`)
        assert.deepStrictEqual(yield* content, shown)
        yield* ask("DELETE", `/campaigns/${id}`)
        assert.deepStrictEqual(yield* content, shown)
      })
    )

    it.effect("the state of a contact is checked again when its mail is sent", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, counts, domain, recipients, project } = yield* looking(8)
        const sql = yield* SqlClient.SqlClient
        const contact = Effect.fnUntraced(function* (n: number) {
          const { body } = yield* ask("GET", `/contacts?search=c-${n}@`)
          return String(body.data[0].id)
        })
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* ask("POST", `/campaigns/${id}/pause`)
        yield* until(state(id), { totalRecipients: 8 })
        yield* ask("DELETE", `/contacts/${yield* contact(1)}`)
        yield* ask("PATCH", `/contacts/${yield* contact(2)}`, { subscribed: false })
        yield* sql`
          insert into suppressions (project_id, email, reason, created_at)
          values (${project}, 'c-3@example.com', 'MANUAL', now()), (${project}, 'new-4@example.com', 'COMPLAINT', now())`
        yield* ask("PATCH", `/contacts/${yield* contact(4)}`, { email: "new-4@example.com" })
        yield* ask("PATCH", `/contacts/${yield* contact(5)}`, {
          email: "new-5@example.com",
          data: { firstName: "Grace" }
        })
        const now = yield* DateTime.now
        const topic = randomUUID()
        yield* sql`
          insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived,
                              created_at, updated_at)
          values (${project}, ${topic}, 'news', 'News', '{}', true, true, 0, false, now(), now())`
        yield* sql`update emails set topic_id = ${topic} where project_id = ${project}`
        yield* sql`
          update contacts set topics_off = array[${topic}::uuid]
          where project_id = ${project} and email = 'c-7@example.com'`
        const snoozedUntil = DateTime.formatIso(DateTime.add(now, { days: 30 }))
        yield* ask("PATCH", `/contacts/${yield* contact(8)}`, { snoozedUntil })
        const before = (yield* from(domain)).length
        yield* ask("POST", `/campaigns/${id}/resume`)
        yield* until(state(id), { status: "SENT" })
        assert.deepInclude(yield* counts(id), {
          sentCount: 2,
          suppressedCount: 5,
          cancelledCount: 1,
          totalRecipients: 8
        })
        const left = (yield* from(domain)).slice(before).map(({ to, subject }) => `${to[0]?.address}: ${subject}`)
        assert.deepStrictEqual(left.sort(), ["c-6@example.com: News for Ada", "new-5@example.com: News for Grace"])
        const rows = yield* recipients(id)
        const results = rows.map(
          (_: { email: string; status: string; reason: string; error: { code: string } | null }) =>
            [_.email, _.status, _.reason ?? "", _.error?.code ?? ""].join(" ")
        )
        assert.deepStrictEqual(results.sort(), [
          "c-1@example.com CANCELLED  contact_deleted",
          "c-2@example.com SUPPRESSED UNSUBSCRIBED contact_unsubscribed",
          "c-3@example.com SUPPRESSED MANUAL suppressed",
          "c-4@example.com SUPPRESSED COMPLAINT suppressed",
          "c-6@example.com SENT  ",
          "c-7@example.com SUPPRESSED TOPIC_UNSUBSCRIBED contact_unsubscribed",
          "c-8@example.com SUPPRESSED SNOOZED contact_unsubscribed",
          "new-5@example.com SENT  "
        ])
        assert.isNull(rows.find((_: { email: string }) => _.email === "c-1@example.com").contactId)
      })
    )

    it.effect("TRANSACTIONAL reaches unsubscribed contacts, without an unsubscribe link", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, domain, project } = yield* looking(2)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update contacts set subscribed = false where project_id = ${project} and email = 'c-1@example.com'`
        const id = yield* create({ type: "TRANSACTIONAL" })
        yield* ask("POST", `/campaigns/${id}/send`)
        assert.deepInclude(yield* until(state(id), { status: "SENT" }), { sentCount: 2 })
        for (const message of yield* from(domain)) {
          const headers = new Map(message.headers)
          assert.isUndefined(headers.get("List-Unsubscribe"))
          assert.strictEqual(headers.get("Precedence"), "bulk")
          assert.notInclude(message.html, "/unsubscribe/")
        }
      })
    )

    it.effect("a mail that cannot be rendered fails without affecting others, and can be retried", () =>
      Effect.gen(function* () {
        yield* peer
        const { ask, create, state, counts, recipients, project } = yield* looking(1)
        yield* seed(project, "long", 1, { list: Array.from({ length: 150 }, (_, n) => n) })
        const id = yield* create({ body: "{{#each list}}{{#each ../list}}{{this}}{{/each}}{{/each}}" })
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        assert.deepInclude(yield* counts(id), { sentCount: 1, failedCount: 1, totalRecipients: 2 })
        const failed = (yield* recipients(id)).find((_: { status: string }) => _.status === "FAILED")
        assert.strictEqual(failed.error.code, "render_failed")
        yield* ask("PATCH", `/contacts/${failed.contactId}`, { data: { list: null } })
        const retried = yield* ask("POST", `/campaigns/${id}/retry-failed`)
        assert.deepStrictEqual(retried.body.data, { retried: 1, status: "SENDING" })
        yield* until(state(id), { status: "SENT" })
        assert.deepInclude(yield* counts(id), { sentCount: 2, failedCount: 0 })
      })
    )

    it.effect("a single failed mail can be retried without its campaign", () =>
      Effect.gen(function* () {
        const { answer } = yield* peer
        yield* answer(() => Effect.fail(refuse(550, "5.7.1")))
        const { ask, create, state, counts, recipients } = yield* looking(1)
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        assert.deepInclude(yield* counts(id), { failedCount: 1, sentCount: 0 })
        yield* answer(() => Effect.succeed(receipt))
        const [{ emailId }] = yield* recipients(id)
        assert.strictEqual((yield* ask("POST", `/emails/${emailId}/retry`)).status, 200)
        yield* until(counts(id), { sentCount: 1, failedCount: 0 })
        assert.strictEqual((yield* state(id)).status, "SENT")
      })
    )

    it.effect("counts reports once, also after the campaign is SENT", () =>
      Effect.gen(function* () {
        const { answer } = yield* peer
        yield* answer(({ to }) =>
          to[0]?.address === "c-1@example.com" ? Effect.fail(refuse(550, "5.1.1")) : Effect.succeed(receipt)
        )
        const { ask, create, state, counts, recipients } = yield* looking(4)
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        assert.deepInclude(yield* counts(id), { sentCount: 4, bouncedCount: 1, bounceRate: 25 })
        const emails = new Map<string, string>(
          (yield* recipients(id)).map((_: { email: string; emailId: string }) => [_.email, _.emailId])
        )
        const report = Effect.fnUntraced(function* (n: number, kind: "delivered" | "bounced" | "complained") {
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const at = DateTime.makeUnsafe(now)
          const notices = yield* DeliveryReports.make
          const email = EmailId.make(emails.get(`c-${n}@example.com`) ?? "")
          const more = {
            delivered: {},
            bounced: { bounceType: "Permanent", diagnostic: "gone", aboutMailbox: true },
            complained: { feedbackType: "abuse" }
          }[kind]
          return yield* notices.report(email, { kind, at, ...more } as never, { kind: "test", id: randomUUID() })
        })
        for (const n of [2, 3, 2]) yield* report(n, "delivered")
        yield* report(2, "complained")
        yield* report(2, "complained")
        yield* report(3, "bounced")
        const expected = {
          totalRecipients: 4,
          sentCount: 4,
          deliveredCount: 2,
          bouncedCount: 2,
          complainedCount: 1,
          deliveryRate: 50,
          complaintRate: 25
        }
        assert.deepInclude(yield* counts(id), expected)
        const rows = yield* countRows(id)
        const { total, ...counted } = rows
        assert.deepInclude(yield* counts(id), counted)
        assert.strictEqual((yield* state(id)).status, "SENT")
      })
    )

    it.effect("counts an unsubscribe through the link once, and stores nothing about an erased contact", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, counts, recipients, domain } = yield* looking(3)
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT" })
        const mail = (yield* from(domain)).find(({ to }) => to[0]?.address === "c-2@example.com")
        const link = new Map(mail?.headers).get("List-Unsubscribe")?.slice(1, -1) ?? ""
        const handler = yield* Wire
        const leave = Effect.promise(() =>
          handler(new Request(link, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }))
        )
        for (const _ of [1, 2]) assert.strictEqual((yield* leave).status, 200)
        const { total, ...counted } = yield* countRows(id)
        assert.deepInclude(counted, { unsubscribedCount: 1 })
        assert.deepInclude(yield* counts(id), counted)

        const { contactId, emailId } = (yield* recipients(id)).find(
          ({ email }: { email: string }) => email === "c-2@example.com"
        )
        const frozen = SqlClient.SqlClient.use((sql) => sql`select frozen from emails where id = ${emailId}::uuid`)
        assert.include(JSON.stringify(yield* frozen), "Ada")
        assert.strictEqual((yield* ask("POST", `/contacts/${contactId}/erase`)).status, 200)
        assert.deepStrictEqual(yield* frozen, [{ frozen: null }])
        assert.deepInclude(yield* counts(id), { sentCount: 3, unsubscribedCount: 1 })
      })
    )

    it.effect("a scheduled campaign starts at its time", () =>
      Effect.gen(function* () {
        yield* peer
        const { ask, create, state } = yield* looking(2)
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`, { scheduledFor: now + 20_000 })
        yield* TestClock.adjust("18 seconds")
        assert.strictEqual((yield* state(id)).status, "SCHEDULED")
        yield* TestClock.adjust("2 seconds")
        const begun = yield* until(state(id), { status: "SENT" })
        const late = Date.parse(String(begun["sentAt"])) - (now + 20_000)
        assert.isAtLeast(late, 0)
        assert.deepInclude(begun, { sentCount: 2 })
      })
    )

    it.effect("a pause holds every unsent mail, and no other mail waits", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, counts, domain } = yield* looking(30)
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* ask("POST", `/campaigns/${id}/pause`)
        yield* until(state(id), { totalRecipients: 30 })
        const began = (yield* from(domain)).length
        const other = yield* create({ name: "Other" })
        yield* ask("POST", `/campaigns/${other}/send`)
        yield* until(state(other), { status: "SENT" })
        assert.strictEqual((yield* from(domain)).length, began + 30)
        assert.deepInclude(yield* counts(id), { pendingCount: 30 - began, sentCount: began })
        yield* ask("POST", `/campaigns/${id}/resume`)
        yield* until(state(id), { status: "SENT", sentCount: 30 })
        assert.strictEqual((yield* from(domain)).length, 60)
      })
    )

    it.effect("a claimed mail is not sent when its campaign is stopped before the transmission", () =>
      Effect.gen(function* () {
        const { answer, tries } = yield* peer
        const { ask, create, state, counts, domain } = yield* looking(40)
        const mine = Effect.map(tries, (all) => all.filter(({ message }) => message.from.address === `news@${domain}`))
        yield* answer(() => Effect.as(TestClock.withLive(Effect.sleep("300 millis")), receipt))
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* eventually(Effect.andThen(tick, mine), (tries) => tries.length > 0)
        yield* ask("POST", `/campaigns/${id}/cancel`)
        const begun = yield* SqlClient.SqlClient.use(
          (sql) => sql`select id from emails where campaign_id = ${id}::uuid and begun_at is not null`
        )
        yield* until(counts(id), { pendingCount: 0, totalRecipients: 40 })
        assert.strictEqual((yield* mine).length, begun.length)
        assert.deepInclude(yield* counts(id), { sentCount: begun.length, cancelledCount: 40 - begun.length })
        assert.isBelow(begun.length, 40)
        assert.strictEqual((yield* state(id)).status, "CANCELLED")
      })
    )

    it.effect("campaigns of a project with a sending rate can be sent and paused", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, domain, project } = yield* looking(6)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update projects set send_rate_per_second = 20 where id = ${project}`
        const held = yield* create()
        yield* ask("POST", `/campaigns/${held}/send`)
        yield* ask("POST", `/campaigns/${held}/pause`)
        yield* until(state(held), { totalRecipients: 6 })
        const before = (yield* from(domain)).length
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* until(state(id), { status: "SENT", sentCount: 6 })
        assert.strictEqual((yield* from(domain)).length, before + 6)
        yield* ask("POST", `/campaigns/${held}/resume`)
        yield* until(state(held), { status: "SENT", sentCount: 6 })
      })
    )

    it.effect("a disabled project sends nothing until it is enabled again", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, counts, domain, project } = yield* looking(5)
        const sql = yield* SqlClient.SqlClient
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
        yield* until(state(id), { totalRecipients: 5 })
        const left = (yield* from(domain)).length
        for (let n = 0; n < 10; n++) yield* tick
        assert.deepInclude(yield* counts(id), { sentCount: left, pendingCount: 5 - left })
        yield* sql`update projects set disabled_reason = null where id = ${project}`
        yield* until(state(id), { status: "SENT", sentCount: 5 })
      })
    )

    it.effect("enabling a project without its waiting mail cancels its campaigns with all mails", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, project, domain, state, counts } = yield* looking(3)
        const suspensions = yield* Suspensions
        const id = yield* create()
        yield* ask("POST", `/campaigns/${id}/send`)
        yield* ask("POST", `/campaigns/${id}/pause`)
        const settled = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.raceFirst(effect, Effect.forever(Effect.andThen(tick, Effect.yieldNow)))
        yield* settled(suspensions.suspend(project, { reason: "MANUAL" }))
        yield* settled(suspensions.lift(project, { cancelPending: true }))
        yield* until(state(id), { status: "CANCELLED", paused: false })
        yield* until(counts(id), { cancelledCount: 3, pendingCount: 0 })
        assert.isEmpty(yield* from(domain))
        const events = yield* SqlClient.SqlClient.use(
          (sql) => sql`select name from events where project_id = ${project} and name like 'campaign.%'`
        )
        assert.deepStrictEqual(events, [{ name: "campaign.cancelled" }])
      })
    )

    it.effect("a test is sent to allowed addresses only, changes no counter, and its links change nothing", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, counts, domain, outcome, project, recipients } = yield* looking(1)
        const sql = yield* SqlClient.SqlClient
        const user = "019c0000-0000-7000-8000-000000000001"
        yield* sql`
          insert into users (id, email, email_verified, created_at, updated_at)
          values (${user}, ${`member@${domain}`}, true, now(), now()) on conflict do nothing`
        yield* sql`
          insert into members (project_id, user_id, role, created_at)
          select ${project}, id, 'OWNER', now() from users where email = ${`member@${domain}`}`
        const id = yield* create({
          subject: "{{firstName}}, {{code}}",
          body: '<p>{{firstName ?? "friend"}} {{lastName}}{{#if vip}}!{{/if}}</p><a href="{{manageUrl}}">manage</a>'
        })
        const test = (email: string, data?: object) => ask("POST", `/campaigns/${id}/test`, { email, data })
        assert.strictEqual((yield* test("stranger@example.com")).body.error.code, "FORBIDDEN")
        assert.strictEqual(
          yield* outcome("POST", `/campaigns/${id}/test`, { email: "nonsense" }),
          "422 VALIDATION_ERROR"
        )
        const first = yield* test(`member@${domain}`, { code: "42" })
        assert.strictEqual(first.status, 200)
        assert.strictEqual(first.body.message, "Test email queued.")
        yield* sql`update contacts set subscribed = false where project_id = ${project}`
        const second = yield* test("C-1@example.com", { lastName: { value: "Byron", persistent: false } })
        const messages = yield* eventually(Effect.andThen(tick, from(domain)), (found) => found.length === 2)
        const mine = (email: string) => messages.find(({ to }) => to[0]?.address === email)
        const member = mine(`member@${domain}`)
        assert.strictEqual(member?.subject, "[TEST] [firstName], 42")
        assert.include(member?.html, "<p>friend [lastName]</p>")
        const contact = mine("c-1@example.com")
        assert.strictEqual(contact?.subject, "[TEST] Ada,")
        assert.include(contact?.html, "<p>Ada Byron</p>")
        for (const message of messages) {
          const headers = new Map(message.headers)
          assert.strictEqual(headers.get("X-Posthorn-Test"), "true")
          assert.match(headers.get("List-Unsubscribe") ?? "", /^<https:..posthorn.example.unsubscribe.[^>]+>$/)
          assert.isUndefined(headers.get("List-Unsubscribe-Post"))
          assert.isUndefined(headers.get("Precedence"))
          assert.include(message.html, "https://posthorn.example/manage/")
        }
        const record = (yield* ask("GET", `/emails/${second.body.data.email}`)).body
        assert.deepInclude(record, { test: true, tracking: false, campaignId: id, sourceType: "CAMPAIGN" })
        assert.deepInclude(yield* counts(id), { totalRecipients: 0, sentCount: 0, pendingCount: 0 })
        assert.deepStrictEqual(yield* recipients(id), [])
        yield* sql`
          insert into suppressions (project_id, email, reason, created_at)
          values (${project}, 'c-1@example.com', 'MANUAL', now())`
        const refused = yield* test("c-1@example.com")
        assert.deepStrictEqual([refused.status, refused.body.error.details.reason], [409, "suppressed"])
        yield* sql`update domains set verified = false where project_id = ${project}`
        assert.strictEqual((yield* test(`member@${domain}`)).status, 403)
      })
    )

    it.effect("a change of segment or template does not affect a campaign in SENDING", () =>
      Effect.gen(function* () {
        const { from } = yield* peer
        const { ask, create, state, domain, draft } = yield* looking(4)
        const segment = (yield* ask("POST", "/segments", { name: "S", condition: { groups: [] } })).body.id
        const template = (yield* ask("POST", "/templates", {
          name: "T",
          subject: "Before",
          body: "<p>Before</p>",
          from: draft.from
        })).body.id
        const id = String(
          (yield* ask("POST", "/campaigns", {
            name: "C",
            audienceType: "SEGMENT",
            segmentId: segment,
            templateId: template
          })).body.data.id
        )
        yield* ask("POST", `/campaigns/${id}/send`)
        const empty = filter("email", "equals", "x@example.com")
        assert.strictEqual((yield* ask("PATCH", `/segments/${segment}`, { condition: empty })).status, 200)
        assert.strictEqual((yield* ask("PATCH", `/templates/${template}`, { subject: "After" })).status, 200)
        assert.deepInclude(yield* until(state(id), { status: "SENT" }), { totalRecipients: 4, sentCount: 4 })
        assert.deepStrictEqual([...new Set((yield* from(domain)).map(({ subject }) => subject))], ["Before"])
        assert.strictEqual((yield* create()).length, 36)
      })
    )
  })
}

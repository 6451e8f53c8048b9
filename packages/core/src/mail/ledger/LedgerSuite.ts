/** Tests of the promises of Ledger, over any layer. Statuses that only the sender writes come from statements. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId, EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ContactStore } from "../../audience/contacts/ContactStore.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { deletedMeanwhile, stages } from "../../testing/DeletedMeanwhile.ts"
import { newEmail } from "../../testing/SampleEmails.ts"
import { storeContact } from "../../testing/StoredContacts.ts"
import { at, freshProject } from "../../testing/StoreValues.ts"
import { Ledger, memberKey, messageKey, type NewEmail, type Notice } from "./Ledger.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
/** Few times and reasons, so that some reports have the same ones. */
const Moment = Schema.Literals([0, 1, 2])
const Reason = Schema.Literals(["no such user", "refused"])
const Given = Schema.Struct({
  kind: Schema.Literals(["delivered", "bounced", "softBounced", "deferred", "complained"]),
  at: Moment,
  permanent: Schema.Boolean,
  reason: Reason
})

const noticeOf = (kind: Notice["kind"], seconds = 0, permanent = true, reason = "no such user"): Notice => {
  const at = DateTime.add(now, { seconds })
  switch (kind) {
    case "bounced":
      return { kind, at, permanent, diagnostic: reason }
    case "deferred":
      return { kind, at, detail: reason }
    case "rejected":
      return { kind, at, message: reason }
    default:
      return { kind, at }
  }
}

const report = (project: ProjectId, mail: EmailId, notice: Notice, id: string) =>
  Ledger.use((ledger) => ledger.notice(project, mail, notice, { kind: "test", id }, undefined, now))

const mailIn = (project: ProjectId, status: EmailStatus) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`
        insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                            ladder_since, created_at, updated_at, begun_at, failed_at, error_code, error_message)
        values (${randomUUID()}, ${project}, 'a@example.com', 'b@example.com', 'TRANSACTIONAL', 'TRANSACTIONAL', false,
                ${status}, 0, now(), now(), now(), now(), '2026-11-20 14:00Z',
                case when ${status} = 'FAILED' then '2026-11-20 14:00Z'::timestamptz end,
                case when ${status} in ('FAILED', 'AMBIGUOUS') then 'ambiguous' end, 'unknown')
        returning id`
    ),
    ([row]) => EmailId.make(String(row?.["id"]))
  )

/** The fields that a report may change. */
const rowOf = (id: string) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`
        select status, sent_at, delivered_at, bounced_at, complained_at, failed_at, bounced_for_good, error_code,
               error_message, (select jsonb_agg(jsonb_build_array(at, detail) order by at, detail) from email_deferrals
                               where email_id = emails.id and kind = 'deferred') as deferrals
        from emails where id = ${id}`
    ),
    ([row]): Record<string, unknown> => ({ ...row })
  )

/** Accepts mails to one address for a contact, all with the text of the first. */
const accept = Effect.fnUntraced(function* (
  project: ProjectId,
  contact: { readonly id: ContactId; readonly email: string },
  ...each: readonly [Partial<NewEmail>, ...ReadonlyArray<Partial<NewEmail>>]
) {
  const ledger = yield* Ledger
  const id = EmailId.make(randomUUID())
  const [first, ...others] = each
  const emails = [
    newEmail(contact.id, id, contact.email, { id, ...first }),
    ...others.map((more) => newEmail(contact.id, id, contact.email, more))
  ] as const
  const content = { id, html: '<p>Grüße "\\"</p>', text: "Grüße" }
  const suppressed = yield* ledger.accept(project, emails, [content], [], at(0))
  assert.deepStrictEqual(suppressed, new Map())
  return emails.map((email) => email.id)
})

const setStatus = (id: EmailId | undefined, status: EmailStatus) =>
  SqlClient.SqlClient.use((sql) => sql`update emails set status = ${status} where id = ${id ?? ""}::uuid`)

/** What the changes of contacts may change in a mail. */
const holder = (id: EmailId | undefined) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`
        select status, contact_id as contact, to_email as to, error_code as code from emails where id = ${id ?? ""}::uuid`
    ),
    ([row]): Record<string, unknown> => ({ ...row })
  )

type Stores = ContactStore | Ledger | SqlClient.SqlClient | Transaction

/** `waits`: whether a statement can wait for another one. On a single connection, it cannot. */
export const ledgerSuite = (name: string, storage: Layer.Layer<Stores>, { waits = true } = {}) => {
  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("stores mails with their texts and attachments, and finds what was accepted together", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const contact = yield* storeContact(project)
        const [id, second] = [EmailId.make(randomUUID()), EmailId.make(randomUUID())]
        const attachment = {
          id: randomUUID(),
          filename: "ä.txt",
          contentType: "text/plain",
          size: 3,
          disposition: "attachment" as const,
          contentId: null
        }
        const email = newEmail(contact.id, id, contact.email, {
          id,
          toName: "Anna",
          fromName: 'Grüße "\\"',
          replyTo: "help@example.com",
          type: "MARKETING",
          tracking: true,
          headers: { "X-One": "1" },
          tags: { plan: "pro" },
          locale: "de",
          messageId: "own@example.com"
        })
        const content = { id, html: '<p>Grüße "\\"</p>', text: "Grüße" }
        const mail = ledger.accept(
          project,
          [email, newEmail(contact.id, id, contact.email, { id: second })],
          [content],
          [],
          at(1)
        )
        assert.deepStrictEqual(yield* ledger.findAccepted(project, [id, second]), Option.none())
        assert.deepStrictEqual(yield* mail, new Map())
        const accepted = new Map([
          [id, null],
          [second, null]
        ])
        assert.deepStrictEqual(yield* ledger.findAccepted(project, [id, second]), Option.some(accepted))
        assert.deepStrictEqual(yield* ledger.findAccepted(other, [id, second]), Option.none())
        const [stored] = yield* sql`
          select emails.project_id as project, contact_id as contact, to_email as to, to_name as "toName",
                 from_email as from, from_name as "fromName", reply_to as "replyTo", emails.subject, type,
                 source_type as "sourceType", tracking, emails.headers, tags, locale, message_id as "messageId", status,
                 html, text
          from emails join email_contents as content on content.project_id = emails.project_id and content.id = content_id
          where emails.id = ${id}`
        assert.deepInclude(stored, {
          project,
          contact: contact.id,
          to: contact.email,
          toName: "Anna",
          from: email.from,
          fromName: email.fromName,
          replyTo: email.replyTo,
          subject: "Hi",
          type: "MARKETING",
          sourceType: "TRANSACTIONAL",
          tracking: true,
          headers: { "X-One": "1" },
          tags: { plan: "pro" },
          locale: "de",
          messageId: "own@example.com",
          status: "PENDING",
          html: content.html,
          text: content.text
        })
        const third = EmailId.make(randomUUID())
        yield* ledger.accept(
          project,
          [newEmail(contact.id, third, contact.email, { id: third, attachments: [attachment], scheduledFor: at(9) })],
          [{ ...content, id: third }],
          [{ id: attachment.id, content: Uint8Array.of(0, 255, 10) }],
          at(1)
        )
        assert.deepStrictEqual((yield* holder(third))["status"], "SCHEDULED")
        const [kept] = yield* sql`select content from email_attachments where id = ${attachment.id}::uuid`
        assert.deepStrictEqual(Uint8Array.from(kept?.["content"] as Uint8Array), Uint8Array.of(0, 255, 10))
      })
    )

    it.effect("joins the caller's transaction", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const ledger = yield* Ledger
        const project = yield* freshProject
        const contact = yield* storeContact(project)
        const id = EmailId.make(randomUUID())
        const undone = Effect.andThen(accept(project, contact, { id, contentId: id }), Effect.fail("undone"))
        assert.strictEqual(yield* Effect.flip(run(undone)), "undone")
        assert.deepStrictEqual(yield* holder(id), {})
        assert.deepStrictEqual(yield* ledger.findAccepted(project, [id]), Option.none())
      })
    )

    it.effect("a deleted contact leaves its mail, and what waits is cancelled", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const [anna, ben] = [yield* storeContact(project), yield* storeContact(project)]
        const [waiting, sent] = yield* accept(project, anna, {}, {})
        const [theirs] = yield* accept(project, ben, {})
        yield* setStatus(sent, "SENT")
        yield* ledger.dropContact(other, anna.id, at(1))
        assert.deepInclude(yield* holder(waiting), { status: "PENDING", contact: anna.id })
        yield* ledger.dropContact(project, anna.id, at(1))
        assert.deepInclude(yield* holder(waiting), { status: "CANCELLED", contact: null, code: "contact_deleted" })
        assert.deepInclude(yield* holder(sent), { status: "SENT", contact: null, to: anna.email, code: null })
        assert.deepInclude(yield* holder(theirs), { status: "PENDING", contact: ben.id })
      })
    )

    it.effect("a merged contact gives its mail away; waiting mail goes to the address of the other one", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const [anna, ben] = [yield* storeContact(project), yield* storeContact(project)]
        const campaignId = randomUUID()
        const [waiting, sent, twice] = yield* accept(project, anna, {}, {}, { campaignId })
        yield* accept(project, ben, { campaignId })
        yield* setStatus(sent, "SENT")
        assert.strictEqual(yield* ledger.moveContact(other, anna.id, ben, at(1)), 0)
        assert.strictEqual(yield* ledger.moveContact(project, anna.id, ben, at(1)), 3)
        assert.deepInclude(yield* holder(waiting), { status: "PENDING", contact: ben.id, to: ben.email })
        assert.deepInclude(yield* holder(sent), { status: "SENT", contact: ben.id, to: anna.email })
        assert.deepInclude(yield* holder(twice), { status: "CANCELLED", contact: ben.id, to: anna.email })
        assert.strictEqual(yield* ledger.moveContact(project, anna.id, ben, at(2)), 0)
      })
    )

    it.effect("an erased contact and its address leave the records; statuses stay", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const [anna, ben] = [yield* storeContact(project), yield* storeContact(project)]
        const text = { toName: "Anna Schmidt", subject: "For Anna Schmidt", tags: { who: "Anna Schmidt" } }
        const [sent, waiting] = yield* accept(project, anna, text, text)
        const [theirs] = yield* accept(project, ben, { toName: "Ben" })
        yield* setStatus(sent, "DELIVERED")
        assert.strictEqual(yield* ledger.erase(other, anna.id, anna.email, at(1)), 0)
        assert.strictEqual(yield* ledger.erase(project, anna.id, anna.email, at(1)), 2)
        assert.deepInclude(yield* holder(sent), { status: "DELIVERED", contact: null })
        assert.deepInclude(yield* holder(waiting), { status: "CANCELLED", contact: null })
        const left = JSON.stringify(yield* sql`select * from emails where id in (${sent}::uuid, ${waiting}::uuid)`)
        for (const word of ["Anna", anna.email, anna.id]) assert.notInclude(left, word)
        const [contents] =
          yield* sql`select count(*)::int as count from email_contents where id = ${sent} and html <> ''`
        assert.deepStrictEqual(contents, { count: 0 })
        assert.deepInclude(yield* holder(theirs), { status: "PENDING", contact: ben.id, to: ben.email })
        assert.strictEqual(yield* ledger.erase(project, anna.id, anna.email, at(2)), 0)
      })
    )

    it.effect("records the first unsubscription of the contact through a mail", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const [anna, ben] = [yield* storeContact(project), yield* storeContact(project)]
        const [id = EmailId.make("")] = yield* accept(project, anna, {})
        const since = Effect.map(sql`select unsubscribed_at as at from emails where id = ${id}`, ([row]) => row?.["at"])
        yield* ledger.markUnsubscribed(other, id, anna.id, at(1))
        yield* ledger.markUnsubscribed(project, id, ben.id, at(1))
        assert.isNull(yield* since)
        yield* ledger.markUnsubscribed(project, id, anna.id, at(2))
        yield* ledger.markUnsubscribed(project, id, anna.id, at(3))
        assert.deepStrictEqual(yield* since, DateTime.toDate(at(2)))
      })
    )

    it.effect("a sent mail of test mode gets its simulated outcome; no report finds it", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const [project, other] = [yield* freshProject, yield* freshProject]
        const anna = yield* storeContact(project)
        const [test = EmailId.make(""), live = EmailId.make("")] = yield* accept(project, anna, { mode: "TEST" }, {})
        yield* ledger.endTest(project, test, "OPENED", at(1))
        assert.strictEqual((yield* holder(test))["status"], "PENDING")
        for (const id of [test, live]) yield* setStatus(id, "SENT")
        yield* ledger.endTest(other, test, "OPENED", at(1))
        yield* ledger.endTest(project, live, "OPENED", at(1))
        assert.deepStrictEqual([(yield* holder(test))["status"], (yield* holder(live))["status"]], ["SENT", "SENT"])
        const found = yield* ledger.lookUp({ ids: [test, live], providerIds: [], messageIds: [] })
        assert.deepStrictEqual([...found.keys()], [live])
        yield* ledger.endTest(project, test, "OPENED", at(1))
        yield* ledger.endTest(project, test, "CLICKED", at(2))
        assert.strictEqual((yield* holder(test))["status"], "OPENED")
      })
    )

    it.effect(
      "finds the mails of a message by each recipient, and a submitted message by its id, unless several have it",
      () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const [project, other] = [yield* freshProject, yield* freshProject]
          const anna = yield* storeContact(project)
          const [id, copy] = [EmailId.make(randomUUID()), EmailId.make(randomUUID())]
          const messageId = `${randomUUID()}@example.com`
          const own = { contentId: id, messageId }
          yield* ledger.accept(
            project,
            [
              newEmail(anna.id, id, anna.email, { id, ...own, group: { id, recipientType: "TO" } }),
              newEmail(anna.id, id, "cc@example.com", {
                id: copy,
                contactId: null,
                ...own,
                group: { id, recipientType: "CC" }
              })
            ],
            [{ id, html: null, text: "Hi" }],
            [],
            at(0),
            [{ id, to: [{ email: anna.email, name: null }], cc: [{ email: "cc@example.com", name: null }] }]
          )
          const found = Effect.map(ledger.lookUp({ ids: [id], providerIds: [], messageIds: [messageId] }), (mails) =>
            [...mails].map(([key, mail]) => [key, mail.id]).sort()
          )
          const members = [
            [id, id],
            [copy, copy],
            [memberKey(id, anna.email), id],
            [memberKey(id, "cc@example.com"), copy]
          ]
          assert.deepStrictEqual(yield* found, [...members, [messageKey(messageId), id]].sort())
          const ben = yield* storeContact(other)
          const [again] = yield* accept(other, ben, { messageId })
          assert.deepStrictEqual(yield* found, [...members, [again, again]].sort())
        })
    )

    it.effect.prop(
      "the order and the number of reports do not change the result",
      [Schema.Array(Given).check(Schema.isMaxLength(8)), Schema.Literals(["SENT", "AMBIGUOUS", "FAILED"])],
      ([given, start]) =>
        Effect.gen(function* () {
          const project = ProjectId.make(randomUUID())
          const notices = given.map(({ kind, at, permanent, reason }, n) => ({
            notice: noticeOf(kind, at, permanent, reason),
            id: `${n}`
          }))
          const ends = yield* Effect.forEach([notices, [...notices, ...notices.toReversed()].reverse()], (order) =>
            Effect.gen(function* () {
              const mail = yield* mailIn(project, start)
              const outcomes = yield* Effect.forEach(order, ({ notice, id }) =>
                report(project, mail, notice, `${mail} ${id}`)
              )
              const deliveries = notices.filter(({ notice }) => notice.kind === "delivered").length
              const applied = notices.length - Math.max(0, deliveries - 1)
              assert.strictEqual(outcomes.filter((outcome) => outcome === "applied").length, applied)
              const row = yield* rowOf(mail)
              // The time of delivery is that of the report that came first.
              return { ...row, delivered_at: row["delivered_at"] !== null }
            })
          )
          assert.deepStrictEqual(ends[0], ends[1])
        })
    )

    it.effect("each report changes only the listed statuses, and never mail that was not sent", () =>
      Effect.gen(function* () {
        const project = ProjectId.make(randomUUID())
        const bounced = "BOUNCED"
        const rows = {
          delivered: { SENT: "DELIVERED", AMBIGUOUS: "DELIVERED", FAILED: "DELIVERED" },
          bounced: {
            SENT: bounced,
            DELIVERED: bounced,
            OPENED: bounced,
            CLICKED: bounced,
            AMBIGUOUS: bounced,
            FAILED: bounced
          },
          complained: Object.fromEntries(
            ["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "AMBIGUOUS", "FAILED"].map((from) => [
              from,
              "COMPLAINED"
            ])
          ),
          rejected: { SENT: "FAILED", AMBIGUOUS: "FAILED" },
          softBounced: {},
          deferred: {}
        } satisfies Record<Notice["kind"], Partial<Record<EmailStatus, EmailStatus>>>
        const early: ReadonlyArray<string> = ["SCHEDULED", "PENDING", "SENDING", "SUPPRESSED", "CANCELLED"]
        for (const [kind, changed] of Object.entries(rows)) {
          for (const before of EmailStatus.literals) {
            const mail = yield* mailIn(project, before)
            const outcome = yield* report(project, mail, noticeOf(kind as Notice["kind"]), mail)
            assert.strictEqual(outcome, early.includes(before) ? "early" : "applied", `${before} and ${kind}`)
            const after: Partial<Record<EmailStatus, EmailStatus>> = changed
            assert.strictEqual((yield* rowOf(mail))["status"], after[before] ?? before, `${before} and ${kind}`)
          }
        }
      })
    )

    it.effect("the time of delivery is not before the time of sending, if the clock of the server is slow", () =>
      Effect.gen(function* () {
        const project = ProjectId.make(randomUUID())
        const mail = yield* mailIn(project, "SENT")
        yield* report(project, mail, { kind: "delivered", at: DateTime.makeUnsafe("2026-11-20T13:00:00Z") }, mail)
        const { sent_at, delivered_at } = yield* rowOf(mail)
        assert.deepStrictEqual(delivered_at, sent_at)
      })
    )

    it.effect("a report that comes too early leaves no receipt, and counts later", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const project = ProjectId.make(randomUUID())
        const mail = yield* mailIn(project, "SENDING")
        assert.strictEqual(yield* report(project, mail, noticeOf("delivered"), mail), "early")
        yield* sql`update emails set status = 'SENT' where id = ${mail}`
        assert.strictEqual(yield* report(project, mail, noticeOf("delivered"), mail), "applied")
        assert.strictEqual(yield* report(project, mail, noticeOf("delivered"), mail), "duplicate")
      })
    )

    if (waits)
      it.effect.each(stages)(
        "a report counts while the contact of its mail is deleted, and its event has no contact: %s",
        (stage) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const ledger = yield* Ledger
            const project = ProjectId.make(randomUUID())
            for (const kind of ["delivered", "softBounced"] as const) {
              const [mail, contact, id] = [yield* mailIn(project, "SENT"), randomUUID(), randomUUID()]
              yield* sql`
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              values (${contact}, ${project}, ${`${contact}@example.com`}, true, '{}', now(), now())`
              yield* sql`update emails set contact_id = ${contact} where id = ${mail}`
              const event = { id, name: "email.reported", data: null }
              const applied = ledger.notice(project, mail, noticeOf(kind), { kind: "test", id }, event, now)
              assert.strictEqual(yield* deletedMeanwhile(contact, stage, applied), "applied")
              assert.deepStrictEqual(yield* sql`select contact_id from events where email_id = ${mail}`, [
                { contact_id: null }
              ])
            }
          })
      )

    it.effect("mail of another project is not found", () =>
      Effect.gen(function* () {
        const mail = yield* mailIn(ProjectId.make(randomUUID()), "SENT")
        const other = ProjectId.make(randomUUID())
        assert.strictEqual(yield* report(other, mail, noticeOf("delivered"), mail), "early")
        assert.strictEqual((yield* rowOf(mail))["status"], "SENT")
      })
    )

    it.effect("mail of any project is found by its id and by the provider's id", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [one, two] = [ProjectId.make(randomUUID()), ProjectId.make(randomUUID())]
        const [a, b] = [yield* mailIn(one, "SENT"), yield* mailIn(two, "SENT")]
        const providerId = `0100-${b}`
        yield* sql`insert into provider_ids (provider_id, project_id, email_id) values (${providerId}, ${two}, ${b})`
        const found = yield* Ledger.use((ledger) =>
          ledger.lookUp({ ids: [a, EmailId.make(randomUUID())], providerIds: [providerId, "unknown"], messageIds: [] })
        )
        assert.deepStrictEqual(
          [...found].map(([name, mail]) => [name, mail.projectId, mail.id]).sort(),
          [
            [a, one, a],
            [b, two, b],
            [providerId, two, b]
          ].sort()
        )
      })
    )
  })
}

/** Opens and clicks, on every database. */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId, type EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Fiber, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as LinkTotals from "../../content/links/LinkTotals.ts"
import * as EventLog from "../../events/EventLog.ts"
import * as Transaction from "../../platform/Transaction.ts"
import * as Wakeups from "../../platform/Wakeups.ts"
import { databases } from "../../testing/Databases.ts"
import { deletedMeanwhile, stages } from "../../testing/DeletedMeanwhile.ts"
import { hold, somebodyWaits } from "../../testing/LockWaits.ts"
import * as ClickEvents from "./ClickEvents.ts"
import * as Engagement from "./Engagement.ts"

const start = DateTime.makeUnsafe("2026-11-20T15:00:00.000Z")
const later = (milliseconds: number) => DateTime.add(start, { milliseconds })

interface Mail {
  readonly project: ProjectId
  readonly email: EmailId
  readonly contact: ContactId
}

/** A mail in this state, handed over a minute ago if at all. */
const mailIn = Effect.fnUntraced(function* (status: EmailStatus, project = ProjectId.make(randomUUID())) {
  const sql = yield* SqlClient.SqlClient
  const mail: Mail = { project, email: EmailId.make(randomUUID()), contact: ContactId.make(randomUUID()) }
  const sentAt = ["PENDING", "SENDING", "FAILED", "AMBIGUOUS", "SUPPRESSED", "CANCELLED"].includes(status)
    ? null
    : DateTime.toDate(later(-60_000))
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${mail.contact}, ${project}, ${`${mail.contact}@example.com`}, true, '{}', now(), now())`
  yield* sql`
    insert into emails (id, project_id, contact_id, to_email, from_email, subject, type, source_type, tracking, status,
                        lane, due_at, ladder_since, sent_at, created_at, updated_at)
    values (${mail.email}, ${project}, ${mail.contact}, 'a@example.com', 'b@shop.example', 'News', 'MARKETING',
            'TRANSACTIONAL', true, ${status}, 1, now(), now(), ${sentAt}, now(), now())`
  return mail
})

const rowOf = ({ email }: Mail) =>
  Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql`
        select status, opens, clicks, machine_opens as "machineOpens", machine_clicks as "machineClicks",
               opened_at as "openedAt", clicked_at as "clickedAt", sent_at as "sentAt"
        from emails where id = ${email}`
    ),
    ([row]) => row ?? {}
  )

const eventsOf = ({ email }: Mail) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select name, contact_id as contact, data from events where email_id = ${email} order by created_at, id`
  )

const hitOf =
  (mail: Mail) =>
  (kind: "open" | "click", milliseconds: number, more: Partial<Engagement.Hit> = {}): Engagement.Hit => ({
    project: mail.project,
    email: mail.email,
    kind,
    link: kind === "click" ? 1 : null,
    url: kind === "click" ? "https://shop.example/" : null,
    at: later(milliseconds),
    isMachine: false,
    ...more
  })

const apply = (...hits: ReadonlyArray<Engagement.Hit>) => Engagement.Engagement.use((service) => service.apply(hits))

for (const [name, database] of databases()) {
  const services = Engagement.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Layer.provide(EventLog.layerSql, Wakeups.layer), Transaction.layerSql)),
    Layer.provideMerge(Layer.merge(SecureRandom.layerWebCrypto, LinkTotals.layer)),
    Layer.provideMerge(database)
  )
  layer(services, { timeout: "60 seconds", excludeTestServices: false })(`Opens and clicks on ${name}`, (it) => {
    it.effect("an open changes the status, counts, and records its event at once", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(later(100)))
        const mail = yield* mailIn("DELIVERED")
        const hit = hitOf(mail)
        yield* apply(hit("open", 0))
        yield* apply(hit("open", 5_000, { isMachine: true }))
        assert.deepInclude(yield* rowOf(mail), { status: "OPENED", opens: 2, machineOpens: 1, clicks: 0 })
        const base = {
          emailId: mail.email,
          messageId: `${mail.email}@shop.example`,
          to: "a@example.com",
          subject: "News",
          from: "b@shop.example",
          fromName: null,
          templateId: null,
          templateVersion: null,
          campaignId: null,
          workflowId: null,
          workflowExecutionId: null,
          sourceType: "TRANSACTIONAL",
          recipientType: "TO",
          groupId: null,
          tags: {},
          mode: "LIVE",
          provider: null
        }
        const openedAt = "2026-11-20T15:00:00.000Z"
        assert.deepStrictEqual(yield* eventsOf(mail), [
          {
            name: "email.open",
            contact: mail.contact,
            data: { ...base, openedAt, at: openedAt, opens: 1, isFirstOpen: true, verdict: "human" }
          },
          {
            name: "email.open",
            contact: mail.contact,
            data: {
              ...base,
              openedAt,
              at: "2026-11-20T15:00:05.000Z",
              opens: 2,
              isFirstOpen: false,
              verdict: "machine"
            }
          }
        ])
      })
    )

    it.effect("the event of a click is recorded once, 3 seconds later, even if a process dies", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(start))
        const mail = yield* mailIn("SENT")
        yield* apply(hitOf(mail)("click", 0))
        assert.deepInclude(yield* rowOf(mail), { status: "CLICKED", clicks: 1, machineClicks: 0, opens: 0 })
        yield* TestClock.adjust("2999 millis")
        assert.strictEqual(yield* ClickEvents.emitDue, 0)
        yield* TestClock.adjust("1 millis")
        // A process that dies at this moment leaves no trace.
        const transaction = yield* Transaction.Transaction
        yield* Effect.exit(transaction.run(Effect.andThen(ClickEvents.emitDue, Effect.fail("killed"))))
        assert.deepStrictEqual(yield* eventsOf(mail), [])
        const taken = yield* Effect.replicateEffect(ClickEvents.emitDue, 4, { concurrency: "unbounded" })
        assert.strictEqual(
          taken.reduce((sum, n) => sum + n, 0),
          1
        )
        const [event, ...others] = yield* eventsOf(mail)
        assert.deepStrictEqual(others, [])
        assert.strictEqual(event?.["name"], "email.click")
        assert.deepInclude(event?.["data"], {
          link: "https://shop.example/",
          clickedAt: "2026-11-20T15:00:00.000Z",
          at: "2026-11-20T15:00:00.000Z",
          clicks: 1,
          isFirstClick: true,
          verdict: "human"
        })
      })
    )

    it.effect("three links within two seconds also correct the earlier clicks and their events", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(start))
        const mail = yield* mailIn("SENT")
        const hit = hitOf(mail)
        yield* apply(hit("click", 0, { link: 1 }))
        yield* apply(hit("click", 900, { link: 2 }))
        assert.deepInclude(yield* rowOf(mail), { clicks: 2, machineClicks: 0 })
        yield* apply(hit("click", 1_900, { link: 3 }))
        assert.deepInclude(yield* rowOf(mail), { clicks: 3, machineClicks: 3, status: "CLICKED" })
        yield* TestClock.adjust("5 seconds")
        yield* ClickEvents.emitDue
        const verdicts = (yield* eventsOf(mail)).map(({ data }) => (data as { verdict: string }).verdict)
        assert.deepStrictEqual(verdicts, ["machine", "machine", "machine"])
      })
    )

    it.effect("two seconds after the hand-over are a machine's", () =>
      Effect.gen(function* () {
        const mail = yield* mailIn("SENT")
        const hit = hitOf(mail)
        yield* apply(hit("open", -60_000 + 1_999), hit("click", -60_000 + 2_000))
        assert.deepInclude(yield* rowOf(mail), { opens: 1, machineOpens: 1, clicks: 1, machineClicks: 0 })
      })
    )

    it.effect("a status never goes down, and every state keeps its counters", () =>
      Effect.gen(function* () {
        const rows = [
          ["SENT", "OPENED", "CLICKED"],
          ["DELIVERED", "OPENED", "CLICKED"],
          ["OPENED", "OPENED", "CLICKED"],
          ["CLICKED", "CLICKED", "CLICKED"],
          ["BOUNCED", "BOUNCED", "BOUNCED"],
          ["COMPLAINED", "COMPLAINED", "COMPLAINED"],
          ["AMBIGUOUS", "OPENED", "CLICKED"],
          ["FAILED", "OPENED", "CLICKED"],
          ["SENDING", "SENDING", "SENDING"],
          ["PENDING", "PENDING", "PENDING"],
          ["CANCELLED", "CANCELLED", "CANCELLED"],
          ["SUPPRESSED", "SUPPRESSED", "SUPPRESSED"]
        ] as const
        for (const [before, opened, clicked] of rows) {
          const [one, two] = [yield* mailIn(before), yield* mailIn(before)]
          yield* apply(hitOf(one)("open", 0), hitOf(two)("click", 0))
          assert.deepInclude(yield* rowOf(one), { status: opened, opens: 1, openedAt: DateTime.toDate(start) }, before)
          assert.deepInclude(
            yield* rowOf(two),
            { status: clicked, clicks: 1, clickedAt: DateTime.toDate(start) },
            before
          )
          const isSilent = ["PENDING", "CANCELLED", "SUPPRESSED"].includes(before)
          assert.strictEqual((yield* eventsOf(one)).length, isSilent ? 0 : 1, before)
        }
      })
    )

    it.effect("an open or a click proves that ambiguous or failed mail was sent", () =>
      Effect.gen(function* () {
        for (const status of ["AMBIGUOUS", "FAILED"] as const) {
          const mail = yield* mailIn(status)
          yield* apply(hitOf(mail)("open", 7))
          assert.deepStrictEqual((yield* rowOf(mail))["sentAt"], DateTime.toDate(later(7)))
        }
      })
    )

    it.effect("ten thousand hits at once, from many sides, count once a second", () =>
      Effect.gen(function* () {
        const mail = yield* mailIn("SENT")
        const hit = hitOf(mail)
        const portions = Array.from({ length: 20 }, (_, portion) =>
          Array.from({ length: 500 }, (_, n) => hit("open", (portion * 500 + n) % 1_000))
        )
        yield* Effect.forEach(portions, (portion) => apply(...portion), { concurrency: "unbounded" })
        assert.deepInclude(yield* rowOf(mail), { opens: 1 })
        assert.strictEqual((yield* eventsOf(mail)).length, 1)
      })
    )

    it.effect("hits of many mails from many sides get all on record, and none waits for another for ever", () =>
      Effect.gen(function* () {
        const mails = yield* Effect.replicateEffect(mailIn("SENT"), 20)
        const rounds = Array.from({ length: 10 }, (_, round) =>
          (round % 2 === 0 ? mails : mails.toReversed()).map((mail) => hitOf(mail)("click", round * 2_500))
        )
        yield* Effect.forEach(rounds, (round) => apply(...round), { concurrency: "unbounded" })
        for (const mail of mails) assert.deepInclude(yield* rowOf(mail), { clicks: 10, machineClicks: 0 })
      })
    )

    // The embedded database has one connection, so no other transaction can lock a mail.
    if (name === "PostgreSQL") {
      it.effect("while a transaction locks a mail, hits of other mails are recorded", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [held, free] = [yield* mailIn("SENT"), yield* mailIn("SENT")]
          const release = yield* hold(sql`select from emails where id = ${held.email} for update`)
          const record = (mail: Mail) => Engagement.Engagement.use((hits) => hits.record(hitOf(mail)("open", 0)))
          const waiting = yield* Effect.forkChild(record(held))
          yield* somebodyWaits
          yield* record(free)
          assert.deepInclude(yield* rowOf(free), { opens: 1 })
          assert.deepInclude(yield* rowOf(held), { opens: 0 })
          yield* release
          yield* Fiber.join(waiting)
          assert.deepInclude(yield* rowOf(held), { opens: 1 })
        })
      )
    }

    if (name !== "PGlite")
      it.effect.each(stages)("whose contact is deleted meanwhile do not count, and keep nobody: %s", (stage) =>
        Effect.gen(function* () {
          const [gone, there] = [yield* mailIn("SENT"), yield* mailIn("SENT")]
          yield* deletedMeanwhile(gone.contact, stage, apply(hitOf(gone)("open", 0), hitOf(there)("open", 0)))
          assert.deepInclude(yield* rowOf(gone), { opens: 0 })
          assert.deepStrictEqual(yield* eventsOf(gone), [])
          assert.deepInclude(yield* rowOf(there), { opens: 1 })
          yield* TestClock.setTime(DateTime.toEpochMillis(start))
          yield* apply(hitOf(there)("click", 0))
          yield* TestClock.adjust("3 seconds")
          yield* deletedMeanwhile(there.contact, stage, ClickEvents.emitDue)
          assert.deepStrictEqual(
            (yield* eventsOf(there)).map(({ name, contact }) => [name, contact]),
            [["email.click", null]]
          )
        })
      )

    it.effect("a mail of another project, one that is not there, and one without its contact do not count", () =>
      Effect.gen(function* () {
        const mail = yield* mailIn("SENT")
        const orphan = yield* mailIn("SENT", mail.project)
        yield* SqlClient.SqlClient.use((sql) => sql`update emails set contact_id = null where id = ${orphan.email}`)
        const stranger = { ...mail, project: ProjectId.make(randomUUID()) }
        const nobody = { ...mail, email: EmailId.make(randomUUID()) }
        yield* apply(hitOf(stranger)("open", 0), hitOf(nobody)("click", 0), hitOf(orphan)("open", 0))
        assert.deepInclude(yield* rowOf(mail), { status: "SENT", opens: 0 })
        assert.deepInclude(yield* rowOf(orphan), { status: "SENT", opens: 0 })
        const stored = yield* SqlClient.SqlClient.use(
          (sql) => sql`select 1 from email_hits where email_id in ${sql.in([orphan.email, nobody.email, mail.email])}`
        )
        assert.deepStrictEqual(stored, [])
      })
    )

    it.effect("a click whose contact is deleted before its event is due records no event", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(DateTime.toEpochMillis(start))
        const mail = yield* mailIn("SENT")
        yield* apply(hitOf(mail)("click", 0))
        yield* SqlClient.SqlClient.use((sql) => sql`update emails set contact_id = null where id = ${mail.email}`)
        yield* TestClock.adjust("4 seconds")
        yield* ClickEvents.emitDue
        assert.deepStrictEqual(yield* eventsOf(mail), [])
      })
    )
  })
}

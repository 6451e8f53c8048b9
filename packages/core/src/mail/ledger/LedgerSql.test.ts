import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { EmailId, EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as SuppressedAddress from "../../audience/suppression/SuppressedAddress.ts"
import { databases } from "../../testing/Databases.ts"
import { deletedMeanwhile, stages } from "../../testing/DeletedMeanwhile.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import { Ledger, type Notice } from "./Ledger.ts"
import * as LedgerSql from "./LedgerSql.ts"

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

for (const [name, database] of databases()) {
  layer(
    LedgerSql.layer.pipe(
      Layer.provide(SuppressedAddress.layer),
      Layer.provide([crypto, secrets]),
      Layer.provideMerge(database)
    ),
    { timeout: "60 seconds" }
  )(`Ledger on ${name}`, (it) => {
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

    // On a single connection, no statement can wait for another.
    if (name !== "PGlite")
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

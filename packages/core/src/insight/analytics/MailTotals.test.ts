import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { access } from "../../testing/Plans.ts"
import * as MailTotals from "./MailTotals.ts"

const begin = Date.UTC(2026, 2, 1)
/** A minute within two days. */
const Minute = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * 24 * 60 }))
const columns = [
  "sent_at",
  "delivered_at",
  "deferred_at",
  "opened_at",
  "clicked_at",
  "bounced_at",
  "complained_at",
  "failed_at"
] as const
const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** A change to one of five mails: a time that moves, opens by a machine or not, a provider, or the end of its record. */
const Step = Schema.Union([
  Schema.Struct({ mail: upTo(4), column: Schema.Literals(columns), at: Minute }),
  Schema.Struct({ mail: upTo(4), opens: upTo(2), machines: upTo(2) }),
  Schema.Struct({ mail: upTo(4), provider: Schema.Literals(["GMAIL", "OTHER"]) }),
  Schema.Struct({ mail: upTo(4), status: Schema.Literals(["FAILED", "PENDING"]) })
])

const at = (minutes: number) => new Date(begin + minutes * 60_000)
const day = (n: number) => DateTime.makeUnsafe(begin + n * 86_400_000)
const days = [day(0), day(1), day(2), day(3)] as const

describe.each(databases())("totals of mail on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    /** A project with five mails, the last of which is a test mail. */
    const projectWithMails = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const project = ProjectId.make(randomUUID())
      const mails = Array.from({ length: 5 }, () => randomUUID())
      yield* sql`
        insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status, lane,
                            due_at, ladder_since, created_at, updated_at, test)
        select id, ${project}::uuid, ${randomUUID()}::uuid, 'a@example.com', 'b@shop.example', 'MARKETING', 'CAMPAIGN',
               true, 'SENT', 1, now(), now(), now(), now(), n = 5
        from unnest(${mails}::uuid[]) with ordinality as mail (id, n)`
      return { project, mails }
    })

    const counting = Effect.fnUntraced(function* (project: ProjectId) {
      const sql = yield* SqlClient.SqlClient
      return yield* sql`
        select (date_part('day', at at time zone 'UTC') - 1)::int as day, (count(*) filter (where result = 'sent'))::int as sent,
               (count(*) filter (where result = 'delivered'))::int as delivered,
               (count(*) filter (where result = 'opened'))::int as opened,
               (count(*) filter (where result = 'clicked'))::int as clicked,
               (count(*) filter (where result = 'bounced'))::int as bounced,
               (count(*) filter (where result = 'complained'))::int as complained,
               (count(*) filter (where result = 'opened' and machine_opens > 0 and machine_opens = opens))::int
                 as "machineOpened", 0 as "machineClicked"
        from emails cross join lateral (values ('sent', sent_at), ('delivered', delivered_at), ('opened', opened_at),
          ('clicked', clicked_at), ('bounced', bounced_at), ('complained', complained_at)) as results (result, at)
        where project_id = ${project} and at is not null and not test group by 1 order by 1`
    })

    const countingProviders = (project: ProjectId, from: DateTime.Utc, until: DateTime.Utc) =>
      SqlClient.SqlClient.use((sql) => {
        const counts = ["sent", "delivered", "opened", "clicked", "bounced", "complained", "deferred", "failed"]
          .map((result) => `(count(*) filter (where result = '${result}'))::int as ${result}`)
          .join(", ")
        return sql`
          select provider, ${sql.literal(counts)},
            (count(*) filter (where result = 'opened' and (machine_opens = 0 or machine_opens < opens)))::int as "humanOpened",
            (count(*) filter (where result = 'clicked' and (machine_clicks = 0 or machine_clicks < clicks)))::int
              as "humanClicked"
          from emails cross join lateral (values ('sent', sent_at), ('delivered', delivered_at), ('opened', opened_at),
            ('clicked', clicked_at), ('bounced', bounced_at), ('complained', complained_at), ('deferred', deferred_at),
            ('failed', case when status = 'FAILED' then failed_at end)) as results (result, at)
          where project_id = ${project} and at >= ${DateTime.toDate(from)} and at < ${DateTime.toDate(until)}
            and not test and provider is not null
          group by provider order by sent desc, provider`
      })

    it.effect.prop(
      "equal counted rows after any changes of mails, added up or not",
      [Schema.Array(Step).check(Schema.isMaxLength(12)), upTo(12)],
      ([steps, folded]) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const totals = yield* MailTotals.make
          const { project, mails } = yield* projectWithMails
          for (const [n, step] of steps.entries()) {
            if (n === folded) yield* totals.rollUp
            const change =
              "column" in step
                ? sql`${sql(step.column)} = ${at(step.at)}`
                : "provider" in step
                  ? sql`provider = ${step.provider}`
                  : "status" in step
                    ? sql`status = ${step.status}`
                    : sql`opens = ${step.opens + step.machines}, machine_opens = ${step.machines}`
            yield* sql`update emails set ${change} where id = ${mails[step.mail]}`
          }
          // All windows of the days, so that whole days, quarters around them and deltas are added up.
          for (const [from, until] of [
            [day(0), day(3)],
            [DateTime.makeUnsafe(at(75)), DateTime.makeUnsafe(at(2 * 24 * 60 - 30))],
            [DateTime.makeUnsafe(at(600)), DateTime.makeUnsafe(at(1200))]
          ] as const) {
            const sums = yield* totals.byProvider(project, { from, until })
            assert.deepStrictEqual<unknown>(sums, yield* countingProviders(project, from, until))
          }
          const found = yield* totals.byDay(project, days)
          const rows = [...found].sort(([a], [b]) => a - b).map(([day, sums]) => ({ day, ...sums }))
          const isZero = ({ day: _, ...sums }: Record<string, unknown>) => Object.values(sums).every((sum) => sum === 0)
          assert.deepStrictEqual(
            rows.filter((row) => !isZero(row)),
            yield* counting(project)
          )
        }),
      { arbitrary: { runs: 30 } }
    )

    it.effect.prop(
      "of a window equal counted rows, to the minute",
      [Schema.Array(Minute).check(Schema.isMaxLength(4)), Minute, Minute],
      ([sent, one, other]) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const totals = yield* MailTotals.make
          const { project, mails } = yield* projectWithMails
          for (const [n, minutes] of sent.entries()) {
            yield* sql`update emails set sent_at = ${at(minutes)} where id = ${mails[n]}`
          }
          const [from, until] = [Math.min(one, other), Math.max(one, other)]
          const window = { from: DateTime.makeUnsafe(at(from)), until: DateTime.makeUnsafe(at(until)) }
          const { sent: counted } = yield* totals.within(project, window)
          assert.strictEqual(counted, sent.filter((minutes) => minutes >= from && minutes < until).length)
        }),
      { arbitrary: { runs: 30 } }
    )

    it.effect("have no row for a mail without a result, and stay after the mail is deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const totals = yield* MailTotals.make
        const { project } = yield* projectWithMails
        const deltas = sql`select 1 from mail_total_deltas where project_id = ${project}`
        yield* sql`update emails set status = 'SENDING', attempts = 1 where project_id = ${project}`
        assert.strictEqual((yield* deltas).length, 0)
        yield* sql`update emails set status = 'SENT', sent_at = ${at(0)} where project_id = ${project}`
        assert.strictEqual((yield* deltas).length, 1)
        yield* sql`update emails set contact_id = null, updated_at = now() where project_id = ${project}`
        assert.strictEqual((yield* deltas).length, 1)
        yield* totals.rollUp
        assert.strictEqual((yield* deltas).length, 0)
        yield* sql`delete from emails where project_id = ${project}`
        assert.strictEqual((yield* totals.byDay(project, days)).get(0)?.sent, 4)
        assert.deepStrictEqual(yield* totals.byProvider(project, { from: day(0), until: day(1) }), [])
      })
    )

    it.effect("of days are read from an index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          insert into mail_totals
          select gen_random_uuid(), timestamptz '2026-01-01' + quarter * interval '15 minutes', 1, 1, 1, 1, 1, 1, 0, 0
          from generate_series(1, 20000) as quarter`
        yield* sql`analyze mail_totals`
        const project = ProjectId.make(randomUUID())
        const statement = MailTotals.daysStatement(sql, project, days)
        assert.deepStrictEqual(yield* access(sql, statement), ["mail_total_deltas_pkey", "mail_totals_pkey"])
      })
    )
  })
})

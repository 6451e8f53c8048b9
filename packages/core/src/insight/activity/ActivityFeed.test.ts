import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { access, rowsRead, vacuumed } from "../../testing/Plans.ts"
import { lookStatement } from "../live/LiveStatements.ts"
import * as ActivityFeed from "./ActivityFeed.ts"
import { feedStatements } from "./ActivityStatements.ts"
import { upcomingStatement } from "./UpcomingSql.ts"

const begin = Date.UTC(2026, 2, 1)
const window = { from: DateTime.makeUnsafe(begin), until: DateTime.makeUnsafe(begin + 86_400_000) }

/** Times within a few milliseconds, so that many entries have the same time. */
const Millis = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })))
const Mail = Schema.Struct({ sent_at: Millis, opened_at: Millis, failed_at: Millis, isDeleted: Schema.Boolean })

describe.each(databases())("the activity feed on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    it.effect.prop(
      "pages of any size contain every entry once, as many as are counted",
      [Schema.Array(Mail).check(Schema.isMaxLength(8)), Schema.Array(Millis).check(Schema.isMaxLength(4))],
      ([mails, events]) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const feed = yield* ActivityFeed.make
          const project = ProjectId.make(randomUUID())
          const expected: Array<readonly [at: number, id: string, suffix: string]> = []
          for (const { isDeleted, ...times } of mails) {
            const id = randomUUID()
            yield* sql`
              insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status,
                                  lane, due_at, ladder_since, created_at, updated_at)
              values (${id}, ${project}, ${isDeleted ? null : randomUUID()}, 'a@example.com', 'b@shop.example', 'MARKETING',
                      'CAMPAIGN', true, 'SENT', 1, now(), now(), now(), now())`
            for (const [column, millis] of Object.entries(times)) {
              if (millis === null) continue
              yield* sql`update emails set ${sql(column)} = ${new Date(begin + millis)} where id = ${id}`
              if (!isDeleted) expected.push([millis, id, column.replace("_at", "")])
            }
          }
          for (const millis of events) {
            if (millis === null) continue
            const id = `019a${randomUUID().slice(4)}`
            yield* sql`
              insert into events (id, project_id, name, source, created_at)
              values (${id}, ${project}, 'ordered', 'tracked', ${new Date(begin + millis)})`
            expected.push([millis, id, ""])
          }
          expected.sort(
            (a, b) => b[0] - a[0] || (a[1] < b[1] ? 1 : -1) * Number(a[1] !== b[1]) || (a[2] < b[2] ? 1 : -1)
          )
          for (const size of [1, 3, 100]) {
            const found: Array<string> = []
            let page = yield* feed.list(project, window, size)
            while (page.length > 0) {
              found.push(...page.map(({ id }) => id))
              const last = page.at(-1)
              if (last === undefined) break
              page = yield* feed.list(project, window, size, { key: DateTime.formatIso(last.timestamp), id: last.id })
            }
            assert.deepStrictEqual(
              found,
              expected.map(([, id, suffix]) => (suffix === "" ? id : `${id}_${suffix}`))
            )
          }
          assert.strictEqual(yield* feed.count(project, window, 10_000), expected.length)
          assert.strictEqual(yield* feed.count(project, window, 2), Math.min(2, expected.length))
        }),
      { arbitrary: { runs: 20 } }
    )

    it.effect("reads only indexes, each at most one page far, even with much mail of other projects", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // One row in forty belongs to the project, so that a plan that reads all rows is clearly worse.
        const aProject = sql.literal("'019a0000-0000-7000-8000-00000000000'")
        yield* sql`
          insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status, lane,
                              due_at, ladder_since, created_at, updated_at, sent_at, delivered_at, opened_at)
          select gen_random_uuid(), (${aProject} || case when n % 40 = 0 then 1 else n % 4 * 2 end)::uuid, gen_random_uuid(),
                 'a@example.com', 'b@shop.example', 'MARKETING', 'CAMPAIGN', true, 'SENT', 1, at, at, at, at, at, at,
                 case when n % 3 = 0 then at end
          from generate_series(1, 4000) as n
          cross join lateral (select timestamptz '2026-03-01' + n * interval '1 second' as at) as moment`
        yield* sql`
          insert into events (id, project_id, name, source, created_at)
          select overlay(gen_random_uuid()::text placing '019a' from 1)::uuid, (${aProject} || case when n % 40 = 0 then 1 else n % 4 * 2 end)::uuid, 'event ' || n % 20,
                 'tracked', timestamptz '2026-03-01' + n * interval '1 second'
          from generate_series(1, 4000) as n`
        yield* sql`
          with contact as (
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            select gen_random_uuid(), ('019a0000-0000-7000-8000-00000000000' || n)::uuid, 'a@example.com', true, '{}',
                   now(), now()
            from generate_series(0, 4) as n returning project_id, id
          )
          insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
            step_execution_id, current_since, resume_at, started_at, completed_at, created_at, updated_at)
          select project_id, gen_random_uuid(), gen_random_uuid(), contact.id, n, status, 'EVENT', 0, gen_random_uuid(),
                 at, case when status = 'WAITING' then at end, at, case when status <> 'WAITING' then at end, at, at
          from contact
          cross join lateral generate_series(1, case when project_id = (${aProject} || 1)::uuid then 100 else 1000 end) as n
          cross join lateral (
            select timestamptz '2026-03-01' + n * interval '1 second' as at,
                   (array['WAITING', 'COMPLETED', 'EXITED', 'FAILED'])[n % 4 + 1] as status) as moment`
        yield* sql`
          insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived,
            created_at, updated_at)
          select (${aProject} || 1)::uuid, gen_random_uuid(), 'topic_' || n, 'Topic', '{}', true, true, n, false, now(), now()
          from generate_series(1, 3) as n`
        yield* vacuumed(sql, "emails", "events", "topics", "workflow_executions")
        const project = ProjectId.make("019a0000-0000-7000-8000-000000000001")
        const { page, count } = feedStatements(sql)
        const readBy = (statement: Statement.Statement<unknown> | undefined) =>
          statement === undefined ? Effect.succeed([]) : access(sql, statement)
        const after = { key: "2026-03-01T00:30:00.000Z", id: `${randomUUID()}_sent` }
        for (const statement of [
          page(project, window, 51),
          page(project, window, 51, after),
          count(project, window, 10_000)
        ]) {
          const used = yield* readBy(statement)
          assert.includeMembers(used, [
            "emails_delivered_at",
            "emails_opened_at",
            "workflow_executions_started_at",
            "workflow_executions_completed_at",
            "workflow_executions_failed_at"
          ])
          assert.deepStrictEqual(
            used.filter((name) => /^every row of (?:emails|events|workflow_executions)$/.test(name)),
            []
          )
        }
        const look = yield* access(sql, lookStatement(sql, project, window.from, window.from))
        assert.deepStrictEqual(
          look.filter((name) => /^every row of (?:emails|events|workflow_executions)$/.test(name)),
          []
        )
        // The newest tracked event, and none of the others for each topic.
        assert.isAtMost(yield* rowsRead(sql, lookStatement(sql, project, window.from, window.from), "events"), 5)
        const first = page(project, window, 51)
        assert.isAtMost(first === undefined ? 0 : yield* rowsRead(sql, first, "events"), 110)
        const coming = yield* access(sql, upcomingStatement(sql)(project, window.until, 51))
        assert.include(coming, "workflow_executions_resume_at")
        assert.notInclude(coming, "every row of workflow_executions")
      })
    )

    it.effect("looks up only the contacts of one page, even if the statistics expect few contacts", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const project = ProjectId.make(randomUUID())
        const more = (count: number) => sql`
          with contact as (
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            select gen_random_uuid(), ${project}, gen_random_uuid() || '@example.com', true, '{}', now(), now()
            from generate_series(1, ${count}::int) returning id
          )
          insert into events (id, project_id, contact_id, name, source, created_at)
          select overlay(gen_random_uuid()::text placing '019a' from 1)::uuid, ${project}, contact.id, 'ordered', 'tracked', ${DateTime.toDate(window.from)}
          from contact`
        yield* more(10)
        yield* vacuumed(sql, "contacts", "events")
        yield* more(5_000)
        const statement = feedStatements(sql).page(project, window, 51)
        assert.strictEqual(statement && (yield* rowsRead(sql, statement, "contacts")), 51)
      })
    )
  })
})

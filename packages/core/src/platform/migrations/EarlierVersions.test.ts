/** Databases of earlier versions, with rows that a migration changes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { migratedBefore } from "../../testing/EarlierDatabase.ts"
import * as Migrations from "./index.ts"

const project = "019a9f3c-0000-7000-8000-000000000001"
const contact = "019a9f3c-0000-7000-8000-000000000002"
const idOf = (n: number) => `019a9f3c-0000-7000-8000-00000000000${n}`

/** The database as it was before this migration. */
const before = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  yield* migratedBefore(name)
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    values (${project}, 'Example', 'pk', 'hash', 'aaaa', now(), now())`
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${contact}, ${project}, 'ada@example.com', true, '{}', now(), now())`
})

describe.each(databases())("A database of an earlier version, on %s", (_, database) => {
  it.effect(
    "keeps workflows that opens and clicks of machines start and continue",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* before("0127_journeys")
        const events = ["email.open", "email.click", "order.paid"]
        for (const [n, event] of events.entries()) {
          const id = idOf(n + 3)
          const config = JSON.stringify({ eventName: event })
          const config_ = sql`${config}::text::jsonb`
          yield* sql`
            insert into workflows (id, project_id, name, trigger_type, trigger_config, event_name, enabled, allow_reentry,
                                   created_at, updated_at)
            values (${id}, ${project}, ${event}, 'EVENT', ${config_}, ${event}, true, false, now(), now())`
          for (const [ordinal, type] of ["TRIGGER", "WAIT_FOR_EVENT", "DELAY"].entries()) {
            yield* sql`
              insert into workflow_steps (id, project_id, workflow_id, ordinal, type, name, position, config, created_at,
                                          updated_at)
              values (gen_random_uuid(), ${project}, ${id}, ${ordinal}, ${type}, ${type}, '{}', ${config_}, now(), now())`
          }
          yield* sql`
            insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
              step_execution_id, current_since, wait_event, started_at, created_at, updated_at)
            values (${project}, ${id}, ${id}, ${contact}, 1, 'WAITING', 'EVENT', 1, ${id}, now(), ${event}, now(), now(),
              now())`
          yield* sql`
            insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name, step_type,
              iteration, ordinal, status, attempts, config, created_at, updated_at)
            values (${project}, ${id}, ${id}, ${id}, ${id}, 'Wait', 'WAIT_FOR_EVENT', 1, 1, 'WAITING', 1, ${config_}, now(),
              now())`
        }
        yield* Migrations.migrate
        assert.deepStrictEqual((yield* Migrations.status).missing, [])
        const triggers = yield* sql`select name, trigger_config ->> 'verdict' as verdict from workflows order by id`
        assert.deepStrictEqual(triggers, [
          { name: "email.open", verdict: "any" },
          { name: "email.click", verdict: "any" },
          { name: "order.paid", verdict: null }
        ])
        const judged = sql`config ->> 'eventName' || ' ' || coalesce(config ->> 'verdict', 'none') as found`
        const steps = yield* sql`select type, ${judged} from workflow_steps order by workflow_id, ordinal`
        assert.deepStrictEqual(
          steps.map(({ found, type }) => `${type} ${found}`),
          events.flatMap((event) => {
            const verdict = event === "order.paid" ? "none" : "any"
            return [`TRIGGER ${event} ${verdict}`, `WAIT_FOR_EVENT ${event} ${verdict}`, `DELAY ${event} none`]
          })
        )
        const visits = yield* sql`select ${judged} from workflow_step_executions order by id`
        assert.deepStrictEqual(
          visits.map(({ found }) => found),
          ["email.open any", "email.click any", "order.paid none"]
        )
      }).pipe(Effect.provide(database)),
    120_000
  )

  it.effect(
    "keeps its scheduled campaigns, and those that are sending",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* before("0185_campaign_delivery")
        const at = new Date("2099-12-24T09:00:00Z")
        for (const [n, status] of ["SCHEDULED", "SENDING"].entries()) {
          const id = idOf(n + 3)
          yield* sql`
            insert into campaigns (id, project_id, name, subject, body, from_email, type, audience_type, status,
                                   scheduled_for, created_at, updated_at)
            values (${id}, ${project}, ${status}, 'Hi', '<p>Hi</p>', 'a@b.co', 'MARKETING', 'ALL', ${status},
                    ${status === "SCHEDULED" ? at : null}, now(), now())`
        }
        yield* sql`
          insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name,
                                language)
          values (${project}, ${idOf(4)}, true, 'Hi', '<p>Hi</p>', 'a@b.co', 'MARKETING', true, 'Example', 'en')`
        yield* Migrations.migrate
        const campaigns = yield* sql`
          select status, delivery, priority, parent_id, coalesce(starts_at, scheduled_for) as starts_at
          from campaigns order by id`
        const rest = { delivery: null, priority: 3, parent_id: null }
        assert.deepStrictEqual(campaigns, [
          { status: "SCHEDULED", ...rest, starts_at: at },
          { status: "SENDING", ...rest, starts_at: null }
        ])
        const [mailing] = yield* sql`select is_open, timing, expires_at, expiring, priority, holds from mailings`
        assert.deepStrictEqual(mailing, {
          is_open: true,
          timing: null,
          expires_at: null,
          expiring: false,
          priority: 3,
          holds: {}
        })
      }).pipe(Effect.provide(database)),
    120_000
  )
})

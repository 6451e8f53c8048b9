/** Frequent statements of dispatcher and runner read only the rows they need, however many other rows exist. */
import { assert, describe, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { testsOf } from "@posthorn/contract/automation/workflows/EventMatch"
import { ExecutionId, StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../../testing/Databases.ts"
import { access, vacuumed } from "../../../testing/Plans.ts"
import { startByEvents, wakeByEvents } from "../start/EventStartSql.ts"
import { advanceStatement } from "./AdvanceSql.ts"
import { dueStatement } from "./DueSql.ts"
import { lockedStatement } from "./LockedSql.ts"
import type { Advance, StepVisit, Wait } from "./RunStore.ts"
import { waitStatement } from "./WaitSql.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000001")
const id = (n: number) => `019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`
const begin = DateTime.makeUnsafe("2026-03-01T00:00:00Z")
const now = DateTime.add(begin, { seconds: 100 })
const batch = { events: [1, 2, 3].map((n) => ({ project, id: id(n) })), now, isRepeat: false }

/** Five projects with a thousand contacts each. One execution per second is due, every tenth waits for an event. */
const filled = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    const place = sql.literal(`
      ('019a0000-0000-7000-8000-00000000000' || n % 5)::uuid as project,
      ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
      timestamptz '2026-03-01' + n * interval '1 second' as at
      from generate_series(1, 5000) as n`)
    yield* sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select id, project, n || '@example.com', true, '{}', at, at from (select n, ${place}) as row`
    yield* sql`
      insert into events (id, project_id, contact_id, name, source, created_at)
      select id, project, id, 'go', 'tracked', at from (select n, ${place}) as row`
    yield* sql`
      insert into workflows (id, project_id, name, trigger_type, trigger_config, event_name, enabled, allow_reentry,
        created_at, updated_at)
      select id, project, 'w', 'EVENT', '{}', 'event ' || n, true, false, at, at from (select n, ${place}) as row`
    yield* sql`
      insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
        step_execution_id, current_since, context, wait_event, due_at, outside, started_at, created_at, updated_at)
      select project, id, id, id, 1, 'WAITING', 'EVENT', 1, id, at,
             jsonb_build_object('note', repeat('x', 1500)), case when n % 10 = 0 then 'paid' end, at, n % 2 = 0,
             at, at, at
      from (select n, ${place}) as row`
    yield* sql`
      insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name, step_type,
        iteration, ordinal, status, attempts, created_at, updated_at)
      select project, id, id, id, id, 'Rest', 'DELAY', 1, 1, 'SCHEDULED', 1, at, at from (select n, ${place}) as row`
    yield* vacuumed(sql, "contacts", "events", "workflows", "workflow_executions", "workflow_step_executions")
  })
)

describe.each(databases())("Plans of the runner on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    it.effect("read rows by index only", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* filled
        const step = StepId.make(id(1))
        const execution = { projectId: project, id: ExecutionId.make(id(1)) }
        const visit: StepVisit = {
          id: StepExecutionId.make(id(9_001)),
          stepId: step,
          name: "Rest",
          type: "DELAY",
          ordinal: 2,
          status: "COMPLETED",
          attempts: 1,
          config: {},
          request: null,
          output: null,
          error: null,
          branch: null,
          scheduledFor: null,
          resumedBy: null,
          startedAt: now,
          completedAt: now,
          createdAt: now
        }
        const advance: Advance = {
          ...execution,
          workflowId: WorkflowId.make(id(1)),
          expected: 1,
          stepsTaken: 2,
          status: "COMPLETED",
          currentStepId: step,
          visitId: visit.id,
          since: begin,
          context: null,
          waitEvent: null,
          lookedAt: null,
          resumeAt: null,
          dueAt: null,
          countedVersion: 1,
          moves: [],
          outside: false,
          exitReason: null,
          error: null,
          completedAt: now,
          visits: [visit]
        }
        const wait: Wait = {
          ...execution,
          contactId: ContactId.make(id(1)),
          triggerEventId: null,
          event: "paid",
          tests: [],
          since: begin,
          until: null
        }
        const plans = {
          claim: dueStatement(sql, now, 200, null),
          "claim of calls": dueStatement(sql, now, 16, { not: [] }),
          read: lockedStatement(sql, [execution]),
          advance: advanceStatement(sql, [advance], now),
          waited: waitStatement(sql, [wait], now),
          "waited with tests": waitStatement(
            sql,
            [wait, { ...wait, tests: testsOf({ eventName: "email.open" }, () => undefined) ?? [] }],
            now
          ),
          start: startByEvents(sql, batch, DateTime.toDate(now)),
          wake: wakeByEvents(sql, batch, DateTime.toDate(now))
        }
        const expected: { readonly [statement: string]: ReadonlyArray<string> } = {
          claim: ["workflow_executions_due"],
          "claim of calls": ["workflow_executions_due_outside"],
          read: ["workflow_executions_pkey", "workflow_step_executions_pkey"],
          advance: ["workflow_executions_pkey", "workflow_step_executions_execution"],
          waited: ["events_contact"],
          "waited with tests": ["events_contact"],
          start: ["workflow_executions_contact"]
        }
        for (const [name, statement] of Object.entries(plans)) {
          const used = yield* access(sql, statement)
          assert.includeMembers(used, [...(expected[name] ?? [])], name)
          // These small tables are read completely.
          const whole = /^every row of (?:contacts|events|workflow_executions|workflow_step_executions|workflows)$/
          assert.isEmpty(
            used.filter((index) => whole.test(index)),
            name
          )
        }
      })
    )
  })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import { rssMegabytes, withCpuOf } from "../machine/ProcessTimes.ts"
import type { Row, Run } from "../Row.ts"
import * as Automating from "./Automating.ts"

const eventsPerMail = 10

export const row: Row = {
  id: "W1",
  title: "tracked events dispatched, each starting an execution, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "50,000 stored events, 10,000 with --quick, each of another contact; one enabled workflow of that event",
    "one worker process, which also runs the executions up to their first DELAY",
    "from the first batch to the last; baseline: one INSERT ... SELECT of as many executions from the events, with the indexes"
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, worker } = yield* Automating.stage("W1")
    let number = 0

    const dispatched: Run = ({ mails }) =>
      Effect.gen(function* () {
        const count = mails * eventsPerMail
        yield* Automating.readers(project.id, count)
        const event = `signed_up_${++number}`
        yield* Workflows.create(api, project.key, {
          name: event,
          event,
          steps: [{ type: "DELAY", config: { amount: 1, unit: "days" } }]
        })
        const { result, cpuMillis } = yield* withCpuOf(
          worker.pid,
          Effect.gen(function* () {
            yield* Workflows.events(project.id, event)
            const ended = yield* Automating.none("event_outbox", "true")
            return (
              ended - (yield* Automating.first("created_at", "workflow_executions where trigger_event_id is not null"))
            )
          })
        )
        const rss = yield* rssMegabytes(worker.pid)
        yield* Automating.quiet
        return {
          value: count / (result / 1000),
          cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / count,
          rssMegabytes: rss
        }
      }).pipe(Effect.provideContext(services))

    const atOnce: Run = ({ mails }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const count = mails * eventsPerMail
        const run = (statement: string) => Effect.orDie(sql.unsafe(statement))
        yield* Automating.readers(project.id, count)
        yield* run("drop table if exists beside")
        yield* run("create table beside (like workflow_executions including all)")
        // Without a workflow there is nothing to start: the worker only removes the event from the queue.
        yield* Workflows.events(project.id, `raw_${++number}`)
        yield* Automating.none("event_outbox", "true")
        const begun = performance.now()
        yield* run(`
          insert into beside (project_id, id, workflow_id, contact_id, nth, status, source, trigger_event_id, chain,
            context, current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
          select project_id, gen_random_uuid(), project_id, contact_id, 1, 'RUNNING', 'EVENT', id, 1, data, project_id,
                 gen_random_uuid(), now(), now(), now(), now(), now()
          from events order by id`)
        const value = count / ((performance.now() - begun) / 1000)
        yield* run("drop table beside")
        return { value }
      }).pipe(Effect.provideContext(services))

    return [
      {
        name: "dispatched",
        unit: "events/s",
        target: ">= 5,000/s",
        posthorn: dispatched,
        baselines: { "one INSERT ... SELECT": atOnce }
      }
    ]
  })
}

import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import { rssMegabytes, withCpuOf } from "../machine/ProcessTimes.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Automating from "./Automating.ts"

const executionsPerMail = 2
/** The number that a worker takes in one transaction. */
const batch = 200

const isPro = { type: "CONDITION", config: { field: "data.plan", operator: "exists" } }
const mark = { type: "UPDATE_CONTACT", config: { updates: { stage: "{{event.plan}}" } } }
const leave = { type: "EXIT", config: { reason: "done" } }

const decisions = [isPro, isPro, isPro, isPro, isPro, leave]
const updates = [isPro, mark, leave]

export const row: Row = {
  id: "W2",
  title: "step transitions, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "10,000 executions, 2,000 with --quick, each of another contact, due at the first step; one worker process",
    "decisions: five CONDITIONs and an EXIT; updates: a CONDITION, an UPDATE_CONTACT with a variable, an EXIT",
    "from the start of the first visit to the end of the last; each execution takes all its steps in one transaction with others",
    `baseline: the same visits written and the same executions moved by hand, ${batch} executions a transaction, one connection; updates: and their contacts`
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, worker } = yield* Automating.stage("W2")
    let number = 0

    const stand = Effect.fnUntraced(function* (steps: ReadonlyArray<Workflows.Step>, count: number) {
      yield* Automating.readers(project.id, count)
      const event = `go_${++number}`
      return yield* Workflows.create(api, project.key, { name: event, event, steps })
    })

    const carried =
      (steps: ReadonlyArray<Workflows.Step>): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const count = mails * executionsPerMail
          const workflow = yield* stand(steps, count)
          const { result, cpuMillis } = yield* withCpuOf(
            worker.pid,
            Effect.gen(function* () {
              yield* Workflows.executions(project.id, workflow.id, workflow.steps[1]?.id ?? "")
              const ended = yield* Automating.none("workflow_executions", "due_at is not null")
              return ended - (yield* Automating.first("started_at", "workflow_step_executions"))
            })
          )
          const transitions = count * steps.length
          return {
            value: transitions / (result / 1000),
            cpuMillisPerItem: cpuMillis === undefined ? undefined : cpuMillis / transitions,
            rssMegabytes: yield* rssMegabytes(worker.pid)
          }
        }).pipe(Effect.provideContext(services))

    const byHand =
      (steps: ReadonlyArray<Workflows.Step>): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const count = mails * executionsPerMail
          const workflow = yield* stand(steps, count)
          // Far in the future, so that the worker does not take them.
          const far = "now() + interval '1 year'"
          yield* Workflows.executions(project.id, workflow.id, workflow.steps[1]?.id ?? "", far)
          const touch = steps.includes(mark)
            ? sql`update contacts set data = data || '{"stage": "pro"}', updated_at = now() from taken
                  where contacts.project_id = taken.project_id and contacts.id = taken.contact_id`
            : sql`select`
          const begun = performance.now()
          for (let left = count; left > 0; left -= batch) {
            yield* Effect.orDie(sql`
              with taken as (
                select * from workflow_executions where due_at is not null and not frozen and not outside
                order by due_at, id limit ${batch}
                for update skip locked
              ),
              visited as (
                insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name,
                  step_type, iteration, ordinal, status, attempts, config, output, started_at, completed_at, created_at,
                  updated_at)
                select project_id, gen_random_uuid(), id, workflow_id, current_step_id, 'Condition', 'CONDITION', 1, n + 1,
                       'COMPLETED', 1, '{}', '{}', now(), now(), now(), now()
                from taken cross join generate_series(1, ${steps.length}::int) as n
              ),
              touched as (${touch})
              update workflow_executions as execution
              set status = 'EXITED', due_at = null, resume_at = null, completed_at = now(), updated_at = now()
              from taken where execution.project_id = taken.project_id and execution.id = taken.id`)
          }
          return { value: (count * steps.length) / ((performance.now() - begun) / 1000) }
        }).pipe(Effect.provideContext(services))

    const caseOf = (name: string, steps: ReadonlyArray<Workflows.Step>): Case => ({
      name,
      unit: "transitions/s",
      target: ">= 3,000/s",
      posthorn: carried(steps),
      baselines: { "by hand": byHand(steps) }
    })
    return [caseOf("decisions", decisions), caseOf("updates", updates)]
  })
}

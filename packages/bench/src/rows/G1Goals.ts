import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import { rssMegabytes, withCpuOf } from "../machine/ProcessTimes.ts"
import * as Api from "../processes/Api.ts"
import type { Row, Run } from "../Row.ts"
import * as Automating from "./Automating.ts"

const eventsPerMail = 10
const goals = 50
/** One event in so many reaches a goal. */
const oneIn = 10

const rest = { type: "DELAY", config: { amount: 1, unit: "days" } }

export const row: Row = {
  id: "G1",
  title: "tracked events dispatched beside goals, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "50,000 stored events, 10,000 with --quick, each of another contact; one worker process",
    "POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row): the workflows are made by hundreds of requests",
    `${goals} workflows with a goal, each of another event; every ${oneIn}th event fits the goal of one of them and ends an execution, all others start one`,
    "goals of other events: the same goals, and every event starts an execution",
    "baseline: every event starts an execution, and there is no goal, as W1"
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, worker } = yield* Automating.stage("G1", { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" })
    let number = 0
    let journeys: ReadonlyArray<{ readonly id: string; readonly step: string }> = []

    /** The workflows with goals exist from the first run with goals on, and are removed before the runs without. */
    const withGoals = Effect.gen(function* () {
      if (journeys.length > 0) return
      const sql = yield* SqlClient.SqlClient
      // Those of earlier runs, whose goals are gone. A project has at most 500 workflows.
      yield* Effect.orDie(sql`delete from workflows where project_id = ${project.id} and name like 'goal_start_%'`)
      journeys = yield* Effect.forEach(Array.from({ length: goals }), (_, n) =>
        Effect.gen(function* () {
          const event = `goal_start_${++number}`
          const { id, steps } = yield* Workflows.create(api, project.key, { name: event, event, steps: [rest] })
          const body = { goal: { eventName: `goal_${n}`, where: [{ path: "plan", operator: "equals", value: "pro" }] } }
          yield* Api.ask(
            api,
            project.key,
            { method: "PATCH", path: `/workflows/${id}`, body, status: 200 },
            Schema.Struct({ id: Schema.String })
          )
          return { id, step: steps[1]?.id ?? "" }
        })
      )
    })

    const withoutGoals = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`delete from goals where project_id = ${project.id}`)
      journeys = []
    })

    const dispatched = (prepare: typeof withGoals | typeof withoutGoals, fits: boolean): Run =>
      Effect.fnUntraced(
        function* ({ mails }) {
          const sql = yield* SqlClient.SqlClient
          const count = mails * eventsPerMail
          yield* prepare
          yield* Automating.readers(project.id, count)
          const event = `signed_up_${++number}`
          yield* Workflows.create(api, project.key, { name: event, event, steps: [rest] })
          if (fits) {
            for (const { id, step } of journeys) {
              yield* Workflows.executions(project.id, id, step, "now() + interval '1 day'", Math.ceil(count / oneIn))
            }
            // An execution of each workflow for each of these contacts is more than the events need.
            yield* Effect.orDie(sql.unsafe("analyze workflow_executions, workflow_step_executions"))
          }
          const { result, cpuMillis } = yield* withCpuOf(
            worker.pid,
            Effect.gen(function* () {
              yield* Workflows.events(project.id, event, fits ? { name: "goal_", oneIn, of: goals } : undefined)
              const ended = yield* Automating.none("event_outbox", "true")
              return (
                ended -
                (yield* Automating.first("created_at", "workflow_executions where trigger_event_id is not null"))
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
        },
        (effect) => Effect.provideContext(effect, services)
      )

    const plain = { "without goals": dispatched(withoutGoals, false) }
    return [
      {
        name: "goals of other events",
        unit: "events/s",
        target: ">= 0.95 of the dispatch without goals",
        posthorn: dispatched(withGoals, false),
        baselines: plain
      },
      {
        name: "every tenth event fits",
        unit: "events/s",
        target: ">= 0.8 of the dispatch without goals",
        posthorn: dispatched(withGoals, true),
        baselines: plain
      }
    ]
  })
}

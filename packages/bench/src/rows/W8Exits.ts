import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as Workflows from "../load/Workflows.ts"
import * as Api from "../processes/Api.ts"
import type { Row, Run } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"
import * as Automating from "./Automating.ts"

/** The whole effort is a million of them, as ten workflows with the same contacts. */
const contactsPerMail = 20
const workflows = 10
const rulesOfEach = 10
const exits = 100

const day = { type: "DELAY", config: { amount: 1, unit: "days" } }

const Ended = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ millis: Schema.Finite })))

export const row: Row = {
  id: "W8",
  title: "events that end executions, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `1,000,000 live executions, 200,000 with --quick, of ${workflows} workflows with ${rulesOfEach} exit rules each; one worker process`,
    `${exits} events one after another, each of another contact and rule; from the stored event to the end of its execution, the p95`,
    "baseline: the same with one rule in all"
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, sql } = yield* Automating.stage("W8")
    let live = 0
    let number = 0
    let names: ReadonlyArray<string> = []
    let ids: ReadonlyArray<string> = []

    const rules = (id: string, events: ReadonlyArray<string>) =>
      Api.ask(
        api,
        project.key,
        {
          method: "PATCH",
          path: `/workflows/${id}`,
          body: { exitRules: events.map((eventName, n) => ({ id: `rule-${n}`, type: "EVENT", eventName })) },
          status: 200
        },
        Schema.Struct({ id: Schema.String })
      )

    const living = Effect.fnUntraced(function* (contacts: number) {
      if (live === contacts) return
      yield* Automating.readers(project.id, contacts)
      ids = yield* Effect.forEach(Array.from({ length: workflows }), () =>
        Effect.gen(function* () {
          const event = `live_${++number}`
          const { id, steps } = yield* Workflows.create(api, project.key, { name: event, event, steps: [day] })
          yield* Workflows.executions(project.id, id, steps[1]?.id ?? "", "now() + interval '7 days'")
          return id
        })
      )
      yield* Effect.orDie(sql.unsafe("vacuum analyze workflow_executions, workflow_step_executions").unprepared)
      live = contacts
    })

    const measured = (all: boolean): Run =>
      Effect.fnUntraced(
        function* ({ mails }) {
          yield* living(mails * contactsPerMail)
          const own = ids.map((_, n) => Array.from({ length: rulesOfEach }, (__, m) => `stop_${n}_${m}`))
          yield* Effect.forEach(ids, (id, n) => rules(id, all ? (own[n] ?? []) : n === 0 ? ["stop_0_0"] : []))
          names = all ? own.flat() : ["stop_0_0"]
          const begun = new Date()
          const stopped: Array<{ readonly event: string; readonly workflow: string | undefined }> = []
          for (let n = 0; n < exits; n++) {
            const workflow = ids[all ? Math.floor((n % names.length) / rulesOfEach) : 0]
            const event = randomUUID()
            yield* Effect.orDie(sql`
              insert into events (id, project_id, contact_id, name, source, data, created_at)
              select ${event}::uuid, project_id, contact_id, ${names[n % names.length] ?? ""}::text, 'tracked', '{}',
                     clock_timestamp()
              from workflow_executions
              where workflow_id = ${workflow}::uuid and status = 'WAITING'
                and contact_id not in (select contact_id from events where name like 'stop_%' and contact_id is not null)
              limit 1`)
            stopped.push({ event, workflow })
            yield* Effect.sleep("50 millis")
          }
          yield* Automating.none("event_outbox", "true")
          const ended = yield* Effect.orDie(
            Effect.flatMap(
              sql`
                select (extract(epoch from execution.completed_at - event.created_at) * 1000)::float8 as millis
                from jsonb_to_recordset(${JSON.stringify(stopped)}::text::jsonb) as stopped (event uuid, workflow uuid)
                join events as event on event.id = stopped.event
                join workflow_executions as execution
                  on execution.workflow_id = stopped.workflow and execution.contact_id = event.contact_id
                where execution.status = 'EXITED' and execution.completed_at >= ${begun}`,
              Ended
            )
          )
          if (ended.length !== exits)
            return yield* new BenchFailure({ message: `${ended.length} of ${exits} executions ended` })
          const latency = latencyOf(ended.map(({ millis }) => millis))
          return { value: latency.p95, latency, more: { "executions ended": ended.length } }
        },
        (effect) => Effect.provideContext(effect, services)
      )

    return [
      {
        name: "event to end",
        unit: "ms",
        target: "p95 <= 2 s",
        posthorn: measured(true),
        baselines: { "one rule": measured(false) }
      }
    ]
  })
}

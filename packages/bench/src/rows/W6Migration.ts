import { Effect, Fiber, Schema } from "effect"
import * as Workflows from "../load/Workflows.ts"
import * as Api from "../processes/Api.ts"

import type { Row, Run } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"
import * as Automating from "./Automating.ts"

/** The whole effort is a million live executions. */
const executionsPerMail = 200

const day = { type: "DELAY", config: { amount: 30, unit: "days" } }
const mark = { type: "UPDATE_CONTACT", config: { updates: { marked: true } } }

const Made = Schema.Struct({ id: Schema.String })
const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({ state: Schema.String })

export const row: Row = {
  id: "W6",
  title: "migration of live executions to a version, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000,000 executions in a delay, 200,000 with --quick; one worker process",
    "from the request to the end of the job; meanwhile the workflow is read ten times a second, the p99",
    "baseline: one UPDATE that sets the version of all"
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, sql } = yield* Automating.stage("W6")
    let number = 0

    /** A published workflow with a second version, and executions that wait in the first one. */
    const waiting = Effect.fnUntraced(function* (contacts: number) {
      yield* Automating.readers(project.id, contacts)
      const event = `migrated_${++number}`
      const { id, steps } = yield* Workflows.create(api, project.key, { name: event, event, steps: [day, mark] })
      const ask = <A>(method: string, path: string, body: object, schema: Schema.ConstraintDecoder<A>) =>
        Api.ask(api, project.key, { method, path, body, status: 200 }, schema)
      yield* ask("PATCH", `/workflows/${id}`, { versioning: "PUBLISHED" }, Made)
      yield* Workflows.executions(project.id, id, steps[1]?.id ?? "", "now() + interval '30 days'")
      yield* Effect.orDie(sql`update workflow_executions set pinned = true, version = 1 where workflow_id = ${id}`)
      yield* ask("PATCH", `/workflows/${id}/steps/${steps[2]?.id}`, { config: { updates: { marked: false } } }, Made)
      yield* ask("POST", `/workflows/${id}/publish`, {}, Made)
      yield* Effect.orDie(sql.unsafe("vacuum analyze workflow_executions, workflow_step_executions").unprepared)
      return id
    })

    const migrated: Run = Effect.fnUntraced(
      function* ({ mails }) {
        const id = yield* waiting(mails * executionsPerMail)
        const begun = Date.now()
        const body = { toVersion: 2, fromVersions: [1] }
        const { jobId } = yield* Api.ask(
          api,
          project.key,
          { method: "POST", path: `/workflows/${id}/migrations`, body, status: 202 },
          Queued
        )
        const answers: Array<number> = []
        const read = Effect.gen(function* () {
          const at = performance.now()
          yield* Api.ask(api, project.key, { method: "GET", path: `/workflows/${id}`, status: 200 }, Made)
          answers.push(performance.now() - at)
          yield* Effect.sleep("100 millis")
        })
        const reading = yield* Effect.forkChild(Effect.forever(read))
        const job = Api.ask(
          api,
          project.key,
          { method: "GET", path: `/workflows/${id}/migrations/${jobId}`, status: 200 },
          Job
        )
        while ((yield* job).state !== "completed") yield* Effect.sleep("200 millis")
        const millis = Date.now() - begun
        yield* Fiber.interrupt(reading)
        const latency = latencyOf(answers)
        return { value: millis, latency, more: { "executions moved": mails * executionsPerMail } }
      },
      (effect) => Effect.provideContext(effect, services)
    )

    const oneUpdate: Run = Effect.fnUntraced(
      function* ({ mails }) {
        const id = yield* waiting(mails * executionsPerMail)
        const begun = Date.now()
        yield* Effect.orDie(sql`update workflow_executions set version = 2 where workflow_id = ${id}`)
        return { value: Date.now() - begun }
      },
      (effect) => Effect.provideContext(effect, services)
    )

    return [
      {
        name: "request to the end of the job",
        unit: "ms",
        target: "<= 120,000 ms, p99 of the API <= 200 ms",
        posthorn: migrated,
        baselines: { "one UPDATE": oneUpdate }
      }
    ]
  })
}

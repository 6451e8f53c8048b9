import { dueStatement } from "@posthorn/core/automation/workflows/run/DueSql"
import { DateTime, Effect, Schema } from "effect"
import * as Workflows from "../load/Workflows.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import type { Row, Run } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"
import * as Automating from "./Automating.ts"

/** The whole effort is a million of them, as ten workflows with the same contacts. */
const contactsPerMail = 20
const workflows = 10
/** Of those that wake up meanwhile. */
const perSecond = 200
/** The number that a worker requests at once. */
const batch = 200

const day = { type: "DELAY", config: { amount: 1, unit: "days" } }
const rounds = 200

const Late = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ millis: Schema.Finite })))

export const row: Row = {
  id: "W3",
  title: "waiting executions, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000,000 executions that wait in a DELAY for a day or more, 200,000 with --quick; each with its stored visit",
    `claim: the statement with which a worker locks the due ones, ${batch} of them, in a transaction that is rolled back; the median of ${rounds}; no worker`,
    "baseline of the claim: a range of the index alone, planned once",
    `lateness: ${perSecond} a second wake up, one worker process; from the stored time to the start of the step after the DELAY, the median, with p99`
  ],
  cases: Effect.gen(function* () {
    const { project, services, sql, api, startWorker } = yield* Automating.stageWithoutWorker("W3")
    let asleep = 0
    let number = 0

    const sleeping = Effect.fnUntraced(function* (contacts: number) {
      if (asleep === contacts) return
      yield* Automating.readers(project.id, contacts)
      for (let n = 0; n < workflows; n++) {
        const event = `asleep_${++number}`
        const { id, steps } = yield* Workflows.create(api, project.key, { name: event, event, steps: [day] })
        const wakes = `now() + interval '1 day' + n * interval '1 minute'`
        yield* Workflows.executions(project.id, id, steps[1]?.id ?? "", wakes)
      }
      yield* Effect.orDie(sql.unsafe("vacuum analyze workflow_executions, workflow_step_executions").unprepared)
      asleep = contacts
    })

    /** Adds some more, due one after another, from this many seconds on. */
    const waking = Effect.fnUntraced(function* (count: number, inSeconds: number) {
      const event = `wakes_${++number}`
      const { id, steps } = yield* Workflows.create(api, project.key, { name: event, event, steps: [day] })
      const wakes = `now() + interval '${inSeconds} seconds' + n * interval '1 second' / ${perSecond}`
      yield* Workflows.executions(project.id, id, steps[1]?.id ?? "", wakes, count)
      return id
    })

    const remove = (workflow: string) =>
      Effect.orDie(sql`delete from workflow_executions where workflow_id = ${workflow}::uuid`)

    const timed = <A, E>(claim: Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const millis: Array<number> = []
        for (let n = 0; n < rounds; n++) {
          const undone = Effect.gen(function* () {
            const begun = performance.now()
            yield* claim
            millis.push(performance.now() - begun)
            return yield* Effect.fail("undone" as const)
          })
          yield* Effect.ignore(sql.withTransaction(undone))
        }
        const latency = latencyOf(millis)
        return { value: latency.p50, latency }
      })

    const claiming =
      (claim: Effect.Effect<unknown, unknown>): Run =>
      ({ mails }) =>
        Effect.gen(function* () {
          yield* sleeping(mails * contactsPerMail)
          const due = yield* waking(batch, -1)
          yield* Effect.sleep("1 second")
          const found = yield* timed(claim)
          yield* remove(due)
          return found
        }).pipe(Effect.provideContext(services))

    const lateness: Run = ({ mails, seconds }) =>
      Effect.gen(function* () {
        yield* sleeping(mails * contactsPerMail)
        const worker = yield* startWorker
        const workflow = yield* waking(perSecond * seconds, 2)
        yield* Automating.none("workflow_executions", `workflow_id = '${workflow}' and completed_at is null`)
        const found = yield* Effect.orDie(
          Effect.flatMap(
            sql`
              select extract(epoch from completed_at - scheduled_for)::float8 * 1000 as millis
              from workflow_step_executions where workflow_id = ${workflow}::uuid`,
            Late
          )
        )
        yield* remove(workflow)
        const latency = latencyOf(found.map(({ millis }) => millis))
        return { value: latency.p50, latency, rssMegabytes: yield* rssMegabytes(worker.pid) }
      }).pipe(Effect.provideContext(services))

    return [
      {
        name: `claim of ${batch} due ones`,
        unit: "ms",
        target: "<= 5 ms",
        posthorn: claiming(Effect.flatMap(DateTime.now, (now) => dueStatement(sql, now, batch, null).unprepared)),
        baselines: {
          "range of the index": claiming(sql`
            select project_id, id from workflow_executions
            where due_at is not null and due_at <= now() and not frozen and not outside
            order by due_at, id limit ${batch} for update skip locked`)
        }
      },
      { name: "lateness", unit: "ms", target: "p99 <= 2 s", posthorn: lateness, baselines: {} }
    ]
  })
}

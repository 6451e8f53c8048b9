/**
 * Workers die while executions are moved to another version of their workflow: before the commit of a part, after it, and
 * at random moments (fault matrix F36).
 */
import { Duration, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Workflows from "../load/Workflows.ts"
import * as Api from "../processes/Api.ts"
import * as Fleet from "./Fleet.ts"
import { Installation } from "./Installation.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the moments. */
  readonly seed: string
  readonly executions: number
  readonly kills: number
}

const patience = Duration.minutes(5)

const day = { type: "DELAY", config: { amount: 30, unit: "days" } }
const mark = { type: "UPDATE_CONTACT", config: { updates: { marked: true } } }

const Made = Schema.Struct({ id: Schema.String })
const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({
  state: Schema.String,
  result: Schema.NullOr(Schema.Struct({ moved: Schema.Int }))
})
const Found = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ moved: Schema.Int, skipped: Schema.Int, of: Schema.Int, ended: Schema.Int })])
)

/** Returns the verdict: every execution was moved, once, and took the step of the new version. */
export const kills = Effect.fn("MigrationKills.kills")(function* ({ executions, kills, seed }: Options) {
  const { api, senders, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [sender] = senders
  const ask = <A>(method: string, path: string, status: number, answer: Schema.ConstraintDecoder<A>, body?: object) =>
    Effect.orDie(Api.ask(api, sender.key, { method, path, body, status }, answer))

  yield* Workflows.contacts(sender.id, executions)
  const { id, steps } = yield* Effect.orDie(
    Workflows.create(api, sender.key, { name: "Course", event: "begun", steps: [day, mark] })
  )
  const [, wait, last] = steps
  yield* ask("PATCH", `/workflows/${id}`, 200, Made, { versioning: "PUBLISHED" })
  yield* Workflows.executions(sender.id, id, wait?.id ?? "", "now() + interval '30 days'")
  yield* Effect.orDie(sql`update workflow_executions set pinned = true, version = 1 where workflow_id = ${id}`)
  yield* ask("PATCH", `/workflows/${id}/steps/${last?.id}`, 200, Made, { name: "Mark again" })
  yield* ask("POST", `/workflows/${id}/publish`, 200, Made, {})
  const mapping = { [wait?.id ?? ""]: last?.id ?? "" }
  const { jobId } = yield* ask("POST", `/workflows/${id}/migrations`, 202, Queued, {
    toVersion: 2,
    fromVersions: [1],
    mapping
  })

  const moment = Effect.all({ isEarly: Random.nextBoolean, milliseconds: Random.nextIntBetween(0, 300) })
  const drawn = yield* Random.withSeed(Effect.replicateEffect(moment, kills), `migration ${seed}`)
  for (const [n, { isEarly, milliseconds }] of drawn.entries()) {
    // Every other worker makes a step: a job whose runners die three times without one has failed.
    const isRandom = n % 2 === 1 && !isEarly
    const doomed = yield* startWorker(
      isRandom ? {} : { failAt: n % 2 === 0 ? "after_migration_step" : "in_migration_step" }
    )
    if (isRandom) {
      yield* Effect.sleep(milliseconds)
      doomed.signal("SIGKILL")
    }
    yield* Effect.raceFirst(doomed.ended, Effect.sleep("10 seconds"))
    doomed.signal("SIGKILL")
    yield* doomed.ended
    yield* Fleet.endJobLeases
  }
  yield* startWorker()
  const job = yield* until(
    "the end of the migration",
    ask("GET", `/workflows/${id}/migrations/${jobId}`, 200, Job),
    ({ state }) => state === "completed" || state === "failed",
    patience
  )
  const found = yield* until(
    "the end of all executions",
    Effect.orDie(
      Effect.map(
        Effect.flatMap(
          sql`
            select (select count(*)::int from workflow_executions where workflow_id = ${id} and version = 2) as moved,
                   (select count(*)::int from workflow_executions
                    where workflow_id = ${id} and status = 'COMPLETED') as ended,
                   count(*)::int as skipped, count(distinct execution_id)::int as of
            from workflow_step_executions where workflow_id = ${id} and output ->> 'reason' = 'migrated'`,
          Found
        ),
        ([row]) => row
      )
    ),
    ({ ended }) => ended === executions,
    patience
  )
  const promises: ReadonlyArray<readonly [string, boolean]> = [
    [`The job ended ${job.state}`, job.state === "completed"],
    [`The job says that ${job.result?.moved} were moved`, job.result?.moved === executions],
    [`${found.moved} executions were moved`, found.moved === executions],
    [
      `${found.skipped} visits of ${found.of} executions were skipped`,
      found.skipped === executions && found.of === executions
    ]
  ]
  return promisingAll(yield* verdict(new Set(), 0), promises)
}, Effect.scoped)

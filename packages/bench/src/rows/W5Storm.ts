import { Effect } from "effect"
import * as PacedLoad from "../load/PacedLoad.ts"
import * as Workflows from "../load/Workflows.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import type { Row, Run, Sample } from "../Row.ts"
import { latencyOf } from "../Statistics.ts"
import * as Automating from "./Automating.ts"

/** The whole effort is a hundred thousand contacts. */
const contactsPerMail = 20
/** Requests of others meanwhile, well below the limit of a project. */
const perSecond = 10

const steps = [
  { type: "CONDITION", config: { field: "data.plan", operator: "equals", value: "pro" } },
  { type: "DELAY", config: { amount: 1, unit: "days" } }
]

const body = JSON.stringify({ email: "visitor-$n@example.com", event: "visited", data: { page: "/" } })

export const row: Row = {
  id: "W5",
  title: "an event storm: many contacts enter one workflow at once, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "100,000 contacts, 20,000 with --quick, one event of each at the same moment; CONDITION, then DELAY for every other one",
    "from the stored events until no execution waits for a worker; one worker process",
    `the figure is the p99 of ${perSecond} requests a second to POST /v1/track meanwhile, to another process`,
    "baseline: the same requests without the storm"
  ],
  cases: Effect.gen(function* () {
    const { api, project, services, worker } = yield* Automating.stage("W5")
    const load = yield* PacedLoad.start
    let number = 0

    const requests = (seconds: number) =>
      load.ask(
        { url: `${api.url}/v1/track`, body, projects: [{ key: project.publicKey }], perSecond, seconds },
        PacedLoad.Answer
      )
    const took = (answers: typeof PacedLoad.Answer.Type) => latencyOf(answers.requests.map(({ took }) => took))

    /** The peak memory of the worker while the effect runs. */
    const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        let most = 0
        const look = Effect.map(rssMegabytes(worker.pid), (rss = 0) => {
          most = Math.max(most, rss)
        })
        const result = yield* Effect.raceFirst(effect, Effect.forever(Effect.andThen(look, Effect.sleep("200 millis"))))
        return { result, most }
      })

    const storm: Run = ({ mails, seconds }) =>
      Effect.gen(function* () {
        const count = mails * contactsPerMail
        yield* Automating.readers(project.id, count)
        const event = `storm_${++number}`
        yield* Workflows.create(api, project.key, { name: event, event, steps })
        const before = yield* rssMegabytes(worker.pid)
        const through = Effect.gen(function* () {
          yield* Workflows.events(project.id, event)
          const begun = Date.now()
          yield* Automating.none("event_outbox", "true")
          const started = Date.now() - begun
          yield* Automating.none("workflow_executions", "due_at <= now() and not frozen and not outside")
          return { started, all: Date.now() - begun }
        })
        const [{ result, most }, answers] = yield* Effect.all([watched(through), requests(seconds)], {
          concurrency: "unbounded"
        })
        const latency = took(answers)
        return {
          value: latency.p99,
          latency,
          rssMegabytes: most,
          more: {
            "entered, events/s": count / (result.all / 1000),
            "all started, ms": result.started,
            "all at rest, ms": result.all,
            "RSS before, MB": before ?? Number.NaN
          }
        } satisfies Sample
      }).pipe(Effect.provideContext(services))

    const calm: Run = ({ seconds }) =>
      Effect.map(requests(seconds), (answers) => {
        const latency = took(answers)
        return { value: latency.p99, latency }
      })

    return [
      {
        name: "requests meanwhile",
        unit: "ms",
        target: "p99 <= 200 ms; memory flat",
        posthorn: storm,
        baselines: { "without the storm": calm }
      }
    ]
  })
}

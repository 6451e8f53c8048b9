/**
 * Two processes publish one draft of a template at one moment, beside changes of the template and mail that is sent with
 * it: one of them makes the next version.
 */
import { Array, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the order of the requests and their processes. */
  readonly seed: string
  readonly races: number
}

/** Of each kind. */
const crowd = 8

const Template = Schema.Struct({ id: Schema.String, subject: Schema.String, version: Schema.Int })
const decodeTemplate = Schema.decodeUnknownEffect(Template)
const Page = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Array(Schema.Struct({ version: Schema.Int })) }))
const Refused = Schema.decodeUnknownEffect(
  Schema.Struct({ error: Schema.Struct({ details: Schema.Struct({ reason: Schema.String }) }) })
)
const Mails = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.String, subject: Schema.String, version: Schema.Int }))
)

const refusals = ["no_draft", "version_changed"]

/** Returns what the requests were answered, and the verdict: one next version, and no mail with a mixture of both. */
export const race = Effect.fn("PublishRaces.race")(function* ({ races, seed }: Options) {
  const { api, senders, startApi, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const beside = yield* startApi()
  yield* startWorker()
  const [project] = senders
  const accepted = new Set<string>()
  const answers: { [status: string]: number } = {}
  const wrong: globalThis.Array<string> = []

  const ask = (method: "GET" | "PATCH" | "POST" | "PUT", path: string, body?: object) => (url: string) =>
    Load.ask(method, url + path, { key: project.key, body, patience: 60_000 })
  const template = (answer: Load.Answer) => Effect.orDie(decodeTemplate(answer.body))

  const one = Effect.fnUntraced(function* (number: number) {
    const before = `Before ${number}`
    const made = yield* Effect.flatMap(
      ask("POST", "/templates", {
        ...{ name: before, subject: before, body: "<p>Hello</p>", from: project.from, type: "TRANSACTIONAL" }
      })(api.url),
      template
    )
    const path = `/templates/${made.id}`
    const draft = `Draft ${number}`
    yield* ask("PUT", `${path}/draft`, { subject: draft })(api.url)
    const changes = [
      ...Array.makeBy(crowd, () => ({ subject: draft, request: ask("POST", `${path}/publish`) })),
      ...Array.makeBy(crowd, (n) => {
        const subject = `Change ${number} ${n}`
        return { subject, request: ask("PATCH", path, { subject, expectedVersion: made.version }) }
      })
    ]
    const sends = Array.map(Load.people(`race-${seed}-${number}`, crowd), (to) => {
      const request = { project, key: to, body: { to, template: made.id } }
      return (url: string) =>
        Effect.map(
          Load.insist(() => url, request),
          (ids) => ids.forEach((id) => void accepted.add(id))
        )
    })
    const drawn = yield* Random.shuffle([
      ...changes.map(
        ({ request, subject }) =>
          (url: string) =>
            Effect.map(request(url), (answer) => [{ answer, subject }])
      ),
      ...sends.map((send) => (url: string) => Effect.as(send(url), []))
    ])
    const met = yield* Effect.forEach(
      drawn,
      (request) => Effect.flatMap(Effect.orDie(Random.choice([api.url, beside.url] as const)), request),
      { concurrency: "unbounded" }
    )
    const answered = met.flat()
    for (const { answer } of answered) answers[answer.status] = (answers[answer.status] ?? 0) + 1
    const winners = answered.filter(({ answer }) => answer.status === 200)
    for (const { answer } of answered) {
      // A machine that is busy with other work may have no room for a request.
      if (answer.status === 200 || (answer.status === 503 && answer.retryAfter !== null)) continue
      const reason = answer.status === 409 ? (yield* Effect.orDie(Refused(answer.body))).error.details.reason : ""
      if (!refusals.includes(reason))
        wrong.push(`A change was answered ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    const live = yield* Effect.flatMap(ask("GET", path)(beside.url), template)
    const { data } = yield* Effect.flatMap(ask("GET", `${path}/versions`)(api.url), ({ body }) =>
      Effect.orDie(Page(body))
    )
    const versions = data.map(({ version }) => version).join(", ")
    const [winner] = winners
    if (winners.length !== 1) wrong.push(`${winners.length} changes of one version were made`)
    if (live.version !== made.version + 1 || live.subject !== winner?.subject) {
      wrong.push(`The live version is ${live.version}, "${live.subject}", after "${winner?.subject}" was made`)
    }
    if (versions !== `${made.version + 1}, ${made.version}`) wrong.push(`There are the versions ${versions}`)
    const mails = yield* Effect.orDie(
      Effect.flatMap(
        sql`select id, subject, template_version as version from emails where template_id = ${made.id}::uuid`,
        Mails
      )
    )
    for (const { id, subject, version } of mails) {
      if (subject !== (version === made.version ? before : live.subject)) {
        wrong.push(`Mail ${id} has the subject "${subject}" and version ${version}`)
      }
    }
  })

  yield* Random.withSeed(Effect.forEach(Array.range(1, races), one, { discard: true }), `publishes ${seed}`)
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  const found = { answers, ...(yield* verdict(accepted, 0)) }
  return Array.reduce(wrong, found, (so, sentence) => promising(so, sentence, false))
})

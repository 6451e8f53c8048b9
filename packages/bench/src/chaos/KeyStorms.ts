/**
 * Many requests arrive at one moment: with one Idempotency-Key (fault matrix F28), or with changes of the same
 * resources (F11).
 */
import { Array, Effect, Random, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Sender } from "../Seed.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: the requests and their order. */
  readonly seed: string
  /** Of each kind in turn. */
  readonly storms: number
}

/** Requests with one key, to two processes. */
const crowdSize = 50

const Thing = Schema.Struct({ id: Schema.String })
const Made = Schema.decodeUnknownEffect(Schema.Union([Thing, Schema.Struct({ data: Thing })]))
const idOf = ({ body }: Load.Answer) =>
  Effect.map(Effect.orDie(Made(body)), (made) => ("data" in made ? made.data.id : made.id))

const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** Tracked events of a project for an address. */
const eventsOf = (project: Sender, email: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select count(*)::int from events join contacts on contacts.project_id = events.project_id and contacts.id = contact_id
        where events.project_id = ${project.id}::uuid and email = ${email} and name = ${Load.event}`,
      Counts
    )
  ).pipe(
    Effect.map(([{ count }]) => count),
    Effect.orDie
  )

const isBusy = ({ retryAfter, status }: Load.Answer) => (status === 503 || status === 429) && retryAfter !== null

/** Fifty requests with one key and two different bodies. Returns the emails that were created, and the violations. */
const oneKey = Effect.fnUntraced(function* (urls: ReadonlyArray<string>, project: Sender, key: string) {
  const bodies = ["one", "other"].map((name) => Load.mailTo(project, [`${name}-${key}@example.com`]))
  const draw = Effect.all({
    url: Effect.orDie(Random.choice(urls)),
    body: Effect.orDie(Random.choice(bodies)),
    mode: Effect.orDie(Random.choice(["refuse", "replay"] as const))
  })
  const crowd = yield* Effect.replicateEffect(draw, crowdSize)
  const answers = yield* Effect.forEach(
    crowd,
    ({ body, mode, url }) => Load.post(url, { project, key, body }, { mode, patience: 60_000 }),
    { concurrency: "unbounded" }
  )
  const strange = answers.filter((answer) => ![200, 409].includes(answer.status) && !isBusy(answer))
  // Requests without an answer are repeated, one after another.
  const [url = ""] = urls
  const last = yield* Effect.forEach(bodies, (body) =>
    Effect.repeat(Load.post(url, { project, key, body }, { mode: "replay" }), { until: (answer) => !isBusy(answer) })
  )
  const taken = [...answers, ...last].filter(({ status }) => status === 200)
  const told = new Set(taken.map(({ body }) => JSON.stringify(body)))
  const made = (yield* Ledger.entries).filter(({ to }) => to.endsWith(`-${key}@example.com`)).map(({ id }) => id)
  return {
    made,
    wrong: [
      ...strange.map(({ body, status }) => `A request with a key was answered ${status} ${JSON.stringify(body)}`),
      ...(told.size === 1 ? [] : [`One key was answered in ${told.size} ways: ${[...told].join(" ")}`]),
      ...(made.length === 1 ? [] : [`One key made ${made.length} mails`]),
      ...(last.filter(({ status }) => status === 200).length === 1 ? [] : ["A used key took another request"])
    ]
  }
})

const stays = Load.people("stays", 4)
const goes = Load.people("goes", 4)

/** Concurrent changes of the same contacts, segment and webhook. Returns the emails, and the violations. */
const meeting = Effect.fnUntraced(function* (urls: ReadonlyArray<string>, project: Sender) {
  const { key } = project
  const [home = ""] = urls
  const make = (path: string, body: object) =>
    Effect.flatMap(
      Effect.repeat(Load.ask("POST", home + path, { key, body, patience: 60_000 }), {
        until: (answer) => !isBusy(answer)
      }),
      idOf
    )
  const everybody = [...stays, ...goes]
  const ids = yield* Effect.forEach(everybody, (email) => make("/contacts", { email, subscribed: true }))
  const going = ids.slice(stays.length)
  const segments = yield* Effect.forEach(["Lasting", "Ending"], (name) => make("/segments", { name, type: "STATIC" }))
  const [, ending = ""] = segments
  const webhook = yield* make("/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] })
  const letter = { name: "Meeting", subject: "Hello", body: "<p>Hello</p>", from: project.from }
  const template = yield* make("/templates", { ...letter, type: "TRANSACTIONAL" })
  const nobody = yield* make("/segments", { name: "Nobody", type: "STATIC" })
  const campaign = yield* make("/campaigns", { ...letter, audienceType: "SEGMENT", segmentId: nobody })
  const rule = { field: "data.at", operator: "equals", value: 1 }
  const condition = { groups: [{ filters: [rule] }] }
  const dynamic = yield* make("/segments", { name: "Dynamic", condition, trackMembership: true })
  const workflow = yield* make("/workflows", { name: "Meeting", eventName: Load.event })
  const step = yield* make(`/workflows/${workflow}/steps`, { type: "DELAY", config: { amount: 1, unit: "hours" } })
  const before = yield* Effect.forEach(stays, (email) => eventsOf(project, email))

  const mails = new Set<string>()
  const tracked = new Map<string, number>()
  const ask = (method: "DELETE" | "PATCH" | "POST", path: string, body?: object) => (url: string) =>
    Load.ask(method, url + path, { key, body, patience: 60_000 })
  const tracking = (email: string) => (url: string) =>
    Effect.tap(Load.track(url, project, email), ({ status }) =>
      Effect.sync(() => status === 200 && tracked.set(email, (tracked.get(email) ?? 0) + 1))
    )
  const sending = (body: object) => (url: string) =>
    Effect.tap(Load.post(url, { project, body }, { patience: 60_000 }), (answer) =>
      answer.status === 200
        ? Effect.map(Load.mailsOf(answer), (made) => made.forEach((id) => void mails.add(id)))
        : Effect.void
    )
  const [shuffled, turned] = [yield* Random.shuffle(everybody), yield* Random.shuffle(stays)]
  const [inOrder, backwards] = [yield* Random.shuffle(ids), yield* Random.shuffle(ids)]
  const usual = [
    ...stays.flatMap((email) => [
      tracking(email),
      tracking(email),
      ask("POST", "/contacts", { email, data: { at: 1 } })
    ]),
    ...goes.map(tracking),
    sending(Load.mailTo(project, stays)),
    sending(Load.mailTo(project, turned)),
    sending({ to: stays, template }),
    sending({ to: turned, template }),
    ask("POST", "/contacts/bulk-subscribe", { contactIds: inOrder }),
    ask("POST", "/contacts/bulk-unsubscribe", { contactIds: backwards }),
    ...segments.flatMap((segment) => [
      ask("POST", `/segments/${segment}/members`, { emails: everybody }),
      ask("POST", `/segments/${segment}/members`, { emails: shuffled, createMissing: true }),
      ask("DELETE", `/segments/${segment}/members`, { emails: shuffled })
    ]),
    ask("POST", `/webhooks/${webhook}/test`),
    ask("POST", `/webhooks/${webhook}/test`),
    ask("PATCH", `/contacts/${going[0]}`, { email: goes[1] }),
    ask("POST", "/suppressions", { email: goes[0] }),
    ask("PATCH", `/templates/${template}`, { subject: "Hello again" }),
    ask("POST", `/campaigns/${campaign}/send`, {}),
    ask("POST", `/campaigns/${campaign}/send`, {}),
    ask("POST", `/campaigns/${campaign}/duplicate`),
    ask("POST", `/segments/${dynamic}/compute`),
    ask("POST", `/segments/${dynamic}/compute`),
    ask("POST", `/segments/${dynamic}/refresh`),
    ask("PATCH", `/workflows/${workflow}`, { enabled: true }),
    ...ids.map((contactId) => ask("POST", `/workflows/${workflow}/executions`, { contactId })),
    ask("POST", `/workflows/${workflow}/steps`, { type: "EXIT", config: {} })
  ]
  const endings = [
    ...going.map((id) => ask("DELETE", `/contacts/${id}`)),
    ...going.map((id) => ask("POST", `/contacts/${id}/erase`)),
    ask("POST", "/contacts/bulk-delete", { contactIds: going }),
    ask("DELETE", `/segments/${ending}`),
    ask("DELETE", `/segments/${ending}`),
    ask("DELETE", `/webhooks/${webhook}`),
    ask("DELETE", `/webhooks/${webhook}`),
    ask("DELETE", `/suppressions/${goes[0]}`),
    ask("DELETE", "/contacts/fields/at"),
    ask("DELETE", `/templates/${template}`),
    ask("DELETE", `/templates/${template}`),
    ask("POST", `/campaigns/${campaign}/cancel`),
    ask("DELETE", `/campaigns/${campaign}`),
    ask("DELETE", `/campaigns/${campaign}`),
    ask("PATCH", `/segments/${dynamic}`, { trackMembership: false }),
    ask("DELETE", `/segments/${nobody}`),
    ask("DELETE", `/segments/${dynamic}`),
    ask("DELETE", `/segments/${dynamic}`),
    ask("DELETE", `/workflows/${workflow}/steps/${step}`),
    ask("POST", `/workflows/${workflow}/executions/cancel-all`),
    ask("PATCH", `/workflows/${workflow}`, { enabled: false }),
    ask("DELETE", `/workflows/${workflow}`),
    ask("DELETE", `/workflows/${workflow}`)
  ]
  const crowd = yield* Random.shuffle([...usual, ...endings])
  const drawn = yield* Effect.forEach(crowd, (request) =>
    Effect.map(Effect.orDie(Random.choice(urls)), (url) => request(url))
  )
  const answers = yield* Effect.all(drawn, { concurrency: "unbounded" })
  // Clients may get the answer that a resource is gone or has changed.
  const strange = answers.filter((answer) => !(answer.status >= 200 && answer.status < 500) && !isBusy(answer))
  const after = yield* Effect.forEach(stays, (email) => eventsOf(project, email))
  const lost = stays.filter((email, n) => (after[n] ?? 0) - (before[n] ?? 0) !== (tracked.get(email) ?? 0))
  return {
    made: [...mails],
    statuses: answers.map(({ status }) => status),
    wrong: [
      ...strange.map(({ body, status }) => `A concurrent request was answered ${status} ${JSON.stringify(body)}`),
      ...lost.map((email) => `${email} has another number of events than were answered with 200`)
    ]
  }
})

/** Segments whose stored number of members is wrong. */
const miscounted = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(
    sql`
      select count(*)::int from segments where type = 'STATIC' and member_count <> (
        select count(*) from segment_members as member
        where member.project_id = segments.project_id and segment_id = segments.id)`,
    Counts
  )
).pipe(
  Effect.map(([{ count }]) => count),
  Effect.orDie
)

/**
 * Returns the answers to the concurrent requests, and the verdict: one effect for a key, each change complete or
 * absent, nothing twice.
 */
export const rage = Effect.fn("KeyStorms.rage")(function* ({ seed, storms }: Options) {
  const { api, senders, startApi, startWorker } = yield* Installation
  const beside = yield* startApi()
  const urls = [api.url, beside.url]
  yield* startWorker()
  const accepted = new Set<string>()
  const wrong: globalThis.Array<string> = []
  const answers: Record<string, number> = {}
  const blow = Effect.gen(function* () {
    for (let storm = 0; storm < storms; storm++) {
      const project = senders[storm % senders.length] ?? senders[0]
      const keyed = yield* oneKey(urls, project, `storm-${seed}-${storm}`)
      const met = yield* meeting(urls, project)
      for (const id of [...keyed.made, ...met.made]) accepted.add(id)
      for (const status of met.statuses) answers[status] = (answers[status] ?? 0) + 1
      wrong.push(...keyed.wrong, ...met.wrong)
    }
  })
  yield* Random.withSeed(blow, `storms ${seed}`)
  yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
  if ((yield* miscounted) > 0) wrong.push("A segment counts other members than it has")
  const found = { answers, ...(yield* verdict(accepted, 0)) }
  return Array.reduce(wrong, found, (so, sentence) => promising(so, sentence, false))
})

/**
 * kill -9 of the API process within changes of consent: between the change and its commit, and at random moments. The
 * caller or the recipient then repeats the change. Whatever died, each state has the record and the event that prove it.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as RequestLinks from "@posthorn/core/platform/links/RequestLinks"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Effect, Fiber, Layer, Random, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Seed from "../Seed.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the order of the changes, and the moments. */
  readonly seed: string
  /** All changes in each. */
  readonly rounds: number
}

const WithId = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String }))
const Asked = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String, emailIds: Schema.Array(Schema.String) }))
const Links = Schema.decodeUnknownEffect(Schema.Struct({ token: Schema.String, unsubscribeUrl: Schema.String }))

/** What a contact says of its subscription and of the topic, and what is on record about it. */
const Proven = Schema.Struct({
  subscribed: Schema.Boolean,
  takes: Schema.Boolean,
  /** The last records. */
  global: Schema.NullOr(Schema.String),
  topic: Schema.NullOr(Schema.String),
  records: Schema.Int,
  events: Schema.Int
})
type Proven = typeof Proven.Type
const readProven = Schema.decodeUnknownEffect(Schema.Tuple([Proven]))

const links = RequestLinks.layer.pipe(
  Layer.provide([
    Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto),
    Layer.succeed(Secrets, { current: Redacted.make(Seed.secret), previous: [] })
  ])
)

/** A contact, and how to reach it. */
interface Target {
  readonly id: string
  readonly email: string
  /** Of its page of preferences. */
  readonly token: string
  /** Paths of links. */
  readonly unsubscribe: string
  readonly confirm: string | undefined
  readonly project: Seed.Sender
}

interface Change {
  readonly scope: "global" | "topic"
  readonly to: "granted" | "withdrawn"
  /** Whether the contact has to be asked first. */
  readonly isConfirmation?: true
  readonly call: (url: string, target: Target) => Effect.Effect<unknown>
}

/** A form as a browser or a mailbox provider sends it. A process that dies does not answer. */
const submit = (url: string, fields: Record<string, string>) =>
  Effect.promise(() =>
    fetch(url, { method: "POST", body: new URLSearchParams(fields) }).then(
      () => undefined,
      () => undefined
    )
  )

const patience = 60_000
const ask =
  (method: "PATCH" | "POST", path: (target: Target) => string, body: (target: Target) => object) =>
  (url: string, target: Target) =>
    Load.ask(method, url + path(target), { key: target.project.key, body: body(target), patience })

const no = { news: "unsubscribed" }

/** The changes, and how they are asked for. */
const changes: { readonly [name: string]: Change } = {
  "PATCH /contacts": {
    scope: "global",
    to: "withdrawn",
    call: ask(
      "PATCH",
      ({ id }) => `/contacts/${id}`,
      () => ({ subscribed: false })
    )
  },
  "PATCH /contacts for a topic": {
    scope: "topic",
    to: "withdrawn",
    call: ask(
      "PATCH",
      ({ id }) => `/contacts/${id}`,
      () => ({ topics: no })
    )
  },
  "POST /contacts": {
    scope: "global",
    to: "withdrawn",
    call: ask(
      "POST",
      () => "/contacts",
      ({ email }) => ({ email, subscribed: false })
    )
  },
  "POST /events/track": {
    scope: "topic",
    to: "withdrawn",
    call: ask(
      "POST",
      () => "/events/track",
      ({ email }) => ({ email, event: "left", topics: no })
    )
  },
  "POST /v1/track": {
    scope: "global",
    to: "withdrawn",
    call: (url, { email, project }) =>
      Load.ask("POST", `${url}/v1/track`, {
        key: project.publicKey,
        body: { email, event: "left", subscribed: false },
        patience
      })
  },
  "one click": {
    scope: "global",
    to: "withdrawn",
    call: (url, { unsubscribe }) => submit(url + unsubscribe, { "List-Unsubscribe": "One-Click" })
  },
  "the preference page": {
    scope: "topic",
    to: "withdrawn",
    call: (url, { token }) => submit(`${url}/manage/${token}`, { action: "save", shown: "news" })
  },
  "the project's own page": {
    scope: "global",
    to: "withdrawn",
    call: (url, { token }) =>
      Load.ask("PATCH", `${url}/public/preferences/${token}`, { body: { subscribed: false }, patience })
  },
  "a confirmation": {
    scope: "global",
    to: "granted",
    isConfirmation: true,
    call: (url, { confirm = "" }) => submit(url + confirm, { confirm: "1" })
  }
}

/** How many processes die in a round. */
export const faultsInRound = Object.keys(changes).length

/** Returns the verdict: state, records and events of each contact agree, and each change happens once. */
export const kills = Effect.fn("ConsentKills.kills")(function* ({ rounds, seed }: Options) {
  const { api, senders, startApi, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [project] = senders
  const wrong: Array<string> = []
  /** The mails that ask for confirmations. */
  const accepted = new Set<string>()
  const call = (method: "GET" | "PATCH" | "POST", path: string, body?: object) =>
    Load.ask(method, api.url + path, { key: project.key, body, patience })
  const topic = yield* Effect.flatMap(
    call("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" }),
    ({ body }) => Effect.orDie(WithId(body))
  )
  yield* call("PATCH", "/settings/audience", { doubleOptIn: { from: project.from } })

  const provenOf = ({ id }: Pick<Target, "id">) =>
    sql`
      select subscribed, coalesce(topics_on @> array[${topic.id}::uuid], false) as takes,
             (select action from consents as record
              where record.project_id = contacts.project_id and record.contact_id = contacts.id and topic_id is null
                and action in ('granted', 'withdrawn') order by recorded_at desc, id desc limit 1) as global,
             (select action from consents as record
              where record.project_id = contacts.project_id and record.contact_id = contacts.id
                and topic_id = ${topic.id}::uuid order by recorded_at desc, id desc limit 1) as topic,
             (select count(*)::int from consents as record
              where record.project_id = contacts.project_id and record.contact_id = contacts.id
                and action in ('granted', 'withdrawn')) as records,
             (select count(*)::int from events
              where events.project_id = contacts.project_id and events.contact_id = contacts.id
                and name in ('contact.subscribed', 'contact.unsubscribed', 'topic.news.subscribed',
                             'topic.news.unsubscribed')) as events
      from contacts where project_id = ${project.id}::uuid and id = ${id}::uuid`.pipe(
      Effect.flatMap(readProven),
      Effect.map(([proven]) => proven),
      Effect.orDie
    )

  /** A subscribed contact that takes the topic, or one that is asked to confirm. All that it said is on record. */
  const targetOf = Effect.fnUntraced(function* (email: string, isAsked: boolean) {
    const { id } = yield* Effect.flatMap(
      call("POST", "/contacts", { email, subscribed: true, topics: { news: "subscribed" } }),
      ({ body }) => WithId(body)
    )
    yield* call("PATCH", `/contacts/${id}`, { subscribed: false })
    if (!isAsked) yield* call("PATCH", `/contacts/${id}`, { subscribed: true })
    const { token, unsubscribeUrl } = yield* Effect.flatMap(call("GET", `/contacts/${id}/links`), ({ body }) =>
      Links(body)
    )
    const optIn = isAsked
      ? yield* Effect.flatMap(call("POST", `/contacts/${id}/opt-in`, {}), ({ body }) => Asked(body))
      : undefined
    for (const mail of optIn?.emailIds ?? []) accepted.add(mail)
    const link =
      optIn &&
      (yield* RequestLinks.RequestLinks.use((all) =>
        all.url("confirm", { project: ProjectId.make(project.id), id: optIn.id })
      ))
    return {
      ...{ id, email, token, project },
      unsubscribe: new URL(unsubscribeUrl).pathname,
      confirm: link && new URL(link).pathname
    } satisfies Target
  }, Effect.provide(links))

  const isInStep = ({ subscribed, takes, global, topic }: Proven) =>
    global === (subscribed ? "granted" : "withdrawn") && topic === (takes ? "granted" : "withdrawn")

  const one = Effect.fnUntraced(
    function* (name: string, { call, scope, to, isConfirmation }: Change, number: number) {
      const target = yield* targetOf(`consent-${seed}-${number}@example.com`, isConfirmation === true)
      const before = yield* provenOf(target)
      const after: Proven = {
        ...before,
        ...(scope === "global" ? { subscribed: to === "granted" } : { takes: to === "granted" }),
        [scope]: to,
        records: before.records + 1,
        events: before.events + 1
      }
      const expect = (when: string, found: Proven, wanted: ReadonlyArray<Proven>) => {
        const texts = wanted.map((each) => JSON.stringify(each))
        if (isInStep(found) && texts.includes(JSON.stringify(found))) return
        wrong.push(`${name}, contact ${number}, ${when}: ${JSON.stringify(found)}, not ${texts.join(" or ")}`)
      }
      expect("before the change", before, [before])
      const isWithin = (yield* Random.next) < 0.7
      const doomed = yield* startApi(isWithin ? { failAt: "after_consent_change" } : {})
      const called = yield* Effect.forkScoped(call(doomed.url, target))
      if (!isWithin) {
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 60))
        doomed.signal("SIGKILL")
      }
      yield* doomed.ended
      yield* Fiber.join(called)
      expect("after the death", yield* provenOf(target), isWithin ? [before] : [before, after])
      for (const _ of [1, 2]) yield* call(api.url, target)
      expect("at the end", yield* provenOf(target), [after])
    },
    Effect.orDie,
    Effect.scoped
  )

  const all = Effect.gen(function* () {
    let number = 0
    for (let round = 0; round < rounds; round++) {
      for (const [name, change] of yield* Random.shuffle(Object.entries(changes))) yield* one(name, change, number++)
    }
  })
  yield* Random.withSeed(all, `consent ${seed}`)
  yield* startWorker()
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
  return wrong.reduce((so, sentence) => promising(so, sentence, false), yield* verdict(accepted, 0))
})

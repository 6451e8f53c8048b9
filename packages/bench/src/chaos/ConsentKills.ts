/**
 * kill -9 of the process within changes of consent: between the change and its commit, and at random moments. The caller
 * or the recipient then repeats the change, and another worker continues a job. Whatever died, each state has the record
 * and the event that prove it.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import * as RequestLinks from "@posthorn/core/platform/links/RequestLinks"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Effect, Fiber, Layer, Random, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Notifications from "../load/Notifications.ts"
import * as Seed from "../Seed.ts"
import * as Fleet from "./Fleet.ts"
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
const Published = Schema.decodeUnknownEffect(Schema.Struct({ publicId: Schema.String }))
const Counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))
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
  /** Of a form of its own, because a form takes few submissions from one network. */
  readonly form: string
  /** The id of a mail that it got; empty unless the change is about one. */
  readonly mail: string
  readonly project: Seed.Sender
}

interface Change {
  readonly scope: "global" | "topic"
  readonly to: "granted" | "withdrawn"
  /** What the change needs beside a contact that is subscribed: one that is not, one that is asked, or a mail to it. */
  readonly needs?: "mail" | "opt-in" | "unsubscribed"
  /** Whether a job makes the change, so that a worker dies. */
  readonly isJob?: true
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

const secret = "a notification secret of the consent kills"

const upload = (url: string, { project }: Target, file: string) =>
  Effect.promise(async () => {
    const body = new FormData()
    body.append("file", new File([file], "contacts.csv", { type: "text/csv" }))
    const headers = { authorization: `Bearer ${project.key}` }
    const { status } = await fetch(`${url}/contacts/import`, { method: "POST", headers, body })
    if (status !== 202) throw new Error(`An import was answered ${status}`)
  })

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
    needs: "opt-in",
    call: (url, { confirm = "" }) => submit(url + confirm, { confirm: "1" })
  },
  "a form": {
    scope: "global",
    to: "granted",
    needs: "unsubscribed",
    call: (url, { email, form }) => submit(`${url}/f/${form}`, { email })
  },
  "an import": {
    scope: "global",
    to: "withdrawn",
    isJob: true,
    call: (url, target) => upload(url, target, `email,subscribed\r\n${target.email},false\r\n`)
  },
  "a bulk change": {
    scope: "global",
    to: "withdrawn",
    isJob: true,
    call: ask(
      "POST",
      () => "/contacts/bulk",
      ({ id }) => ({ operation: "unsubscribe", select: { contactIds: [id] } })
    )
  },
  "a bulk change of topics": {
    scope: "topic",
    to: "withdrawn",
    isJob: true,
    call: ask(
      "POST",
      () => "/contacts/bulk",
      ({ id }) => ({ operation: "set-topics", topics: no, select: { contactIds: [id] } })
    )
  },
  "a complaint": {
    scope: "global",
    to: "withdrawn",
    needs: "mail",
    call: (url, { mail }) =>
      Effect.ignore(Notifications.tell(url, secret, [Notifications.event("complaint", mail, `${mail}-complaint`)]))
  }
}

/** How many processes die in a round. */
export const faultsInRound = Object.keys(changes).length

/** Returns the verdict: state, records and events of each contact agree, and each change happens once. */
export const kills = Effect.fn("ConsentKills.kills")(function* ({ rounds, seed }: Options) {
  const { senders, startApi, startWorker } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [project] = senders
  const environment = { POSTHORN_NOTIFICATION_SECRET: secret }
  const api = yield* startApi({ environment })
  const wrong: Array<string> = []
  /** The mails that ask for confirmations, and those that are complained about. */
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

  const jobsLeft = sql`select count(*)::int as count from jobs where finished_at is null`.pipe(
    Effect.flatMap(Counts),
    Effect.map(([{ count }]) => count),
    Effect.orDie
  )

  /** Sends a mail and waits until the peer has it. */
  const mailTo = Effect.fnUntraced(function* (email: string) {
    const [id = ""] = yield* Load.insist(() => api.url, { project, key: email, body: Load.mailTo(project, [email]) })
    accepted.add(id)
    yield* until("the end of a mail", Ledger.unfinished, (count) => count === 0)
    return id
  })

  /** A subscribed contact that takes the topic, or one that is asked to confirm. All that it said is on record. */
  const targetOf = Effect.fnUntraced(function* (email: string, needs: Change["needs"]) {
    const isAsked = needs === "opt-in"
    const { id } = yield* Effect.flatMap(
      call("POST", "/contacts", { email, subscribed: true, topics: { news: "subscribed" } }),
      ({ body }) => WithId(body)
    )
    yield* call("PATCH", `/contacts/${id}`, { subscribed: false })
    if (!isAsked && needs !== "unsubscribed") yield* call("PATCH", `/contacts/${id}`, { subscribed: true })
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
    const form =
      needs === "unsubscribed"
        ? yield* Effect.flatMap(
            call("POST", "/forms", { name: email, requireTicket: false, doubleOptIn: false }),
            ({ body }) => Published(body)
          )
        : undefined
    return {
      ...{ id, email, token, project },
      form: form?.publicId ?? "",
      mail: needs === "mail" ? yield* mailTo(email) : "",
      unsubscribe: new URL(unsubscribeUrl).pathname,
      confirm: link && new URL(link).pathname
    } satisfies Target
  }, Effect.provide(links))

  const isInStep = ({ subscribed, takes, global, topic }: Proven) =>
    global === (subscribed ? "granted" : "withdrawn") && topic === (takes ? "granted" : "withdrawn")

  const one = Effect.fnUntraced(
    function* (name: string, { call, isJob, needs, scope, to }: Change, number: number) {
      const target = yield* targetOf(`consent-${seed}-${number}@example.com`, needs)
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
      const failing = isWithin ? { failAt: "after_consent_change" as const } : {}
      if (isJob === true) yield* call(api.url, target)
      const doomed = yield* isJob === true ? startWorker(failing) : startApi({ ...failing, environment })
      const called = yield* Effect.forkScoped(isJob === true ? Effect.void : call(doomed.url, target))
      if (!isWithin) {
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 60))
        doomed.signal("SIGKILL")
      }
      yield* doomed.ended
      yield* Fiber.join(called)
      expect("after the death", yield* provenOf(target), isWithin ? [before] : [before, after])
      if (isJob === true) {
        yield* Fleet.endJobLeases
        yield* startWorker()
        yield* until("the end of a job", jobsLeft, (count) => count === 0)
        expect("after another worker", yield* provenOf(target), [after])
      }
      for (const _ of [1, 2]) {
        yield* call(api.url, target)
        if (isJob === true) yield* until("the end of a job", jobsLeft, (count) => count === 0)
      }
      expect("at the end", yield* provenOf(target), [after])
    },
    Effect.orDie,
    Effect.scoped
  )

  let number = 0
  const all = (part: string, isWanted: (change: Change) => boolean) =>
    Effect.gen(function* () {
      for (let round = 0; round < rounds; round++) {
        const wanted = Object.entries(changes).filter(([, change]) => isWanted(change))
        for (const [name, change] of yield* Random.shuffle(wanted)) yield* one(name, change, number++)
      }
    }).pipe(Random.withSeed(`${part} ${seed}`))
  yield* all("consent", ({ isJob, needs }) => isJob !== true && needs !== "mail")
  const found = yield* Effect.scoped(
    Effect.gen(function* () {
      yield* startWorker()
      yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)
      const found = yield* verdict(accepted, 0)
      // These change how mails ended.
      yield* all("complaints", ({ needs }) => needs === "mail")
      return found
    })
  )
  // Now that no mail waits, a worker dies with a job alone.
  yield* all("jobs", ({ isJob }) => isJob === true)
  return wrong.reduce((so, sentence) => promising(so, sentence, false), found)
})

/** Runs the month: sets the project up, does what people do in it, and moves the clock from one due time to the next. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { startSink } from "@posthorn/mailer-smtp/testing"
import { Console, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Bench } from "../Bench.ts"
import * as Postgres from "../Postgres.ts"
import * as Campaigns from "./Campaigns.ts"
import * as Ledger from "./Ledger.ts"
import { acceptedPerHour, hourMillis, type Plan, randomOf } from "./Plan.ts"
import * as Project from "./Project.ts"
import * as Providers from "./Providers.ts"
import * as Service from "./Service.ts"

/** The month begins on this day, so that clocks change in it: a short form on the eve of the change in Europe. */
const firstDay = ({ days }: Plan): string => (days >= 14 ? "03-08" : "03-26")

/** The next such day at midnight. */
const startOf = (plan: Plan, now: number): number => {
  const year = new Date(now).getUTCFullYear()
  const at = (of: number) => Date.parse(`${of}-${firstDay(plan)}T00:00:00Z`)
  return at(year) > now ? at(year) : at(year + 1)
}

/** The longest jump of the clock. */
const longestStep = 3 * hourMillis
/** Without any progress for so long, what waits does not wait for work. In real time. */
const patienceMillis = 4_000
/** Hours between two visits of people. */
const visitHours = 6
/** After the last day, for mail that is tried again: bulk mail gives up after three days. */
const restHours = 100

const Open = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ open: Schema.Int })]))
const Next = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ next: Schema.NullOr(Schema.Finite) })]))

/** Rows of each kind are counted up to so many. */
const mostCounted = 1_000
/** Above this number of rows, the next look can wait: looks would slow down what they wait for. */
const manyRows = 200

/** What work is due now. Mail of a provider that is slowed down waits for its pace, which is no work. */
const openAt = Effect.fnUntraced(function* (instant: number) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${new Date(instant)}::timestamptz`
  const rows = (table: string, condition: Statement.Fragment) => sql`
    (select count(*) from (select 1 from ${sql(table)} where ${condition} limit ${mostCounted}) as found)`
  const [{ open }] = yield* Open(
    yield* sql`
      with slow as materialized (select distinct queue from shaping)
      select (
        ${rows("event_outbox", sql`true`)}
        + ${rows("emails", sql`status = 'SENDING' and (begun_at is not null or queue not in (select queue from slow))`)}
        + ${rows("emails", sql`status in ('PENDING', 'SCHEDULED') and due_at <= ${now} and queue not in (select queue from slow)`)}
        + ${rows("workflow_executions", sql`due_at <= ${now}`)}
        + ${rows("campaigns", sql`status = 'SENDING' and not expanded and coalesce(experiment_state, '') not in ('TESTING', 'WAITING')`)}
        + ${rows("campaigns", sql`status = 'SCHEDULED' and coalesce(starts_at, scheduled_for) <= ${now}`)}
        + ${rows("campaigns", sql`experiment_look_at <= ${now} or recurs_at <= ${now}`)}
      )::int as open`
  )
  return open
}, Effect.orDie)

/** When work is due next, in milliseconds since 1970. */
const nextAfter = Effect.fnUntraced(function* (instant: number) {
  const sql = yield* SqlClient.SqlClient
  const now = sql`${new Date(instant)}::timestamptz`
  const [{ next }] = yield* Next(
    yield* sql`
      select (extract(epoch from least(
        (select min(due_at) from emails where status in ('PENDING', 'SCHEDULED') and due_at > ${now}),
        (select min(due_at) from emails where status = 'AMBIGUOUS' and due_at < 'infinity' and due_at > ${now}),
        (select min(due_at) from workflow_executions where due_at > ${now} and due_at < 'infinity'),
        (select min(coalesce(starts_at, scheduled_for)) from campaigns where status = 'SCHEDULED'),
        (select min(experiment_look_at) from campaigns where experiment_look_at > ${now}),
        (select min(recurs_at) from campaigns where recurs_at > ${now}),
        (select min(until) from shaping where until > ${now})
      )) * 1000)::float8 as next`
  )
  return next
}, Effect.orDie)

interface Visitors {
  readonly service: Service.Service
  readonly plan: Plan
  readonly project: Project.Project
  readonly random: () => number
  /** How often they come. */
  readonly visits: number
  /** Of contacts, by address. */
  readonly ids: ReadonlyMap<string, string>
}

const some = ({ project, random, visits }: Visitors, part: number) => project.all.filter(() => random() < part / visits)

/** The events that start workflows. Each contact signs up once, or never. */
const arrive = (visitors: Visitors, n: number) => {
  const { project, service, visits } = visitors
  const place = (number: number) => Math.floor((number * project.all.length) / visits)
  return service.tellAll([
    ...project.all
      .slice(place(n), place(n + 1))
      .flatMap((reader) => (reader.n % 2 === 0 ? [Project.track(reader, "signed_up")] : [])),
    ...some(visitors, 0.3).map((reader) => Project.track(reader, "cart", { total: reader.n % 90 })),
    ...some(visitors, 0.2).map((reader) => Project.track(reader, "trial"))
  ])
}

const Accepted = Schema.Struct({
  data: Schema.Struct({ emails: Schema.Array(Schema.Struct({ email: Schema.String })) })
})

/** Purchases, choices about mail, and receipts. Returns the receipts that were accepted. */
const act = Effect.fnUntraced(function* (visitors: Visitors) {
  const { ids, plan, project, service } = visitors
  yield* service.tellAll([
    ...some(visitors, 0.1).map((reader) => Project.track(reader, "activated")),
    ...some(visitors, 0.4).map((reader) => Project.track(reader, "purchase", { total: 10 + (reader.n % 50) }))
  ])
  const change = (reader: Project.Reader, body: object): Service.Request => ({
    method: "PATCH",
    path: `/contacts/${ids.get(reader.email) ?? ""}`,
    body
  })
  yield* service.tellAll([
    ...some(visitors, 0.08).map((reader) => change(reader, { subscribed: false })),
    ...some(visitors, 0.08).map((reader) => change(reader, { topics: { offers: "unsubscribed" } }))
  ])
  const accepted: Array<string> = []
  for (const reader of some(visitors, Math.min(0.2, 400 / plan.contacts))) {
    const { data } = yield* service.ask(
      { path: "/v1/send", body: { to: reader.email, template: project.receipt } },
      Accepted
    )
    accepted.push(...data.emails.map(({ email }) => email))
  }
  return accepted
})

const Contacts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, email: Schema.String })))

const SinkLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ messageId: Schema.String, rcpt: Schema.String }))
)

/** Copies of each mail that the peer accepted, by the id in its Message-ID, without those to the domain of the project. */
const arrivals = async (log: string, own: string): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const line of (await readFile(log, "utf8")).split("\n")) {
    if (line === "") continue
    const { messageId, rcpt } = SinkLine(line)
    // What the service tells the owner is no mail of the project.
    if (Providers.domainOf(rcpt) === own) continue
    const id = messageId.slice(0, messageId.indexOf("@"))
    found.set(id, (found.get(id) ?? 0) + 1)
  }
  return found
}

export const run = Effect.fnUntraced(function* (plan: Plan, database: string) {
  const { folder } = yield* Bench
  const log = join(folder, "month-mails.ndjson")
  const providers = Providers.make(acceptedPerHour(plan))
  const sink = yield* Effect.acquireRelease(
    Effect.promise(() => startSink({ keep: false, log, misbehave: providers.misbehave })),
    (sink) => Effect.promise(() => sink.close())
  )
  const service = yield* Service.start({ database, smtp: `smtp://127.0.0.1:${sink.port}?tls=none&pool=20` })
  const begun = performance.now()
  const start = startOf(plan, service.now())
  yield* service.moveTo(start)

  return yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // The service looks for due mail by project. The month looks for that of all, a thousand times.
    yield* Effect.orDie(sql`create index month_looks on emails (due_at) where status in ('PENDING', 'SCHEDULED')`)
    const project = yield* Project.make(service, plan)
    const rows = yield* Effect.orDie(Effect.flatMap(sql`select id, email from contacts`, Contacts))
    const ids = new Map(rows.map(({ email, id }) => [email, id]))
    yield* Effect.orDie(sql.unsafe("analyze contacts"))
    const sent: Array<Campaigns.Sent> = []
    const accepted: Array<string> = []
    const random = randomOf(plan.seed)
    const visits = Math.floor((plan.days * 24) / visitHours) - 1
    const visitors = { service, plan, project, random, visits, ids }
    const actions = [
      ...Campaigns.plan(service, plan, project, start, sent),
      ...Array.from({ length: visits }, (_, n) => [
        { at: n * visitHours + 2, run: arrive(visitors, n) },
        { at: n * visitHours + 4, run: Effect.map(act(visitors), (made) => void accepted.push(...made)) }
      ]).flat()
    ].toSorted((one, other) => one.at - other.at)
    let [steps, impatient] = [0, 0]

    /** Waits until no work is due. */
    const settled = Effect.gen(function* () {
      let [last, since] = ["", performance.now()]
      for (;;) {
        const open = yield* openAt(service.now())
        if (open === 0) return
        const state = `${open} ${sink.accepted()}`
        if (state !== last) [last, since] = [state, performance.now()]
        if (performance.now() - since > patienceMillis) {
          impatient++
          return
        }
        yield* Effect.sleep(open > manyRows ? "250 millis" : "50 millis")
      }
    })
    const step = plan.stepMinutes * 60_000
    /** Moves on to the next due time, and at most to this instant. */
    const moveOn = Effect.fnUntraced(function* (until: number) {
      yield* settled
      const next = (yield* nextAfter(service.now())) ?? Number.POSITIVE_INFINITY
      const at = Math.ceil(Math.max(next, service.now() + 1_000) / step) * step
      const instant = Math.min(until, at, service.now() + longestStep)
      providers.begin(Math.floor(instant / hourMillis))
      yield* service.moveTo(instant)
      steps++
    })

    for (const { at, run } of actions) {
      const instant = start + at * hourMillis
      while (service.now() < instant) yield* moveOn(instant)
      yield* settled
      yield* run
      const hours = ((service.now() - start) / hourMillis).toFixed(1)
      yield* Console.error(`hour ${hours} of ${plan.days * 24}: ${steps} steps, ${sink.accepted()} mails arrived`)
    }
    const recurring = sent.find(({ kind }) => kind === "recurring")?.id ?? ""
    const end = start + plan.days * 24 * hourMillis
    while (service.now() < end) yield* moveOn(end)
    yield* settled
    yield* service.tell({ method: "DELETE", path: `/campaigns/${recurring}/recurrence` })
    const last = end + restHours * hourMillis
    const waits = Effect.map(
      sql`
        select (exists (select from emails where status in ('PENDING', 'SCHEDULED', 'SENDING')
                        or status = 'AMBIGUOUS' and due_at < 'infinity')
                or exists (select from workflow_executions where due_at < 'infinity' and status in ('RUNNING', 'WAITING'))
                or exists (select from campaigns where status in ('SCHEDULED', 'SENDING'))) as waits`,
      ([row]) => row?.["waits"] === true
    ).pipe(Effect.orDie)
    while (service.now() < last && (yield* waits)) yield* moveOn(last)
    yield* settled
    // What is summed every minute.
    yield* service.moveTo(service.now() + 3 * 60_000)
    yield* Effect.sleep("1 second")
    yield* settled
    const seconds = (performance.now() - begun) / 1_000
    yield* Console.error(
      `${plan.days} days in ${Math.round(seconds)} s: ${steps} steps of the clock, ${impatient} of them while something waited`
    )
    const got = yield* Effect.promise(() => arrivals(log, Providers.domainOf(service.from)))
    const ledger = yield* Ledger.load({
      plan,
      project,
      service,
      start,
      end: service.now(),
      sent,
      accepted,
      arrivals: got
    })
    return { ledger, seconds, steps, impatient, replies: providers.counts() }
  }).pipe(Effect.provide(Postgres.layer(database)))
})

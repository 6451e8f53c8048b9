/** The campaigns of the month. */
import { Effect, Schema } from "effect"
import { holdoutShare, hourMillis, localHour, type Plan, ratePerMinute, recurrence, spans, testShare } from "./Plan.ts"
import type { Project } from "./Project.ts"
import type { Service } from "./Service.ts"

const Made = Schema.Struct({ data: Schema.Struct({ id: Schema.String }) })

/** What the checks need to know about a campaign. */
export interface Sent {
  readonly id: string
  readonly name: string
  readonly kind:
    | "plain"
    | "local"
    | "spread"
    | "rate"
    | "experiment"
    | "recurring"
    | "goal"
    | "holdout"
    | "bypass"
    | "follow-up"
    | "expiring"
}

export interface Action {
  /** Hours since the start of the month. */
  readonly at: number
  readonly run: Effect.Effect<void, unknown>
}

const cohort = (name: string) => ({
  audienceType: "FILTERED",
  audienceCondition: { groups: [{ filters: [{ field: "data.cohort", operator: "equals", value: name }] }] }
})

/** Returns what to do and when. `sent` is filled as it is done. */
export const plan = (
  service: Service,
  of: Plan,
  { topics }: Project,
  start: number,
  sent: Array<Sent>
): ReadonlyArray<Action> => {
  const hours = of.days * 24
  const { expiry, goal: window, spread, test } = spans(of)
  /** Of the whole time, at a full hour. */
  const share = (part: number, hour = 12) => Math.floor((part * hours) / 24) * 24 + hour

  const draft = (kind: Sent["kind"], more: object) =>
    Effect.gen(function* () {
      const name = `The ${kind} campaign`
      const body = {
        ...{ name, subject: name, body: `<p>${name} <a href="https://shop.example/">Shop</a></p>` },
        ...{ from: service.from, type: "MARKETING", audienceType: "ALL", topicId: topics.news },
        ...more
      }
      const { data } = yield* service.ask({ path: "/campaigns", body }, Made)
      sent.push({ id: data.id, name, kind })
      return data.id
    })
  const send = (id: string, body: object = {}) => service.tell({ path: `/campaigns/${id}/send`, body })
  const sentNow = (kind: Sent["kind"], more: object) => Effect.flatMap(draft(kind, more), (id) => send(id))
  const goal = {
    eventName: "purchase",
    windowHours: window,
    attribution: "SENT",
    revenue: { path: "total", currency: "EUR" }
  }
  const idOf = (kind: Sent["kind"]) => sent.find((one) => one.kind === kind)?.id ?? ""

  const local = Effect.gen(function* () {
    const id = yield* draft("local", { delivery: { localTime: { passed: "NEXT_DAY" } } })
    const day = Math.ceil((service.now() - start) / (24 * hourMillis))
    const scheduledFor = new Date(start + (day * 24 + localHour) * hourMillis).toISOString()
    yield* send(id, { scheduledFor })
  })
  const experiment = {
    variants: [
      { key: "A" },
      { key: "B", subject: "Another subject" },
      { key: "C", subject: "A third one", body: "<p>Another text</p>" }
    ],
    ...{ testShare, metric: "GOAL", waitHours: test, winner: "AUTOMATIC", fallback: "BEST" }
  }
  const followUp = Effect.gen(function* () {
    const path = `/campaigns/${idOf("plain")}/follow-up`
    const { data } = yield* service.ask({ path, body: { who: "NOT_OPENED", subject: "Did you see this?" } }, Made)
    sent.push({ id: data.id, name: "The follow-up", kind: "follow-up" })
    yield* send(data.id)
  })
  const recurring = Effect.gen(function* () {
    const id = yield* draft("recurring", { topicId: topics.offers, ...cohort("c1") })
    const body = { schedule: recurrence(of), timezone: "UTC", enabled: true }
    yield* service.tell({ method: "PUT", path: `/campaigns/${id}/recurrence`, body })
  })
  const expiring = Effect.suspend(() => {
    const expiresAt = new Date(service.now() + expiry * hourMillis).toISOString()
    return sentNow("expiring", { delivery: { expiresAt }, ...cohort("c4") })
  })

  return [
    { at: 0.5, run: recurring },
    { at: 1, run: local },
    { at: share(0.02), run: sentNow("plain", {}) },
    { at: share(0.2, 15), run: sentNow("spread", { delivery: { spreadHours: spread } }) },
    {
      at: share(0.3, 10),
      run: sentNow("rate", {
        ...{ delivery: { ratePerMinute: ratePerMinute(of) }, policy: { frequencyCaps: "BYPASS" } },
        ...cohort("c2")
      })
    },
    { at: share(0.4, 11), run: sentNow("experiment", { experiment, goal }) },
    { at: share(0.45, 14), run: sentNow("holdout", { goal, holdout: { share: holdoutShare }, ...cohort("c5") }) },
    { at: share(0.5, 13), run: sentNow("goal", { goal, priority: 5 }) },
    {
      at: share(0.55, 23),
      run: sentNow("bypass", { policy: { quietHours: "BYPASS", frequencyCaps: "BYPASS" }, ...cohort("c3") })
    },
    { at: share(0.65, 19), run: followUp },
    { at: share(0.7, 20), run: expiring }
  ]
}

/** Which campaigns go to a part of the contacts. */
export const cohortOfKind: { readonly [kind in Sent["kind"]]?: string } = {
  rate: "c2",
  bypass: "c3",
  expiring: "c4",
  holdout: "c5",
  recurring: "c1"
}

/** The project of the month: its contacts, topics, policy, templates and workflows, made through the API. */
import { Effect, Schema } from "effect"
import { zones } from "./LocalTime.ts"
import { caps, openMinutes, type Plan, quietHours, spans, throttledOfTen } from "./Plan.ts"
import * as Providers from "./Providers.ts"
import type { Request, Service } from "./Service.ts"

const Made = Schema.Struct({ id: Schema.String })
const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({ state: Schema.String })

export interface Reader {
  readonly n: number
  readonly email: string
  readonly zone: string
}

const addressOf = (n: number): string => {
  if (n % 10 < throttledOfTen) return `reader-${n}@${Providers.throttling}`
  if (n % 10 === throttledOfTen) return `${n % 20 < 10 ? "gone" : "strict"}-${n}@${Providers.refusing}`
  return `reader-${n}@${Providers.open[n % Providers.open.length]}`
}

export const readers = (plan: Plan): ReadonlyArray<Reader> => {
  const places = zones(plan.zones)
  // Neighbours have different zones and different providers.
  return Array.from({ length: plan.contacts }, (_, n) => ({
    n,
    email: addressOf(n),
    zone: places[(n * 7) % places.length] ?? "UTC"
  }))
}

const minutesText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** A tenth each. Nine of ten contacts have no cohort of their own. */
export const cohortOf = ({ n }: Reader): string => `c${Math.floor(n / 10) % 10}`

const csvOf = (all: ReadonlyArray<Reader>): Blob =>
  new Blob([
    "email,timezone,plan,cohort\n",
    all
      .map((reader) => `${reader.email},${reader.zone},${reader.n % 3 === 0 ? "pro" : "free"},${cohortOf(reader)}`)
      .join("\n")
  ])

/** A file of the import has at most so many lines here. */
const linesOfFile = 25_000

const importAll = Effect.fnUntraced(function* (service: Service, all: ReadonlyArray<Reader>) {
  for (let from = 0; from < all.length; from += linesOfFile) {
    const form = new FormData()
    form.set("file", csvOf(all.slice(from, from + linesOfFile)), "readers.csv")
    const { jobId } = yield* service.ask({ path: "/contacts/import", body: form }, Queued)
    const state = service.ask({ path: `/contacts/import/${jobId}` }, Job)
    while ((yield* state).state !== "completed") yield* Effect.sleep("100 millis")
  }
})

interface StepOf {
  readonly type: string
  readonly config?: object
  readonly templateId?: string
}

/** A transition: from a step, by its place, to another one. 0 is the trigger. */
type Way = readonly [from: number, to: number, more?: object]

const Enabled = Schema.Struct({ id: Schema.String })
const Shown = Schema.Struct({ steps: Schema.Array(Schema.Struct({ id: Schema.String, type: Schema.String })) })

const workflow = Effect.fnUntraced(function* (
  service: Service,
  given: { readonly name: string; readonly event: string; readonly settings: object },
  steps: ReadonlyArray<StepOf>,
  ways: ReadonlyArray<Way>
) {
  const { id } = yield* service.ask({ path: "/workflows", body: { name: given.name, eventName: given.event } }, Made)
  const path = `/workflows/${id}`
  const trigger = (yield* service.ask({ path }, Shown)).steps.find(({ type }) => type === "TRIGGER")
  const ids = [trigger?.id ?? ""]
  for (const step of steps) {
    ids.push((yield* service.ask({ path: `${path}/steps`, body: { ...step, autoConnect: false } }, Made)).id)
  }
  for (const [from, to, more = {}] of ways) {
    const body = { fromStepId: ids[from], toStepId: ids[to], ...more }
    yield* service.tell({ path: `${path}/transitions`, body })
  }
  yield* service.ask({ method: "PATCH", path, body: given.settings }, Enabled)
  yield* service.ask({ method: "PATCH", path, body: { enabled: true } }, Enabled)
  return id
})

export const make = Effect.fnUntraced(function* (service: Service, plan: Plan) {
  const all = readers(plan)
  const topic = (key: string) =>
    service.ask({ path: "/topics", body: { key, name: key, defaultSubscription: "subscribed" } }, Made)
  const [news, offers] = [(yield* topic("news")).id, (yield* topic("offers")).id]
  const policy = {
    quietHours: { ...quietHours, timezone: "CONTACT", action: "WAIT" },
    frequencyCaps: caps(plan).map(({ hours, id, limit, topic }) => ({
      ...{ id, limit, amount: hours, unit: "hours" },
      topicId: topic === null ? null : offers
    })),
    onCap: { campaigns: "WAIT", workflows: "WAIT" },
    maxWaitHours: 24
  }
  yield* service.tell({ method: "PATCH", path: "/settings/sending", body: policy })
  const template = (name: string, more: object) =>
    service.ask(
      {
        path: "/templates",
        body: {
          name,
          subject: name,
          body: `<p>${name} <a href="https://shop.example/">Shop</a></p>`,
          from: service.from,
          ...more
        }
      },
      Made
    )
  const letter = (name: string, topicId: string | null) =>
    Effect.map(template(name, { type: "MARKETING", topicId }), ({ id }) => id)
  const receipt = (yield* template("Receipt", { type: "TRANSACTIONAL" })).id
  yield* importAll(service, all)

  const { delay, goal, wait } = spans(plan)
  const send = (templateId: string) => ({ type: "SEND_EMAIL", templateId })
  const onboarding = yield* workflow(
    service,
    {
      name: "Onboarding",
      event: "signed_up",
      settings: {
        goal: { eventName: "purchase", windowHours: goal, exit: true, revenue: { path: "total", currency: "EUR" } },
        exitRules: [
          { id: "left", type: "UNSUBSCRIBED" },
          { id: "quiet", type: "TOPIC_OFF", topicId: news }
        ]
      }
    },
    [
      send(yield* letter("Welcome", news)),
      { type: "DELAY", config: { amount: delay, unit: "hours" } },
      { type: "CONDITION", config: { field: "data.plan", operator: "equals", value: "pro" } },
      send(yield* letter("Tips", news)),
      { type: "WAIT_FOR_EVENT", config: { eventName: "activated", timeout: wait * 3_600 } },
      send(yield* letter("Reminder", news))
    ],
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4, { branch: "yes" }],
      [3, 5, { branch: "no" }],
      [5, 6, { waitOutcome: "TIMEOUT" }]
    ]
  )
  const carts = yield* workflow(
    service,
    {
      name: "Carts",
      event: "cart",
      settings: { allowReentry: true, exitRules: [{ id: "paid", type: "EVENT", eventName: "purchase" }] }
    },
    [
      { type: "DELAY", config: { until: { weekdays: ["MON", "TUE", "WED", "THU", "FRI"], time: "10:00" } } },
      {
        type: "SPLIT",
        config: {
          branches: [
            { id: "short", share: 50 },
            { id: "long", share: 50 }
          ]
        }
      },
      send(yield* letter("Cart, short", offers)),
      send(yield* letter("Cart, long", offers))
    ],
    [
      [0, 1],
      [1, 2],
      [2, 3, { branch: "short" }],
      [2, 4, { branch: "long" }]
    ]
  )
  const trials = yield* workflow(
    service,
    { name: "Trials", event: "trial", settings: { exitRules: [{ id: "off", type: "TOPIC_OFF", topicId: offers }] } },
    [
      { type: "DELAY", config: { amount: 2, unit: "hours" } },
      { type: "TIME_WINDOW", config: { from: minutesText(openMinutes.from), to: minutesText(openMinutes.to) } },
      send(yield* letter("Trial", offers))
    ],
    [
      [0, 1],
      [1, 2],
      [2, 3]
    ]
  )
  return { all, topics: { news, offers }, receipt, workflows: { onboarding, carts, trials } }
})
export type Project = Effect.Success<ReturnType<typeof make>>

export const track = (reader: Reader, event: string, data: object = {}): Request => ({
  path: "/v1/track",
  body: { email: reader.email, event, data }
})

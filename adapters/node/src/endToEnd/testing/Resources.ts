/** One resource of each kind, made through the API: what the ids in its paths stand for. */
import { Effect, Schema } from "effect"
import { body, call } from "../../testing/ApiCall.ts"
import { eventually } from "../../testing/Program.ts"
import { type Caller, csvForm, request, send, succeed } from "./Caller.ts"
import { addressOf } from "./Installation.ts"

/** By the path in front of the parameter that they stand for. */
export interface Ids {
  readonly [prefix: string]: string
}

const WithId = Schema.Struct({ id: Schema.String })

const created = (caller: Caller, path: string, body: Record<string, unknown>) =>
  Effect.map(succeed(201, WithId, caller, "POST", path, body), ({ id }) => id)

/** Somebody with an account, who is a member where they are needed. */
export const colleague = "Colleague"

const Members = Schema.Struct({
  data: Schema.Array(Schema.Struct({ userId: Schema.NullOr(Schema.String), email: Schema.String }))
})

const member = Effect.fnUntraced(function* (caller: Caller) {
  const path = `/projects/${caller.projectId}/members`
  yield* request(caller, "POST", path, { email: addressOf(colleague) })
  const { data } = yield* Effect.flatMap(request(caller, "GET", path), (answer) => body(answer, Members))
  return data.find(({ email }) => email === addressOf(colleague))?.userId ?? ""
})

const Invited = Schema.Struct({ data: Schema.Struct({ invitationId: Schema.String }) })

/** One at a time: a project has room for a hundred. */
const invitation = (caller: Caller) =>
  Effect.map(
    succeed(201, Invited, caller, "POST", `/projects/${caller.projectId}/members`, { email: "invited@example.org" }),
    ({ data }) => data.invitationId
  )
const Enveloped = Schema.Struct({ data: Schema.Struct({ id: Schema.String }) })
const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({ state: Schema.String })

/** A job is a resource once nothing changes it any more. */
const ended = Effect.fnUntraced(function* (caller: Caller, prefix: string, jobId: string) {
  yield* eventually(succeed(200, Job, caller, "GET", `${prefix}/${jobId}`), ({ state }) => state === "completed")
  return jobId
})

const imported = Effect.fnUntraced(function* (caller: Caller, email: string) {
  const { text, type } = csvForm(`email\r\n${email}`)
  const answer = yield* call(`${caller.url}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${caller.secretKey}`, "content-type": type },
    body: text
  })
  return (yield* body(answer, Queued)).jobId
})

const nobodys = "019a0000-0000-7000-8000-00000000eeee"

const Drawn = Schema.Struct({ steps: Schema.Array(WithId), transitions: Schema.Array(WithId) })

/** A step that the one before leads to. */
const stepIn = (caller: Caller, workflow: string) =>
  created(caller, `/workflows/${workflow}/steps`, { type: "UPDATE_CONTACT", config: { updates: { plan: "pro" } } })

/** A step that nothing leads to or from. */
export const looseStep = (caller: Caller, workflow: string) =>
  created(caller, `/workflows/${workflow}/steps`, {
    type: "DELAY",
    config: { amount: 1, unit: "days" },
    autoConnect: false
  })

/** Of a new contact, at a step that takes its time. */
const executionOf = Effect.fnUntraced(function* (caller: Caller, workflow: string, n: number) {
  const path = `/workflows/${workflow}`
  yield* created(caller, `${path}/steps`, { type: "DELAY", config: { amount: 300, unit: "days" } })
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: true })
  const contactId = yield* created(caller, "/contacts", { email: `in-workflow-${n}@example.org` })
  return yield* created(caller, `${path}/executions`, { contactId })
})

export const campaignOf = (caller: Caller, campaign: Record<string, unknown>) =>
  Effect.map(succeed(201, Enveloped, caller, "POST", "/campaigns", campaign), ({ data }) => data.id)

const Webhooks = Schema.Array(WithId)

/** A project has room for 20: the older ones make room. */
const webhook = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const all = yield* succeed(200, Webhooks, caller, "GET", "/webhooks")
  for (const { id } of all.slice(10)) yield* request(caller, "DELETE", `/webhooks/${id}`)
  return yield* created(caller, "/webhooks", { url: `https://hooks.example/${n}`, events: ["webhook.test"] })
})

/** A test of a webhook, which is disabled then: nobody answers there, and nobody is to try again and again. */
const deliveryTo = Effect.fnUntraced(function* (caller: Caller, webhook: string) {
  const { id } = yield* succeed(202, WithId, caller, "POST", `/webhooks/${webhook}/test`, {})
  yield* request(caller, "PATCH", `/webhooks/${webhook}`, { enabled: false })
  return id
})

export const deliveryOf = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const made = yield* webhook(caller, n)
  return { webhook: made, delivery: yield* deliveryTo(caller, made) }
})

type Make = (caller: Caller, from: string, n: number, made: Ids) => Effect.Effect<string>

/** By prefix; `from` is an address that the project may send from, `n` makes it a new one, `made` are those around it. */
const makers: { readonly [prefix: string]: Make } = {
  "/contacts": (caller, _from, n) => created(caller, "/contacts", { email: `contact-${n}@example.org` }),
  "/segments": (caller, _from, n) => created(caller, "/segments", { name: `Segment ${n}`, type: "STATIC" }),
  "/campaigns": (caller, from, n) =>
    campaignOf(caller, { name: `Campaign ${n}`, subject: "Hello", body: "<p>Hello</p>", from, audienceType: "ALL" }),
  "/contacts/fields": () => Effect.succeed("plan"),
  "/contacts/import": (caller, _from, n) =>
    Effect.flatMap(imported(caller, `imported-${n}@example.org`), (id) => ended(caller, "/contacts/import", id)),
  "/contacts/bulk": (caller) =>
    Effect.flatMap(
      succeed(202, Queued, caller, "POST", "/contacts/bulk-subscribe", { contactIds: [nobodys] }),
      ({ jobId }) => ended(caller, "/contacts/bulk", jobId)
    ),
  "/templates": (caller, from, n) =>
    created(caller, "/templates", { name: `Template ${n}`, subject: "Hello", body: "<p>Hello</p>", from }),
  "/domains": (caller, _from, n) => created(caller, "/domains", { domain: `domain-${n}.example.com` }),
  "/events": () => Effect.succeed("signup"),
  "/events/contact": (caller, _from, n) => created(caller, "/contacts", { email: `active-${n}@example.org` }),
  "/suppressions": (caller, _from, n) => {
    const email = `suppressed-${n}@example.org`
    return Effect.as(created(caller, "/suppressions", { email }), email)
  },
  "/webhooks": (caller, _from, n) => webhook(caller, n),
  "/webhooks/{id}/deliveries": (caller, _from, _n, made) => deliveryTo(caller, made["/webhooks"] ?? ""),
  "/workflows": (caller, _from, n) => created(caller, "/workflows", { name: `Workflow ${n}`, eventName: "joined" }),
  "/workflows/{id}/steps": (caller, _from, _n, made) => stepIn(caller, made["/workflows"] ?? ""),
  "/workflows/{id}/transitions": (caller, _from, _n, made) =>
    Effect.gen(function* () {
      const path = `/workflows/${made["/workflows"]}`
      yield* stepIn(caller, made["/workflows"] ?? "")
      const { transitions } = yield* succeed(200, Drawn, caller, "GET", path)
      return transitions.at(-1)?.id ?? ""
    }),
  "/workflows/{id}/executions": (caller, _from, n, made) => executionOf(caller, made["/workflows"] ?? "", n),
  "/domains/project": (caller) => Effect.succeed(caller.projectId),
  "/projects": (caller) => Effect.succeed(caller.projectId),
  "/projects/{id}/members": member,
  "/projects/{id}/invitations": invitation,
  "/emails": (caller, from, n) =>
    Effect.map(
      send(caller, { from, to: `email-${n}@example.org`, subject: "Hello", body: "<p>Hello</p>" }),
      ([id = ""]) => id
    )
}

/** A resource for each prefix, those in front of others first. */
export const make = Effect.fnUntraced(function* (
  caller: Caller,
  from: string,
  prefixes: Iterable<string>,
  next: () => number
) {
  const made: Record<string, string> = {}
  for (const prefix of prefixes) {
    const maker = makers[prefix]
    if (maker === undefined) return yield* Effect.die(`nothing makes what ${prefix}/ names: Resources.ts`)
    made[prefix] = yield* maker(caller, from, next(), made)
  }
  return made as Ids
})

/** Whether a path is about a word, which any project may use and none has for itself, rather than about a resource. */
export const isAboutWord = (path: string): boolean => /\{(?:eventName|field)\}/.test(path)

/** Whether a path names an address; what is none is a fault of the request. */
export const isAboutAddress = (path: string): boolean => path.includes("{email}")

/** What an endpoint with ids in its path cannot do without, by its operation: the body is judged before the ids are. */
export const neededBodies: { readonly [operation: string]: object } = {
  "campaigns.update": { name: "News", subject: "Hello", body: "<p>Hello</p>", from: "a@b.co", audienceType: "ALL" },
  "campaigns.test": { email: "anna@example.org" },
  "workflows.addStep": { type: "EXIT" },
  "workflows.insertStep": { type: "DELAY", config: { amount: 1, unit: "days" } },
  "workflows.addTransition": { fromStepId: nobodys, toStepId: nobodys },
  "executions.start": { contactId: nobodys },
  "segments.addMembers": { emails: ["anna@example.org"], createMissing: true },
  "segments.removeMembers": { emails: ["anna@example.org"] },
  "webhooks.replay": { startDate: "2026-03-01" }
}

/** The same, naming what is there where a body names something in the path's resource. */
export const bodyWith = (operation: string, ids: Ids): object => {
  const step = ids["/workflows/{id}/steps"]
  const contactId = ids["/contacts"]
  if (operation === "executions.start" && contactId !== undefined) return { contactId }
  return operation === "workflows.addTransition" && step !== undefined
    ? { fromStepId: step, toStepId: step }
    : (neededBodies[operation] ?? {})
}

/** `/workflows/{id}/steps/{stepId}`: `/workflows` and `/workflows/{id}/steps`, the prefixes of its parameters. */
export const prefixesOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\/\{\w+\}/g), ({ index }) => path.slice(0, index))

/** The path with these ids in place of its parameters. */
export const filled = (path: string, ids: Ids): string =>
  prefixesOf(path).reduceRight((found, prefix) => {
    const rest = found.slice(prefix.length).replace(/^\/\{\w+\}/, "")
    return `${prefix}/${ids[prefix] ?? ""}${rest}`
  }, path)

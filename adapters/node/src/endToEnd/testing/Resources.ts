/** Creates one resource of each kind through the API, for the ids in its paths. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { RequestLinks, layer as requestLinks } from "@posthorn/core/platform/links/RequestLinks"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Effect, Layer, Redacted, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { body, call, postJson } from "../../testing/ApiCall.ts"
import { eventually } from "../../testing/Program.ts"
import { type Caller, csvForm, imageFormOf, request, send, succeed } from "./Caller.ts"
import { addressOf, installationSecret, password } from "./Installation.ts"
import { relayFields } from "./Relay.ts"

/** Ids, by the path in front of their parameter. */
export interface Ids {
  readonly [prefix: string]: string
}

const WithId = Schema.Struct({ id: Schema.String })

const created = (caller: Caller, path: string, body: Record<string, unknown>) =>
  Effect.map(succeed(201, WithId, caller, "POST", path, body), ({ id }) => id)

/** A domain that is warmed up. */
const warmDomain = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const id = yield* created(caller, "/domains", { domain: `domain-${n}.example.com` })
  yield* request(caller, "PUT", `/domains/${id}/warmup`, { preset: "FAST" })
  return id
})

/** A person with an account who becomes a member where a test needs one. */
export const colleague = "Colleague"

const Members = Schema.Struct({
  data: Schema.Array(Schema.Struct({ userId: Schema.NullOr(Schema.String), email: Schema.String }))
})

const Invitations = Schema.Array(Schema.Struct({ id: Schema.String, projectId: Schema.String }))

/** The session cookie of a login. */
export const sessionIn = (headers: Headers) => /posthorn_session=([^;]+)/.exec(headers.getSetCookie().join())?.[1]

/** Sessions of the colleague, by server: logins are limited. */
const sessions = new Map<string, string>()

/** The colleague accepts the invitation of the project. */
const accept = Effect.fnUntraced(function* ({ url, projectId }: Caller) {
  const login = postJson(`${url}/auth/login`, { email: addressOf(colleague), password })
  const session = sessions.get(url) ?? sessionIn((yield* login).headers) ?? ""
  sessions.set(url, session)
  const cookie = { headers: { cookie: `__Host-posthorn_session=${session}` } }
  const invitations = yield* Effect.flatMap(call(`${url}/users/@me/invitations`, cookie), (answer) =>
    body(answer, Invitations)
  )
  for (const { id } of invitations.filter((one) => one.projectId === projectId)) {
    yield* call(`${url}/users/@me/invitations/${id}/accept`, { method: "POST", ...cookie })
  }
})

const member = Effect.fnUntraced(function* (caller: Caller) {
  const path = `/projects/${caller.projectId}/members`
  const find = Effect.map(
    Effect.flatMap(request(caller, "GET", path), (answer) => body(answer, Members)),
    ({ data }) => data.find(({ email, userId }) => email === addressOf(colleague) && userId !== null)?.userId
  )
  const known = yield* find
  if (known != null) return known
  yield* request(caller, "POST", path, { email: addressOf(colleague) })
  yield* accept(caller)
  return (yield* find) ?? ""
})

const Invited = Schema.Struct({ data: Schema.Struct({ invitationId: Schema.String }) })

/** One at a time: a project can have a hundred. */
const invitation = (caller: Caller) =>
  Effect.map(
    succeed(201, Invited, caller, "POST", `/projects/${caller.projectId}/members`, { email: "invited@example.org" }),
    ({ data }) => data.invitationId
  )
const Enveloped = Schema.Struct({ data: Schema.Struct({ id: Schema.String }) })
const Queued = Schema.Struct({ jobId: Schema.String })
const Job = Schema.Struct({ state: Schema.String })

/** A job is usable once nothing changes it any more. */
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

const Stored = Schema.Struct({ key: Schema.String })

/** The name of a new image. */
const image = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const { text, type } = imageFormOf(` ${n}`)
  const answer = yield* call(`${caller.url}/uploads/image`, {
    method: "POST",
    headers: { authorization: `Bearer ${caller.secretKey}`, "content-type": type },
    body: text
  })
  return (yield* body(answer, Stored)).key.split("/")[1] ?? ""
})

const nobodys = "019a0000-0000-7000-8000-00000000eeee"

const Drawn = Schema.Struct({ steps: Schema.Array(WithId), transitions: Schema.Array(WithId) })

/** A step with a transition from the step before. */
const stepIn = (caller: Caller, workflow: string) =>
  created(caller, `/workflows/${workflow}/steps`, { type: "UPDATE_CONTACT", config: { updates: { plan: "pro" } } })

/** The number of a version of the workflow, which is disabled afterwards. */
const versionOf = Effect.fnUntraced(function* (caller: Caller, workflow: string) {
  const path = `/workflows/${workflow}`
  yield* stepIn(caller, workflow)
  for (const enabled of [true, false]) yield* succeed(200, WithId, caller, "PATCH", path, { enabled })
  return "1"
})

/** A migration of the workflow, which is edited live afterwards. */
const migrationOf = Effect.fnUntraced(function* (caller: Caller, workflow: string) {
  const path = `/workflows/${workflow}`
  yield* stepIn(caller, workflow)
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: true, versioning: "PUBLISHED" })
  const order = { toVersion: 1, fromVersions: "ALL" }
  const { jobId } = yield* succeed(202, Queued, caller, "POST", `${path}/migrations`, order)
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: false, versioning: "LIVE" })
  return yield* ended(caller, `${path}/migrations`, jobId)
})

/** A step without transitions. */
export const looseStep = (caller: Caller, workflow: string) =>
  created(caller, `/workflows/${workflow}/steps`, {
    type: "DELAY",
    config: { amount: 1, unit: "days" },
    autoConnect: false
  })

/** For a new contact, at a step that waits. */
const executionOf = Effect.fnUntraced(function* (caller: Caller, workflow: string, n: number) {
  const path = `/workflows/${workflow}`
  yield* created(caller, `${path}/steps`, { type: "DELAY", config: { amount: 300, unit: "days" } })
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: true })
  const contactId = yield* created(caller, "/contacts", { email: `in-workflow-${n}@example.org` })
  return yield* created(caller, `${path}/executions`, { contactId })
})

export const campaignOf = (caller: Caller, campaign: Record<string, unknown>) =>
  Effect.map(succeed(201, Enveloped, caller, "POST", "/campaigns", campaign), ({ data }) => data.id)

const All = Schema.Array(WithId)

/** A project can have 100 keys: older ones are deleted. */
const apiKey = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const all = yield* succeed(200, All, caller, "GET", "/api-keys")
  for (const { id } of all.slice(50)) yield* request(caller, "DELETE", `/api-keys/${id}`)
  return yield* created(caller, "/api-keys", { name: `Key ${n}`, scopes: ["send"] })
})

/** A project can have 20 webhooks: older ones are deleted. */
const webhook = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const all = yield* succeed(200, All, caller, "GET", "/webhooks")
  for (const { id } of all.slice(10)) yield* request(caller, "DELETE", `/webhooks/${id}`)
  return yield* created(caller, "/webhooks", { url: `https://hooks.example/${n}`, events: ["webhook.test"] })
})

/** A test delivery to a webhook that is then disabled: nothing answers there, and it must not be retried. */
const deliveryTo = Effect.fnUntraced(function* (caller: Caller, webhook: string) {
  const { id } = yield* succeed(202, WithId, caller, "POST", `/webhooks/${webhook}/test`, {})
  yield* request(caller, "PATCH", `/webhooks/${webhook}`, { enabled: false })
  return id
})

export const deliveryOf = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const made = yield* webhook(caller, n)
  return { webhook: made, delivery: yield* deliveryTo(caller, made) }
})

/** A project can have 20 transports: older ones are deleted. */
const transport = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const all = yield* succeed(200, All, caller, "GET", "/transports")
  for (const { id } of all.slice(10)) yield* request(caller, "DELETE", `/transports/${id}`)
  return yield* created(caller, "/transports", { name: `Relay ${n}`, ...relayFields() })
})

const Listed = Schema.Struct({ data: Schema.Array(WithId) })
const Token = Schema.Struct({ token: Schema.String })

const links = requestLinks.pipe(
  Layer.provide([
    Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto),
    Layer.succeed(Secrets, { current: Redacted.make(installationSecret), previous: [] })
  ])
)

/** A request for an erasure that its contact has confirmed by the link of its mail. */
const privacyRequest = Effect.fnUntraced(function* (caller: Caller, n: number) {
  const { url, projectId } = caller
  yield* request(caller, "PATCH", "/settings/audience", { selfService: { erasure: "request" } })
  const contact = yield* created(caller, "/contacts", { email: `asks-${n}@example.org` })
  const { token } = yield* succeed(200, Token, caller, "GET", `/contacts/${contact}/links`)
  yield* postJson(`${url}/public/preferences/${token}/requests`, { type: "ERASURE" })
  const { data } = yield* succeed(200, Listed, caller, "GET", "/privacy-requests?status=UNCONFIRMED&limit=1")
  const id = data[0]?.id ?? ""
  const link = yield* Effect.provide(
    RequestLinks.use((all) => all.url("privacy", { project: ProjectId.make(projectId), id })),
    links
  )
  yield* call(`${url}${new URL(link).pathname}`, { method: "POST", body: new URLSearchParams({ confirm: "1" }) })
  return id
})

type Make = (caller: Caller, from: string, n: number, made: Ids) => Effect.Effect<string>

/**
 * By prefix. `from` is an address that the project may send from, `n` makes names unique, `made` are the parent
 * resources.
 */
const makers: { readonly [prefix: string]: Make } = {
  "/contacts": (caller, _from, n) => created(caller, "/contacts", { email: `contact-${n}@example.org` }),
  "/topics": (caller, _from, n) =>
    created(caller, "/topics", { name: `Topic ${n}`, defaultSubscription: "unsubscribed" }),
  "/forms": (caller, _from, n) => created(caller, "/forms", { name: `Form ${n}` }),
  "/privacy-requests": (caller, _from, n) => privacyRequest(caller, n),
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
    created(caller, "/templates", { name: `Template ${n}`, subject: "Hello", body: "<p>Hello</p>", from }).pipe(
      Effect.tap((id) => request(caller, "PUT", `/templates/${id}/draft`, { subject: "Good to see you" }))
    ),
  "/templates/{id}/versions": () => Effect.succeed("1"),
  "/partials": (caller, _from, n) =>
    created(caller, "/partials", { name: `partial-${n}`, body: "<p>Bye</p>" }).pipe(
      Effect.tap((id) => request(caller, "PUT", `/partials/${id}/draft`, { body: "<p>See you</p>" }))
    ),
  "/partials/{id}/versions": () => Effect.succeed("1"),
  "/domains": (caller, _from, n) => warmDomain(caller, n),
  "/events": () => Effect.succeed("signup"),
  "/events/contact": (caller, _from, n) => created(caller, "/contacts", { email: `active-${n}@example.org` }),
  "/suppressions": (caller, _from, n) => {
    const email = `suppressed-${n}@example.org`
    return Effect.as(created(caller, "/suppressions", { email }), email)
  },
  "/views": (caller, _from, n) => created(caller, "/views", { page: "mails", name: `View ${n}`, query: "status=SENT" }),
  "/uploads/images": (caller, _from, n) => image(caller, n),
  "/api-keys": (caller, _from, n) => apiKey(caller, n),
  "/transports": (caller, _from, n) => transport(caller, n),
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
  "/workflows/{id}/versions": (caller, _from, _n, made) => versionOf(caller, made["/workflows"] ?? ""),
  "/workflows/{id}/migrations": (caller, _from, _n, made) => migrationOf(caller, made["/workflows"] ?? ""),
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

/** Creates a resource for each prefix, parents first. */
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

/** Whether a path names a word, such as an event or a field, which any project may use, rather than a resource. */
export const isAboutWord = (path: string): boolean => /\{(?:eventName|field)\}/.test(path)

/** Whether a path names an address. A text that is not an address is an invalid request. */
export const isAboutAddress = (path: string): boolean => path.includes("{email}")

/** Bodies that endpoints with ids need, by operation, because the body is validated before the ids. */
export const neededBodies: { readonly [operation: string]: object } = {
  "campaigns.update": { name: "News", subject: "Hello", body: "<p>Hello</p>", from: "a@b.co", audienceType: "ALL" },
  "campaigns.test": { email: "anna@example.org" },
  "campaigns.followUp": { who: "ALL" },
  "campaigns.decideExperiment": { variant: "A" },
  "campaigns.reject": { note: "No" },
  "campaigns.setRecurrence": { schedule: "0 9 * * MON", enabled: true },
  "domains.setWarmup": { preset: "FAST" },
  "templates.test": { email: "anna@example.org" },
  "workflows.addStep": { type: "EXIT" },
  "workflows.insertStep": { type: "DELAY", config: { amount: 1, unit: "days" } },
  "workflows.replaceGraph": { steps: [{ key: "end", type: "EXIT" }], transitions: [] },
  "workflows.validateGraph": { steps: [{ key: "end", type: "EXIT" }], transitions: [] },
  "workflows.testRun": { contact: { email: "ada@example.com" } },
  "workflows.migrate": { toVersion: 1, fromVersions: "ALL" },
  "workflows.decideExperiment": { branch: "long" },
  "workflows.addTransition": { fromStepId: nobodys, toStepId: nobodys },
  "executions.start": { contactId: nobodys },
  "contacts.merge": { contactId: nobodys, dryRun: true },
  "segments.addMembers": { emails: ["anna@example.org"], createMissing: true },
  "segments.removeMembers": { emails: ["anna@example.org"] },
  "privacyRequests.refuse": { note: "We must keep your invoices." },
  "webhooks.replay": { startDate: "2026-03-01" }
}

/** The same, with ids that exist where a body names a resource within the path's resource. */
export const bodyWith = (operation: string, ids: Ids): object => {
  const step = ids["/workflows/{id}/steps"]
  const contactId = ids["/contacts"]
  if (operation === "executions.start" && contactId !== undefined) return { contactId }
  return operation === "workflows.addTransition" && step !== undefined
    ? { fromStepId: step, toStepId: step }
    : (neededBodies[operation] ?? {})
}

/** For `/workflows/{id}/steps/{stepId}`: `/workflows` and `/workflows/{id}/steps`, the prefixes of its parameters. */
export const prefixesOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\/\{\w+\}/g), ({ index }) => path.slice(0, index))

/** The path with its parameters replaced by these ids. */
export const filled = (path: string, ids: Ids): string =>
  prefixesOf(path).reduceRight((found, prefix) => {
    const rest = found.slice(prefix.length).replace(/^\/\{\w+\}/, "")
    return `${prefix}/${ids[prefix] ?? ""}${rest}`
  }, path)

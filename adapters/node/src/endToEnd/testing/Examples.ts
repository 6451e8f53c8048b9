/** Requests that succeed, for endpoints that need more than new resources for their ids. */
import { randomUUID } from "node:crypto"
import { Effect, Schema } from "effect"
import { body, call } from "../../testing/ApiCall.ts"
import { eventually } from "../../testing/Program.ts"
import { csvForm, emailOf, imageForm, request, send, succeed } from "./Caller.ts"
import { Documented, freshFor, from, type Sent } from "./Documented.ts"
import { addressOf, password } from "./Installation.ts"
import { relayFields } from "./Relay.ts"
import { campaignOf, deliveryOf, looseStep, neededBodies } from "./Resources.ts"

const hello = { from, subject: "Hello {{name}}", body: "<p>Hello</p>" }

const WithId = Schema.Struct({ id: Schema.String })

const nobodys = "019a0000-0000-7000-8000-00000000ffff"

const json = (body: unknown): Sent => ({ text: JSON.stringify(body) })

/** A new email, once it is in the state that the endpoint needs. */
const mailTo = Effect.fnUntraced(function* (recipient: string, status: string) {
  const { caller, next } = yield* Documented
  const [id = ""] = yield* send(caller, { ...hello, to: `${recipient}-${next()}@example.org` })
  yield* eventually(emailOf(caller, id), (email) => email.attempts === 1 && email.status === status)
  return { ids: { "/emails": id } }
})

/** A new email for a later time, and a time after that. */
const mailForLater = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const hour = 3_600_000
  const later = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
  const [id = ""] = yield* send(caller, { ...hello, to: `later-${next()}@example.org`, scheduledFor: later(1) })
  return { ...json({ scheduledFor: later(2) }), ids: { "/emails": id } }
})

const campaign = { ...hello, name: "News", audienceType: "ALL" }

/** A new campaign that stays in progress, because its only email is deferred. `path` is the endpoint that starts it. */
const campaignAfter = Effect.fnUntraced(function* (body: object, more: object = {}) {
  const { caller, next } = yield* Documented
  const email = `deferred-campaign-${next()}@example.org`
  yield* request(caller, "POST", "/contacts", { email })
  const audienceCondition = { groups: [{ filters: [{ field: "email", operator: "equals", value: email }] }] }
  const made = { ...campaign, audienceType: "FILTERED", audienceCondition, ...more }
  const id = yield* campaignOf(caller, made)
  yield* request(caller, "POST", `/campaigns/${id}/send`, body)
  return { ids: { "/campaigns": id } }
})

/** For a transition between two new, unconnected steps. */
const transitionToBe = Effect.gen(function* () {
  const { caller } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}/transitions")
  const workflow = ids["/workflows"] ?? ""
  const [fromStepId, toStepId] = [yield* looseStep(caller, workflow), yield* looseStep(caller, workflow)]
  return { ...json({ fromStepId, toStepId }), ids }
})

/** A new enabled workflow, and a contact that is not in it. */
const contactToStart = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}/executions/{executionId}")
  const { id } = yield* succeed(201, WithId, caller, "POST", "/contacts", { email: `starts-${next()}@example.org` })
  return { ...json({ contactId: id }), ids }
})

/** A contact that is not subscribed, in a project that has a sender for confirmation mail. */
const contactToAsk = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  yield* request(caller, "PATCH", "/settings/audience", { doubleOptIn: { from } })
  const email = `asked-${next()}@example.org`
  const { id } = yield* succeed(201, WithId, caller, "POST", "/contacts", { email, subscribed: false })
  return { "/contacts": id }
})

/** The other contact of a merge, which would go. */
const contactToMerge = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const email = `goes-${next()}@example.org`
  yield* succeed(201, WithId, caller, "POST", "/contacts", { email })
  return json({ email, dryRun: true })
})

/** A test goes to a contact. */
const testToContact = Effect.gen(function* () {
  const { caller } = yield* Documented
  yield* request(caller, "POST", "/contacts", { email: "anna@example.org" })
  return json({ email: "anna@example.org" })
})

/** A new campaign that tries its variants. */
const campaignWithVariants = campaignAfter(
  {},
  { experiment: { variants: [{ key: "A" }, { key: "B", subject: "Hi" }], testShare: 1, winner: "MANUAL" } }
)

/** A new campaign whose approval is asked for, and the decision. */
const campaignToDecide = Effect.fnUntraced(function* (decision: object) {
  const { caller } = yield* Documented
  const id = yield* campaignOf(caller, campaign)
  yield* request(caller, "POST", `/campaigns/${id}/request-approval`, {})
  return { ...json(decision), ids: { "/campaigns": id } }
})

const SenderReputation = Schema.Struct({ status: Schema.String })

/** A step that sends email, which alone has links and results. */
const emailStep = Effect.gen(function* () {
  const { caller } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}")
  const template = { ...hello, name: "Step", type: "TRANSACTIONAL" }
  const { id: templateId } = yield* succeed(201, WithId, caller, "POST", "/templates", template)
  const path = `/workflows/${ids["/workflows"]}/steps`
  const { id } = yield* succeed(201, WithId, caller, "POST", path, { type: "SEND_EMAIL", templateId })
  return { ids: { ...ids, "/workflows/{id}/steps": id } }
})

/** A step that splits contacts, with an experiment. */
const splitStep = Effect.gen(function* () {
  const { caller } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}")
  const branches = ["short", "long"].map((id) => ({ id, share: 50 }))
  const config = { branches, experiment: { metric: "HUMAN_CLICK" } }
  const path = `/workflows/${ids["/workflows"]}/steps`
  const { id } = yield* succeed(201, WithId, caller, "POST", path, { type: "SPLIT", config })
  return { ids: { ...ids, "/workflows/{id}/steps": id } }
})

/** A workflow with a published version and a changed draft. */
const publishedWorkflow = Effect.gen(function* () {
  const { caller } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}")
  const path = `/workflows/${ids["/workflows"]}`
  const config = { updates: { plan: "pro" } }
  yield* succeed(201, WithId, caller, "POST", `${path}/steps`, { type: "UPDATE_CONTACT", config })
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: true, versioning: "PUBLISHED" })
  yield* succeed(200, WithId, caller, "PATCH", path, { allowReentry: true })
  return { ids: { ...ids, "/workflows/{id}/versions": "1" } }
})

/** A new execution that failed at an email to an invalid address. */
const failedExecution = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const ids = yield* freshFor("/workflows/{id}")
  const path = `/workflows/${ids["/workflows"]}`
  const template = { ...hello, name: "Notice", type: "TRANSACTIONAL" }
  const { id: templateId } = yield* succeed(201, WithId, caller, "POST", "/templates", template)
  const config = { recipient: { type: "CUSTOM", customEmail: "{{data.nobody}}" } }
  yield* succeed(201, WithId, caller, "POST", `${path}/steps`, { type: "SEND_EMAIL", config, templateId })
  yield* succeed(200, WithId, caller, "PATCH", path, { enabled: true })
  const { id: contactId } = yield* succeed(201, WithId, caller, "POST", "/contacts", {
    email: `fails-${next()}@example.org`
  })
  const { id } = yield* succeed(201, WithId, caller, "POST", `${path}/executions`, { contactId })
  const look = succeed(200, SenderReputation, caller, "GET", `${path}/executions/${id}`)
  yield* eventually(look, ({ status }) => status === "FAILED")
  return { ids: { ...ids, "/workflows/{id}/executions": id } }
})

/** Operations that succeed only with a token from an email. Here they get a wrong one; other tests read the email. */
export const mailed: ReadonlySet<string> = new Set([
  "auth.verifyEmail",
  "auth.resetPassword",
  "invited.accept",
  "invited.view"
])

/** A delivery belongs to one webhook, so both ids are given. */
const tested = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const { webhook, delivery } = yield* deliveryOf(caller, next())
  return { ids: { "/webhooks": webhook, "/webhooks/{id}/deliveries": delivery } }
})

const Queued = Schema.Struct({ jobId: Schema.String })

/** A new import that takes a while. */
const importUnderWay = Effect.gen(function* () {
  const { caller, next } = yield* Documented
  const n = next()
  const rows = Array.from({ length: 50_000 }, (_, row) => `slow-${n}-${row}@example.org`)
  const { text, type } = csvForm(["email", ...rows].join("\r\n"))
  const answer = yield* call(`${caller.url}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${caller.secretKey}`, "content-type": type },
    body: text
  })
  return { ids: { "/contacts/import": (yield* body(answer, Queued)).jobId } }
})

/** A bulk job behind others of its project, of which one runs at a time. */
const bulkUnderWay = Effect.gen(function* () {
  const { caller } = yield* Documented
  const contactIds = Array.from({ length: 10_000 }, () => randomUUID())
  const start = (more: object) =>
    call(`${caller.url}/contacts/bulk`, {
      method: "POST",
      headers: { authorization: `Bearer ${caller.secretKey}`, "content-type": "application/json" },
      body: JSON.stringify({ operation: "unsubscribe", select: { contactIds }, ...more })
    })
  const confirmation = yield* body(yield* start({ dryRun: true }), Schema.Struct({ confirmationToken: Schema.String }))
  for (let n = 0; n < 4; n++) yield* start(confirmation)
  return { ids: { "/contacts/bulk": (yield* body(yield* start(confirmation), Queued)).jobId } }
})

const token = "0".repeat(43)

export const examples: { readonly [operation: string]: Effect.Effect<Sent, never, Documented> } = {
  track: Effect.succeed(json({ email: "anna@example.org", event: "signup", data: { plan: "pro" } })),
  "events.track": Effect.succeed(json({ email: "anna@example.org", event: "signup" })),
  send: Effect.succeed(json({ ...hello, to: "anna@example.org" })),
  batch: Effect.succeed(
    json({ emails: [{ to: "anna@example.org" }, { to: "no address" }], defaults: hello, atomic: false })
  ),
  verify: Effect.succeed(json({ email: "anna@example.org" })),
  "contacts.upsert": Effect.succeed(json({ email: "new@example.org", data: { plan: "pro" } })),
  "contacts.update": Effect.map(Documented, ({ next }) => json({ email: `moved-${next()}@example.org` })),
  "segments.create": Effect.succeed(
    json({
      name: "Pro",
      condition: { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] },
      trackMembership: true
    })
  ),
  "segments.addMembers": Effect.succeed(json(neededBodies["segments.addMembers"])),
  "segments.removeMembers": Effect.succeed(json(neededBodies["segments.removeMembers"])),
  "contacts.count": Effect.succeed(json({ for: { type: "MARKETING" } })),
  "contacts.verify": Effect.succeed(json({ email: "anna@example.org" })),
  "contacts.lookup": Effect.succeed(json({ emails: ["anna@example.org", "nonsense"], externalIds: ["user-1"] })),
  "contacts.merge": contactToMerge,
  "topics.create": Effect.succeed(json({ name: "News", defaultSubscription: "subscribed" })),
  "contacts.import": Effect.succeed(csvForm("email,plan\r\nimported@example.org,pro")),
  "contacts.cancelImport": importUnderWay,
  "privacyRequests.refuse": Effect.succeed(json(neededBodies["privacyRequests.refuse"])),
  "optIns.request": Effect.map(contactToAsk, (ids) => ({ ...json({}), ids })),
  "optIns.cancel": Effect.flatMap(contactToAsk, (ids) =>
    Effect.map(Documented, ({ caller }) => caller).pipe(
      Effect.tap((caller) => request(caller, "POST", `/contacts/${ids["/contacts"]}/opt-in`, {})),
      Effect.as({ ids })
    )
  ),
  "contacts.bulkSubscribe": Effect.succeed(json({ contactIds: [nobodys] })),
  "contacts.bulkUnsubscribe": Effect.succeed(json({ contactIds: [nobodys] })),
  "contacts.cancelBulk": bulkUnderWay,
  "contacts.bulk": Effect.succeed(json({ operation: "unsubscribe", select: { contactIds: [nobodys] } })),
  "contacts.exportSelected": Effect.succeed(json({ format: "ndjson" })),
  "contacts.bulkDelete": Effect.succeed(json({ contactIds: [nobodys] })),
  "campaigns.create": Effect.succeed(json(campaign)),
  "campaigns.update": Effect.succeed(json(campaign)),
  "campaigns.send": Effect.succeed(json({ scheduledFor: "2100-01-01T00:00:00Z" })),
  "campaigns.cancel": campaignAfter({ scheduledFor: "2100-01-01T00:00:00Z" }),
  "campaigns.pause": campaignAfter({}),
  "campaigns.resume": campaignAfter({}),
  "campaigns.retryFailed": campaignAfter({}),
  "campaigns.test": testToContact,
  "campaigns.followUp": Effect.map(campaignAfter({}), (found) => ({ ...json({ who: "ALL" }), ...found })),
  "campaigns.setRecurrence": Effect.succeed(json(neededBodies["campaigns.setRecurrence"])),
  "campaigns.experiment": campaignWithVariants,
  "campaigns.decideExperiment": Effect.map(campaignWithVariants, (found) => ({ ...json({ variant: "B" }), ...found })),
  "campaigns.approve": campaignToDecide({}),
  "campaigns.reject": campaignToDecide({ note: "No" }),
  "templates.test": testToContact,
  "forms.create": Effect.succeed(json({ name: "Newsletter" })),
  "views.create": Effect.succeed(json({ page: "mails", name: "Bounced", query: "status=BOUNCED" })),
  "uploads.image": Effect.succeed(imageForm),
  "receivers.payments": Effect.succeed(json({ id: "evt_1", type: "invoice.paid" })),
  "workflows.create": Effect.succeed(json({ name: "Welcome", eventName: "joined" })),
  "workflows.addStep": Effect.succeed(json(neededBodies["workflows.addStep"])),
  "workflows.insertStep": Effect.succeed(json(neededBodies["workflows.insertStep"])),
  "search.find": Effect.succeed({ query: "?q=welcome" }),
  "workflows.replaceGraph": Effect.succeed(json(neededBodies["workflows.replaceGraph"])),
  "workflows.validateGraph": Effect.succeed(json(neededBodies["workflows.validateGraph"])),
  "workflows.addTransition": transitionToBe,
  "workflows.stepLinks": emailStep,
  "workflows.stepStats": emailStep,
  "workflows.testRun": Effect.succeed(json(neededBodies["workflows.testRun"])),
  "workflows.publish": Effect.map(publishedWorkflow, (made) => ({ ...made, ...json({ note: "May enter again" }) })),
  "workflows.removeDraft": publishedWorkflow,
  "workflows.versions": publishedWorkflow,
  "workflows.version": publishedWorkflow,
  "workflows.diff": publishedWorkflow,
  "workflows.restore": publishedWorkflow,
  "workflows.migrate": Effect.map(publishedWorkflow, (made) => ({
    ...made,
    ...json(neededBodies["workflows.migrate"])
  })),
  "workflows.experiment": splitStep,
  "workflows.decideExperiment": Effect.map(splitStep, (made) => ({
    ...made,
    ...json(neededBodies["workflows.decideExperiment"])
  })),
  "workflows.restartExperiment": splitStep,
  "executions.start": contactToStart,
  "executions.retry": failedExecution,
  "receivers.notifications": Effect.succeed(json({ events: [] })),
  "suppressions.add": Effect.succeed(json({ email: "no-more@example.org" })),
  "partials.create": Effect.map(Documented, ({ next }) => json({ name: `partial-${next()}`, body: "<p>Bye</p>" })),
  "templates.renderTexts": Effect.succeed(json({ subject: "Hello", body: "<p>Hello</p>" })),
  "templates.create": Effect.succeed(json({ ...hello, name: "News" })),
  "domains.add": Effect.succeed(json({ domain: "new.example.com" })),
  "domains.setWarmup": Effect.succeed(json(neededBodies["domains.setWarmup"])),
  "members.invite": Effect.map(Documented, ({ next }) => json({ email: `member-${next() % 40}@example.org` })),
  "members.update": Effect.succeed(json({ role: "ADMIN" })),
  "auth.login": Effect.succeed(json({ email: addressOf("Documented"), password })),
  "auth.signup": Effect.map(Documented, ({ next }) => json({ email: `person-${next()}@example.org`, password })),
  "auth.verifyEmail": Effect.succeed(json({ token })),
  "auth.requestPasswordReset": Effect.succeed(json({ email: addressOf("Documented") })),
  "auth.resetPassword": Effect.succeed(json({ token, newPassword: password })),
  "invited.accept": Effect.succeed(json({ token })),
  "users.changePassword": Effect.succeed(json({ currentPassword: password, newPassword: password })),
  "users.createProject": Effect.succeed(json({ name: "Another" })),
  "ownProjects.update": Effect.succeed(json({ tracking: "DISABLED", timezone: "Europe/Berlin" })),
  "invited.view": Effect.succeed({ ids: { "/invitations": token } }),
  "emails.send": Effect.succeed(json({ ...hello, to: "anna@example.org" })),
  "emails.update": mailForLater,
  "emails.cancel": mailTo("deferred", "PENDING"),
  "emails.retry": mailTo("refused", "FAILED"),
  "apiKeys.create": Effect.succeed(json({ name: "Shop", scopes: ["send"], senderDomains: ["mail.example.com"] })),
  "transports.create": Effect.map(Documented, ({ next }) => json({ name: `New relay ${next()}`, ...relayFields() })),
  "transports.setRoutes": Effect.succeed(json({ routes: [] })),
  "webhooks.create": Effect.succeed(json({ url: "https://hooks.example/new", events: ["email.*"] })),
  "webhooks.delivery": tested,
  "webhooks.replayDelivery": tested,
  "webhooks.replay": Effect.succeed(json(neededBodies["webhooks.replay"]))
}

/** Test helpers: a project with every kind of activity, each at a different time. */
import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import { Clock, DateTime, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { linkOf, submit } from "../../audience/optins/OptInsFixture.ts"
import * as CampaignRunner from "../../automation/campaigns/CampaignRunner.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { notify, wireWith } from "../../mail/receivers/ReceiversFixture.ts"
import * as EmailSender from "../../mail/sending/EmailSender.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { pglite } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt } from "../../testing/MailerMemory.ts"
import { project } from "../../testing/Services.ts"
import { send } from "../../testing/TestClient.ts"

export const start = Date.UTC(2026, 10, 20, 15)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"

const domain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "shop.test" })))
)

export const database = domain.pipe(Layer.provideMerge(wireWith(pglite)))

/**
 * The loops run only while the activity is created, because a jumping test clock would wake them for every step in
 * between.
 */
const loops = Layer.merge(EmailSender.layer, CampaignRunner.layer).pipe(
  Layer.provide(
    Layer.succeed(EmailSender.Options, { poll: Duration.millis(500), drain: Duration.seconds(5), exclusive: true })
  )
)

/** The body of the response. Any other status than success fails the test. */
export const ask = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const answer = yield* send(method, path, body)
  assert.isBelow(answer.status, 300, JSON.stringify(answer.body))
  return answer.body
})

const refuse = (code: number, enhancedCode: string) =>
  new MailerError({ reason: "refused", transport: "smtp1", code, enhancedCode, reply: `${code} ${enhancedCode} no` })

const contact = (email: string) =>
  Effect.map(ask("POST", "/contacts", { email, subscribed: true }), ({ id }) => String(id))

const second = TestClock.adjust("1 second")

/** Sends a mail and waits until it has the given status. */
const mailed = Effect.fnUntraced(function* (to: string, status: string) {
  const mail = { to, from: { name: "Shop", email: "hi@shop.test" }, subject: "Hello", body: "<p>secret words</p>" }
  const { data } = yield* ask("POST", "/v1/send", mail)
  const id = data.emails[0].email as EmailId
  const read = Effect.andThen(TestClock.adjust("100 millis"), ask("GET", `/emails/${id}`))
  yield* eventually(read, (email) => email.status === status)
  yield* second
  return id
})

const report = Effect.fnUntraced(function* (type: string, emailId: string, more: object = {}) {
  const timestamp = DateTime.formatIso(yield* DateTime.now)
  const { body } = yield* notify({ id: randomUUID(), type, emailId, timestamp, ...more })
  assert.deepInclude(body.data, { accepted: 1 })
  yield* second
})

/** Creates every kind of activity except workflows, once. */
export const createActivity = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  yield* Layer.build(loops)
  const peer = yield* Peer
  yield* peer.answer(({ to }) => {
    if (to[0]?.address.startsWith("bounced")) return Effect.fail(refuse(550, "5.1.1"))
    if (to[0]?.address.startsWith("failed")) return Effect.fail(refuse(554, "5.7.1"))
    return Effect.succeed(receipt)
  })
  const ada = yield* contact("ada@example.com")
  yield* ask("PATCH", `/contacts/${ada}`, { subscribed: false })
  yield* second
  yield* ask("PATCH", `/contacts/${ada}`, { subscribed: true })
  yield* second
  const tracked = yield* ask("POST", "/events/track", { email: "ada@example.com", event: "ordered", data: { sum: 7 } })
  yield* second
  yield* ask("PATCH", "/settings/audience", { doubleOptIn: { from: "hi@shop.test" } })
  yield* ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" })
  yield* ask("POST", `/contacts/${ada}/opt-in`, { subscribe: false, topics: ["news"] })
  yield* submit(yield* linkOf({ project }), { confirm: "1" })
  yield* second
  yield* ask("PATCH", `/contacts/${ada}`, { topics: { news: "unsubscribed" } })
  yield* second
  const form = yield* ask("POST", "/forms", { name: "Sign up", key: "join", requireTicket: false })
  yield* submit(`/f/${form.publicId}`, { email: "ada@example.com" })
  yield* second
  const other = yield* contact("other@example.com")
  yield* ask("POST", `/contacts/${ada}/merge`, { contactId: other })
  yield* second
  const sent = yield* mailed("ada@example.com", "SENT")
  yield* report("delivery", sent)
  yield* report("open", sent, { userAgent: firefox })
  yield* report("open", sent, { userAgent: firefox })
  yield* report("click", sent, { link: "https://example.com/", userAgent: firefox })
  yield* report("complaint", sent)
  const bounced = yield* mailed("bounced@example.com", "BOUNCED")
  const failed = yield* mailed("failed@example.com", "FAILED")
  yield* ask("POST", "/suppressions", { email: "dora@example.com" })
  const suppressed = yield* mailed("dora@example.com", "SUPPRESSED")
  const mail = { from: "ada@example.com", to: ["help@shop.test"], subject: "Where is it?", text: "secret words" }
  yield* report("inbound", sent, { mail })
  const draft = {
    name: "News",
    subject: "Hi",
    body: "<p>secret words</p>",
    from: "hi@shop.test",
    audienceType: "FILTERED"
  }
  const audienceCondition = {
    groups: [{ filters: [{ field: "email", operator: "equals", value: "eve@example.com" }] }]
  }
  const { data: campaign } = yield* ask("POST", "/campaigns", { ...draft, audienceCondition })
  yield* contact("eve@example.com")
  const scheduledFor = DateTime.formatIso(DateTime.makeUnsafe((yield* Clock.currentTimeMillis) + 1_500))
  yield* ask("POST", `/campaigns/${campaign.id}/send`, { scheduledFor })
  yield* second
  const upcoming = yield* ask("GET", "/activity/upcoming")
  yield* second
  yield* eventually(
    Effect.andThen(TestClock.adjust("100 millis"), ask("GET", `/campaigns/${campaign.id}`)),
    ({ data }) => data.status === "SENT"
  )
  yield* second
  return {
    ada,
    other,
    tracked: tracked.data.event as string,
    sent,
    bounced,
    failed,
    suppressed,
    campaign: String(campaign.id),
    upcoming,
    scheduledFor
  }
}).pipe(Effect.scoped)

import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Subscriptions } from "@posthorn/core/accounts/billing/Subscriptions"
import { Domains } from "@posthorn/core/mail/domains/Domains"
import * as Inbound from "@posthorn/core/mail/receivers/Inbound"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import * as OwnProjects from "@posthorn/core/service/projects/OwnProjects"
import { browse, emailsTo, newProject, person, settled } from "@posthorn/core/testing/Browser"
import { services } from "@posthorn/core/testing/Services"
import { send, wireOver } from "@posthorn/core/testing/TestClient"
import { Clock, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import Stripe from "stripe"
import * as StripePayments from "./StripePayments.ts"
import { period, stripeServer } from "./testing/StripeServer.ts"

class Stub extends Context.Service<Stub, Effect.Success<typeof stripeServer>>()("Stub") {}

const webhookSecret = "whsec_0123456789"
const stub = Layer.effect(Stub, stripeServer)

const payments = Layer.unwrap(
  Effect.map(Stub, ({ api }) =>
    StripePayments.layer({
      secretKey: Redacted.make("sk_test_0123456789"),
      webhookSecret: Redacted.make(webhookSecret),
      price: "price_1",
      api
    })
  )
)

const everything = Layer.merge(wireOver(services.pipe(Layer.provide(payments), Layer.provide(stub))), stub)

/** An event as Stripe sends it; `forged` changes its signature. */
const event = Effect.fnUntraced(function* (
  type: string,
  object: object,
  forged: { readonly secret?: string; readonly ageSeconds?: number; readonly body?: string; readonly id?: string } = {}
) {
  const payload = JSON.stringify({ id: forged.id ?? "evt_1", object: "event", type, data: { object } })
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const header = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: forged.secret ?? webhookSecret,
    timestamp: now - (forged.ageSeconds ?? 0)
  })
  return yield* settled(
    send("POST", "/webhooks/incoming/payments", forged.body ?? payload, {
      authorization: "",
      "stripe-signature": header
    })
  )
})

const code = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? "ok"}`

let domains = 0

const shop = Effect.gen(function* () {
  yield* TestClock.setTime((period.start + 86_400) * 1_000)
  const { state, posted } = yield* Stub
  Object.assign(state, { isDown: false, sessions: {}, subscription: undefined, others: [], balance: 0 })
  posted.length = 0
  yield* SqlClient.SqlClient.use((sql) => sql`delete from billing_accounts`)
  const owner = yield* person("owner")
  const { id, secret } = yield* newProject(owner.cookie)
  const domain = `paying${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(ProjectId.make(id), { domain })))
  const path = `/users/@me/projects/${id}`
  const act = (method: string, end: string, body?: unknown) => browse(owner.cookie, method, `${path}/${end}`, body)
  const mail = (to: string | ReadonlyArray<string>) =>
    send(
      "POST",
      "/v1/send",
      { to, from: `shop@${domain}`, subject: "Hello", body: "<p>Hello</p>" },
      { authorization: `Bearer ${secret}` }
    )
  const subscribe = Effect.gen(function* () {
    state.session = { status: "complete", client_reference_id: id, customer: "cus_1" }
    state.subscription = "active"
    return yield* event("checkout.session.completed", { id: "cs_1" })
  })
  return { id, owner, domain, path, act, mail, subscribe, state, posted }
})

const people = (count: number) => Array.from({ length: count }, (_, n) => `person-${n}@example.com`)

layer(everything, { timeout: "90 seconds" })("Stripe", (it) => {
  it.effect("sells a subscription: checkout, completion and portal, and no second one", () =>
    Effect.gen(function* () {
      const { id, owner, act, subscribe, posted } = yield* shop
      assert.strictEqual((yield* act("POST", "billing-portal")).body.error.details.reason, "no_customer")
      const { status, body } = yield* act("POST", "checkout?currency=eur", {})
      assert.deepStrictEqual([status, body], [200, { url: "https://pay.example/cs_1" }])
      assert.deepInclude(posted[0]?.form, {
        mode: "subscription",
        client_reference_id: id,
        currency: "eur",
        customer_email: owner.email,
        "line_items[0][price]": "price_1"
      })
      yield* act("POST", "checkout", { currency: "gbp" })
      assert.strictEqual(posted[1]?.form["currency"], "gbp")
      assert.strictEqual(code(yield* act("POST", "checkout?currency=chf")), "400 BAD_REQUEST")
      assert.strictEqual(code(yield* act("POST", "checkout", { currency: "chf" })), "422 VALIDATION_ERROR")
      assert.deepStrictEqual((yield* subscribe).body, { success: true })
      assert.strictEqual((yield* act("POST", "checkout")).body.error.details.reason, "already_subscribed")
      assert.deepStrictEqual((yield* act("POST", "billing-portal")).body, { url: "https://pay.example/portal" })
      assert.deepStrictEqual(posted.at(-1)?.form["customer"], "cus_1")
    })
  )

  it.effect.each([
    { customers: "two customers", second: "cus_2" },
    { customers: "one customer", second: "cus_1" }
  ])("of two concurrent checkouts, the later subscription is cancelled: $customers", ({ second }) =>
    Effect.gen(function* () {
      const { id, act, state, posted } = yield* shop
      const completed = { status: "complete", client_reference_id: id } as const
      state.session = { ...completed, customer: "cus_1", subscription: "sub_1" }
      state.subscription = "active"
      state.sessions = { cs_2: { ...completed, customer: second, subscription: "sub_2" } }
      state.others = [{ id: "sub_2", customer: second }]
      const told = [
        event("checkout.session.completed", { id: "cs_1" }),
        event("customer.subscription.created", { id: "sub_2", customer: second }),
        event("checkout.session.completed", { id: "cs_2" }),
        event("checkout.session.completed", { id: "cs_1" })
      ]
      for (const each of told) assert.strictEqual((yield* each).status, 200)
      const cancelled = posted.filter(({ path }) => path.startsWith("/v1/subscriptions/")).map(({ path }) => path)
      assert.deepStrictEqual(cancelled, ["/v1/subscriptions/sub_2"])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select customer_id, subscription_id from billing_accounts`, [
        { customer_id: "cus_1", subscription_id: "sub_1" }
      ])
      assert.strictEqual((yield* act("POST", "checkout")).body.error.details.reason, "already_subscribed")
    })
  )

  it.effect("two simultaneous checkouts leave one subscription", () =>
    Effect.gen(function* () {
      const { id, state, posted } = yield* shop
      const completed = { status: "complete", client_reference_id: id } as const
      state.sessions = {
        cs_2: { ...completed, customer: "cus_2", subscription: "sub_2" },
        cs_3: { ...completed, customer: "cus_3", subscription: "sub_3" }
      }
      state.others = [
        { id: "sub_2", customer: "cus_2" },
        { id: "sub_3", customer: "cus_3" }
      ]
      yield* Effect.all(
        ["cs_2", "cs_3"].map((session) => event("checkout.session.completed", { id: session })),
        { concurrency: 2 }
      )
      const [kept] = state.others
      assert.lengthOf(state.others, 1)
      assert.lengthOf(posted, 1)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select customer_id, subscription_id from billing_accounts`, [
        { customer_id: kept?.customer, subscription_id: kept?.id }
      ])
    })
  )

  it.effect("counts in the period of the subscription, and shows invoices, credit and the next invoice", () =>
    Effect.gen(function* () {
      const { act, subscribe, state, mail } = yield* shop
      yield* subscribe
      state.balance = -500
      yield* mail("a@example.com")
      const consumption = (yield* act("GET", "billing-consumption")).body
      assert.deepStrictEqual(consumption.period, {
        start: "2026-03-10T00:00:00.000Z",
        end: "2026-04-10T00:00:00.000Z"
      })
      assert.strictEqual(consumption.usage.total, 1)
      assert.deepStrictEqual(consumption.credits, {
        balance: -500,
        hasCredits: true,
        creditAmount: 500,
        currency: "eur"
      })
      assert.deepStrictEqual(consumption.upcomingInvoice, {
        amountDue: 700,
        currency: "eur",
        periodEnd: "2026-04-10T00:00:00.000Z"
      })
      const { invoices, hasUnpaidInvoices, unpaidInvoices } = (yield* act("GET", "billing-invoices")).body
      assert.deepStrictEqual(invoices, [
        {
          id: "in_1",
          number: "A-1",
          status: "open",
          amountDue: 1900,
          amountPaid: 0,
          currency: "eur",
          periodStart: "2026-03-10T00:00:00.000Z",
          periodEnd: "2026-04-10T00:00:00.000Z",
          dueAt: null,
          url: "https://pay.example/in_1",
          pdfUrl: "https://pay.example/in_1.pdf",
          createdAt: "2026-03-10T00:00:00.000Z"
        }
      ])
      assert.deepStrictEqual([hasUnpaidInvoices, unpaidInvoices.length], [true, 1])
      assert.strictEqual((yield* act("GET", "billing-limits")).body.currency, "eur")
    })
  )

  it.effect("that does not answer gives 503, and its events are requested again", () =>
    Effect.gen(function* () {
      const { act, subscribe, state } = yield* shop
      yield* subscribe
      state.isDown = true
      for (const [method, end] of [
        ["POST", "billing-portal"],
        ["GET", "billing-invoices"],
        ["GET", "billing-consumption"]
      ] as const) {
        const refused = yield* act(method, end)
        assert.strictEqual(code(refused), "503 SERVICE_UNAVAILABLE", end)
        assert.strictEqual(refused.body.error.message, "The payment provider cannot be reached at the moment.")
      }
      const failed = yield* event("customer.subscription.updated", { customer: "cus_1" })
      assert.strictEqual(failed.status, 500)
      state.isDown = false
      state.subscription = "canceled"
      assert.strictEqual((yield* event("customer.subscription.updated", { customer: "cus_1" })).status, 200)
      assert.strictEqual((yield* act("POST", "checkout")).status, 200)
    })
  )

  it.effect("without a subscription the free plan applies to all categories together", () =>
    Effect.gen(function* () {
      const { act, mail, subscribe, domain, id } = yield* shop
      const sql = yield* SqlClient.SqlClient
      const { freeEmails } = yield* Settings
      assert.strictEqual(freeEmails, defaults.freeEmails)
      yield* sql`
        insert into billing_charges (project_id, category, at, id, count)
        values (${id}, 'campaigns', ${new Date(yield* Clock.currentTimeMillis)}, gen_random_uuid(), ${freeEmails - 4})`
      yield* Effect.flatMap(Inbound.make, (inbound) =>
        Effect.flatMap(DateTime.now, (timestamp) =>
          inbound.receive("neutral", {
            id: `free-${id}`,
            type: "inbound",
            timestamp,
            mail: { from: "ada@example.com", to: `hello@${domain}` }
          })
        )
      )
      assert.strictEqual(code(yield* mail(people(3))), "200 ok")
      const { body } = yield* mail("one-more@example.com")
      assert.deepInclude(body.error.details, { category: "total", limit: 1000, used: 1000, requested: 1 })
      yield* subscribe
      yield* TestClock.adjust("1 second")
      assert.strictEqual(code(yield* mail("one-more@example.com")), "200 ok")
      assert.strictEqual((yield* act("GET", "billing-limits")).body.transactional.usage, 4)
    })
  )

  it.effect("an event counts only with a signature of its octets, for five minutes", () =>
    Effect.gen(function* () {
      const { act, state } = yield* shop
      state.session = { status: "complete", client_reference_id: "", customer: "cus_1" }
      const refused = [
        yield* event("checkout.session.completed", { id: "cs_1" }, { secret: "whsec_another" }),
        yield* event("checkout.session.completed", { id: "cs_1" }, { ageSeconds: 301 }),
        yield* event("checkout.session.completed", { id: "cs_1" }, { body: `{"id":"evt_1" }` }),
        yield* send("POST", "/webhooks/incoming/payments", {}, { "stripe-signature": "t=1,v1=00" }),
        yield* send("POST", "/webhooks/incoming/payments", {})
      ]
      assert.deepStrictEqual(
        refused.map(code),
        Array.from({ length: 5 }, () => "403 INVALID_SIGNATURE")
      )
      assert.strictEqual((yield* event("checkout.session.completed", { id: "cs_1" }, { ageSeconds: 299 })).status, 200)
      assert.strictEqual((yield* event("charge.refunded", {})).status, 200)
      assert.strictEqual((yield* event("invoice.paid", { id: "in_1", customer: "cus_nobody" })).status, 200)
      assert.strictEqual((yield* act("POST", "billing-portal")).body.error.details.reason, "no_customer")
    })
  )

  it.effect("a failed payment is reported once, a second failure disables the project, a payment enables it", () =>
    Effect.gen(function* () {
      const { act, mail, owner, subscribe, state } = yield* shop
      yield* subscribe
      const failed = event("invoice.payment_failed", { id: "in_1", customer: "cus_1" })
      const paid = event("invoice.paid", { id: "in_1", customer: "cus_1" })
      const told = Effect.map(emailsTo(owner.email), (letters) => letters.map(({ subject }) => subject).slice(1))
      const disabled = Effect.map(
        browse(owner.cookie, "GET", "/users/@me/projects"),
        ({ body }) => body[0].disabledReason
      )

      state.invoice = { status: "open", attempt_count: 1 }
      yield* failed
      yield* failed
      assert.deepStrictEqual(yield* told, ["A payment for Shop failed"])
      assert.isNull(yield* disabled)

      state.invoice = { status: "open", attempt_count: 2 }
      yield* failed
      yield* failed
      assert.deepStrictEqual(yield* told, ["A payment for Shop failed", "The project Shop is disabled"])
      assert.strictEqual(yield* disabled, "PAYMENT_FAILED")
      assert.strictEqual(code(yield* mail("a@example.com")), "403 PROJECT_DISABLED")
      assert.strictEqual((yield* act("POST", "billing-portal")).status, 200)

      // An old payment event means nothing while an invoice is still open.
      yield* paid
      assert.strictEqual(yield* disabled, "PAYMENT_FAILED")
      state.invoice = { status: "paid", attempt_count: 3 }
      yield* paid
      assert.isNull(yield* disabled)
      // Late events change nothing: the state is read again.
      yield* failed
      assert.isNull(yield* disabled)
      assert.strictEqual(code(yield* mail("a@example.com")), "200 ok")
    })
  )

  it.effect("after the end of a subscription the free plan applies", () =>
    Effect.gen(function* () {
      const { act, subscribe, state } = yield* shop
      yield* subscribe
      state.subscription = "canceled"
      yield* event("customer.subscription.deleted", { id: "sub_1", customer: "cus_1" })
      const { period: counted } = (yield* act("GET", "billing-consumption")).body
      assert.strictEqual(counted.start, "2026-03-01T00:00:00.000Z")
      assert.strictEqual((yield* act("POST", "checkout")).status, 200)
    })
  )

  it.effect("the subscription of a deleted project ends after its usage was reported", () =>
    Effect.gen(function* () {
      const { id, mail, owner, path, subscribe, state, posted } = yield* shop
      yield* subscribe
      const sql = yield* SqlClient.SqlClient
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* mail("last@example.com")
      yield* sql`update emails set status = 'SENT', sent_at = ${at} where project_id = ${id}::uuid`
      assert.strictEqual((yield* settled(browse(owner.cookie, "DELETE", path))).status, 204)
      const left = sql`select customer_id as customer from billing_accounts where project_id = ${id}::uuid`
      const rounds = settled(Effect.flatMap(OwnProjects.make, ({ wipeAll }) => wipeAll))
      state.isDown = true
      yield* rounds
      // The call to the provider is repeated until it succeeds; the data is deleted without waiting for that.
      assert.strictEqual((yield* left).length, 1)
      assert.deepStrictEqual(yield* sql`select 1 from emails where project_id = ${id}::uuid`, [])
      state.isDown = false
      yield* TestClock.adjust("5 minutes")
      yield* rounds
      yield* rounds
      const ended = posted.slice(-2).map(({ path, form }) => [path, form["invoice_now"]])
      assert.deepStrictEqual(ended, [
        ["/v1/billing/meter_events", undefined],
        ["/v1/subscriptions/sub_1", "true"]
      ])
      assert.deepStrictEqual(yield* left, [])
      assert.deepStrictEqual(yield* sql`select 1 from projects where id = ${id}::uuid`, [])
    })
  )

  it.effect("each sent and each received email is reported once, and again until it is accepted", () =>
    Effect.gen(function* () {
      const { domain, id, mail, subscribe, state, posted } = yield* shop
      yield* mail("before@example.com")
      yield* subscribe
      const sent = yield* mail(["a@example.com", "b@example.com", "c@example.com"])
      const [a, b, c] = sent.body.data.emails.map(({ email }: { readonly email: string }) => email)
      const sql = yield* SqlClient.SqlClient
      const at = new Date(yield* Clock.currentTimeMillis)
      yield* sql`update emails set status = 'SENT', sent_at = ${at} where id in (${a}::uuid, ${b}::uuid)`
      yield* sql`update emails set status = 'FAILED' where id = ${c}::uuid`
      yield* sql`update emails set status = 'DELIVERED', delivered_at = ${at} where id = ${a}::uuid`
      yield* Effect.flatMap(Inbound.make, (inbound) =>
        Effect.flatMap(DateTime.now, (timestamp) =>
          inbound.receive("neutral", {
            id: `metered-${id}`,
            type: "inbound",
            timestamp,
            mail: { from: "ada@example.com", to: `hello@${domain}` }
          })
        )
      )
      const drain = Subscriptions.use((subscriptions) => subscriptions.reportUsage)
      const told = () => posted.filter(({ path }) => path === "/v1/billing/meter_events").map(({ form }) => form)
      state.isDown = true
      yield* drain
      assert.strictEqual(told().length, 0)
      state.isDown = false
      yield* TestClock.adjust("5 minutes")
      yield* drain
      yield* TestClock.adjust("5 minutes")
      yield* drain
      assert.strictEqual(told().length, 3)
      const identifiers = told().map(({ identifier }) => identifier)
      assert.includeMembers(identifiers, [a, b])
      assert.strictEqual(new Set(identifiers).size, 3)
      assert.deepInclude(told()[0], {
        event_name: "emails",
        "payload[stripe_customer_id]": "cus_1",
        "payload[value]": "1"
      })
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { project } from "../../testing/Services.ts"
import { outcome, send, wire } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"

const senderDomain = Layer.effectDiscard(
  Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
)

const plain = { from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>" }

const post = (body: object) => send("POST", "/v1/send", { ...plain, ...body })

const contact = Effect.fnUntraced(function* (email: string) {
  const { body } = yield* send("GET", `/contacts?search=${encodeURIComponent(email)}`)
  return body.data[0]
})

const email = (id: string) => Effect.map(send("GET", `/emails/${id}`), ({ body }) => body)

const content = (id: string) => Effect.map(send("GET", `/emails/${id}/content`), ({ body }) => body)

const template = Effect.fnUntraced(function* (more: object = {}) {
  const { body } = yield* send("POST", "/templates", {
    name: "Welcome",
    subject: "Hello {{name ?? you}}",
    body: "<p>Hello {{name}}, plan {{plan}}</p>",
    from: "team@verified.test",
    fromName: "The team",
    replyTo: "reply@verified.test",
    type: "TRANSACTIONAL",
    ...more
  })
  return String(body.id)
})

const counts = SqlClient.SqlClient.use(
  (sql) => sql`
    select (select count(*)::int from emails) as emails, (select count(*)::int from contacts) as contacts,
           (select count(*)::int from events) as events, (select count(*)::int from email_contents) as contents`
)

/** Each lets a caller choose at the provider, or reach others than the recipient. */
const reserved = [
  "X-SES-CONFIGURATION-SET",
  "x-ses-source-arn",
  "X-SES-MESSAGE-TAGS",
  "X-SMTPAPI",
  "X-MC-Subaccount",
  "X-Mailgun-Variables",
  "X-PM-Message-Stream",
  "X-Mandrill-Anything",
  "X-MJ-CustomID",
  "X-SG-EID",
  "X-MSYS-API",
  "X-Virtual-MTA",
  "Resent-To",
  "resent-bcc",
  "Apparently-To",
  "Errors-To",
  "Return-Receipt-To",
  "Delivered-To",
  "X-Original-To"
]
const allowed = {
  "X-Campaign": "a",
  "In-Reply-To": "<a@b.co>",
  "X-Priority": "1",
  "X-Sesame": "b",
  "X-Report-Abuse": "c"
}

layer(Layer.provideMerge(senderDomain, wire), { timeout: "60 seconds" })("Sending", (it) => {
  it.effect("takes no header that a relay acts on", () =>
    Effect.gen(function* () {
      for (const name of reserved) {
        const { status, body } = yield* post({ to: "relay@example.com", headers: { [name]: "x" } })
        assert.deepStrictEqual([name, status, body.error?.errors?.[0]?.field], [name, 422, `headers.${name}`])
      }
      assert.strictEqual((yield* post({ to: "relay@example.com", headers: allowed })).status, 200)
    })
  )

  it.effect("takes no name that reads as another one", () =>
    Effect.gen(function* () {
      for (const mark of ["\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c", "\u0085", "\n"]) {
        const name = `${mark}moc.knab`
        const given = [
          { from: { email: "hi@verified.test", name } },
          { to: { email: "name@example.com", name } },
          { name },
          { fromName: name }
        ]
        for (const fields of given) assert.strictEqual((yield* post({ to: "name@example.com", ...fields })).status, 422)
        const stored = {
          name: "N",
          subject: "S",
          body: "B",
          from: "team@verified.test",
          type: "MARKETING",
          fromName: name
        }
        assert.strictEqual((yield* send("POST", "/templates", stored)).status, 422)
      }
      assert.strictEqual((yield* post({ to: "name@example.com", fromName: "Zoë 王 עברית 👩‍💻" })).status, 200)
    })
  )

  it.effect("answers with one mail for each recipient, in the order of `to`", () =>
    Effect.gen(function* () {
      const to = ["b@example.com", { email: "A@Example.com", name: "Anna" }, "b@example.com"]
      const { status, body } = yield* post({ to })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        body.data.emails.map((_: { contact: { email: string } }) => _.contact.email),
        ["b@example.com", "a@example.com", "b@example.com"]
      )
      assert.strictEqual(body.data.emails[0].contact.id, body.data.emails[2].contact.id)
      assert.strictEqual(new Set(body.data.emails.map((_: { email: string }) => _.email)).size, 3)
      assert.deepInclude(yield* contact("a@example.com"), { subscribed: false, data: { name: "Anna" } })
      assert.deepInclude(yield* email(body.data.emails[1].email), {
        to: "a@example.com",
        toName: "Anna",
        status: "PENDING",
        attempts: 0,
        nextAttemptAt: null
      })
    })
  )

  it.effect("the request's fields win over the template's, one by one", () =>
    Effect.gen(function* () {
      const id = yield* template()
      const { body } = yield* send("POST", "/v1/send", {
        to: "tpl@example.com",
        templateId: id,
        data: { name: "Eva", plan: "pro" }
      })
      const plainMail = yield* email(body.data.emails[0].email)
      assert.deepInclude(plainMail, {
        subject: "Hello Eva",
        from: "team@verified.test",
        fromName: "The team",
        replyTo: "reply@verified.test",
        templateId: id,
        type: "TRANSACTIONAL"
      })
      const mixed = yield* send("POST", "/v1/send", {
        to: "tpl@example.com",
        template: id,
        subject: "Own",
        from: { email: "hi@verified.test", name: "Me" },
        reply: "own@example.com"
      })
      const mail = yield* email(mixed.body.data.emails[0].email)
      assert.deepInclude(mail, { subject: "Own", from: "hi@verified.test", fromName: "Me", replyTo: "own@example.com" })
      assert.strictEqual((yield* content(mail.id)).html, "<p>Hello Eva, plan pro</p>")
    })
  )

  it.effect.each([
    [{ from: "hi@verified.test" }, "Example"],
    [{ from: "hi@verified.test", name: "Deprecated" }, "Deprecated"],
    [{ from: "hi@verified.test", name: "Deprecated", fromName: "Other" }, "Deprecated"],
    [{ from: "hi@verified.test", fromName: "Other" }, "Other"],
    [{ from: { email: "hi@verified.test", name: "Right" }, name: "Deprecated" }, "Right"],
    [{ from: { email: "hi@verified.test" }, name: "Deprecated" }, "Example"]
  ] as const)("%j is shown as %s", ([fields, name]) =>
    Effect.gen(function* () {
      const { body } = yield* post({ to: "name@example.com", ...fields })
      assert.strictEqual((yield* email(body.data.emails[0].email)).fromName, name)
    })
  )

  it.effect("escapes values in the body, not in the subject, and never renders them again", () =>
    Effect.gen(function* () {
      const { body } = yield* post({
        to: "xss@example.com",
        subject: "Hi {{name}}",
        body: "<p>{{name}}{{{raw}}}{{constructor.constructor}}{{__proto__.x}}</p>",
        data: { name: "{{email}}<script>\r\nBcc: e@example.com", raw: "<b>x</b>" }
      })
      const { html, subject } = yield* content(body.data.emails[0].email)
      assert.strictEqual(subject, "Hi {{email}}<script> Bcc: e@example.com")
      assert.strictEqual(html, "<p>{{email}}&lt;script&gt;\r\nBcc: e@example.com<b>x</b></p>")
    })
  )

  it.effect("marketing goes to subscribers only, and refuses the whole request otherwise", () =>
    Effect.gen(function* () {
      const id = yield* template({ type: "MARKETING" })
      const before = yield* counts
      const refused = yield* send("POST", "/v1/send", { to: ["no@example.com", "never@example.com"], template: id })
      assert.strictEqual(refused.status, 422)
      assert.deepStrictEqual(
        refused.body.error.errors.map((_: { field: string; code: string; received: string }) => [
          _.field,
          _.code,
          _.received
        ]),
        [
          ["to.0", "contact_unsubscribed", "no@example.com"],
          ["to.1", "contact_unsubscribed", "never@example.com"]
        ]
      )
      assert.deepStrictEqual(yield* counts, before, "nothing stays behind, no contact either")
      const one = yield* send("POST", "/v1/send", { to: "no@example.com", template: id })
      assert.strictEqual(one.body.error.errors[0].field, "to")
      const sent = yield* send("POST", "/v1/send", { to: "yes@example.com", template: id, subscribed: true })
      const { html, text } = yield* content(sent.body.data.emails[0].email)
      assert.match(html, /https:\/\/posthorn\.example\/unsubscribe\/[\w-]{88}/)
      assert.match(text, /unsubscribe\//)
    })
  )

  it.effect("headless mail goes to unsubscribed contacts too", () =>
    Effect.gen(function* () {
      const id = yield* template({ type: "HEADLESS" })
      assert.strictEqual((yield* send("POST", "/v1/send", { to: "headless@example.com", template: id })).status, 200)
    })
  )

  it.effect("a suppressed address gets a record and no mail", () =>
    Effect.gen(function* () {
      yield* Suppressions.use((suppressions) =>
        Effect.flatMap(DateTime.now, (now) => suppressions.add(project, "blocked@example.com", "MANUAL", null, now))
      )
      const { body } = yield* post({ to: ["blocked@example.com", "free@example.com"] })
      assert.deepStrictEqual(
        body.data.emails.map((_: { status: string }) => _.status),
        ["SUPPRESSED", "PENDING"]
      )
      const record = yield* email(body.data.emails[0].email)
      assert.deepInclude(record, { status: "SUPPRESSED", suppressionReason: "MANUAL" })
      assert.deepStrictEqual(
        record.timeline.map((_: { type: string }) => _.type),
        ["accepted", "suppressed"]
      )
    })
  )

  it.effect("a change of the subscription is an event, creation is none", () =>
    Effect.gen(function* () {
      const names = (address: string) =>
        SqlClient.SqlClient.use(
          (sql) => sql`
            select name, events.data ->> 'reason' as reason from events join contacts on contacts.id = contact_id
            where contacts.email = ${address} order by events.id`
        )
      yield* post({ to: "flip@example.com", subscribed: true })
      assert.deepStrictEqual(yield* names("flip@example.com"), [])
      yield* post({ to: "flip@example.com", subscribed: false })
      yield* post({ to: "flip@example.com", subscribed: false })
      yield* post({ to: "flip@example.com" })
      assert.deepStrictEqual(yield* names("flip@example.com"), [{ name: "contact.unsubscribed", reason: "send" }])
    })
  )

  it.effect("attachments are stored once, shown without content, and limited", () =>
    Effect.gen(function* () {
      const attachment = { filename: "a.pdf", content: Buffer.from("%PDF").toString("base64") }
      const { body } = yield* post({ to: ["f1@example.com", "f2@example.com"], attachments: [attachment] })
      const record = yield* email(body.data.emails[0].email)
      assert.deepStrictEqual(record.attachments, [
        { filename: "a.pdf", contentType: "application/pdf", size: 4, disposition: "attachment", contentId: null }
      ])
      const [{ count } = { count: 0 }] = yield* SqlClient.SqlClient.use(
        (sql) => sql<{ count: number }>`select count(*)::int as count from email_attachments`
      )
      assert.strictEqual(count, 1)
      const tooMuch = { filename: "b", content: Buffer.alloc(11 * 1024 * 1024).toString("base64") }
      const refused = yield* post({ to: "f3@example.com", attachments: [tooMuch] })
      assert.deepStrictEqual([refused.status, refused.body.error.errors[0].field], [422, "attachments"])
      assert.notInclude(JSON.stringify(refused.body), "AAAAAAAA")
    })
  )

  it.effect("rendering that costs too much is refused, not attempted for ever", () =>
    Effect.gen(function* () {
      const list = Array.from({ length: 101 }, (_, n) => n)
      const { status, body } = yield* post({
        to: "loop@example.com",
        body: "{{#each list}}{{#each ../list}}x{{/each}}{{/each}}",
        data: { list }
      })
      assert.deepStrictEqual([status, body.error.errors[0].field, body.error.errors[0].code], [422, "body", "custom"])
    })
  )

  it.effect("a syntax fault names line and column", () =>
    Effect.gen(function* () {
      const { body } = yield* post({ to: "s@example.com", subject: "{{", body: "<p>\n  {{#if a}}</p>" })
      assert.deepStrictEqual(
        body.error.errors.map((_: { field: string; code: string; line: number }) => [_.field, _.code, _.line]),
        [
          ["subject", "template_syntax", 1],
          ["body", "template_syntax", 2]
        ]
      )
    })
  )

  it.effect("tracking follows the project unless the request says otherwise", () =>
    Effect.gen(function* () {
      const tracked = Effect.fnUntraced(function* (more: object) {
        const { body } = yield* post({ to: "t@example.com", ...more })
        return (yield* email(body.data.emails[0].email)).tracking
      })
      assert.deepStrictEqual([yield* tracked({}), yield* tracked({ tracking: false })], [true, false])
      yield* SqlClient.SqlClient.use((sql) => sql`update projects set tracking = 'MARKETING_ONLY'`)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([yield* tracked({}), yield* tracked({ tracking: true })], [false, true])
      yield* SqlClient.SqlClient.use((sql) => sql`update projects set tracking = 'ENABLED'`)
      yield* TestClock.adjust("1 second")
    })
  )

  it.effect("1,000 recipients are one request, 1,001 are refused", () =>
    Effect.gen(function* () {
      const to = Array.from({ length: 1001 }, (_, n) => `r${n}@example.com`)
      const { status, body } = yield* post({ to: to.slice(1) })
      assert.deepStrictEqual([status, body.data.emails.length], [200, 1000])
      assert.strictEqual(yield* outcome("POST", "/v1/send", { ...plain, to }), "422 VALIDATION_ERROR")
    })
  )

  it.effect("lists mail newest first, by any of its marks, page by page", () =>
    Effect.gen(function* () {
      const { body } = yield* post({ to: ["l1@example.com", "l2@example.com", "l3@example.com"] })
      const ids = body.data.emails.map((_: { email: string }) => EmailId.make(_.email))
      const found = yield* send("GET", "/emails?to=l2@example.com")
      assert.deepStrictEqual(
        found.body.data.map((_: { id: string }) => _.id),
        [ids[1]]
      )
      const first = yield* send("GET", "/emails?limit=2&status=PENDING,SENT&sourceType=TRANSACTIONAL")
      assert.deepStrictEqual([first.body.data.length, first.body.hasMore], [2, true])
      const next = yield* send(
        "GET",
        `/emails?limit=2&status=PENDING,SENT&sourceType=TRANSACTIONAL&cursor=${first.body.cursor}`
      )
      assert.deepStrictEqual([next.body.total, next.body.data.length], [0, 2])
      assert.strictEqual(yield* outcome("GET", `/emails?limit=2&cursor=${first.body.cursor}`), "400 INVALID_CURSOR")
      const none = yield* send("GET", "/emails?startDate=2020-01-01&endDate=2020-01-31")
      assert.deepStrictEqual(none.body, { data: [], hasMore: false, total: 0 })
    })
  )

  it.effect("reads what it needs with a plan that is made once, not for every mail", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // So many that looking one up is not free.
      yield* sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select gen_random_uuid(), gen_random_uuid(), n || '@example.com', true, '{}', now(), now()
        from generate_series(1, 500) as n`
      yield* sql`analyze contacts`
      const id = yield* template()
      const reused = Effect.map(
        sql`
          select sum(generic_plans)::int as count from pg_prepared_statements
          where statement like '%from templates%' and statement like '%from contacts%'`,
        ([row]) => Number(row?.["count"])
      )
      const before = yield* reused
      for (let n = 0; n < 8; n++) yield* post({ to: `planned-${n}@example.com`, template: id })
      assert.isAbove(yield* reused, before)
    })
  )
})

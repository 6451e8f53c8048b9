import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Domains } from "../../mail/domains/Domains.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"

const eventsOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select name, data from events where project_id = ${project} order by created_at, id`
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`A contact's names and terms, on ${name}`, (it) => {
    it.effect("a new contact says how it was made, and has no states of its own", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { status, body } = yield* mine.ask("POST", "/contacts", { email: "ada@example.com" })
        assert.strictEqual(status, 201)
        assert.deepInclude(body, {
          externalId: null,
          subscribed: true,
          subscription: "subscribed",
          topics: {},
          snoozedUntil: null,
          locale: null,
          timezone: null,
          origin: { source: "api", id: null },
          data: {}
        })
        const { body: read } = yield* mine.ask("GET", `/contacts/${body.id}`)
        const { _meta, ...contact } = body
        assert.deepStrictEqual(read, contact)
        const { body: query } = yield* mine.ask("POST", "/contacts/query", {})
        const { body: list } = yield* mine.ask("GET", "/contacts")
        const { body: person } = yield* mine.ask("GET", `/contacts/${body.id}/export`)
        assert.deepStrictEqual([query.data[0], list.data[0], person.contact], [contact, contact, contact])
        yield* mine.track({ email: "eve@example.com", event: "visit" })
        const { body: tracked } = yield* mine.ask("GET", "/contacts?email=eve@example.com")
        assert.deepInclude(tracked.data[0], { origin: { source: "track", id: null } })
        assert.deepStrictEqual([tracked.total, tracked.hasMore], [1, false])
      })
    )

    it.effect("a contact of an earlier release has no origin", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* SqlClient.SqlClient.use(
          (sql) => sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            values (gen_random_uuid(), ${mine.project}, 'old@example.com', false, '{}', now(), now())`
        )
        const { body } = yield* mine.ask("GET", "/contacts")
        assert.deepInclude(body.data[0], { origin: null, subscription: "unsubscribed" })
      })
    )

    it.effect("locale and time zone are those of the data, under checked names", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { body } = yield* mine.ask("POST", "/contacts", {
          email: "ada@example.com",
          locale: "pt-br",
          timezone: "America/Sao_Paulo",
          data: { plan: "pro" }
        })
        assert.deepInclude(body, { locale: "pt-BR", timezone: "America/Sao_Paulo" })
        assert.deepStrictEqual(body.data, { plan: "pro", locale: "pt-BR", timezone: "America/Sao_Paulo" })
        const patch = (change: object) => mine.ask("PATCH", `/contacts/${body.id}`, change)
        assert.deepInclude((yield* patch({ data: { locale: "de-at" } })).body, { locale: "de-AT" })
        assert.deepInclude((yield* patch({ data: { locale: "Klingon!", timezone: 5 } })).body, {
          locale: null,
          timezone: null
        })
        assert.deepStrictEqual((yield* patch({ locale: "fr", timezone: null })).body.data, {
          plan: "pro",
          locale: "fr"
        })
        const twice = yield* patch({ locale: "pt-br", data: { locale: "pt-br" } })
        assert.deepInclude(twice.body, { locale: "pt-BR" }, JSON.stringify(twice.body))
        assert.deepInclude((yield* patch({ locale: "en", data: { locale: "en", plan: null } })).body, {
          data: { locale: "en" }
        })
        for (const [change, field, code] of [
          [{ locale: "en", data: { locale: "de" } }, "locale", "custom"],
          [{ locale: null, data: { locale: "de" } }, "locale", "custom"],
          [{ locale: null, data: { locale: "Klingon!" } }, "locale", "custom"],
          [{ timezone: "Mars/Base", data: {} }, "timezone", "invalid_string"],
          [{ locale: "not a tag" }, "locale", "invalid_string"],
          [{ locale: "en", data: null }, "data", "custom"]
        ] as const) {
          const { status, body } = yield* patch(change)
          assert.deepStrictEqual([status, body.error.errors[0].field, body.error.errors[0].code], [422, field, code])
        }
      })
    )

    it.effect("a snooze ends by itself or by null, and has events", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { body } = yield* mine.ask("POST", "/contacts", { email: "ada@example.com" })
        const patch = (snoozedUntil: string | null) => mine.ask("PATCH", `/contacts/${body.id}`, { snoozedUntil })
        const now = yield* DateTime.now
        const inDays = (days: number) => DateTime.formatIso(DateTime.add(now, { days }))
        assert.deepInclude((yield* patch(inDays(30))).body, { snoozedUntil: inDays(30), subscribed: true })
        yield* patch(inDays(30))
        yield* patch(null)
        yield* patch(null)
        assert.deepStrictEqual(
          (yield* eventsOf(mine)).map(({ name, data }) => [name, data]),
          [
            ["contact.snoozed", { until: inDays(30), reason: "api" }],
            ["contact.unsnoozed", { until: inDays(30), reason: "api" }]
          ]
        )
        for (const [until, code] of [
          [inDays(-1), "too_small"],
          [inDays(0), "too_small"],
          [inDays(367), "too_big"],
          ["tomorrow", "invalid_string"]
        ] as const) {
          const { status, body } = yield* patch(until)
          assert.deepStrictEqual(
            [status, body.error.errors[0].field, body.error.errors[0].code],
            [422, "snoozedUntil", code]
          )
        }
        yield* patch(inDays(1))
        yield* SqlClient.SqlClient.use(
          (sql) => sql`update contacts set snoozed_until = ${DateTime.toDate(now)} where id = ${body.id}`
        )
        assert.deepInclude((yield* mine.ask("GET", `/contacts/${body.id}`)).body, { snoozedUntil: null })
      })
    )

    it.effect("marketing mail of a request is refused while the contact has snoozed", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { body } = yield* mine.ask("POST", "/contacts", { email: "ada@example.com" })
        const snoozedUntil = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 3 }))
        yield* mine.ask("PATCH", `/contacts/${body.id}`, { snoozedUntil })
        yield* Effect.orDie(Domains.use((domains) => domains.add(mine.project, { domain: "verified.test" })))
        const mail = { name: "News", from: "hi@verified.test", subject: "Hi", body: "<p>Hi</p>" }
        const marketing = yield* mine.ask("POST", "/templates", { ...mail, type: "MARKETING" })
        const to = "ada@example.com"
        const refused = yield* mine.ask("POST", "/v1/send", { to, template: marketing.body.id })
        assert.deepStrictEqual(
          [refused.status, refused.body.error.errors],
          [
            422,
            [
              {
                field: "to",
                code: "contact_unsubscribed",
                message: "The recipient wants no mail for a time.",
                received: to
              }
            ]
          ]
        )
        const { from, subject, body: text } = mail
        assert.strictEqual((yield* mine.ask("POST", "/v1/send", { to, from, subject, body: text })).status, 200)
        const count = yield* mine.ask("POST", "/contacts/count", { for: { type: "MARKETING" } })
        assert.deepStrictEqual(count.body, {
          count: 1,
          eligible: 0,
          excluded: { unsubscribed: 0, topicUnsubscribed: 0, snoozed: 1, suppressed: 0 }
        })
        const all = yield* mine.ask("POST", "/contacts/count", { for: { type: "TRANSACTIONAL" } })
        assert.strictEqual(all.body.eligible, 1)
      })
    )

    it.effect("the external id finds the contact, cell by cell", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const post = (body: object) => mine.ask("POST", "/contacts", body)
        const line = (answer: { readonly status: number; readonly body: { readonly [field: string]: never } }) =>
          answer.status < 300
            ? `${answer.status} ${answer.body["email"]} ${answer.body["externalId"]}`
            : `${answer.status} ${JSON.stringify(answer.body["error"]?.["details"] ?? answer.body["error"])}`
        const a = yield* post({ email: "a@example.com", externalId: "A" })
        const b = yield* post({ email: "b@example.com" })
        assert.strictEqual(line(a), "201 a@example.com A")
        assert.strictEqual(line(yield* post({ externalId: "A" })), "200 a@example.com A")
        assert.strictEqual(line(yield* post({ externalId: "A", email: "a@example.com" })), "200 a@example.com A")
        assert.strictEqual(line(yield* post({ externalId: "A", email: "a2@example.com" })), "200 a2@example.com A")
        const taken = yield* post({ externalId: "A", email: "b@example.com" })
        assert.strictEqual(line(taken), `409 {"email":"b@example.com","contactId":"${b.body.id}"}`)
        assert.strictEqual(line(yield* post({ externalId: "B", email: "b@example.com" })), "200 b@example.com B")
        const other = yield* post({ externalId: "X", email: "b@example.com" })
        assert.strictEqual(line(other), `409 {"reason":"external_id_taken","contactId":"${b.body.id}"}`)
        assert.strictEqual(line(yield* post({ externalId: "C", email: "c@example.com" })), "201 c@example.com C")
        assert.deepStrictEqual(
          yield* post({ externalId: "D" }).pipe(Effect.map(({ status, body }) => [status, body])),
          [400, { error: "Email is required" }]
        )
        assert.deepStrictEqual(yield* post({}).pipe(Effect.map(({ status, body }) => [status, body])), [
          400,
          { error: "Email is required" }
        ])
        for (const externalId of ["", "x".repeat(201), "a\nb"]) {
          assert.strictEqual((yield* post({ externalId, email: "d@example.com" })).status, 422)
        }
        assert.deepStrictEqual(
          (yield* eventsOf(mine)).map(({ name, data }) => [name, data]),
          [["contact.email_changed", { previousEmail: "a@example.com" }]]
        )
      })
    )

    it.effect("PATCH sets, refuses and clears the external id; case counts; a list finds it", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const a = yield* mine.ask("POST", "/contacts", { email: "a@example.com", externalId: "A" })
        const b = yield* mine.ask("POST", "/contacts", { email: "b@example.com" })
        const patch = (id: string, body: object) => mine.outcome("PATCH", `/contacts/${id}`, body)
        assert.strictEqual(yield* patch(b.body.id, { externalId: "A" }), "409 external_id_taken")
        assert.strictEqual(yield* patch(b.body.id, { externalId: "a" }), "200 ok")
        const find = (query: string) =>
          Effect.map(mine.ask("GET", `/contacts?${query}`), ({ body }) =>
            body.data.map(({ email }: { email: string }) => email)
          )
        assert.deepStrictEqual(yield* find("externalId=A"), ["a@example.com"])
        assert.deepStrictEqual(yield* find("externalId=a"), ["b@example.com"])
        assert.deepStrictEqual(yield* find("externalId=a&email=a@example.com"), [])
        assert.deepStrictEqual(yield* find("externalId=b"), [])
        assert.strictEqual(yield* patch(a.body.id, { externalId: null }), "200 ok")
        assert.strictEqual(yield* patch(b.body.id, { externalId: "A" }), "200 ok")
        yield* patch(a.body.id, { email: "a2@example.com" })
        yield* patch(b.body.id, { email: "b2@example.com" })
        assert.deepStrictEqual(
          (yield* eventsOf(mine)).map(({ name, data }) => [name, data]),
          [
            ["contact.email_changed", { previousEmail: "a@example.com" }],
            ["contact.email_changed", { previousEmail: "b@example.com" }]
          ]
        )
        yield* mine.ask("DELETE", `/contacts/${b.body.id}`)
        assert.strictEqual(yield* patch(a.body.id, { externalId: "A" }), "200 ok")
        const theirs = yield* freshProject
        assert.strictEqual(
          (yield* theirs.ask("POST", "/contacts", { email: "a@example.com", externalId: "A" })).status,
          201
        )
      })
    )

    it.effect("50 parallel calls with one new id and two addresses make one contact", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const answers = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) =>
            mine.ask("POST", "/contacts", { externalId: "A", email: `a${n % 2}@example.com`, data: { [`n${n}`]: n } }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(answers.map(({ body }) => body.id))].length, 1)
        assert.deepStrictEqual(answers.filter(({ status }) => status === 201).length, 1)
        const { body } = yield* mine.ask("GET", "/contacts")
        assert.strictEqual(body.total, 1)
        assert.lengthOf(Object.keys(body.data[0].data), 50)
      })
    )
  })
}

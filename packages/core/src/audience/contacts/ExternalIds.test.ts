/** The caller's own ids: wherever a request names a contact, the same names mean the same contact. */
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Domains } from "../../mail/domains/Domains.ts"
import type { RunnableJob } from "../../platform/jobs/Job.ts"
import * as JobRunner from "../../platform/jobs/JobRunner.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { Wire, wireOver } from "../../testing/TestClient.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import * as ContactAliases from "./ContactAliases.ts"
import { checkJob, importJob } from "./files/ContactImportJob.ts"

interface Names {
  readonly email?: string
  readonly externalId?: string
}

/** One project verifies a domain. */
const domainOf = ({ project }: TestProject) => `p${project.slice(-12)}.test`

const mailOf = (mine: TestProject) => ({ from: `hi@${domainOf(mine)}`, subject: "Hi", body: "<p>Hi</p>" })

const summary = ({ status, body }: { readonly status: number; readonly body: { readonly error?: unknown } }) => {
  if (status < 300) return "ok"
  const { error } = body as {
    readonly error:
      | { readonly code?: string; readonly details?: object; readonly errors?: ReadonlyArray<object> }
      | string
  }
  if (typeof error === "string") return `${status} ${error}`
  const [fault] = (error.errors ?? []) as ReadonlyArray<{ readonly field: string; readonly code: string }>
  return fault ? `${status} ${fault.field} ${fault.code}` : `${status} ${error.code} ${JSON.stringify(error.details)}`
}

/** The ways in which a server names a contact. Each says what became of the call. */
const requests: {
  readonly [request: string]: (mine: TestProject, names: Names) => ReturnType<TestProject["ask"]>
} = {
  "POST /contacts": (mine, names) => mine.ask("POST", "/contacts", names),
  "POST /events/track": (mine, names) => mine.ask("POST", "/events/track", { ...names, event: "visit" }),
  "POST /v1/send": (mine, names) => mine.ask("POST", "/v1/send", { ...mailOf(mine), to: names }),
  "POST /v1/send to a list": (mine, names) => mine.ask("POST", "/v1/send", { ...mailOf(mine), to: [names] }),
  "POST /v1/batch": (mine, names) => mine.ask("POST", "/v1/batch", { emails: [{ ...mailOf(mine), to: names }] })
}

const missing: { readonly [request: string]: string } = {
  "POST /contacts": "400 Email is required",
  "POST /events/track": "422 email required",
  "POST /v1/send": "422 to.externalId custom",
  "POST /v1/send to a list": "422 to.0.externalId custom",
  "POST /v1/batch": "422 emails.0.to.externalId custom"
}

const contactsOf = (mine: TestProject) =>
  Effect.map(mine.ask("GET", "/contacts?sort=email&dir=asc"), ({ body }) =>
    body.data.map(({ email, externalId }: { email: string; externalId: string | null }) => `${email} ${externalId}`)
  )

const eventsOf = ({ project }: TestProject, name: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select data from events where project_id = ${project} and name = ${name} order by created_at, id`
  )

const shop = Effect.gen(function* () {
  const mine = yield* freshProject
  yield* Effect.orDie(Domains.use((domains) => domains.add(mine.project, { domain: domainOf(mine) })))
  const a = yield* mine.ask("POST", "/contacts", { email: "a@example.com", externalId: "A" })
  const b = yield* mine.ask("POST", "/contacts", { email: "b@example.com" })
  return { mine, a: a.body.id as string, b: b.body.id as string }
})

const jobs: ReadonlyArray<RunnableJob<TestServices | SqlClient.SqlClient>> = [checkJob, importJob]

const imported = (mine: TestProject, csv: string, fields: Record<string, string> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const handler = yield* Wire
      const form = new FormData()
      form.append("file", new File([csv], "contacts.csv", { type: "text/csv" }))
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      const request = new Request("http://posthorn/contacts/import", {
        method: "POST",
        headers: mine.credential,
        body: form
      })
      const response = yield* Effect.promise(() => handler(request))
      const { jobId } = JSON.parse(yield* Effect.promise(() => response.text()))
      yield* Layer.build(JobRunner.layer(jobs))
      const job = yield* eventually(
        Effect.andThen(TestClock.adjust("1 second"), mine.ask("GET", `/contacts/import/${jobId}`)),
        ({ body }) => body.finishedAt !== null
      )
      return job.body.result
    })
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`The caller's ids on ${name}`, (it) => {
    for (const [request, call] of Object.entries(requests)) {
      it.effect(`${request}: the id finds the contact, cell by cell`, () =>
        Effect.gen(function* () {
          const { mine, b } = yield* shop
          const tell = (names: Names) => Effect.map(call(mine, names), summary)
          const index = request === "POST /v1/batch" ? `,"index":0` : ""
          assert.strictEqual(yield* tell({ externalId: "A" }), "ok")
          assert.strictEqual(yield* tell({ externalId: "A", email: "a@example.com" }), "ok")
          assert.deepStrictEqual(yield* contactsOf(mine), ["a@example.com A", "b@example.com null"])
          assert.strictEqual(yield* tell({ externalId: "A", email: "a2@example.com" }), "ok")
          assert.deepStrictEqual(yield* contactsOf(mine), ["a2@example.com A", "b@example.com null"])
          assert.strictEqual(
            yield* tell({ externalId: "A", email: "b@example.com" }),
            `409 EMAIL_ALREADY_EXISTS {"email":"b@example.com","contactId":"${b}"${index}}`
          )
          assert.strictEqual(yield* tell({ externalId: "B", email: "b@example.com" }), "ok")
          assert.strictEqual(
            yield* tell({ externalId: "X", email: "b@example.com" }),
            `409 CONFLICT {"reason":"external_id_taken","contactId":"${b}"${index}}`
          )
          assert.strictEqual(yield* tell({ externalId: "C", email: "c@example.com" }), "ok")
          assert.strictEqual(yield* tell({ externalId: "D" }), missing[request])
          assert.deepStrictEqual(yield* contactsOf(mine), ["a2@example.com A", "b@example.com B", "c@example.com C"])
          assert.deepStrictEqual(
            (yield* eventsOf(mine, "contact.email_changed")).map(({ data }) => data),
            [{ previousEmail: "a@example.com" }]
          )
        })
      )
    }

    it.effect("POST /v1/send goes to the address of the contact, and all recipients or none are changed", () =>
      Effect.gen(function* () {
        const { mine } = yield* shop
        const send = (to: unknown, more: object = {}) => mine.ask("POST", "/v1/send", { ...mailOf(mine), ...more, to })
        const { body } = yield* send([{ externalId: "A", name: "Ada" }, "new@example.com"], { data: { plan: "pro" } })
        assert.deepStrictEqual(
          body.data.emails.map(({ contact }: { contact: { email: string } }) => contact.email),
          ["a@example.com", "new@example.com"]
        )
        const [ada] = (yield* mine.ask("GET", "/contacts?externalId=A")).body.data
        assert.deepStrictEqual(ada.data, { plan: "pro", name: "Ada" })
        const before = yield* contactsOf(mine)
        const refused = yield* send([{ externalId: "A", email: "moved@example.com" }, { externalId: "nobody" }])
        assert.strictEqual(summary(refused), "422 to.1.externalId custom")
        const faulty = yield* send({ externalId: "A", email: "moved@example.com" }, { from: "hi@other.example" })
        assert.strictEqual(faulty.status, 403)
        assert.deepStrictEqual(yield* contactsOf(mine), before)
        assert.strictEqual(summary(yield* send({ name: "Nobody" })), "422 to.email required")
      })
    )

    it.effect(
      "POST /v1/batch: a refused item leaves no address and no id behind; later items follow earlier ones",
      () =>
        Effect.gen(function* () {
          const { mine } = yield* shop
          const item = (to: unknown, more: object = {}) => ({ ...mailOf(mine), to, ...more })
          const { body } = yield* mine.ask("POST", "/v1/batch", {
            atomic: false,
            emails: [
              item({ externalId: "A", email: "moved@example.com" }),
              item({ externalId: "A" }),
              item({ externalId: "B", email: "b@example.com" }, { body: "{{gone}}", strict: true }),
              item({ externalId: "A", email: "b@example.com" }),
              item({ externalId: "N", email: "new@example.com" }),
              item({ externalId: "N" })
            ]
          })
          assert.deepStrictEqual(
            body.data.results.map(
              ({ emails, error }: { emails?: [{ contact: { email: string } }]; error?: { code: string } }) =>
                emails ? emails[0].contact.email : error?.code
            ),
            [
              "moved@example.com",
              "moved@example.com",
              "VALIDATION_ERROR",
              "EMAIL_ALREADY_EXISTS",
              "new@example.com",
              "new@example.com"
            ]
          )
          assert.deepStrictEqual(yield* contactsOf(mine), [
            "b@example.com null",
            "moved@example.com A",
            "new@example.com N"
          ])
          const atomic = yield* mine.ask("POST", "/v1/batch", {
            emails: [item({ externalId: "A", email: "back@example.com" }), item({ externalId: "unknown" })]
          })
          assert.strictEqual(summary(atomic), "422 emails.1.to.externalId custom")
          assert.include(yield* contactsOf(mine), "moved@example.com A")
        })
    )

    it.effect("20 parallel sends to one new id with two addresses make one contact", () =>
      Effect.gen(function* () {
        const { mine } = yield* shop
        const answers = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, n) => n),
          (n) =>
            mine.ask("POST", n % 2 ? "/v1/send" : "/events/track", {
              ...(n % 2
                ? { ...mailOf(mine), to: { externalId: "N", email: `n${n % 4}@example.com` } }
                : { event: "visit", externalId: "N", email: `n${n % 4}@example.com` })
            }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          answers.map(() => 200)
        )
        assert.lengthOf(yield* contactsOf(mine), 3)
      })
    )

    it.effect("an import finds by id, and a conflict is a faulty row; a dry run foresees the same", () =>
      Effect.gen(function* () {
        const { mine } = yield* shop
        const csv = [
          "externalId,email,plan",
          "A,,pro",
          "A,a2@example.com,gold",
          "A,b@example.com,never",
          "B,b@example.com,silver",
          "X,b@example.com,never",
          "C,c@example.com,new",
          "C,,newer",
          "D,,never",
          ",d@example.com,plain",
          `${"x".repeat(201)},e@example.com,never`
        ].join("\n")
        const check = yield* imported(mine, csv, { dryRun: "true" })
        assert.deepStrictEqual(yield* contactsOf(mine), ["a@example.com A", "b@example.com null"])
        const result = yield* imported(mine, csv)
        const rows = (errors: ReadonlyArray<{ row: number; error: string }>) =>
          errors.map(({ row, error }) => [row, error])
        assert.deepStrictEqual(
          rows(result.errors).map(([row]) => row),
          [4, 6, 9, 11]
        )
        assert.deepStrictEqual(rows(check.errors), rows(result.errors))
        assert.deepInclude(result, { totalRows: 10, createdCount: 2, updatedCount: 4, failureCount: 4 })
        assert.deepInclude(check, { totalRows: 10, wouldCreate: 2, wouldUpdate: 4, failureCount: 4 })
        const { body } = yield* mine.ask("GET", "/contacts?sort=email&dir=asc")
        assert.deepStrictEqual(
          body.data.map((_: { email: string; externalId: string; data: { plan: string } }) => [
            _.email,
            _.externalId,
            _.data.plan
          ]),
          [
            ["a2@example.com", "A", "gold"],
            ["b@example.com", "B", "silver"],
            ["c@example.com", "C", "newer"],
            ["d@example.com", null, "plain"]
          ]
        )
        const only = yield* imported(mine, "externalId,plan\nA,by id\nnobody,no")
        assert.deepInclude(only, { updatedCount: 1, failureCount: 1 })
        const exported = yield* mine.ask("GET", "/contacts/export")
        assert.match(exported.body, /^id,email,subscribed,createdAt,updatedAt,externalId,/)
        assert.include(exported.body, ",A,subscribed,,by id")
      })
    )

    it.effect("a lookup takes ids beside or instead of addresses", () =>
      Effect.gen(function* () {
        const { mine } = yield* shop
        const look = (body: object) => Effect.map(mine.ask("POST", "/contacts/lookup", body), ({ body }) => body)
        assert.deepStrictEqual(yield* look({ externalIds: ["A", "a", "A"] }), {
          found: [],
          notFound: [],
          invalid: [],
          foundExternalIds: ["A"],
          notFoundExternalIds: ["a"]
        })
        assert.deepStrictEqual(yield* look({ emails: ["a@example.com"], externalIds: ["B"] }), {
          found: ["a@example.com"],
          notFound: [],
          invalid: [],
          foundExternalIds: [],
          notFoundExternalIds: ["B"]
        })
        assert.deepStrictEqual(yield* look({ emails: ["b@example.com"] }), {
          found: ["b@example.com"],
          notFound: [],
          invalid: []
        })
        for (const body of [{}, { externalIds: [] }, { externalIds: Array.from({ length: 501 }, String) }]) {
          assert.strictEqual((yield* mine.ask("POST", "/contacts/lookup", body)).status, 422)
        }
      })
    )

    it.effect("the public key only finds: it sets no id, changes no address, and its ids are its own", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* shop
        const track = (body: object) => mine.track({ event: "visit", ...body })
        const moved = yield* track({ externalId: "A", email: "evil@example.com", data: { seen: true } })
        assert.deepStrictEqual([moved.status, moved.body.data.contact], [200, a])
        assert.strictEqual((yield* track({ externalId: "A" })).body.data.contact, a)
        assert.strictEqual((yield* track({ externalId: "A", email: "b@example.com" })).body.data.contact, a)
        assert.deepStrictEqual(yield* contactsOf(mine), ["a@example.com A", "b@example.com null"])
        assert.strictEqual(summary(yield* track({ externalId: "U" })), "422 email required")
        assert.strictEqual(summary(yield* track({})), "422 email required")
        assert.strictEqual((yield* track({ externalId: "U", email: "b@example.com" })).body.data.contact, b)
        assert.strictEqual((yield* track({ externalId: "U" })).body.data.contact, b)
        assert.strictEqual((yield* track({ externalId: "U", email: "a@example.com" })).body.data.contact, b)
        assert.deepStrictEqual(yield* contactsOf(mine), ["a@example.com A", "b@example.com null"])
        // A server does not believe the id, and may give it to somebody else.
        assert.strictEqual(
          summary(yield* mine.ask("POST", "/events/track", { event: "visit", externalId: "U" })),
          "422 email required"
        )
        const look = yield* mine.ask("POST", "/contacts/lookup", { externalIds: ["U"] })
        assert.deepStrictEqual(look.body.foundExternalIds, [])
        const own = yield* mine.ask("POST", "/contacts", { email: "u@example.com", externalId: "U" })
        assert.strictEqual(own.status, 201)
        assert.strictEqual((yield* track({ externalId: "U" })).body.data.contact, own.body.id)
        assert.isEmpty(yield* eventsOf(mine, "contact.email_changed"))
      })
    )

    it.effect("a verified id finds the contact for servers, and cannot be taken from it", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* shop
        const aliases = yield* ContactAliases.make
        yield* aliases.add(mine.project, [{ alias: "old", contactId: ContactId.make(a) }], true, yield* DateTime.now)
        const found = yield* mine.ask("POST", "/contacts", { externalId: "old", data: { plan: "pro" } })
        assert.deepInclude(found.body, { id: a, externalId: "A", data: { plan: "pro" } })
        assert.strictEqual((yield* mine.ask("GET", "/contacts?externalId=old")).body.data[0].id, a)
        assert.strictEqual((yield* mine.track({ event: "visit", externalId: "old" })).body.data.contact, a)
        const taken = yield* mine.ask("PATCH", `/contacts/${b}`, { externalId: "old" })
        assert.deepStrictEqual(taken.body.error.details, { reason: "external_id_taken", contactId: a })
        yield* mine.ask("DELETE", `/contacts/${a}`)
        assert.strictEqual((yield* mine.ask("PATCH", `/contacts/${b}`, { externalId: "old" })).status, 200)
      })
    )

    it.effect("a contact keeps its newest 100 ids, and those of a server before those of the public key", () =>
      Effect.gen(function* () {
        const { mine, a } = yield* shop
        const aliases = yield* ContactAliases.make
        const contactId = ContactId.make(a)
        const now = yield* DateTime.now
        yield* aliases.add(mine.project, [{ alias: "server", contactId }], true, now)
        for (let n = 0; n < 101; n++) {
          yield* aliases.add(
            mine.project,
            [{ alias: `p${n}`, contactId }],
            false,
            DateTime.add(now, { seconds: n + 1 })
          )
        }
        const kept = yield* aliases.find(mine.project, ["server", "p0", "p1", "p2", "p100"], "any")
        assert.deepStrictEqual(
          kept.map(({ alias }) => alias),
          ["p100", "p2", "server"]
        )
      })
    )
  })
}

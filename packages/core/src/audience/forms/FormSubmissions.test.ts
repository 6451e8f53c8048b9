import { assert, layer } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { wire } from "../../testing/TestClient.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import { from, hidden, newForm, postForm, postJson, submit, ticketOf, visit } from "./FormsFixture.ts"

const contactOf = ({ ask }: TestProject, email: string) =>
  Effect.map(ask("GET", `/contacts?email=${encodeURIComponent(email)}`), ({ body }) => body.data[0])

const countOf = ({ ask }: TestProject) => Effect.map(ask("GET", "/contacts"), ({ body }) => body.total as number)

const countsOf = ({ ask }: TestProject, { id }: { readonly id: string }) =>
  Effect.map(ask("GET", `/forms/${id}`), ({ body }) => [body.submissionCount, body.confirmedCount, body.spamCount])

const eventsOf = ({ ask }: TestProject, name: string) =>
  Effect.map(ask("GET", `/events?source=system&eventName=${encodeURIComponent(name)}`), ({ body }) => body.data)

const fields = [
  { key: "firstName", label: "First name", type: "text", required: true, maxLength: 20 },
  { key: "age", label: "Age", type: "number" },
  { key: "born", label: "Born", type: "date" },
  { key: "size", label: "Size", type: "select", options: ["S", "M", "L"] },
  { key: "partner", label: "Partner", type: "checkbox" },
  { key: "campaign", label: "Campaign", type: "hidden" },
  { key: "locale", label: "Language", type: "text" }
]

const filledIn = {
  firstName: " Ada ",
  age: "36.5",
  born: "1815-12-10",
  size: "M",
  partner: "on",
  campaign: "spring",
  locale: "de-at"
}
const stored = {
  firstName: "Ada",
  age: 36.5,
  born: "1815-12-10",
  size: "M",
  partner: true,
  campaign: "spring",
  locale: "de-AT"
}

layer(wire, { timeout: "120 seconds", excludeTestServices: false })("submissions of forms", (it) => {
  it.effect("make a contact with typed values, join the segments, and are an event, all in one", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const { body: segment } = yield* own.ask("POST", "/segments", { name: "Readers", type: "STATIC" })
      const form = yield* newForm(own, { fields, segmentIds: [segment.id] })
      const answer = yield* submit(form, { email: "Ada@Example.com", ...filledIn, unknown: "dropped" })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.deepStrictEqual(Object.keys(answer.json.data), ["status", "message"])
      assert.strictEqual(answer.json.data.status, "received")
      const contact = yield* contactOf(own, "ada@example.com")
      assert.deepInclude(contact, {
        subscribed: true,
        data: stored,
        locale: "de-AT",
        origin: { source: "form", id: form.id }
      })
      const [event] = yield* eventsOf(own, "form.newsletter.submitted")
      assert.deepInclude(event, {
        contactId: contact.id,
        source: "system",
        data: { formId: form.id, formKey: "newsletter", fields: stored, topics: [], status: "subscribed" }
      })
      const { body: members } = yield* own.ask("GET", `/segments/${segment.id}/contacts`)
      assert.deepStrictEqual(
        members.data.map(({ email }: { email: string }) => email),
        ["ada@example.com"]
      )
      assert.deepStrictEqual(yield* countsOf(own, form), [1, 1, 0])
    })
  )

  it.effect("never change what a contact has said about itself", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { fields })
      yield* own.ask("POST", "/contacts", {
        email: "ada@example.com",
        subscribed: true,
        data: { firstName: "Augusta", plan: "pro", partner: false }
      })
      const answer = yield* submit(form, { email: "ada@example.com", ...filledIn })
      assert.strictEqual(answer.status, 200)
      const contact = yield* contactOf(own, "ada@example.com")
      assert.deepStrictEqual(contact.data, { ...stored, firstName: "Augusta", plan: "pro", partner: false })
      assert.isTrue(contact.subscribed)
      assert.strictEqual(contact.origin.source, "api")
    })
  )

  it.effect("what does not fit into the data of a contact is left out, and the rest is stored", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { fields: [{ key: "note", label: "Note", maxLength: 5000 }] })
      const data = { big: "x".repeat(65_000) }
      yield* own.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false, data })
      const answer = yield* submit(form, { email: "ada@example.com", note: "y".repeat(5000) })
      assert.strictEqual(answer.status, 200, answer.text)
      const contact = yield* contactOf(own, "ada@example.com")
      assert.deepStrictEqual([contact.data, contact.subscribed], [data, true])
    })
  )

  it.effect("answer the same for new and known contacts, and to programs that fill in the hidden field", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own)
      const first = yield* submit(form, { email: "ada@example.com" })
      const second = yield* submit(form, { email: "ada@example.com" })
      const spam = yield* submit(form, { email: "bob@example.com", website: "https://spam.example" })
      assert.deepStrictEqual([second.status, second.json], [first.status, first.json])
      assert.deepStrictEqual([spam.status, spam.json], [first.status, first.json])
      assert.deepStrictEqual(yield* countsOf(own, form), [2, 1, 1])
      assert.isUndefined(yield* contactOf(own, "bob@example.com"))
    })
  )

  it.effect("the hidden field has another name where a field of the form has its name", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { fields: [{ key: "website", label: "Your website" }] })
      assert.strictEqual((yield* visit(`${form.path}/definition`)).json.honeypot, "homepage")
      yield* submit(form, { email: "ada@example.com", website: "ada.example" })
      yield* submit(form, { email: "bob@example.com", website: "bob.example", homepage: "x" })
      assert.deepInclude(yield* contactOf(own, "ada@example.com"), { data: { website: "ada.example" } })
      assert.strictEqual(yield* countOf(own), 1)
    })
  )

  it.effect("a ticket works once: repeated, too young or expired, nothing is stored", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own)
      const other = yield* newForm(own, { name: "Other" })
      const ticket = yield* ticketOf(form)
      const first = yield* postJson(form, { email: "one@example.com", ticket })
      const repeated = yield* postJson(form, { email: "two@example.com", ticket })
      assert.deepStrictEqual([first.status, repeated.status, repeated.json], [200, 200, first.json])
      const { json } = yield* visit(`${form.path}/definition`)
      const { solve } = yield* Effect.promise(() => import("../../../forms-script/Search.ts"))
      const young = (yield* Effect.promise(() => solve(json.challenge))) ?? ""
      const instant = yield* postJson(form, { email: "three@example.com", ticket: young })
      assert.deepStrictEqual([instant.status, instant.json], [200, first.json])
      const fresh = yield* ticketOf(form)
      for (const [where, text] of [
        [other, fresh],
        [form, `${fresh.slice(0, -8)}AAAAAAAA`],
        [form, "nonsense"],
        [form, btoa(JSON.stringify({ algorithm: "SHA-256", number: 1 }))],
        [form, ""]
      ] as const) {
        const refused = yield* postJson(where, { email: "four@example.com", ticket: text })
        assert.strictEqual(refused.status, 422)
        assert.deepInclude(refused.json.error.errors[0], { field: "ticket", code: "custom" })
      }
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual((yield* postJson(form, { email: "five@example.com", ticket: fresh })).status, 422)
      assert.strictEqual(yield* countOf(own), 1)
      assert.deepStrictEqual(yield* countsOf(own, form), [1, 1, 2])
    })
  )

  it.effect("of posts at once with one ticket, one is stored", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own)
      const ticket = yield* ticketOf(form)
      const answers = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => n),
        (n) => postJson(form, { email: `reader-${n}@example.com`, ticket }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.strictEqual(yield* countOf(own), 1)
      assert.deepStrictEqual(yield* countsOf(own, form), [1, 1, 7])
    })
  )

  it.effect("a form that needs no ticket takes a plain post, urlencoded or multipart", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { requireTicket: false })
      assert.strictEqual((yield* postForm(form, { email: "ada@example.com" })).status, 200)
      const body = new FormData()
      body.set("email", "bob@example.com")
      body.set("file", new Blob(["x"]), "x.txt")
      assert.strictEqual((yield* visit(form.path, { method: "POST", body })).status, 200)
      assert.strictEqual(yield* countOf(own), 2)
    })
  )

  it.effect("without a ticket a page asks for one more step, which keeps the values and needs no script", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { fields })
      const step = yield* postForm(form, { email: "ada@example.com", ...filledIn, lang: "de" })
      assert.strictEqual(step.status, 200)
      assert.include(step.text, "Noch ein Schritt")
      assert.strictEqual(yield* countOf(own), 0)
      const names = ["email", ...Object.keys(filledIn), "lang", "ticket"]
      const sent = Object.fromEntries(names.map((name) => [name, hidden(step.text, name)]))
      yield* TestClock.adjust("2 seconds")
      const done = yield* postForm(form, sent)
      assert.include(done.text, "Vielen Dank")
      assert.deepInclude(yield* contactOf(own, "ada@example.com"), { data: stored, subscribed: true })
      // The second request too is worth one submission.
      yield* postForm(form, { ...sent, email: "bob@example.com" })
      assert.strictEqual(yield* countOf(own), 1)
    })
  )

  it.effect("faults are 422 at their fields, with the values kept, and nothing is stored", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, {
        fields,
        consentRequired: true,
        texts: { consentText: "I agree." }
      })
      const faulty = {
        email: "nobody",
        firstName: "",
        age: "old",
        born: "2026-02-30",
        size: "XL",
        campaign: "x".repeat(501),
        locale: "no language"
      }
      const json = yield* postJson(form, faulty)
      assert.strictEqual(json.status, 422)
      assert.deepStrictEqual(
        json.json.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
        [
          "email invalid_string",
          "firstName required",
          "age invalid_string",
          "born invalid_string",
          "size invalid_enum",
          "campaign too_big",
          "locale invalid_string",
          "consent required"
        ]
      )
      const page = yield* postForm(form, { ...faulty, lang: "fr", email: 'a"><script>alert(1)</script>' })
      assert.strictEqual(page.status, 422)
      assert.include(page.text, 'value="a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
      assert.include(
        page.text,
        'id="field-1" name="age" aria-invalid="true" aria-describedby="field-1-fault" value="old"'
      )
      assert.include(page.text, "Cette adresse e-mail n’est pas valide.")
      assert.strictEqual(yield* countOf(own), 0)
      assert.deepStrictEqual(yield* countsOf(own, form), [0, 0, 0])
    })
  )

  it.effect("values of a wrong JSON type are faults, not failures", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { fields, requireTicket: false })
      for (const value of [[], {}, [["x"]], "a\u0000b", "\ud800", { toString: 1 }]) {
        for (const field of ["email", "firstName", "age", "born", "size", "locale", "campaign"]) {
          const { status } = yield* postJson(form, { email: "ada@example.com", firstName: "Ada", [field]: value })
          assert.strictEqual(status, 422, `${field} ${JSON.stringify(value)}`)
        }
        for (const field of ["topics", "consent", "ticket", "lang", "partner"]) {
          const { status } = yield* postJson(form, {
            email: "ada@example.com",
            firstName: "Ada",
            [field]: value
          })
          assert.strictEqual(status, 200, `${field} ${JSON.stringify(value)}`)
        }
        yield* TestClock.adjust("1 minute")
      }
    })
  )

  it.effect("a page of another origin may not send a form that lists its origins, and stores nothing", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { allowedOrigins: ["https://shop.example"], requireTicket: false })
      const foreign = { origin: "https://evil.example" }
      const json = yield* postJson(form, { email: "a@example.com" }, foreign)
      assert.deepStrictEqual([json.status, json.json.error.details.reason], [403, "origin"])
      assert.strictEqual((yield* postForm(form, { email: "a@example.com" }, foreign)).status, 403)
      assert.strictEqual(yield* countOf(own), 0)
      const shop = { origin: "https://shop.example" }
      const taken = yield* postJson(form, { email: "a@example.com" }, shop)
      assert.deepStrictEqual(
        [taken.status, taken.headers.get("access-control-allow-origin")],
        [200, "https://shop.example"]
      )
      // The page of the service, and pages without an origin.
      assert.strictEqual(
        (yield* postForm(form, { email: "b@example.com" }, { origin: "https://posthorn.example" })).status,
        200
      )
      assert.strictEqual((yield* postForm(form, { email: "c@example.com" })).status, 200)
      const read = yield* visit(`${form.path}/definition`, { headers: foreign })
      assert.isNull(read.headers.get("access-control-allow-origin"))
      const open = yield* newForm(own, { name: "Open" })
      const anyone = yield* visit(`${open.path}/definition`, { headers: foreign })
      assert.strictEqual(anyone.headers.get("access-control-allow-origin"), "*")
      const preflight = yield* visit(open.path, {
        method: "OPTIONS",
        headers: {
          ...foreign,
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type"
        }
      })
      assert.deepStrictEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"])
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /Content-Type/)
    })
  )

  it.effect("1,000 posts from one network store ten of them, and a post of another network still counts", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { requireTicket: false })
      const answers = yield* Effect.forEach(
        Array.from({ length: 1_000 }, (_, n) => n),
        (n) => postJson(form, { email: `reader-${n}@example.com` }, from(`203.0.113.${n % 250}`)),
        { concurrency: 16 }
      )
      const limited = answers.filter(({ status }) => status === 429)
      assert.deepStrictEqual([answers.length - limited.length, limited.length], [10, 990])
      assert.isTrue(limited.every(({ headers }) => Number(headers.get("retry-after")) > 500))
      assert.strictEqual(yield* countOf(own), 10)
      const page = yield* postForm(form, { email: "x@example.com" }, from("203.0.113.7"))
      assert.deepStrictEqual([page.status, page.headers.get("retry-after") !== null], [429, true])
      assert.strictEqual((yield* postJson(form, { email: "o@example.com" }, from("198.51.100.7"))).status, 200)
      const v6 = (n: number) => from(`2001:db8:1:2::${n.toString(16)}`)
      for (let n = 1; n <= 11; n++) {
        const { status } = yield* postJson(form, { email: `v6-${n}@example.com` }, v6(n))
        assert.strictEqual(status, n <= 10 ? 200 : 429)
      }
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* postJson(form, { email: "later@example.com" }, from("203.0.113.9"))).status, 200)
    })
  )

  it.effect("a form takes 300 posts in a minute, whoever sends them", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own)
      const statuses = yield* Effect.forEach(
        Array.from({ length: 310 }, (_, n) => n),
        (n) => Effect.map(postJson(form, {}, from(`10.1.${n}.1`)), ({ status }) => status),
        { concurrency: 16 }
      )
      assert.strictEqual(statuses.filter((status) => status === 429).length, 10)
    })
  )

  it.effect("an unknown, disabled or deleted form, and one of a disabled project, is a 404 of its kind", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { requireTicket: false })
      const off = yield* newForm(own, { name: "Off", enabled: false })
      const gone = yield* newForm(own, { name: "Gone" })
      yield* own.ask("DELETE", `/forms/${gone.id}`)
      const sql = yield* SqlClient.SqlClient
      const unknown = { ...form, path: "/f/AAAAAAAAAAAAAAAAAAAAAA" }
      const odd = { ...form, path: "/f/%00" }
      const areGone = Effect.fnUntraced(function* (...all: ReadonlyArray<typeof form>) {
        for (const each of all) {
          const page = yield* visit(each.path)
          assert.deepStrictEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"])
          const json = yield* postJson(each, { email: "ada@example.com" })
          assert.deepStrictEqual([json.status, json.json.error.details.resource], [404, "form"])
          assert.strictEqual((yield* postForm(each, { email: "ada@example.com" })).status, 404)
          assert.strictEqual((yield* visit(`${each.path}/definition`)).json.error.code, "RESOURCE_NOT_FOUND")
        }
      })
      yield* areGone(unknown, odd, off, gone)
      assert.strictEqual((yield* visit(form.path)).status, 200)
      yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${own.project}`
      yield* areGone(form)
    })
  )

  it.effect("bodies that are too long, of another type or no JSON are refused", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { requireTicket: false })
      assert.strictEqual((yield* postJson(form, { email: "x".repeat(70_000) })).status, 413)
      assert.strictEqual((yield* postForm(form, { email: "x".repeat(70_000) })).status, 413)
      for (const [text, expected] of [
        ["{", 400],
        ["[".repeat(5_000), 400],
        ["[]", 422],
        ["null", 422],
        ['"x"', 422]
      ] as const) {
        const { status } = yield* postJson(form, text)
        assert.strictEqual(status, expected, text.slice(0, 10))
      }
      const send = (type: string, headers: Record<string, string> = {}) =>
        visit(form.path, {
          method: "POST",
          body: "email=ada@example.com",
          headers: { "content-type": type, ...headers }
        })
      assert.strictEqual((yield* send("text/xml")).status, 415)
      assert.strictEqual((yield* send("application/x-www-form-urlencoded", { "content-encoding": "gzip" })).status, 415)
      assert.strictEqual((yield* send("multipart/form-data; boundary=x")).status, 422)
      assert.strictEqual((yield* send(`${"a".repeat(5_000)}/b`)).status, 415)
      assert.strictEqual(yield* countOf(own), 0)
    })
  )

  it.effect("a redirect leads to the address of the record only", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const redirectUrl = "https://shop.example/thanks?a=1"
      const form = yield* newForm(own, { redirectUrl, requireTicket: false })
      const { status, headers } = yield* postForm(form, {
        email: "ada@example.com",
        redirectUrl: "https://evil.example",
        redirect: "https://evil.example"
      })
      assert.deepStrictEqual([status, headers.get("location")], [303, redirectUrl])
      const page = yield* visit(form.path)
      assert.match(page.headers.get("content-security-policy") ?? "", /form-action 'self' https:\/\/shop\.example;/)
    })
  )

  it.effect("are counted by their result", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const form = yield* newForm(own, { requireTicket: false })
      yield* postJson(form, { email: "ada@example.com" })
      yield* postJson(form, { email: "ada@example.com", website: "x" })
      const results = (yield* Metric.snapshot)
        .filter(({ id }) => id === "posthorn_form_submissions_total")
        .map(({ attributes }) => attributes?.["result"])
      assert.includeMembers(results, ["stored", "spam"])
    })
  )

  it.effect("a failure in the middle stores nothing, and the ticket still works", () =>
    Effect.gen(function* () {
      const own = yield* freshProject
      const sql = yield* SqlClient.SqlClient
      const form = yield* newForm(own)
      const ticket = yield* ticketOf(form)
      yield* sql.unsafe(`alter table form_counts add constraint broken check (form_id <> '${form.id}'::uuid)`)
      const failed = yield* postJson(form, { email: "ada@example.com", ticket })
      assert.strictEqual(failed.status, 500)
      assert.strictEqual(yield* countOf(own), 0)
      assert.deepStrictEqual(yield* eventsOf(own, "form.newsletter.submitted"), [])
      yield* sql`alter table form_counts drop constraint broken`
      assert.strictEqual((yield* postJson(form, { email: "ada@example.com", ticket })).status, 200)
      assert.strictEqual(yield* countOf(own), 1)
    })
  )
})

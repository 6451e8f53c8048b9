import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { DateTime, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SystemMailSender } from "../../mail/sending/SystemMailSender.ts"
import { Failpoint } from "../../platform/Failpoint.ts"
import { type LinkTarget, RequestLinks } from "../../platform/links/RequestLinks.ts"
import { Mailer } from "../../platform/Mailer.ts"
import { languages } from "../../platform/web/Languages.ts"
import { emailsTo } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { Peer } from "../../testing/MailerMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { DataSubjectRequests } from "../contacts/DataSubjectRequests.ts"
import { askingProject, eventsOf, submit, visit } from "../optins/OptInsFixture.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import * as PrivacyRequests from "./PrivacyRequests.ts"
import { privacyWords } from "./PrivacyWords.ts"

const advance = Effect.flatMap(PrivacyRequests.make, (requests) => requests.advance)

let people = 0

/** A contact with the token of its page of preferences. */
const person = Effect.fnUntraced(function* ({ ask }: TestProject, fields: object = {}) {
  const email = `reader-${++people}@example.com`
  const { body } = yield* ask("POST", "/contacts", { email, data: { nick: "Lovelace" }, ...fields })
  const { body: links } = yield* ask("GET", `/contacts/${body.id}/links`)
  return { id: ContactId.make(body.id), email, token: String(links.token), page: `/manage/${links.token}` }
})
type Person = Effect.Success<ReturnType<typeof person>>

const allow = ({ ask }: TestProject, selfService: object) => ask("PATCH", "/settings/audience", { selfService })

/** Asks by the endpoint, as a page of the project's own does. */
const post = ({ token }: Pick<Person, "token">, body: unknown) =>
  visit(`/public/preferences/${token}/requests`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

/** The links that were mailed to the address, as paths, oldest first. */
const linksTo = ({ email }: Pick<Person, "email">) =>
  Effect.map(emailsTo(email), (mails) =>
    mails.flatMap(({ body }) => /https:\/\/posthorn\.example(\/privacy\/[\w-]+)/.exec(body)?.[1] ?? [])
  )

/** Asks, and returns the path of the mailed link. */
const asked = Effect.fnUntraced(function* (who: Person, type: "ERASURE" | "EXPORT") {
  assert.strictEqual((yield* post(who, { type })).status, 202)
  return (yield* linksTo(who)).at(-1) ?? ""
})

const confirm = (path: string) => submit(path, { confirm: "1" })

const requestsOf = ({ ask }: TestProject, query = "") =>
  Effect.map(ask("GET", `/privacy-requests${query}`), ({ body }) => body.data)

/** A member, whose mail the tests read. */
const memberOf = Effect.fnUntraced(function* ({ project }: TestProject, role: "ADMIN" | "MEMBER" | "OWNER") {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  const email = `${role.toLowerCase()}-${project}@example.org`
  yield* sql`
    insert into users (id, email, email_verified, created_at, updated_at)
    values (${id}, ${email}, true, now(), now())`
  yield* sql`insert into members (project_id, user_id, role, created_at) values (${project}, ${id}, ${role}, now())`
  return { email }
})

const auditOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(sql`select action, actor, details from audit_log where project_id = ${project} order by id`, (rows) =>
      rows.filter(({ action }) => String(action).startsWith("privacy_request."))
    )
  )

/** The rows of all tables, as one text. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'posthorn'`
  const rows = yield* Effect.forEach(tables, ({ name }) => sql`select t::text as row from ${sql(name)} t`)
  return JSON.stringify(rows).toLowerCase()
})

const privacyEvents = (acme: TestProject) =>
  Effect.map(eventsOf(acme), (events) =>
    events.filter(({ name }) => name === "contact.privacy_requested").map(({ data }) => data)
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Privacy requests, on ${name}`,
    (it) => {
      it.effect("what the settings do not allow has no endpoint and no button", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          const ada = yield* person(acme)
          const statuses = Effect.forEach(["EXPORT", "ERASURE"], (type) =>
            Effect.map(post(ada, { type }), ({ status }) => status)
          )
          const buttons = Effect.map(visit(ada.page), ({ text }) =>
            [...text.matchAll(/name="request" value="(\w+)"/g)].map(([, type]) => type)
          )
          assert.deepStrictEqual([yield* statuses, yield* buttons], [[404, 404], []])
          assert.strictEqual((yield* post(ada, "nonsense")).status, 404)
          yield* submit(ada.page, { request: "ERASURE" })
          yield* allow(acme, { export: true })
          assert.deepStrictEqual([yield* statuses, yield* buttons], [[202, 404], ["EXPORT"]])
          yield* allow(acme, { export: false, erasure: "request" })
          assert.deepStrictEqual([yield* statuses, yield* buttons], [[404, 202], ["ERASURE"]])
          assert.deepStrictEqual(
            (yield* requestsOf(acme)).map(({ type }: { type: string }) => type),
            ["ERASURE", "EXPORT"]
          )
        })
      )

      it.effect("a body that names no type is refused, and a link that is cut or of nobody is unknown", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true })
          const ada = yield* person(acme)
          for (const body of [{}, { type: "export" }, { type: null }, { type: ["EXPORT"] }])
            assert.strictEqual((yield* post(ada, body)).status, 422, JSON.stringify(body))
          assert.strictEqual((yield* post(ada, [])).status, 422)
          assert.strictEqual((yield* post({ token: ada.token.slice(1) }, { type: "EXPORT" })).status, 404)
          for (const init of [{}, { method: "POST", body: "confirm=1" }])
            assert.strictEqual((yield* visit("/privacy/nonsense", init)).status, 404)
          yield* acme.ask("DELETE", `/contacts/${ada.id}`)
          assert.strictEqual((yield* post(ada, { type: "EXPORT" })).status, 404)
          assert.deepStrictEqual(yield* requestsOf(acme), [])
        })
      )

      it.effect("the data are given to who has the mail, and again within a day", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true })
          const ada = yield* person(acme)
          const { status, text } = yield* post(ada, { type: "EXPORT" })
          assert.deepStrictEqual([status, JSON.parse(text).status], [202, "received"])
          const [path = ""] = yield* linksTo(ada)
          // Neither the answer nor the page of preferences leads to the page behind the link.
          assert.notInclude(text + (yield* visit(ada.page)).text, "/privacy/")
          for (const look of [visit(path), visit(path, { method: "HEAD" }), submit(path, { confirm: "0" })]) {
            const page = yield* look
            assert.strictEqual(page.status, 200)
            assert.isNull(page.headers.get("content-disposition"))
          }
          assert.include((yield* visit(path)).text, privacyWords.en.download.button)
          assert.deepInclude((yield* requestsOf(acme))[0], {
            status: "UNCONFIRMED",
            contactId: ada.id,
            confirmedAt: null
          })
          const given = yield* confirm(path)
          assert.strictEqual(given.headers.get("content-disposition"), 'attachment; filename="data.json"')
          assert.strictEqual(given.headers.get("cache-control"), "no-store")
          const file = JSON.parse(given.text)
          const { exportedAt: _, events: __, ...own } = (yield* acme.ask("GET", `/contacts/${ada.id}/export`)).body
          const { exportedAt: ___, events: ____, ...mailed } = file
          assert.deepStrictEqual(mailed, own)
          assert.deepStrictEqual(file.contact.data, { nick: "Lovelace" })
          assert.deepInclude(file.privacyRequests[0], { type: "EXPORT", status: "DONE" })
          yield* TestClock.adjust("23 hours")
          assert.strictEqual(JSON.parse((yield* confirm(path)).text).contact.id, ada.id)
          yield* TestClock.adjust("1 hour")
          const late = yield* confirm(path)
          assert.include(late.text, privacyWords.en.ended.title)
          assert.notInclude(late.text, "Lovelace")
          const [request] = yield* requestsOf(acme)
          assert.deepStrictEqual(yield* privacyEvents(acme), [
            { requestId: request.id, type: "EXPORT", status: "DONE" }
          ])
          assert.deepStrictEqual(yield* auditOf(acme), [
            {
              action: "privacy_request.completed",
              actor: "service",
              details: { requestId: request.id, type: "EXPORT" }
            }
          ])
        })
      )

      it.effect(
        "an erasure waits for the project, whose OWNER and ADMINs get a mail, and again a week before it is due",
        () =>
          Effect.gen(function* () {
            const acme = yield* freshProject
            const owner = yield* memberOf(acme, "OWNER")
            const admin = yield* memberOf(acme, "ADMIN")
            const member = yield* memberOf(acme, "MEMBER")
            yield* allow(acme, { erasure: "request" })
            const ada = yield* person(acme)
            const path = yield* asked(ada, "ERASURE")
            assert.include((yield* visit(path)).text, privacyWords.en.erase.button)
            assert.deepStrictEqual(yield* emailsTo(owner.email), [])
            assert.include((yield* confirm(path)).text, privacyWords.en.received.title)
            assert.include((yield* confirm(path)).text, privacyWords.en.received.title)
            const [request] = yield* requestsOf(acme, "?status=OPEN&type=ERASURE")
            const due = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 30 }))
            assert.deepInclude(request, { status: "OPEN", contactId: ada.id, email: ada.email, dueAt: due })
            assert.deepStrictEqual(yield* privacyEvents(acme), [
              { requestId: request.id, type: "ERASURE", status: "OPEN" }
            ])
            const subjects = Effect.map(emailsTo(owner.email), (mails) =>
              mails.map(({ subject }) => subject.replace(/\d+/, "it"))
            )
            assert.deepStrictEqual(yield* subjects, ["A recipient of it wants their data deleted"])
            yield* TestClock.adjust("22 days")
            yield* advance
            assert.lengthOf(yield* subjects, 1)
            yield* TestClock.adjust("25 hours")
            yield* advance
            yield* advance
            assert.deepStrictEqual((yield* subjects).slice(1), ["A request for erasure of it is due in a week"])
            const ownMails = (mails: Effect.Success<ReturnType<typeof emailsTo>>) =>
              mails.map(({ subject, body }) => [subject, body])
            const byOwner = ownMails(yield* emailsTo(owner.email))
            assert.notInclude(JSON.stringify(byOwner), ada.email)
            assert.deepStrictEqual(ownMails(yield* emailsTo(admin.email)), byOwner)
            assert.deepStrictEqual(yield* emailsTo(member.email), [])

            const path2 = `/privacy-requests/${request.id}`
            const done = yield* acme.ask("POST", `${path2}/complete`)
            assert.strictEqual(done.status, 200, JSON.stringify(done.body))
            assert.deepInclude(done.body, { status: "DONE", contactId: null, email: null, note: null })
            assert.isNotNull(done.body.completedAt)
            assert.deepStrictEqual((yield* acme.ask("GET", path2)).body, done.body)
            assert.strictEqual(yield* acme.outcome("GET", `/contacts/${ada.id}`), "404 CONTACT_NOT_FOUND")
            assert.notInclude(yield* everything, ada.email)
            for (const step of ["complete", "refuse"])
              assert.strictEqual(
                yield* acme.outcome("POST", `${path2}/${step}`, { note: "No." }),
                "409 already_finished"
              )
            assert.include((yield* visit(path)).text, privacyWords.en.erased.title)
            const sql = yield* SqlClient.SqlClient
            const events = yield* sql`
            select contact_id, data from events where project_id = ${acme.project} and name = 'contact.privacy_requested'`
            assert.deepStrictEqual(
              [...events],
              [{ contact_id: null, data: { requestId: request.id, type: "ERASURE", status: "DONE" } }]
            )
            assert.deepStrictEqual(
              (yield* auditOf(acme)).map(({ action, actor }) => [action, actor]),
              [["privacy_request.completed", "key"]]
            )
          })
      )

      it.effect("a refusal is mailed to the person in their language", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject({ replyTo: "help@example.org" })
          yield* allow(acme, { erasure: "request" })
          const ada = yield* person(acme, { locale: "de", doubleOptIn: false })
          const path = yield* asked(ada, "ERASURE")
          yield* confirm(path)
          const [{ id }] = yield* requestsOf(acme)
          const refuse = (note: unknown) => acme.ask("POST", `/privacy-requests/${id}/refuse`, { note })
          for (const note of ["", "   ", "x".repeat(501), null, 5, "a\u0007b"])
            assert.strictEqual((yield* refuse(note)).status, 422, JSON.stringify(note))
          const { status, body } = yield* refuse("Rechnungen <müssen> wir\nzehn Jahre aufbewahren.")
          assert.strictEqual(status, 200)
          assert.deepInclude(body, { status: "REFUSED", note: "Rechnungen <müssen> wir\nzehn Jahre aufbewahren." })
          assert.include((yield* visit(path)).text, privacyWords.de.refused.title)
          const peer = yield* Peer
          const { send } = yield* Mailer
          yield* (yield* SystemMailSender).drain(send)
          const [asks, refuses] = (yield* peer.accepted).filter(({ to }) => to[0]?.address === ada.email)
          for (const mail of [asks, refuses]) {
            assert.strictEqual(mail?.from.address, `hi@${acme.domain}`)
            assert.strictEqual(mail?.replyTo?.address, "help@example.org")
            assert.deepStrictEqual([...new Set(mail?.dkim.map(({ domain }) => domain))], [acme.domain])
          }
          assert.include(asks?.text, privacyWords.de.mail.ignore)
          assert.include(refuses?.text, "Rechnungen <müssen> wir\nzehn Jahre aufbewahren.")
          assert.include(refuses?.html, "&lt;müssen&gt;")
          assert.deepStrictEqual(
            (yield* auditOf(acme)).map(({ action, actor }) => [action, actor]),
            [["privacy_request.refused", "key"]]
          )
          assert.strictEqual(yield* acme.outcome("POST", `/privacy-requests/${id}/complete`), "409 already_finished")
          yield* acme.ask("POST", `/contacts/${ada.id}/erase`)
          assert.deepInclude((yield* requestsOf(acme))[0], { status: "REFUSED", note: null, email: null })
        })
      )

      it.effect("without a verified sender the mail comes from the platform", () =>
        Effect.gen(function* () {
          const acme = yield* askingProject()
          yield* allow(acme, { export: true })
          const ada = yield* person(acme, { doubleOptIn: false })
          yield* asked(ada, "EXPORT")
          const sql = yield* SqlClient.SqlClient
          yield* sql`update domains set verified = false where project_id = ${acme.project}`
          const peer = yield* Peer
          const { send } = yield* Mailer
          yield* (yield* SystemMailSender).drain(send)
          const mail = (yield* peer.accepted).find(({ to }) => to[0]?.address === ada.email)
          assert.strictEqual(mail?.from.address, "posthorn@posthorn.example")
        })
      )

      it.effect("an automatic erasure does what the endpoint does, once, also after a crash", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { erasure: "automatic" })
          const ada = yield* person(acme)
          const path = yield* asked(ada, "ERASURE")
          const target: LinkTarget = Option.getOrThrow(
            yield* RequestLinks.use((links) => links.read("privacy", path.split("/")[2] ?? ""))
          )
          const killed = Effect.provideService(
            Effect.flatMap(PrivacyRequests.make, (requests) => requests.confirm(target)),
            Failpoint,
            (window) => (window === "before_self_erasure" ? Effect.die("killed") : Effect.void)
          )
          assert.isTrue(Exit.isFailure(yield* Effect.exit(killed)))
          assert.deepInclude((yield* requestsOf(acme))[0], { status: "UNCONFIRMED", contactId: ada.id })
          assert.include((yield* visit(path)).text, privacyWords.en.erase.button)
          const clicks = yield* Effect.replicateEffect(confirm(path), 5, { concurrency: "unbounded" })
          for (const { text } of clicks) assert.include(text, privacyWords.en.erased.title)
          const [request] = yield* requestsOf(acme)
          assert.deepInclude(request, { status: "DONE", contactId: null, email: null, dueAt: null })
          assert.isNotNull(request.confirmedAt)
          assert.notInclude(yield* everything, ada.email)
          const sql = yield* SqlClient.SqlClient
          const erasures = yield* sql`
            select from audit_log where project_id = ${acme.project} and action = 'contact.erased'`
          assert.lengthOf(erasures, 1)
          assert.deepStrictEqual(yield* privacyEvents(acme), [
            { requestId: request.id, type: "ERASURE", status: "DONE" }
          ])
          assert.deepStrictEqual(
            (yield* auditOf(acme)).map(({ action, actor }) => [action, actor]),
            [["privacy_request.completed", "service"]]
          )
        })
      )

      it.effect("an erasure by the project ends the requests of the person; their links then have nothing to do", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "request" })
          const ada = yield* person(acme)
          const copy = yield* asked(ada, "EXPORT")
          yield* confirm(yield* asked(ada, "ERASURE"))
          const { consents } = yield* DataSubjectRequests.use((persons) => persons.erase(acme.project, ada.id)).pipe(
            Effect.orDie
          )
          assert.strictEqual(consents, 3)
          assert.deepStrictEqual(
            (yield* requestsOf(acme)).map(({ type, status }: Record<string, string>) => [type, status]),
            [
              ["ERASURE", "DONE"],
              ["EXPORT", "EXPIRED"]
            ]
          )
          const page = yield* confirm(copy)
          assert.include(page.text, "Nothing to do")
          assert.isNull(page.headers.get("content-disposition"))
          // The unsent mails are gone with the person.
          assert.deepStrictEqual(yield* emailsTo(ada.email), [])
        })
      )

      it.effect("what is left of a deleted contact is erased too, also when it came back", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { erasure: "request" })
          for (const comesBack of [false, true]) {
            const ada = yield* person(acme)
            const sent = { name: "x", subject: "Hi", body: "<p>Hi</p>" }
            yield* acme.ask("POST", "/v1/send", { ...sent, to: ada.email, from: "hi@example.org" })
            yield* confirm(yield* asked(ada, "ERASURE"))
            yield* acme.ask("DELETE", `/contacts/${ada.id}`)
            if (comesBack) yield* acme.ask("POST", "/contacts", { email: ada.email })
            const [{ id, email }] = yield* requestsOf(acme, "?status=OPEN")
            assert.strictEqual(email, ada.email)
            assert.strictEqual((yield* acme.ask("POST", `/privacy-requests/${id}/complete`)).body.status, "DONE")
            assert.notInclude(yield* everything, ada.email)
          }
        })
      )

      it.effect("a link proves the mailbox of its mail only: after a change of address it does nothing", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "automatic" })
          const ada = yield* person(acme)
          const [copy, erasure] = [yield* asked(ada, "EXPORT"), yield* asked(ada, "ERASURE")]
          yield* acme.ask("PATCH", `/contacts/${ada.id}`, { email: `moved-${ada.email}` })
          for (const path of [copy, erasure]) {
            const { text } = yield* confirm(path)
            assert.include(text, privacyWords.en.ended.title)
          }
          // The link of a contact that was merged leads to the one that took its place, which has another mailbox.
          const [bob, eve] = [yield* person(acme), yield* person(acme)]
          const taken = yield* asked(bob, "EXPORT")
          yield* acme.ask("POST", `/contacts/${eve.id}/merge`, { contactId: bob.id })
          assert.include((yield* confirm(taken)).text, privacyWords.en.ended.title)
          assert.strictEqual((yield* acme.ask("GET", `/contacts/${eve.id}`)).status, 200)
        })
      )

      it.effect("a contact gets one mail of a type in a day and three in thirty, also after it came back", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "automatic" })
          let ada = yield* person(acme)
          const mails = Effect.map(requestsOf(acme, "?type=EXPORT"), (found) => found.length)
          const first = (yield* post(ada, { type: "EXPORT" })).text
          yield* Effect.replicateEffect(post(ada, { type: "EXPORT" }), 10, { concurrency: "unbounded" })
          assert.strictEqual(yield* mails, 1)
          // The answer is the same, and the other type has a limit of its own.
          assert.strictEqual((yield* post(ada, { type: "EXPORT" })).text, first)
          assert.lengthOf(yield* linksTo(ada), 1)
          const erasure = yield* asked(ada, "ERASURE")
          yield* confirm(erasure)
          const { body } = yield* acme.ask("POST", "/contacts", { email: ada.email })
          const { body: links } = yield* acme.ask("GET", `/contacts/${body.id}/links`)
          ada = { ...ada, id: body.id, token: links.token }
          yield* post(ada, { type: "EXPORT" })
          assert.strictEqual(yield* mails, 1)
          for (const expected of [2, 3, 3]) {
            yield* TestClock.adjust("24 hours")
            yield* post(ada, { type: "EXPORT" })
            assert.strictEqual(yield* mails, expected)
          }
          yield* TestClock.adjust("27 days")
          yield* post(ada, { type: "EXPORT" })
          assert.strictEqual(yield* mails, 4)
        })
      )

      it.effect("a project with 10,000 requests that have not ended stores no more", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true })
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into privacy_requests (project_id, id, type, status, contact_id, email, requested_at, expires_at)
            select ${acme.project}, gen_random_uuid(), 'EXPORT', 'OPEN', gen_random_uuid(), n || '@example.net', now(), now()
            from generate_series(1, 10000) as n`
          const ada = yield* person(acme)
          assert.strictEqual((yield* post(ada, { type: "EXPORT" })).status, 202)
          assert.deepStrictEqual(yield* linksTo(ada), [])
        })
      )

      it.effect("an address that bounces gets no mail, and the link of a test mail asks for nothing", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true })
          const ada = yield* person(acme)
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into suppressions (id, project_id, email, reason, created_at)
            values (gen_random_uuid(), ${acme.project}, ${ada.email}, 'HARD_BOUNCE', now())`
          assert.strictEqual((yield* post(ada, { type: "EXPORT" })).status, 202)
          assert.deepStrictEqual(yield* requestsOf(acme), [])
        })
      )

      it.effect("the button of the page says what to do next, in each language", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "request" })
          for (const language of languages) {
            const ada = yield* person(acme, { locale: language })
            const words = privacyWords[language]
            const page = yield* visit(ada.page)
            for (const type of ["EXPORT", "ERASURE"] as const) {
              assert.include(page.text.replaceAll("&#39;", "'"), words.buttons[type])
              const after = yield* submit(ada.page, { request: type })
              assert.strictEqual(after.status, 200)
              assert.include(after.text, words.asked.title)
              assert.include(after.text, "r***@example.com")
            }
            const mails = yield* emailsTo(ada.email)
            assert.strictEqual(mails.length, 2)
            for (const { body } of mails) assert.include(body, words.mail.ignore)
            for (const path of yield* linksTo(ada))
              assert.include((yield* visit(path)).text, `<html lang="${language}">`)
          }
        })
      )

      it.effect("a request that nobody confirms expires after a day", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { erasure: "automatic" })
          const ada = yield* person(acme)
          const path = yield* asked(ada, "ERASURE")
          yield* TestClock.adjust("24 hours")
          assert.include((yield* confirm(path)).text, privacyWords.en.ended.title)
          yield* advance
          assert.deepInclude((yield* requestsOf(acme))[0], { status: "EXPIRED", contactId: ada.id })
          assert.strictEqual((yield* acme.ask("GET", `/contacts/${ada.id}`)).status, 200)
        })
      )

      it.effect("a disabled project still does what its recipients and members ask", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { erasure: "request" })
          const [ada, bob] = [yield* person(acme), yield* person(acme)]
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${acme.project}`
          yield* TestClock.adjust("2 seconds")
          yield* confirm(yield* asked(ada, "ERASURE"))
          yield* confirm(yield* asked(bob, "ERASURE"))
          const [of, other] = yield* requestsOf(acme)
          assert.strictEqual((yield* acme.ask("POST", `/privacy-requests/${of.id}/complete`)).status, 200)
          const refused = yield* acme.ask("POST", `/privacy-requests/${other.id}/refuse`, { note: "No." })
          assert.strictEqual(refused.status, 200)
        })
      )

      it.effect("requests that ended are deleted after three years; those that wait are not", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "request" })
          const ada = yield* person(acme)
          yield* confirm(yield* asked(ada, "EXPORT"))
          yield* confirm(yield* asked(ada, "ERASURE"))
          const sweep = Effect.flatMap(PrivacyRequests.make, (requests) => requests.sweep)
          yield* TestClock.adjust("1094 days")
          yield* sweep
          assert.lengthOf(yield* requestsOf(acme), 2)
          yield* TestClock.adjust("3 days")
          yield* sweep
          assert.deepStrictEqual(
            (yield* requestsOf(acme)).map(({ status }: { status: string }) => status),
            ["OPEN"]
          )
        })
      )

      it.effect("pages of the list have each request once, and ids of others are unknown", () =>
        Effect.gen(function* () {
          const acme = yield* freshProject
          yield* allow(acme, { export: true, erasure: "request" })
          const other = yield* freshProject
          const ada = yield* person(acme)
          yield* asked(ada, "EXPORT")
          yield* asked(ada, "ERASURE")
          const first = (yield* acme.ask("GET", "/privacy-requests?limit=1")).body
          assert.deepInclude(first, { total: 2, hasMore: true })
          const last = (yield* acme.ask("GET", `/privacy-requests?limit=1&cursor=${first.cursor}`)).body
          assert.deepInclude(last, { total: 0, hasMore: false })
          assert.deepStrictEqual(
            [...first.data, ...last.data].map(({ type }) => type),
            ["ERASURE", "EXPORT"]
          )
          const path = `/privacy-requests/${first.data[0].id}`
          const missing = { resource: "privacy_request", id: first.data[0].id }
          for (const request of [
            other.ask("GET", path),
            other.ask("POST", `${path}/complete`),
            other.ask("POST", `${path}/refuse`, { note: "No." })
          ]) {
            const { status, body } = yield* request
            assert.deepStrictEqual([status, body.error.details], [404, missing])
          }
          assert.strictEqual(yield* acme.outcome("GET", "/privacy-requests/nonsense"), "404 RESOURCE_NOT_FOUND")
          assert.strictEqual(yield* acme.outcome("GET", "/privacy-requests?status=open"), "400 BAD_REQUEST")
          // An unconfirmed request cannot be answered.
          assert.strictEqual(yield* acme.outcome("POST", `${path}/complete`), "409 already_finished")
        })
      )
    }
  )
}

/** Contacts that change between the look at them and the acceptance of their mail. */
import { assert, layer } from "@effect/vitest"
import type { SendEmail } from "@posthorn/contract/mail/sending/Send"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ContactStore } from "../../audience/contacts/ContactStore.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { Templates } from "../../content/templates/Templates.ts"
import { Failpoint } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { project, servicesOn } from "../../testing/Services.ts"
import { Domains } from "../domains/Domains.ts"
import { Sending } from "./Sending.ts"

const mail = { from: "hi@verified.test", subject: "Hi {{name}}", body: "<p>{{plan}}</p>" }

/** Sends, while something else happens once, after the mail was made and before it is accepted. */
const sendWhile = <R>(meanwhile: Effect.Effect<unknown, never, R>, input: Partial<SendEmail> & Pick<SendEmail, "to">) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    let times = 0
    const reach = () => (times++ === 0 ? Effect.asVoid(Effect.provideContext(meanwhile, context)) : Effect.void)
    const sent = yield* Sending.use((sending) => sending.send(project, { ...mail, ...input })).pipe(
      Effect.provideService(Failpoint, (window) => (window === "before_accept_commit" ? reach() : Effect.void))
    )
    return { ...sent, times }
  })

const upsert = (email: string, data: Record<string, string>, subscribed: boolean | null = null) =>
  Effect.orDie(Contacts.use((contacts) => contacts.upsert(project, { email, data, subscribed })))

const remove = (email: string) =>
  Effect.orDie(
    Effect.flatMap(upsert(email, {}), ({ contact }) => Contacts.use((contacts) => contacts.delete(project, contact.id)))
  )

/** What is stored of the mail to an address, with the contact as it is. */
const mailsTo = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    select subject, html, contacts.id = contact_id as "isTheirs", contacts.data
    from emails join email_contents as content on content.project_id = emails.project_id and content.id = content_id
    left join contacts on contacts.project_id = emails.project_id and contacts.email = to_email
    where to_email = ${email}`
})

const contactAt = (email: string) =>
  Effect.map(
    ContactStore.use((store) => store.list(project, { search: email }, { sort: "email", dir: "asc" }, 2)),
    ([contact]) => Option.fromNullishOr(contact)
  )

const marketing = Templates.use((templates) =>
  Effect.map(templates.create(project, { name: "News", ...mail, type: "MARKETING" }), ({ id }) => id)
)

for (const [name, database] of databases()) {
  const services = Layer.effectDiscard(
    Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
  ).pipe(Layer.provideMerge(servicesOn(database)))

  layer(services, { timeout: "60 seconds" })(`A contact that changes meanwhile, on ${name}`, (it) => {
    it.effect.each([
      { what: "one", to: "changed@example.com" },
      { what: "several", to: ["changed2@example.com", "unknown2@example.com"] }
    ])("is written to as it is then: $what", ({ to }) =>
      Effect.gen(function* () {
        const email = [to].flat()[0] ?? ""
        yield* upsert(email, { name: "Ann", plan: "free" })
        const { emails, times } = yield* sendWhile(upsert(email, { plan: "pro" }), { to, data: { name: "Anna" } })
        assert.isAbove(times, 1)
        assert.lengthOf(emails, [to].flat().length)
        assert.deepStrictEqual(yield* mailsTo(email), [
          { subject: "Hi Anna", html: "<p>pro</p>", isTheirs: true, data: { name: "Anna", plan: "pro" } }
        ])
      })
    )

    it.effect.each([
      { what: "one", to: "born@example.com" },
      { what: "several", to: ["born2@example.com", "unborn2@example.com"] }
    ])("is itself, and not another one, if it came into being: $what", ({ to }) =>
      Effect.gen(function* () {
        const email = [to].flat()[0] ?? ""
        const { emails } = yield* sendWhile(upsert(email, { plan: "pro" }), { to, data: { name: "Bo" } })
        const contact = Option.getOrThrow(yield* contactAt(email))
        assert.strictEqual(emails[0]?.contact.id, contact.id)
        assert.deepStrictEqual(yield* mailsTo(email), [
          { subject: "Hi Bo", html: "<p>pro</p>", isTheirs: true, data: { name: "Bo", plan: "pro" } }
        ])
      })
    )

    it.effect.each([
      { what: "one", to: "gone@example.com" },
      { what: "several", to: ["gone2@example.com", "here2@example.com"] }
    ])("is a new one if it was deleted, and nothing of the former is in the mail: $what", ({ to }) =>
      Effect.gen(function* () {
        const email = [to].flat()[0] ?? ""
        yield* upsert(email, { plan: "secret" })
        yield* sendWhile(remove(email), { to, data: { name: "Gus" } })
        assert.deepStrictEqual(yield* mailsTo(email), [
          { subject: "Hi Gus", html: "<p></p>", isTheirs: true, data: { name: "Gus" } }
        ])
      })
    )

    it.effect("that unsubscribes gets no marketing mail, and nothing of the request stays", () =>
      Effect.gen(function* () {
        const template = yield* marketing
        yield* upsert("leaves@example.com", {}, true)
        const leave = Contacts.use((contacts) =>
          contacts.unsubscribeAddress(project, "leaves@example.com", { reason: "page" })
        )
        const to = ["unheard@example.com", "leaves@example.com"]
        const refused = yield* Effect.flip(sendWhile(leave, { to: to[1] ?? "", template, data: { name: "Lea" } }))
        assert.deepInclude(refused, { _tag: "VALIDATION_ERROR" })
        assert.deepStrictEqual(yield* mailsTo("leaves@example.com"), [])
        assert.deepInclude(Option.getOrThrow(yield* contactAt("leaves@example.com")), { data: {}, subscribed: false })
        yield* upsert("leaves@example.com", {}, true)
        yield* upsert("unheard@example.com", {}, true)
        yield* Effect.flip(sendWhile(leave, { to, template, data: { name: "Lea" } }))
        assert.deepInclude(Option.getOrThrow(yield* contactAt("unheard@example.com")), { data: {} })
      })
    )

    it.effect("to the same values does not matter", () =>
      Effect.gen(function* () {
        yield* upsert("same@example.com", { plan: "pro" })
        const { times } = yield* sendWhile(upsert("same@example.com", { plan: "pro" }), { to: "same@example.com" })
        assert.strictEqual(times, 1)
      })
    )
  })
}

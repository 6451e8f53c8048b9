/** Each event of the audience starts a workflow and reaches a webhook; one that is only tracked under its name does not. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as OptIns from "../audience/optins/OptIns.ts"
import { askingProject, linkOf, submit } from "../audience/optins/OptInsFixture.ts"
import { emailsTo } from "../testing/Browser.ts"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { endpoint, loops, soon } from "../webhooks/WebhooksFixture.ts"
import { draw, executionsOf, work } from "./workflows/ExecutionsFixture.ts"

type Project = Effect.Success<ReturnType<typeof askingProject>>

/** Who is changed, and the address of its page. */
interface Target {
  readonly id: string
  readonly email: string
  readonly token: string
}

const patch = ({ ask }: Project, { id }: Target, body: object) => ask("PATCH", `/contacts/${id}`, body)
const topics = (news: string) => ({ topics: { news }, doubleOptIn: false })
/** Asks the contact, and returns the path of the link in its mail. */
const asked = (acme: Project, { id }: Target) =>
  Effect.andThen(acme.ask("POST", `/contacts/${id}/opt-in`, {}), linkOf(acme))

/** What makes each event, of a contact that is not subscribed. */
const causes = {
  "topic.news.subscribed": (acme: Project, target: Target) => patch(acme, target, topics("subscribed")),
  "topic.news.unsubscribed": (acme: Project, target: Target) => patch(acme, target, topics("unsubscribed")),
  "contact.opt_in_requested": asked,
  "contact.confirmed": (acme: Project, target: Target) =>
    Effect.flatMap(asked(acme, target), (path) => submit(path, { confirm: "1" })),
  "contact.opt_in_declined": (acme: Project, target: Target) =>
    Effect.flatMap(asked(acme, target), (path) => submit(path, { decline: "1" })),
  "contact.opt_in_expired": (acme: Project, target: Target) =>
    Effect.gen(function* () {
      yield* asked(acme, target)
      yield* TestClock.adjust("7 days")
      yield* Effect.flatMap(OptIns.make, (optIns) => optIns.advance)
    }),
  "contact.snoozed": (_: Project, { token }: Target) => submit(`/manage/${token}`, { action: "save", snooze: "30" }),
  "contact.unsnoozed": (_: Project, { token }: Target) =>
    Effect.andThen(
      submit(`/manage/${token}`, { action: "save", snooze: "30" }),
      submit(`/manage/${token}`, { action: "save", snooze: "off" })
    ),
  "contact.email_changed": (acme: Project, target: Target) => patch(acme, target, { email: `new-${target.email}` }),
  "contact.merged": (acme: Project, { id, email }: Target) =>
    Effect.gen(function* () {
      const { body } = yield* acme.ask("POST", "/contacts", { email: `other-${email}` })
      yield* acme.ask("POST", `/contacts/${id}/merge`, { contactId: body.id })
    }),
  "form.newsletter.submitted": (acme: Project, { email }: Target) =>
    Effect.gen(function* () {
      const { body } = yield* acme.ask("POST", "/forms", { name: "Newsletter", requireTicket: false })
      yield* acme.ask("POST", `/f/${body.publicId}`, { email })
    }),
  "contact.privacy_requested": (acme: Project, { email, token }: Target) =>
    Effect.gen(function* () {
      yield* acme.ask("PATCH", "/settings/audience", { selfService: { erasure: "request" } })
      yield* acme.ask("POST", `/public/preferences/${token}/requests`, { type: "ERASURE" })
      const links = yield* emailsTo(email)
      const path = /https:\/\/posthorn\.example(\/privacy\/[\w-]+)/.exec(links.at(-1)?.body ?? "")?.[1] ?? ""
      yield* submit(path, { confirm: "1" })
    })
}

let people = 0

const prepared = Effect.gen(function* () {
  const acme = yield* askingProject({ mode: "off" })
  yield* acme.ask("POST", "/topics", { name: "News", defaultSubscription: "subscribed" })
  const email = `audience-${++people}@example.com`
  const { body } = yield* acme.ask("POST", "/contacts", { email, subscribed: false })
  const { body: links } = yield* acme.ask("GET", `/contacts/${body.id}/links`)
  return { acme, target: { id: String(body.id), email, token: String(links.token) } }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Events of the audience, on ${name}`,
    (it) => {
      it.effect.each(Object.entries(causes))("%s starts a workflow once", ([event, cause]) =>
        Effect.gen(function* () {
          const { acme, target } = yield* prepared
          const { id } = yield* draw(acme.project, { event, allowReentry: true, steps: { out: { type: "EXIT" } } })
          const started = Effect.map(Effect.andThen(work, executionsOf(acme.project, id)), (all) =>
            all.map(({ status }) => status)
          )
          const isNamedByForm = event.startsWith("form.")
          // Until a form has the key, the name is free for callers.
          if (!isNamedByForm) yield* acme.track({ email: target.email, event })
          assert.deepStrictEqual(yield* started, [])
          yield* cause(acme, target)
          assert.deepStrictEqual(yield* started, ["EXITED"])
        })
      )

      it.effect("a webhook gets those of its patterns, as the document describes them", () =>
        Effect.gen(function* () {
          const { acme } = yield* prepared
          const news = yield* endpoint(acme, { events: ["topic.news.*"] })
          const all = yield* endpoint(acme, { events: ["topic.*", "form.*", ...Object.keys(causes)] })
          yield* Layer.build(loops)
          for (const [event, cause] of Object.entries(causes)) {
            const email = `audience-${++people}@example.com`
            const { body } = yield* acme.ask("POST", "/contacts", { email, subscribed: false })
            const { body: links } = yield* acme.ask("GET", `/contacts/${body.id}/links`)
            yield* cause(acme, { id: String(body.id), email, token: String(links.token) })
            const types = Effect.map(all.deliveries, (found) => found.map(({ type }) => type))
            yield* soon(types, (found) => found.includes(event))
          }
          const types = yield* Effect.map(news.deliveries, (found) => found.map(({ type }) => type))
          assert.deepStrictEqual([...new Set(types)].sort(), ["topic.news.subscribed", "topic.news.unsubscribed"])
        }).pipe(Effect.scoped)
      )
    }
  )
}

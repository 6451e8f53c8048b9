/** What contacts say about topics: written by each call, read everywhere, with events, records and totals. */
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"

/** Topics `news` (default no), `tips` (default yes) and `inner` (private, default yes). */
const withTopics = Effect.gen(function* () {
  const test = yield* freshProject
  const ids: Record<string, string> = {}
  for (const [name, defaultSubscription, visibility] of [
    ["News", "unsubscribed", "public"],
    ["Tips", "subscribed", "public"],
    ["Inner", "subscribed", "private"]
  ]) {
    const { body } = yield* test.ask("POST", "/topics", { name, defaultSubscription, visibility })
    ids[body.key] = body.id
  }
  return { ...test, ids }
})

/** Events of the project about subscriptions and topics, as `name reason`, oldest first. */
const eventsOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`
        select name, data ->> 'reason' as reason from events
        where project_id = ${project} and (name like 'topic.%' or name like 'contact.%') order by created_at, name`,
      (rows) => rows.map(({ name, reason }) => `${name} ${reason}`)
    )
  )

/** Records of the project, as `action scope source actor`, in the order of their times and names. */
const recordsOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`
        select action, coalesce(topic_key, 'global') as scope, source, actor from consents
        where project_id = ${project} order by recorded_at, at, scope, action`,
      (rows) => rows.map(({ action, scope, source, actor }) => `${action} ${scope} ${source} ${actor}`)
    )
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(
    `What contacts say about topics, on ${name}`,
    (it) => {
      it.effect("is set at creation and by changes, with an event and a record for each real change", () =>
        Effect.gen(function* () {
          const test = yield* withTopics
          const { ask } = test
          const created = yield* ask("POST", "/contacts", {
            email: "ada@example.com",
            topics: { news: "subscribed", tips: "unsubscribed", inner: "unset" }
          })
          assert.strictEqual(created.status, 201, JSON.stringify(created.body))
          assert.deepStrictEqual(created.body.topics, { news: "subscribed", tips: "unsubscribed" })
          assert.deepStrictEqual(yield* eventsOf(test), ["topic.news.subscribed api", "topic.tips.unsubscribed api"])
          assert.deepStrictEqual(yield* recordsOf(test), [
            "granted global api key",
            "granted news api key",
            "withdrawn tips api key"
          ])
          const path = `/contacts/${created.body.id}`
          const same = yield* ask("POST", "/contacts", { email: "ada@example.com", topics: { news: "subscribed" } })
          assert.deepStrictEqual(same.body.topics, created.body.topics)
          assert.strictEqual(same.body.updatedAt, created.body.updatedAt)
          assert.strictEqual((yield* recordsOf(test)).length, 3)
          const unset = yield* ask("PATCH", path, {
            topics: { [String(test.ids["news"])]: "unset", tips: "subscribed" }
          })
          assert.deepStrictEqual(unset.body.topics, { tips: "subscribed" })
          assert.deepStrictEqual((yield* ask("GET", path)).body.topics, { tips: "subscribed" })
          assert.deepStrictEqual((yield* eventsOf(test)).slice(-2).sort(), [
            "topic.tips.subscribed api",
            "topic.tips.unsubscribed api"
          ])
          assert.deepStrictEqual((yield* recordsOf(test)).filter((record) => !record.includes("global")).sort(), [
            "granted news api key",
            "granted tips api key",
            "withdrawn news api key",
            "withdrawn tips api key"
          ])
          const counts = (yield* ask("GET", "/topics")).body.map((topic: Record<string, unknown>) => [
            topic["key"],
            topic["subscribedCount"],
            topic["unsubscribedCount"],
            topic["subscriberCount"]
          ])
          assert.deepStrictEqual(counts, [
            ["news", 0, 0, 0],
            ["tips", 1, 0, 1],
            ["inner", 0, 0, 1]
          ])
        })
      )

      it.effect(
        "is refused for unknown and archived topics, wrong states and empty objects, and nothing is stored",
        () =>
          Effect.gen(function* () {
            const test = yield* withTopics
            const { ask } = test
            yield* ask("PATCH", "/topics/inner", { archived: true })
            const faults = (topics: unknown) =>
              Effect.map(ask("POST", "/contacts", { email: "ada@example.com", topics }), ({ status, body }) => [
                status,
                ...(body.error?.errors ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`)
              ])
            assert.deepStrictEqual(yield* faults({ news: "subscribed", none: "subscribed", inner: "unset" }), [
              422,
              "topics.none custom",
              "topics.inner custom"
            ])
            assert.deepStrictEqual(yield* faults({ news: "yes" }), [422, "topics.news invalid_enum"])
            assert.deepStrictEqual(yield* faults({}), [422, "topics too_small"])
            assert.deepStrictEqual(yield* faults({ news: "subscribed", [String(test.ids["news"])]: "unset" }), [
              422,
              `topics.${test.ids["news"]} custom`
            ])
            const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`t${n}`, "subscribed"]))
            assert.deepStrictEqual(yield* faults(many), [422, "topics too_big"])
            assert.strictEqual((yield* ask("GET", "/contacts")).body.total, 0)
            const other = yield* withTopics
            assert.deepStrictEqual(
              (yield* other.ask("POST", "/contacts", {
                email: "b@example.com",
                topics: { [String(test.ids["news"])]: "subscribed" }
              })).status,
              422
            )
          })
      )

      it.effect("is not changed from a no by the public key, which names public topics alone", () =>
        Effect.gen(function* () {
          const test = yield* withTopics
          const { ask, track } = test
          const email = "ada@example.com"
          yield* ask("POST", "/contacts", { email, topics: { tips: "unsubscribed" } })
          const event = { email, event: "seen" }
          assert.strictEqual(
            (yield* track({ ...event, topics: { news: "subscribed", tips: "subscribed" } })).status,
            200
          )
          const read = Effect.map(ask("GET", `/contacts?email=${email}`), ({ body }) => body.data[0].topics)
          assert.deepStrictEqual(yield* read, { news: "subscribed", tips: "unsubscribed" })
          yield* track({ ...event, topics: { tips: "unset", news: "unset" } })
          assert.deepStrictEqual(yield* read, { tips: "unsubscribed" })
          const refused = yield* track({ ...event, topics: { inner: "subscribed" } })
          assert.deepInclude(refused.body.error.errors[0], { field: "topics.inner", code: "custom" })
          assert.includeMembers(yield* recordsOf(test), [
            "granted news track public_key",
            "withdrawn news track public_key"
          ])
          const own = yield* ask("POST", "/events/track", {
            ...event,
            topics: { tips: "subscribed", inner: "subscribed" }
          })
          assert.strictEqual(own.status, 200)
          assert.deepStrictEqual(yield* read, { tips: "subscribed", inner: "subscribed" })
          assert.include((yield* recordsOf(test)).join(), "granted inner track key")
        })
      )

      it.effect("narrows: who signs up for one topic has not signed up for the rest", () =>
        Effect.gen(function* () {
          const test = yield* withTopics
          const contacts = yield* Contacts
          const { body } = yield* test.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
          const id = ContactId.make(body.id)
          const change = {
            subscribed: true,
            topics: { [String(test.ids["news"])]: "subscribed" },
            narrow: true
          } as const
          const first = yield* contacts.setConsent(test.project, id, change, { reason: "form" })
          assert.isTrue(first.changed)
          assert.deepStrictEqual(first.contact.topics, {
            news: "subscribed",
            tips: "unsubscribed",
            inner: "unsubscribed"
          })
          assert.deepStrictEqual(yield* eventsOf(test), ["contact.subscribed form", "topic.news.subscribed form"])
          assert.deepStrictEqual(yield* recordsOf(test), [
            "granted global form recipient",
            "granted news form recipient"
          ])
          const again = yield* contacts.setConsent(test.project, id, change, { reason: "form" })
          assert.isFalse(again.changed)
          // A contact that is subscribed keeps what it said nothing about.
          yield* test.ask("PATCH", `/contacts/${id}`, { topics: { tips: "unset", inner: "unset" } })
          yield* contacts.setConsent(test.project, id, change, { reason: "page" })
          assert.deepStrictEqual((yield* contacts.get(test.project, id)).topics, { news: "subscribed" })
        })
      )

      it.effect("has its first record told from the contact once it changes or goes", () =>
        Effect.gen(function* () {
          const test = yield* withTopics
          const { ask } = test
          const add = (email: string, more: object = {}) => ask("POST", "/contacts", { email, ...more })
          const plain = yield* add("plain@example.com", { subscribed: true })
          const topical = yield* add("topical@example.com")
          const gone = yield* add("gone@example.com")
          const off = yield* add("off@example.com", { subscribed: false })
          assert.deepStrictEqual(yield* recordsOf(test), [])
          yield* ask("PATCH", `/contacts/${plain.body.id}`, { subscribed: false })
          yield* ask("PATCH", `/contacts/${topical.body.id}`, { topics: { news: "subscribed" } })
          yield* ask("DELETE", `/contacts/${gone.body.id}`)
          yield* ask("DELETE", `/contacts/${off.body.id}`)
          yield* add("plain@example.com", { subscribed: true })
          yield* add("plain@example.com", { subscribed: false })
          const sql = yield* SqlClient.SqlClient
          const chain = (contact: string) =>
            Effect.map(
              sql`
              select action, coalesce(topic_key, 'global') as scope, actor, id = contact_id as first from consents
              where project_id = ${test.project} and contact_id = ${contact} order by recorded_at, at, first desc`,
              (rows) =>
                rows.map(({ action, scope, actor, first }) => `${action} ${scope} ${actor}${first ? " first" : ""}`)
            )
          assert.sameMembers(yield* chain(plain.body.id), [
            "granted global service first",
            "withdrawn global key",
            "granted global key",
            "withdrawn global key"
          ])
          assert.sameMembers(yield* chain(topical.body.id), ["granted global service first", "granted news key"])
          assert.deepStrictEqual(yield* chain(gone.body.id), ["granted global service first"])
          assert.deepStrictEqual(yield* chain(off.body.id), [])
        })
      )
    }
  )
}

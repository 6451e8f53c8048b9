/** Records of consent over HTTP: evidence, lists, files, erasure, and how long they are kept. */
import { assert, describe, layer, it as test } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../platform/Failpoint.ts"
import * as ContactMerges from "../../service/ContactMerges.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { freshProject } from "../segments/SegmentsFixture.ts"
import { truncatedIp } from "./ConsentProofs.ts"
import * as Consents from "./Consents.ts"

const email = "ada@example.com"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Records of consent on ${name}`, (it) => {
    it.effect("have the evidence of the call, as the settings allow, and a repeated grant with evidence is one", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20))
        const { ask } = yield* freshProject
        const consent = {
          basis: "consent",
          wording: "Send me news.",
          language: "de",
          at: "2020-01-02T03:04:05.000Z",
          ip: "203.0.113.7",
          userAgent: "Browser",
          evidence: { page: 3 }
        }
        const { body: contact } = yield* ask("POST", "/contacts", { email, consent })
        const path = `/contacts/${contact.id}/consents`
        const first = yield* ask("GET", path)
        assert.strictEqual(first.body.total, 1)
        const [record] = first.body.data
        assert.deepInclude(record, {
          id: contact.id,
          contactId: contact.id,
          email,
          at: "2020-01-02T03:04:05.000Z",
          action: "granted",
          scope: "global",
          topic: null,
          source: "api",
          basis: "consent",
          evidence: { page: 3 },
          ip: null,
          userAgent: null
        })
        assert.deepStrictEqual(record.actor, { type: "key" })
        assert.deepInclude(record.wording, { text: "Send me news.", language: "de" })
        assert.match(record.wording.hash, /^[0-9a-f]{64}$/)
        yield* ask("PATCH", "/settings/audience", { consent: { ip: "truncated", userAgent: true } })
        yield* ask("POST", "/contacts", { email, subscribed: true, consent })
        const second = yield* ask("GET", path)
        assert.strictEqual(second.body.total, 2)
        const repeated = second.body.data.find(({ id }: { id: string }) => id !== contact.id)
        assert.deepInclude(repeated, { ip: "203.0.113.0", userAgent: "Browser", action: "granted" })
        yield* ask("POST", "/contacts", { email, subscribed: true })
        assert.strictEqual((yield* ask("GET", path)).body.total, 2)
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual((yield* sql`select from consent_wordings where text = 'Send me news.'`).length, 1)
      })
    )

    it.effect("refuse faulty evidence, and the public key gives wording and language alone", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20))
        const { ask, track } = yield* freshProject
        for (const [consent, field] of [
          [{ at: "2999-01-01T00:00:00Z" }, "consent.at"],
          [{ at: "1999-01-01T00:00:00Z" }, "consent.at"],
          [{ ip: "300.1.1.1" }, "consent.ip"],
          [{ ip: "1::2::3" }, "consent.ip"],
          [{ basis: "b".repeat(51) }, "consent.basis"],
          [{ wording: "w".repeat(4_001) }, "consent.wording"],
          [{ evidence: "e".repeat(4_100) }, "consent.evidence"],
          [{ userAgent: "u".repeat(513) }, "consent.userAgent"]
        ] as const) {
          const { status, body } = yield* ask("POST", "/contacts", { email, consent })
          assert.deepStrictEqual(
            [status, body.error?.errors[0].field],
            [422, field],
            JSON.stringify(consent).slice(0, 80)
          )
        }
        assert.strictEqual((yield* ask("GET", "/consents")).body.total, 0)
        const event = { email, event: "seen" }
        const refused = yield* track({ ...event, consent: { wording: "Yes", basis: "consent" } })
        assert.deepStrictEqual([refused.status, refused.body.error.errors[0].field], [422, "consent.basis"])
        assert.strictEqual((yield* track({ ...event, consent: { wording: "Yes", language: "en" } })).status, 200)
        const [record] = (yield* ask("GET", "/consents")).body.data
        assert.deepStrictEqual([record.source, record.actor.type, record.wording.text], ["track", "public_key", "Yes"])
      })
    )

    it.effect("are listed with filters and pages, also the one that follows from its contact", () =>
      Effect.gen(function* () {
        const { ask, outcome, project } = yield* freshProject
        yield* ask("POST", "/topics", { name: "News", defaultSubscription: "unsubscribed" })
        yield* ask("POST", "/contacts", { email: "plain@example.com" })
        yield* TestClock.adjust("1 second")
        const { body: ada } = yield* ask("POST", "/contacts", { email, topics: { news: "subscribed" } })
        yield* TestClock.adjust("1 second")
        yield* ask("PATCH", `/contacts/${ada.id}`, { topics: { news: "unsubscribed" } })
        yield* ask("PATCH", `/contacts/${ada.id}`, { subscribed: false })
        const listed = (query: string) =>
          Effect.map(ask("GET", `/consents?${query}`), ({ body }) => [
            body.total,
            ...body.data.map(
              (_: { action: string; topic: { key: string } | null }) => `${_.action} ${_.topic?.key ?? "global"}`
            )
          ])
        const all = yield* listed("limit=100")
        assert.sameMembers(all, [
          5,
          "granted global",
          "granted global",
          "granted news",
          "withdrawn news",
          "withdrawn global"
        ])
        assert.deepStrictEqual(yield* listed("topic=news&action=granted"), [1, "granted news"])
        assert.deepStrictEqual(yield* listed("email=plain@example.com"), [1, "granted global"])
        assert.deepStrictEqual(yield* listed("source=form"), [0])
        yield* ask("PATCH", `/contacts/${ada.id}`, { email: "ada@new.example.com" })
        assert.strictEqual((yield* listed(`contactId=${ada.id}`))[0], 4)
        assert.strictEqual((yield* listed(`contactId=${ada.id}&topic=news`))[0], 2)
        assert.strictEqual(yield* outcome("GET", "/consents?contactId=ada"), "400 BAD_REQUEST")
        assert.deepStrictEqual(yield* listed("startDate=2999-01-01"), [0])
        const walked: Array<string> = []
        for (let cursor = ""; ; ) {
          const { body } = yield* ask("GET", `/consents?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
          walked.push(...body.data.map(({ id }: { id: string }) => id))
          if (!body.hasMore) break
          cursor = body.cursor
        }
        assert.strictEqual(new Set(walked).size, 5)
        assert.deepStrictEqual(walked, walked.toSorted().reverse())
        assert.strictEqual(yield* outcome("GET", "/consents?action=maybe"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/consents?source=maybe"), "400 BAD_REQUEST")
        assert.strictEqual(
          yield* outcome("GET", "/contacts/019b0000-0000-7000-8000-00000000dead/consents"),
          "404 CONTACT_NOT_FOUND"
        )
        const file = yield* ask("GET", "/consents/export?topic=news")
        assert.match(String(file.body), /^id,contactId,email,at,recordedAt,action,scope,topicId,topicKey,/)
        assert.strictEqual(String(file.body).trim().split("\r\n").length, 3)
        const lines = yield* ask("GET", "/consents/export?format=ndjson&action=granted")
        assert.strictEqual(String(lines.body).trim().split("\n").length, 3)
        const own = yield* ask("GET", `/consents/export?format=ndjson&contactId=${ada.id}`)
        assert.strictEqual(String(own.body).trim().split("\n").length, 4)
        const sql = yield* SqlClient.SqlClient
        const audited = yield* sql`
          select details from audit_log where project_id = ${project} and action = 'consents.exported' order by id`
        assert.deepStrictEqual(
          audited.map(({ details }) => details),
          [{ format: "csv" }, { format: "ndjson" }, { format: "ndjson" }]
        )
        const topics = yield* ask("GET", `/contacts/${ada.id}/topics`)
        assert.deepInclude(topics.body[0], { state: "unsubscribed", takes: false, defaultSubscription: "unsubscribed" })
        const stranger = yield* freshProject
        assert.strictEqual((yield* stranger.ask("GET", `/consents?email=${email}`)).body.total, 0)
      })
    )

    it.effect("lose the person at erasure, and the chain is found by the address while no dump holds it", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const { body: contact } = yield* ask("POST", "/contacts", { email: "erased@example.com" })
        yield* ask("PATCH", "/settings/audience", { consent: { ip: "full", userAgent: true } })
        const consent = {
          basis: "consent",
          wording: "Yes, please.",
          evidence: { note: "erased@example.com" },
          ip: "203.0.113.7"
        }
        yield* ask("PATCH", `/contacts/${contact.id}`, { subscribed: false })
        yield* ask("PATCH", `/contacts/${contact.id}`, { subscribed: true, consent })
        const one = yield* ask("GET", `/contacts/${contact.id}/export`)
        assert.strictEqual(one.body.consents.length, 3)
        const erased = yield* ask("POST", `/contacts/${contact.id}/erase`)
        assert.strictEqual(erased.body.consents, 3)
        const { body: found } = yield* ask("GET", "/consents?email=erased@example.com")
        assert.strictEqual(found.total, 3)
        for (const record of found.data) {
          assert.deepInclude(record, { contactId: null, email: null, ip: null, userAgent: null, evidence: null })
          assert.notStrictEqual(record.id, contact.id)
        }
        assert.include(
          found.data.map((_: { wording: { text: string } | null; basis: string }) => `${_.basis} ${_.wording?.text}`),
          "consent Yes, please."
        )
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql`
          select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_type = 'BASE TABLE'`
        for (const { name } of tables) {
          const [left] = yield* sql`
            select count(*)::int as count from ${sql(String(name))} as held
            where position('erased@example.com' in to_jsonb(held)::text) > 0`
          assert.strictEqual(left?.["count"], 0, String(name))
        }
        const ids =
          yield* sql`select from consents where project_id = ${project} and position(${contact.id} in to_jsonb(consents)::text) > 0`
        assert.strictEqual(ids.length, 0)
      })
    )

    it.effect("are kept while the contact lives, and then as long as the settings say", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        const add = (address: string) => ask("POST", "/contacts", { email: address, consent: { basis: "b" } })
        yield* ask("PATCH", "/settings/audience", { consent: { retentionDays: 30 } })
        const { body: gone } = yield* add("gone@example.com")
        const { body: erased } = yield* add("forgotten@example.com")
        yield* add("here@example.com")
        yield* ask("DELETE", `/contacts/${gone.id}`)
        yield* ask("POST", `/contacts/${erased.id}/erase`)
        const left = Effect.map(sql`select from consents where project_id = ${project}`, (rows) => rows.length)
        const sweep = Effect.flatMap(Consents.make, (consents) => consents.sweep)
        yield* TestClock.adjust("29 days")
        yield* sweep
        assert.strictEqual(yield* left, 3)
        yield* ask("PATCH", "/settings/audience", { consent: { retentionDays: null } })
        yield* TestClock.adjust("2 days")
        yield* sweep
        assert.strictEqual(yield* left, 3)
        yield* ask("PATCH", "/settings/audience", { consent: { retentionDays: 30 } })
        yield* sweep
        assert.strictEqual(yield* left, 1)
        assert.strictEqual((yield* ask("GET", "/consents?email=here@example.com")).body.total, 1)
      })
    )

    it.effect("stay in step with the contact when a process ends within any change", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20))
        const { ask, project } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        const { body: topic } = yield* ask("POST", "/topics", { name: "News", defaultSubscription: "unsubscribed" })
        const news = { news: "subscribed" } as const
        const add = (address: string, more: object = {}) =>
          Effect.map(ask("POST", "/contacts", { email: address, ...more }), ({ body }) => ContactId.make(body.id))
        const [ada, bob, cid] = [yield* add("ada@x.co"), yield* add("bob@x.co"), yield* add("cid@x.co")]
        const gone = yield* add("gone@x.co", { topics: { news: "unsubscribed" } })
        const contacts = yield* Contacts
        const merges = yield* ContactMerges.make
        const cause = { reason: "page" } as const
        const changes = {
          "a new contact": contacts.upsert(project, { email: "new@x.co", topics: news }),
          "an upsert": contacts.upsert(project, { email: "ada@x.co", subscribed: false, topics: news }),
          "a tracked event": contacts.touchMany(
            project,
            [{ email: "bob@x.co", subscribed: false, subscribedWhenNew: true, data: {} }],
            { reason: "track" }
          ),
          "an update": contacts.update(project, ada, { subscribed: true, topics: { news: "unsubscribed" } }),
          "a page": contacts.setConsent(
            project,
            bob,
            { subscribed: true, topics: { [topic.id]: "subscribed" } },
            cause
          ),
          "a step": contacts.alter(project, bob, { data: {}, subscribed: false }, { reason: "workflow" }),
          "a complaint": contacts.unsubscribeAddress(project, "cid@x.co", { reason: "complaint" }),
          "a merge": merges.merge(project, ada, { contactId: gone }),
          "a deletion": contacts.delete(project, cid)
        }
        const stored = Effect.all([
          sql`select to_jsonb(contacts) as row from contacts where project_id = ${project} order by id`,
          sql`select to_jsonb(consents) as row from consents where project_id = ${project} order by id`,
          sql`select to_jsonb(events) as row from events where project_id = ${project} order by id`
        ])
        /** Contacts whose last record says something else than the contact. */
        const outOfStep = sql`
          select contacts.email, last.action, last.topic_id from contacts
          cross join lateral (
            select distinct on (topic_id) topic_id, action from consents
            where consents.project_id = ${project} and consents.contact_id = contacts.id
              and action in ('granted', 'withdrawn')
            order by topic_id, recorded_at desc, id desc
          ) as last
          where project_id = ${project} and (last.action = 'granted')
            <> case when last.topic_id is null then subscribed else coalesce(last.topic_id = any(topics_on), false) end`
        for (const [what, change] of Object.entries(changes)) {
          yield* TestClock.adjust("1 minute")
          const before = yield* stored
          const killed = Effect.provideService(Failpoint, () => Effect.die("killed"))
          const exit = yield* Effect.exit(killed(change as (typeof changes)["a page"]))
          const after = yield* stored
          assert.deepStrictEqual(yield* outOfStep, [], what)
          // One statement is committed at once; the others leave nothing.
          if (Exit.isFailure(exit) && what !== "a new contact" && what !== "an upsert" && what !== "a tracked event") {
            assert.deepStrictEqual(after, before, what)
          }
          // A deletion has no such window.
          if (Exit.isFailure(exit)) yield* Effect.orDie(change as (typeof changes)["a page"])
          assert.deepStrictEqual(yield* outOfStep, [], what)
          assert.notDeepEqual(yield* stored, before, what)
        }
        const records = yield* sql`select from consents where project_id = ${project}`
        assert.isAbove(records.length, 12)
      })
    )

    it.effect("never change, whatever is called, apart from erasure", () =>
      Effect.gen(function* () {
        const { ask, project, track } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        yield* ask("POST", "/topics", { name: "News", defaultSubscription: "unsubscribed" })
        yield* ask("POST", "/topics", { name: "Tips", defaultSubscription: "subscribed" })
        const states = ["subscribed", "unsubscribed", "unset"]
        let seed = 7
        const pick = <A>(all: ReadonlyArray<A>): A => {
          seed = (seed * 1103515245 + 12345) % 2147483648
          return all[Math.floor((seed / 2147483648) * all.length)] as A
        }
        const some = () => `c${pick([1, 2, 3, 4, 5])}@example.com`
        const topics = () => ({ [pick(["news", "tips"])]: pick(states) })
        const idOf = (address: string) =>
          Effect.map(ask("GET", `/contacts?email=${address}`), ({ body }) => body.data[0]?.id)
        // A merge moves records to the contact that stays.
        const all = sql`
          select to_jsonb(consents) - 'contact_id' as record, id from consents where project_id = ${project}`
        let before = new Map<string, string>()
        for (let n = 0; n < 150; n++) {
          const address = some()
          const id = yield* idOf(address)
          yield* pick([
            ask("POST", "/contacts", { email: address, subscribed: pick([true, false]), topics: topics() }),
            ask("POST", "/contacts", { email: address }),
            ask("PATCH", `/contacts/${id}`, { subscribed: pick([true, false]) }),
            ask("PATCH", `/contacts/${id}`, { topics: topics(), consent: { wording: pick(["a", "b"]) } }),
            track({ email: address, event: "seen", topics: topics() }),
            ask("POST", "/events/track", { email: address, event: "seen", subscribed: pick([true, false]) }),
            ask("PATCH", "/topics/tips", { name: pick(["Tips", "Tricks"]) }),
            ask("PATCH", `/contacts/${id}`, { data: { n } }),
            ask("POST", `/contacts/${id}/merge`, { email: some() }),
            ask("DELETE", `/contacts/${id}`)
          ])
          const now = new Map((yield* all).map(({ id, record }) => [String(id), JSON.stringify(record)]))
          for (const [id, record] of before) assert.strictEqual(now.get(id), record)
          before = now
        }
        assert.isAbove(before.size, 30)
        const counts = yield* sql`
          select topics.key, topics.id,
                 count(*) filter (where topics.id = any(topics_on))::int as yes,
                 count(*) filter (where topics.id = any(topics_off))::int as no
          from topics left join contacts on contacts.project_id = topics.project_id
          where topics.project_id = ${project} group by topics.key, topics.id`
        for (const { key, yes, no } of counts) {
          const { body } = yield* ask("GET", `/topics/${key}`)
          assert.deepStrictEqual([body.subscribedCount, body.unsubscribedCount], [yes, no])
          const takers = yield* ask("GET", `/topics/${key}/contacts?limit=100`)
          assert.strictEqual(takers.body.total, body.subscriberCount)
          assert.strictEqual(takers.body.data.length, body.subscriberCount)
          const said = yield* ask("GET", `/topics/${key}/contacts?state=unsubscribed&limit=100`)
          assert.deepStrictEqual([said.body.total, said.body.data.length], [no, no])
        }
      })
    )
  })
}

describe("Truncated addresses", () => {
  test("keep 24 bits of IPv4 and 48 bits of IPv6", () => {
    assert.deepStrictEqual(
      ["203.0.113.7", "2001:db8:1:2::3", "2001:0DB8::1", "::1", "::ffff:203.0.113.7", "1:2:3:4:5:6:7:8"].map(
        truncatedIp
      ),
      ["203.0.113.0", "2001:db8:1::", "2001:db8::", "::", "203.0.113.0", "1:2:3::"]
    )
  })
})

/** Ingestion over HTTP: keys, bodies, what each message becomes, repeats, time, and what the public key cannot reach. */
import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Fiber, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, Wire, wireOver } from "../../testing/TestClient.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import * as HeldMessages from "./HeldMessages.ts"

const basic = (key: string) => `Basic ${btoa(`${key}:`)}`

const keysOf = ({ project, credential }: TestProject) => ({
  secret: credential.authorization.replace("Bearer ", ""),
  public: `pk_${project.slice(-12).padStart(43, "k")}`
})

const shop = Effect.gen(function* () {
  const mine = yield* freshProject
  const keys = keysOf(mine)
  const as =
    (key: string) =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      send("POST", `/ingest/v1/${path}`, body, { authorization: basic(key), ...headers })
  const batchAs =
    (key: string) =>
    (messages: ReadonlyArray<object>, more: object = {}) =>
      Effect.map(as(key)("batch", { batch: messages, ...more }), ({ body }) => body.data)
  return {
    mine,
    keys,
    server: as(keys.secret),
    browser: as(keys.public),
    batch: batchAs(keys.secret),
    publicBatch: batchAs(keys.public)
  }
})

const contactsOf = (mine: TestProject) =>
  Effect.map(mine.ask("GET", "/contacts?sort=email&dir=asc"), ({ body }) => body.data)

const namesOf = (mine: TestProject) =>
  Effect.map(contactsOf(mine), (found) =>
    found.map(({ email, externalId }: { email: string; externalId: string | null }) => `${email} ${externalId}`)
  )

const eventsOf = ({ project }: TestProject) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      select name, email, events.data, occurred_at as at, dispatched_at = '-infinity' as history
      from events join contacts on contacts.project_id = events.project_id and contacts.id = contact_id
      where events.project_id = ${project} and source = 'tracked' order by events.id`
  )

const codes = (data: { readonly ignored: ReadonlyArray<{ index: number; code: string }> }) =>
  data.ignored.map(({ index, code }) => `${index} ${code}`)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Ingestion on ${name}`, (it) => {
    it.effect("takes the key from each of its places, and refuses wrong ones", () =>
      Effect.gen(function* () {
        const { keys, mine } = yield* shop
        const message = { type: "identify", userId: "u1", traits: { email: "u1@example.com" } }
        const ask = (headers: Record<string, string>, more: object = {}, query = "") =>
          Effect.map(
            send("POST", `/ingest/v1/batch${query}`, { batch: [message], ...more }, { authorization: "", ...headers }),
            ({ status, body }) => `${status} ${body.error?.code ?? "ok"}`
          )
        for (const key of [keys.secret, keys.public]) {
          assert.strictEqual(yield* ask({ authorization: basic(key) }), "200 ok")
          assert.strictEqual(yield* ask({ "x-write-key": `${key}:x` }), "200 ok")
          assert.strictEqual(yield* ask({}, { writeKey: key }), "200 ok")
          assert.strictEqual(yield* ask({}, {}, `?writeKey=${key}`), "200 ok")
          assert.strictEqual(yield* ask({ authorization: `Bearer ${key}` }), "200 ok")
        }
        assert.strictEqual(yield* ask({}), "401 INVALID_API_KEY")
        assert.strictEqual(yield* ask({ authorization: basic(`sk_${"z".repeat(43)}`) }), "401 INVALID_API_KEY")
        assert.strictEqual(yield* ask({ authorization: "Basic %%%" }), "401 INVALID_API_KEY")
        const reader = yield* mine.ask("POST", "/api-keys", { name: "R", scopes: ["events:read"] })
        const writer = yield* mine.ask("POST", "/api-keys", { name: "W", scopes: ["events:write"] })
        assert.strictEqual(yield* ask({ authorization: basic(reader.body.key) }), "403 FORBIDDEN")
        assert.strictEqual(yield* ask({ authorization: basic(writer.body.key) }), "200 ok")
      })
    )

    it.effect("reads gzip and text/plain, and refuses what is too large before it is unpacked", () =>
      Effect.gen(function* () {
        const { keys } = yield* shop
        const handler = yield* Wire
        const post = (body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) =>
          Effect.promise(async () => {
            const answer = await handler(
              new Request("http://posthorn/ingest/v1/batch", {
                method: "POST",
                headers: { authorization: basic(keys.secret), ...headers },
                body
              })
            )
            return `${answer.status} ${JSON.parse(await answer.text()).error?.code ?? "ok"}`
          })
        const text = JSON.stringify({ batch: [{ type: "identify", traits: { email: "z@example.com" } }] })
        const packed = (given: string) => new Uint8Array(gzipSync(given))
        const gzip = { "content-type": "application/json", "content-encoding": "gzip" }
        assert.strictEqual(yield* post(packed(text), gzip), "200 ok")
        assert.strictEqual(yield* post(text, { "content-type": "text/plain;charset=UTF-8" }), "200 ok")
        assert.strictEqual(yield* post(text, { "content-type": "application/xml" }), "415 UNSUPPORTED_MEDIA_TYPE")
        assert.strictEqual(yield* post(text, { ...gzip, "content-encoding": "br" }), "415 UNSUPPORTED_MEDIA_TYPE")
        assert.strictEqual(yield* post("no gzip", gzip), "400 INVALID_JSON")
        assert.strictEqual(yield* post(packed(text).slice(0, 30), gzip), "400 INVALID_JSON")
        assert.strictEqual(yield* post("{", { "content-type": "application/json" }), "400 INVALID_JSON")
        assert.strictEqual(yield* post("{}", { "content-type": "application/json" }), "422 VALIDATION_ERROR")
        assert.strictEqual(yield* post("null", { "content-type": "application/json" }), "422 VALIDATION_ERROR")
        // 1 GB of zeros.
        const bomb = packed(" ".repeat(16 * 1024 * 1024).repeat(16))
        assert.isBelow(bomb.length, 1024 * 1024)
        assert.strictEqual(yield* post(bomb, gzip), "413 PAYLOAD_TOO_LARGE")
        const many = JSON.stringify({ batch: Array.from({ length: 2_501 }, () => ({})) })
        assert.strictEqual(yield* post(many, { "content-type": "application/json" }), "413 PAYLOAD_TOO_LARGE")
        assert.strictEqual(
          yield* post("x".repeat(4 * 1024 * 1024 + 1), { "content-type": "application/json" }),
          "413 PAYLOAD_TOO_LARGE"
        )
      })
    )

    it.effect("answers browsers of any origin, and the settings that libraries ask for", () =>
      Effect.gen(function* () {
        const { keys } = yield* shop
        const asked = yield* send("OPTIONS", "/ingest/v1/t", undefined, {
          origin: "https://shop.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "anonymousid,authorization,content-type"
        })
        assert.strictEqual(asked.status, 204)
        assert.strictEqual(asked.headers.get("access-control-allow-origin"), "*")
        assert.strictEqual(asked.headers.get("access-control-allow-headers"), "anonymousid,authorization,content-type")
        assert.isNull(asked.headers.get("access-control-allow-credentials"))
        const { body } = yield* send("GET", `/ingest/v1/projects/${keys.public}/settings`)
        assert.deepInclude(body.integrations["Segment.io"], {
          apiKey: keys.public,
          apiHost: "posthorn.example/ingest/v1",
          protocol: "https"
        })
        const source = yield* send("GET", `/ingest/sourceConfig/?writeKey=${keys.public}`)
        assert.deepInclude(source.body.source, { writeKey: keys.public, enabled: true, destinations: [] })
        assert.strictEqual((yield* send("POST", "/ingest/v1/unknown", {})).status, 404)
      })
    )

    it.effect("maps each type of message", () =>
      Effect.gen(function* () {
        const { mine, batch, server } = yield* shop
        const data = yield* batch([
          {
            type: "identify",
            userId: "u1",
            anonymousId: "anon1",
            traits: { email: "U1@Example.com", plan: "pro", age: 7, locale: "pt-br", empty: "" },
            context: { locale: "de-DE", timezone: "Europe/Berlin", ip: "192.0.2.1", userAgent: "secret agent" }
          },
          { type: "track", userId: "u1", event: " order ", properties: { amount: 5, email: "other@example.com" } },
          { type: "page", userId: "u1", name: "Home", category: "Docs", properties: { path: "/" } },
          { type: "screen", anonymousId: "anon1", name: "Start" },
          { type: "group", userId: "u1", groupId: "g1", traits: { name: "Acme" } },
          { type: "alias", userId: "u1", previousId: "old1" },
          { type: "track", userId: "old1", event: "later" }
        ])
        assert.deepStrictEqual(data, { accepted: 7, duplicates: 0, held: 0, ignored: [] })
        const [contact] = yield* contactsOf(mine)
        assert.deepInclude(contact, {
          email: "u1@example.com",
          externalId: "u1",
          subscribed: false,
          locale: "pt-BR",
          timezone: "Europe/Berlin",
          origin: { source: "track", id: null }
        })
        assert.deepStrictEqual(contact.data, {
          plan: "pro",
          age: 7,
          locale: "pt-br",
          timezone: "Europe/Berlin",
          group: { id: "g1", name: "Acme" }
        })
        const events = yield* eventsOf(mine)
        assert.sameDeepMembers(
          events.map(({ name, data }) => [name, data]),
          [
            ["order", { amount: 5 }],
            ["page", { name: "Home", category: "Docs", path: "/" }],
            ["screen", { name: "Start" }],
            ["later", {}]
          ]
        )
        const dump = yield* SqlClient.SqlClient.use(
          (sql) => sql`select to_jsonb(events)::text as text from events where project_id = ${mine.project}`
        )
        assert.notInclude(JSON.stringify(dump), "secret agent")
        const one = yield* server("t", { userId: "u1", event: "single", type: "identify" })
        assert.deepInclude(one.body, { success: true, ok: true })
        assert.strictEqual(one.body.data.accepted, 1)
      })
    )

    it.effect("ignores faulty messages by their code, and stores the others", () =>
      Effect.gen(function* () {
        const { mine, batch } = yield* shop
        yield* mine.ask("POST", "/contacts", { email: "a@example.com", externalId: "A" })
        yield* mine.ask("POST", "/contacts", { email: "b@example.com", externalId: "B" })
        const data = yield* batch([
          7 as never,
          {},
          { type: "explode", userId: "A" },
          { type: "track", userId: "A", event: "email.sent" },
          { type: "track", userId: "A", event: "" },
          { type: "track", userId: "A", event: "big", properties: { text: "x".repeat(33_000) } },
          { type: "track", userId: "nobody", event: "lost" },
          { type: "identify", userId: "A", traits: { email: "b@example.com" } },
          { type: "identify", userId: "X", traits: { email: "b@example.com" } },
          { type: "identify", userId: "A", traits: { email: "no address" } },
          { type: "identify", userId: "x".repeat(201), traits: { email: "c@example.com" } },
          { type: "alias", userId: "A", previousId: "B" },
          { type: "group", userId: "A" },
          { type: "track", userId: "A", event: "nul", properties: { text: "a\0b" } },
          { type: "track", userId: "A", event: "good" }
        ])
        assert.strictEqual(data.accepted, 1)
        assert.deepStrictEqual(codes(data), [
          "0 invalid",
          "1 invalid",
          "2 unsupported",
          "3 reserved_event",
          "4 invalid",
          "5 too_big",
          "6 no_contact",
          "7 conflict",
          "8 conflict",
          "9 invalid",
          "10 invalid",
          "11 conflict",
          "12 invalid",
          "13 invalid"
        ])
        assert.deepStrictEqual(yield* namesOf(mine), ["a@example.com A", "b@example.com B"])
        const many = yield* batch(Array.from({ length: 30 }, () => ({ type: "track", userId: "nobody", event: "x" })))
        assert.lengthOf(many.ignored, 20)
      })
    )

    it.effect("a repeated message is stored once, whenever it comes again", () =>
      Effect.gen(function* () {
        const { mine, batch } = yield* shop
        const now = yield* DateTime.now
        const at = DateTime.formatIso(now)
        const messages = [
          { type: "identify", userId: "u1", messageId: "m0", traits: { email: "u1@example.com" } },
          { type: "track", userId: "u1", messageId: "m1", event: "order", timestamp: at },
          { type: "track", userId: "u1", messageId: "m1", event: "order", timestamp: at },
          { type: "track", userId: "u1", messageId: "m2", event: "order" },
          { type: "track", userId: "u1", event: "order" }
        ]
        assert.deepInclude(yield* batch(messages), { accepted: 4, duplicates: 1 })
        // The library corrects the time of a message that it sends again, and keeps its original one.
        const again = messages.map((message) =>
          "timestamp" in message
            ? { ...message, originalTimestamp: at, timestamp: "2026-01-01T00:00:00.000Z" }
            : message
        )
        assert.deepInclude(yield* batch(again), { accepted: 2, duplicates: 3 })
        assert.lengthOf(yield* eventsOf(mine), 4)
        const ids = yield* SqlClient.SqlClient.use(
          (sql) =>
            sql`select substr(id::text, 15, 1) as version from events where project_id = ${mine.project} order by 1`
        )
        assert.deepStrictEqual(
          ids.map(({ version }) => version),
          ["7", "7", "7", "8"]
        )
        const theirs = yield* shop
        assert.deepInclude(yield* theirs.batch(messages), { accepted: 4, duplicates: 1 })
      })
    )

    it.effect("a batch that fails in the middle stores nothing, and sent again it stores each event once", () =>
      Effect.gen(function* () {
        const { mine, batch, server } = yield* shop
        const sql = yield* SqlClient.SqlClient
        const messages = ["u1", "u2"].flatMap((userId) => [
          { type: "identify", userId, messageId: `${userId} is`, traits: { email: `${userId}@example.com` } },
          { type: "track", userId, messageId: `${userId} did`, event: userId === "u1" ? "order" : "breaks" }
        ])
        yield* sql`alter table events add constraint broken check (name <> 'breaks') not valid`
        assert.strictEqual((yield* server("batch", { batch: messages })).status, 500)
        assert.deepStrictEqual([yield* contactsOf(mine), yield* eventsOf(mine)], [[], []])
        yield* sql`alter table events drop constraint broken`
        assert.deepInclude(yield* batch(messages), { accepted: 4, duplicates: 0 })
        assert.deepInclude(yield* batch(messages), { accepted: 2, duplicates: 2 })
        assert.deepStrictEqual((yield* eventsOf(mine)).map(({ name, email }) => `${name} ${email}`).sort(), [
          "breaks u2@example.com",
          "order u1@example.com"
        ])
        const results = (yield* Metric.snapshot)
          .filter(({ id }) => id === "posthorn_ingest_messages_total")
          .map(({ attributes }) => attributes?.["result"])
        assert.includeMembers(results, ["accepted", "duplicate"])
      })
    )

    it.effect("an event has the time of the sender, corrected by its clock; old ones are history", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const { mine, batch, server } = yield* shop
        const now = yield* DateTime.now
        const at = (hours: number) => DateTime.formatIso(DateTime.add(now, { hours }))
        yield* batch([{ type: "identify", userId: "u1", traits: { email: "u1@example.com" } }])
        yield* batch(
          [
            { type: "track", userId: "u1", event: "skewed", timestamp: at(4) },
            { type: "track", userId: "u1", event: "own", timestamp: at(-3), sentAt: at(-1) },
            { type: "track", userId: "u1", event: "future", timestamp: at(9) },
            { type: "track", userId: "u1", event: "old", timestamp: at(-20) }
          ],
          { sentAt: at(5) }
        )
        yield* server("import", { batch: [{ type: "track", userId: "u1", event: "import" }] })
        const found = Object.fromEntries(
          (yield* eventsOf(mine)).map(({ name, at, history }) => [
            name,
            [((at as Date).getTime() - DateTime.toEpochMillis(now)) / 3_600_000, history]
          ])
        )
        assert.deepStrictEqual(found, {
          skewed: [-1, null],
          own: [-2, null],
          future: [0, null],
          old: [-25, true],
          import: [0, true]
        })
      })
    )

    it.effect("the public key cannot reach the address or the ids of another contact", () =>
      Effect.gen(function* () {
        const { mine, batch, publicBatch } = yield* shop
        yield* mine.ask("POST", "/contacts", { email: "victim@example.com", externalId: "victim" })
        yield* mine.ask("POST", "/contacts", { email: "plain@example.com" })
        yield* batch([{ type: "alias", userId: "victim", previousId: "made-by-server" }])
        yield* publicBatch([
          { type: "identify", userId: "victim", traits: { email: "evil@example.com" } },
          { type: "identify", userId: "made-by-server", traits: { email: "evil@example.com" } },
          { type: "identify", userId: "mine", traits: { email: "plain@example.com" } },
          { type: "alias", userId: "evil", previousId: "victim" }
        ])
        assert.deepStrictEqual(yield* namesOf(mine), ["plain@example.com null", "victim@example.com victim"])
        yield* publicBatch([
          { type: "identify", userId: "evil", traits: { email: "evil@example.com" } },
          { type: "alias", userId: "evil", previousId: "made-by-server" },
          { type: "alias", userId: "evil", previousId: "victim" },
          { type: "track", userId: "made-by-server", event: "visit" },
          { type: "track", userId: "mine", event: "visit" }
        ])
        assert.deepStrictEqual((yield* eventsOf(mine)).map(({ email }) => email).sort(), [
          "plain@example.com",
          "victim@example.com"
        ])
        // Servers believe only the ids that servers made.
        assert.deepStrictEqual(
          codes(
            yield* batch([
              { type: "track", userId: "mine", event: "visit" },
              { type: "track", userId: "evil", event: "visit" }
            ])
          ),
          ["0 no_contact", "1 no_contact"]
        )
        assert.deepStrictEqual(yield* namesOf(mine), [
          "evil@example.com null",
          "plain@example.com null",
          "victim@example.com victim"
        ])
      })
    )

    it.effect("messages of nobody wait, if the project says so, until somebody says whose they are", () =>
      Effect.gen(function* () {
        const { mine, batch, publicBatch } = yield* shop
        const before = yield* batch([{ type: "track", anonymousId: "anon", event: "lost" }])
        assert.deepInclude(before, { held: 0, accepted: 0 })
        yield* mine.ask("PATCH", "/settings/audience", { ingest: { anonymous: "hold" } })
        const held = yield* publicBatch([
          { type: "track", anonymousId: "anon", messageId: "a", event: "visit", properties: { n: 1 } },
          { type: "track", anonymousId: "anon", messageId: "a", event: "visit", properties: { n: 1 } },
          { type: "identify", anonymousId: "anon", traits: { plan: "free", city: "Paris" } }
        ])
        assert.deepInclude(held, { held: 3, accepted: 0, ignored: [] })
        assert.deepInclude(yield* batch([{ type: "track", anonymousId: "anon", event: "by server" }]), { held: 1 })
        const grouped = yield* publicBatch([{ type: "group", anonymousId: "anon", groupId: "g", traits: { seats: 5 } }])
        assert.deepInclude(grouped, { held: 1, ignored: [] })
        assert.isEmpty(yield* eventsOf(mine))
        const tied = yield* publicBatch([
          { type: "identify", userId: "u1", anonymousId: "anon", traits: { email: "u1@example.com", plan: "pro" } }
        ])
        assert.deepInclude(tied, { accepted: 1, duplicates: 0 })
        const [contact] = yield* contactsOf(mine)
        assert.deepStrictEqual(contact.data, { city: "Paris", plan: "pro", group: { id: "g", seats: 5 } })
        assert.deepStrictEqual(
          (yield* eventsOf(mine)).map(({ name, data, history }) => [name, data, history]),
          [["visit", { n: 1 }, true]]
        )
        // What a server sent waits for a server.
        yield* batch([{ type: "identify", anonymousId: "anon", traits: { email: "u1@example.com" } }])
        assert.lengthOf(yield* eventsOf(mine), 2)
        const left = yield* SqlClient.SqlClient.use(
          (sql) => sql`select id from held_messages where project_id = ${mine.project}`
        )
        assert.isEmpty(left)
        const full = yield* batch(
          Array.from({ length: 501 }, (_, n) => ({
            type: "track",
            anonymousId: "other",
            messageId: `o${n}`,
            event: "x"
          }))
        )
        assert.deepInclude(full, { held: 500 })
        assert.deepStrictEqual(codes(full), ["500 no_contact"])
      })
    )

    it.effect("an alias of nobody waits too, and leads to what waits under its other id", () =>
      Effect.gen(function* () {
        const { mine, batch, publicBatch } = yield* shop
        yield* mine.ask("PATCH", "/settings/audience", { ingest: { anonymous: "hold" } })
        yield* batch([{ type: "identify", userId: "other", traits: { email: "other@example.com" } }])
        const held = yield* batch([
          { type: "track", userId: "oldest", event: "first" },
          { type: "alias", userId: "old", previousId: "oldest" },
          { type: "alias", userId: "new", previousId: "old" },
          { type: "alias", userId: "new", previousId: "other" }
        ])
        assert.deepInclude(held, { held: 4, accepted: 0, ignored: [] })
        assert.deepInclude(yield* publicBatch([{ type: "alias", userId: "new", previousId: "device" }]), { held: 1 })
        yield* batch([{ type: "track", userId: "device", event: "by server" }])
        yield* publicBatch([{ type: "track", userId: "device", event: "by device" }])
        yield* batch([{ type: "identify", userId: "new", traits: { email: "new@example.com" } }])
        assert.sameDeepMembers(
          (yield* eventsOf(mine)).map(({ name, history }) => [name, history]),
          [
            ["first", true],
            ["by device", true]
          ]
        )
        // Ids of a server find the contact for a server. What a browser said about an id counts for browsers only.
        const said = yield* batch([
          { type: "track", userId: "oldest", event: "x" },
          { type: "track", userId: "device", event: "x" }
        ])
        assert.deepInclude(said, { accepted: 1, held: 1 })
        assert.deepStrictEqual(yield* namesOf(mine), ["new@example.com new", "other@example.com other"])
        assert.deepInclude(yield* publicBatch([{ type: "track", userId: "device", event: "y" }]), { accepted: 1 })
      })
    )

    it.effect("messages of nobody are deleted after the days of the project, and with the person they belong to", () =>
      Effect.gen(function* () {
        const { mine, batch } = yield* shop
        const left = SqlClient.SqlClient.use(
          (sql) => sql`select person_id as id from held_messages where project_id = ${mine.project} order by 1`
        )
        yield* mine.ask("PATCH", "/settings/audience", { ingest: { anonymous: "hold", holdDays: 2 } })
        yield* batch([{ type: "track", userId: "early", event: "visit" }])
        yield* TestClock.adjust("47 hours")
        yield* HeldMessages.sweep
        yield* batch([{ type: "track", userId: "ada", event: "visit" }])
        assert.deepStrictEqual(yield* left, [{ id: "ada" }, { id: "early" }])
        yield* TestClock.adjust("2 hours")
        yield* HeldMessages.sweep
        assert.deepStrictEqual(yield* left, [{ id: "ada" }])
        const { body } = yield* mine.ask("POST", "/contacts", { email: "ada@example.com", externalId: "ada" })
        const erased = yield* mine.ask("POST", `/contacts/${body.id}/erase`)
        assert.strictEqual(erased.status, 200, JSON.stringify(erased.body))
        assert.isEmpty(yield* left)
      })
    )

    it.effect("pages can be switched off, and a disabled project takes nothing", () =>
      Effect.gen(function* () {
        const { mine, batch, browser } = yield* shop
        yield* mine.ask("PATCH", "/settings/audience", { ingest: { page: false } })
        const data = yield* batch([
          { type: "identify", userId: "u1", traits: { email: "u1@example.com" } },
          { type: "page", userId: "u1" },
          { type: "screen", userId: "u1" }
        ])
        assert.deepStrictEqual([data.accepted, codes(data)], [2, ["1 unsupported"]])
        yield* settled(Effect.orDie(Projects.use(({ disable }) => disable(mine.project, "MANUAL"))))
        const refused = yield* browser("t", { userId: "u1", event: "visit" })
        assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "PROJECT_DISABLED"])
      })
    )

    it.effect("an event that overtakes the message about its contact waits for it a moment, and no longer", () =>
      Effect.gen(function* () {
        const { mine, browser } = yield* shop
        const early = yield* Effect.forkChild(browser("t", { userId: "u1", event: "visit" }), {
          startImmediately: true
        })
        // Long enough for its first look, by the clock of the machine.
        yield* Effect.promise(() => new Promise((done) => setTimeout(done, 200)))
        yield* browser("i", { userId: "u1", traits: { email: "u1@example.com" } })
        const { body } = yield* settled(Fiber.join(early))
        assert.deepInclude(body.data, { accepted: 1, ignored: [] })
        assert.lengthOf(yield* eventsOf(mine), 1)
        const nobody = yield* settled(browser("t", { userId: "u2", event: "visit" }))
        assert.deepStrictEqual(codes(nobody.body.data), ["0 no_contact"])
      })
    )

    it.effect("30 parallel batches about one new person make one contact and each event once", () =>
      Effect.gen(function* () {
        const { mine, batch } = yield* shop
        const answers = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, n) => n),
          (n) =>
            batch([
              { type: "identify", userId: "u1", traits: { email: "u1@example.com", [`n${n}`]: n } },
              { type: "track", userId: "u1", messageId: `m${n % 10}`, event: "visit" }
            ]),
          { concurrency: "unbounded" }
        )
        const sum = (of: "accepted" | "duplicates") => answers.reduce((all, each) => all + each[of], 0)
        assert.deepStrictEqual([sum("accepted"), sum("duplicates")], [40, 20])
        const [contact, ...others] = yield* contactsOf(mine)
        assert.isEmpty(others)
        assert.lengthOf(Object.keys(contact.data), 30)
        assert.lengthOf(yield* eventsOf(mine), 10)
      })
    )
  })
}

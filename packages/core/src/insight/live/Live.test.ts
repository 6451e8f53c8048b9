import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { project, servicesOn, type TestServices } from "../../testing/Services.ts"
import { send, type Wire, wire, wireOver } from "../../testing/TestClient.ts"
import { Live, mostOfHolder, mostOfProject } from "./Live.ts"
import { type OpenStream, openStream, until } from "./LiveFixture.ts"

const track = (email: string, event: string) =>
  Effect.map(send("POST", "/events/track", { email, event }), ({ body }) => String(body.data.event))

const named = (stream: OpenStream, name: string) => stream.events.filter(({ event }) => event === name)

/** Ids of the entries that arrived, in the order of their arrival. */
const entries = (stream: OpenStream) =>
  named(stream, "activity").flatMap(({ data }) => data.entries.map(({ id }: { id: string }) => id))

const quiet = Effect.andThen(TestClock.adjust("5 seconds"), TestClock.withLive(Effect.sleep("300 millis")))

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`Live changes on ${name}`, (it) => {
    it.effect("arrive as entries of the activity feed, of the own project and the wanted topics only", () =>
      Effect.gen(function* () {
        const all = yield* openStream()
        const domains = yield* openStream("?topics=domains,%20jobs")
        assert.strictEqual(all.status, 200)
        assert.strictEqual(all.headers.get("content-type"), "text/event-stream")
        assert.strictEqual(all.headers.get("cache-control"), "no-store")
        assert.strictEqual(all.headers.get("x-accel-buffering"), "no")
        const other = yield* sendingProject(0)
        yield* other.ask("POST", "/events/track", { email: "a@example.com", event: "theirs" })
        const id = yield* track("ada@example.com", "signed_up")
        yield* until(() => entries(all).length > 0)
        const { body } = yield* send("GET", "/activity?types=event.triggered")
        assert.deepStrictEqual(named(all, "activity"), [
          { event: "activity", data: { entries: body.data, skipped: 0 } }
        ])
        assert.deepStrictEqual(entries(all), [id])
        yield* quiet
        assert.deepStrictEqual(entries(all), [id], "once")
        assert.deepStrictEqual(domains.events, [])
        assert.strictEqual((yield* openStream("?topics=activity,mails")).status, 400)
      })
    )

    it.effect("continue after a position: nothing is missing and nothing comes twice", () =>
      Effect.gen(function* () {
        const first = yield* openStream("?topics=activity")
        const seen = [yield* track("c@example.com", "one"), yield* track("c@example.com", "two")]
        yield* until(() => entries(first).length === 2)
        assert.sameMembers(entries(first), seen)
        yield* first.leave
        yield* TestClock.adjust("3 minutes")
        const missed = [yield* track("c@example.com", "three"), yield* track("c@example.com", "four")]
        const second = yield* openStream("?topics=activity", { "last-event-id": first.position() })
        yield* until(() => entries(second).length > 0)
        assert.sameMembers(entries(second), missed)
        // Also while another stream has the same entries already.
        const third = yield* openStream("?topics=activity", { "last-event-id": first.position() })
        yield* until(() => entries(third).length > 0)
        const last = yield* track("c@example.com", "five")
        yield* until(() => entries(third).includes(last) && entries(second).includes(last))
        yield* quiet
        for (const stream of [second, third]) {
          assert.sameMembers(entries(stream), [...missed, last])
          assert.strictEqual(named(stream, "reset").length, 0)
        }
      })
    )

    it.effect("start again after a position that is old, changed or of another project", () =>
      Effect.gen(function* () {
        const first = yield* openStream()
        const position = first.position()
        yield* first.leave
        const other = yield* sendingProject(0)
        const changed = `${position.slice(0, -2)}${position.endsWith("A") ? "BB" : "AA"}`
        const foreign = yield* openStream("", { ...other.credential, "last-event-id": position })
        const broken = yield* openStream("", { "last-event-id": changed })
        yield* TestClock.adjust("9 minutes")
        const young = yield* openStream("", { "last-event-id": position })
        yield* TestClock.adjust("2 minutes")
        const old = yield* openStream("", { "last-event-id": position })
        for (const stream of [foreign, broken, old]) {
          assert.deepStrictEqual(stream.events[0], { event: "reset", data: {} })
        }
        assert.strictEqual(named(young, "reset").length, 0)
        assert.strictEqual((yield* openStream("", { "last-event-id": "x".repeat(5_000) })).status, 400)
      })
    )

    it.effect("tell of campaigns, jobs, domains and the project", () =>
      Effect.gen(function* () {
        const own = yield* sendingProject(3)
        const stream = yield* openStream("?topics=campaigns,jobs,domains,project", own.credential)
        const campaign = yield* own.create()
        yield* until(() => named(stream, "campaign").length > 0)
        yield* own.ask("POST", `/campaigns/${campaign}/send`)
        yield* work
        yield* until(() =>
          named(stream, "campaign").some(({ data }) => data.status === "SENDING" && data.totalRecipients === 3)
        )
        const late = yield* openStream("?topics=campaigns", own.credential)
        assert.deepStrictEqual(
          late.events.map(({ data }) => [data.id, data.status]),
          [[campaign, "SENDING"]],
          "a stream starts with the campaigns that are being sent"
        )
        yield* own.ask("POST", `/campaigns/${campaign}/pause`)
        yield* until(() => named(stream, "campaign").at(-1)?.data.paused === true)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update emails set status = 'SENT', sent_at = now() where campaign_id = ${campaign}::uuid`
        yield* until(() => named(stream, "campaign").at(-1)?.data.sentCount === 3)
        yield* own.ask("POST", `/campaigns/${campaign}/cancel`)
        yield* until(() => named(stream, "campaign").at(-1)?.data.status === "CANCELLED")
        assert.deepInclude(named(stream, "campaign").at(-1)?.data, { id: campaign, bouncedCount: 0, failedCount: 0 })

        const { body: domain } = yield* own.ask("POST", "/domains", { domain: `live-${randomUUID()}.test` })
        yield* until(() => named(stream, "domain").some(({ data }) => data.id === domain.id))
        assert.deepStrictEqual(named(stream, "domain").at(-1)?.data, { id: domain.id, status: "VERIFIED" })

        const { body: contact } = yield* own.ask("POST", "/contacts", { email: "job@example.com" })
        const { body: job } = yield* own.ask("POST", "/contacts/bulk-unsubscribe", { contactIds: [contact.id] })
        yield* until(() => named(stream, "job").length > 0)
        assert.deepStrictEqual(named(stream, "job")[0]?.data, {
          id: job.jobId,
          type: "bulk-unsubscribe",
          state: "waiting",
          progress: 0
        })
        yield* sql`
          update jobs set started_at = now(), finished_at = ${DateTime.toDate(yield* DateTime.now)}, progress = 100
          where id = ${job.jobId}::uuid`
        yield* until(() => named(stream, "job").at(-1)?.data.state === "completed")

        const position = stream.position()
        yield* Projects.use(({ disable }) => settled(disable(own.project, "PHISHING_DETECTED")))
        const disabled = { disabled: true, reason: "PHISHING_DETECTED", resetting: false }
        yield* until(() => named(stream, "project").length > 0)
        assert.deepStrictEqual(named(stream, "project").at(-1)?.data, disabled)
        const again = yield* openStream("?topics=project", { ...own.credential, "last-event-id": position })
        assert.deepStrictEqual(again.events, [{ event: "project", data: disabled }])
      })
    )

    it.effect("say every 15 seconds that they are there, with a position, and end after 15 minutes", () =>
      Effect.gen(function* () {
        const stream = yield* openStream()
        const before = stream.position()
        for (const count of [1, 2, 3]) {
          yield* TestClock.adjust("15 seconds")
          yield* eventually(Effect.sync(stream.text), (text) => text.split(": still here\n").length === count + 1)
        }
        assert.notStrictEqual(stream.position(), before)
        // In steps, because each look at the project takes real time.
        for (let step = 0; step < 28; step++) {
          yield* TestClock.adjust("30 seconds")
          yield* TestClock.withLive(Effect.sleep("50 millis"))
        }
        assert.isFalse(stream.isOver())
        yield* TestClock.adjust("15 seconds")
        yield* eventually(Effect.sync(stream.isOver), (isOver) => isOver)
        const next = yield* openStream("", { "last-event-id": stream.position() })
        assert.strictEqual(named(next, "reset").length, 0, "a quiet stream has a young position")
      })
    )

    it.effect("come once for an entry that was recorded late, and count those that are too many", () =>
      Effect.gen(function* () {
        const own = yield* sendingProject(1)
        const sql = yield* SqlClient.SqlClient
        const stream = yield* openStream("?topics=activity", own.credential)
        const insert = (count: number, secondsAgo: number) =>
          Effect.flatMap(
            DateTime.now,
            (now) => sql`
              insert into events (id, project_id, contact_id, name, source, created_at)
              select gen_random_uuid(), ${own.project}::uuid, (select id from contacts where project_id = ${own.project} limit 1),
                     'many', 'tracked', ${DateTime.toDate(DateTime.subtract(now, { seconds: secondsAgo }))}::timestamptz
              from generate_series(1, ${count}::int) returning id`
          )
        yield* insert(1, 0)
        yield* until(() => entries(stream).length === 1)
        // Younger than the start of the stream, but older than what it has.
        const [late] = yield* insert(1, 1)
        yield* until(() => entries(stream).includes(String(late?.["id"])))
        yield* insert(320, 0)
        yield* until(() => named(stream, "activity").length === 3)
        const { data } = named(stream, "activity")[2] ?? { data: { entries: [], skipped: 0 } }
        assert.deepStrictEqual([data.entries.length, data.skipped], [50, 270])
        yield* quiet
        assert.strictEqual(named(stream, "activity").length, 3)
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))

layer(wire, { timeout: "120 seconds" })("A live stream", (it) => {
  it.effect("is for every member and for keys with the scope; whoever was removed does not get another", () =>
    Effect.gen(function* () {
      const keyWith = (scope: string) =>
        Effect.map(send("POST", "/api-keys", { name: scope, scopes: [scope] }), ({ body }) => ({
          authorization: `Bearer ${body.key}`
        }))
      assert.strictEqual((yield* openStream("", yield* keyWith("analytics:read"))).status, 200)
      assert.strictEqual((yield* openStream("", yield* keyWith("contacts:read"))).status, 403)
      assert.strictEqual((yield* openStream("", { authorization: "" })).status, 401)
      const owner = yield* person("owner")
      const admin = yield* person("admin")
      const member = yield* person("member")
      const stranger = yield* person("stranger")
      const { id } = yield* newProject(owner.cookie)
      yield* addMember(owner.cookie, id, admin, "ADMIN")
      yield* addMember(owner.cookie, id, member, "MEMBER")
      const as = ({ cookie }: { readonly cookie: string }, more: Record<string, string> = {}) =>
        openStream("", { authorization: "", cookie: `__Host-posthorn_session=${cookie}`, "x-project-id": id, ...more })
      for (const someone of [owner, admin, member]) assert.strictEqual((yield* as(someone)).status, 200)
      assert.strictEqual((yield* as(stranger)).status, 403)
      const stream = yield* as(member)
      yield* settled(browse(owner.cookie, "DELETE", `/projects/${id}/members/${member.id}`))
      yield* TestClock.adjust("15 minutes")
      yield* eventually(Effect.sync(stream.isOver), (isOver) => isOver)
      assert.strictEqual((yield* as(member, { "last-event-id": stream.position() })).status, 403)
    })
  )

  it.effect("costs one request, and is one of 20 of a user or key and 200 of a project", () =>
    Effect.gen(function* () {
      const own = yield* sendingProject(0)
      const headers = own.credential
      const { headers: before } = yield* own.ask("GET", "/projects/current")
      const streams = yield* Effect.replicateEffect(openStream("", headers), mostOfHolder)
      const left = (answer: Headers) => Number(answer.get("ratelimit-remaining"))
      assert.strictEqual(left(before) - left(streams.at(-1)?.headers ?? before), mostOfHolder)
      const refused = yield* own.ask("GET", "/live")
      assert.deepStrictEqual(
        [refused.status, refused.body.error.details, refused.headers.get("retry-after")],
        [429, { limit: mostOfHolder, retryAfter: 30, scope: "streams" }, "30"]
      )
      yield* streams[0]?.leave ?? Effect.void
      yield* eventually(openStream("", headers), ({ status }) => status === 200)
      for (let n = 1; n < mostOfProject / mostOfHolder; n++) {
        const { body } = yield* own.ask("POST", "/api-keys", { name: `Key ${n}`, scopes: ["analytics:read"] })
        yield* Effect.replicateEffect(openStream("", { authorization: `Bearer ${body.key}` }), mostOfHolder)
      }
      const { body } = yield* own.ask("POST", "/api-keys", { name: "One more", scopes: ["*"] })
      const full = yield* send("GET", "/live", undefined, { authorization: `Bearer ${body.key}` })
      assert.deepStrictEqual([full.status, full.body.error.details.limit], [429, mostOfProject])
    })
  )

  it.effect("does not stay open for a HEAD request, nor when nobody reads it", () =>
    Effect.gen(function* () {
      const own = yield* sendingProject(0)
      for (let n = 0; n < 2 * mostOfHolder; n++) {
        assert.strictEqual((yield* own.ask("HEAD", "/live")).status, 200)
        assert.strictEqual((yield* own.ask("GET", "/live")).status, 200)
      }
    })
  )

  it.effect("ends when its project is deleted, and all end when the service stops", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* sendingProject(0)
      const [stream, other] = [yield* openStream("", own.credential), yield* openStream()]
      yield* sql`update projects set deleted_at = now() where id = ${own.project}`
      yield* until(stream.isOver)
      assert.isFalse(other.isOver())
      assert.notStrictEqual(own.project, ProjectId.make(project))
      yield* Live.use(({ end }) => end)
      yield* eventually(Effect.sync(other.isOver), (isOver) => isOver)
      const after = yield* openStream()
      assert.deepStrictEqual([after.status, after.text(), after.isOver()], [200, "", true])
    })
  )
})

/** The public archive of a project, over HTTP. */
import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { seed } from "../../../audience/segments/SegmentsFixture.ts"
import { languages } from "../../../platform/web/Languages.ts"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { clientHeader, Wire, wireOver } from "../../../testing/TestClient.ts"
import { sendingProject, work } from "../CampaignsFixture.ts"
import type { ArchiveProject } from "./Archive.ts"
import { archiveFeed } from "./ArchiveHtml.ts"

const visit = Effect.fnUntraced(function* (path: string, client?: string) {
  const handler = yield* Wire
  const headers = client === undefined ? {} : { [clientHeader]: client }
  const response = yield* Effect.promise(() => handler(new Request(`http://posthorn${path}`, { headers })))
  return { status: response.status, headers: response.headers, text: yield* Effect.promise(() => response.text()) }
})

/** A project whose campaigns are sent and complete. */
const archiving = Effect.gen(function* () {
  const project = yield* sendingProject(1)
  const sent = Effect.fnUntraced(function* (more: object) {
    const id = yield* project.create(more)
    yield* project.ask("POST", `/campaigns/${id}/send`, {})
    yield* work
    yield* SqlClient.SqlClient.use(
      (sql) => sql`update emails set status = 'SENT', sent_at = now() where campaign_id = ${id}::uuid`
    )
    yield* work
    return id
  })
  const path = `/archive/${project.project}`
  return { ...project, sent, path }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `The archive of campaigns on ${name}`,
    (test) => {
      test.effect("shows a sent campaign without the data, the links and the footer of a contact", () =>
        Effect.gen(function* () {
          const { ask, path, read, sent } = yield* archiving
          yield* ask("POST", "/partials", { name: "frame", body: "<main>{{> content}}</main>" })
          const body = `<script>alert(1)</script><p>Hi {{firstName ?? friend}}{{email}}</p>
            <a href="https://example.com/offer">Offer</a><a href="{{unsubscribeUrl}}">Leave</a>`
          const id = yield* sent({ archive: true, body, layout: "frame", subject: "For {{firstName ?? you}} & co" })
          const campaign = yield* read(id)
          assert.match(campaign.archiveUrl, new RegExp(`^http.*${path}/${id}$`))
          // The text is as it was sent, also after the partial has changed.
          const { body: partials } = yield* ask("GET", "/partials")
          yield* ask("PATCH", `/partials/${partials.data[0].id}`, { body: "<b>{{> content}}</b>" })
          const { headers, status, text } = yield* visit(`${path}/${id}`)
          assert.strictEqual(status, 200)
          assert.include(text, "<p>Hi friend</p>")
          assert.include(text, "<main>")
          assert.include(text, '<a href="https://example.com/offer">Offer</a><a href="">Leave</a>')
          assert.notMatch(text, /unsubscribe\/|\/t\/|pixel|@example/)
          assert.strictEqual(
            headers.get("content-security-policy"),
            "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'"
          )
          assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
          assert.strictEqual(headers.get("cache-control"), "public, max-age=300")

          const list = yield* visit(path)
          assert.include(list.text, `<a href="${path}/${id}">For you &amp; co</a>`)
          const feed = yield* visit(`${path}/feed.xml`)
          assert.match(feed.headers.get("content-type") ?? "", /^application\/rss\+xml/)
          assert.match(feed.text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<rss version="2.0"/)
          assert.include(feed.text, `<title>For you &amp; co</title>\n<link>${campaign.archiveUrl}</link>`)
        })
      )

      test.effect("shows the texts of the winner of an experiment, once its campaign is sent", () =>
        Effect.gen(function* () {
          const { ask, create, path, project, read } = yield* archiving
          yield* seed(project, "v", 20)
          const sql = yield* SqlClient.SqlClient
          const leave = (id: string) => sql`
            update emails set status = 'SENT', sent_at = now() where campaign_id = ${id}::uuid and status = 'PENDING'`
          const decided = Effect.fnUntraced(function* (winner: string) {
            const id = yield* create({
              archive: true,
              subject: "News of A",
              body: "<p>Body of A</p>",
              experiment: {
                variants: [
                  { key: "A" },
                  { key: "B", subject: "For {{firstName ?? you}} of B", body: "<p>Body of B</p>" }
                ],
                testShare: 0.5,
                winner: "MANUAL"
              }
            })
            yield* ask("POST", `/campaigns/${id}/send`, {})
            yield* work
            yield* leave(id)
            yield* work
            assert.strictEqual((yield* visit(`${path}/${id}`)).status, 404)
            const chosen = yield* ask("POST", `/campaigns/${id}/experiment/winner`, { variant: winner })
            assert.strictEqual(chosen.status, 200, JSON.stringify(chosen.body))
            yield* work
            yield* leave(id)
            yield* work
            assert.strictEqual((yield* read(id)).status, "SENT")
            return id
          })
          for (const [winner, subject, other] of [
            ["B", "For you of B", "A"],
            ["A", "News of A", "B"]
          ] as const) {
            const id = yield* decided(winner)
            const page = yield* visit(`${path}/${id}`)
            assert.strictEqual(page.status, 200)
            assert.include(page.text, `<p>Body of ${winner}</p>`)
            assert.notInclude(page.text, `Body of ${other}`)
            assert.include((yield* visit(path)).text, `<a href="${path}/${id}">${subject}</a>`)
            assert.include((yield* visit(`${path}/feed.xml`)).text, `<title>${subject}</title>`)
          }
        })
      )

      test.effect("has neither drafts, other types, campaigns without it, nor those of other projects", () =>
        Effect.gen(function* () {
          const { create, path, read, sent, ask } = yield* archiving
          const other = yield* archiving
          const draft = yield* create({ archive: true })
          assert.isNotNull((yield* read(draft)).archiveUrl)
          const hidden = [
            draft,
            yield* sent({}),
            yield* sent({ archive: true, type: "HEADLESS" }),
            yield* other.sent({ archive: true })
          ]
          for (const id of hidden) assert.strictEqual((yield* visit(`${path}/${id}`)).status, 404, id)
          assert.isNull((yield* read(hidden[1] ?? "")).archiveUrl)
          assert.isNull((yield* read(hidden[2] ?? "")).archiveUrl)
          assert.include((yield* visit(path)).text, "No messages yet.")
          for (const unknown of ["/archive/x", "/archive/019a0000-0000-7000-8000-00000000dead", `${path}/x`]) {
            assert.strictEqual((yield* visit(unknown)).status, 404, unknown)
          }
          // A copy is archived as its original is, and each writer may say otherwise.
          const copy = yield* ask("POST", `/campaigns/${draft}/duplicate`)
          assert.isTrue(copy.body.data.archive)
          const refused = yield* ask("POST", "/campaigns", { archive: "yes" })
          assert.strictEqual(refused.status, 422)
        })
      )

      test.effect("ends with the campaign, and while the project is disabled", () =>
        Effect.gen(function* () {
          const { ask, path, project, sent } = yield* archiving
          const [first, second] = [yield* sent({ archive: true }), yield* sent({ archive: true })]
          assert.strictEqual((yield* visit(`${path}/${first}`)).status, 200)
          yield* ask("DELETE", `/campaigns/${first}`)
          assert.strictEqual((yield* visit(`${path}/${first}`)).status, 404)
          yield* SqlClient.SqlClient.use(
            (sql) => sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
          )
          for (const gone of [path, `${path}/feed.xml`, `${path}/${second}`]) {
            assert.strictEqual((yield* visit(gone)).status, 404, gone)
          }
        })
      )

      test.effect("lists the newest first, 50 on a page, in ten languages, and limits a client", () =>
        Effect.gen(function* () {
          const { path, project, sent } = yield* archiving
          const id = yield* sent({ archive: true, subject: "First" })
          const now = DateTime.toDate(yield* DateTime.now)
          yield* SqlClient.SqlClient.use(
            (sql) => sql`
              insert into campaigns (id, project_id, name, subject, body, format, translations, from_email, type,
                audience_type, refers_to, looks_at, estimated_recipients, status, archive, sent_at, created_at, updated_at)
              select gen_random_uuid(), project_id, name, 'Later ' || n, body, format, translations, from_email, type,
                     audience_type, refers_to, looks_at, estimated_recipients, status, archive,
                     ${now}::timestamptz + n * interval '1 minute', created_at, updated_at
              from campaigns, generate_series(1, 50) as n where campaigns.id = ${id}::uuid and project_id = ${project}`
          )
          const list = yield* visit(path)
          const subjects = [...list.text.matchAll(/>(Later \d+|First)</g)].map(([, subject]) => subject)
          assert.deepStrictEqual(
            subjects,
            Array.from({ length: 50 }, (_, n) => `Later ${50 - n}`)
          )
          assert.include(list.text, 'rel="next"')
          const second = yield* visit(`${path}?page=2`)
          assert.include(second.text, ">First<")
          assert.include(second.text, 'rel="prev"')
          assert.notInclude(second.text, 'rel="next"')
          for (const page of ["0", "-1", "x", "99999"]) {
            assert.strictEqual((yield* visit(`${path}?page=${page}`)).text, list.text, page)
          }
          const titles = yield* Effect.forEach(languages, (lang) =>
            Effect.map(visit(`${path}?lang=${lang}`), ({ text }) => /<h1>([^<]+)/.exec(text)?.[1])
          )
          assert.isAtLeast(new Set(titles).size, 9)
          const statuses = yield* Effect.forEach(Array.from({ length: 601 }), () =>
            Effect.map(visit("/archive/x", "192.0.2.7"), ({ status }) => status)
          )
          assert.deepStrictEqual([statuses[0], statuses[599], statuses[600]], [404, 404, 429])
          yield* TestClock.adjust("1 minute")
          assert.strictEqual((yield* visit("/archive/x", "192.0.2.7")).status, 404)
        })
      )
    }
  )
}

it("makes a feed of well-formed XML of any text", () => {
  const project = {
    id: "p",
    name: "A & <b>\u0000\ud800",
    language: "en",
    pages: { name: null }
  } as unknown as ArchiveProject
  const sentAt = DateTime.makeUnsafe("2026-11-27T08:00:00Z")
  const campaigns = [{ id: "c", subject: ']]> \u0008 "x" </title>', sentAt }] as never
  const feed = archiveFeed("https://posthorn.example", "en", project, { campaigns, hasMore: false })
  assert.include(feed, "<title>A &amp; &lt;b&gt;\ufffd – Archive</title>")
  assert.include(feed, "<title>]]&gt;  &quot;x&quot; &lt;/title&gt;</title>")
  assert.include(feed, "<pubDate>Fri, 27 Nov 2026 08:00:00 GMT</pubDate>")
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { Images } from "../../content/uploads/Images.ts"
import { ObjectStorage } from "../../content/uploads/ObjectStorage.ts"
import { png } from "../../content/uploads/SampleImages.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

/** Objects in memory. */
const storage = () => {
  const objects = new Map<string, Uint8Array>()
  return ObjectStorage.of({
    put: (key, content) => Effect.sync(() => void objects.set(key, content)),
    get: (key) =>
      Effect.sync(() =>
        Option.map(Option.fromUndefinedOr(objects.get(key)), (content) => ({
          size: content.length,
          content: Stream.succeed(content)
        }))
      ),
    look: (key) =>
      Effect.sync(() => Option.map(Option.fromUndefinedOr(objects.get(key)), ({ length }) => ({ size: length }))),
    delete: (key) => Effect.sync(() => void objects.delete(key)),
    check: Effect.void,
    kind: "folder",
    publicUrl: () => undefined
  })
}

for (const [name, database] of databases()) {
  const services = wireOver(servicesOn(database)).pipe(Layer.provide(Layer.succeed(ObjectStorage, storage())))

  layer(services, { timeout: "60 seconds" })(`The settings of the audience, on ${name}`, (it) => {
    it.effect("have defaults, and a change merges one level deep", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const { body: before } = yield* ask("GET", "/settings/audience")
        assert.deepInclude(before, { topicRequired: false, oneClickScope: "topic", updatedAt: null })
        assert.deepStrictEqual(before.consent, { ip: "off", userAgent: false, retentionDays: 1095 })
        const first = yield* ask("PATCH", "/settings/audience", {
          consent: { ip: "truncated" },
          pages: { name: "Acme", color: "#1F5EFF", embedOrigins: ["https://acme.example"] }
        })
        assert.strictEqual(first.status, 200, JSON.stringify(first.body))
        const second = yield* ask("PATCH", "/settings/audience", {
          consent: { retentionDays: null },
          topicRequired: true
        })
        assert.deepStrictEqual(second.body.consent, { ip: "truncated", userAgent: false, retentionDays: null })
        assert.deepInclude(second.body.pages, { name: "Acme", color: "#1F5EFF", snooze: true })
        assert.deepStrictEqual((yield* ask("GET", "/settings/audience")).body, second.body)
        assert.isNotNull(second.body.updatedAt)
        const other = yield* freshProject
        assert.deepStrictEqual((yield* other.ask("GET", "/settings/audience")).body, before)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(
          (yield* sql`select action, details from audit_log where project_id = ${project} and action <> 'project.created' order by id`).map(
            (_) => ({
              ..._
            })
          ),
          [
            { action: "project.settings_changed", details: { audience: ["consent", "pages"] } },
            { action: "project.settings_changed", details: { audience: ["consent", "topicRequired"] } }
          ]
        )
      })
    )

    it.effect("refuse values out of range, with the path of each", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        for (const [change, field, code] of [
          [{ doubleOptIn: { mode: "sometimes" } }, "doubleOptIn.mode", "invalid_enum"],
          [{ doubleOptIn: { mode: "public" } }, "doubleOptIn.from", "required"],
          [{ doubleOptIn: { expiresInDays: 31 } }, "doubleOptIn.expiresInDays", "too_big"],
          [{ doubleOptIn: { reminderAfterHours: 11 } }, "doubleOptIn.reminderAfterHours", "too_small"],
          [{ doubleOptIn: { reminderAfterHours: 48, expiresInDays: 2 } }, "doubleOptIn.reminderAfterHours", "custom"],
          [{ doubleOptIn: { redirectUrl: "http://a.example" } }, "doubleOptIn.redirectUrl", "invalid_string"],
          [{ doubleOptIn: { templateId: "019a0000-0000-7000-8000-0000000000aa" } }, "doubleOptIn.templateId", "custom"],
          [{ consent: { retentionDays: 29 } }, "consent.retentionDays", "too_small"],
          [{ pages: { color: "blue" } }, "pages.color", "invalid_string"],
          [{ pages: { name: "" } }, "pages.name", "required"],
          [{ pages: { logoUrl: "https://elsewhere.example/logo.png" } }, "pages.logoUrl", "custom"],
          [
            { pages: { embedOrigins: Array.from({ length: 11 }, () => "https://a.example") } },
            "pages.embedOrigins",
            "too_big"
          ],
          [{ pages: { embedOrigins: ["https://a.example/path"] } }, "pages.embedOrigins.0", "invalid_string"],
          [{ ingest: { holdDays: 0 } }, "ingest.holdDays", "too_small"]
        ] as const) {
          const { status, body } = yield* ask("PATCH", "/settings/audience", change)
          assert.deepStrictEqual(
            [status, body.error?.errors?.[0]?.field, body.error?.errors?.[0]?.code],
            [422, field, code],
            JSON.stringify(change)
          )
        }
        assert.isNull((yield* ask("GET", "/settings/audience")).body.updatedAt)
      })
    )

    it.effect("the sender of the mail to confirm is on a verified domain, its template has the link", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const set = (doubleOptIn: object) => ask("PATCH", "/settings/audience", { doubleOptIn })
        const refused = yield* set({ mode: "public", from: "hi@verified.test" })
        assert.deepStrictEqual([refused.status, refused.body.error.details.domain], [403, "verified.test"])
        yield* Effect.orDie(Domains.use((domains) => domains.add(project, { domain: "verified.test" })))
        const template = { name: "Confirm", subject: "Confirm", from: "hi@verified.test", type: "TRANSACTIONAL" }
        const plain = yield* ask("POST", "/templates", { ...template, body: "<p>Hi</p>" })
        const marketing = yield* ask("POST", "/templates", {
          ...template,
          name: "News",
          type: "MARKETING",
          body: "{{confirmUrl}}"
        })
        const good = yield* ask("POST", "/templates", {
          ...template,
          name: "Good",
          body: '<a href="{{ confirmUrl }}">Confirm</a>'
        })
        for (const { body } of [plain, marketing]) assert.strictEqual((yield* set({ templateId: body.id })).status, 422)
        const done = yield* set({ mode: "public", from: "Hi@Verified.test", templateId: good.body.id })
        assert.deepInclude(done.body.doubleOptIn, {
          mode: "public",
          from: "hi@verified.test",
          templateId: good.body.id
        })
        assert.strictEqual((yield* set({ from: null })).status, 422)
      })
    )

    it.effect("show the preference page as a preview, which changes nothing and which its own contacts alone see", () =>
      Effect.gen(function* () {
        const { ask, outcome } = yield* freshProject
        const { body: before } = yield* ask("PATCH", "/settings/audience", { pages: { name: "Acme", snooze: false } })
        yield* ask("POST", "/topics", {
          name: "News <b>",
          key: "news",
          defaultSubscription: "unsubscribed",
          translations: { de: { name: "Neues" } }
        })
        yield* ask("POST", "/topics", { name: "Hidden", defaultSubscription: "subscribed", visibility: "private" })
        const path = "/settings/audience/preview"
        const plain = yield* ask("POST", path, {})
        assert.strictEqual(plain.status, 200, JSON.stringify(plain.body))
        assert.strictEqual(plain.body.language, "en")
        const html: string = plain.body.html
        for (const text of ["Acme", "News &lt;b&gt;", 'value="news"', "a***@example.com"]) assert.include(html, text)
        for (const text of ["<form", "</form", "Hidden", "checked", 'name="snooze"']) assert.notInclude(html, text)
        const changed = yield* ask("POST", path, {
          language: "de-AT",
          pages: { name: "Other", snooze: true, color: "#1f5eff" }
        })
        assert.strictEqual(changed.body.language, "de")
        for (const text of ["Other", "Neues", 'name="snooze"', "accent=1f5eff", '<html lang="de">']) {
          assert.include(changed.body.html, text)
        }
        const { body: ada } = yield* ask("POST", "/contacts", {
          email: "zoe@example.com",
          locale: "fr",
          topics: { news: "subscribed" }
        })
        const own = yield* ask("POST", path, { contactId: ada.id })
        assert.strictEqual(own.body.language, "fr")
        for (const text of ["z***@example.com", "checked", "Hidden"]) assert.include(own.body.html, text)
        assert.deepStrictEqual((yield* ask("GET", "/settings/audience")).body, before)
        assert.deepInclude((yield* ask("GET", `/contacts/${ada.id}`)).body, {
          subscribed: true,
          updatedAt: ada.updatedAt
        })
        const other = yield* freshProject
        assert.strictEqual(yield* other.outcome("POST", path, { contactId: ada.id }), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("POST", path, { pages: { color: "red" } }), "422 VALIDATION_ERROR")
        assert.strictEqual(yield* outcome("POST", path, { language: "x".repeat(100) }), "422 VALIDATION_ERROR")
      })
    )

    it.effect("the logo is an image of the project", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const other = yield* freshProject
        const file = { bytes: png(1, 1), filename: "logo.png" }
        const image = (of: typeof project) => Effect.orDie(Images.use((images) => images.upload(of, file)))
        const set = (logoUrl: string) => ask("PATCH", "/settings/audience", { pages: { logoUrl } })
        const { url } = yield* image(project)
        const { url: theirs } = yield* image(other.project)
        assert.strictEqual((yield* set(theirs)).status, 422)
        assert.strictEqual((yield* set(url)).body.pages?.logoUrl, url)
      })
    )
  })
}

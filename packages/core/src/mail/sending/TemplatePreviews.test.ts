/** Rendering templates and texts over HTTP, without sending them. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Projects } from "../../accounts/projects/Projects.ts"
import { faultsIn, workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { mjml, standIn } from "../../content/templates/MjmlFixture.ts"
import { settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

const nowhere = "019a0000-0000-7000-8000-00000000dead"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database).pipe(Layer.provide(standIn))), {
    timeout: "60 seconds",
    excludeTestServices: false
  })(`Rendering on ${name}`, (it) => {
    const renderProject = Effect.gen(function* () {
      const fresh = yield* workflowProject
      const texts = (body: object) => Effect.map(fresh.ask("POST", "/templates/render", body), ({ body }) => body)
      const rendered = (id: string, body: object = {}) =>
        Effect.map(fresh.ask("POST", `/templates/${id}/render`, body), ({ body }) => body)
      return { ...fresh, texts, rendered }
    })

    it.effect("shows a template for a contact, with its language, version, sizes and variables", () =>
      Effect.gen(function* () {
        const { ask, rendered, template } = yield* renderProject
        yield* ask("POST", "/partials", { name: "main", body: "<h1>{{brand}}</h1>{{> content}}" })
        const { body: contact } = yield* ask("POST", "/contacts", {
          email: "ada@example.com",
          data: { firstName: "Ada", locale: "de-AT" }
        })
        const { id } = yield* template({
          type: "TRANSACTIONAL",
          subject: "Hello {{firstName}}",
          body: "<p>{{firstName}} {{order.total}}{{#each items}}{{name}}{{/each}}</p>",
          layout: "main",
          translations: {
            de: { subject: "Hallo {{firstName}}", body: "<p>{{order.total}}</p>", text: "{{firstName}}" }
          }
        })
        const data = { order: {}, plam: 1, brand: { value: "Tea", persistent: false } }
        const shown = yield* rendered(id, { email: "ada@example.com", data })
        assert.deepInclude(shown, {
          subject: "Hallo Ada",
          html: "<h1>Tea</h1><p></p>",
          text: "Ada",
          locale: "de",
          version: 1,
          warnings: []
        })
        assert.deepStrictEqual(shown.variables, {
          used: ["firstName", "brand", "order.total"],
          missing: ["order.total"],
          unused: ["plam"]
        })
        assert.deepInclude(shown.size, { text: 3, clipAt: 104_448, clipped: false })
        // The project tracks its mail, so the pixel is added.
        assert.isAbove(shown.size.html, shown.html.length + 50)
        assert.isAbove(shown.size.message, 0)

        const base = yield* rendered(id, {
          contactId: contact.id ?? contact.data?.id,
          locale: "fr",
          data: { items: [{}] }
        })
        assert.strictEqual(base.subject, "Hello Ada")
        assert.deepStrictEqual(base.variables.used, ["firstName", "brand", "order.total", "items", "items[].name"])
        assert.deepStrictEqual(base.variables.missing, ["brand", "order.total", "items[].name"])
        assert.strictEqual((yield* ask("GET", "/contacts")).body.total ?? 1, 1)
        assert.deepStrictEqual((yield* ask("GET", "/emails")).body.data, [])
      })
    )

    it.effect("shows versions, drafts and unsaved texts", () =>
      Effect.gen(function* () {
        const { ask, rendered, template } = yield* renderProject
        const { id } = yield* template({ type: "TRANSACTIONAL", body: "one" })
        yield* ask("PATCH", `/templates/${id}`, { body: "two" })
        yield* ask("PUT", `/templates/${id}/draft`, { body: "three" })
        const html = (body: object) => Effect.map(rendered(id, body), ({ html, version }) => [html, version])
        assert.deepStrictEqual(yield* html({}), ["two", 2])
        assert.deepStrictEqual(yield* html({ version: 1 }), ["one", 1])
        assert.deepStrictEqual(yield* html({ version: "draft" }), ["three", null])
        assert.deepStrictEqual(yield* html({ body: "four {{x}}", data: { x: 4 } }), ["four 4", 2])
        assert.strictEqual((yield* rendered(id, { version: 7 })).error.details.resource, "template_version")
        assert.deepStrictEqual(faultsIn(yield* rendered(id, { body: "\n{{#if" })), ["body template_syntax"])
        assert.deepStrictEqual(faultsIn(yield* rendered(id, { layout: "none" })), ["layout custom"])
        assert.strictEqual(
          (yield* ask("POST", `/templates/${nowhere}/render`, {})).body.error.code,
          "TEMPLATE_NOT_FOUND"
        )
        assert.strictEqual((yield* ask("POST", "/templates/x/render", {})).body.error.code, "TEMPLATE_NOT_FOUND")
        yield* ask("DELETE", `/templates/${id}/draft`)
        assert.strictEqual((yield* rendered(id, { version: "draft" })).error.details.resource, "draft")
        assert.strictEqual((yield* ask("GET", `/templates/${id}`)).body.body, "two")
      })
    )

    it.effect("shows unsaved MJML, and drafts in MJML", () =>
      Effect.gen(function* () {
        const { ask, rendered, template, texts } = yield* renderProject
        yield* ask("POST", "/partials", { name: "bye", body: "<i>Bye</i>" })
        const own = { format: "MJML", source: mjml("Hi {{x}} {{> bye}}"), data: { x: "Ada" } }
        assert.strictEqual((yield* texts(own)).html, "<p>Hi Ada <i>Bye</i></p>")
        assert.deepStrictEqual(faultsIn(yield* texts({ format: "MJML" })), ["source required"])
        assert.deepStrictEqual(faultsIn(yield* texts({ source: mjml("x") })), ["source custom"])
        assert.deepStrictEqual(faultsIn(yield* texts({ ...own, body: "x" })), ["body custom"])
        assert.deepStrictEqual(faultsIn(yield* texts({ ...own, source: "<mjml>" })), ["source template_syntax"])
        assert.deepStrictEqual(faultsIn(yield* texts({ ...own, source: mjml("{{> none}}") })), [
          "source template_syntax"
        ])

        const { id } = yield* template({ type: "TRANSACTIONAL", body: "one" })
        assert.strictEqual((yield* rendered(id, own)).html, "<p>Hi Ada <i>Bye</i></p>")
        assert.deepStrictEqual(faultsIn(yield* rendered(id, { source: mjml("x") })), ["source custom"])
        const draft = { version: "draft", data: { x: "Ada" } }
        yield* ask("PUT", `/templates/${id}/draft`, { format: "MJML", source: mjml("Draft {{x}}") })
        assert.strictEqual((yield* rendered(id, draft)).html, "<p>Draft Ada</p>")
        yield* ask("PUT", `/templates/${id}/draft`, {
          format: "MJML",
          source: "<mjml>",
          translations: { de: { subject: "Hallo", source: "<mjml>" } }
        })
        const both = ["source template_syntax", "translations.de.source template_syntax"]
        assert.deepStrictEqual(faultsIn(yield* rendered(id, draft)), both)
        const translations = { de: { subject: "Hallo", source: mjml("Neu {{x}}") } }
        assert.deepStrictEqual(faultsIn(yield* rendered(id, { ...draft, translations })), both.slice(0, 1))
        const fixed = { ...draft, translations, source: mjml("New {{x}}") }
        assert.strictEqual((yield* rendered(id, fixed)).html, "<p>New Ada</p>")
        assert.strictEqual((yield* rendered(id, { ...fixed, locale: "de" })).html, "<p>Neu Ada</p>")
      })
    )

    it.effect("shows own texts for nobody, with footer and inert links", () =>
      Effect.gen(function* () {
        const { ask, texts } = yield* renderProject
        const shown = yield* texts({ subject: "Hi", body: "<p>{{email}}{{unsubscribeUrl}}</p>", type: "MARKETING" })
        assert.match(shown.html, /^<p>https:\/\/posthorn\.example\/unsubscribe\/\S+<\/p>$/)
        assert.include(shown.text, "/unsubscribe/")
        assert.deepInclude(shown, { locale: null, version: null })
        const plain = yield* texts({ text: "Only {{x}}" })
        assert.deepInclude(plain, { subject: "", html: null, text: "Only " })
        assert.deepStrictEqual(plain.variables.missing, ["x"])
        const listed = yield* texts({ text: "{{#each items}}{{this}}{{/each}}", data: { items: ["a", "b"], plam: 1 } })
        assert.strictEqual(listed.text, "ab")
        assert.deepStrictEqual(listed.variables, { used: ["items", "items[]"], missing: [], unused: ["plam"] })
        const { body: contact } = yield* ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
        const link = (yield* texts({ text: "{{unsubscribeUrl}}", type: "HEADLESS", email: "ada@example.com" })).text
        yield* ask("POST", new URL(link).pathname, "List-Unsubscribe=One-Click", {
          "content-type": "application/x-www-form-urlencoded",
          authorization: ""
        })
        const { body } = yield* ask("GET", `/contacts/${contact.id ?? contact.data?.id}`)
        assert.isTrue(body.subscribed ?? body.data.subscribed)
        assert.deepStrictEqual(faultsIn(yield* texts({ subject: "x" })), ["body required"])
        const unknown = (yield* texts({ text: "x", email: "no@example.com" })).error
        assert.deepInclude(unknown, { code: "CONTACT_NOT_FOUND" })
        assert.strictEqual((yield* texts({ text: "x", contactId: nowhere })).error.code, "CONTACT_NOT_FOUND")
      })
    )

    it.effect("warns of what mailbox providers do not like", () =>
      Effect.gen(function* () {
        const { texts } = yield* renderProject
        const codes = (body: object) =>
          Effect.map(texts(body), ({ warnings }) => warnings.map(({ code }: { code: string }) => code))
        assert.deepStrictEqual(yield* codes({ subject: "BUY IT NOW!!", body: "<a href='#'>x</a>" }), [
          "shouting_subject",
          "empty_link"
        ])
        assert.deepStrictEqual(yield* codes({ body: "<p>x</p>", type: "HEADLESS" }), ["no_unsubscribe_link"])
        assert.deepStrictEqual(yield* codes({ body: "<p>{{manageUrl}}</p>", type: "HEADLESS" }), [])
        const large = yield* texts({ body: `<p>${"word ".repeat(25_000)}</p><img src='http://example.com'>` })
        assert.isTrue(large.size.clipped)
        assert.deepStrictEqual(
          large.warnings.map(({ code }: { code: string }) => code),
          ["clipped", "missing_alt", "insecure_image"]
        )
      })
    )

    it.effect("is a read: a disabled project may do it", () =>
      Effect.gen(function* () {
        const { ask, project, template } = yield* renderProject
        const { id } = yield* template()
        yield* settled(Projects.use((projects) => projects.disable(project, "MANUAL")))
        assert.strictEqual((yield* ask("POST", `/templates/${id}/render`, {})).status, 200)
        assert.strictEqual((yield* ask("POST", "/templates/render", { text: "x" })).status, 200)
        assert.strictEqual((yield* ask("POST", "/partials", { name: "a", body: "x" })).status, 403)
      })
    )
  })
}

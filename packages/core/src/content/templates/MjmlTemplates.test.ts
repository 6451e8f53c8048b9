import { assert, layer } from "@effect/vitest"
import type { CreateTemplate, UpdateTemplate } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import * as AudienceRules from "../../audience/settings/AudienceRules.ts"
import { insertDomain } from "../../mail/domains/SenderDomainFixture.ts"
import * as SenderDomains from "../../mail/domains/SenderDomainsSql.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import * as PartialStoreSql from "../partials/PartialStoreSql.ts"
import * as Partials from "../partials/Partials.ts"
import { compiled, mjml, standIn } from "./MjmlFixture.ts"
import * as TemplateStoreSql from "./TemplateStoreSql.ts"
import * as Templates from "./Templates.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")

const verified = Layer.effectDiscard(insertDomain(project, "example.com"))
const storesOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Layer.mergeAll(
    PartialStoreSql.layer,
    AudienceRules.layer,
    TemplateStoreSql.layer,
    SenderDomains.layerSql,
    Transaction.layerSql,
    verified
  ).pipe(Layer.provideMerge(Layer.merge(database, SecureRandom.layerWebCrypto)))
const servicesOn = (database: Layer.Layer<SqlClient.SqlClient>) =>
  Templates.layer.pipe(
    Layer.provide(standIn),
    Layer.provideMerge(Partials.layer),
    Layer.provideMerge(storesOn(database))
  )

const letter = (more: Partial<CreateTemplate> = {}): CreateTemplate => ({
  name: "Letter",
  subject: "Hello",
  from: "hi@example.com",
  format: "MJML",
  source: mjml("Hi {{name}}"),
  ...more
})

const faultsOf = Effect.fnUntraced(function* <A, E>(refused: Effect.Effect<A, E>) {
  const error = yield* Effect.flip(refused)
  assert.instanceOf(error, ValidationError)
  return error.errors.map(({ field, code, line, column }) =>
    line === undefined ? `${field} ${code}` : `${field} ${code} ${line}:${column}`
  )
})

for (const [name, database] of databases()) {
  layer(servicesOn(database), { timeout: "60 seconds" })(`MJML templates on ${name}`, (it) => {
    it.effect("keep the source, and have its HTML as their body", () =>
      Effect.gen(function* () {
        const templates = yield* Templates.Templates
        const made = yield* templates.create(project, letter())
        assert.deepInclude(made, {
          format: "MJML",
          source: mjml("Hi {{name}}"),
          body: "<p>Hi {{name}}</p>",
          version: 1
        })
        assert.deepStrictEqual(yield* templates.get(project, made.id), made)
        const [listed] = (yield* templates.list(project, { search: "Letter" })).data
        assert.notProperty(listed, "source")
        assert.propertyVal(listed, "format", "MJML")
        const copy = yield* templates.duplicate(project, made.id)
        assert.deepInclude(copy, { format: "MJML", source: made.source, body: made.body })

        const renamed = yield* templates.update(project, made.id, { name: "Other", subject: "Bye" })
        assert.deepInclude(renamed, { source: made.source, body: made.body, version: 2 })
        compiled.length = 0
        const changed = yield* templates.update(project, made.id, { source: mjml("Bye {{name}}") })
        assert.deepInclude(changed, { source: mjml("Bye {{name}}"), body: "<p>Bye {{name}}</p>", version: 3 })
        assert.lengthOf(compiled, 1)

        const restored = yield* templates.restore(project, made.id, "1", {})
        assert.deepInclude(restored, { format: "MJML", source: made.source, body: made.body, version: 4 })
        assert.lengthOf(compiled, 1)

        const plain = yield* templates.update(project, made.id, { format: "HTML" })
        assert.deepInclude(plain, { format: "HTML", source: null, body: made.body, version: 5 })
        const own = yield* templates.update(project, made.id, { body: "<p>own</p>" })
        assert.deepInclude(own, { format: "HTML", source: null, body: "<p>own</p>" })
      })
    )

    it.effect("are refused with the field of each fault, and nothing changes", () =>
      Effect.gen(function* () {
        const templates = yield* Templates.Templates
        const create = (more: Partial<CreateTemplate>) => faultsOf(templates.create(project, letter(more)))
        assert.deepStrictEqual(yield* create({ source: null }), ["source required"])
        assert.deepStrictEqual(yield* create({ body: "<p>x</p>" }), ["body custom"])
        assert.deepStrictEqual(yield* create({ format: "HTML", body: "<p>x</p>" }), ["source custom"])
        assert.deepStrictEqual(yield* create({ source: "<mjml>\n<mj-foo /></mjml>" }), ["source template_syntax 2:1"])
        assert.deepStrictEqual(yield* create({ source: mjml("\n{{#if a}}") }), ["source template_syntax 2:1"])
        assert.deepStrictEqual(
          yield* create({
            translations: {
              de: { subject: "Hallo" },
              fr: { subject: "Salut", source: "<mjml>" },
              it: { subject: "Ciao", body: "x" }
            }
          }),
          [
            "translations.de.source required",
            "translations.fr.source template_syntax 1:1",
            "translations.it.body custom"
          ]
        )

        const made = yield* templates.create(project, letter())
        const update = (change: UpdateTemplate) => faultsOf(templates.update(project, made.id, change))
        assert.deepStrictEqual(yield* update({ body: "<p>x</p>" }), ["body custom"])
        assert.deepStrictEqual(yield* update({ source: "<mjml>" }), ["source template_syntax 1:1"])
        assert.deepStrictEqual(yield* templates.get(project, made.id), made)

        const html = yield* templates.create(project, letter({ format: "HTML", source: null, body: "<p>x</p>" }))
        assert.deepStrictEqual(yield* faultsOf(templates.update(project, html.id, { source: mjml("x") })), [
          "source custom"
        ])
        assert.deepStrictEqual(yield* faultsOf(templates.update(project, html.id, { format: "MJML" })), [
          "source required"
        ])
        const changed = yield* templates.update(project, html.id, { format: "MJML", source: mjml("y") })
        assert.deepInclude(changed, { format: "MJML", source: mjml("y"), body: "<p>y</p>" })
      })
    )

    it.effect("have translations in MJML, which change their format together", () =>
      Effect.gen(function* () {
        const templates = yield* Templates.Templates
        const translations = { de: { subject: "Hallo", source: mjml("Hallo {{name}}") } }
        const made = yield* templates.create(project, letter({ translations }))
        const de = { subject: "Hallo", source: mjml("Hallo {{name}}"), body: "<p>Hallo {{name}}</p>", text: null }
        assert.deepStrictEqual(made.translations, { de })
        const more = yield* templates.update(project, made.id, {
          translations: { fr: { subject: "Salut", source: mjml("Salut"), text: "Salut" } }
        })
        const fr = { subject: "Salut", source: mjml("Salut"), body: "<p>Salut</p>", text: "Salut" }
        assert.deepStrictEqual(more.translations, { de, fr })
        const less = yield* templates.update(project, made.id, { translations: { de: null } })
        assert.deepStrictEqual(less.translations, { fr })
        const plain = yield* templates.update(project, made.id, { format: "HTML" })
        assert.deepStrictEqual(plain.translations, { fr: { subject: "Salut", body: "<p>Salut</p>", text: "Salut" } })
        assert.deepStrictEqual(
          yield* faultsOf(templates.update(project, made.id, { format: "MJML", source: mjml("x") })),
          ["translations.fr.source required"]
        )
      })
    )

    it.effect("are compiled in drafts: faults are problems, and publishing stores the HTML", () =>
      Effect.gen(function* () {
        const templates = yield* Templates.Templates
        const { id } = yield* templates.create(project, letter())
        const problems = (draft: {
          readonly problems: ReadonlyArray<{ readonly field: string; readonly code: string }>
        }) => draft.problems.map(({ field, code }) => `${field} ${code}`)

        const same = yield* templates.saveDraft(project, id, {})
        assert.deepInclude(same, {
          format: "MJML",
          source: mjml("Hi {{name}}"),
          body: "<p>Hi {{name}}</p>",
          problems: []
        })

        const faulty = yield* templates.saveDraft(project, id, {
          source: "<mjml>",
          translations: { de: { subject: "Hallo" }, fr: { subject: "Salut", body: "x" } }
        })
        const expected = ["source template_syntax", "translations.de.source required", "translations.fr.body custom"]
        assert.deepStrictEqual(problems(faulty), expected)
        assert.deepStrictEqual(problems(yield* templates.draft(project, id)), expected)
        assert.deepStrictEqual(yield* faultsOf(templates.publish(project, id, {})), [
          "source template_syntax 1:1",
          "translations.de.source required",
          "translations.fr.body custom"
        ])

        assert.deepStrictEqual(problems(yield* templates.saveDraft(project, id, { format: "HTML", source: "x" })), [
          "source custom"
        ])
        const plain = yield* templates.saveDraft(project, id, { format: "HTML" })
        assert.deepInclude(plain, { format: "HTML", source: null, body: "<p>Hi {{name}}</p>", problems: [] })

        yield* templates.saveDraft(project, id, {
          source: mjml("New {{name}}"),
          translations: { de: { subject: "Hallo", source: mjml("Neu") } }
        })
        assert.strictEqual((yield* templates.get(project, id)).body, "<p>Hi {{name}}</p>")
        const live = yield* templates.publish(project, id, {})
        assert.deepInclude(live, {
          format: "MJML",
          source: mjml("New {{name}}"),
          body: "<p>New {{name}}</p>",
          version: 2
        })
        assert.deepStrictEqual(live.translations, {
          de: { subject: "Hallo", source: mjml("Neu"), body: "<p>Neu</p>", text: null }
        })
      })
    )

    it.effect("use partials and a layout, whose faults have their position in the source", () =>
      Effect.gen(function* () {
        const partials = yield* Partials.Partials
        const templates = yield* Templates.Templates
        const footer = yield* partials.create(project, { name: "footer", body: "<i>{{shop}}</i>" })
        const main = yield* partials.create(project, { name: "main", body: "<main>{{> content}}</main>" })
        const source = mjml("Hi {{> footer}}")
        const made = yield* templates.create(project, letter({ source, layout: "main" }))
        assert.deepInclude(made, { source, body: "<p>Hi {{> footer}}</p>", layout: "main" })
        for (const { id } of [footer, main]) {
          assert.deepStrictEqual((yield* partials.usage(project, id)).templates, [{ id: made.id, name: "Letter" }])
        }

        const unknown = mjml("{{> nothing}}")
        const fault = "source template_syntax 1:25"
        assert.deepStrictEqual(yield* faultsOf(templates.create(project, letter({ source: unknown }))), [fault])
        assert.deepStrictEqual(yield* faultsOf(templates.update(project, made.id, { source: unknown })), [fault])
        assert.deepStrictEqual(
          yield* faultsOf(
            templates.update(project, made.id, { translations: { de: { subject: "Hallo", source: unknown } } })
          ),
          [`translations.de.${fault}`]
        )
        assert.deepStrictEqual(yield* templates.get(project, made.id), made)

        const { problems } = yield* templates.saveDraft(project, made.id, { source: unknown })
        assert.deepStrictEqual(
          problems.map(({ field, code }) => `${field} ${code}`),
          ["source template_syntax"]
        )
        assert.deepStrictEqual(yield* faultsOf(templates.publish(project, made.id, {})), [fault])
        const unclosed = yield* templates.saveDraft(project, made.id, { source: mjml("{{#if a}}") })
        assert.lengthOf(unclosed.problems, 1)

        yield* templates.update(project, made.id, { source: mjml("Bye"), layout: null })
        yield* templates.saveDraft(project, made.id, { source, layout: "main" })
        for (const { id } of [footer, main]) assert.isFalse((yield* partials.usage(project, id)).canDelete)
        const live = yield* templates.publish(project, made.id, {})
        assert.deepInclude(live, { source, body: "<p>Hi {{> footer}}</p>", layout: "main" })
      })
    )
  })
}

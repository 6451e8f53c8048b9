import { assert, layer } from "@effect/vitest"
import { type CreateTemplate, TemplateId, TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceInUse, SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as AudienceRules from "../../audience/settings/AudienceRules.ts"
import { insertDomain } from "../../mail/domains/SenderDomainFixture.ts"
import * as SenderDomains from "../../mail/domains/SenderDomainsSql.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { pglite } from "../../testing/Databases.ts"
import * as PartialStoreSql from "../partials/PartialStoreSql.ts"
import * as Partials from "../partials/Partials.ts"
import { TemplateStore } from "./TemplateStore.ts"
import * as TemplateStoreSql from "./TemplateStoreSql.ts"
import * as Templates from "./Templates.ts"

const id = (n: number) => TemplateId.make(`019a0000-0000-7000-8000-${String(n).padStart(12, "0")}`)
const project = ProjectId.make(id(0))
const nowhere = id(404)

const welcome: CreateTemplate = { name: "Welcome", subject: "Hello", body: "<p>Hi</p>", from: "hi@example.com" }

const verified = Layer.effectDiscard(insertDomain(project, "example.com"))
const stores = Layer.mergeAll(
  PartialStoreSql.layer,
  AudienceRules.layer,
  TemplateStoreSql.layer,
  SenderDomains.layerSql,
  Transaction.layerSql,
  verified
).pipe(Layer.provideMerge(Layer.merge(pglite, SecureRandom.layerWebCrypto)))

const services = Templates.layer.pipe(Layer.provideMerge(Partials.layer), Layer.provideMerge(stores))

layer(services, { timeout: "60 seconds" })("Templates", (it) => {
  it.effect("have default values, and times of the clock", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
      const created = yield* templates.create(project, { ...welcome, description: null })
      assert.deepStrictEqual(created, {
        id: created.id,
        projectId: project,
        ...welcome,
        description: null,
        alias: null,
        topicId: null,
        format: "HTML",
        body: "<p>Hi</p>",
        source: null,
        text: null,
        fromName: null,
        replyTo: null,
        type: "MARKETING",
        language: null,
        translations: {},
        layout: null,
        strict: false,
        version: 1,
        draft: null,
        createdAt: DateTime.makeUnsafe("2026-11-20T15:00:00Z"),
        updatedAt: DateTime.makeUnsafe("2026-11-20T15:00:00Z")
      })
      yield* TestClock.adjust("1 hour")
      const updated = yield* templates.update(project, created.id, { subject: "Hello again" })
      assert.deepStrictEqual(updated, {
        ...created,
        subject: "Hello again",
        version: 2,
        updatedAt: DateTime.makeUnsafe("2026-11-20T16:00:00Z")
      })
    })
  )

  it.effect("need a sender at a verified domain, which is checked again only if a change has a sender", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      yield* insertDomain(project, "former.test")
      const former = yield* templates.create(project, { ...welcome, from: "hi@former.test" })
      const elsewhere = new SenderDomainUnverified({ domain: "other.test" })
      const from = "hi@other.test"
      assert.deepStrictEqual(yield* Effect.flip(templates.create(project, { ...welcome, from })), elsewhere)
      assert.deepStrictEqual(yield* Effect.flip(templates.update(project, former.id, { from })), elsewhere)
      assert.deepStrictEqual(yield* templates.get(project, former.id), former)
      yield* TemplateStore.use((store) => store.update(project, former.id, { from }, former.updatedAt))
      assert.strictEqual((yield* templates.update(project, former.id, { name: "Still fine" })).from, from)
    })
  )

  it.effect("report the syntax faults of subject and body together, before all other faults", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      const faulty = { subject: "{{#if a}}", body: "<p>\n  {{#each b}}</p>", from: "hi@other.test" }
      const refusals = [
        yield* Effect.flip(templates.create(project, { ...welcome, ...faulty })),
        yield* Effect.flip(templates.update(project, nowhere, faulty))
      ]
      for (const refused of refusals) {
        assert.strictEqual(refused._tag, "VALIDATION_ERROR")
        if (refused._tag !== "VALIDATION_ERROR") continue
        assert.deepStrictEqual(
          refused.errors.map(({ field, code, line }) => [field, code, line]),
          [
            ["subject", "template_syntax", 1],
            ["body", "template_syntax", 2]
          ]
        )
      }
    })
  )

  it.effect("an unknown template is not found by any operation", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      const refusals = [
        templates.get(project, nowhere),
        templates.update(project, nowhere, { from: "hi@other.test" }),
        templates.update(project, nowhere, {}),
        templates.delete(project, nowhere),
        templates.duplicate(project, nowhere),
        templates.usage(project, nowhere)
      ]
      for (const refused of refusals) {
        assert.deepStrictEqual<unknown>(
          yield* Effect.flip<unknown, unknown, never>(refused),
          new TemplateNotFound({ id: nowhere })
        )
      }
    })
  )

  it.effect("a copy is the whole template with a new id, regardless of its domain", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      const store = yield* TemplateStore
      const original = yield* templates.create(project, { ...welcome, fromName: "Example", type: "TRANSACTIONAL" })
      const unverified = { ...original, from: "hi@other.test" }
      yield* store.update(project, original.id, unverified, original.updatedAt)
      yield* TestClock.adjust("1 minute")
      const copy = yield* templates.duplicate(project, original.id)
      const now = yield* DateTime.now
      assert.notStrictEqual(copy.id, original.id)
      assert.deepStrictEqual(copy, {
        ...unverified,
        id: copy.id,
        name: "Welcome (Copy)",
        version: 1,
        createdAt: now,
        updatedAt: now
      })
      assert.deepStrictEqual(yield* templates.get(project, copy.id), copy)
    })
  )

  it.effect.each([
    ["x".repeat(93), `${"x".repeat(93)} (Copy)`],
    ["x".repeat(94), `${"x".repeat(93)} (Copy)`],
    ["💌".repeat(100), `${"💌".repeat(93)} (Copy)`]
  ] as const)("the name of a copy fits 100 characters: %s", ([name, expected]) =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      const original = yield* templates.create(project, { ...welcome, name })
      assert.strictEqual((yield* templates.duplicate(project, original.id)).name, expected)
    })
  )

  it.effect("are listed by page, newest first", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      for (const name of ["Page 1", "Page 2", "Page 3"]) {
        yield* templates.create(project, { ...welcome, name })
        yield* TestClock.adjust("1 second")
      }
      const second = yield* templates.list(project, { search: "page ", page: 2, pageSize: 2 })
      assert.deepStrictEqual(
        { ...second, data: second.data.map(({ name }) => name) },
        { data: ["Page 1"], page: 2, pageSize: 2, total: 3, totalPages: 2 }
      )
      const past = yield* templates.list(project, { search: "page ", page: 9, pageSize: 500 })
      assert.deepStrictEqual(past, { data: [], page: 9, pageSize: 100, total: 3, totalPages: 1 })
    })
  )

  it.effect("can be deleted if nothing uses them", () =>
    Effect.gen(function* () {
      const templates = yield* Templates.Templates
      const { id } = yield* templates.create(project, welcome)
      const unused = { campaigns: [], workflowSteps: [], emailsSent: 0, canDelete: true }
      assert.deepStrictEqual(yield* templates.usage(project, id), unused)
      yield* templates.delete(project, id)
      assert.deepStrictEqual(yield* Effect.flip(templates.get(project, id)), new TemplateNotFound({ id }))
    })
  )

  it.effect("are not deleted while a workflow step uses them, which the error names", () =>
    Effect.gen(function* () {
      const step = { workflowId: "w1", workflowName: "Onboarding", stepId: "s1", stepName: "Welcome mail" }
      const store = yield* TemplateStore
      const references = () => Effect.succeed({ campaigns: [], workflowSteps: [step], emailsSent: 7 })
      const inUse = Layer.provide(Templates.layer, Layer.succeed(TemplateStore, { ...store, references }))
      const { id } = yield* Templates.Templates.use((_) => _.create(project, welcome))
      yield* Effect.gen(function* () {
        const templates = yield* Templates.Templates
        assert.isFalse((yield* templates.usage(project, id)).canDelete)
        const workflows = [{ id: "w1", name: "Onboarding", stepId: "s1" }]
        assert.deepStrictEqual(yield* Effect.flip(templates.delete(project, id)), new ResourceInUse({ workflows }))
        assert.strictEqual((yield* templates.get(project, id)).id, id)
      }).pipe(Effect.provide(inUse, { local: true }))
    })
  )
})

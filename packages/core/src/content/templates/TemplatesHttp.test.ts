import { assert, layer } from "@effect/vitest"
import { type CreateTemplate, TemplateId, TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import { TemplatesApi } from "@posthorn/contract/content/templates/TemplatesApi"
import { CurrentProject, ProjectAccess, ProjectId } from "@posthorn/contract/platform/Auth"
import { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiTest } from "effect/http-api"
import * as AudienceRules from "../../audience/settings/AudienceRules.ts"
import { insertDomain } from "../../mail/domains/SenderDomainFixture.ts"
import * as SenderDomains from "../../mail/domains/SenderDomainsSql.ts"
import * as BodyReaders from "../../platform/http/BodyReaders.ts"
import * as JsonBody from "../../platform/http/JsonBody.ts"
import * as Validation from "../../platform/http/Validation.ts"
import * as Transaction from "../../platform/Transaction.ts"
import { pglite } from "../../testing/Databases.ts"
import * as LinkTotals from "../links/LinkTotals.ts"
import * as PartialStoreSql from "../partials/PartialStoreSql.ts"
import * as Partials from "../partials/Partials.ts"
import { TemplateMail } from "./TemplateMail.ts"
import * as TemplateStoreSql from "./TemplateStoreSql.ts"
import * as Templates from "./Templates.ts"
import * as TemplatesHttp from "./TemplatesHttp.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const nowhere = TemplateId.make("019a0000-0000-7000-8000-00000000dead")
const welcome: CreateTemplate = { name: "Welcome", subject: "Hello", body: "<p>Hi</p>", from: "hi@example.com" }

/** Every request belongs to the test project, because keys have their own tests. */
const asProject = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.provideService(app, CurrentProject, { id: project, disabled: null })
const anyKey = Layer.succeed(ProjectAccess, ProjectAccess.of({ secretKey: asProject, session: asProject }))

/** Rendering and tests by mail have tests of their own. */
const noMail = Layer.succeed(TemplateMail, {
  preview: () => Effect.die("none"),
  previewTexts: () => Effect.die("none"),
  sendTest: () => Effect.die("none")
})

const services = Templates.layer.pipe(
  Layer.provide(Partials.layer),
  Layer.provide([
    PartialStoreSql.layer,
    AudienceRules.layer,
    TemplateStoreSql.layer,
    SenderDomains.layerSql,
    SecureRandom.layerWebCrypto,
    Transaction.layerSql
  ]),
  Layer.merge(LinkTotals.layer),
  Layer.merge(Layer.effectDiscard(insertDomain(project, "example.com"))),
  Layer.provide(pglite)
)

const handlers = TemplatesHttp.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(JsonBody.layer, Validation.layer, anyKey, noMail)),
  Layer.provideMerge(BodyReaders.layer),
  Layer.provide(services),
  Layer.merge(HttpServer.layerServices)
)

/** Only this group, because the whole API needs the middlewares of all groups. */
const templatesOnly = HttpApi.make("posthorn")
  .add(TemplatesApi)
  .annotate(HttpApi.ParseOptions, { errors: "all", reportInput: true })

/** Sends requests that a typed client cannot make. */
const send = Effect.fnUntraced(function* (method: string, path: string, body: unknown) {
  const app = yield* HttpRouter.toHttpEffect(HttpApiBuilder.layer(templatesOnly))
  const request = new Request(`http://posthorn${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })
  const response = yield* Effect.promise(() => HttpEffect.toWebHandler(app)(request))
  const answer: unknown = yield* Effect.promise(() => response.json())
  return { status: response.status, body: answer }
})

layer(handlers, { timeout: "60 seconds" })("TemplatesHttp", (it) => {
  it.effect("creates, reads, changes, copies, lists and deletes", () =>
    Effect.gen(function* () {
      const { templates } = yield* HttpApiTest.groups(templatesOnly, ["templates"])
      const { id } = yield* templates.create({ payload: { ...welcome, replyTo: "help@example.com" } })
      const updated = yield* templates.update({ params: { id }, payload: { replyTo: null, type: "HEADLESS" } })
      assert.deepStrictEqual([updated.replyTo, updated.type], [null, "HEADLESS"])
      assert.deepStrictEqual(yield* templates.get({ params: { id } }), updated)
      const copy = yield* templates.duplicate({ params: { id } })
      assert.strictEqual(copy.name, "Welcome (Copy)")
      const page = yield* templates.list({ query: { search: "(copy)", sort: "name", dir: "asc" } })
      const { source: _s, text: _t, ...listed } = copy
      assert.deepStrictEqual(page, { data: [listed], page: 1, pageSize: 20, total: 1, totalPages: 1 })
      const usage = yield* templates.usage({ params: { id } })
      assert.deepStrictEqual(usage, { campaigns: [], workflowSteps: [], emailsSent: 0, canDelete: true })
      yield* templates.delete({ params: { id } })
      assert.deepStrictEqual(yield* Effect.flip(templates.get({ params: { id } })), new TemplateNotFound({ id }))
    })
  )

  it.effect("errors are decoded to the classes that were thrown", () =>
    Effect.gen(function* () {
      const { templates } = yield* HttpApiTest.groups(templatesOnly, ["templates"])
      const params = { id: nowhere }
      assert.deepStrictEqual(yield* Effect.flip(templates.delete({ params })), new TemplateNotFound({ id: nowhere }))
      assert.deepStrictEqual(
        yield* Effect.flip(templates.create({ payload: { ...welcome, from: "hi@other.test" } })),
        new SenderDomainUnverified({ domain: "other.test" })
      )
      const refused = yield* Effect.flip(templates.update({ params, payload: { body: "\n {{#if a}}" } }))
      assert.strictEqual(refused._tag, "VALIDATION_ERROR")
      if (refused._tag !== "VALIDATION_ERROR") return
      assert.deepStrictEqual(
        refused.errors.map(({ field, code, line, column }) => ({ field, code, line, column })),
        [{ field: "body", code: "template_syntax", line: 2, column: 2 }]
      )
    })
  )

  it.effect("reports a missing body with the other faults, unless the format is MJML", () =>
    Effect.gen(function* () {
      const fields = Effect.fnUntraced(function* (body: object) {
        const answer = yield* send("POST", "/templates", body)
        assert.strictEqual(answer.status, 422)
        const { error } = answer.body as { error: { errors: ReadonlyArray<{ field: string; code: string }> } }
        return error.errors.map(({ field, code }) => `${field} ${code}`)
      })
      const from = "hi@example.com"
      assert.deepStrictEqual(yield* fields({ from, subject: 5 }), [
        "name required",
        "subject invalid_type",
        "body required"
      ])
      assert.deepStrictEqual(yield* fields({ from, name: "A", body: null }), ["subject required", "body required"])
      assert.deepStrictEqual(yield* fields({ from, name: "A", subject: "B" }), ["body required"])
      assert.deepStrictEqual(yield* fields({ from, name: "A", format: "MJML" }), ["subject required"])
      assert.deepStrictEqual(yield* fields({ from, name: "A", subject: "B", format: "MJML" }), ["source required"])
      assert.deepStrictEqual(yield* fields({ from, name: "A", subject: "B", format: "TEXT" }), [
        "format invalid_enum",
        "body required"
      ])
      // This host has no compiler.
      assert.deepStrictEqual(yield* fields({ from, name: "A", subject: "B", format: "MJML", source: "<mjml />" }), [
        "format custom"
      ])
    })
  )

  it.effect.each([
    [{ name: "No sender" }, "From address is required"],
    [{ ...welcome, from: null }, "From address is required"],
    [{ ...welcome, name: "", from: "  " }, "From address is required"],
    [[], "From address is required"],
    ["", "From address is required"],
    ['{"from"', "Request body is not valid JSON"]
  ])("refuses %j without an envelope", ([body, error]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* send("POST", "/templates", body), { status: 400, body: { error } })
    })
  )
})

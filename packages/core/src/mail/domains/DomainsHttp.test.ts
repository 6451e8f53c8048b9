import { assert, layer } from "@effect/vitest"
import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import { DomainsApi } from "@posthorn/contract/mail/domains/DomainsApi"
import { CurrentProject, ProjectAccess } from "@posthorn/contract/platform/Auth"
import { Conflict, ResourceInUse, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Effect, Layer, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiTest } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Accounts } from "../../accounts/people/Accounts.ts"
import { Projects } from "../../accounts/projects/Projects.ts"
import { SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import * as BodyReaders from "../../platform/http/BodyReaders.ts"
import * as JsonBody from "../../platform/http/JsonBody.ts"
import * as Validation from "../../platform/http/Validation.ts"
import * as Wakeups from "../../platform/Wakeups.ts"
import type { Zone } from "./DnsResolverMemory.ts"
import * as Domains from "./Domains.ts"
import { foundation, mine, publishAll, theirs } from "./DomainsFixture.ts"
import * as DomainsHttp from "./DomainsHttp.ts"
import { insertEmail } from "./DomainUsageFixture.ts"

const nowhere = "019a0000-0000-7000-8000-00000000dead"

/** Everyone is the test project, and it is disabled: keys and their refusals have tests of their own. */
const asProject = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.provideService(app, CurrentProject, { id: mine, disabled: "MANUAL" })
const anyKey = Layer.succeed(ProjectAccess, ProjectAccess.of({ secretKey: asProject, session: asProject }))

const zone: Zone = new Map()
const handlers = DomainsHttp.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(JsonBody.layer, Validation.layer, anyKey)),
  Layer.provideMerge(
    Layer.mergeAll(Layer.mock(Accounts, {}), Layer.mock(Projects, {}), Layer.mock(SystemMail, {}), Wakeups.layer)
  ),
  Layer.provideMerge(BodyReaders.layer),
  Layer.provideMerge(Domains.layer),
  Layer.provideMerge(foundation(zone, { bounceDomain: "bounces.posthorn.example" })),
  Layer.merge(HttpServer.layerServices)
)

/** The group alone: the whole API would ask for the middlewares of all groups. */
const domainsOnly = HttpApi.make("posthorn")
  .add(DomainsApi)
  .annotate(HttpApi.ParseOptions, { errors: "all", reportInput: true })

const Refusal = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    details: Schema.optionalKey(Schema.JsonObject),
    errors: Schema.optionalKey(Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String })))
  })
})

/** Status, code and what goes with it, of requests that no typed client can make. */
const refusal = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const app = yield* HttpRouter.toHttpEffect(HttpApiBuilder.layer(domainsOnly))
  const request = new Request(`http://posthorn${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const response = yield* Effect.promise(() => HttpEffect.toWebHandler(app)(request))
  const { error } = yield* Schema.decodeUnknownEffect(Refusal)(yield* Effect.promise(() => response.json()))
  return [
    `${response.status} ${error.code}`,
    error.details ?? error.errors?.map(({ field, code }) => `${field} ${code}`)
  ]
})

layer(handlers, { timeout: "60 seconds" })("DomainsHttp", (it) => {
  it.effect("adds, shows, lists, checks and removes", () =>
    Effect.gen(function* () {
      const { domains } = yield* HttpApiTest.groups(domainsOnly, ["domains"])
      const added = yield* domains.add({ payload: { domain: "mail.acme.test", projectId: mine } })
      assert.deepStrictEqual([added.domain, added.status, added.records.length], ["mail.acme.test", "PENDING", 5])
      const params = { id: added.id }
      assert.deepStrictEqual(yield* domains.get({ params }), added)
      assert.deepStrictEqual(yield* domains.list({ params: { projectId: mine } }), [added])
      yield* publishAll(zone, added)
      const verified = yield* domains.verify({ params })
      assert.deepStrictEqual([verified.status, verified.tokens], ["VERIFIED", [added.selector]])
      yield* domains.remove({ params })
      const gone = new ResourceNotFound({ resource: "domain", id: added.id })
      assert.deepStrictEqual(yield* Effect.flip(domains.get({ params })), gone)
      assert.deepStrictEqual(yield* domains.list({ params: { projectId: mine } }), [])
    })
  )

  it.effect("errors are decoded to the classes that were thrown", () =>
    Effect.gen(function* () {
      const { domains } = yield* HttpApiTest.groups(domainsOnly, ["domains"])
      const { id } = yield* domains.add({ payload: { domain: "used.test" } })
      const again = yield* Effect.flip(domains.add({ payload: { domain: "used.test" } }))
      assert.deepStrictEqual(again, new Conflict({ reason: "domain_exists", domainId: id }))
      yield* insertEmail(mine, "a@used.test", "PENDING")
      const inUse = yield* Effect.flip(domains.remove({ params: { id } }))
      const nothing = { templates: [], workflowSteps: [], campaigns: [] }
      assert.deepStrictEqual(inUse, new ResourceInUse({ ...nothing, pendingEmails: 1 }))
      const foreign = yield* Effect.flip(domains.list({ params: { projectId: theirs } }))
      assert.deepStrictEqual(foreign, new ResourceNotFound({ resource: "project", id: theirs }))
      const missing = yield* Effect.flip(domains.verify({ params: { id: DomainId.make(nowhere) } }))
      assert.deepStrictEqual(missing, new ResourceNotFound({ resource: "domain", id: nowhere }))
    })
  )

  it.effect.each([
    ["POST", "/domains", undefined, ["422 VALIDATION_ERROR", ["domain required"]]],
    ["POST", "/domains", {}, ["422 VALIDATION_ERROR", ["domain required"]]],
    ["POST", "/domains", { domain: null }, ["422 VALIDATION_ERROR", ["domain required"]]],
    ["POST", "/domains", { domain: " " }, ["422 VALIDATION_ERROR", ["domain required"]]],
    ["POST", "/domains", { domain: 7 }, ["422 VALIDATION_ERROR", ["domain invalid_type"]]],
    ["POST", "/domains", { domain: "a..b" }, ["422 VALIDATION_ERROR", ["domain invalid_string"]]],
    ["POST", "/domains", { domain: "localhost" }, ["422 VALIDATION_ERROR", ["domain invalid_string"]]],
    ["POST", "/domains", { domain: "*.x.test" }, ["422 VALIDATION_ERROR", ["domain invalid_string"]]],
    ["POST", "/domains", { domain: "xn--zzzz-junk.com" }, ["422 VALIDATION_ERROR", ["domain invalid_string"]]],
    ["POST", "/domains", { domain: "127.0.0.1" }, ["422 VALIDATION_ERROR", ["domain custom"]]],
    ["POST", "/domains", { domain: "GMAIL.com." }, ["422 VALIDATION_ERROR", ["domain custom"]]],
    ["POST", "/domains", { domain: "co.uk" }, ["422 VALIDATION_ERROR", ["domain custom"]]],
    ["POST", "/domains", { domain: "a.".repeat(200) }, ["422 VALIDATION_ERROR", ["domain too_big"]]],
    ["POST", "/domains", { domain: "a.test", projectId: "x" }, ["422 VALIDATION_ERROR", ["projectId invalid_string"]]],
    [
      "POST",
      "/domains",
      { domain: "a.test", projectId: theirs },
      ["404 RESOURCE_NOT_FOUND", { resource: "project", id: theirs }]
    ],
    ["GET", "/domains/not-an-id", undefined, ["404 RESOURCE_NOT_FOUND", { resource: "domain", id: "not-an-id" }]],
    ["GET", "/domains/project/x", undefined, ["404 RESOURCE_NOT_FOUND", { resource: "project", id: "x" }]],
    ["GET", "/domains/project/verify", undefined, ["404 RESOURCE_NOT_FOUND", { resource: "project", id: "verify" }]],
    ["GET", "/domains/x/verify", undefined, ["404 RESOURCE_NOT_FOUND", { resource: "domain", id: "x" }]],
    ["DELETE", "/domains/x", undefined, ["404 RESOURCE_NOT_FOUND", { resource: "domain", id: "x" }]],
    [
      "DELETE",
      `/domains/${nowhere.toUpperCase()}`,
      undefined,
      ["404 RESOURCE_NOT_FOUND", { resource: "domain", id: nowhere }]
    ]
  ] as const)("%s %s %j is refused: %j", ([method, path, body, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* refusal(method, path, body), expected)
    })
  )

  it.effect("a name verified in another project looks like any other unverified name", () =>
    Effect.gen(function* () {
      const domains = yield* Domains.Domains
      const held = yield* domains.add(theirs, { domain: "held.test" })
      yield* publishAll(zone, held)
      yield* domains.verify(theirs, held.id)
      yield* TestClock.adjust("1 minute")
      const [taken, free] = yield* Effect.all([
        domains.add(mine, { domain: "held.test" }),
        domains.add(mine, { domain: "free.test" })
      ])
      assert.deepStrictEqual(
        [
          taken.status,
          taken.verifiedElsewhere,
          taken.records.map(({ type, purpose, status }) => [type, purpose, status])
        ],
        [free.status, free.verifiedElsewhere, free.records.map(({ type, purpose, status }) => [type, purpose, status])]
      )
      assert.strictEqual(taken.status, "PENDING")
    })
  )
})

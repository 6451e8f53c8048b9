import { readFileSync } from "node:fs"
import { assert, describe, it, layer } from "@effect/vitest"
import {
  everything,
  type KeyScope,
  missingScope,
  openToAll,
  scopes,
  scopesOf
} from "@posthorn/contract/platform/Scopes"
import { Effect, Schema } from "effect"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"

const Operation = Schema.Struct({
  operationId: Schema.String,
  security: Schema.Array(Schema.Record(Schema.String, Schema.Json))
})
const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)) }))
)
const { paths } = decode(readFileSync(new URL("../../../../../openapi/openapi.json", import.meta.url), "utf8"))

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, "019a0000-0000-7000-8000-000000000000"),
    schemes: security.flatMap(Object.keys)
  }))
)

const withSecretKey = operations.filter(({ schemes }) => schemes.includes("secretKey"))

/** Who may use the project, and by which keys, is decided by people and the secret key, and views are theirs. */
const closed = /^(?:(?:apiKeys|members|invitations|views)\.|(?:projects\.audit|search\.find)$)/

/** Operations that change nothing and have a body. */
const reading = new Set([
  "contacts.lookup",
  "contacts.query",
  "contacts.count",
  "contacts.exportSelected",
  "settings.previewPreferences",
  "templates.render",
  "templates.renderTexts",
  "workflows.testRun",
  "workflows.validateGraph"
])

describe("scopes", () => {
  it("open operations that exist and take the secret key", () => {
    const known = new Set(withSecretKey.map(({ id }) => id))
    const opened = [...openToAll, ...operations.map(({ id }) => id).filter((id) => scopesOf(id).length > 0)]
    for (const id of opened) assert.isTrue(known.has(id), id)
  })

  it("open every operation that takes the secret key, but those about keys and members", () => {
    for (const { id } of withSecretKey) {
      assert.strictEqual(missingScope([everything], id), closed.test(id) ? null : undefined, id)
    }
  })

  it("for writing include those for reading, and for reading open nothing that writes", () => {
    for (const { id, method } of withSecretKey) {
      const [first] = scopesOf(id)
      if (first?.endsWith(":read")) assert.isUndefined(missingScope([first.replace("read", "write")], id), id)
      if (first?.endsWith(":read")) assert.isTrue(method === "GET" || reading.has(id), id)
    }
  })
})

const opened: { readonly [S in KeyScope]?: ReadonlyArray<string> } = {
  "settings:read": ["settings.audience", "settings.previewPreferences", "settings.sending", "projects.current"],
  send: ["send", "batch", "emails.send", "emails.update", "emails.cancel", "projects.current"],
  "emails:read": ["emails.list", "emails.get", "emails.content", "projects.current"],
  "transports:write": [
    "transports.list",
    "transports.get",
    "transports.routes",
    "transports.create",
    "transports.update",
    "transports.remove",
    "transports.verify",
    "transports.setRoutes",
    "projects.current"
  ]
}

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`A key on ${name}`, (it) => {
    it.effect.each(Object.entries(opened))("with the scope %s gets 403 on every other operation", ([scope, own]) =>
      Effect.gen(function* () {
        assert.include(scopes, scope)
        const { body } = yield* send("POST", "/api-keys", { name: "One scope", scopes: [scope] })
        const headers = { authorization: `Bearer ${body.key}` }
        for (const { id, method, path, schemes } of operations) {
          const { status, body } = yield* send(method, path, method === "GET" ? undefined : {}, headers)
          if (own?.includes(id)) {
            assert.notInclude([401, 403], status, id)
          } else if (schemes.includes("secretKey")) {
            const requiredScope = scopesOf(id)[0] ?? null
            assert.deepStrictEqual(
              [status, body.error.code, body.error.details],
              [403, "FORBIDDEN", { reason: "scope", requiredScope }],
              id
            )
          } else if (schemes.length > 0) {
            assert.strictEqual(status, 401, id)
          }
        }
      })
    )
  })
}

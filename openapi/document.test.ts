import { readFileSync } from "node:fs"
import { EmailFault } from "@posthorn/contract/mail/emails/Email"
import { catalogue } from "@posthorn/contract/platform/ErrorCatalogue"
import { ConflictReason } from "@posthorn/contract/platform/Errors"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import type { OperationObject, ResponseObject } from "openapi3-ts/oas31"
import { assert, describe, it } from "vitest"
import { document, text } from "./document.ts"

const components = { schemas: {}, responses: {}, parameters: {}, headers: {}, ...document.components }

const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]: [string, OperationObject]) => ({ path, method, ...operation }))
)

/** Operations for applications. The others report the state of the service to its operator. */
const keyed = operations.filter(({ security = [] }) => security.length > 0)

const resolved = (response: { readonly $ref?: string } & Partial<ResponseObject>): Partial<ResponseObject> => {
  const name = response.$ref?.split("/").at(-1)
  const shared = name === undefined ? undefined : components.responses[name]
  return shared === undefined || "$ref" in shared ? response : shared
}

const responsesOf = ({ responses = {} }: OperationObject) =>
  Object.entries(responses).map(([status, response]) => ({ status: Number(status), ...resolved(response) }))

const codes = Object.entries(catalogue).map(([row, entry]) => ("code" in entry ? entry.code : row))

describe("The document", () => {
  it("is the committed file", () => {
    assert.strictEqual(readFileSync(new URL("openapi.json", import.meta.url), "utf8"), text)
  })

  it("has a type for every field of a request", () => {
    const bodies = ["SendCampaign", "WriteCampaign", "SendEmail", "TrackEvent"]
    const untyped = bodies.flatMap((name) =>
      Object.entries(JSON.parse(text).components.schemas[name]?.properties ?? {}).flatMap(([field, schema]) =>
        ["type", "anyOf", "allOf", "oneOf", "$ref", "enum"].some((word) => Object.keys(schema ?? {}).includes(word))
          ? []
          : [`${name}.${field}`]
      )
    )
    assert.isEmpty(untyped)
  })

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator()
    assert.deepStrictEqual(await validator.validate(JSON.parse(text)), { valid: true })
    assert.strictEqual(validator.version, "3.1")
  })

  it("has no findings of a linter", async () => {
    const config = await createConfig({
      extends: ["recommended-strict"],
      rules: {
        "operation-description": "error",
        "parameter-description": "error",
        "tag-description": "error",
        "no-duplicated-tag-names": "error",
        // Paths in which a literal segment has precedence over a parameter: /domains/project/{projectId}.
        "no-ambiguous-paths": "off",
        // Probes have no errors of a caller; the others are tested below.
        "operation-4xx-response": "off"
      }
    })
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      []
    )
  })

  it("has a licence, a relative server and every way to authenticate, described", () => {
    assert.deepInclude(document.info.license, { name: "MIT" })
    assert.strictEqual(document.servers?.[0]?.url, "/")
    assert.hasAllKeys(components.securitySchemes, ["secretKey", "publicKey", "session"])
    for (const scheme of Object.values(components.securitySchemes ?? {})) assert.isNotEmpty(scheme.description)
  })

  it("shows nothing of its implementation", () => {
    assert.notMatch(text, /\b_tag\b/)
    assert.notInclude(text, "Encoded")
    assert.notMatch(text, /"additionalProperties": (?:true|false)/)
    assert.isEmpty(Object.keys(components.schemas).filter((name) => /_\d+$/.test(name)))
  })
})

describe("Every operation", () => {
  it("has a unique name, after its tag or alone", () => {
    const names = operations.map(({ operationId = "" }) => operationId)
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of names) assert.match(name, /^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*)?$/)
  })

  it("has a summary, a description and a described tag", () => {
    const tags = new Map(document.tags?.map(({ name, description }) => [name, description]))
    for (const { operationId, summary, description, tags: own = [] } of operations) {
      assert.isNotEmpty(summary, operationId)
      assert.isNotEmpty(description, operationId)
      for (const tag of own) assert.isNotEmpty(tags.get(tag), tag)
    }
  })

  it("describes its responses in sentences, and every response has its id", () => {
    for (const operation of operations) {
      for (const { status, description = "", headers = {} } of responsesOf(operation)) {
        assert.match(description, / .*\.$/s, `${operation.operationId} ${status}`)
        assert.property(headers, "X-Request-Id")
      }
    }
  })

  it("names its errors by their codes", () => {
    for (const operation of operations) {
      for (const { status, description = "", content = {} } of responsesOf(operation)) {
        if (status < 400 || operation.operationId === "service.ready") continue
        const named = Array.from(description.matchAll(/`([A-Z_]+)`:/g), ([, code = ""]) => code)
        assert.isNotEmpty(named, `${operation.operationId} ${status}`)
        assert.includeMembers(codes, named)
        assert.include(JSON.stringify(content), "#/components/schemas/Error")
      }
    }
  })

  it("can fail with errors of the service; with a key also with errors of the key, the project and the rate limit", () => {
    const statuses = (operation: OperationObject) => responsesOf(operation).map(({ status }) => status)
    for (const operation of operations) assert.includeMembers(statuses(operation), [500, 503])
    for (const operation of keyed) assert.includeMembers(statuses(operation), [400, 401, 429])
    for (const operation of keyed) if (operation.method !== "get") assert.include(statuses(operation), 403)
  })

  it("has no error about a body if it has no body, and none about a disabled project if it only reads", () => {
    const impossible = /`(?:INVALID_JSON|PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE|VALIDATION_ERROR|PROJECT_DISABLED)`/
    for (const operation of operations.filter(({ method }) => method === "get")) {
      // The address in its path is validated like one in a body.
      for (const { description } of responsesOf(operation))
        if (operation.operationId === "suppressions.get")
          assert.match(description ?? ".", /^(?!.*(?:INVALID_JSON|DISABLED))/)
        else assert.notMatch(description ?? "", impossible, operation.operationId)
    }
  })

  it("describes the rate limit, and when to retry", () => {
    for (const operation of keyed) {
      for (const { status, headers = {} } of responsesOf(operation)) {
        if (status < 300) assert.containsAllKeys(headers, ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"])
        if (status === 429 || status === 503) assert.property(headers, "Retry-After")
      }
    }
  })
})

describe("Examples", () => {
  interface Media {
    readonly example?: unknown
    readonly examples?: object
  }
  const without = (name: string, content: { readonly [type: string]: Media } = {}) =>
    Object.entries(content).flatMap(([type, { example, examples = {} }]) =>
      example === undefined && Object.keys(examples).length === 0 ? [`${name} ${type}`] : []
    )

  it("are in every request with a body and in every answer", () => {
    const missing = operations.flatMap((operation) => [
      ...without(
        `${operation.operationId} request`,
        operation.requestBody !== undefined && "content" in operation.requestBody ? operation.requestBody.content : {}
      ),
      ...responsesOf(operation).flatMap(({ status, content }) => without(`${operation.operationId} ${status}`, content))
    ])
    assert.deepStrictEqual(missing, [])
  })

  it("are in every event of a webhook", () => {
    const events: {
      readonly [type: string]: { readonly post: { readonly requestBody: { readonly content: object } } }
    } = JSON.parse(text).webhooks
    for (const [type, { post }] of Object.entries(events)) {
      assert.deepStrictEqual(without(type, { ...post.requestBody.content }), [])
    }
  })

  it("show each error that an operation can answer with, by its code", () => {
    const bodies: { readonly [row: string]: { readonly value: { readonly error: { readonly code: string } } } } =
      JSON.parse(text).components.examples
    const others: ReadonlyArray<(typeof bodies)[string]["value"]> = JSON.parse(text).components.schemas.Error.examples
    assert.sameMembers([...Object.keys(bodies), ...others.map(({ error }) => error.code)], Object.keys(catalogue))
    for (const operation of operations) {
      for (const { status, description = "", content = {} } of responsesOf(operation)) {
        if (status < 400 || operation.operationId === "service.ready") continue
        const named = Array.from(description.matchAll(/`([A-Z_]+)`:/g), ([, code = ""]) => code)
        const shown = Object.keys(content["application/json"]?.examples ?? {}).flatMap(
          (row) => bodies[row]?.value.error.code ?? []
        )
        assert.sameMembers(shown, named, `${operation.operationId} ${status}`)
      }
    }
  })
})

describe("Headers of requests", () => {
  const refers = (operation: OperationObject, name: string) =>
    operation.parameters?.some(
      (parameter) => "$ref" in parameter && parameter.$ref === `#/components/parameters/${name}`
    ) === true
  /** Operations of a project that take no key. */
  const ofPeople: ReadonlySet<string | undefined> = new Set(["campaigns.approve", "campaigns.reject"])
  const operationsWith = (name: string) =>
    operations.filter((operation) => refers(operation, name)).map(({ operationId }) => operationId)

  it("say which role and which scopes they need", () => {
    for (const operation of operations) {
      const { operationId, path, security = [] } = operation
      const extensions: { readonly [name: `x-${string}`]: unknown } = operation
      const takes = (scheme: string) => security.some((one) => scheme in one)
      const isOfProject = takes("secretKey") || ofPeople.has(operationId) || path.startsWith("/users/@me/projects/{id}")
      const roles = takes("session") && isOfProject ? ["OWNER", "ADMIN", "MEMBER"] : [null]
      assert.include(roles, extensions["x-posthorn-role"], operationId)
      const scopes = extensions["x-posthorn-scope"]
      assert.isTrue(Array.isArray(scopes))
      assert.isTrue((Array.isArray(scopes) && scopes.length === 0) || takes("secretKey"), operationId)
    }
  })

  it("make send, batch and track safe to repeat", () => {
    const repeatable = ["send", "batch", "track", "emails.send", "events.track"]
    assert.sameMembers(operationsWith("Idempotency-Key"), repeatable)
    assert.sameMembers(operationsWith("Idempotency-Mode"), repeatable)
  })

  it("name the project of a session wherever an operation of a project accepts sessions", () => {
    const project = operations.filter(
      ({ operationId, security = [] }) =>
        security.some((scheme) => "session" in scheme) &&
        (security.some((scheme) => "secretKey" in scheme) || ofPeople.has(operationId))
    )
    assert.isNotEmpty(project)
    assert.sameMembers(
      operationsWith("X-Project-Id"),
      project.map(({ operationId }) => operationId)
    )
  })
})

describe("Queries of lists", () => {
  const parametersOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.parameters ?? []
  const schemaOf = (id: string, name: string) =>
    parametersOf(id).flatMap((parameter) =>
      "name" in parameter && parameter.name === name ? [parameter.schema] : []
    )[0]

  it("give the number of items on a page", () => {
    for (const [id, name] of [
      ["contacts.list", "limit"],
      ["emails.list", "limit"],
      ["templates.list", "pageSize"]
    ] as const) {
      assert.deepStrictEqual<unknown>(schemaOf(id, name), { default: 20, type: "integer", minimum: 1 })
    }
    for (const [id, name, byDefault] of [
      ["activity.list", "limit", 50],
      ["activity.upcoming", "limit", 50],
      ["activity.upcoming", "daysAhead", 30],
      ["activity.recentCount", "minutes", 5],
      ["analytics.topCampaigns", "limit", 10],
      ["analytics.topEvents", "limit", 5],
      ["events.ofContact", "limit", 50]
    ] as const) {
      assert.deepStrictEqual<unknown>(schemaOf(id, name), { default: byDefault, type: "integer", minimum: 1 })
    }
    assert.deepStrictEqual<unknown>(schemaOf("templates.list", "page"), { default: 1, type: "integer", minimum: 1 })
  })

  it("describe how the list can be sorted, and the default order", () => {
    assert.deepStrictEqual<unknown>(schemaOf("contacts.list", "sort"), {
      type: "string",
      enum: ["createdAt", "email"],
      default: "createdAt"
    })
    assert.deepStrictEqual<unknown>(schemaOf("contacts.list", "dir"), {
      type: "string",
      enum: ["desc", "asc"],
      default: "desc"
    })
    assert.deepStrictEqual<unknown>(schemaOf("contacts.list", "subscribed"), { type: "boolean" })
  })
})

describe("The schema of errors", () => {
  const { code, details } = JSON.parse(text).components.schemas.Error.properties.error.properties

  it("lists every code of the catalogue once, and describes each with its status and advice", () => {
    assert.sameMembers(code.enum, [...new Set(codes)])
    for (const [row, entry] of Object.entries(catalogue)) {
      const name = "code" in entry ? entry.code : row
      assert.include(code.description, `| \`${name}\` | ${entry.status} | ${entry.when} | ${entry.suggestion} |`)
    }
  })

  it("describes every reason of a conflict", () => {
    for (const reason of ConflictReason.literals)
      assert.match(details.description, new RegExp(`\\| \`${reason}\` \\| [^|]+\\. \\|`))
  })
})

/** Methods and paths of journeys, campaigns, sending rules and deliverability, by the scopes that open them to API keys. */
const scoped: { readonly [scopes: string]: ReadonlyArray<string> } = {
  "workflows:read": [
    "GET /workflows/{id}/versions",
    "GET /workflows/{id}/versions/{n}",
    "GET /workflows/{id}/versions/{n}/diff",
    "GET /workflows/{id}/migrations/{jobId}",
    "GET /workflows/{id}/report",
    "POST /workflows/{id}/test-runs",
    "GET /workflows/{id}/steps/{stepId}/experiment"
  ],
  "workflows:write": [
    "POST /workflows/{id}/publish",
    "DELETE /workflows/{id}/draft",
    "POST /workflows/{id}/versions/{n}/restore",
    "POST /workflows/{id}/migrations",
    "POST /workflows/{id}/steps/{stepId}/experiment/winner",
    "POST /workflows/{id}/steps/{stepId}/experiment/restart"
  ],
  "campaigns:read": [
    "GET /campaigns/{id}/experiment",
    "GET /campaigns/{id}/report",
    "GET /campaigns/{id}/links",
    "GET /campaigns/{id}/providers",
    "GET /campaigns/{id}/stats"
  ],
  "campaigns:write": [
    "POST /campaigns/{id}/experiment/winner",
    "POST /campaigns/{id}/follow-up",
    "POST /campaigns/{id}/request-approval",
    "PUT /campaigns/{id}/recurrence",
    "DELETE /campaigns/{id}/recurrence"
  ],
  "domains:read": ["GET /domains/{id}/health", "GET /domains/{id}/dmarc", "GET /domains/{id}/warmup"],
  "domains:write": [
    "PUT /domains/{id}/warmup",
    "DELETE /domains/{id}/warmup",
    "POST /domains/{id}/warmup/pause",
    "POST /domains/{id}/warmup/resume"
  ],
  "contacts:read": ["GET /contacts/{id}/sending-state"],
  "contacts:read settings:read": ["GET /settings/sending"],
  "contacts:write settings:write": ["PATCH /settings/sending"],
  "analytics:read": ["GET /deliverability/providers", "GET /analytics/providers", "GET /analytics/conversions"],
  // A person decides, never a key.
  "": ["POST /campaigns/{id}/approve", "POST /campaigns/{id}/reject"]
}

describe("Journeys, campaigns and deliverability", () => {
  const operationOf = (name: string): { readonly [field: string]: unknown } | undefined =>
    operations.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)

  it("have every endpoint, with its scopes", () => {
    for (const [scopes, names] of Object.entries(scoped))
      for (const name of names) {
        assert.isDefined(operationOf(name), name)
        assert.strictEqual([operationOf(name)?.["x-posthorn-scope"]].flat().join(" "), scopes, name)
      }
  })

  it("let only an ADMIN decide about approvals, warm-ups and the rules of sending", () => {
    const ofAdmins = [...(scoped[""] ?? []), ...(scoped["domains:write"] ?? []), "PATCH /settings/sending"]
    const others = Object.values(scoped)
      .flat()
      .filter((name) => !ofAdmins.includes(name))
    const roleOf = (name: string) => operationOf(name)?.["x-posthorn-role"]
    for (const name of ofAdmins) assert.strictEqual(roleOf(name), "ADMIN", name)
    for (const name of others) assert.strictEqual(roleOf(name), "MEMBER", name)
  })

  it("have every type of webhook", () => {
    assert.containsAllKeys(document.webhooks, [
      "workflow.published",
      "workflow.execution.converted",
      "campaign.experiment_decided",
      "campaign.approval_requested",
      "campaign.approved",
      "campaign.rejected",
      "campaign.converted",
      "domain.warmup_paused",
      "domain.warmup_completed",
      "domain.health_changed",
      "deliverability.provider_slowed",
      "deliverability.provider_recovered"
    ])
  })

  it("have every reason of a conflict, and the errors of mail that did not leave", () => {
    assert.includeMembers(
      [...ConflictReason.literals],
      [
        "draft_changed",
        "not_versioned",
        "no_draft",
        "version_changed",
        "migration_running",
        "experiment_state",
        "approval_required",
        "approval_state"
      ]
    )
    assert.includeMembers(
      [...EmailFault.literals],
      ["quiet_hours", "frequency_cap", "campaign_expired", "experiment_abandoned", "execution_exited"]
    )
    for (const reason of EmailFault.literals) assert.include(text, `"${reason}"`)
  })
})

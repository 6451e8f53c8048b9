/** The endpoints of the committed OpenAPI document, with their requests and answers. */
import { readFileSync } from "node:fs"
import { Arbitrary, JsonSchema, Predicate, Result, Schema, SchemaRepresentation } from "effect"
import type { Answer } from "../../testing/ApiCall.ts"

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)
const Content = Schema.Record(
  Schema.String,
  Schema.Struct({ schema: JsonObject, example: Schema.optionalKey(Schema.Json) })
)
const Response = Schema.Struct({
  content: Schema.optionalKey(Content),
  headers: Schema.optionalKey(JsonObject)
})
const Ref = Schema.Struct({ $ref: Schema.String })
const Parameter = Schema.Struct({ name: Schema.String, in: Schema.String, schema: JsonObject })

const Operation = Schema.Struct({
  operationId: Schema.String,
  security: Schema.Array(JsonObject),
  parameters: Schema.optionalKey(Schema.Array(Schema.Union([Parameter, Ref]))),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(Schema.String, Schema.Union([Ref, Response]))
})

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, JsonObject),
    responses: Schema.Record(Schema.String, Response)
  })
})

const file = new URL("../../../../../openapi/openapi.json", import.meta.url)

const { components, paths } = Schema.decodeUnknownSync(Schema.fromJsonString(Document))(readFileSync(file, "utf8"))

/** The named schemas of the document. */
export const { schemas } = components

export interface Operation {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly id: string
  /** The key that the endpoint takes; undefined if it takes none. */
  readonly key: "publicKey" | "secretKey" | undefined
  /** Takes the session of a user and no key. */
  readonly sessionOnly: boolean
  /** May take a session in place of the key. */
  readonly takesSession: boolean
  /** Names of its query parameters. */
  readonly query: ReadonlyArray<string>
  /** Valid values of the parameters, where the document lists them. */
  readonly choices: { readonly [name: string]: ReadonlyArray<string> }
  readonly body: JsonSchema.JsonSchema | undefined
  /** The body that the document shows. */
  readonly example: unknown
  readonly responses: { readonly [status: string]: typeof Response.Type }
}

const resolved = (response: typeof Ref.Type | typeof Response.Type): typeof Response.Type =>
  "$ref" in response ? (components.responses[response.$ref.split("/").at(-1) ?? ""] ?? {}) : response

const inQuery = (parameters: ReadonlyArray<typeof Parameter.Type | typeof Ref.Type>) =>
  parameters.flatMap((parameter) => ("in" in parameter && parameter.in === "query" ? [parameter] : []))

const choicesOf = (schema: JsonSchema.JsonSchema): ReadonlyArray<string> => {
  if (Array.isArray(schema["enum"])) return schema["enum"].map(String)
  if (schema["type"] === "boolean") return ["true", "false"]
  return schema["type"] === "integer" ? ["1", "20"] : []
}

/** All endpoints. */
export const operations: ReadonlyArray<Operation> = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody, responses }]) => ({
    method: method.toUpperCase(),
    path,
    id: operationId,
    key: (["publicKey", "secretKey"] as const).find((key) => security.some((scheme) => key in scheme)),
    sessionOnly: security.length > 0 && security.every((scheme) => "session" in scheme),
    takesSession: security.some((scheme) => "session" in scheme),
    query: inQuery(parameters).map(({ name }) => name),
    choices: Object.fromEntries(inQuery(parameters).map(({ name, schema }) => [name, choicesOf(schema)])),
    body: requestBody?.content["application/json"]?.schema,
    example: requestBody?.content["application/json"]?.example,
    responses: Object.fromEntries(Object.entries(responses).map(([status, found]) => [status, resolved(found)]))
  }))
)

/** The formats of the document, for values that the service makes. */
const formats: { readonly [format: string]: string } = {
  uuid: "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
  "date-time": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
  email: "^[^@\\s]+@[^@\\s]+$",
  hostname: "^[a-z0-9-]+(\\.[a-z0-9-]+)+$"
}

const compiled = (schema: JsonSchema.JsonSchema, onEnter: (schema: JsonSchema.JsonSchema) => JsonSchema.JsonSchema) =>
  Schema.make<Schema.Codec<unknown>>(
    SchemaRepresentation.fromJsonSchemaDocument(
      JsonSchema.fromSchemaOpenApi3_1({ ...schema, $defs: components.schemas }),
      { patterns: "apply", onEnter }
    ).ast
  )

const withFormat = (schema: JsonSchema.JsonSchema, patterns: { readonly [format: string]: string }) => {
  const pattern = typeof schema["format"] === "string" ? patterns[schema["format"]] : undefined
  return pattern === undefined || schema["pattern"] !== undefined ? schema : { ...schema, pattern }
}

/** A closed schema: a field of an answer that the document does not know is an error. */
const closed = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  schema["properties"] === undefined || schema["additionalProperties"] !== undefined
    ? schema
    : { ...schema, additionalProperties: false }

const validators = new Map<JsonSchema.JsonSchema, (json: unknown) => Result.Result<unknown, unknown>>()

const validator = (schema: JsonSchema.JsonSchema) => {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const made = Schema.decodeUnknownResult(
    compiled(schema, (each) => closed(withFormat(each, formats))),
    { errors: "all", onExcessProperty: "error" }
  )
  validators.set(schema, made)
  return made
}

/** Where a value differs from a schema; undefined if it fits. */
export const misfit = (schema: JsonSchema.JsonSchema, value: unknown): string | undefined => {
  const found = validator(schema)(value)
  return Result.isFailure(found) ? String(found.failure) : undefined
}

const parsed = (text: string) => Result.try((): unknown => JSON.parse(text))

/** Where an answer differs from the document; undefined if it matches. An internal error never matches. */
export const deviation = ({ responses }: Operation, { headers, status, text }: Answer): string | undefined => {
  const response = responses[status]
  if (response === undefined) return `${status} is not documented: ${text}`
  if (status >= 500) return `the service failed with ${status}: ${text}`

  const absent = Object.keys(response.headers ?? {}).find(
    (name) => alwaysThere(name, status, text) && !headers.has(name)
  )
  if (absent !== undefined) return `${status} comes without ${absent}`

  const type = headers.get("content-type")?.split(";")[0]
  if (response.content === undefined) return text === "" ? undefined : `${status} has a body: ${text}`
  const media = type === undefined ? undefined : response.content[type]
  if (media === undefined) return `${status} comes as ${type}`
  if (type !== "application/json") return

  const json = parsed(text)
  if (Result.isFailure(json)) return `${status} is no JSON: ${text}`
  const found = validator(media.schema)(json.success)
  return Result.isFailure(found) ? `${status} does not fit its schema: ${found.failure}\n${text}` : undefined
}

/** The fields that all forms of a schema name. Empty for an object with any fields. */
const fieldsOf = (schema: JsonSchema.JsonSchema): { readonly [name: string]: JsonSchema.JsonSchema } => {
  const { $ref, properties, anyOf = [], oneOf = [], allOf = [] }: Shape = schema
  if ($ref !== undefined) return fieldsOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {})
  const [first = {}, ...others] = [...anyOf, ...oneOf].map(fieldsOf).filter((form) => Object.keys(form).length > 0)
  const common = Object.entries(first).filter(([name]) => others.every((form) => Object.hasOwn(form, name)))
  return Object.assign({}, Object.fromEntries(common), ...allOf.map(fieldsOf), properties)
}

interface Shape {
  readonly $ref?: string
  readonly properties?: { readonly [name: string]: JsonSchema.JsonSchema }
  readonly items?: JsonSchema.JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema.JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema.JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema.JsonSchema>
}

/** The schema of the items of a list, in any of its forms. */
const itemsOf = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { $ref, items, anyOf = [], oneOf = [] }: Shape = schema
  if ($ref !== undefined) return itemsOf(schemas[$ref.split("/").at(-1) ?? ""] ?? {})
  return items ?? [...anyOf, ...oneOf].map(itemsOf).find((found) => Object.keys(found).length > 0) ?? {}
}

/** The fields that only one of two values has, with their paths. Fields that the schema does not name may differ. */
const differentFields = (
  schema: JsonSchema.JsonSchema,
  example: unknown,
  value: unknown,
  path: string
): ReadonlyArray<string> => {
  if (Array.isArray(example) && Array.isArray(value)) {
    return example.length === 0 || value.length === 0
      ? []
      : differentFields(itemsOf(schema), example[0], value[0], `${path}.0`)
  }
  if (!Predicate.isObject(example) || !Predicate.isObject(value)) return []
  return Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    // A list has it while there are more pages.
    if (name === "cursor") return []
    const [inExample, inValue] = [Object.hasOwn(example, name), Object.hasOwn(value, name)]
    if (inExample && inValue) {
      return differentFields(field, Reflect.get(example, name), Reflect.get(value, name), `${path}.${name}`)
    }
    return inExample === inValue ? [] : [`${path}.${name} is only in the ${inExample ? "example" : "answer"}`]
  })
}

/** Where the fields of a JSON answer differ from those of its example. */
export const differenceFromExample = ({ responses }: Operation, { status, text }: Answer): ReadonlyArray<string> => {
  const media = responses[status]?.content?.["application/json"]
  if (media?.example === undefined || text === "") return []
  return differentFields(media.schema, media.example, JSON.parse(text), "")
}

/** Refusals of an authenticated caller: no project is named, the project is not accessible, or the origin is wrong. */
const refusedUncounted =
  /"code":"(?:PROJECT_ACCESS_DENIED|EMAIL_VERIFICATION_REQUIRED)"|"reason":"origin"|"field":"X-Project-Id"|"resource":"project"/

/**
 * Headers that are not in every answer: a replay is marked only on replays, and a used key names a time to retry only
 * while its first request runs. Rate limits count, and report, only authenticated requests.
 */
const alwaysThere = (name: string, status: number, text: string): boolean =>
  !["Idempotency-Replayed", "Posthorn-Warnings", "Preference-Applied"].includes(name) &&
  !(status === 409 && name === "Retry-After") &&
  !(name.startsWith("RateLimit-") && (status === 401 || refusedUncounted.test(text)))

/**
 * Bodies that match the document, from small to odd. `domains` are the host names of their addresses. Objects have
 * further properties only where the document allows them and `odd` is true.
 */
export const bodies = (schema: JsonSchema.JsonSchema, domains: ReadonlyArray<string>, odd: boolean) => {
  const names = domains.map((name) => name.replaceAll(".", "\\.")).join("|")
  const made = { ...formats, email: `^[a-z0-9]{1,12}@(${names})$`, hostname: "^[a-z0-9]{3,20}\\.example\\.com$" }
  const open = (each: JsonSchema.JsonSchema) => withFormat(each, made)
  return Arbitrary.schema(compiled(schema, odd ? open : (each) => closed(open(each))))
}

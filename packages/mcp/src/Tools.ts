/** The tools of a server, made from its OpenAPI document. */
import type { JSONObject } from "@modelcontextprotocol/server"
import { get, listAt, nameOf } from "@posthorn/contract/service/examples/SchemaParts"
import { type Endpoint, endpoints, type OpenApiDocument, resolve } from "@posthorn/docs/document/OpenApiDocument"
import { Predicate } from "effect"
import { hasTool, type Kind, kindOf } from "./Kinds.ts"
import { isRecord, wholeSchema } from "./Schemas.ts"

export interface Definition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly type: "object"
    readonly properties: JSONObject
    readonly required: Array<string>
    readonly additionalProperties: boolean
  }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
  }
}

export interface Tool {
  readonly kind: Kind
  readonly group: string
  readonly endpoint: Endpoint
  /** Arguments that are parts of the path, and of the query. */
  readonly path: ReadonlyArray<string>
  readonly query: ReadonlyArray<string>
  /** `fields`: every other argument is a field of the body. `argument`: the body is the argument `body`. */
  readonly body: "argument" | "fields" | "none"
  readonly definition: Definition
}

/** Arguments of a tool itself. No operation has a parameter or a field of these names. */
export const own = { confirm: "confirm", key: "idempotencyKey", offset: "resultOffset" } as const

/** A model reads the first characters of a description. */
const longestDescription = 600

const shortened = (text: string): string => (text.length <= longestDescription ? text : `${text.slice(0, 597)}...`)

export const offsetSchema = { type: "integer", minimum: 0, description: "From this character on, for a cut result." }

const confirmSchema = (path: ReadonlyArray<string>, name: string) => {
  const last = path.at(-1)
  return last === undefined
    ? { type: "string", const: name, description: "This cannot be undone. Ask the person first, then pass the name." }
    : { type: "string", description: `This cannot be undone. Ask the person first, then repeat \`${last}\` here.` }
}

/** What `confirm` must be. */
export const confirmation = ({ path, definition }: Tool, args: { readonly [name: string]: unknown }): unknown => {
  const last = path.at(-1)
  return last === undefined ? definition.name : args[last]
}

/** An object, whose fields become arguments; otherwise undefined. */
const fieldsOf = (schema: unknown, { components }: OpenApiDocument) => {
  const reference = get(schema, "$ref")
  const target = typeof reference === "string" ? components.schemas[nameOf(reference)] : schema
  return Predicate.isObject(get(target, "properties")) ? target : undefined
}

const aboutKind: { readonly [K in Kind]: string } = {
  reads: "",
  writes: "",
  destroys: "Cannot be undone: needs `confirm`."
}

const toolOf = (endpoint: Endpoint, document: OpenApiDocument): Tool => {
  const { method, operation } = endpoint
  const { operationId, summary = operationId, description = "", tags, requestBody } = operation
  const { schemas } = document.components
  const kind = kindOf(endpoint)
  const name = operationId.replaceAll(".", "_")
  const parameters = (operation.parameters ?? []).flatMap(
    (parameter) => resolve(parameter, document.components.parameters) ?? []
  )
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const path = of("path").map((parameter) => parameter.name)
  const media = requestBody?.content["application/json"]?.schema
  const fields = fieldsOf(media, document)
  const whole = media === undefined ? undefined : wholeSchema(fields ?? media, schemas)
  const properties = fields === undefined ? undefined : whole?.["properties"]
  const scopes = operation["x-posthorn-scope"] ?? []
  return {
    kind,
    group: tags?.[0] ?? "",
    endpoint,
    path,
    query: of("query").map((parameter) => parameter.name),
    body: media === undefined ? "none" : fields === undefined ? "argument" : "fields",
    definition: {
      name,
      title: summary,
      description: [
        shortened(`${summary}. ${description}`),
        aboutKind[kind],
        scopes.length === 0 ? "" : `Scope: ${scopes.join(" or ")}.`
      ]
        .filter((text) => text !== "")
        .join(" "),
      inputSchema: {
        type: "object",
        properties: {
          ...Object.fromEntries(
            [...of("path"), ...of("query")].map((parameter) => [
              parameter.name,
              { ...wholeSchema(parameter.schema ?? {}, schemas), description: parameter.description ?? "" }
            ])
          ),
          ...(isRecord(properties) ? properties : {}),
          ...(whole !== undefined && fields === undefined && { body: whole }),
          ...(of("header").some((parameter) => parameter.name === "Idempotency-Key") && {
            [own.key]: {
              type: "string",
              minLength: 1,
              maxLength: 255,
              description: "Makes a repeated call safe: the same key for the same call."
            }
          }),
          ...(kind === "reads" && { [own.offset]: offsetSchema }),
          ...(kind === "destroys" && { [own.confirm]: confirmSchema(path, name) })
        },
        required: [
          ...parameters.filter(({ required, in: place }) => required === true && place !== "header").map((p) => p.name),
          ...listAt(fields, "required").map(String),
          ...(whole !== undefined && fields === undefined ? ["body"] : []),
          ...(kind === "destroys" ? [own.confirm] : [])
        ],
        additionalProperties: false
      },
      annotations: {
        readOnlyHint: kind === "reads",
        destructiveHint: kind === "destroys" || (kind === "writes" && (method === "PUT" || method === "PATCH")),
        idempotentHint: kind === "reads" || method !== "POST"
      }
    }
  }
}

/** In the order of the document. */
export const toolsOf = (document: OpenApiDocument): ReadonlyArray<Tool> =>
  endpoints(document)
    .filter(hasTool)
    .map((endpoint) => toolOf(endpoint, document))

/** The operations that become methods of a client: those that take a key or a session, and what people log in with. */
import type {
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject
} from "openapi3-ts/oas31"
import { type AnySchema, typeOf } from "./Schema.ts"

export interface Operation {
  /** `["send"]`, or resource and method: `["contacts", "list"]`. */
  readonly name: readonly [string] | readonly [string, string]
  readonly method: string
  readonly path: string
  readonly summary: string | undefined
  readonly description: string | undefined
  /** Names of the path parameters, in order. */
  readonly parameters: ReadonlyArray<string>
  readonly query: ReadonlyArray<ParameterObject>
  readonly body: { readonly type: string; readonly required: boolean } | undefined
  /** The body is sent as multipart/form-data, because it contains a file. */
  readonly form: boolean
  /** The type of a successful answer. */
  readonly data: string
  /** The type of an item if the answer is one page of a list. */
  readonly item: string | undefined
  /** The answer is a list without pages. */
  readonly whole: boolean
  readonly publicKey: boolean
  /** The secret key, an API key or the public key opens it. */
  readonly takesKey: boolean
  /** A session opens it, or it is one of the public operations for people who have a session or want one. */
  readonly takesSession: boolean
  readonly keyed: boolean
  readonly bytes: boolean
  /** The response is a file, which may be larger than memory. */
  readonly stream: boolean
  /** The answer is a stream of server-sent events. */
  readonly events: boolean
}

export const methods = ["get", "post", "put", "patch", "delete"] as const

/** Groups whose public operations are for people: receivers and forms are for programs and pages of others. */
const publicGroups: ReadonlySet<string> = new Set(["auth", "invited", "service"])

const isParameter = (parameter: ParameterObject | ReferenceObject): parameter is ParameterObject => "name" in parameter

const nameOf = (id: string): Operation["name"] => {
  const [first, second, ...more] = id.split(".")
  if (first === undefined || more.length > 0) throw new Error(`The client has no place for the operation ${id}.`)
  return second === undefined ? [first] : [first, second]
}

const schemasOf = (content: { readonly [type: string]: MediaTypeObject } = {}): ReadonlyArray<AnySchema> =>
  Object.values(content).flatMap(({ schema }) => schema ?? [])

const successes = ({ responses = {} }: OperationObject) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => schemasOf(response.content))

const named = (document: OpenAPIObject, schema: AnySchema): SchemaObject =>
  "$ref" in schema ? { ...document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""] } : schema

/** The client unwraps envelopes, so the caller gets their content. */
const contentOf = (document: OpenAPIObject, schema: AnySchema): string => {
  const { data, success } = named(document, schema).properties ?? {}
  return data && success ? `${typeOf(schema)}["data"]` : typeOf(schema)
}

/** Whether the answer is a file of rows. */
const isFile = (operation: OperationObject): boolean =>
  Object.entries(operation.responses ?? {}).some(
    ([status, { content = {} }]) => status.startsWith("2") && "text/csv" in content
  )

const isEvents = (operation: OperationObject): boolean =>
  "text/event-stream" in (operation.responses?.["200"]?.content ?? {})

/** A response without content is `true`, so that exactly one of data and error is null. */
const dataOf = (document: OpenAPIObject, operation: OperationObject): string => {
  if (isFile(operation)) return "ReadableStream<Uint8Array>"
  const types = successes(operation).flatMap((schemas) =>
    schemas.length === 0 ? ["true"] : schemas.map((schema) => contentOf(document, schema))
  )
  return [...new Set(types)].join(" | ")
}

const itemOf = (document: OpenAPIObject, operation: OperationObject): string | undefined => {
  const [schema] = successes(operation).flat()
  if (schema === undefined || !("$ref" in schema)) return undefined
  const { data, hasMore, totalPages } = named(document, schema).properties ?? {}
  return (hasMore ?? totalPages) && data && "items" in data && data.items ? typeOf(data.items) : undefined
}

const parametersOf = ({ parameters = [] }: OperationObject, place: ParameterObject["in"]) =>
  parameters.filter(isParameter).filter((parameter) => parameter.in === place)

const contentOfBody = ({ requestBody }: OperationObject): { readonly [type: string]: MediaTypeObject } =>
  requestBody === undefined || "$ref" in requestBody ? {} : requestBody.content

const isForm = (operation: OperationObject): boolean => "multipart/form-data" in contentOfBody(operation)

/** A file in a form has the platform's type for files. */
const bodyOf = (operation: OperationObject): Operation["body"] => {
  const { requestBody } = operation
  if (requestBody === undefined || "$ref" in requestBody) return undefined
  const [schema] = schemasOf(requestBody.content)
  const type = schema && typeOf(schema)
  return type === undefined
    ? undefined
    : {
        type: isForm(operation) ? type.replaceAll("Uint8Array", "Blob") : type,
        required: requestBody.required === true
      }
}

/** In the order of the document. */
export const operationsOf = (document: OpenAPIObject): ReadonlyArray<Operation> =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method): ReadonlyArray<Operation> => {
      const operation: OperationObject | undefined = item[method]
      if (operation?.operationId === undefined) return []
      const name = nameOf(operation.operationId)
      const { security = [] } = operation
      const takes = (scheme: string) => security.some((one) => scheme in one)
      const takesKey = takes("secretKey") || takes("publicKey")
      const takesSession = takes("session") || (security.length === 0 && publicGroups.has(name[0]))
      if (!(takesKey || takesSession)) return []
      return [
        {
          name,
          method: method.toUpperCase(),
          path,
          summary: operation.summary,
          description: operation.description,
          parameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name),
          query: parametersOf(operation, "query"),
          body: bodyOf(operation),
          form: isForm(operation),
          data: dataOf(document, operation),
          item: itemOf(document, operation),
          whole: operation.operationId.endsWith(".list") && itemOf(document, operation) === undefined,
          publicKey: takes("publicKey"),
          takesKey,
          takesSession,
          keyed: JSON.stringify(operation.parameters).includes("/Idempotency-Key"),
          stream: isFile(operation),
          events: isEvents(operation),
          bytes:
            !isFile(operation) &&
            !isEvents(operation) &&
            Object.values(operation.responses ?? {}).some(({ content = {} }) =>
              Object.keys(content).some((type) => !type.includes("json"))
            )
        }
      ]
    })
  )

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Type names derived from an operation's name: `ContactsListQuery`, `Contacts`. */
export const pascal = (...words: ReadonlyArray<string>): string => words.map(capitalised).join("")

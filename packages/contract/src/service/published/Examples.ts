/** Adds examples to the finished document: to every body, every answer, every webhook, and to parameters that have one. */
import { Predicate, Record } from "effect"
import { catalogue } from "../../platform/ErrorCatalogue.ts"
import { answerExample } from "../examples/AnswerExamples.ts"
import { errorExample } from "../examples/ErrorExamples.ts"
import { fileAnswer, fileRequest } from "../examples/FileExamples.ts"
import { valuesOf } from "../examples/Ids.ts"
import { eventExamples, requestExamples } from "../examples/RequestExamples.ts"
import { get, listAt, type Schemas } from "../examples/SchemaParts.ts"
import { isRow } from "./ErrorSchema.ts"

/** Errors of requests that reach no operation, so no response refers to their examples. */
const outsideOperations = new Set<string>(["ROUTE_NOT_FOUND", "REQUEST_TIMEOUT", "URI_TOO_LONG"])

const errorsWhere = (isWanted: (row: string) => boolean): ReadonlyArray<readonly [string, object]> =>
  Object.keys(catalogue).flatMap((row) => (isRow(row) && isWanted(row) ? [[row, errorExample(row)] as const] : []))

/** Components: an example of each error of an operation. */
export const errorExamples: object = Object.fromEntries(
  errorsWhere((row) => !outsideOperations.has(row)).map(([row, value]) => [row, { value }])
)

/** The schema of errors with examples of the other ones. */
export const withErrorExamples = (schema: object): object => ({
  ...schema,
  examples: errorsWhere((row) => outsideOperations.has(row)).map(([, value]) => value)
})

const json = "application/json"

type Part = { readonly [key: string]: unknown }

const isPart = (value: unknown): value is Part => Predicate.isObject(value) && !Array.isArray(value)

/** Without fields that are undefined, which JSON does not have. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Each media type of a content, with the example that is found for it. */
const withExample = (content: unknown, find: (type: string, media: Part) => unknown): object =>
  Object.fromEntries(
    Object.entries(isPart(content) ? content : {}).map(([type, media]) => {
      if (!isPart(media) || "examples" in media) return [type, media]
      const example = find(type, media)
      return [type, example === undefined ? media : { ...media, example: asJson(example) }]
    })
  )

/** Undefined if the parameter has no example: most are optional. */
const parameterExample = (operation: string, path: string, { name, in: place }: Part): unknown => {
  const { query, headers } = requestExamples[operation] ?? {}
  if (place === "query") return query?.[String(name)]
  if (place === "header") return headers?.[String(name).toLowerCase()]
  const position = Array.from(path.matchAll(/\/\{(\w+)\}/g), ([, found]) => found).indexOf(String(name))
  return place === "path" ? valuesOf(path)[position]?.value : undefined
}

const valueFor = (schema: unknown, value: unknown) =>
  get(schema, "type") === "string" && typeof value === "number" ? String(value) : value

/** What fails in the example of an error that is no envelope. */
const failed = { database: "failed" }

/** Adds the example of a refusal without envelope to those of the envelope. */
const plainlyRefused = (content: object, schemas: Schemas): object =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const plain = listAt(get(media, "schema"), "anyOf").find((each) =>
        String(get(each, "$ref")).endsWith("/PlainError")
      )
      const examples = get(media, "examples")
      return plain === undefined || !isPart(examples)
        ? [type, media]
        : [type, { ...media, examples: { PlainError: { value: answerExample(schemas, plain, {}) }, ...examples } }]
    })
  )

/** An operation with its examples. The answer repeats values of the request. */
const exemplified = (path: string, given: Part, schemas: Schemas): Part => {
  const operation = String(given["operationId"])
  const { body, answer } = requestExamples[operation] ?? {}
  const said = { ...body, ...answer }
  const parameters = listAt(given, "parameters").map((parameter) => {
    const example = isPart(parameter) && "name" in parameter ? parameterExample(operation, path, parameter) : undefined
    return example === undefined || !isPart(parameter)
      ? parameter
      : { ...parameter, example: valueFor(parameter["schema"], example) }
  })
  const requestBody = given["requestBody"]
  const responses = isPart(given["responses"]) ? given["responses"] : {}
  const answerOf =
    (status: string) =>
    (type: string, { schema }: Part) =>
      type === json
        ? answerExample(schemas, schema, status < "400" ? said : failed)
        : fileAnswer(operation, type, schemas)
  return {
    ...given,
    parameters,
    ...(isPart(requestBody) && {
      requestBody: {
        ...requestBody,
        content: withExample(requestBody["content"], (type) => (type === json ? body : fileRequest(operation, type)))
      }
    }),
    responses: Record.map(responses, (response, status) =>
      isPart(response) && "content" in response
        ? { ...response, content: plainlyRefused(withExample(response["content"], answerOf(status)), schemas) }
        : response
    )
  }
}

type Paths = { readonly [path: string]: { readonly [method: string]: Part } }

export const withExamples = (paths: Paths, schemas: Schemas): Paths =>
  Record.map(paths, (item, path) => Record.map(item, (operation) => exemplified(path, operation, schemas)))

/** A webhook with an example of its event. */
export const exemplifiedWebhooks = (webhooks: Paths, schemas: Schemas): Paths =>
  Record.map(webhooks, (item, type) =>
    Record.map(item, (operation) => {
      const requestBody = operation["requestBody"]
      const said = eventExamples[type] ?? {}
      const content = withExample(get(requestBody, "content"), (_, { schema }) => answerExample(schemas, schema, said))
      return { ...operation, requestBody: { ...(isPart(requestBody) && requestBody), content } }
    })
  )

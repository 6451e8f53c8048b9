/**
 * Describes responses: adds the meaning of each error and the errors of every endpoint, and removes impossible ones.
 */
import type { OpenApi } from "effect/http-api"
import { entryOf, isRow } from "./ErrorSchema.ts"
import { errorHeaders, isCounted, successHeaders } from "./Headers.ts"

type Response = OpenApi.OpenApiSpecResponse

const envelope = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }

/** Errors about a body. Middlewares declare them for a whole group, including endpoints without a body. */
const bodyErrors = new Set(["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "INVALID_JSON", "VALIDATION_ERROR"])

/** Only writes fail with these: a disabled project can still be read. */
const writeErrors = new Set(["PROJECT_DISABLED"])

const isPossible = (method: string, operation: OpenApi.OpenAPISpecOperation) => (name: string) =>
  method !== "get" ||
  (!bodyErrors.has(name) && !writeErrors.has(name)) ||
  (name === "VALIDATION_ERROR" && hasAddress(operation))

/** Whether the path has an email address. A malformed one is a VALIDATION_ERROR, as in a body. */
const hasAddress = ({ parameters }: OpenApi.OpenAPISpecOperation): boolean =>
  parameters.some((parameter) => parameter.in === "path" && parameter.name === "email")

/** The generator joins the names of errors that share a status. */
const namesOf = (response: Response) => response.description.split(" | ")

const sentence = (name: string): string => {
  const entry = entryOf(name)
  return entry === undefined ? name : `\`${entry.code}\`: ${entry.when}`
}

/** The example of each error, by its row. They are components, because many responses have them. */
const withExamples = (names: ReadonlyArray<string>, content: Response["content"]) =>
  Object.fromEntries(
    Object.entries(content ?? {}).map(([type, media]) => [
      type,
      names.some(isRow)
        ? {
            ...media,
            examples: Object.fromEntries(
              names.filter(isRow).map((name) => [name, { $ref: `#/components/examples/${name}` }])
            )
          }
        : media
    ])
  )

const errorResponse = (
  status: number,
  names: ReadonlyArray<string>,
  content: Response["content"],
  counted: boolean
) => ({
  description: names.length === 1 ? names.map(sentence).join() : names.map((name) => `- ${sentence(name)}`).join("\n"),
  headers: errorHeaders(status, names, counted),
  content: withExamples(names, content)
})

/** Errors of the catalogue that endpoints share are written once. `shared` collects them by name. */
const error = (
  status: number,
  names: ReadonlyArray<string>,
  response: Response,
  counted: boolean,
  shared: Map<string, object>
) => {
  const body = errorResponse(status, names, response.content, counted)
  if (!names.every((name) => entryOf(name) !== undefined)) return body
  const hasAllHeaders = counted || status === 401 || status >= 500
  const name = [...names, ...(hasAllHeaders ? [] : ["uncounted"])].join(".")
  shared.set(name, body)
  return { $ref: `#/components/responses/${name}` }
}

/** Descriptions for responses that the generator leaves without one. */
const defaultDescriptions: { readonly [description: string]: string } = {
  "<No Content>": "Done; there is no body.",
  Success: "The file, as a stream."
}

const descriptionOf = ({ description, content = {} }: Response): string =>
  "text/event-stream" in content
    ? "Server-sent events, as they happen."
    : (defaultDescriptions[description] ?? description)

const success = (response: Response, operation: OpenApi.OpenAPISpecOperation): object => ({
  ...response,
  description: descriptionOf(response),
  headers: { ...successHeaders(operation), ...response.headers }
})

const always: { readonly [status: string]: Response } = {
  500: { description: "INTERNAL_SERVER_ERROR", content: envelope },
  503: { description: "SERVICE_UNAVAILABLE", content: envelope }
}

export const responses = (
  method: string,
  operation: OpenApi.OpenAPISpecOperation,
  shared: Map<string, object>
): object => {
  const all: { readonly [status: string]: Response } = { ...always, ...operation.responses }
  return Object.fromEntries(
    Object.entries(all).flatMap(([status, response]): ReadonlyArray<[string, object]> => {
      if (Number(status) < 400) return [[status, success(response, operation)]]
      const names = namesOf(response).filter(isPossible(method, operation))
      return names.length === 0 ? [] : [[status, error(Number(status), names, response, isCounted(operation), shared)]]
    })
  )
}

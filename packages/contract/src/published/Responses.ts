/** Responses: what each error means, the ones every endpoint may give, and none that cannot happen. */
import type { OpenApi } from "effect/http-api"
import { entryOf } from "./ErrorSchema.ts"
import { errorHeaders, successHeaders } from "./Headers.ts"

type Response = OpenApi.OpenApiSpecResponse

const envelope = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }

/** Errors about a body, where none can be: middlewares declare them for their whole group. */
const ofBodies = new Set(["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "INVALID_JSON", "VALIDATION_ERROR"])

/** A disabled project can still be read (contract 1.2, check 6). */
const ofWrites = new Set(["PROJECT_DISABLED"])

const isPossible = (method: string) => (name: string) =>
  method !== "get" || (!ofBodies.has(name) && !ofWrites.has(name))

/** The generator joins the names of errors that share a status. */
const namesOf = (response: Response) => response.description.split(" | ")

const sentence = (name: string): string => {
  const entry = entryOf(name)
  return entry === undefined ? name : `\`${entry.code}\`: ${entry.when}`
}

const errorResponse = (status: number, names: ReadonlyArray<string>, content: Response["content"]) => ({
  description: names.length === 1 ? names.map(sentence).join() : names.map((name) => `- ${sentence(name)}`).join("\n"),
  headers: errorHeaders(status, names),
  content
})

/** Errors of the catalogue that endpoints share are written once; `shared` collects them by name. */
const error = (status: number, names: ReadonlyArray<string>, response: Response, shared: Map<string, object>) => {
  const body = errorResponse(status, names, response.content)
  if (!names.every((name) => entryOf(name) !== undefined)) return body
  const name = names.join(".")
  shared.set(name, body)
  return { $ref: `#/components/responses/${name}` }
}

/** Where the generator has nothing to say. */
const unsaid: { readonly [description: string]: string } = {
  "<No Content>": "Done; there is no body.",
  Success: "The file, sent as it is read."
}

const success = (response: Response, operation: OpenApi.OpenAPISpecOperation): object => ({
  ...response,
  description: unsaid[response.description] ?? response.description,
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
      const names = namesOf(response).filter(isPossible(method))
      return names.length === 0 ? [] : [[status, error(Number(status), names, response, shared)]]
    })
  )
}

/** What the page needs to call an operation for its reader ("Try it"). */
import { get } from "@posthorn/contract/service/examples/SchemaParts"
import { type Endpoint, type OpenApiDocument, resolve } from "../document/OpenApiDocument.ts"

export interface Call {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  /** The credentials that it takes, of `secretKey`, `publicKey` and `session`. */
  readonly takes: ReadonlyArray<string>
  /** Name, `path` or `query`, whether it is required, and an example. */
  readonly parameters: ReadonlyArray<readonly [name: string, place: string, required: boolean, example: string]>
  /** The example of the body; absent if it has none. */
  readonly body?: unknown
}

const json = "application/json"

/** Undefined for files, streams, and calls that other services make. */
export const callOf = (endpoint: Endpoint, { components }: OpenApiDocument): Call | undefined => {
  const { method, path, operation } = endpoint
  const { requestBody, responses, parameters = [], security = [] } = operation
  const media = requestBody?.content[json]
  const isStream = get(get(responses["200"], "content"), "text/event-stream") !== undefined
  const isReceiver = operation.tags?.includes("receivers") === true
  if ((requestBody !== undefined && media === undefined) || isStream || isReceiver) return undefined
  const known = parameters.map((each) => resolve(each, components.parameters)).filter((each) => each !== undefined)
  return {
    method,
    path,
    takes: [...new Set(security.flatMap((choice) => Object.keys(choice)))],
    parameters: known
      .filter(({ in: place }) => place === "path" || place === "query")
      .map(({ name, in: place, required = false, example }) => [name, place, required, String(example ?? "")]),
    ...(media !== undefined && { body: media.example })
  }
}

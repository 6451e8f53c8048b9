/** Adds `warnings` to the responses of operations that report unknown fields. */
import type { OpenApi } from "effect/http-api"
import { warns } from "./Headers.ts"

const text = (description: string, maxLength: number) => ({ type: "string", description, maxLength })

export const warning = {
  type: "object",
  description: "A field of the body that is unknown and was ignored.",
  properties: {
    field: text("Dotted path in the body, array positions as numbers; cut to 200 characters.", 200),
    message: text("An explanation, as a sentence.", 300),
    suggestion: { type: ["string", "null"], description: "The field that was probably meant, else null." }
  },
  required: ["field", "message", "suggestion"]
}

const warnings = {
  type: "array",
  description: "Fields of the body that are unknown and were ignored, at most 20; absent if there are none.",
  items: { $ref: "#/components/schemas/Warning" },
  maxItems: 20
}

const prefix = "#/components/schemas/"

/** Names of the schemas of the operation's successful responses. */
const answersOf = (operation: OpenApi.OpenAPISpecOperation): ReadonlyArray<string> =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Number(status) < 300
      ? Object.values(content ?? {}).flatMap(({ schema }) =>
          [schema, ...(Array.isArray(schema?.["anyOf"]) ? schema["anyOf"] : [])].flatMap((one) =>
            typeof one?.["$ref"] === "string" ? [one["$ref"].slice(prefix.length)] : []
          )
        )
      : []
  )

interface Shape {
  readonly properties?: { readonly [field: string]: unknown }
}

/** Adds `warnings` to an envelope. The error envelope has them in a 422. */
export const warned = <S extends Shape>(schema: S) => ({ ...schema, properties: { ...schema.properties, warnings } })

/** Adds `warnings` to the schemas that are envelopes. */
export const withWarnings = (
  schemas: { readonly [name: string]: Shape },
  operations: ReadonlyArray<OpenApi.OpenAPISpecOperation>
): { readonly [name: string]: object } => {
  const answers = new Set(operations.filter(warns).flatMap(answersOf))
  return {
    ...Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) =>
        answers.has(name) && schema.properties?.["success"] !== undefined ? [name, warned(schema)] : [name, schema]
      )
    ),
    Warning: warning
  }
}

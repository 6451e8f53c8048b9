/** Generates operations.generated.ts: who may call each operation of the document, and how. */
import type { OpenAPIObject } from "openapi3-ts/oas31"
import { methods } from "./Operations.ts"

export const factsText = (document: OpenAPIObject): string => {
  const lines = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation?.operationId === undefined) return []
      const facts = {
        method: method.toUpperCase(),
        path,
        role: operation["x-posthorn-role"],
        scope: operation["x-posthorn-scope"]
      }
      return [`${JSON.stringify(operation.operationId)}: ${JSON.stringify(facts)}`]
    })
  )
  return `/** What decides whether a caller may use an operation. */
export interface OperationFacts {
readonly method: ${methods.map((method) => `"${method.toUpperCase()}"`).join(" | ")}
/** As in the document: parameters in braces. */
readonly path: string
/** The lowest role that a member of the project needs. Null where no member of a project is asked. */
readonly role: "OWNER" | "ADMIN" | "MEMBER" | null
/** One of these scopes of an API key is enough. \`*\`: any key. Empty: closed to API keys. */
readonly scope: ReadonlyArray<string>
}

/** Every operation of the service by its id. */
export const operations = {
${lines.join(",\n")}
} as const satisfies { readonly [operationId: string]: OperationFacts }

export type OperationId = keyof typeof operations
`
}

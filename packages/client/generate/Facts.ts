/** Generates operations.generated.ts and roles.generated.ts: who may call each operation of the document, and how. */
import type { OpenAPIObject } from "openapi3-ts/oas31"
import { methods } from "./Operations.ts"

/** Of each operation, in the order of the document. */
const factsOf = (document: OpenAPIObject) =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation?.operationId === undefined) return []
      const facts = {
        method: method.toUpperCase(),
        path,
        role: operation["x-posthorn-role"],
        scope: operation["x-posthorn-scope"]
      }
      return [{ id: operation.operationId, facts }]
    })
  )

export const factsText = (document: OpenAPIObject): string => {
  const lines = factsOf(document).map(({ id, facts }) => `${JSON.stringify(id)}: ${JSON.stringify(facts)}`)
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

/** The same for pages, as short as it can be: what is no member's, and what only reads. */
export const rolesText = (document: OpenAPIObject): string => {
  const all = factsOf(document)
  const ids = (some: typeof all) => `[\n${some.map(({ id }) => JSON.stringify(id)).join(",\n")}\n]`
  const ofRole = (role: string | null) => ids(all.filter(({ facts }) => facts.role === role))
  return `import type { OperationId } from "./operations.generated.ts"

type Operations = ReadonlyArray<OperationId>

/** Operations by the lowest role that a member of the project needs. Those that are in no list need MEMBER. */
export const restricted: { readonly OWNER: Operations; readonly ADMIN: Operations } = {
OWNER: ${ofRole("OWNER")},
ADMIN: ${ofRole("ADMIN")}
}

/** Operations that ask for no member of a project. */
export const memberless: Operations = ${ofRole(null)}

/** Operations that change nothing. */
export const reading: Operations = ${ids(all.filter(({ facts }) => facts.method === "GET"))}
`
}

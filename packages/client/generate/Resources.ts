/** Generates resources.generated.ts: an interface for each resource, and the class that holds them all. */
import type { OpenAPIObject } from "openapi3-ts/oas31"
import { comment } from "./Comment.ts"
import { type Operation, pascal } from "./Operations.ts"
import { queryName } from "./Types.ts"

const imports = `import type { Call } from "./Answer.ts"
import { type List, type Lister, type WholeList, whole } from "./List.ts"
import type { CallOptions, KeyedCallOptions } from "./Options.ts"
import { type Caller, path } from "./Requests.ts"
import type * as Wire from "./types.generated.ts"
`

/** API types are imported as one namespace. */
const wire = (type: string): string =>
  type.replace(/\b(?!ReadonlyArray\b|Uint8Array\b|Blob\b|ReadableStream\b)[A-Z]\w*\b(?!")/g, "Wire.$&")

interface Argument {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/** The path parameters in order, then the body, the query and the options. */
const argumentsOf = (operation: Operation): ReadonlyArray<Argument> => [
  ...operation.parameters.map((name) => ({ name, type: "string", required: true })),
  ...(operation.body ? [{ name: "body", ...operation.body, type: wire(operation.body.type) }] : []),
  ...(operation.query.length > 0
    ? [{ name: "query", type: `Wire.${queryName(operation)}`, required: operation.query.some((one) => one.required) }]
    : []),
  { name: "options", type: operation.keyed ? "KeyedCallOptions" : "CallOptions", required: false }
]

const signature = (operation: Operation): string => {
  const given = argumentsOf(operation).map(({ name, type, required }) => `${name}${required ? "" : "?"}: ${type}`)
  const data = wire(operation.data)
  const answer = operation.whole ? `WholeList<${data}>` : `Call<${data}>`
  return `(${given.join(", ")}) => ${operation.item === undefined ? answer : `List<${wire(operation.item)}, ${data}>`}`
}

const member = (operation: Operation): string =>
  comment(operation.summary, operation.description, `\`${operation.method} ${operation.path}\``) +
  `readonly ${operation.name.at(-1)}: ${signature(operation)}\n`

const implementation = (operation: Operation): string => {
  const names = argumentsOf(operation).map(({ name }) => name)
  const text = operation.path.replaceAll("{", "${")
  const path = operation.parameters.length === 0 ? JSON.stringify(text) : `path\`${text}\``
  if (operation.item !== undefined) {
    return `(${names.join(", ")}) => list(${path}, ${operation.query.length > 0 ? "query" : "undefined"}, options)`
  }
  const flags = (["publicKey", "keyed", "bytes", "stream", "form"] as const)
    .filter((flag) => operation[flag])
    .map((flag) => `${flag}: true`)
  const input = [...names.filter((name) => !operation.parameters.includes(name)), ...flags]
  const call = `call("${operation.method}", ${path}, { ${input.join(", ")} })`
  return `(${names.join(", ")}) => ${operation.whole ? `whole(${call})` : call}`
}

const resource = (name: string, operations: ReadonlyArray<Operation>, description: string | undefined): string =>
  `${comment(description)}export interface ${pascal(name)} {\n${operations.map(member).join("")}}\n`

const assignment = (name: string, operations: ReadonlyArray<Operation>): string =>
  `this.${name} = {\n${operations.map((operation) => `${operation.name.at(-1)}: ${implementation(operation)}`).join(",\n")}\n}\n`

export const resourcesText = (document: OpenAPIObject, operations: ReadonlyArray<Operation>): string => {
  const single = operations.filter(({ name }) => name.length === 1)
  const groups = Object.entries(Object.groupBy(operations, ({ name }) => (name.length === 1 ? "" : name[0]))).flatMap(
    ([name, members]) => (name === "" || members === undefined ? [] : [[name, members] as const])
  )
  const descriptionOf = (name: string) => document.tags?.find((tag) => tag.name === name)?.description
  return [
    imports,
    ...groups.map(([name, members]) => resource(name, members, descriptionOf(name))),
    `/** Every operation of the service that takes a key, as a method. */
export class Resources {
${single.map(member).join("")}${groups.map(([name]) => `${comment(descriptionOf(name))}readonly ${name}: ${pascal(name)}\n`).join("")}
constructor(call: Caller, list: Lister) {
${single.map((operation) => `this.${operation.name[0]} = ${implementation(operation)}\n`).join("")}${groups.map(([name, members]) => assignment(name, members)).join("")}}
}
`
  ].join("\n")
}

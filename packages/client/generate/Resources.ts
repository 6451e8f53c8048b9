/**
 * Generates resources.generated.ts and session.generated.ts: an interface and a function for each resource, and a class
 * that contains all of them.
 */
import type { OpenAPIObject } from "openapi3-ts/oas31"
import { comment } from "./Comment.ts"
import { type Operation, pascal } from "./Operations.ts"
import { queryName } from "./Types.ts"

const modules = {
  "./Answer.ts": ["type Call"],
  "./Live.ts": ["followerOf", "type LiveOptions", "type LiveTopic"],
  "./List.ts": ["type List", "type Lister", "type WholeList", "whole"],
  "./Options.ts": ["type CallOptions", "type KeyedCallOptions"],
  "./Requests.ts": ["type Caller", "path"]
}

/** Imports of the names that the text uses outside of its comments. */
const importsFor = (text: string): string => {
  const used = new Set(text.replace(/\/\*\*.*?\*\//gs, "").match(/\w+/g))
  const lines = Object.entries(modules).flatMap(([module, names]) => {
    const found = names.filter((name) => used.has(name.replace("type ", "")))
    const list = found.join(", ")
    if (found.length === 0) return []
    return found.every((name) => name.startsWith("type "))
      ? [`import type { ${list.replaceAll("type ", "")} } from "${module}"\n`]
      : [`import { ${list} } from "${module}"\n`]
  })
  return `${lines.join("")}import type * as Wire from "./types.generated.ts"\n`
}

/** Imports the API types as one namespace. */
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
  if (operation.events) {
    return `(topics?: ReadonlyArray<LiveTopic>, options?: LiveOptions) => AsyncIterable<${wire(operation.data)}>`
  }
  const given = argumentsOf(operation).map(({ name, type, required }) => `${name}${required ? "" : "?"}: ${type}`)
  const data = wire(operation.data)
  const answer = operation.whole ? `WholeList<${data}>` : `Call<${data}>`
  return `(${given.join(", ")}) => ${operation.item === undefined ? answer : `List<${wire(operation.item)}, ${data}>`}`
}

const member = (operation: Operation): string =>
  comment(operation.summary, operation.description, `\`${operation.method} ${operation.path}\``) +
  `readonly ${operation.name.at(-1)}: ${signature(operation)}\n`

const implementation = (operation: Operation): string => {
  if (operation.events) return "followerOf(call)"
  const names = argumentsOf(operation).map(({ name }) => name)
  const text = operation.path.replaceAll("{", "${")
  const path = operation.parameters.length === 0 ? JSON.stringify(text) : `path\`${text}\``
  if (operation.item !== undefined) {
    const given = operation.body ? "body" : operation.query.length > 0 ? "query" : "undefined"
    const method = operation.method === "GET" ? "" : `, "${operation.method}"`
    return `(${names.join(", ")}) => list(${path}, ${given}, options${method})`
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

const factory = (name: string): string => `${name}Of`

/** What the methods of a resource are made from. */
const makers = (operations: ReadonlyArray<Operation>) => [
  ...(operations.every(({ item }) => item !== undefined) ? [] : ["call"]),
  ...(operations.some(({ item }) => item !== undefined) ? ["list"] : [])
]

/** A function of its own for each resource, so that a bundle has only those that its entry names. */
const factoryText = (name: string, operations: ReadonlyArray<Operation>): string => {
  const parameters = makers(operations).map((maker) => `${maker}: ${maker === "call" ? "Caller" : "Lister"}`)
  const methods = operations.map((operation) => `${operation.name.at(-1)}: ${implementation(operation)}`)
  return `export const ${factory(name)} = (${parameters.join(", ")}): ${pascal(name)} => ({\n${methods.join(",\n")}\n})\n`
}

type Group = readonly [name: string, operations: ReadonlyArray<Operation>]

const groupsOf = (operations: ReadonlyArray<Operation>): ReadonlyArray<Group> =>
  Object.entries(Object.groupBy(operations, ({ name }) => (name.length === 1 ? "" : name[0]))).flatMap(
    ([name, members]): ReadonlyArray<Group> => (name === "" || members === undefined ? [] : [[name, members]])
  )

const descriptionsOf =
  ({ tags }: OpenAPIObject) =>
  (name: string) =>
    tags?.find((tag) => tag.name === name)?.description

const field = (name: string, description: string | undefined): string =>
  `${comment(description)}readonly ${name}: ${pascal(name)}\n`

const assignment = ([name, operations]: Group): string =>
  `this.${name} = ${factory(name)}(${makers(operations).join(", ")})\n`

const definitions = (groups: ReadonlyArray<Group>, descriptionOf: (name: string) => string | undefined) =>
  groups.flatMap(([name, members]) => [resource(name, members, descriptionOf(name)), factoryText(name, members)])

/** Whether operations beside this one take a key. The methods of a resource stay together. */
const sharesGroup = (all: ReadonlyArray<Operation>, [group, method]: Operation["name"]): boolean =>
  method !== undefined && all.some(({ takesKey, name }) => takesKey && name.length > 1 && name[0] === group)

/** The resources of a key, and the class that holds them. */
export const resourcesText = (document: OpenAPIObject, all: ReadonlyArray<Operation>): string => {
  const operations = all.filter(({ takesKey, name }) => takesKey || sharesGroup(all, name))
  const single = operations.filter(({ name }) => name.length === 1)
  const groups = groupsOf(operations)
  const descriptionOf = descriptionsOf(document)
  const text = [
    ...definitions(groups, descriptionOf),
    `/** Every operation of the service that takes a key, as a method. */
export class Resources {
${single.map(member).join("")}${groups.map(([name]) => field(name, descriptionOf(name))).join("")}
constructor(call: Caller, list: Lister) {
${single.map((operation) => `this.${operation.name[0]} = ${implementation(operation)}\n`).join("")}${groups.map(assignment).join("")}}
}
`
  ].join("\n")
  return `${importsFor(text)}\n${text}`
}

/** The resources of a session: those that keys share with it, by import, and its own. */
export const sessionResourcesText = (document: OpenAPIObject, all: ReadonlyArray<Operation>): string => {
  const operations = all.filter(({ takesSession }) => takesSession)
  const single = operations.filter(({ name }) => name.length === 1)
  const groups = groupsOf(operations)
  const isShared = ([, operations]: Group) => operations.some(({ takesKey }) => takesKey)
  const descriptionOf = descriptionsOf(document)
  const shared = groups.filter(isShared)
  const text = [
    `import { ${shared.map(([name]) => `type ${pascal(name)}, ${factory(name)}`).join(", ")} } from "./resources.generated.ts"\n`,
    ...definitions(
      groups.filter((group) => !isShared(group)),
      descriptionOf
    ),
    `/** Every operation of the service that a user of the dashboard can call, as a method. */
export class SessionResources {
${single.map(member).join("")}${groups.map(([name]) => field(name, descriptionOf(name))).join("")}
constructor(call: Caller, list: Lister) {
${single.map((operation) => `this.${operation.name[0]} = ${implementation(operation)}\n`).join("")}${groups.map(assignment).join("")}}
}
`
  ].join("\n")
  return `${importsFor(text)}${text}`
}

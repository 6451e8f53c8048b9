/** Samples that call an operation: with curl, in TypeScript and on the command line. */

import { ids, valuesOf } from "@posthorn/contract/service/examples/Ids"
import { type RequestExample, requestExamples } from "@posthorn/contract/service/examples/RequestExamples"
import { get, nameOf } from "@posthorn/contract/service/examples/SchemaParts"
import { type Endpoint, type OpenApiDocument, resolve } from "../document/OpenApiDocument.ts"
import { commandSamples } from "./CommandSamples.ts"

export interface Samples {
  readonly curl: string
  readonly typescript: string
  readonly cli: string
}

/** A request with its parameters filled in. */
export interface Filled extends RequestExample {
  readonly path: string
  /** The values of the parameters in the path, in their order. */
  readonly values: ReadonlyArray<string>
}

type Credential = "publicKey" | "secretKey" | "session" | undefined

export const credentialOf = ({ operation: { security = [] } }: Endpoint): Credential => {
  const takes = (name: string) => security.some((scheme) => name in scheme)
  return (["secretKey", "publicKey", "session"] as const).find(takes)
}

/** The request that the reference shows. Throws for a parameter of a path without a value in `Ids.ts`. */
export const exampleOf = ({ path, operation: { operationId } }: Endpoint): Filled => {
  const values = valuesOf(path).map(({ prefix, value }) => {
    if (value === undefined) throw new Error(`Ids.ts has no value for the parameter after ${prefix}/.`)
    return value
  })
  return fill(path, values, requestExamples[operationId])
}

export const fill = (path: string, values: ReadonlyArray<string>, example: RequestExample = {}): Filled => {
  const left = [...values]
  return { ...example, values, path: path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? "")) }
}

const queryText = ({ query }: Filled): string => {
  const text = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)])).toString()
  return text === "" ? "" : `?${text}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlCredentials: { readonly [name in NonNullable<Credential>]: string } = {
  secretKey: '-H "Authorization: Bearer $POSTHORN_KEY"',
  publicKey: '-H "Authorization: Bearer $POSTHORN_PUBLIC_KEY"',
  session: '--cookie "$POSTHORN_SESSION"'
}

/** Whether a session must name the project, as beside no key. */
const namesProject = (endpoint: Endpoint): boolean =>
  credentialOf(endpoint) === "session" &&
  (endpoint.operation.parameters ?? []).some((one) => "$ref" in one && one.$ref.endsWith("/X-Project-Id"))

/** Whether the answer is a stream of server-sent events. */
export const isEvents = ({ operation: { responses } }: Endpoint): boolean =>
  get(get(responses["200"], "content"), "text/event-stream") !== undefined

export const curlOf = (endpoint: Endpoint, example = exampleOf(endpoint)): string => {
  const credential = credentialOf(endpoint)
  // Without -N, curl collects the events before it shows them.
  const method = endpoint.method === "GET" ? (isEvents(endpoint) ? "-N " : "") : `-X ${endpoint.method} `
  const { body, file, headers = {} } = example
  return [
    `curl ${method}"$POSTHORN_URL${example.path}${queryText(example)}"`,
    ...(credential === undefined ? [] : [curlCredentials[credential]]),
    ...(namesProject(endpoint) ? ['-H "X-Project-Id: $POSTHORN_PROJECT"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(file === undefined ? [] : [`-F ${quoted(`${file.field}=@${file.name};type=${file.type}`)}`]),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`])
  ].join(" \\\n  ")
}

const widest = 60

/** A value as TypeScript source, with short lists and objects on one line. */
const literal = (value: unknown, indent = ""): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  const inner = `${indent}  `
  const name = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key))
  const members = (at: string) =>
    Array.isArray(value)
      ? value.map((each) => literal(each, at))
      : Object.entries(value).map(([key, each]) => `${name(key)}: ${literal(each, at)}`)
  const [open, close, space] = Array.isArray(value) ? ["[", "]", ""] : ["{", "}", " "]
  const flat = members(indent)
  if (flat.length === 0) return `${open}${close}`
  const line = `${open}${space}${flat.join(", ")}${space}${close}`
  if (line.length + indent.length <= widest && !line.includes("\n")) return line
  return `${open}\n${members(inner)
    .map((member) => inner + member)
    .join(",\n")}\n${indent}${close}`
}

const client = (option: string, variable: string) => `import { Posthorn } from "@posthorn/client"

const posthorn = new Posthorn({
  baseUrl: process.env.POSTHORN_URL,
  ${option}: process.env.${variable}
})
`

/** Whether the client returns the response as a list with pages. */
const isList = ({ operation: { responses } }: Endpoint, { components }: OpenApiDocument): boolean => {
  const content = resolve(responses["200"] ?? { $ref: "" }, components.responses)?.content
  const reference = get(content?.["application/json"]?.schema, "$ref")
  const schema = typeof reference === "string" ? components.schemas[nameOf(reference)] : undefined
  const properties = get(schema, "properties")
  const isPage =
    get(properties, "data") !== undefined &&
    (get(properties, "hasMore") !== undefined || get(properties, "totalPages") !== undefined)
  return isPage
}

const isEmpty = ({ operation: { responses } }: Endpoint): boolean =>
  Object.keys(responses).some((status) => status === "204")

const withClient = (
  endpoint: Endpoint,
  document: OpenApiDocument,
  example: Filled,
  credential: "publicKey" | "secretKey"
): string => {
  const { body, file, query, values } = example
  const input = file === undefined ? body : undefined
  const given = [
    ...values.map((value) => JSON.stringify(value)),
    ...(file === undefined ? [] : [`{ ${file.field}: await openAsBlob("${file.name}", { type: "${file.type}" }) }`]),
    ...(input === undefined ? [] : [literal(input)]),
    ...(query === undefined ? [] : [literal(isEvents(endpoint) ? String(query["topics"]).split(",") : query)])
  ]
  const call = `posthorn.${endpoint.operation.operationId}(${given.join(", ")})`
  const start =
    credential === "publicKey" ? client("publicKey", "POSTHORN_PUBLIC_KEY") : client("secretKey", "POSTHORN_KEY")
  const imports = file === undefined ? "" : `import { openAsBlob } from "node:fs"\n`
  const use = isEvents(endpoint)
    ? `for await (const { event, data } of ${call}) console.log(event, data)`
    : isList(endpoint, document)
      ? `for await (const item of ${call}) console.log(item)`
      : `const { data, error } = await ${call}`
  return `${imports}${start}\n${use}`
}

const withFetch = (endpoint: Endpoint, example: Filled, credential: Credential): string => {
  const headers = [
    ...(credential === "session" ? [`cookie: process.env.POSTHORN_SESSION ?? ""`] : []),
    ...(namesProject(endpoint) ? [`"x-project-id": process.env.POSTHORN_PROJECT ?? ""`] : []),
    ...Object.entries(example.headers ?? {}).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`),
    ...(example.body === undefined ? [] : [`"content-type": "application/json"`])
  ]
  const options = [
    ...(endpoint.method === "GET" ? [] : [`method: "${endpoint.method}"`]),
    ...(headers.length === 0
      ? []
      : [
          headers.length < 3 ? `headers: { ${headers.join(", ")} }` : `headers: {\n    ${headers.join(",\n    ")}\n  }`
        ]),
    ...(example.body === undefined ? [] : [`body: JSON.stringify(${literal(example.body, "  ")})`])
  ]
  const url = `\`\${process.env.POSTHORN_URL}${example.path}${queryText(example)}\``
  const given = options.length === 0 ? url : `${url}, {\n  ${options.join(",\n  ")}\n}`
  const last = isEmpty(endpoint) ? "console.log(response.ok)" : "const answer = await response.json()"
  return `const response = await fetch(${given})\n${last}`
}

export const typescriptOf = (endpoint: Endpoint, document: OpenApiDocument, example = exampleOf(endpoint)): string => {
  const credential = credentialOf(endpoint)
  return credential === "secretKey" || credential === "publicKey"
    ? withClient(endpoint, document, example, credential)
    : withFetch(endpoint, example, credential)
}

export const cliOf = (endpoint: Endpoint, example = exampleOf(endpoint)): string => {
  const command = commandSamples[endpoint.operation.operationId]
  if (command !== undefined) {
    return `posthorn ${command.replaceAll(/\{([a-zA-Z]+)\}/g, (found, name: string) => ids[name] ?? found)}`
  }
  const address = `${example.path}${queryText(example)}`
  const { body, file, headers = {} } = example
  const login = credentialOf(endpoint) === "session" ? " --login" : ""
  const line = `posthorn api ${endpoint.method} ${/[?&]/.test(address) ? quoted(address) : address}${login}`
  if (file !== undefined) return `${line} --form ${file.field}=@${file.name}`
  const more = Object.entries(headers).map(([name, value]) => ` \\\n  --headers ${quoted(`${name}=${value}`)}`)
  return body === undefined ? line : `${line}${more.join("")} \\\n  --data ${quoted(JSON.stringify(body))}`
}

export const samplesOf = (endpoint: Endpoint, document: OpenApiDocument): Samples => {
  const example = exampleOf(endpoint)
  return {
    curl: curlOf(endpoint, example),
    typescript: typescriptOf(endpoint, document, example),
    cli: cliOf(endpoint, example)
  }
}

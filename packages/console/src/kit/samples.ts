/** A call of the API as code. The key stands as `$POSTHORN_KEY`, never as itself. */
import { type OperationId, operations } from "@posthorn/client/session"

export interface CodeCall {
  readonly operation: OperationId
  /** Parameters of the path, in their order. */
  readonly path?: ReadonlyArray<string>
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
}

const filled = (path: string, parameters: ReadonlyArray<string>) => {
  let index = 0
  return path.replace(/\{[^}]+\}/g, (found) => encodeURIComponent(parameters[index++] ?? found))
}

const given = (query: NonNullable<CodeCall["query"]>) =>
  Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "")

const queryText = (query: CodeCall["query"] = {}) => {
  const pairs = given(query)
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}

/** A text within single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export const curlSample = (call: CodeCall, origin: string): string => {
  const { method, path } = operations[call.operation]
  const url = `${origin}${filled(path, call.path ?? [])}${queryText(call.query)}`
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(url)}`,
    '  -H "Authorization: Bearer $POSTHORN_KEY"'
  ]
  if (call.body !== undefined) {
    lines.push("  -H 'Content-Type: application/json'", `  -d ${quoted(JSON.stringify(call.body, null, 2))}`)
  }
  return lines.join(" \\\n")
}

/** Operations whose method of the client returns a list with pages. */
const isPaged = /\.(?:list|audit|query)$/

const literal = (value: unknown) => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:")

export const clientSample = (call: CodeCall, origin: string): string => {
  const parameters = [
    ...(call.path ?? []).map((parameter) => JSON.stringify(parameter)),
    ...(call.query === undefined || given(call.query).length === 0
      ? []
      : [literal(Object.fromEntries(given(call.query)))]),
    ...(call.body === undefined ? [] : [literal(call.body)])
  ]
  return `import { Posthorn } from "@posthorn/client"

const posthorn = new Posthorn({ baseUrl: ${JSON.stringify(origin)}, secretKey: process.env.POSTHORN_KEY })
const { data, error } = await posthorn.${call.operation}(${parameters.join(", ")})${isPaged.test(call.operation) ? ".page()" : ""}`
}

/** `posthorn api` calls every endpoint, also those without a command of their own. It takes the key from the variable. */
export const commandSample = (call: CodeCall, origin: string): string => {
  const { method, path } = operations[call.operation]
  const target = `${filled(path, call.path ?? [])}${queryText(call.query)}`
  const lines = [`posthorn api ${method} ${quoted(target)}`, `  --url ${quoted(origin)}`]
  if (call.body !== undefined) lines.push(`  --data ${quoted(JSON.stringify(call.body))}`)
  return lines.join(" \\\n")
}

/** Calls of tools as requests to the server. */
import { answered, type Fault, type Result, refused } from "./Results.ts"
import { confirmation, own, type Tool } from "./Tools.ts"

export interface ServerRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface ServerAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request with the key of the caller, through the same checks as every request. */
export type Send = (request: ServerRequest) => Promise<ServerAnswer>

type Arguments = { readonly [name: string]: unknown }

const invalid = (message: string): Fault => ({ code: "INVALID_ARGUMENT", message })

const unconfirmed = ({ definition, path }: Tool): Fault => ({
  code: "CONFIRMATION_REQUIRED",
  message: `${definition.title}: this cannot be undone, so nothing was done.`,
  suggestion: `Ask the person first. Then call ${definition.name} again with \`${own.confirm}\` equal to ${path.length === 0 ? `"${definition.name}"` : `\`${path.at(-1)}\``}.`
})

/** The value of a parameter in a URL; undefined for one that is absent or none. */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined

const ownNames: ReadonlySet<string> = new Set(Object.values(own))

const requestOf = (tool: Tool, args: Arguments): ServerRequest | Fault => {
  const { endpoint, path, query, body, definition } = tool
  let target = endpoint.path
  for (const name of path) {
    const value = textOf(args[name])
    if (value === undefined || value === "") return invalid(`The argument \`${name}\` is missing.`)
    // A URL would step out of its folder, to another operation.
    if (value === "." || value === "..") return invalid(`The argument \`${name}\` must be an id or a name.`)
    target = target.replace(`{${name}}`, encodeURIComponent(value))
  }
  const search = new URLSearchParams()
  for (const name of query) {
    if (args[name] === undefined) continue
    const value = textOf(args[name])
    if (value === undefined) return invalid(`The argument \`${name}\` must be a text, a number or a boolean.`)
    search.set(name, value)
  }
  const rest = Object.entries(args).filter(
    ([name]) => !path.includes(name) && !query.includes(name) && !ownNames.has(name)
  )
  const [odd] = rest.find(([name]) => body === "none" || (body === "argument" && name !== "body")) ?? []
  if (odd !== undefined) {
    const known = Object.keys(definition.inputSchema.properties).join(", ")
    return invalid(`${definition.name} has no argument \`${odd}\`. It takes ${known === "" ? "none" : known}.`)
  }
  const sent = body === "argument" ? args["body"] : Object.fromEntries(rest)
  const key = args[own.key]
  if (key !== undefined && (typeof key !== "string" || !/^[\x20-\x7e]{1,255}$/.test(key))) {
    return invalid(`\`${own.key}\` must have 1 to 255 printable ASCII characters.`)
  }
  return {
    method: endpoint.method,
    path: `${target}${search.size === 0 ? "" : `?${search}`}`,
    headers: {
      accept: "application/json",
      ...(body !== "none" && { "content-type": "application/json", prefer: "handling=strict" }),
      ...(typeof key === "string" && { "idempotency-key": key })
    },
    body: body === "none" ? undefined : JSON.stringify(sent)
  }
}

export const call = async (tool: Tool, args: Arguments, send: Send): Promise<Result> => {
  if (tool.kind === "destroys") {
    const expected = confirmation(tool, args)
    if (expected === undefined || args[own.confirm] !== expected) return refused(unconfirmed(tool))
  }
  const offset = args[own.offset] ?? 0
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) {
    return refused(invalid(`\`${own.offset}\` must be a whole number from 0.`))
  }
  const request = requestOf(tool, args)
  if ("code" in request) return refused(request)
  const { status, text } = await send(request)
  return answered(tool, status, text, offset)
}

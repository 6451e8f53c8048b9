/** The documentation of the server as resources, and as a tool for clients whose models read none. */
import type { Send } from "./Calls.ts"
import { partOf, type Result, refused } from "./Results.ts"
import { type Definition, offsetSchema, own } from "./Tools.ts"

const scheme = "posthorn://"

/** Characters of one resource. Longer ones are read in parts. */
export const longestResource = 100_000

const read = (send: Send, path: string) => send({ method: "GET", path, headers: { accept: "text/markdown" } })

interface Page {
  readonly [key: string]: unknown
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
}

const index: Page = {
  uri: `${scheme}llms.txt`,
  name: "Index",
  description: "All pages of the documentation, and every endpoint on one line.",
  mimeType: "text/plain"
}

/** Lines of the index that name a page. */
const entry = /^-? ?\[([^\]]+)\]\((\/docs\/[\w/-]+\.md)\): (.*)$/gm

export const pages = async (send: Send): Promise<ReadonlyArray<Page>> => {
  const { status, text } = await read(send, "/llms.txt")
  if (status !== 200) return [index]
  const found = [...text.matchAll(entry)].map(
    ([, name = "", path = "", description = ""]): Page => ({
      uri: `${scheme}${path.slice(1)}`,
      name,
      description,
      mimeType: "text/markdown"
    })
  )
  return [index, ...found]
}

/** The text of a resource; undefined if there is none at this address. */
export const page = async (send: Send, uri: string) => {
  const [, path, offset = "0"] =
    /^posthorn:\/\/(llms\.txt|docs\/[\w/-]{1,100}\.md)(?:\?offset=(\d{1,9}))?$/.exec(uri) ?? []
  if (path === undefined) return undefined
  const { status, text } = await read(send, `/${path}`)
  if (status !== 200) return undefined
  const from = Number(offset)
  const end = Math.min(text.length, from + longestResource)
  const note = end < text.length ? `\n\n(${text.length - end} more characters: ${scheme}${path}?offset=${end})\n` : ""
  return { uri, mimeType: path === "llms.txt" ? "text/plain" : "text/markdown", text: text.slice(from, end) + note }
}

export const docsTool: Definition = {
  name: "docs",
  title: "Read the documentation",
  description:
    "A page of the documentation of this server as Markdown. Without `page`: the index of all pages and endpoints.",
  inputSchema: {
    type: "object",
    properties: {
      page: {
        type: "string",
        pattern: "^[\\w/-]{1,100}$",
        description: "`guides/sending`, `guides/glossary`, `contacts`, `errors`, `schemas` and the like."
      },
      [own.offset]: offsetSchema
    },
    required: [],
    additionalProperties: false
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
}

export const docs = async (send: Send, args: { readonly [name: string]: unknown }): Promise<Result> => {
  const name = args["page"]
  const offset = Number(args[own.offset] ?? 0)
  const path = name === undefined ? "/llms.txt" : `/docs/${name}.md`
  if (!/^\/(?:llms\.txt|docs\/[\w/-]{1,100}\.md)$/.test(path) || !Number.isSafeInteger(offset) || offset < 0) {
    return refused({ code: "INVALID_ARGUMENT", message: "`page` is a name such as guides/sending, without an ending." })
  }
  const { status, text } = await read(send, path)
  if (status !== 200) {
    return refused({
      code: "RESOURCE_NOT_FOUND",
      message: `There is no page ${String(name)}.`,
      suggestion: "Call `docs` without `page` for the names of all pages."
    })
  }
  return partOf(text, offset, (next) => `Call again with \`${own.offset}: ${next}\`.`)
}

/** Results of tools, within a bound. What is cut says how to get the rest. */
import { Predicate } from "effect"
import { own, type Tool } from "./Tools.ts"

/** Characters of a result with its notes. */
export const longestResult = 24_000

/** Room for the note of a cut result. */
const longestNote = 400

export interface Result {
  readonly [key: string]: unknown
  readonly content: Array<{ readonly type: "text"; readonly text: string }>
  readonly isError?: boolean
}

const result = (...texts: ReadonlyArray<string>): Result => ({
  content: texts.map((text) => ({ type: "text", text }))
})

export interface Fault {
  readonly code: string
  readonly message: string
  readonly suggestion?: string | undefined
}

/** A refusal with its code and its sentence, which the model can act upon. */
export const refused = (fault: Fault): Result => ({ ...result(JSON.stringify({ error: fault })), isError: true })

/** The end of a part that does not halve a character. */
const endOf = (text: string, end: number): number => {
  const code = text.charCodeAt(end - 1)
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

/** A part of a text from a character on. `more` says how to read on. */
export const partOf = (text: string, offset: number, more: (next: number) => string): Result => {
  if (offset === 0 && text.length <= longestResult) return result(text)
  if (offset >= text.length) return result("", `There is nothing from character ${offset} on: it has ${text.length}.`)
  const end = endOf(text, Math.min(text.length, offset + longestResult - longestNote))
  const note = `These are characters ${offset} to ${end} of ${text.length}.`
  return result(text.slice(offset, end), end === text.length ? note : `${note} ${more(end)}`)
}

/** The argument that says how many items a page has. */
const sizeArgument = ({ query }: Tool): string | undefined => ["limit", "pageSize"].find((name) => query.includes(name))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first items of a page that fit. Its cursor is left out, because it would skip the others. */
const shorterPage = (tool: Tool, text: string): Result | undefined => {
  const size = sizeArgument(tool)
  const page = parsed(text)
  const items = Predicate.isObject(page) ? (page as { readonly [key: string]: unknown })["data"] : undefined
  if (size === undefined || !Predicate.isObject(page) || !Array.isArray(items)) return undefined
  const { cursor: _, data: __, ...rest } = page as { readonly [key: string]: unknown }
  let room = longestResult - longestNote - JSON.stringify({ ...rest, data: [] }).length
  const fitting = items.findIndex((item) => {
    room -= JSON.stringify(item).length + 1
    return room < 0
  })
  if (fitting <= 0) return undefined
  const note =
    `Only the first ${fitting} of the ${items.length} items of this page are here. To get the others, call again with ` +
    `\`${size}: ${fitting}\`${size === "limit" ? " and follow `cursor`" : " and count `page` with this size"}.`
  return result(JSON.stringify({ ...rest, data: items.slice(0, fitting) }), note)
}

const readOn = (next: number) => `Call again with the same arguments and \`${own.offset}: ${next}\`.`
const cannotReadOn = () => "Read the rest with a tool that reads."

/** The answer of the server to the call of a tool. */
export const answered = (tool: Tool, status: number, text: string, offset: number): Result => {
  if (status >= 400) {
    const { content } = partOf(text === "" ? `{"error":{"statusCode":${status}}}` : text, 0, cannotReadOn)
    return { content, isError: true }
  }
  if (text === "") return result("Done.")
  const isLong = offset === 0 && text.length > longestResult
  return (
    (isLong ? shorterPage(tool, text) : undefined) ??
    partOf(text, offset, tool.kind === "reads" ? readOn : cannotReadOn)
  )
}

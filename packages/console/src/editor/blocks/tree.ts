/**
 * MJML as a tree of blocks with their positions in the source. The source stays the one stored form: an edit replaces
 * the letters of one block, and all others stay as they are.
 */
import { Parser } from "htmlparser2"
import { helperOf, masked } from "./placeholders.ts"

export interface Attribute {
  readonly name: string
  /** As it stands in the source, without quotes. */
  readonly value: string
  readonly start: number
  readonly end: number
}

export interface Block {
  /** The name of the element; `#if`, `#unless` or `#each` for a pair of Handlebars tags around other blocks. */
  readonly tag: string
  readonly attributes: ReadonlyArray<Attribute>
  /** From `<` of the opening tag to `>` of the closing one. */
  readonly start: number
  readonly end: number
  /** Between the tags. Both are the end of a tag that closes itself. */
  readonly innerStart: number
  readonly innerEnd: number
  readonly children: ReadonlyArray<Block>
  /** Of a pair of Handlebars tags: the element with the first of them. */
  readonly opening?: Block
}

export interface Tree {
  readonly source: string
  /** The blocks that stand at the top: `mjml`, if the source is whole. */
  readonly blocks: ReadonlyArray<Block>
}

/** Elements that hold other blocks. The content of all others is text of their own. */
const containers: ReadonlySet<string> = new Set([
  "mjml",
  "mj-body",
  "mj-wrapper",
  "mj-section",
  "mj-group",
  "mj-column",
  "mj-social"
])

/** Whether it is a pair of Handlebars tags around other blocks. */
export const isPair = (tag: string): boolean => tag.startsWith("#")

export const isContainer = (tag: string): boolean => containers.has(tag) || isPair(tag)

type Open = { -readonly [K in keyof Block]: K extends "children" ? Array<Block> : Block[K] }

const isSpace = (letter: string | undefined) =>
  letter === " " || letter === "\n" || letter === "\t" || letter === "\r" || letter === "\f"

/**
 * The attributes of an opening tag that have a value, with positions from `start` on. Time grows with the length of the
 * tag only, whatever stands in it.
 */
export const attributesOf = (tag: string, start: number): ReadonlyArray<Attribute> => {
  const found: Array<Attribute> = []
  const skip = (from: number, isSkipped: (letter: string) => boolean): number => {
    let at = from
    while (at < tag.length && isSkipped(tag[at] ?? "")) at++
    return at
  }
  const isNoName = (letter: string) =>
    isSpace(letter) || letter === "/" || letter === ">" || letter === '"' || letter === "'"
  let at = skip(1, (letter) => !isSpace(letter) && letter !== "/" && letter !== ">")
  while (at < tag.length) {
    at = skip(at, (letter) => isNoName(letter) || letter === "=")
    const nameEnd = skip(at, (letter) => !isNoName(letter) && letter !== "=")
    const equals = skip(nameEnd, isSpace)
    if (tag[equals] !== "=") {
      at = Math.max(equals, at + 1)
      continue
    }
    const from = skip(equals + 1, isSpace)
    const quote = tag[from]
    const isQuoted = quote === '"' || quote === "'"
    const closing = isQuoted ? tag.indexOf(quote, from + 1) : -1
    const to = isQuoted ? closing : skip(from, (letter) => !isSpace(letter) && letter !== ">")
    if (to === -1) return found
    found.push({
      name: tag.slice(at, nameEnd),
      value: tag.slice(isQuoted ? from + 1 : from, to),
      start: start + at,
      end: start + (isQuoted ? to + 1 : to)
    })
    at = isQuoted ? to + 1 : to
  }
  return found
}

/** Puts the blocks between two Handlebars tags that belong together into one block. Linear. */
const paired = (source: string, children: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const levels: Array<Array<Block>> = [[]]
  const open: Array<{ readonly block: Block; readonly name: string }> = []
  for (const block of children) {
    const helper = block.tag === "mj-raw" ? helperOf(source.slice(block.innerStart, block.innerEnd)) : null
    const last = open.at(-1)
    if (helper?.kind === "open") {
      open.push({ block, name: helper.name })
      levels.push([])
    } else if (helper?.kind === "close" && last?.name === helper.name) {
      open.pop()
      const inner = levels.pop() ?? []
      levels.at(-1)?.push({
        tag: `#${last.name}`,
        attributes: [],
        start: last.block.start,
        end: block.end,
        innerStart: last.block.end,
        innerEnd: block.start,
        children: inner,
        opening: last.block
      })
    } else levels.at(-1)?.push(block)
  }
  // What is not closed stays code.
  while (open.length > 0) {
    const inner = levels.pop() ?? []
    const last = open.pop()
    if (last !== undefined) levels.at(-1)?.push(last.block)
    for (const block of inner) levels.at(-1)?.push(block)
  }
  return levels[0] ?? []
}

/** Elements within elements. The parser looks through those that are open, so their number bounds its time. */
export const deepest = 500

/**
 * The tree of a source; null if a tag is not closed, because its blocks would then be a guess, or if it is nested too
 * deep. `isHolder` says which elements hold blocks.
 */
export const treeOf = (source: string, isHolder = isContainer): Tree | null => {
  const letters = masked(source)
  const top: Array<Block> = []
  const stack: Array<Open> = []
  let isWhole = true
  /** Elements of the same name inside a block that holds text. */
  let depth = 0
  let open = 0

  const parser = new Parser(
    {
      onopentag: (name) => {
        if (++open > deepest) {
          isWhole = false
          return parser.pause()
        }
        const parent = stack.at(-1)
        if (parent !== undefined && !isHolder(parent.tag)) {
          if (name === parent.tag) depth++
          return
        }
        const { startIndex, endIndex } = parser
        const end = endIndex + 1
        const attributes = attributesOf(letters.slice(startIndex, end), startIndex).map((attribute) => ({
          ...attribute,
          value: valueIn(source, attribute)
        }))
        stack.push({ tag: name, attributes, start: startIndex, end, innerStart: end, innerEnd: end, children: [] })
        depth = 0
      },
      onclosetag: (name, isImplied) => {
        open--
        const block = stack.at(-1)
        if (block === undefined) return
        if (name !== block.tag) {
          if (isHolder(block.tag)) isWhole = false
          return
        }
        if (!isHolder(block.tag) && depth > 0) {
          depth--
          return
        }
        stack.pop()
        const isSelfClosed = parser.endIndex + 1 === block.end
        if (isImplied && !isSelfClosed) isWhole = false
        if (!isSelfClosed) {
          block.innerEnd = parser.startIndex
          block.end = parser.endIndex + 1
        }
        const parent = stack.at(-1)
        ;(parent?.children ?? top).push({ ...block, children: paired(source, block.children) })
      }
    },
    { xmlMode: true, decodeEntities: false }
  )
  parser.write(letters)
  if (!isWhole) return null
  parser.end()
  return isWhole && stack.length === 0 ? { source, blocks: paired(source, top) } : null
}

const valueIn = (source: string, { start, end }: Attribute): string => {
  const text = source.slice(start, end)
  const value = text.slice(text.indexOf("=") + 1).trimStart()
  return value.startsWith('"') || value.startsWith("'") ? value.slice(1, -1) : value
}

/** The source, put together from the slices of the blocks and of what stands between them. */
export const print = ({ source, blocks }: Tree): string => {
  const within = (children: ReadonlyArray<Block>, start: number, end: number): string => {
    let at = start
    let text = ""
    for (const block of children) {
      text += source.slice(at, block.start) + source.slice(block.start, block.innerStart)
      text += within(block.children, block.innerStart, block.innerEnd) + source.slice(block.innerEnd, block.end)
      at = block.end
    }
    return text + source.slice(at, end)
  }
  return within(blocks, 0, source.length)
}

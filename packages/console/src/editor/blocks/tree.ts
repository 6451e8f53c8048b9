/**
 * MJML as a tree of blocks with their positions in the source. The source stays the one stored form: an edit replaces
 * the letters of one block, and all others stay as they are.
 */
import { Parser } from "htmlparser2"
import { masked } from "./placeholders.ts"

export interface Attribute {
  readonly name: string
  /** As it stands in the source, without quotes. */
  readonly value: string
  readonly start: number
  readonly end: number
}

export interface Block {
  readonly tag: string
  readonly attributes: ReadonlyArray<Attribute>
  /** From `<` of the opening tag to `>` of the closing one. */
  readonly start: number
  readonly end: number
  /** Between the tags. Both are the end of a tag that closes itself. */
  readonly innerStart: number
  readonly innerEnd: number
  readonly children: ReadonlyArray<Block>
}

export interface Tree {
  readonly source: string
  /** The blocks that stand at the top: `mjml`, if the source is whole. */
  readonly blocks: ReadonlyArray<Block>
}

/** Elements that hold other blocks. The content of all others is text of their own. */
const containers = new Set(["mjml", "mj-body", "mj-wrapper", "mj-section", "mj-group", "mj-column"])

export const isContainer = (tag: string): boolean => containers.has(tag)

type Open = { -readonly [K in keyof Block]: K extends "children" ? Array<Block> : Block[K] }

const attributesOf = (tag: string, start: number): ReadonlyArray<Attribute> => {
  const opened = /^<[^\s/>]+/.exec(tag)?.[0].length ?? 0
  return [...tag.slice(opened).matchAll(/([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/g)].map((found) => {
    const value = found[2] ?? ""
    const isQuoted = value.startsWith('"') || value.startsWith("'")
    return {
      name: found[1] ?? "",
      value: isQuoted ? value.slice(1, -1) : value,
      start: start + opened + found.index,
      end: start + opened + found.index + found[0].length
    }
  })
}

/** The tree of a source; null if a tag is not closed, because its blocks would then be a guess. */
export const treeOf = (source: string): Tree | null => {
  const letters = masked(source)
  const top: Array<Block> = []
  const stack: Array<Open> = []
  let isWhole = true
  /** Elements of the same name inside a block that holds text. */
  let depth = 0

  const parser = new Parser(
    {
      onopentag: (name) => {
        const parent = stack.at(-1)
        if (parent !== undefined && !isContainer(parent.tag)) {
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
        const open = stack.at(-1)
        if (open === undefined) return
        if (name !== open.tag) {
          if (isContainer(open.tag)) isWhole = false
          return
        }
        if (!isContainer(open.tag) && depth > 0) {
          depth--
          return
        }
        stack.pop()
        const isSelfClosed = parser.endIndex + 1 === open.end
        if (isImplied && !isSelfClosed) isWhole = false
        if (!isSelfClosed) {
          open.innerEnd = parser.startIndex
          open.end = parser.endIndex + 1
        }
        const parent = stack.at(-1)
        ;(parent?.children ?? top).push(open)
      }
    },
    { xmlMode: true, decodeEntities: false }
  )
  parser.write(letters)
  parser.end()
  return isWhole && stack.length === 0 ? { source, blocks: top } : null
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

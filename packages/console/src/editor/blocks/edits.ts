/** Edits of one block. Each gives the whole new source, in which only the letters of that block differ. */
import { outside } from "./placeholders.ts"
import { type Block, isContainer } from "./tree.ts"

export interface Edit {
  readonly source: string
  /** Where the block that the edit was about starts now. */
  readonly at: number
}

const replaced = (source: string, start: number, end: number, text: string): string =>
  source.slice(0, start) + text + source.slice(end)

const entities: { readonly [letter: string]: string } = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" }
const letters: { readonly [entity: string]: string } = { amp: "&", quot: '"', lt: "<", gt: ">" }

export const encoded = (value: string) =>
  outside(value, (text) => text.replace(/[&"<>]/g, (found) => entities[found] ?? found))
export const decoded = (value: string) =>
  outside(value, (text) => text.replace(/&(amp|quot|lt|gt);/g, (_, name: string) => letters[name] ?? ""))

export const attributeOf = (block: Block, name: string): string =>
  decoded(block.attributes.find((attribute) => attribute.name === name)?.value ?? "")

/** An empty value removes the attribute, so that the theme decides. */
export const withAttribute = (source: string, block: Block, name: string, value: string): Edit => {
  const known = block.attributes.find((attribute) => attribute.name === name)
  const text = value === "" ? "" : `${name}="${encoded(value)}"`
  if (known !== undefined) {
    const start = text === "" && /\s/.test(source[known.start - 1] ?? "") ? known.start - 1 : known.start
    return { source: replaced(source, start, known.end, text), at: block.start }
  }
  if (text === "") return { source, at: block.start }
  const after = block.start + 1 + block.tag.length
  return { source: replaced(source, after, after, ` ${text}`), at: block.start }
}

export const contentOf = (source: string, block: Block): string => source.slice(block.innerStart, block.innerEnd)

export const withContent = (source: string, block: Block, content: string): Edit => {
  if (block.innerStart !== block.end) {
    return { source: replaced(source, block.innerStart, block.innerEnd, content), at: block.start }
  }
  // A tag that closes itself gets a closing tag.
  const opening = `${source.slice(block.start, block.end - 2).trimEnd()}>`
  return { source: replaced(source, block.start, block.end, `${opening}${content}</${block.tag}>`), at: block.start }
}

export const withSource = (source: string, block: Block, text: string): Edit => ({
  source: replaced(source, block.start, block.end, text),
  at: block.start
})

/** The block with the line break and the indent before it. */
const lineStart = (source: string, at: number): number => {
  let start = at
  while (source[start - 1] === " " || source[start - 1] === "\t") start--
  return source[start - 1] === "\n" ? start - 1 : at
}

export const without = (source: string, block: Block): Edit => {
  const start = lineStart(source, block.start)
  return { source: replaced(source, start, block.end, ""), at: start }
}

/** Changes places with the neighbour. What stands between both stays. */
export const swapped = (source: string, first: Block, second: Block, moved: Block): Edit => {
  const between = source.slice(first.end, second.start)
  const text = source.slice(second.start, second.end) + between + source.slice(first.start, first.end)
  return {
    source: replaced(source, first.start, second.end, text),
    at: moved === second ? first.start : second.end - (first.end - first.start)
  }
}

const indentOf = (source: string, at: number): string => {
  const start = source.lastIndexOf("\n", at - 1) + 1
  return /^[ \t]*/.exec(source.slice(start, at))?.[0] ?? ""
}

const indented = (text: string, indent: string) => text.split("\n").join(`\n${indent}`)

/** Lines of a new block get the indent of their place. Those of a block that was written before stay as they are. */
type Lines = "indented" | "kept"

const linesOf = (text: string, indent: string, lines: Lines) => (lines === "kept" ? text : indented(text, indent))

/** Puts a block after another one. */
export const addedAfter = (source: string, block: Block, text: string, lines: Lines = "indented"): Edit => {
  const indent = indentOf(source, block.start)
  return {
    source: replaced(source, block.end, block.end, `\n${indent}${linesOf(text, indent, lines)}`),
    at: block.end + 1 + indent.length
  }
}

/** Puts a block before another one. */
export const addedBefore = (source: string, block: Block, text: string, lines: Lines = "indented"): Edit => {
  const indent = indentOf(source, block.start)
  return {
    source: replaced(source, block.start, block.start, `${linesOf(text, indent, lines)}\n${indent}`),
    at: block.start
  }
}

/** Puts a block at the end of one that holds others. */
export const addedInto = (source: string, block: Block, text: string, lines: Lines = "indented"): Edit => {
  const last = block.children.at(-1)
  if (last !== undefined) return addedAfter(source, last, text, lines)
  const outer = indentOf(source, block.start)
  const indent = `${outer}  `
  // Letters that are no block stay.
  const known = contentOf(source, block)
  const inner = `${known.trim() === "" ? "" : known.trimEnd()}\n${indent}${linesOf(text, indent, lines)}\n${outer}`
  const edit = withContent(source, block, inner)
  const at =
    edit.source.indexOf(inner, block.start) + inner.length - outer.length - 1 - linesOf(text, indent, lines).length
  return isContainer(block.tag) ? { source: edit.source, at } : edit
}

export type DropPosition = "before" | "after" | "on"

/** Puts a block at another place, in the letters that it has. */
export const movedTo = (source: string, block: Block, target: Block, position: DropPosition): Edit | null => {
  if (target.start >= block.start && target.end <= block.end) return null
  const text = source.slice(block.start, block.end)
  const put = position === "before" ? addedBefore : position === "after" ? addedAfter : addedInto
  const taken = without(source, block)
  const length = source.length - taken.source.length
  const added = put(source, target, text, "kept")
  const place =
    position === "before"
      ? target.start
      : position === "after"
        ? target.end
        : (target.children.at(-1)?.end ?? target.innerStart)
  const isLater = place >= block.end
  const shift = isLater ? 0 : added.source.length - source.length
  const start = taken.at + shift
  return { source: replaced(added.source, start, start + length, ""), at: isLater ? added.at - length : added.at }
}

/** Wraps the blocks of one that holds others, or takes the wrapping away. */
export const wrapped = (source: string, first: Block, last: Block, tag: string): string =>
  `${source.slice(0, first.start)}<${tag}>${source.slice(first.start, last.end)}</${tag}>${source.slice(last.end)}`

export const unwrapped = (source: string, block: Block): string =>
  source.slice(0, block.start) + contentOf(source, block) + source.slice(block.end)

/** Shows a block under a condition only. */
export const inCondition = (source: string, block: Block, condition: string): Edit => {
  const indent = indentOf(source, block.start)
  const opening = `<mj-raw>{{#if ${condition}}}</mj-raw>\n${indent}`
  const text = `${opening}${source.slice(block.start, block.end)}\n${indent}<mj-raw>{{/if}}</mj-raw>`
  return { source: replaced(source, block.start, block.end, text), at: block.start }
}

/** Takes the pair of Handlebars tags around its blocks away. */
export const withoutCondition = (source: string, pair: Block): Edit => ({
  source: replaced(source, pair.start, pair.end, contentOf(source, pair).trim()),
  at: pair.start
})

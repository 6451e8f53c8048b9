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

const encoded = (value: string) =>
  outside(value, (text) => text.replace(/[&"<>]/g, (found) => entities[found] ?? found))
const decoded = (value: string) =>
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
  const opening = source.slice(block.start, block.end).replace(/\s*\/>$/, ">")
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

/** Puts a new block after another one. */
export const addedAfter = (source: string, block: Block, text: string): Edit => {
  const indent = indentOf(source, block.start)
  return {
    source: replaced(source, block.end, block.end, `\n${indent}${indented(text, indent)}`),
    at: block.end + 1 + indent.length
  }
}

/** Puts a new block at the end of one that holds others. */
export const addedInto = (source: string, block: Block, text: string): Edit => {
  const last = block.children.at(-1)
  if (last !== undefined) return addedAfter(source, last, text)
  const outer = indentOf(source, block.start)
  const indent = `${outer}  `
  const inner = `\n${indent}${indented(text, indent)}\n${outer}`
  const edit = withContent(source, block, inner)
  const start = edit.source.indexOf(inner, block.start)
  return isContainer(block.tag) ? { source: edit.source, at: start + 1 + indent.length } : edit
}

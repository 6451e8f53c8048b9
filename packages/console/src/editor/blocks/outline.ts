/** The blocks of a mail as a list, in the order of the source, and what can be done with each. */
import {
  addedAfter,
  addedInto,
  contentOf,
  type DropPosition,
  type Edit,
  movedTo,
  swapped,
  unwrapped,
  wrapped
} from "./edits.ts"
import {
  holdersOf,
  type Kind,
  kindOf,
  type NewBlock,
  newBlocks,
  newPiece,
  type Place,
  placeOf,
  placeOfNew
} from "./kinds.ts"
import { helperOf } from "./placeholders.ts"
import { type Block, isContainer, isPair, type Tree, treeOf } from "./tree.ts"

export interface Entry {
  readonly block: Block
  readonly kind: Kind
  readonly depth: number
  /** The blocks that hold it, the nearest first. */
  readonly parents: ReadonlyArray<Block>
  readonly before: Block | undefined
  readonly after: Block | undefined
  /** The beginning of its text. */
  readonly hint: string
}

/** The condition of a pair of Handlebars tags, or what a piece is included with. */
export const expressionOf = (source: string, block: Block): string => {
  const helper = helperOf(contentOf(source, block.opening ?? block))
  return helper?.kind === (block.opening === undefined ? "piece" : "open") ? helper.about : ""
}

const hintOf = (source: string, block: Block): string =>
  expressionOf(source, block).slice(0, 40) ||
  (isContainer(block.tag) || block.tag === "mj-head"
    ? ""
    : contentOf(source, block)
        .slice(0, 300)
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 40))

/** `mjml` itself is no entry. */
export const outlineOf = ({ source, blocks }: Tree): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  const add = (children: ReadonlyArray<Block>, depth: number, parents: ReadonlyArray<Block>) => {
    children.forEach((block, index) => {
      const [before, after] = [children[index - 1], children[index + 1]]
      const kind = kindOf(source, block)
      entries.push({ block, kind, depth, parents, before, after, hint: hintOf(source, block) })
      add(block.children, depth + 1, [block, ...parents])
    })
  }
  for (const root of blocks) add(root.tag === "mjml" ? root.children : [root], 0, [])
  return entries
}

export const movedUp = (source: string, { block, before }: Entry): Edit | null =>
  before === undefined ? null : swapped(source, before, block, block)

export const movedDown = (source: string, { block, after }: Entry): Edit | null =>
  after === undefined ? null : swapped(source, block, after, block)

/** The first block under this one, itself included, with one of the tags. */
const firstIn = (block: Block, tags: ReadonlyArray<string>): Block | undefined =>
  tags.includes(block.tag) ? block : block.children.map((child) => firstIn(child, tags)).find((found) => found)

/** The nearest block that is no pair of Handlebars tags: what MJML sees as the parent. */
const holderOf = (path: ReadonlyArray<Block>): Block | undefined => path.find(({ tag }) => !isPair(tag))

/** Puts text after the chosen block, or at the nearest place where MJML allows it. */
const placed = (
  { source, blocks }: Tree,
  chosen: Entry | undefined,
  place: Place,
  text: string,
  lines?: "kept"
): Edit | null => {
  const tags = holdersOf[place]
  const path = chosen === undefined ? [] : [chosen.block, ...chosen.parents]
  const at = path.findIndex(({ tag }, index) =>
    isPair(tag) ? tags.includes(holderOf(path.slice(index))?.tag ?? "") : tags.includes(tag)
  )
  const holder = path[at]
  const inside = path[at - 1]
  if (holder !== undefined)
    return inside === undefined ? addedInto(source, holder, text, lines) : addedAfter(source, inside, text, lines)
  const inner = [...path, ...blocks].map((block) => firstIn(block, tags)).find((found) => found)
  return inner === undefined ? null : addedInto(source, inner, text, lines)
}

/** A second part of the nearest condition or repetition. */
const elseAdded = (source: string, chosen: Entry | undefined): Edit | null => {
  const path = chosen === undefined ? [] : [chosen.block, ...chosen.parents]
  const at = path.findIndex(({ tag }) => isPair(tag))
  const [pair, inside] = [path[at], path[at - 1]]
  if (pair === undefined || pair.children.some((child) => kindOf(source, child) === "else")) return null
  return inside === undefined ? addedInto(source, pair, newBlocks.else) : addedAfter(source, inside, newBlocks.else)
}

export const added = (tree: Tree, chosen: Entry | undefined, kind: NewBlock): Edit | null =>
  kind === "else" ? elseAdded(tree.source, chosen) : placed(tree, chosen, placeOfNew(kind), newBlocks[kind])

export const pieceAdded = (tree: Tree, chosen: Entry | undefined, name: string): Edit | null =>
  placed(tree, chosen, placeOfNew("piece"), newPiece(name))

/** Puts MJML that was copied, of one or more blocks, after the chosen block. Null if it is not MJML. */
export const pasted = (tree: Tree, chosen: Entry | undefined, text: string): Edit | null => {
  const given = text.trim()
  const blocks = treeOf(given)?.blocks ?? []
  const [first] = blocks
  const ends = blocks.map(({ end }, index) => given.slice(end, blocks[index + 1]?.start ?? given.length))
  if (first === undefined || first.start !== 0 || ends.some((between) => between.trim() !== "")) return null
  const places = new Set(blocks.map(placeOf).filter((place) => place !== "any"))
  const [place = "content"] = places
  return place === null || places.size > 1 ? null : placed(tree, chosen, place, given, "kept")
}

/** Whether a block may be dropped there. */
export const canDrop = (entry: Entry, target: Entry, position: DropPosition): boolean => {
  const { block } = entry
  if (target.block.start >= block.start && target.block.end <= block.end) return false
  const place = placeOf(block)
  if (place === null || (entry.kind === "else" && holderOf(target.parents) !== holderOf(entry.parents))) return false
  const path = position === "on" ? [target.block, ...target.parents] : target.parents
  if (position === "on" && !isContainer(target.block.tag)) return false
  return holdersOf[place].includes(holderOf(path)?.tag ?? "")
}

export const dropped = (source: string, entry: Entry, target: Entry, position: DropPosition): Edit | null =>
  canDrop(entry, target, position) ? movedTo(source, entry.block, target.block, position) : null

/** The expression of a condition or a piece. Braces would end it. */
export const withExpression = (source: string, block: Block, expression: string): Edit | null => {
  const inner = block.opening ?? block
  const content = contentOf(source, inner)
  const helper = helperOf(content)
  if (helper === null || /[{}]/.test(expression) || expression.trim() === "") return null
  const tag = helper.kind === "open" ? `{{#${helper.name} ${expression.trim()}}}` : `{{> ${expression.trim()}}}`
  return {
    source:
      source.slice(0, inner.innerStart) + content.replace(content.trim(), () => tag) + source.slice(inner.innerEnd),
    at: block.start
  }
}

/** Whether the columns of a section stay beside each other on a phone: then one `mj-group` holds them. */
export const staysBeside = ({ children }: Block): boolean => children.length === 1 && children[0]?.tag === "mj-group"

/** Null if the section does not have at least two columns, or anything else. */
export const withStacking = (source: string, block: Block, stacks: boolean): Edit | null => {
  const [first] = block.children
  const last = block.children.at(-1)
  if (stacks) {
    return first !== undefined && staysBeside(block) ? { source: unwrapped(source, first), at: block.start } : null
  }
  return first === undefined ||
    last === undefined ||
    first === last ||
    block.children.some(({ tag }) => tag !== "mj-column")
    ? null
    : { source: wrapped(source, first, last, "mj-group"), at: block.start }
}

/**
 * The edit, if the source is MJML afterwards. An edit inside a block (`isInside`) neither adds blocks nor ends the block
 * before its end.
 */
export const checked = (before: Tree, edit: Edit, isInside: boolean): Edit | null => {
  const after = treeOf(edit.source)
  if (after === null) return null
  if (!isInside) return edit
  const [old, now] = [outlineOf(before), outlineOf(after)]
  const fromEnd = (entries: ReadonlyArray<Entry>, source: string) =>
    source.length - (entries.find(({ block }) => block.start === edit.at)?.block.end ?? 0)
  return old.length === now.length && fromEnd(old, before.source) === fromEnd(now, edit.source) ? edit : null
}

/** The source whose rendering names its blocks by their number in the outline. */
export const withMarks = (tree: Tree): string => {
  let { source } = tree
  const entries = outlineOf(tree)
  for (let index = entries.length - 1; index >= 0; index--) {
    const { block, kind } = entries[index] ?? {}
    if (block === undefined || kind === undefined || !marked.has(kind)) continue
    const known = block.attributes.find(({ name }) => name === "css-class")
    const mark = `posthorn-block-${index}`
    const [start, end, text] =
      known === undefined
        ? [block.start + 1 + block.tag.length, block.start + 1 + block.tag.length, ` css-class="${mark}"`]
        : [known.start, known.end, `css-class="${known.value} ${mark}"`]
    source = source.slice(0, start) + text + source.slice(end)
  }
  return source
}

const marked = new Set<Kind>(["section", "heading", "text", "button", "image", "divider", "spacer", "social"])

/** Turns the marks in the HTML into what the frame of the preview reports when it is clicked. */
export const markedHtml = (html: string): string =>
  html.replace(/class="([^"]{0,500}?)posthorn-block-(\d{1,6})([^"]{0,500})"/g, 'class="$1$3" data-block="$2"')

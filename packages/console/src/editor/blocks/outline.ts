/** The blocks of a mail as a list, in the order of the source, and what can be done with each. */
import { addedAfter, addedInto, contentOf, type Edit, swapped } from "./edits.ts"
import { type Kind, kindOf, type NewBlock, newBlocks } from "./kinds.ts"
import { type Block, isContainer, type Tree, treeOf } from "./tree.ts"

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

const hintOf = (source: string, block: Block): string =>
  isContainer(block.tag) || block.tag === "mj-head"
    ? ""
    : contentOf(source, block)
        .slice(0, 300)
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, 40)

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

const places: { readonly [kind in "section" | "column" | "content"]: ReadonlyArray<string> } = {
  section: ["mj-body", "mj-wrapper"],
  column: ["mj-section", "mj-group"],
  content: ["mj-column"]
}

const placeOf = (kind: NewBlock) =>
  places[kind === "section" || kind === "columns" ? "section" : kind === "column" ? "column" : "content"]

/** The first block under this one, itself included, with one of the tags. */
const firstIn = (block: Block, tags: ReadonlyArray<string>): Block | undefined =>
  tags.includes(block.tag) ? block : block.children.map((child) => firstIn(child, tags)).find((found) => found)

/** Adds a block after the chosen one, or at the nearest place where MJML allows it. */
export const added = (tree: Tree, chosen: Entry | undefined, kind: NewBlock): Edit | null => {
  const { source, blocks } = tree
  const tags = placeOf(kind)
  const text = newBlocks[kind]
  const path = chosen === undefined ? [] : [chosen.block, ...chosen.parents]
  const at = path.findIndex(({ tag }) => tags.includes(tag))
  const holder = path[at]
  const inside = path[at - 1]
  if (holder !== undefined)
    return inside === undefined ? addedInto(source, holder, text) : addedAfter(source, inside, text)
  const inner = [...path, ...blocks].map((block) => firstIn(block, tags)).find((found) => found)
  return inner === undefined ? null : addedInto(source, inner, text)
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

const marked = new Set<Kind>(["section", "heading", "text", "button", "image", "divider", "spacer"])

/** Turns the marks in the HTML into what the frame of the preview reports when it is clicked. */
export const markedHtml = (html: string): string =>
  html.replace(/class="([^"]{0,500}?)posthorn-block-(\d{1,6})([^"]{0,500})"/g, 'class="$1$3" data-block="$2"')

/** The kinds of blocks that the editor knows. Whatever it does not know is code, kept to the letter. */
import { contentOf } from "./edits.ts"
import type { Block } from "./tree.ts"

export type Kind =
  | "head"
  | "body"
  | "wrapper"
  | "section"
  | "group"
  | "column"
  | "heading"
  | "text"
  | "button"
  | "image"
  | "divider"
  | "spacer"
  | "code"

const byTag: { readonly [tag: string]: Kind } = {
  "mj-head": "head",
  "mj-body": "body",
  "mj-wrapper": "wrapper",
  "mj-section": "section",
  "mj-group": "group",
  "mj-column": "column",
  "mj-button": "button",
  "mj-image": "image",
  "mj-divider": "divider",
  "mj-spacer": "spacer"
}

export const kindOf = (source: string, block: Block): Kind => {
  if (block.tag === "mj-text") return /^\s*<h[1-6][\s>]/i.test(contentOf(source, block)) ? "heading" : "text"
  return byTag[block.tag] ?? "code"
}

export type Setting =
  | "src"
  | "alt"
  | "href"
  | "width"
  | "height"
  | "align"
  | "color"
  | "font-size"
  | "background-color"
  | "border-radius"
  | "border-color"
  | "border-width"
  | "padding"

const letters = ["align", "color", "font-size", "padding"] as const

export const settingsOf: { readonly [kind in Kind]: ReadonlyArray<Setting> } = {
  head: [],
  body: ["width", "background-color"],
  wrapper: ["background-color", "padding"],
  section: ["background-color", "padding"],
  group: ["width"],
  column: ["width", "background-color", "padding"],
  heading: letters,
  text: letters,
  button: ["href", "align", "background-color", "color", "border-radius", "font-size", "width", "padding"],
  image: ["src", "alt", "href", "width", "align", "padding"],
  divider: ["border-color", "border-width", "padding"],
  spacer: ["height"],
  code: []
}

/** What a kind is edited as: its content, or all of its source. */
export const contentAs = (kind: Kind): "content" | "label" | "source" | null => {
  if (kind === "heading" || kind === "text") return "content"
  if (kind === "button") return "label"
  return kind === "code" || kind === "head" ? "source" : null
}

/** Blocks that can be added, as MJML. */
export const newBlocks = {
  heading: "<mj-text><h2>Heading</h2></mj-text>",
  text: "<mj-text>Text</mj-text>",
  button: '<mj-button href="https://example.com">Button</mj-button>',
  image: '<mj-image src="" alt="" />',
  divider: '<mj-divider border-color="#dddddd" border-width="1px" />',
  spacer: '<mj-spacer height="20px" />',
  code: "<mj-raw><!-- HTML --></mj-raw>",
  section: "<mj-section>\n  <mj-column>\n    <mj-text>Text</mj-text>\n  </mj-column>\n</mj-section>",
  columns:
    "<mj-section>\n  <mj-column>\n    <mj-text>Left</mj-text>\n  </mj-column>\n  <mj-column>\n    <mj-text>Right</mj-text>\n  </mj-column>\n</mj-section>",
  column: "<mj-column>\n  <mj-text>Text</mj-text>\n</mj-column>"
} as const

export type NewBlock = keyof typeof newBlocks
export const newBlockIds = Object.keys(newBlocks) as ReadonlyArray<NewBlock>

/** The kinds of blocks that the editor knows. Whatever it does not know is code, kept to the letter. */
import { contentOf } from "./edits.ts"
import { helperOf } from "./placeholders.ts"
import { type Block, isPair } from "./tree.ts"

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
  | "social"
  | "socialLink"
  | "if"
  | "unless"
  | "each"
  | "else"
  | "piece"
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
  "mj-spacer": "spacer",
  "mj-social": "social",
  "mj-social-element": "socialLink"
}

export const kindOf = (source: string, block: Block): Kind => {
  if (isPair(block.tag)) return block.tag.slice(1) as "if" | "unless" | "each"
  if (block.tag === "mj-raw") {
    const helper = helperOf(contentOf(source, block))
    return helper?.kind === "else" || helper?.kind === "piece" ? helper.kind : "code"
  }
  if (block.tag === "mj-text") return /^\s*<h[1-6][\s>]/i.test(contentOf(source, block)) ? "heading" : "text"
  return byTag[block.tag] ?? "code"
}

export type Setting =
  | "src"
  | "alt"
  | "href"
  | "name"
  | "width"
  | "height"
  | "align"
  | "vertical-align"
  | "mode"
  | "icon-size"
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
  column: ["width", "vertical-align", "background-color", "padding"],
  heading: letters,
  text: letters,
  button: ["href", "align", "background-color", "color", "border-radius", "font-size", "width", "padding"],
  image: ["src", "alt", "href", "width", "align", "border-radius", "padding"],
  divider: ["border-color", "border-width", "padding"],
  spacer: ["height"],
  social: ["mode", "align", "icon-size", "color", "font-size", "padding"],
  socialLink: ["name", "href", "src", "alt", "background-color", "color"],
  if: [],
  unless: [],
  each: [],
  else: [],
  piece: [],
  code: []
}

/** The networks whose icons MJML knows. */
export const networks = [
  "facebook",
  "instagram",
  "linkedin",
  "x",
  "youtube",
  "github",
  "pinterest",
  "vimeo",
  "medium",
  "web"
] as const

/** Settings with a fixed choice of values; an empty value leaves the choice to the theme. */
export const choicesOf: { readonly [name in Setting]?: ReadonlyArray<string> } = {
  align: ["left", "center", "right"],
  "vertical-align": ["top", "middle", "bottom"],
  mode: ["horizontal", "vertical"],
  name: networks
}

export const colourSettings: ReadonlySet<Setting> = new Set<Setting>(["color", "background-color", "border-color"])

/** What a kind is edited as: its content, or all of its source. */
export const contentAs = (kind: Kind): "content" | "label" | "source" | null => {
  if (kind === "heading" || kind === "text") return "content"
  if (kind === "button" || kind === "socialLink") return "label"
  return kind === "code" ? "source" : null
}

/** Where a block of a tag may stand; null: nowhere else than it does. */
export type Place = "section" | "column" | "content" | "socialLink" | "any"

const placesByTag: { readonly [tag: string]: Place | null } = {
  mjml: null,
  "mj-head": null,
  "mj-body": null,
  "mj-wrapper": "section",
  "mj-section": "section",
  "mj-hero": "section",
  "mj-group": "column",
  "mj-column": "column",
  "mj-social-element": "socialLink",
  "mj-raw": "any"
}

/** That of a pair of Handlebars tags is that of the first block in it that has one. */
export const placeOf = (block: Block): Place | null => {
  if (!isPair(block.tag)) return placesByTag[block.tag] === undefined ? "content" : (placesByTag[block.tag] ?? null)
  for (const child of block.children) {
    const place = placeOf(child)
    if (place !== "any") return place
  }
  return "any"
}

export const holdersOf: { readonly [place in Place]: ReadonlyArray<string> } = {
  section: ["mj-body", "mj-wrapper"],
  column: ["mj-section", "mj-group"],
  content: ["mj-column", "mj-hero"],
  socialLink: ["mj-social"],
  any: ["mj-body", "mj-wrapper", "mj-section", "mj-column", "mj-hero"]
}

const conditional = (name: "if" | "unless" | "each", about: string, inner: string) =>
  `<mj-raw>{{#${name} ${about}}}</mj-raw>\n${inner}\n<mj-raw>{{/${name}}}</mj-raw>`

/** Blocks that can be added, as MJML. */
export const newBlocks = {
  heading: "<mj-text><h2>Heading</h2></mj-text>",
  text: "<mj-text>Text</mj-text>",
  button: '<mj-button href="https://example.com">Button</mj-button>',
  image: '<mj-image src="" alt="" />',
  divider: '<mj-divider border-color="#dddddd" border-width="1px" />',
  spacer: '<mj-spacer height="20px" />',
  social:
    '<mj-social>\n  <mj-social-element name="web" href="https://example.com" alt="Website">Example</mj-social-element>\n</mj-social>',
  socialLink: '<mj-social-element name="web" href="https://example.com" alt="Website">Example</mj-social-element>',
  if: conditional("if", "firstName", "<mj-text>Text</mj-text>"),
  unless: conditional("unless", "firstName", "<mj-text>Text</mj-text>"),
  each: conditional("each", "items", "<mj-text>{{name}}</mj-text>"),
  else: "<mj-raw>{{else}}</mj-raw>",
  code: "<mj-raw><!-- HTML --></mj-raw>",
  section: "<mj-section>\n  <mj-column>\n    <mj-text>Text</mj-text>\n  </mj-column>\n</mj-section>",
  columns:
    "<mj-section>\n  <mj-column>\n    <mj-text>Left</mj-text>\n  </mj-column>\n  <mj-column>\n    <mj-text>Right</mj-text>\n  </mj-column>\n</mj-section>",
  column: "<mj-column>\n  <mj-text>Text</mj-text>\n</mj-column>"
} as const

export type NewBlock = keyof typeof newBlocks
export const newBlockIds = Object.keys(newBlocks) as ReadonlyArray<NewBlock>

/** A shared piece, by its name. */
export const newPiece = (name: string): string => `<mj-raw>{{> ${name}}}</mj-raw>`

export const placeOfNew = (kind: NewBlock | "piece"): Place => {
  if (kind === "section" || kind === "columns") return "section"
  if (kind === "column" || kind === "socialLink") return kind
  return "content"
}

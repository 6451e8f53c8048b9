/** What stands in the head of a mail for all of its blocks: the theme, and the text that inboxes show beside the subject. */
import { addedInto, attributeOf, contentOf, decoded, type Edit, encoded, withAttribute, withContent } from "./edits.ts"
import { type Block, treeOf } from "./tree.ts"

const holders: ReadonlySet<string> = new Set(["mjml", "mj-head", "mj-attributes"])

const headTree = (source: string) => treeOf(source, (tag) => holders.has(tag))

/** Settings of the theme: the element in `mj-attributes`, and its attribute. */
export const themeSettings = {
  font: ["mj-all", "font-family"],
  textColour: ["mj-text", "color"],
  textSize: ["mj-text", "font-size"],
  lineHeight: ["mj-text", "line-height"],
  buttonGround: ["mj-button", "background-color"],
  buttonColour: ["mj-button", "color"],
  buttonRadius: ["mj-button", "border-radius"]
} as const

export type ThemeSetting = keyof typeof themeSettings
export const themeSettingIds = Object.keys(themeSettings) as ReadonlyArray<ThemeSetting>

const childOf = (block: Block | undefined, tag: string) => block?.children.find((child) => child.tag === tag)

const partsOf = (source: string) => {
  const head = childOf(
    headTree(source)?.blocks.find(({ tag }) => tag === "mjml"),
    "mj-head"
  )
  return { head, attributes: childOf(head, "mj-attributes"), preview: childOf(head, "mj-preview") }
}

export const themeValue = (source: string, setting: ThemeSetting): string => {
  const [tag, name] = themeSettings[setting]
  const element = childOf(partsOf(source).attributes, tag)
  return element === undefined ? "" : attributeOf(element, name)
}

/** The source with an empty head, if it has none. Null if it is no mail in MJML. */
const withHead = (source: string): string | null => {
  const tree = headTree(source)
  const root = tree?.blocks.find(({ tag }) => tag === "mjml")
  if (root === undefined) return null
  if (childOf(root, "mj-head") !== undefined) return source
  return `${source.slice(0, root.innerStart)}\n  <mj-head>\n  </mj-head>${source.slice(root.innerStart)}`
}

/** An empty value leaves the setting to MJML. */
export const withTheme = (source: string, setting: ThemeSetting, value: string): string | null => {
  const [tag, name] = themeSettings[setting]
  const given = withHead(source)
  if (given === null) return null
  const { head, attributes } = partsOf(given)
  const element = childOf(attributes, tag)
  if (element !== undefined) return withAttribute(given, element, name, value).source
  if (value === "") return given
  const text = `<${tag} ${name}="${encoded(value)}" />`
  if (attributes !== undefined) return addedInto(given, attributes, text).source
  return head === undefined ? null : addedInto(given, head, `<mj-attributes>\n  ${text}\n</mj-attributes>`).source
}

/** The text that inboxes show beside the subject. */
export const preheaderOf = (source: string): string => {
  const { preview } = partsOf(source)
  return preview === undefined ? "" : decoded(contentOf(source, preview))
}

export const withPreheader = (source: string, text: string): string | null => {
  if (text === preheaderOf(source)) return source
  const given = withHead(source)
  if (given === null) return null
  const { head, preview } = partsOf(given)
  if (preview !== undefined) return withContent(given, preview, encoded(text)).source
  return head === undefined ? null : addedInto(given, head, `<mj-preview>${encoded(text)}</mj-preview>`).source
}

/** The edit that keeps the head chosen. */
export const headEdit = (source: string | null): Edit | null => {
  const head = source === null ? undefined : partsOf(source).head
  return source === null || head === undefined ? null : { source, at: head.start }
}

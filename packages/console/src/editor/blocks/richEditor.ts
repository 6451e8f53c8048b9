/** The text editor of one block: TipTap with the few marks and nodes that mail has. */
import { Editor, Extension, Mark, Node } from "@tiptap/core"
import { Bold } from "@tiptap/extension-bold"
import { Document } from "@tiptap/extension-document"
import { HardBreak } from "@tiptap/extension-hard-break"
import { Heading } from "@tiptap/extension-heading"
import { Italic } from "@tiptap/extension-italic"
import { BulletList, ListItem, ListKeymap, OrderedList } from "@tiptap/extension-list"
import { Paragraph } from "@tiptap/extension-paragraph"
import { Text } from "@tiptap/extension-text"
import { Underline } from "@tiptap/extension-underline"
import { UndoRedo } from "@tiptap/extensions/undo-redo"
import { Plugin } from "@tiptap/pm/state"
import { placeholdersOf } from "./placeholders.ts"
import { cleanHtml, type RichNode } from "./richText.ts"

/** Attributes as they stand in the source. They are kept, and not put into the page. */
const kept = { attrs: { default: "", rendered: false, parseHTML: () => "" } }
const keptTag = { ...kept, tag: { default: null, rendered: false, parseHTML: () => null } }

/**
 * A link. It is no `a` in the editor, so that nothing leads away from it, and typed text does not become one by itself.
 */
const Link = Mark.create({
  name: "link",
  inclusive: false,
  addAttributes: () => ({ ...kept, href: { default: null, rendered: false } }),
  parseHTML: () => [
    { tag: "[data-link]", getAttrs: (element) => ({ href: element.getAttribute("data-link"), attrs: "" }) }
  ],
  renderHTML: ({ mark }) => ["span", { "data-link": mark.attrs["href"] ?? "" }, 0]
})

/** Text with attributes of its own, such as a colour, kept as it is. */
const Span = Mark.create({
  name: "span",
  addAttributes: () => keptTag,
  renderHTML: () => ["span", { "data-span": "" }, 0]
})

/** A Handlebars placeholder. */
const Token = Node.create({
  name: "token",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({ text: { default: "", rendered: false } }),
  renderHTML: ({ node }) => ["span", { "data-token": "" }, String(node.attrs["text"])],
  renderText: ({ node }) => String(node.attrs["text"])
})

/** Placeholders that are typed or pasted become tokens. */
const Tokens = Extension.create({
  name: "tokens",
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _before, { doc, schema, tr }) => {
        if (!transactions.some(({ docChanged }) => docChanged)) return null
        const found: Array<readonly [from: number, to: number, text: string, at: number]> = []
        doc.descendants((node, at) => {
          const text = node.text ?? ""
          for (const [from, to] of placeholdersOf(text)) found.push([at + from, at + to, text.slice(from, to), at])
        })
        for (const [from, to, text, at] of found.reverse()) {
          tr.replaceWith(from, to, schema.nodes["token"]?.create({ text }, null, doc.nodeAt(at)?.marks) ?? [])
        }
        return found.length === 0 ? null : tr
      }
    })
  ]
})

const extensions = [
  Document,
  Text,
  Paragraph.extend({
    addAttributes: () => ({ ...kept, bare: { default: true, rendered: false, parseHTML: () => true } })
  }),
  Heading.extend({ addAttributes: () => ({ ...kept, level: { default: 2, rendered: false } }) }),
  BulletList.extend({ addAttributes: () => kept }),
  OrderedList.extend({ addAttributes: () => kept }),
  ListItem.extend({ addAttributes: () => kept }),
  ListKeymap,
  HardBreak,
  Link,
  Span,
  Bold.extend({ addAttributes: () => keptTag }),
  Italic.extend({ addAttributes: () => keptTag }),
  Underline.extend({ addAttributes: () => keptTag }),
  Token,
  Tokens,
  UndoRedo
]

interface Options {
  readonly element: HTMLElement
  readonly doc: RichNode
  readonly label: string
  readonly className: string
  readonly onText: (doc: RichNode) => void
  /** Called whenever the text or the selection changed. */
  readonly onState: (editor: Editor) => void
}

export const richEditor = ({ element, doc, label, className, onText, onState }: Options): Editor =>
  new Editor({
    element,
    extensions,
    content: doc as object,
    // Styles come from the style sheet: the policy of the console allows no others.
    injectCSS: false,
    enableContentCheck: true,
    editorProps: {
      attributes: { role: "textbox", "aria-multiline": "true", "aria-label": label, class: className },
      transformPastedHTML: cleanHtml,
      handleDOMEvents: {
        // The browser would keep the look of what it replaces in a style attribute, which the policy refuses.
        beforeinput: (view, event) => {
          const { inputType, data } = event
          if (inputType !== "insertText" || data === null || view.composing || view.state.selection.empty) return false
          event.preventDefault()
          view.dispatch(view.state.tr.insertText(data).scrollIntoView())
          return true
        }
      }
    },
    onUpdate: ({ editor }) => onText(editor.getJSON() as RichNode),
    onTransaction: ({ editor }) => onState(editor)
  })

export type { Editor }

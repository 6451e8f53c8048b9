/** Rich text of a block with its toolbar. */
import { memo, type ReactNode, useEffect, useRef, useState } from "react"
import { ToggleButton } from "react-aria-components/ToggleButton"
import { Toolbar } from "react-aria-components/Toolbar"
import { Button } from "../../kit/Button.tsx"
import { Select, TextField } from "../../kit/Field.tsx"
import kit from "../../kit/kit.module.css"
import { Row, Stack } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import styles from "../editor.module.css"
import { editorWords } from "../words.ts"
import { type Editor, richEditor } from "./richEditor.ts"
import { docOf, htmlOf, type RichNode } from "./richText.ts"

interface RichTextProps {
  readonly label: string
  readonly html: string
  /** What `html` is as a document. */
  readonly doc: RichNode
  readonly variables: ReadonlyArray<string>
  readonly onChange: (html: string) => void
}

const marks = ["bold", "italic", "underline"] as const
const lists = ["bulletList", "orderedList"] as const
const lines = ["text", "1", "2", "3", "4"] as const

const lineOf = (editor: Editor): (typeof lines)[number] => {
  const level = String(editor.getAttributes("heading")["level"] ?? "")
  return editor.isActive("heading") && lines.includes(level as "1") ? (level as "1") : "text"
}

/** What the toolbar shows. */
const stateOf = (editor: Editor) =>
  [lineOf(editor), ...[...marks, ...lists, "link"].filter((id) => editor.isActive(id))].join(" ")

/** The outline and the settings follow after this pause, so that they hold up no letter. */
const pauseMillis = 150

const setLine = (editor: Editor, line: (typeof lines)[number]) => {
  const chain = editor.chain().focus()
  if (line === "text") chain.setNode("paragraph", { bare: true, attrs: "" }).run()
  else chain.setNode("heading", { level: Number(line), attrs: "" }).run()
}

const LinkField = ({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) => {
  const words = editorWords().blocks.rich
  const [href, setHref] = useState(String(editor.getAttributes("link")["href"] ?? ""))
  const set = (given: string) => {
    const chain = editor.chain().focus().extendMarkRange("link")
    if (given.trim() === "") chain.unsetMark("link").run()
    else chain.setMark("link", { ...editor.getAttributes("link"), href: given.trim() }).run()
    onClose()
  }
  return (
    <Stack>
      <TextField
        label={words.href}
        placeholder="https://example.com"
        value={href}
        onChange={setHref}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === "Enter") set(href)
          else if (event.key === "Escape") onClose()
          else event.continuePropagation()
        }}
      />
      <Row>
        <Button onPress={() => set(href)}>{words.setLink}</Button>
        <Button onPress={() => set("")}>{words.unsetLink}</Button>
      </Row>
    </Stack>
  )
}

interface ToolsProps {
  readonly editor: Editor
  /** What the toolbar shows. The editor itself stays the same object. */
  readonly state: string
  readonly variables: ReadonlyArray<string>
}

/** Drawn again only if it shows something else, and not at each letter. */
const Tools = memo(({ editor, variables }: ToolsProps): ReactNode => {
  const words = editorWords().blocks.rich
  const [isLinking, setLinking] = useState(false)
  return (
    <>
      <Toolbar aria-label={words.toolbar} className={styles.toolbar ?? ""}>
        {marks.map((id) => (
          <ToggleButton
            key={id}
            className={`${kit.button} ${styles.tool}`}
            isSelected={editor.isActive(id)}
            onChange={() => editor.chain().focus().toggleMark(id).run()}
          >
            {words.marks[id]}
          </ToggleButton>
        ))}
        <ToggleButton
          className={`${kit.button} ${styles.tool}`}
          isSelected={editor.isActive("link")}
          onChange={() => setLinking(!isLinking)}
        >
          {words.link}
        </ToggleButton>
        {lists.map((id) => (
          <ToggleButton
            key={id}
            className={`${kit.button} ${styles.tool}`}
            isSelected={editor.isActive(id)}
            onChange={() => editor.chain().focus().toggleList(id, "listItem").run()}
          >
            {words.lists[id]}
          </ToggleButton>
        ))}
        <Menu
          label={words.variable}
          actions={variables.map((name) => ({
            id: name,
            name,
            onAction: () =>
              void editor
                .chain()
                .focus()
                .insertContent({ type: "token", attrs: { text: `{{${name}}}` } })
                .run()
          }))}
        >
          {words.variable}
        </Menu>
      </Toolbar>
      <Select
        label={words.line}
        choices={lines.map((id) => ({ id, name: words.lines[id] }))}
        value={lineOf(editor)}
        onChange={(line) => setLine(editor, line)}
      />
      {isLinking && <LinkField editor={editor} onClose={() => setLinking(false)} />}
    </>
  )
})

export const RichText = ({ label, html, doc, variables, onChange }: RichTextProps): ReactNode => {
  const words = editorWords().blocks.rich
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [state, show] = useState("")
  const latest = useRef({ onChange, doc })
  latest.current = { onChange, doc }
  /** The HTML that the editor shows. Other HTML comes from outside: from an undo, or from the code. */
  const shown = useRef(html)

  useEffect(() => {
    const element = place.current
    if (element === null) return
    let typed: RichNode | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      clearTimeout(timer)
      if (typed === undefined) return
      shown.current = htmlOf(typed)
      typed = undefined
      latest.current.onChange(shown.current)
    }
    const made = richEditor({
      element,
      doc: latest.current.doc,
      label,
      className: styles.rich ?? "",
      onText: (text) => {
        typed = text
        clearTimeout(timer)
        timer = setTimeout(keep, pauseMillis)
      },
      onState: (changed) => show(stateOf(changed))
    })
    const onKey = ({ ctrlKey, metaKey }: KeyboardEvent) => (ctrlKey || metaKey) && keep()
    element.addEventListener("focusout", keep)
    addEventListener("keydown", onKey, { capture: true })
    setEditor(made)
    show(stateOf(made))
    return () => {
      element.removeEventListener("focusout", keep)
      removeEventListener("keydown", onKey, { capture: true })
      keep()
      made.destroy()
    }
  }, [label])

  useEffect(() => {
    if (editor === null || html === shown.current) return
    const next = docOf(html)
    if (next === null) return
    shown.current = html
    editor.commands.setContent(next as object, { emitUpdate: false })
  }, [editor, html])

  return (
    <Stack>
      {editor !== null && <Tools editor={editor} state={state} variables={variables} />}
      <div className={kit.field}>
        <span className={kit.label} aria-hidden>
          {label}
        </span>
        <div ref={place} />
        <span className={kit.help}>{words.help}</span>
      </div>
    </Stack>
  )
}

/** The source of a mail in CodeMirror, with the faults of the service at their lines. */
import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { html, htmlLanguage } from "@codemirror/lang-html"
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint"
import { EditorState } from "@codemirror/state"
import { Decoration, EditorView, keymap, lineNumbers, MatchDecorator, ViewPlugin } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { type ReactNode, useEffect, useRef } from "react"
import styles from "./editor.module.css"
import { mjmlTags } from "./mjmlTags.ts"
import type { Fault, Goal } from "./texts.ts"

export interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly faults?: ReadonlyArray<Fault>
  /** Names that are proposed after `{{`. */
  readonly variables?: ReadonlyArray<string>
  /** Names of pieces, proposed after `{{>`. */
  readonly pieces?: ReadonlyArray<string>
  /** A place that is shown, with the cursor in it. */
  readonly goal?: Goal | undefined
}

const nonce = document.querySelector('meta[property="csp-nonce"]')?.getAttribute("content") ?? ""

const look = EditorView.theme({
  "&": { font: "var(--type-code)", backgroundColor: "var(--page)", color: "var(--text)", height: "100%" },
  ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", border: "none" },
  ".cm-placeholder-name": { color: "var(--series-3)", fontWeight: "500" },
  ".cm-tooltip": { backgroundColor: "var(--page)", border: "1px solid var(--hairline)", color: "var(--text)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--text)" }
})

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword], color: "var(--series-1)" },
  { tag: [tags.attributeName, tags.propertyName], color: "var(--series-2)" },
  { tag: [tags.attributeValue, tags.string, tags.number], color: "var(--series-4)" },
  { tag: [tags.comment, tags.angleBracket, tags.processingInstruction], color: "var(--quiet)" }
])

const placeholders = new MatchDecorator({
  regexp: /\{\{[^{}]*\}\}/g,
  decoration: Decoration.mark({ class: "cm-placeholder-name" })
})

const marked = ViewPlugin.define(
  (view) => ({
    decorations: placeholders.createDeco(view),
    update(update) {
      this.decorations = placeholders.updateDeco(update, this.decorations)
    }
  }),
  { decorations: (plugin) => plugin.decorations }
)

const diagnosticsOf = (state: EditorState, faults: ReadonlyArray<Fault>): ReadonlyArray<Diagnostic> =>
  faults.flatMap(({ line, column, message }) => {
    if (line === undefined) return []
    const place = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines))
    const from = Math.min(place.from + Math.max(0, (column ?? 1) - 1), place.to)
    return [{ from, to: place.to, severity: "error" as const, message }]
  })

/**
 * Typing over a selection. The browser would keep the look of what it replaces in a style attribute, which the policy of
 * the console refuses.
 */
const typingOver = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    if (inputType !== "insertText" || data === null || view.composing || view.state.selection.main.empty) return false
    const change = view.state.replaceSelection(data)
    view.dispatch(view.state.update(change, { userEvent: "input.type", scrollIntoView: true }))
    return true
  }
})

const noFaults: ReadonlyArray<Fault> = []

type Names = { readonly variables: ReadonlyArray<string>; readonly pieces: ReadonlyArray<string> }

const proposing = (names: () => Names) => (context: CompletionContext) => {
  const word = context.matchBefore(/\{\{[#/>]?\s{0,20}[\w.-]{0,200}/)
  if (word === null) return null
  const start = /[\w.-]{0,200}$/.exec(word.text)?.[0].length ?? 0
  const { variables, pieces } = names()
  const options = word.text.startsWith("{{>")
    ? pieces.map((label) => ({ label, type: "function" }))
    : variables.map((label) => ({ label, type: "variable" }))
  return { from: word.to - start, options }
}

export const CodeEditor = ({
  label,
  value,
  onChange,
  faults = noFaults,
  variables = [],
  pieces = [],
  goal
}: CodeEditorProps): ReactNode => {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef({ value, onChange, variables, pieces })
  latest.current = { value, onChange, variables, pieces }

  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          lineNumbers(),
          lintGutter(),
          history(),
          bracketMatching(),
          html({ extraTags: mjmlTags }),
          htmlLanguage.data.of({ autocomplete: proposing(() => latest.current) }),
          autocompletion(),
          EditorView.lineWrapping,
          syntaxHighlighting(colours),
          marked,
          typingOver,
          look,
          keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            const text = update.state.doc.toString()
            if (text !== latest.current.value) latest.current.onChange(text)
          })
        ]
      })
    })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [label])

  useEffect(() => {
    const shown = view.current
    if (shown === null || shown.state.doc.toString() === value) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const shown = view.current
    if (shown !== null) shown.dispatch(setDiagnostics(shown.state, diagnosticsOf(shown.state, faults)))
  }, [faults])

  useEffect(() => {
    const shown = view.current
    if (shown === null || goal === undefined) return
    const anchor = Math.min(goal.offset, shown.state.doc.length)
    shown.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) })
    shown.focus()
  }, [goal])

  return <div ref={place} className={styles.code} />
}

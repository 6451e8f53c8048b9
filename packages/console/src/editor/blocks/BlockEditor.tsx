/** MJML as blocks: the outline at the left, the mail in the middle, the settings of the chosen block at the right. */
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState
} from "react"
import { Button } from "../../kit/Button.tsx"
import { Bar, Empty, Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import styles from "../editor.module.css"
import { type Goal, type MailTexts, type RenderTexts, withWritten } from "../texts.ts"
import { usePieces } from "../usePieces.ts"
import { usePreview } from "../usePreview.ts"
import { editorWords } from "../words.ts"
import { BlockSettings } from "./BlockSettings.tsx"
import { type DropPosition, without } from "./edits.ts"
import { newBlockIds } from "./kinds.ts"
import { Outline } from "./Outline.tsx"
import {
  added,
  dropped,
  type Entry,
  markedHtml,
  movedDown,
  movedUp,
  outlineOf,
  pasted,
  pieceAdded,
  withMarks
} from "./outline.ts"
import { type Tree, treeOf } from "./tree.ts"
import { useHistory } from "./useHistory.ts"

const nobody = {}

/** What was copied last, in this tab: it can be pasted into another mail. */
let copied = ""

interface BlockEditorProps {
  readonly value: MailTexts
  readonly onChange: (value: MailTexts) => void
  readonly preview: RenderTexts
  /** A place whose block is chosen. */
  readonly goal?: Goal | undefined
}

export const BlockEditor = (props: BlockEditorProps): ReactNode => {
  const words = editorWords().blocks
  const source = props.value.source ?? ""
  const tree = useMemo(() => treeOf(source), [source])
  if (tree === null || tree.blocks.length === 0) return <Notice tone="warning">{words.notBlocks}</Notice>
  return <Blocks {...props} tree={tree} />
}

const parts = ["outline", "mail", "settings"] as const

const canGo = (entry: Entry | undefined): entry is Entry =>
  entry !== undefined && entry.kind !== "body" && entry.kind !== "head"

const Blocks = ({ value, onChange, preview: render, tree, goal }: BlockEditorProps & { readonly tree: Tree }) => {
  const words = editorWords()
  const { source } = tree
  const entries = useMemo(() => outlineOf(tree), [tree])
  const { chosen, found, choose, apply, undo, redo } = useHistory(tree, entries, (next) =>
    onChange(withWritten(value, next))
  )
  const [part, setPart] = useState<(typeof parts)[number]>("outline")
  const pieces = usePieces()

  const marks = useMemo(() => withWritten(value, withMarks(tree)), [value, tree])
  const { mail, error } = usePreview(marks, nobody, render)
  const html = useMemo(() => (mail?.html ? markedHtml(mail.html) : null), [mail])
  const names = JSON.stringify(mail?.variables.used ?? [])
  const variables = useMemo((): ReadonlyArray<string> => JSON.parse(names), [names])
  const onBlock = useCallback(
    (id: string) => {
      const entry = entries[Number(id)]
      if (entry === undefined) return
      choose(entry.block.start)
      setPart("settings")
    },
    [entries, choose]
  )

  // The outline marks the block at once. Its settings, which take longer, follow.
  const settled = useDeferredValue(found)
  const shown = entries[settled]
  const now = useRef({ source, entries, apply })
  now.current = { source, entries, apply }
  const onEdit = useCallback((...edit: Parameters<typeof apply>) => now.current.apply(...edit), [])
  const onDrop = useCallback((entry: Entry, target: Entry, position: DropPosition) => {
    const { apply, source } = now.current
    apply(dropped(source, entry, target, position))
  }, [])

  useEffect(() => {
    if (goal === undefined) return
    const inside = now.current.entries.findLast(({ block }) => block.start <= goal.offset && goal.offset < block.end)
    if (inside === undefined) return
    choose(inside.block.start)
    setPart("settings")
  }, [goal, choose])

  const remove = () => {
    if (!canGo(chosen)) return
    const next = chosen.after === undefined ? (chosen.before ?? chosen.parents[0]) : undefined
    const edit = without(source, chosen.block)
    if (apply(edit)) choose(next?.start ?? edit.at + (chosen.after?.start ?? 0) - chosen.block.end)
  }
  const copy = (): string | null => {
    if (!canGo(chosen)) return null
    copied = source.slice(chosen.block.start, chosen.block.end)
    return copied
  }
  const paste = (text: string) => apply(pasted(tree, chosen, text))
  const up = () => chosen !== undefined && apply(movedUp(source, chosen))
  const down = () => chosen !== undefined && apply(movedDown(source, chosen))
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const letter = isCommand ? event.key.toLowerCase() : ""
    const act =
      event.altKey && event.key === "ArrowUp"
        ? up
        : event.altKey && event.key === "ArrowDown"
          ? down
          : event.key === "Delete"
            ? remove
            : letter === "z"
              ? event.shiftKey
                ? redo
                : undo
              : undefined
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const onClipboard = (event: ClipboardEvent, act: () => string | null | boolean) => {
    const result = act()
    if (result === null || result === false) return
    if (typeof result === "string") event.clipboardData.setData("text/plain", result)
    event.preventDefault()
  }
  const writeClipboard = (text: string | null) => {
    // Where the browser refuses, the block is pasted in this tab only.
    if (text !== null) navigator.clipboard?.writeText(text).catch(() => undefined)
  }
  const addable = newBlockIds.filter((id) => added(tree, chosen, id) !== null)
  return (
    <>
      <fieldset className={styles.parts} aria-label={words.blocks.part}>
        {parts.map((id) => (
          <Button key={id} aria-pressed={part === id} onPress={() => setPart(id)}>
            {words.blocks.parts[id]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.blocks} data-part={part}>
        <div data-is="outline">
          <Stack>
            <div
              onKeyDownCapture={onKeyDown}
              onCopy={(event) => onClipboard(event, copy)}
              onCut={(event) =>
                onClipboard(event, () => {
                  const text = copy()
                  if (text !== null) remove()
                  return text
                })
              }
              onPaste={(event) => onClipboard(event, () => paste(event.clipboardData.getData("text/plain")))}
            >
              <Outline entries={entries} found={found} onChoose={choose} onDrop={onDrop} />
            </div>
            <Row>
              <Menu
                label={words.blocks.add}
                actions={[
                  ...addable.map((id) => ({
                    id,
                    name: id === "columns" ? words.blocks.columns.two : words.blocks.kinds[id],
                    onAction: () => void apply(added(tree, chosen, id))
                  })),
                  ...(pieces.data?.data ?? []).map(({ id, name }) => ({
                    id: `piece ${id}`,
                    name: words.blocks.pieceNamed(name),
                    onAction: () => void apply(pieceAdded(tree, chosen, name))
                  }))
                ]}
              >
                {words.blocks.add}
              </Menu>
              <Button onPress={() => up()}>{words.blocks.up}</Button>
              <Button onPress={() => down()}>{words.blocks.down}</Button>
              <Button onPress={undo}>{words.blocks.undo}</Button>
              <Menu
                label={words.blocks.more}
                actions={[
                  { id: "redo", name: words.blocks.redo, onAction: redo },
                  {
                    id: "cut",
                    name: words.blocks.cut,
                    onAction: () => {
                      writeClipboard(copy())
                      remove()
                    }
                  },
                  { id: "copy", name: words.blocks.copy, onAction: () => writeClipboard(copy()) },
                  { id: "paste", name: words.blocks.paste, onAction: () => void paste(copied) },
                  { id: "remove", name: words.blocks.remove, onAction: remove, isLast: true }
                ]}
              />
            </Row>
          </Stack>
        </div>
        <div data-is="mail">
          <Stack>
            {error !== null && <Problem error={error} />}
            {html === null && error === null && <Bar height={320} />}
            {html !== null && <PreviewFrame title={words.frame} html={html} onBlock={onBlock} />}
          </Stack>
        </div>
        <section aria-label={words.blocks.settings} data-is="settings">
          {shown === undefined ? (
            <Empty about={words.blocks.choose} />
          ) : (
            <BlockSettings
              key={`${settled} ${shown.kind}`}
              source={source}
              entry={shown}
              variables={variables}
              onEdit={onEdit}
            />
          )}
        </section>
      </div>
    </>
  )
}

/** MJML as blocks: the outline at the left, the mail in the middle, the settings of the chosen block at the right. */
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from "react"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Button } from "../../kit/Button.tsx"
import { Empty, Notice, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Menu } from "../../kit/Menu.tsx"
import { PreviewFrame } from "../../kit/PreviewFrame.tsx"
import { Foreign } from "../../kit/Text.tsx"
import styles from "../editor.module.css"
import { type MailTexts, type RenderTexts, withWritten } from "../texts.ts"
import { usePreview } from "../usePreview.ts"
import { editorWords } from "../words.ts"
import { BlockSettings } from "./BlockSettings.tsx"
import { type Edit, without } from "./edits.ts"
import { newBlockIds } from "./kinds.ts"
import { added, checked, markedHtml, movedDown, movedUp, outlineOf, withMarks } from "./outline.ts"
import { type Tree, treeOf } from "./tree.ts"

const steps = 100
const nobody = {}

interface BlockEditorProps {
  readonly value: MailTexts
  readonly onChange: (value: MailTexts) => void
  readonly preview: RenderTexts
}

interface Past {
  readonly source: string
  readonly at: number
  /** Letters typed into one field of one block are one step. */
  readonly field: string | null
}

export const BlockEditor = (props: BlockEditorProps): ReactNode => {
  const words = editorWords().blocks
  const source = props.value.source ?? ""
  const tree = useMemo(() => treeOf(source), [source])
  if (tree === null || tree.blocks.length === 0) return <Notice tone="warning">{words.notBlocks}</Notice>
  return <Blocks {...props} tree={tree} />
}

const Blocks = ({ value, onChange, preview: render, tree }: BlockEditorProps & { readonly tree: Tree }) => {
  const words = editorWords()
  const { source } = tree
  const entries = useMemo(() => outlineOf(tree), [tree])
  const [chosenAt, setChosenAt] = useState<number | null>(null)
  const past = useRef<Array<Past>>([])
  const found = entries.findIndex(({ block }) => block.start === chosenAt)
  const chosen = entries[found]

  const marks = useMemo(() => withWritten(value, withMarks(tree)), [value, tree])
  const { mail, error } = usePreview(marks, nobody, render)
  const html = useMemo(() => (mail?.html ? markedHtml(mail.html) : null), [mail])
  const onBlock = useCallback((id: string) => setChosenAt((now) => entries[Number(id)]?.block.start ?? now), [entries])

  const apply = (edit: Edit | null, field: string | null = null): boolean => {
    const good = edit === null ? null : checked(tree, edit, field !== null && field !== "source")
    if (good === null) return false
    if (good.source === source) return true
    const last = past.current.at(-1)
    if (field === null || last?.field !== `${found} ${field}`) {
      past.current = [
        ...past.current.slice(1 - steps),
        { source, at: chosenAt ?? 0, field: field === null ? null : `${found} ${field}` }
      ]
    }
    setChosenAt(good.at)
    onChange(withWritten(value, good.source))
    return true
  }
  const undo = () => {
    const last = past.current.pop()
    if (last === undefined) return
    setChosenAt(last.at)
    onChange(withWritten(value, last.source))
  }
  const remove = () => {
    if (chosen === undefined || chosen.kind === "body" || chosen.kind === "head") return
    const next = chosen.after === undefined ? (chosen.before ?? chosen.parents[0]) : undefined
    const edit = without(source, chosen.block)
    if (apply(edit)) setChosenAt(next?.start ?? edit.at + (chosen.after?.start ?? 0) - chosen.block.end)
  }
  const up = () => chosen !== undefined && apply(movedUp(source, chosen))
  const down = () => chosen !== undefined && apply(movedDown(source, chosen))
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const act =
      event.altKey && event.key === "ArrowUp"
        ? up
        : event.altKey && event.key === "ArrowDown"
          ? down
          : event.key === "Delete"
            ? remove
            : isCommand && event.key.toLowerCase() === "z"
              ? undo
              : undefined
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div className={styles.blocks}>
      <Stack>
        <div onKeyDownCapture={onKeyDown}>
          <ListBox
            aria-label={words.blocks.outline}
            className={styles.outline ?? ""}
            selectionMode="single"
            selectionBehavior="replace"
            items={entries.map((entry, index) => ({ ...entry, id: index }))}
            selectedKeys={found === -1 ? [] : [found]}
            onSelectionChange={(keys) => {
              const [key] = keys === "all" ? [] : [...keys]
              if (key !== undefined) setChosenAt(entries[Number(key)]?.block.start ?? null)
            }}
          >
            {({ id, kind, depth, hint }) => (
              <ListBoxItem
                id={id}
                className={styles.block ?? ""}
                textValue={`${words.blocks.kinds[kind]} ${hint}`}
                data-depth={depth}
              >
                {words.blocks.kinds[kind]}
                {hint !== "" && (
                  <span>
                    <Foreign>{hint}</Foreign>
                  </span>
                )}
              </ListBoxItem>
            )}
          </ListBox>
        </div>
        <Row>
          <Menu
            label={words.blocks.add}
            actions={newBlockIds.map((id) => ({
              id,
              name: id === "columns" ? words.blocks.columns.two : words.blocks.kinds[id],
              onAction: () => void apply(added(tree, chosen, id))
            }))}
          >
            {words.blocks.add}
          </Menu>
          <Button onPress={() => up()}>{words.blocks.up}</Button>
          <Button onPress={() => down()}>{words.blocks.down}</Button>
          <Button onPress={remove}>{words.blocks.remove}</Button>
          <Button onPress={undo}>{words.blocks.undo}</Button>
        </Row>
      </Stack>
      <Stack>
        {error !== null && <Problem error={error} />}
        {html !== null && <PreviewFrame title={words.frame} html={html} onBlock={onBlock} />}
      </Stack>
      <section aria-label={words.blocks.settings}>
        {chosen === undefined ? (
          <Empty about={words.blocks.choose} />
        ) : (
          <BlockSettings
            key={`${found} ${chosen.kind}`}
            source={source}
            entry={chosen}
            onEdit={(edit, field) => apply(edit, field)}
          />
        )}
      </section>
    </div>
  )
}

/** The blocks of a mail as a tree: arrow keys walk it, and blocks are dragged in it with the mouse or the keyboard. */
import { ChevronRight, GripVertical } from "lucide-react"
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { Button } from "react-aria-components/Button"
import { Tree, TreeItem, TreeItemContent } from "react-aria-components/Tree"
import { useDragAndDrop } from "react-aria-components/useDragAndDrop"
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer"
import { Foreign } from "../../kit/Text.tsx"
import styles from "../editor.module.css"
import { editorWords } from "../words.ts"
import type { DropPosition } from "./edits.ts"
import { canDrop, type Entry } from "./outline.ts"

interface OutlineProps {
  readonly entries: ReadonlyArray<Entry>
  /** The number of the chosen entry; -1 if there is none. */
  readonly found: number
  readonly onChoose: (at: number | null) => void
  readonly onDrop: (entry: Entry, target: Entry, position: DropPosition) => void
}

/** What a row shows. */
interface Node extends Pick<Entry, "kind" | "hint"> {
  readonly id: number
  readonly inner: ReadonlyArray<Node>
}

/** Takes what has not changed from the nodes before, so that its rows are not drawn again. */
const nodesOf = (entries: ReadonlyArray<Entry>, before: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  let id = 0
  const at = (depth: number, before: ReadonlyArray<Node>): ReadonlyArray<Node> => {
    const nodes: Array<Node> = []
    for (let entry = entries[id]; entry !== undefined && entry.depth >= depth; entry = entries[id]) {
      const old = before[nodes.length]
      const { kind, hint } = entry
      const node = { id: id++, kind, hint, inner: at(depth + 1, old?.inner ?? []) }
      const isSame = old?.id === node.id && old.kind === kind && old.hint === hint && old.inner === node.inner
      nodes.push(isSame ? old : node)
    }
    return nodes.length === before.length && nodes.every((node, n) => node === before[n]) ? before : nodes
  }
  return at(0, before)
}

const type = "posthorn-block"
/** In pixels. Only rows in sight are drawn: each one takes as long as a dozen lines of a list. */
const rowHeight = 28

const Row = memo(({ node }: { readonly node: Node }): ReactNode => {
  const words = editorWords().blocks
  const name = `${words.kinds[node.kind]} ${node.hint}`.trim()
  return (
    <TreeItem id={node.id} className={styles.block ?? ""} textValue={name}>
      <TreeItemContent>
        {({ hasChildItems, isExpanded, isFocused, isHovered, isSelected }) => (
          <div className={styles.blockRow}>
            {hasChildItems ? (
              <Button slot="chevron" className={styles.grip ?? ""} data-open={isExpanded}>
                <ChevronRight size={12} aria-hidden />
              </Button>
            ) : (
              <span className={styles.grip} />
            )}
            {isFocused || isHovered || isSelected ? (
              <Button slot="drag" aria-label={words.drag(name)} className={styles.grip ?? ""}>
                <GripVertical size={12} aria-hidden />
              </Button>
            ) : (
              <span className={styles.grip} />
            )}
            {words.kinds[node.kind]}
            {node.hint !== "" && (
              <span className={styles.hint}>
                <Foreign>{node.hint}</Foreign>
              </span>
            )}
          </div>
        )}
      </TreeItemContent>
      {node.inner.map((inner) => (
        <Row key={inner.id} node={inner} />
      ))}
    </TreeItem>
  )
})

export const Outline = memo(({ entries, found, onChoose, onDrop }: OutlineProps): ReactNode => {
  const words = editorWords().blocks
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<ReadonlyArray<Node>>([])
  const nodes = useMemo(() => nodesOf(entries, drawn.current), [entries])
  drawn.current = nodes
  const rows = useMemo(() => nodes.map((node) => <Row key={node.id} node={node} />), [nodes])
  // Keys are numbers of the outline: they are those of other blocks as soon as there are more or fewer.
  const [folded, setFolded] = useState({ count: 0, ids: new Set<number>() })
  const isFolded = (id: number) => folded.count === entries.length && folded.ids.has(id)
  const expanded = entries.map((_, id) => id).filter((id) => !isFolded(id))
  const dragged = useRef<Entry>(undefined)

  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [type]: String(key), "text/plain": String(key) })),
    onDragStart: ({ keys }) => {
      dragged.current = entries[Number([...keys][0])]
    },
    onDragEnd: () => {
      dragged.current = undefined
    },
    acceptedDragTypes: [type],
    getAllowedDropOperations: () => ["move"],
    shouldAcceptItemDrop: ({ key }) => {
      const target = entries[Number(key)]
      return dragged.current !== undefined && target !== undefined && canDrop(dragged.current, target, "on")
    },
    getDropOperation: (target) => {
      if (target.type !== "item" || dragged.current === undefined) return "cancel"
      const entry = entries[Number(target.key)]
      return entry !== undefined && canDrop(dragged.current, entry, target.dropPosition) ? "move" : "cancel"
    },
    onMove: ({ keys, target }) => {
      const entry = entries[Number([...keys][0])]
      const over = entries[Number(target.key)]
      if (entry !== undefined && over !== undefined) onDrop(entry, over, target.dropPosition)
    }
  })

  // The focus goes with a block that moved.
  useEffect(() => {
    const tree = place.current
    if (found === -1 || tree === null || !tree.contains(document.activeElement)) return
    tree.querySelector<HTMLElement>(`[role=row][data-key="${found}"]`)?.focus()
  }, [found])

  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight, padding: 4 }}>
      <Tree
        ref={place}
        aria-label={words.outline}
        className={styles.outline ?? ""}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        expandedKeys={expanded}
        onExpandedChange={(keys) =>
          setFolded({ count: entries.length, ids: new Set(entries.map((_, id) => id).filter((id) => !keys.has(id))) })
        }
        selectedKeys={found === -1 ? [] : [found]}
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : [...keys]
          if (key !== undefined) onChoose(entries[Number(key)]?.block.start ?? null)
        }}
        dragAndDropHooks={dragAndDropHooks}
      >
        {rows}
      </Tree>
    </Virtualizer>
  )
})

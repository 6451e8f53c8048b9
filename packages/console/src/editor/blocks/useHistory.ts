/** The chosen block, the edits of its mail, and the way back through the last 100 of them. */
import { useCallback, useRef, useState } from "react"
import type { Edit } from "./edits.ts"
import { checked, type Entry } from "./outline.ts"
import type { Tree } from "./tree.ts"

const steps = 100

interface Step {
  readonly source: string
  readonly at: number
  /** Letters typed into one field of one block are one step. */
  readonly field: string | null
}

/** Edits in these fields may change the number of blocks. */
const isInside = (field: string | null) => field !== null && field !== "source" && !field.startsWith("theme ")

export const useHistory = (tree: Tree, entries: ReadonlyArray<Entry>, onSource: (source: string) => void) => {
  const { source } = tree
  const [chosenAt, setChosenAt] = useState<number | null>(null)
  const past = useRef<Array<Step>>([])
  const future = useRef<Array<Step>>([])
  const found = entries.findIndex(({ block }) => block.start === chosenAt)
  const choose = useCallback((at: number | null) => setChosenAt(at), [])

  const show = ({ source, at }: Pick<Step, "source" | "at">) => {
    setChosenAt(at)
    onSource(source)
  }
  /** False if the source would be no MJML any more. */
  const apply = (edit: Edit | null, field: string | null = null): boolean => {
    const good = edit === null ? null : checked(tree, edit, isInside(field))
    if (good === null) return false
    if (good.source === source) return true
    const name = field === null ? null : `${found} ${field}`
    if (name === null || past.current.at(-1)?.field !== name) {
      past.current = [...past.current.slice(1 - steps), { source, at: chosenAt ?? 0, field: name }]
    }
    future.current = []
    show(good)
    return true
  }
  const go = (from: typeof past, to: typeof past) => {
    const step = from.current.pop()
    if (step === undefined) return
    to.current.push({ source, at: chosenAt ?? 0, field: null })
    show(step)
  }
  return { found, chosen: entries[found], choose, apply, undo: () => go(past, future), redo: () => go(future, past) }
}

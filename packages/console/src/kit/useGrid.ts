/**
 * The focus and the keys of a grid, and what is selected in it.
 *
 * The grid is one stop for Tab. Arrow keys, Page Up and Down, Home and End lead from row to row, the left and right ones
 * to what is in a row, and up from the first one to the heads of the columns. Enter opens a row, the space bar selects
 * it, with Shift as far as there, Ctrl+A selects all rows, and Escape none.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef
} from "react"
import { OpenContext } from "./OpenContext.ts"
import { indexOf, rowOf, type useNear } from "./useNear.ts"

const controls = "a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex]"
const focusables = (within: Element) => [...within.querySelectorAll<HTMLElement>(controls)]
/** What takes the keys and the clicks that it gets for itself. */
const takesKeys = 'input:not([type="checkbox"]), select, textarea, [contenteditable], [role="combobox"]'
const takesClicks = "a[href], button, input, label, select, textarea, [contenteditable]"

/** What stands a step before or after the current one. */
const neighbour = (all: ReadonlyArray<HTMLElement>, current: EventTarget, step: 1 | -1) =>
  all[all.indexOf(current as HTMLElement) + step]

export interface GridOptions {
  /** The rows in memory. A drawn one has its id in `data-id`, and its path in `data-href`. */
  readonly rows: ReadonlyArray<{ readonly id: string }>
  /** Rows before them. */
  readonly first: number
  readonly near: ReturnType<typeof useNear>
  readonly selected: ReadonlySet<string> | undefined
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined
  /** The head of a column that sorts has its id in `data-column`. */
  readonly sortBy: (column: string) => void
}

export const useGrid = ({ rows, first, near, selected, onSelect, sortBy }: GridOptions) => {
  const { from, goTo, perPage } = near
  const open = useContext(OpenContext)
  const grid = useRef<HTMLTableElement>(null)
  /** The row that had the focus last. `isIn`: it has it. */
  const place = useRef<{ readonly id: string; readonly index: number; readonly isIn: boolean }>(undefined)
  const isLeaving = useRef(false)
  /** Where a range of selected rows begins. */
  const anchor = useRef<string>(undefined)
  const isSelectable = onSelect !== undefined
  const isAll = isSelectable && rows.length > 0 && rows.every(({ id }) => selected?.has(id) ?? false)

  const toggle = (id: string, isExtended = false) => {
    const next = new Set(selected)
    const [begin, end] = [anchor.current, id].map((each) => rows.findIndex((row) => row.id === each))
    if (isExtended && begin !== undefined && end !== undefined && begin >= 0 && end >= 0)
      for (const row of rows.slice(Math.min(begin, end), Math.max(begin, end) + 1)) next.add(row.id)
    else {
      anchor.current = id
      if (!next.delete(id)) next.add(id)
    }
    onSelect?.(next)
  }
  const latestToggle = useRef(toggle)
  useLayoutEffect(() => {
    latestToggle.current = toggle
  })
  const onToggle = useCallback((id: string, isExtended: boolean) => latestToggle.current(id, isExtended), [])
  /** Rows that are no longer in memory stay selected. */
  const selectAll = () => onSelect?.(new Set([...(selected ?? []), ...rows.map(({ id }) => id)]))
  const toggleAll = () => (isAll ? onSelect?.(new Set()) : selectAll())

  const current = () => {
    const at = rows.findIndex(({ id }) => id === place.current?.id)
    return first + (at < 0 ? from : at)
  }
  // A row that is gone leaves the focus to the one in its place.
  useLayoutEffect(() => {
    const { current: last } = place
    if (last === undefined || !last.isIn || document.activeElement !== document.body) return
    if (rows.every(({ id }) => id !== last.id) && rows.length > 0) goTo(Math.min(last.index, first + rows.length - 1))
  })

  const onFocus = ({ target }: FocusEvent) => {
    if (isLeaving.current) return
    const row = rowOf(target)
    const element = grid.current
    if (target === element) return goTo(current())
    if (element !== null) element.tabIndex = -1
    const id = row?.dataset["id"]
    if (row !== null && id !== undefined) place.current = { id, index: indexOf(row), isIn: true }
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    const element = grid.current
    if (element === null || (relatedTarget instanceof Node && element.contains(relatedTarget))) return
    element.tabIndex = 0
    // Not where the row was removed.
    if (place.current !== undefined && target.isConnected) place.current = { ...place.current, isIn: false }
  }

  const openRow = (path: string, isElsewhere: boolean) => {
    if (isElsewhere) window.open(path, "_blank", "noopener")
    else open(path)
  }

  const onClick = ({ target, shiftKey, ctrlKey, metaKey }: MouseEvent) => {
    const row = rowOf(target)
    if (row === null || !(target instanceof Element) || target.closest(takesClicks) !== null) return
    const selection = getSelection()
    if (selection !== null && !selection.isCollapsed && row.contains(selection.anchorNode)) return
    row.focus({ preventScroll: true })
    const { id = "", href: path } = row.dataset
    if (isSelectable && (path === undefined || (selected !== undefined && selected.size > 0))) toggle(id, shiftKey)
    else if (path !== undefined) openRow(path, ctrlKey || metaKey)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, shiftKey } = event
    if (event.defaultPrevented || event.altKey || !(target instanceof HTMLElement) || target.matches(takesKeys)) return
    const isCommand = event.ctrlKey || event.metaKey
    const row = rowOf(target)
    const within = target.closest<HTMLElement>("tr")
    if (within === null) return
    const taken = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (key === "Tab") {
      // From there the browser goes on to what stands before or after the grid.
      isLeaving.current = true
      const end = shiftKey ? grid.current : focusables(grid.current ?? within).at(-1)
      end?.focus({ preventScroll: true })
      isLeaving.current = false
      return
    }
    if (key === "ArrowRight" || key === "ArrowLeft") {
      const next = neighbour([within, ...focusables(within)], target, key === "ArrowRight" ? 1 : -1)
      if (next === undefined) return
      taken()
      return next.focus()
    }
    if (isCommand && key === "a" && isSelectable) {
      taken()
      return selectAll()
    }
    if (key === "Escape" && isSelectable && selected !== undefined && selected.size > 0) {
      taken()
      return onSelect(new Set())
    }
    if (row === null) {
      if (key === "ArrowDown") {
        taken()
        goTo(current())
      }
      const { column } = target.dataset
      if ((key === "Enter" || key === " ") && column !== undefined) {
        taken()
        sortBy(column)
      }
      return
    }
    const { id = "", href: path } = row.dataset
    const index = indexOf(row)
    if (target === row && key === " " && isSelectable) {
      taken()
      return toggle(id, shiftKey)
    }
    if (target === row && key === "Enter") {
      if (path === undefined && !isSelectable) return
      taken()
      return path === undefined ? toggle(id, shiftKey) : openRow(path, isCommand)
    }
    const wanted = {
      Home: 0,
      End: first + rows.length - 1,
      PageUp: index - perPage,
      PageDown: index + perPage,
      ArrowUp: index - 1,
      ArrowDown: index + 1
    }[key]
    if (wanted === undefined) return
    taken()
    if (wanted < 0 && key === "ArrowUp") {
      const head = grid.current?.querySelector("thead")
      return focusables(head ?? row)[0]?.focus()
    }
    const next = Math.max(0, Math.min(first + rows.length - 1, wanted))
    if (shiftKey && key.startsWith("Arrow") && isSelectable) {
      anchor.current ??= id
      const reached = rows[next - first]
      if (reached !== undefined) toggle(reached.id, true)
    }
    goTo(next)
  }

  return { ref: grid, onFocus, onBlur, onClick, onKeyDown, isAll, toggle: onToggle, toggleAll }
}

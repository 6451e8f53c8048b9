/**
 * Lists as grids: the first column is the name and the link, numbers stand right, and on a phone a row has two lines.
 * Arrow keys move, Enter opens, and the space bar selects.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef
} from "react"
import { Button } from "./Button.tsx"
import { classes } from "./classes.ts"
import styles from "./DataTable.module.css"
import kit from "./kit.module.css"
import { Bar } from "./Layout.tsx"
import { CheckMark } from "./Marks.tsx"
import { OpenContext } from "./OpenContext.ts"
import { numberText } from "./Text.tsx"
import { useNear } from "./useNear.ts"
import { words } from "./words.ts"

export interface Sort {
  readonly column: string
  readonly direction: "ascending" | "descending"
}

export interface Column<R> {
  readonly id: string
  readonly name: string
  readonly cell: (row: R) => ReactNode
  /** A number, which stands right. */
  readonly isNumber?: boolean
  /** As narrow as its content. */
  readonly isFit?: boolean
  readonly isSortable?: boolean
  /** A row on a phone says the name before the value, as it does of a number. */
  readonly isNamed?: boolean
  /** The name is only read aloud. */
  readonly isNameHidden?: boolean
}

export interface DataTableProps<R extends { readonly id: string }> {
  /** What the table lists. */
  readonly label: string
  /** The first one is the name of a row. */
  readonly columns: ReadonlyArray<Column<R>>
  readonly rows: ReadonlyArray<R>
  /** All rows, with those that are not loaded; null if that is not known. */
  readonly total?: number | null | undefined
  /** Where a row leads, as a path with the base path: `hrefOf` of `app/links.ts`. */
  readonly href?: ((row: R) => string) | undefined
  readonly rowName?: (row: R) => string
  readonly sort?: Sort | undefined
  readonly onSort?: ((sort: Sort) => void) | undefined
  readonly selected?: ReadonlySet<string> | undefined
  readonly onSelect?: ((selected: ReadonlySet<string>) => void) | undefined
  /** Rows of the list before `rows`, which are no longer in memory. */
  readonly first?: number | undefined
  /** Reads the rows before those in memory, down to this one. */
  readonly onBack?: ((row: number) => void) | undefined
  readonly hasMore?: boolean | undefined
  readonly isLoadingMore?: boolean | undefined
  readonly onMore?: (() => void) | undefined
}

/** Loads the next page when the end of the list comes into sight. */
const More = ({ isLoading, onMore }: { readonly isLoading: boolean; readonly onMore: () => void }) => {
  const { loadMore } = words()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (element === null || isLoading) return
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && onMore(), {
      rootMargin: "400px"
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isLoading, onMore])
  return (
    <div ref={ref}>
      <Button onPress={onMore} isPending={isLoading}>
        {loadMore}
      </Button>
    </div>
  )
}

interface SelectorProps {
  readonly name: string
  readonly isSelected: boolean
  readonly isIndeterminate?: boolean
  readonly onChange: (isExtended: boolean) => void
}

/** Selects its row, or all rows. Arrow keys lead to it. */
const Selector = ({ name, isSelected, isIndeterminate = false, onChange }: SelectorProps) => (
  <label className={kit.choice} data-indeterminate={isIndeterminate || undefined}>
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={name}
      ref={(box) => {
        if (box !== null) box.indeterminate = isIndeterminate
      }}
      checked={isSelected}
      onChange={({ nativeEvent }) => onChange("shiftKey" in nativeEvent && nativeEvent.shiftKey === true)}
    />
    <span className={kit.box}>
      <CheckMark isIndeterminate={isIndeterminate} />
    </span>
  </label>
)

const classOf = <R,>({ isNumber, isFit, isNamed }: Column<R>, isName: boolean) =>
  classes(isName && styles.name, isNumber && styles.number, isFit && styles.fit, isNamed && styles.named)

interface RowProps<R> {
  readonly row: R
  readonly columns: ReadonlyArray<Column<R>>
  readonly name: string
  /** In the whole list. */
  readonly index: number
  readonly href: string | undefined
  /** Undefined: rows are not selected. */
  readonly isSelected: boolean | undefined
  readonly onToggle: (id: string, isExtended: boolean) => void
}

const GridRow = memo(<R extends { readonly id: string }>(props: RowProps<R>): ReactNode => {
  const { row, columns, name, index, href, isSelected, onToggle } = props
  const { selectRow } = words()
  return (
    <tr tabIndex={-1} aria-rowindex={index + 2} aria-selected={isSelected} data-id={row.id} data-href={href}>
      {isSelected !== undefined && (
        <td className={styles.fit}>
          <Selector
            name={selectRow(name)}
            isSelected={isSelected}
            onChange={(isExtended) => onToggle(row.id, isExtended)}
          />
        </td>
      )}
      {columns.map((column, at) => {
        const Cell = at === 0 ? "th" : "td"
        return (
          <Cell
            key={column.id}
            {...(at === 0 && { scope: "row" })}
            className={classOf(column, at === 0)}
            data-name={column.name}
          >
            {column.cell(row)}
          </Cell>
        )
      })}
    </tr>
  )
}) as <R extends { readonly id: string }>(props: RowProps<R>) => ReactNode

const controls = "a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex]"
const focusables = (within: Element) => [...within.querySelectorAll<HTMLElement>(controls)]
/** What takes the keys and the clicks that it gets for itself. */
const takesKeys = 'input:not([type="checkbox"]), select, textarea, [contenteditable], [role="combobox"]'
const takesClicks = "a[href], button, input, label, select, textarea, [contenteditable]"

const rowOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("tbody tr") : null
const indexOf = (row: Element) => Number(row.getAttribute("aria-rowindex")) - 2

/** The first one of `all`, the last one, or what lies a step from the current one. */
const neighbour = (all: ReadonlyArray<HTMLElement>, current: EventTarget, step: 1 | -1) =>
  all[all.indexOf(current as HTMLElement) + step]

export const DataTable = <R extends { readonly id: string }>(props: DataTableProps<R>): ReactNode => {
  const { label, columns, rows, total, href, rowName, sort, onSort, selected, onSelect, hasMore, onMore } = props
  const { first = 0, onBack } = props
  const { select } = words()
  const open = useContext(OpenContext)
  const frame = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const { from, to, above, below, goTo, perPage } = useNear({ frame, count: rows.length, first, onBack })
  /** The row that had the focus last. `isIn`: it has it. */
  const place = useRef<{ readonly id: string; readonly index: number; readonly isIn: boolean }>(undefined)
  const isLeaving = useRef(false)
  /** Where a range of selected rows begins. */
  const anchor = useRef<string>(undefined)
  const isSelectable = onSelect !== undefined
  const isAll = isSelectable && rows.length > 0 && rows.every(({ id }) => selected?.has(id) ?? false)
  const knownTotal = total === undefined ? rows.length : total

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
  const onToggle = useRef((id: string, isExtended: boolean) => latestToggle.current(id, isExtended)).current
  const toggleAll = () => onSelect?.(isAll ? new Set() : new Set([...(selected ?? []), ...rows.map(({ id }) => id)]))

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

  const sortBy = (column: string | undefined) => {
    if (column === undefined || onSort === undefined) return
    const isAscending = sort?.column === column && sort.direction === "ascending"
    onSort({ column, direction: isAscending ? "descending" : "ascending" })
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
      return onSelect(new Set([...(selected ?? []), ...rows.map(({ id }) => id)]))
    }
    if (key === "Escape" && isSelectable && selected !== undefined && selected.size > 0) {
      taken()
      return onSelect(new Set())
    }
    if (row === null) {
      if (key === "ArrowDown") {
        taken()
        goTo(current())
      } else if ((key === "Enter" || key === " ") && target.dataset["column"] !== undefined) {
        taken()
        sortBy(target.dataset["column"])
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

  return (
    <div ref={frame} className={styles.frame}>
      {above > 0 && <div style={{ height: above }} />}
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={knownTotal === null ? -1 : knownTotal + 1}
        aria-multiselectable={isSelectable || undefined}
        className={styles.table}
        onFocus={onFocus}
        onBlur={onBlur}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1}>
            {isSelectable && (
              <th scope="col" className={styles.fit}>
                <Selector
                  name={select}
                  isSelected={isAll}
                  isIndeterminate={!isAll && (selected?.size ?? 0) > 0}
                  onChange={toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={classOf(column, false)}
                {...((column.isFit || column.isNumber) && { "data-fit": true })}
                {...(column.isSortable && {
                  tabIndex: -1,
                  "data-column": column.id,
                  "aria-sort": sort?.column === column.id ? sort.direction : ("none" as const),
                  onClick: () => sortBy(column.id)
                })}
              >
                {column.isNameHidden ? <span className="visually-hidden">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(from, to).map((row, at) => (
            <GridRow
              key={row.id}
              row={row}
              columns={columns}
              name={rowName?.(row) ?? row.id}
              index={first + from + at}
              href={href?.(row)}
              isSelected={isSelectable ? (selected?.has(row.id) ?? false) : undefined}
              onToggle={onToggle}
            />
          ))}
        </tbody>
      </table>
      {below > 0 && <div style={{ height: below }} />}
      <div className={styles.foot}>
        {total !== undefined && total !== null && (
          <span>
            {numberText(first + rows.length)} / {numberText(total)}
          </span>
        )}
        {hasMore && onMore !== undefined && <More isLoading={props.isLoadingMore ?? false} onMore={onMore} />}
      </div>
    </div>
  )
}

/** Says how many rows are new above the part of a list that one reads, and shows them. It takes no place. */
export const NewRows = ({ count, onShow }: { readonly count: number; readonly onShow: () => void }): ReactNode => {
  const { newRows } = words()
  return (
    <div className={styles.news} aria-live="polite">
      {count > 0 && (
        <Button kind="primary" onPress={onShow}>
          {newRows(count)}
        </Button>
      )}
    </div>
  )
}

/** The actions for selected rows. */
export const SelectionBar = (props: {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}): ReactNode => {
  const { selected, clearSelection } = words()
  if (props.count === 0) return null
  return (
    <section className={styles.selection} aria-label={selected(props.count)}>
      <strong>{selected(props.count)}</strong>
      {props.children}
      <Button kind="quiet" onPress={props.onClear}>
        {clearSelection}
      </Button>
    </section>
  )
}

/** The place of a table that is being loaded. */
export const TableSkeleton = ({ rows = 8 }: { readonly rows?: number }): ReactNode => (
  <div className={styles.skeleton} aria-hidden>
    {Array.from({ length: rows }, (_, index) => (
      <div key={index} className={styles.skeletonRow}>
        <Bar width={`${60 - (index % 4) * 10}%`} height={12} />
      </div>
    ))}
  </div>
)

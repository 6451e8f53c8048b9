/**
 * Lists as grids: the first column is the name and the link, numbers stand right, and on a phone a row has two lines.
 * Arrow keys move, Enter opens, and the space bar selects.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from "react"
import { Checkbox } from "react-aria-components/Checkbox"
import {
  Column as AriaColumn,
  Row as AriaRow,
  Cell,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader
} from "react-aria-components/Table"
import { Button } from "./Button.tsx"
import { classes } from "./classes.ts"
import styles from "./DataTable.module.css"
import kit from "./kit.module.css"
import { Bar } from "./Layout.tsx"
import { CheckMark } from "./Marks.tsx"
import { numberText } from "./Text.tsx"
import { useNear } from "./useNear.ts"
import { words } from "./words.ts"

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
  readonly sort?: SortDescriptor | undefined
  readonly onSort?: ((sort: SortDescriptor) => void) | undefined
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

/** Screen readers hear where a row is in the whole list, of which not every row is drawn. The header is the first row. */
const usePositions = (drawnFrom: number, total: number | null) => {
  const ref = useRef<HTMLTableElement | HTMLDivElement>(null)
  const count = total === null ? -1 : total + 1
  useLayoutEffect(() => {
    const grid = ref.current
    if (grid === null) return
    grid.setAttribute("aria-rowcount", String(count))
    const number = () => {
      const [head, ...rows] = grid.querySelectorAll('[role="row"]')
      head?.setAttribute("aria-rowindex", "1")
      for (const [index, row] of rows.entries()) row.setAttribute("aria-rowindex", String(drawnFrom + index + 2))
    }
    number()
    // Rows that were read later are drawn after this effect.
    const observer = new MutationObserver(number)
    observer.observe(grid, { childList: true, subtree: true })
    return () => observer.disconnect()
  })
  return ref
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

/** Selects its row, or all rows. */
const Selector = ({ name }: { readonly name: string }) => (
  <Checkbox slot="selection" aria-label={name} className={kit.choice ?? ""}>
    {({ isIndeterminate }) => (
      <span className={kit.box}>
        <CheckMark isIndeterminate={isIndeterminate} />
      </span>
    )}
  </Checkbox>
)

const keysOf = <R extends { readonly id: string }>(
  selection: Selection,
  rows: ReadonlyArray<R>
): ReadonlySet<string> =>
  selection === "all" ? new Set(rows.map(({ id }) => id)) : new Set([...selection].map(String))

export const DataTable = <R extends { readonly id: string }>(props: DataTableProps<R>): ReactNode => {
  const { label, columns, rows, total, href, rowName, sort, onSort, selected, onSelect, hasMore, onMore } = props
  const { first = 0, onBack } = props
  const { select, selectRow } = words()
  const frame = useRef<HTMLDivElement>(null)
  const { from, to, above, below, goTo, perPage } = useNear({ frame, count: rows.length, first, onBack })
  const ref = usePositions(first + from, total === undefined ? rows.length : total)
  const isSelectable = onSelect !== undefined
  const className = ({ isNumber, isFit, isNamed }: Column<R>, isName: boolean) =>
    classes(isName && styles.name, isNumber && styles.number, isFit && styles.fit, isNamed && styles.named)
  /** Rows that a key leads to may not be drawn. */
  const move = (event: KeyboardEvent) => {
    if (first === 0 && to - from === rows.length) return
    const row = event.target instanceof Element ? event.target.closest('tbody [role="row"]') : null
    if (row === null || (row !== event.target && !event.ctrlKey)) return
    const index = Number(row.getAttribute("aria-rowindex")) - 2
    const target = {
      Home: 0,
      End: first + rows.length - 1,
      PageUp: index - perPage,
      PageDown: index + perPage,
      ArrowUp: index - 1,
      ArrowDown: index + 1
    }[event.key]
    const isDrawn = target !== undefined && target >= first + from && target < first + to
    if (target === undefined || event.shiftKey || (isDrawn && event.key.startsWith("Arrow"))) return
    event.preventDefault()
    event.stopPropagation()
    goTo(target)
  }
  return (
    <div ref={frame} className={styles.frame} onKeyDownCapture={move}>
      {above > 0 && <div style={{ height: above }} />}
      <Table
        ref={ref}
        aria-label={label}
        className={styles.table ?? ""}
        selectionMode={isSelectable ? "multiple" : "none"}
        {...(selected !== undefined && { selectedKeys: selected })}
        {...(onSelect !== undefined && { onSelectionChange: (keys: Selection) => onSelect(keysOf(keys, rows)) })}
        {...(sort !== undefined && { sortDescriptor: sort })}
        {...(onSort !== undefined && { onSortChange: onSort })}
      >
        <TableHeader>
          {isSelectable && (
            <AriaColumn className={styles.fit ?? ""}>
              <Selector name={select} />
            </AriaColumn>
          )}
          {columns.map((column, index) => (
            <AriaColumn
              key={column.id}
              id={column.id}
              isRowHeader={index === 0}
              allowsSorting={column.isSortable ?? false}
              className={className(column, false)}
              {...((column.isFit || column.isNumber) && { "data-fit": true })}
            >
              {column.isNameHidden ? <span className="visually-hidden">{column.name}</span> : column.name}
            </AriaColumn>
          ))}
        </TableHeader>
        <TableBody items={rows.slice(from, to)} dependencies={[columns, selected]}>
          {(row) => (
            <AriaRow
              id={row.id}
              {...(href !== undefined && { href: href(row) })}
              {...(rowName !== undefined && { textValue: rowName(row) })}
            >
              {isSelectable && (
                <Cell className={styles.fit ?? ""}>
                  <Selector name={selectRow(rowName?.(row) ?? row.id)} />
                </Cell>
              )}
              {columns.map((column, index) => (
                <Cell key={column.id} className={className(column, index === 0)} data-name={column.name}>
                  {column.cell(row)}
                </Cell>
              ))}
            </AriaRow>
          )}
        </TableBody>
      </Table>
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

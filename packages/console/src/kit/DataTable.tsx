/**
 * Lists as grids: the first column is the name and the link, numbers stand right, and on a phone a row has two lines.
 * Arrow keys move, Enter opens, and the space bar selects.
 */
import { memo, type ReactNode, useEffect, useRef } from "react"
import { Button } from "./Button.tsx"
import { classes } from "./classes.ts"
import styles from "./DataTable.module.css"
import kit from "./kit.module.css"
import { Bar } from "./Layout.tsx"
import { CheckMark } from "./Marks.tsx"
import { numberText } from "./Text.tsx"
import { useGrid } from "./useGrid.ts"
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

/** Apart from its row, so that a selection draws the boxes only. */
const Cells = memo(
  <R,>({ row, columns }: Pick<RowProps<R>, "row" | "columns">): ReactNode =>
    columns.map((column, at) => {
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
    })
) as <R>(props: Pick<RowProps<R>, "row" | "columns">) => ReactNode

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
      <Cells row={row} columns={columns} />
    </tr>
  )
}) as <R extends { readonly id: string }>(props: RowProps<R>) => ReactNode

export const DataTable = <R extends { readonly id: string }>(props: DataTableProps<R>): ReactNode => {
  const { label, columns, rows, total, href, rowName, sort, onSort, selected, onSelect, hasMore, onMore } = props
  const { first = 0, onBack } = props
  const { select } = words()
  const frame = useRef<HTMLDivElement>(null)
  const near = useNear({ frame, count: rows.length, first, onBack })
  const { from, to, above, below } = near
  const isSelectable = onSelect !== undefined
  const knownTotal = total === undefined ? rows.length : total
  const sortBy = (column: string) =>
    onSort?.({
      column,
      direction: sort?.column === column && sort.direction === "ascending" ? "descending" : "ascending"
    })
  const { isAll, toggle, toggleAll, ...grid } = useGrid({ rows, first, near, selected, onSelect, sortBy })
  return (
    <div ref={frame} className={styles.frame}>
      {above > 0 && <div style={{ height: above }} />}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and selected
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={knownTotal === null ? -1 : knownTotal + 1}
        aria-multiselectable={isSelectable || undefined}
        className={styles.table}
        {...grid}
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
              onToggle={toggle}
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

/**
 * The rows of a long list that are near the window: only these are drawn, and the others keep their place. Heights are
 * kept for parts of some rows, measured while they are drawn.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"

/** Rows that are drawn together. */
const part = 25
/** Rows beyond those that are near, within which the one with the focus is drawn. */
const far = 100
/** A list up to this length is drawn as a whole. It fills two windows: each further row delays the first paint. */
const short = 50
/** Above and below a row that is gone to, in pixels. */
const margin = 80
/** Of a row, in pixels, until one was measured. */
const usualHeight = 37

/** The row that something stands in, but not the one of the heads. */
export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("tbody tr") : null
/** The number of a row in the whole list. */
export const indexOf = (row: Element): number => Number(row.getAttribute("aria-rowindex")) - 2
const rowsOf = (frame: Element) => [...frame.querySelectorAll<HTMLElement>("tbody tr")]

interface Near {
  /** Numbers of rows in the whole list; `to` is the first one that is not drawn. */
  readonly from: number
  readonly to: number
  /** Pixels that the rows before and after them take. */
  readonly above: number
  readonly below: number
}

export interface NearOptions {
  readonly frame: RefObject<HTMLElement | null>
  /** Rows of the list that are in memory, and rows before these. */
  readonly count: number
  readonly first: number
  /** Reads rows before those in memory, down to this one. */
  readonly onBack?: ((row: number) => void) | undefined
}

interface Moves {
  /** Scrolls to a row, and gives it the focus. */
  readonly goTo: (row: number) => void
  /** Rows that fit into the window. */
  readonly perPage: number
}

export const useNear = ({ frame, count, first, onBack }: NearOptions): Near & Moves => {
  const heights = useRef(new Map<number, number>())
  const wanted = useRef<number>(undefined)
  const [near, setNear] = useState({ from: 0, to: short })
  const end = first + count
  const isLong = first > 0 || count > short
  // After another filter, the range may lie beyond the list.
  const isInside = near.from < end && near.to > first
  const from = isLong ? (isInside ? Math.max(first, near.from) : first) : first
  const to = isLong ? (isInside ? Math.min(end, near.to) : Math.min(end, first + short)) : end

  const measured = [...heights.current.values()]
  const usual =
    measured.length === 0 ? usualHeight * part : measured.reduce((sum, each) => sum + each, 0) / measured.length
  const heightOf = (number: number) => heights.current.get(number) ?? usual
  const heightBetween = (low: number, high: number) => {
    let sum = 0
    for (let row = low; row < high; ) {
      const next = Math.min(high, (Math.floor(row / part) + 1) * part)
      sum += (heightOf(Math.floor(row / part)) * (next - row)) / part
      row = next
    }
    return sum
  }

  const look = () => {
    const element = frame.current
    if (element === null || !isLong) return
    const top = element.getBoundingClientRect().top
    const [low, high] = [-top - innerHeight, -top + 2 * innerHeight]
    let number = 0
    let y = 0
    while ((number + 1) * part < end && y + heightOf(number) < low) y += heightOf(number++)
    const next = { from: number * part, to: number * part }
    for (; next.to < end && y < high; y += heightOf(number++)) next.to += part
    if (next.from < first) onBack?.(next.from)
    // The row with the focus is drawn until it is far away. Then no row has the focus: another one would be scrolled to.
    const active = document.activeElement
    const row = element.contains(active) ? rowOf(active) : null
    const index = row === null ? Number.NaN : indexOf(row)
    if (active instanceof HTMLElement && (index < next.from - far || index >= next.to + far)) active.blur()
    else if (index < next.from) next.from = Math.floor(index / part) * part
    else if (index >= next.to) next.to = (Math.floor(index / part) + 1) * part
    if (next.from === near.from && next.to === near.to) return
    setNear(next)
  }
  const latest = useRef(look)
  useLayoutEffect(() => {
    latest.current = look
  })

  const frameId = useRef(0)
  const plan = useCallback(() => {
    frameId.current ||= requestAnimationFrame(() => {
      frameId.current = 0
      latest.current()
    })
  }, [])

  useLayoutEffect(() => {
    const element = frame.current
    if (element === null || !isLong) return
    const rows = rowsOf(element)
    const tops = rows.map((row) => row.getBoundingClientRect().top)
    const bottom = rows.at(-1)?.getBoundingClientRect().bottom ?? 0
    for (let row = Math.ceil(from / part) * part; row + part <= from + rows.length; row += part) {
      const at = row - from
      heights.current.set(row / part, (tops[at + part] ?? bottom) - (tops[at] ?? 0))
    }
    for (const head of element.querySelectorAll<HTMLElement>("[data-fit]")) {
      const { width } = head.getBoundingClientRect()
      if (width > Number.parseFloat(head.style.minWidth || "0")) head.style.minWidth = `${width}px`
    }
    const focused = wanted.current === undefined ? undefined : rows[wanted.current - from]
    if (focused !== undefined) {
      wanted.current = undefined
      const active = document.activeElement
      if (active === document.body || element.contains(active)) focused.focus({ preventScroll: true })
    }
    plan()
  })

  useEffect(() => {
    const forget = () => {
      heights.current.clear()
      plan()
    }
    document.addEventListener("scroll", plan, { capture: true, passive: true })
    addEventListener("resize", forget)
    return () => {
      cancelAnimationFrame(frameId.current)
      frameId.current = 0
      document.removeEventListener("scroll", plan, { capture: true })
      removeEventListener("resize", forget)
    }
  }, [plan])

  return {
    from: from - first,
    to: to - first,
    above: isLong ? heightBetween(0, from) : 0,
    below: isLong ? heightBetween(to, end) : 0,
    goTo: (row) => {
      const element = frame.current
      if (element === null) return
      const number = Math.max(0, Math.min(end - 1, row))
      const drawn = number < from || number >= to ? undefined : rowsOf(element)[number - from]
      const y = (drawn ?? element).getBoundingClientRect().top + (drawn === undefined ? heightBetween(0, number) : 0)
      const shift = Math.min(0, y - margin) + Math.max(0, y + 2 * margin - innerHeight)
      scrollBy({ top: number === 0 ? -scrollY : shift, behavior: "instant" })
      if (drawn !== undefined) return drawn.focus({ preventScroll: true })
      wanted.current = number
      latest.current()
    },
    perPage: Math.max(1, Math.floor(((innerHeight - 3 * margin) * part) / usual))
  }
}

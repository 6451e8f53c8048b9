/** Marks of states: a shape, a word and a colour, so that none of them stands alone. */
import type { ReactNode } from "react"
import { classes } from "./classes.ts"
import styles from "./kit.module.css"

export type Tone = "good" | "warning" | "bad" | "neutral"

/** A filled dot: done. A ring: under way. A square: waiting. A triangle: trouble. A bar: nothing happens any more. */
export type Shape = "dot" | "ring" | "square" | "triangle" | "bar"

const shapes: { readonly [S in Shape]: ReactNode } = {
  dot: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  square: <rect x="1.5" y="1.5" width="7" height="7" rx="1" fill="currentColor" />,
  triangle: <path d="M5 1 9.5 9h-9z" fill="currentColor" />,
  bar: <rect x="1" y="4" width="8" height="2" fill="currentColor" />
}

export const ShapeMark = ({ shape }: { readonly shape: Shape }): ReactNode => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
    {shapes[shape]}
  </svg>
)

interface StateProps {
  readonly shape: Shape
  readonly tone: Tone
  readonly children: ReactNode
  /** What the word means, shown on hover. */
  readonly title?: string | undefined
}

export const State = ({ shape, tone, children, title }: StateProps): ReactNode => (
  <span className={classes(styles.state, styles[tone])} title={title}>
    <ShapeMark shape={shape} />
    <span className={styles.stateWord}>{children}</span>
  </span>
)

export const CheckMark = ({ isIndeterminate = false }: { readonly isIndeterminate?: boolean }): ReactNode => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden fill="none" stroke="currentColor" strokeWidth="2">
    <path d={isIndeterminate ? "M1 5h8" : "M1 5l3 3 5-6"} />
  </svg>
)

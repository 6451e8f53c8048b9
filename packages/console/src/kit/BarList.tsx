import type { ReactNode } from "react"
import styles from "./Chart.module.css"
import { numberText } from "./Text.tsx"

export interface BarItem {
  readonly id: string
  readonly name: ReactNode
  readonly value: number
  /** What stands at the end of the row; the number by default. */
  readonly text?: ReactNode
}

/** A ranked list with a bar behind each row. */
export const BarList = ({ items }: { readonly items: ReadonlyArray<BarItem> }): ReactNode => {
  const most = Math.max(1, ...items.map(({ value }) => value))
  return (
    <ul className={styles.bars}>
      {items.map(({ id, name, value, text }) => (
        <li key={id} className={styles.barRow}>
          <span className={styles.barFill} style={{ width: `${(value / most) * 100}%` }} />
          <span>{name}</span>
          <span>{text ?? numberText(value)}</span>
        </li>
      ))}
    </ul>
  )
}

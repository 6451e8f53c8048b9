import type { ReactNode } from "react"
import styles from "./kit.module.css"

interface ProgressProps {
  readonly label: string
  /** 0 to 1. */
  readonly value: number
  /** The value in words. */
  readonly text: string
}

export const Progress = ({ label, value, text }: ProgressProps): ReactNode => {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div className={styles.progress}>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        className={styles.progressTrack}
      >
        <div className={styles.progressFill} style={{ width: `${percent}%` }} />
      </div>
      <span>{text}</span>
    </div>
  )
}

/** One polite region that screen readers read, with bars that have an Undo. */
import { type ReactNode, useSyncExternalStore } from "react"
import { Button } from "./Button.tsx"
import styles from "./kit.module.css"
import { close, shownNotices, subscribe } from "./notices.ts"
import { words } from "./words.ts"

export const Notices = (): ReactNode => {
  const { undo: undoWord } = words()
  const shown = useSyncExternalStore(subscribe, shownNotices)
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} className={styles.toast}>
          <span>{text}</span>
          {undo !== undefined && (
            <Button
              onPress={() => {
                close(id)
                undo()
              }}
            >
              {undoWord}
            </Button>
          )}
        </div>
      ))}
    </div>
  )
}

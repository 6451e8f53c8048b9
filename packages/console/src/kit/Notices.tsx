/**
 * Results of actions: one polite region that screen readers read, and bars with Undo.
 *
 * An action that is held back runs after eight seconds unless it is undone. Leaving the page within the console changes
 * nothing; closing the tab drops it, and the browser asks first.
 */
import { type ReactNode, useSyncExternalStore } from "react"
import { Button } from "./Button.tsx"
import styles from "./kit.module.css"
import { words } from "./words.ts"

interface Notice {
  readonly id: number
  readonly text: string
  readonly undo?: (() => void) | undefined
}

const shownFor = 8_000

let notices: ReadonlyArray<Notice> = []
let next = 1
const held = new Set<number>()
const listeners = new Set<() => void>()

const set = (changed: ReadonlyArray<Notice>) => {
  notices = changed
  for (const listener of listeners) listener()
}

const close = (id: number) => set(notices.filter((notice) => notice.id !== id))

const show = (text: string, undo?: () => void): number => {
  const id = next++
  set([...notices.slice(-2), { id, text, undo }])
  return id
}

/** Says what happened. With `undo`, for eight seconds, it can be taken back. */
export const notify = (text: string, undo?: () => void): void => {
  const id = show(text, undo)
  setTimeout(() => close(id), shownFor)
}

const warnOnClose = (event: BeforeUnloadEvent) => event.preventDefault()

const release = (id: number) => {
  held.delete(id)
  if (held.size === 0) removeEventListener("beforeunload", warnOnClose)
  close(id)
}

/** Runs the action after eight seconds, unless it is undone. */
export const holdBack = (text: string, action: () => void, onUndo?: () => void): void => {
  const timer = setTimeout(() => {
    release(id)
    action()
  }, shownFor)
  const id = show(text, () => {
    clearTimeout(timer)
    release(id)
    onUndo?.()
  })
  held.add(id)
  addEventListener("beforeunload", warnOnClose)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Notices = (): ReactNode => {
  const { undo: undoWord } = words()
  const shown = useSyncExternalStore(subscribe, () => notices)
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

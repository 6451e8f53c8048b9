/**
 * Results of actions, and actions that are held back.
 *
 * An action that is held back runs after eight seconds unless it is undone. Leaving the page within the console changes
 * nothing; closing the tab drops it, and the browser asks first.
 */

export interface Notice {
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

export const close = (id: number) => set(notices.filter((notice) => notice.id !== id))

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

export const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const shownNotices = (): ReadonlyArray<Notice> => notices

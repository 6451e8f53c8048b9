/** Whether the session ended while a page is open. Requests wait for the answer of the sign-in dialog. */
import { useSyncExternalStore } from "react"

let waiting: Array<(signedIn: boolean) => void> = []
let isOpen = false
/** Before a page was shown, there is no dialog: the start leads to the sign-in page. */
let isArmed = false
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

export const armSignIn = (armed: boolean): void => {
  isArmed = armed
}

/** Resolves with true after the person signed in again, with false if they left. */
export const requestSignIn = (): Promise<boolean> => {
  if (!isArmed) return Promise.resolve(false)
  isOpen = true
  notify()
  return new Promise((resolve) => waiting.push(resolve))
}

export const answerSignIn = (signedIn: boolean): void => {
  isOpen = false
  const answered = waiting
  waiting = []
  for (const resolve of answered) resolve(signedIn)
  notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSignInRequested = (): boolean => useSyncExternalStore(subscribe, () => isOpen)

/** What a person chose for this browser. Nothing of it is about contacts or keys. */
import { useSyncExternalStore } from "react"

export interface Preferences {
  readonly language: "browser" | "en" | "de"
  readonly scheme: "system" | "light" | "dark"
  readonly zone: "browser" | "project" | "utc"
  /** Whether single letters are shortcuts (WCAG 2.1.4). */
  readonly letters: boolean
  /** Projects whose checklist was dismissed. */
  readonly dismissed: ReadonlyArray<string>
}

const initial: Preferences = { language: "browser", scheme: "system", zone: "browser", letters: true, dismissed: [] }

const name = "posthorn.preferences"

const read = (): Preferences => {
  try {
    return { ...initial, ...JSON.parse(localStorage.getItem(name) ?? "{}") }
  } catch {
    return initial
  }
}

let current = read()
const listeners = new Set<() => void>()

const apply = () => {
  const root = document.documentElement
  if (current.scheme === "system") delete root.dataset["scheme"]
  else root.dataset["scheme"] = current.scheme
}
apply()

export const preferences = (): Preferences => current

export const prefer = (change: Partial<Preferences>): void => {
  current = { ...current, ...change }
  localStorage.setItem(name, JSON.stringify(current))
  apply()
  for (const listener of listeners) listener()
}

export const onPreference = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePreferences = (): Preferences => useSyncExternalStore(onPreference, preferences)

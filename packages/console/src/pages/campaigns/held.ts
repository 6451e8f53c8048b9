/** Campaigns whose sending or deletion is held back in this tab and can still be undone. */
import { useSyncExternalStore } from "react"
import { holdBack } from "../../kit/notices.ts"

type Kind = "send" | "delete"

let held: ReadonlyMap<string, Kind> = new Map()
const listeners = new Set<() => void>()

const change = (id: string, kind: Kind | undefined) => {
  const next = new Map(held)
  if (kind === undefined) next.delete(id)
  else next.set(id, kind)
  held = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The campaigns that are held back, and why. */
export const useHeld = (): ReadonlyMap<string, Kind> => useSyncExternalStore(subscribe, () => held)

/** Holds an action on a campaign back for eight seconds, with an Undo. The campaign counts as held until the action ends. */
export const holdCampaign = (
  id: string,
  kind: Kind,
  text: string,
  action: () => Promise<void>,
  onUndo?: () => void
): void => {
  change(id, kind)
  holdBack(
    text,
    () => void action().finally(() => change(id, undefined)),
    () => {
      change(id, undefined)
      onUndo?.()
    }
  )
}

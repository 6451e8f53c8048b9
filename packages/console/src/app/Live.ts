/**
 * Changes as the service tells them. While they arrive, pages ask nothing by themselves: they read again what a change is
 * about. Hidden pages wait until they are seen. Without the stream, pages ask from time to time.
 */
import type { LiveEvent } from "@posthorn/client/session"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useSyncExternalStore } from "react"

let following = false
const watchers = new Set<() => void>()
const listeners = new Set<(change: LiveEvent) => void>()

/** Whether changes arrive. What was read before they do may be old already, so it is read once more. */
export const setFollowing = (to: boolean): void => {
  if (to === following) return
  following = to
  for (const watcher of watchers) watcher()
  if (to) tell({ event: "reset", data: {} })
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useFollowing = (): boolean => useSyncExternalStore(watch, () => following)

/** Passes a change to the pages. */
export const tell = (change: LiveEvent): void => {
  for (const listener of listeners) listener(change)
}

/** The least time between two reads for changes, in milliseconds. Sums over many mails change slowly. */
const pace = 5_000
const paces: { readonly [noun: string]: number } = {
  campaigns: 10_000,
  contacts: 10_000,
  events: 10_000,
  forms: 10_000,
  imports: 2_000,
  overview: 30_000,
  providers: 30_000,
  segments: 10_000,
  topics: 10_000,
  webhooks: 10_000,
  workflows: 10_000
}

type Kind = LiveEvent["event"]

/** Besides those of the same name, and `reset`, after which everything may have changed. */
const kinds: { readonly [noun: string]: ReadonlyArray<Kind> } = {
  activity: ["activity"],
  campaigns: ["activity"],
  contacts: ["activity", "job"],
  domains: ["domain"],
  emails: ["activity"],
  events: ["activity"],
  executions: ["activity"],
  forms: ["activity"],
  imports: ["job"],
  overview: ["activity", "domain"],
  providers: ["activity"],
  segments: ["activity", "job"],
  suppressions: ["activity"],
  topics: ["activity", "job"],
  transports: ["activity"],
  webhooks: ["activity"],
  workflows: ["activity"]
}

const isAbout = (noun: string, { event }: LiveEvent) => event === "reset" || (kinds[noun] ?? []).includes(event)

/** Between two looks whether a write that runs has ended. What it removes must not be read meanwhile. */
const untilWritten = 500
/** A write of this tab reads again what it changed, so the news of it waits, in milliseconds. */
const afterWrite = 4_000

const writes = new Map<string, number>()

/** This tab has written, and reads again what these nouns name. */
export const noteWrite = (nouns: ReadonlyArray<string>): void => {
  for (const noun of nouns) writes.set(noun, performance.now())
}

/**
 * Calls `act` for a change of what the noun names, at once for the first one, and then at most once in its pace. While a
 * write runs, it waits.
 */
export const useMoved = (noun: string, act: (changes: ReadonlyArray<LiveEvent>) => void): void => {
  const client = useQueryClient()
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    let waiting: Array<LiveEvent> = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = Number.NEGATIVE_INFINITY
    const rest = () =>
      Math.max(last + (paces[noun] ?? pace), (writes.get(noun) ?? Number.NEGATIVE_INFINITY) + afterWrite) -
      performance.now()
    const run = () => {
      timer = undefined
      if (document.hidden || waiting.length === 0) return
      if (client.isMutating() > 0 || rest() > 0) {
        timer = setTimeout(run, Math.max(untilWritten, rest()))
        return
      }
      const changes = waiting
      if (changes.some(({ event }) => event !== "reset")) last = performance.now()
      waiting = []
      latest.current(changes)
    }
    const plan = () => {
      timer ??= setTimeout(run, Math.max(0, rest()))
    }
    const listen = (change: LiveEvent) => {
      if (!isAbout(noun, change)) return
      if (waiting.length < 100) waiting.push(change)
      plan()
    }
    listeners.add(listen)
    document.addEventListener("visibilitychange", plan)
    return () => {
      clearTimeout(timer)
      listeners.delete(listen)
      document.removeEventListener("visibilitychange", plan)
    }
  }, [client, noun])
}

/** Follows the changes of a project while its pages are open. The code for it is loaded when the page is shown. */
export const useLiveStream = (project: string): void => {
  useEffect(() => {
    const leave = new AbortController()
    const start = setTimeout(async () => {
      const { follow } = await import("./LiveStream.ts")
      if (!leave.signal.aborted) follow(project, leave.signal)
    }, 1_000)
    return () => {
      clearTimeout(start)
      leave.abort()
      setFollowing(false)
    }
  }, [project])
}

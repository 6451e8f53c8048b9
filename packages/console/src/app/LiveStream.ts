/**
 * One live stream for all tabs of a browser that show a project. The tab that holds a lock reads it, and passes the changes
 * on. Another tab takes over where the position of the last change is.
 *
 * Without locks, as in a page of plain http, or after two attempts in a row that failed, pages ask by themselves.
 */
import { type LiveEvent, PosthornSession } from "@posthorn/client/session"
import { apiBase, apiHeaders } from "./Api.ts"
import { deployment } from "./Deployment.ts"
import { setFollowing, tell } from "./Live.ts"
import { applyChange } from "./LiveChanges.ts"
import { queryClient } from "./Queries.ts"

/** Between two tries to start the stream again after an answer that another attempt does not mend, in milliseconds. */
const restart = 60_000
/** Attempts in a row that fail before pages ask by themselves. */
const mostFailures = 2

type Message = { readonly change: LiveEvent } | { readonly isOpen: boolean } | "state?"

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      done()
    })
  })

/** Follows until the signal. */
export const follow = (project: string, signal: AbortSignal): void => {
  if (navigator.locks === undefined || typeof BroadcastChannel === "undefined") return
  const name = `posthorn-live ${deployment.basePath} ${project}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener("abort", () => channel.close())
  let last: string | undefined
  let isHolder = false
  let isOpen = false

  const take = (change: LiveEvent) => {
    last = change.id ?? last
    applyChange(project, change)
    tell(change)
  }
  const announce = (open: boolean) => {
    isOpen = open
    setFollowing(open)
    if (!signal.aborted) channel.postMessage({ isOpen } satisfies Message)
  }
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data === "state?") {
      if (isHolder) channel.postMessage({ isOpen } satisfies Message)
    } else if (!isHolder) {
      if ("change" in data) take(data.change)
      else setFollowing(data.isOpen)
    }
  })
  channel.postMessage("state?" satisfies Message)

  /** Notes whether the attempts of the client succeed. */
  let failures = 0
  const failed = () => {
    failures++
    if (failures >= mostFailures) announce(false)
  }
  const watched = async (url: string, init: RequestInit) => {
    try {
      const response = await fetch(url, init)
      if (response.ok) {
        failures = 0
        announce(true)
      } else failed()
      return response
    } catch (error) {
      failed()
      throw error
    }
  }

  const read = async () => {
    isHolder = true
    const api = new PosthornSession({
      baseUrl: apiBase,
      projectId: project,
      headers: apiHeaders,
      fetch: watched,
      retries: 0
    })
    while (!signal.aborted) {
      // While the data of a project is deleted, which this page waits for, there is no stream.
      while (queryClient.isMutating() > 0 && !signal.aborted) await pause(500, signal)
      try {
        for await (const change of api.live(undefined, { signal, lastEventId: last })) {
          take(change)
          channel.postMessage({ change } satisfies Message)
        }
      } catch {
        // Signed out, or no longer a member: other calls of the page say so.
        announce(false)
        await pause(restart, signal)
      }
    }
  }

  void navigator.locks.request(name, { signal }, read).catch(() => {
    // The page is left while another one holds the lock.
  })
}

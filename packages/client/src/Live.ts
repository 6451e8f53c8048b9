/** Follows changes of a project: connects again after each end, and continues where it was. */
import type { Caller } from "./Requests.ts"
import { delayOf, isPassing, pause } from "./Retry.ts"
import type { LiveEvent } from "./types.generated.ts"

export type LiveTopic = "activity" | "campaigns" | "jobs" | "domains" | "project"

export interface LiveOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /** The `id` of the last event of an earlier iteration, to continue after it. */
  readonly lastEventId?: string | undefined
}

/** Milliseconds. The service sends something every 15 seconds, so the connection behind a longer silence is broken. */
const longestSilence = 45_000

interface Position {
  id: string | undefined
}

/** The events in a stream. Each id moves the position, also one without an event. */
async function* eventsIn(body: ReadableStream<Uint8Array>, position: Position): AsyncGenerator<LiveEvent> {
  const decoder = new TextDecoder()
  let [rest, event, data] = ["", "", ""]
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const read = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reader.cancel().catch(() => {}), longestSilence)
    return reader.read()
  }
  try {
    for (let part = await read(); !part.done; part = await read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const [, name, value = ""] = /^(event|data|id): (.*)$/.exec(line) ?? []
        if (name === "id") position.id = value
        if (name === "event") event = value
        if (name === "data") data = value
        if (line !== "") continue
        if (data !== "") yield { id: position.id, event, data: JSON.parse(data) } as LiveEvent
        event = data = ""
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => {})
  }
}

/** An error that another attempt cannot mend is thrown as a `PosthornError`. */
export const followerOf =
  (call: Caller) =>
  (topics?: ReadonlyArray<LiveTopic>, { signal, lastEventId }: LiveOptions = {}): AsyncIterable<LiveEvent> => ({
    async *[Symbol.asyncIterator]() {
      const position: Position = { id: lastEventId }
      let failures = 0
      while (!signal?.aborted) {
        const { data, error } = await call<ReadableStream<Uint8Array>>("GET", "/live", {
          query: topics?.length ? { topics } : {},
          headers: position.id === undefined ? {} : { "last-event-id": position.id },
          options: { signal, retries: 0 },
          stream: true
        })
        if (signal?.aborted) return
        if (error !== null && !isPassing(error, false)) throw error
        if (data !== null) {
          failures = 0
          try {
            yield* eventsIn(data, position)
          } catch (broken) {
            if (broken instanceof SyntaxError) throw broken
          }
        }
        failures++
        await pause(delayOf(failures, null, Math.random()) ?? 0, signal)
      }
    }
  })

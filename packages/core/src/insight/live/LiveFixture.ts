/** Reads streams of live changes. For tests. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import { key } from "../../testing/Services.ts"
import { Wire } from "../../testing/TestClient.ts"

export interface ReadEvent {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  readonly data: any
}

/** A stream that is read in the background, as it arrives. */
export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  readonly events: ReadonlyArray<ReadEvent>
  /** Everything that arrived, as text. */
  readonly text: () => string
  /** The last id. */
  readonly position: () => string
  readonly isOver: () => boolean
  readonly leave: Effect.Effect<void>
}

const parse = (text: string): ReadonlyArray<ReadEvent> =>
  text.split("\n\n").flatMap((block) => {
    const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? []
    return data === "" ? [] : [{ event, data: JSON.parse(data) }]
  })

/** Opens a stream with the secret key of the test project, unless the headers say otherwise. */
export const openStream = Effect.fnUntraced(function* (query = "", headers: Record<string, string> = {}) {
  const handler = yield* Wire
  const request = new Request(`http://posthorn/live${query}`, {
    headers: { authorization: `Bearer ${key}`, ...headers }
  })
  const response = yield* Effect.promise(() => handler(request))
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const received = { text: "", isOver: false }
  const read = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      received.text += decoder.decode(part.value, { stream: true })
    }
  }
  read()
    .catch(() => {})
    .finally(() => {
      received.isOver = true
    })
  const stream: OpenStream = {
    status: response.status,
    headers: response.headers,
    get events() {
      return parse(received.text.slice(0, received.text.lastIndexOf("\n\n") + 2))
    },
    text: () => received.text,
    position: () =>
      received.text
        .match(/^id: (.*)$/gm)
        ?.at(-1)
        ?.slice(4) ?? "",
    isOver: () => received.isOver,
    leave: Effect.promise(async () => reader?.cancel())
  }
  yield* Effect.addFinalizer(() => stream.leave)
  if (response.status === 200) {
    yield* eventually(Effect.sync(stream.text), (text) => text.includes("id: ") || received.isOver)
  }
  return stream
})

/** Advances the clock until the streams have what is wanted. */
export const until = (isThere: () => boolean) =>
  eventually(Effect.andThen(TestClock.adjust("500 millis"), Effect.sync(isThere)), (found) => found)

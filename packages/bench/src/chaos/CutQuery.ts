/** A connection to PostgreSQL that breaks at one statement, as a server sees it when the network fails. */
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import * as Relay from "./Relay.ts"

/**
 * `before`: the server never gets the statement. `reply`: it runs the statement, and its reply is lost. `while`: the
 * connection breaks while the statement runs for long. `at once`: the statement may have started or not.
 */
export type Cut = "before" | "reply" | "while" | "at once"

export interface CutQuery {
  /** The URL at which a program reaches the database. */
  readonly url: string
  /** Cuts the connection that runs the next matching statement. */
  readonly cutAt: (isTheOne: (statement: string) => boolean, cut: Cut) => void
  readonly cuts: () => number
}

/** Milliseconds after which the server has started what it was sent, and has not finished a slow statement. */
const begun = 300

const sslRequest = 80_877_103

const textAt = (frame: Buffer, start: number) => frame.toString("utf8", start, frame.indexOf(0, start))

/** The statements that a client has run (protocol 3.0: Parse names a statement, Bind runs it). */
const statements = (run: (statement: string) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  const prepared = new Map<string, string>()
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      const frame = rest.subarray(0, size)
      rest = rest.subarray(size)
      const type = isStarted ? String.fromCharCode(frame[0] ?? 0) : ""
      if (!isStarted) isStarted = frame.readInt32BE(4) !== sslRequest
      const first = textAt(frame, 5)
      if (type === "P") prepared.set(first, textAt(frame, 5 + Buffer.byteLength(first) + 1))
      if (type === "B") run(prepared.get(textAt(frame, 5 + Buffer.byteLength(first) + 1)) ?? "")
      if (type === "Q") run(first)
    }
  }
}

/** Forwards everything, in both directions, until a cut is set. */
export const make = Effect.fnUntraced(function* (databaseUrl: string): Effect.fn.Return<CutQuery, never, Scope.Scope> {
  const database = new URL(databaseUrl)
  let next: { readonly isTheOne: (statement: string) => boolean; readonly cut: Cut } | undefined
  let cuts = 0
  const port = yield* Relay.listen((near, keep) => {
    const far = keep(connect(Number(database.port || 5432), database.hostname))
    let cut: Cut | undefined
    const watch = statements((statement) => {
      if (!next?.isTheOne(statement)) return
      cut = next.cut
      next = undefined
      cuts++
    })
    near.on("data", (chunk: Buffer) => {
      watch(chunk)
      if (cut === "before") far.destroy()
      else far.write(chunk)
      if (cut === "before" || cut === "at once") near.destroy()
      if (cut === "while") setTimeout(() => near.destroy(), begun)
    })
    far.on("data", (chunk) => {
      if (cut === undefined) near.write(chunk)
      else far.destroy()
    })
    far.on("close", () => near.destroy())
    near.on("close", () => cut === undefined && far.destroy())
  })
  return {
    url: Relay.urlThrough(databaseUrl, port),
    cutAt: (isTheOne, cut) => {
      next = { isTheOne, cut }
    },
    cuts: () => cuts
  }
})

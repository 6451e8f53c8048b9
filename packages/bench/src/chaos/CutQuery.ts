/** A stretch of wire to PostgreSQL that is cut at one statement: what a server sees of a network that fails there. */
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import * as Relay from "./Relay.ts"

/**
 * `before`: the server never gets the statement. `reply`: it runs it, and its reply is lost. `while`: it runs it, for long.
 * `at once`: it may have begun, or not.
 */
export type Cut = "before" | "reply" | "while" | "at once"

export interface CutQuery {
  /** Where a program finds the database. */
  readonly url: string
  /** The connection that runs the next statement of this text ends there. */
  readonly cutAt: (isTheOne: (statement: string) => boolean, cut: Cut) => void
  readonly cuts: () => number
}

/** By then the server has begun to run what it was sent, and has not ended what is to take long. Milliseconds. */
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

/** Passes everything on, both ways, until it is told where to cut. */
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

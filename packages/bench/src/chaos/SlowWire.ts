/** A connection to PostgreSQL that is slow or stalls for a while, and loses nothing. */
import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"
import * as Relay from "./Relay.ts"

export interface SlowWire {
  /** The URL at which a program reaches the database. */
  readonly url: string
  /** From now on, data arrives this many milliseconds later, in order; with `Infinity`, not before the next call. */
  readonly delay: (milliseconds: number) => void
}

/** Without delay until one is set. */
export const make = Effect.fnUntraced(function* (databaseUrl: string): Effect.fn.Return<SlowWire, never, Scope.Scope> {
  const database = new URL(databaseUrl)
  let delay = 0
  const deliveries = new Set<() => void>()

  const pass = (from: Socket, to: Socket) => {
    const underWay: Array<{ readonly chunk: Buffer; readonly sentAt: number }> = []
    const deliver = () => {
      for (let [first] = underWay; first !== undefined; [first] = underWay) {
        const left = first.sentAt + delay - performance.now()
        if (left > 0) {
          if (Number.isFinite(left)) setTimeout(deliver, Math.ceil(left))
          return
        }
        to.write(first.chunk)
        underWay.shift()
      }
    }
    deliveries.add(deliver)
    from.on("data", (chunk: Buffer) => {
      underWay.push({ chunk, sentAt: performance.now() })
      if (underWay.length === 1) deliver()
    })
    from.on("close", () => {
      deliveries.delete(deliver)
      to.destroy()
    })
  }

  const port = yield* Relay.listen((near, keep) => {
    const far = keep(connect(Number(database.port || 5432), database.hostname))
    pass(near, far)
    pass(far, near)
  })
  return {
    url: Relay.urlThrough(databaseUrl, port),
    delay: (milliseconds) => {
      delay = milliseconds
      for (const deliver of deliveries) deliver()
    }
  }
})

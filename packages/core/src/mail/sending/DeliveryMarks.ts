/** The durable marks of a delivery: the begun attempt before the mail is sent, and the result after it. */
import { Effect, type Scope } from "effect"
import * as GroupCommit from "../../platform/GroupCommit.ts"
import type { AttemptMark, DeliveryQueue, Settlement } from "./DeliveryQueue.ts"

export interface DeliveryMarks {
  /** True if the begun attempt is stored: only then may the mail be sent. False: the claim was lost. */
  readonly begin: (mark: AttemptMark) => Effect.Effect<boolean>
  /**
   * True if the result is stored. False: it has no consequences, because another worker has the mail or the recipient
   * was erased.
   */
  readonly settle: (settlement: Settlement) => Effect.Effect<boolean>
}

type Mark = { readonly begun: AttemptMark } | { readonly settled: Settlement }

/** Runs until the scope closes. Waiting marks are still written then. */
export const make = Effect.fnUntraced(function* (
  queue: DeliveryQueue["Service"],
  worker: string
): Effect.fn.Return<DeliveryMarks, never, Scope.Scope> {
  const store = yield* GroupCommit.make<Mark, boolean>({
    write: Effect.fnUntraced(function* (marks) {
      const begun = marks.flatMap((mark) => ("begun" in mark ? mark.begun : []))
      const settled = marks.flatMap((mark) => ("settled" in mark ? mark.settled : []))
      const stored = yield* queue.mark(worker, begun, settled)
      return (mark) => stored.has("begun" in mark ? mark.begun.id : mark.settled.id)
    }),
    failed: "Delivery results cannot be recorded yet"
  })
  return { begin: (begun) => store({ begun }), settle: (settled) => store({ settled }) }
})

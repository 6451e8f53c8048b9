/** What events do to workflows. */
import { Effect } from "effect"
import type { Reaction } from "../events/Reaction.ts"
import { Transaction } from "../Transaction.ts"
import { RunNudge } from "./run/RunNudge.ts"
import { Starts } from "./start/Starts.ts"

export const reaction: Reaction<RunNudge | Starts | Transaction> = {
  name: "workflows",
  react: Effect.fnUntraced(function* (batch) {
    const starts = yield* Starts
    const nudge = yield* RunNudge
    const transaction = yield* Transaction
    const due = yield* starts.byEvents(batch)
    if (due > 0) yield* transaction.afterCommit(nudge.wake)
  })
}

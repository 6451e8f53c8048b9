/** Workers are frozen under load, lose their emails to others, and continue (fault matrix F6). */
import { Effect } from "effect"
import * as Ledger from "./Ledger.ts"
import { type Options, underLoad } from "./RandomEnds.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

/** Returns the emails in flight at each freeze, and the verdict: no more copies than those, and a clean exit. */
export const freezes = Effect.fn("Freezes.freezes")(function* (options: Options) {
  const { accepted, results } = yield* underLoad(options, (worker) =>
    Effect.gen(function* () {
      worker.signal("SIGSTOP")
      const inFlight = yield* Ledger.inFlight(worker.id)
      yield* Ledger.endLease(worker.id)
      yield* until("others to take its mail", Ledger.held(worker.id), (count) => count === 0)
      worker.signal("SIGCONT")
      worker.signal("SIGTERM")
      return { inFlight, exit: yield* worker.ended }
    })
  )
  const bound = results.reduce((sum, { inFlight }) => sum + inFlight, 0)
  const found = { frozen: results, ...(yield* verdict(accepted, bound)) }
  return promising(
    found,
    "A worker that woke up did not stop in order",
    results.every(({ exit }) => exit === 0)
  )
})

/** The result of a simulated month. */
import type { Plan } from "./Plan.ts"

export interface Lived {
  readonly name: "month"
  readonly plan: Plan
  readonly figures: {
    readonly mails: number
    readonly tries: number
    readonly executions: number
    readonly events: number
    /** Of real time. */
    readonly seconds: number
    /** Moves of the clock, and those while something waited. */
    readonly steps: number
    readonly impatient: number
    /** Replies of the peer. */
    readonly throttled: number
    readonly refused: number
  }
  readonly promises: ReadonlyArray<{ readonly name: string; readonly checked: number; readonly violated: number }>
}

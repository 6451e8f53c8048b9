/** The result of a long run at a steady rate. */
import type { Latency } from "../Row.ts"

export interface Sample {
  /** Since the start. */
  readonly minutes: number
  /** The memory of the server, in MB. */
  readonly rss: number
  readonly rows: Readonly<Record<string, number>>
}

export interface Soaked {
  readonly name: "soak"
  readonly minutes: number
  readonly perSecond: number
  /**
   * Emails that were answered with 200. Each reached the peer: one that was not there a minute later would have failed
   * the run.
   */
  readonly accepted: number
  readonly copies: number
  /** From the request to the 250 of the peer, in milliseconds: the median and the worst minute. */
  readonly there: { readonly median: Latency; readonly worst: Latency }
  /** In MB: after a tenth of the time, at the end, and the maximum. */
  readonly rss: { readonly first: number; readonly last: number; readonly most: number }
  readonly samples: ReadonlyArray<Sample>
}

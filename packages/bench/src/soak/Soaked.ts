/** What a long run at a steady rate has shown. */
import type { Latency } from "../Row.ts"

export interface Sample {
  /** Since the begin. */
  readonly minutes: number
  /** Of the server, in MB. */
  readonly rss: number
  readonly rows: Readonly<Record<string, number>>
}

export interface Soaked {
  readonly name: "soak"
  readonly minutes: number
  readonly perSecond: number
  /** Mails that were answered with 200. Each came to the peer: one that had not a minute later would have ended the run. */
  readonly accepted: number
  readonly copies: number
  /** From the request to the 250 of the peer, in milliseconds: the median and the worst minute. */
  readonly there: { readonly median: Latency; readonly worst: Latency }
  /** In MB: when a tenth of the time was over, at the end, and the most. */
  readonly rss: { readonly first: number; readonly last: number; readonly most: number }
  readonly samples: ReadonlyArray<Sample>
}

/** Who it was that opened a mail or followed a link, as far as it can be told (contract 8.5). Pure. */
import { DateTime, Duration } from "effect"
import { isMachineAgent } from "./ScannerAgents.ts"

export type Verdict = "human" | "machine"

/** A request for a pixel or a link, or what a provider reports of one. */
export interface Sighting {
  /** Of HTTP; a report without one was a GET. */
  readonly method?: string | undefined
  /** Used here and kept nowhere. */
  readonly userAgent: string | undefined
  /** When it came. */
  readonly at: DateTime.Utc
  /** When the mail was handed over; null while that is not on record. */
  readonly sentAt: DateTime.Utc | null
}

/** Nobody reads so fast: whoever looks this soon after the hand-over was on the way of the mail. */
const tooSoon = Duration.seconds(2)

/** Three different links of one mail within this time were followed by a machine; see `judge`. */
export const burst = Duration.seconds(2)

/** Requests that give themselves away, whenever they come. */
export const isMachineRequest = ({ method, userAgent }: Pick<Sighting, "method" | "userAgent">): boolean =>
  method === "HEAD" || isMachineAgent(userAgent)

/** Whether it came before the hand-over or right after it. Mail whose hand-over is not on record is still on its way. */
export const isTooSoon = ({ at, sentAt }: Pick<Sighting, "at" | "sentAt">): boolean =>
  sentAt === null || DateTime.isLessThan(at, DateTime.addDuration(sentAt, tooSoon))

/** The verdict on one request by itself; several links of one mail at once are judged together, by `judge`. */
export const verdictOf = (sighting: Sighting): Verdict =>
  isMachineRequest(sighting) || isTooSoon(sighting) ? "machine" : "human"

/** Who it was that opened a mail or followed a link, as far as it can be told. Pure. */
import { DateTime, Duration } from "effect"
import { isMachineAgent } from "./ScannerAgents.ts"

export type Actor = "human" | "machine"

/** Nobody reads so fast: whoever looks this soon after the hand-over was on the way of the mail. */
const tooSoon = Duration.seconds(2)

/** Three different links of one mail within this time were followed by a machine; see `judge`. */
export const burst = Duration.seconds(2)

/**
 * Whether a request gives itself away, whenever it comes. A report without a method was of a GET. The user agent is used
 * here and kept nowhere.
 */
export const isMachineRequest = ({
  method,
  userAgent
}: {
  readonly method?: string
  readonly userAgent: string | undefined
}): boolean => method === "HEAD" || isMachineAgent(userAgent)

/** Whether it came before the hand-over or right after it. Mail whose hand-over is not on record is still on its way. */
const isTooSoon = (at: DateTime.Utc, sentAt: DateTime.Utc | null): boolean =>
  sentAt === null || DateTime.isLessThan(at, DateTime.addDuration(sentAt, tooSoon))

/** The verdict on one hit by itself; several links of one mail at once are judged together, by `judge`. */
export const actorOf = (
  hit: { readonly isMachine: boolean; readonly at: DateTime.Utc },
  sentAt: DateTime.Utc | null
): Actor => (hit.isMachine || isTooSoon(hit.at, sentAt) ? "machine" : "human")

/** Whether a person or a program opened a mail or followed a link. Pure. */
import { DateTime, Duration } from "effect"
import { isMachineAgent } from "./ScannerAgents.ts"

export type BotVerdict = "human" | "machine"

/** A request within this time after the transmission comes from a scanner, because no person reads so fast. */
const tooSoon = Duration.seconds(2)

/** A program follows three different links of one mail within this time; see `judge`. */
export const burst = Duration.seconds(2)

/**
 * Whether method or user agent show that a program makes the request. Without a method it is a GET. The user agent is not
 * stored.
 */
export const isMachineRequest = ({
  method,
  userAgent
}: {
  readonly method?: string
  readonly userAgent: string | undefined
}): boolean => method === "HEAD" || isMachineAgent(userAgent)

/** Whether a hit came before the end of the transmission or right after it. `sentAt` is null during the transmission. */
const isTooSoon = (at: DateTime.Utc, sentAt: DateTime.Utc | null): boolean =>
  sentAt === null || DateTime.isLessThan(at, DateTime.addDuration(sentAt, tooSoon))

/** The verdict on a single hit. `judge` compares it with other hits of the mail. */
export const verdictOf = (
  hit: { readonly isMachine: boolean; readonly at: DateTime.Utc },
  sentAt: DateTime.Utc | null
): BotVerdict => (hit.isMachine || isTooSoon(hit.at, sentAt) ? "machine" : "human")

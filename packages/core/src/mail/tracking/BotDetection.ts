/** Whether a person or a program opened a mail or followed a link. Pure. */
import { DateTime, Duration } from "effect"
import { isMachineAgent } from "./ScannerAgents.ts"

export type Actor = "human" | "machine"

/** A request this soon after the transmission comes from a scanner, because no person reads so fast. */
const tooSoon = Duration.seconds(2)

/** Three different links of one mail within this time were opened by a program; see `judge`. */
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

/** Whether it came before the transmission or right after it. Without a stored acceptance, the mail is still in transmission. */
const isTooSoon = (at: DateTime.Utc, sentAt: DateTime.Utc | null): boolean =>
  sentAt === null || DateTime.isLessThan(at, DateTime.addDuration(sentAt, tooSoon))

/** The verdict on a single hit. `judge` looks at several links of one mail together. */
export const actorOf = (
  hit: { readonly isMachine: boolean; readonly at: DateTime.Utc },
  sentAt: DateTime.Utc | null
): Actor => (hit.isMachine || isTooSoon(hit.at, sentAt) ? "machine" : "human")

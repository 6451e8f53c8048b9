/** The timeline of a mail, oldest entry first. Pure. */
import type { Attempt, Email, TimelineEntry } from "@posthorn/contract/mail/emails/Email"
import { Array, DateTime, Order } from "effect"

/** A counted open or click. */
interface HistoryHit {
  readonly at: DateTime.Utc
  readonly kind: "open" | "click"
  /** The target of the link. */
  readonly url: string | null
  readonly verdict: "human" | "machine"
}

/** A mail, with the records of its timeline. */
export interface History {
  readonly email: Email
  /** The oldest ones, at most as many as a timeline shows. */
  readonly hits: ReadonlyArray<HistoryHit>
  /** The last one has no end during a transmission. */
  readonly attempts: ReadonlyArray<Attempt>
  /** Reports that changed no state: later deferrals, and repeated deliveries. */
  readonly deferrals: ReadonlyArray<{
    readonly at: DateTime.Utc
    readonly detail: string
    readonly kind: "deferred" | "delivered"
  }>
  readonly retriedAt: ReadonlyArray<DateTime.Utc>
  readonly unsubscribedAt: DateTime.Utc | null
}

/** The newest opens and clicks are left out first. */
export const maxEntries = 500

const byTime = Order.mapInput(DateTime.Order, ({ at }: TimelineEntry) => at)

const ofAttempt = {
  accepted: "sent",
  deferred: "deferred",
  error: "deferred",
  ambiguous: "ambiguous",
  // The state says whether a refusal bounced or failed the mail.
  rejected: undefined
} as const

const ofHit = ({ at, kind, url, verdict }: HistoryHit): TimelineEntry => {
  const detail = [url, verdict === "machine" ? "by a machine" : null].filter((part) => part !== null).join(", ")
  return { at, type: kind === "open" ? "opened" : "clicked", ...(detail !== "" && { detail }) }
}

export const timeline = ({
  email,
  hits,
  attempts,
  deferrals,
  retriedAt,
  unsubscribedAt
}: History): ReadonlyArray<TimelineEntry> => {
  const once = (type: TimelineEntry["type"], at: DateTime.Utc | null, detail?: string): ReadonlyArray<TimelineEntry> =>
    at === null ? [] : [{ at, type, ...(detail !== undefined && { detail }) }]
  const entries = [
    ...once("accepted", email.createdAt),
    ...once("suppressed", email.suppressedAt, email.suppressionReason ?? undefined),
    ...attempts.flatMap(({ outcome, endedAt, reply }) => {
      const type = outcome === null ? undefined : ofAttempt[outcome]
      return type === undefined ? [] : once(type, endedAt, type === "sent" ? undefined : (reply ?? undefined))
    }),
    ...deferrals.flatMap(({ at, detail, kind }) => once(kind, at, detail === "" ? undefined : detail)),
    ...retriedAt.flatMap((at) => once("retried", at)),
    ...once("delivered", email.deliveredAt),
    // For a mail whose opens and clicks were deleted.
    ...(hits.length === 0 ? [...once("opened", email.openedAt), ...once("clicked", email.clickedAt)] : []),
    ...once("bounced", email.bouncedAt, email.error?.message),
    ...once("complained", email.complainedAt),
    ...once("unsubscribed", unsubscribedAt),
    ...once("failed", email.failedAt, email.error?.message),
    ...once("cancelled", email.cancelledAt, email.error?.message)
  ]
  const seen = hits.slice(0, Math.max(0, maxEntries - entries.length)).map(ofHit)
  return Array.sort([...entries, ...seen], byTime).slice(0, maxEntries)
}

/** Builds the timeline of a mail, oldest entry first. Pure. */
import type { Attempt, Email, HoldReason, TimelineEntry } from "@posthorn/contract/mail/emails/Email"
import { Array, DateTime, Order } from "effect"

/** A counted open or click. */
interface HistoryHit {
  readonly at: DateTime.Utc
  readonly kind: "open" | "click"
  /** The target of the link. */
  readonly url: string | null
  readonly verdict: "human" | "machine"
}

interface Held {
  readonly at: DateTime.Utc
  /** Null while it has no end. */
  readonly until: DateTime.Utc | null
}

/** A limit of the mailbox provider of a mail, by one transport. */
interface ProviderLimit extends Held {
  /** When it changed or ended. Null: it holds. */
  readonly over: DateTime.Utc | null
  /** Blank: every transport of the installation. */
  readonly transport: string
  /** Whether it is a limit of a transport of the project. */
  readonly isOwn: boolean
}

/** A mail, with the records of its timeline. */
export interface History {
  readonly email: Email
  /** The oldest ones, at most `maxEntries`. */
  readonly hits: ReadonlyArray<HistoryHit>
  /** During a transmission, the last one has no end. */
  readonly attempts: ReadonlyArray<Attempt>
  /** Reports that did not change the status: later deferrals, and repeated deliveries. */
  readonly deferrals: ReadonlyArray<{
    readonly at: DateTime.Utc
    readonly detail: string
    readonly kind: "deferred" | "delivered"
  }>
  readonly retriedAt: ReadonlyArray<DateTime.Utc>
  /** Each time that was set, and when it was set. */
  readonly schedule: ReadonlyArray<{ readonly at: DateTime.Utc; readonly to: DateTime.Utc }>
  /** The reasons for which it waited before its first try: since when, and until when at most. */
  readonly holds: ReadonlyArray<Held & { readonly reason: HoldReason }>
  /** What held all mails of its campaign, by reason. */
  readonly ofMailing: { readonly [reason: string]: Held }
  /** Limits of its mailbox provider in the last 30 days, oldest first. */
  readonly ofProvider: ReadonlyArray<ProviderLimit>
  readonly unsubscribedAt: DateTime.Utc | null
}

/** If there are more, the newest opens and clicks are left out. */
export const maxEntries = 500

const byTime = Order.mapInput(DateTime.Order, ({ at }: TimelineEntry) => at)

const ofAttempt = {
  accepted: "sent",
  deferred: "deferred",
  error: "deferred",
  ambiguous: "ambiguous",
  // The entry `bounced` or `failed` shows it.
  rejected: undefined
} as const

const ofHit = ({ at, kind, url, verdict }: HistoryHit): TimelineEntry => {
  const detail = [url, verdict === "machine" ? "by a machine" : null].filter((part) => part !== null).join(", ")
  return { at, type: kind === "open" ? "opened" : "clicked", ...(detail !== "" && { detail }) }
}

/** What held the campaign while the mail waited for its first try. */
const heldWithCampaign = ({
  email,
  attempts,
  ofMailing
}: Pick<History, "attempts" | "email" | "ofMailing">): History["holds"] => {
  const { createdAt, cancelledAt, failedAt, suppressedAt } = email
  const end = attempts[0]?.startedAt ?? cancelledAt ?? suppressedAt ?? failedAt
  return (["WARMUP", "PAUSED"] as const).flatMap((reason) => {
    const held = ofMailing[reason]
    if (held === undefined) return []
    const { at, until } = held
    const isOver = until !== null && DateTime.isLessThanOrEqualTo(until, createdAt)
    if (isOver || (end !== null && DateTime.isGreaterThanOrEqualTo(at, end))) return []
    return [{ reason, at: DateTime.max(at, createdAt), until }]
  })
}

/** A limit held a mail that waited under it for at least so many milliseconds. */
const leastWait = 1_000

/** What held the mail because of its provider, from the time at which it was due until its first try. */
const heldByProvider = ({
  email,
  attempts,
  holds,
  ofProvider
}: Pick<History, "attempts" | "email" | "holds" | "ofProvider">): History["holds"] => {
  const { createdAt, scheduledFor, cancelledAt, failedAt, suppressedAt } = email
  const [first] = attempts
  const due = [scheduledFor, ...holds.map(({ until }) => until)].reduce<DateTime.Utc>(
    (latest, each) => (each === null ? latest : DateTime.max(latest, each)),
    createdAt
  )
  const end = (first?.startedAt ?? cancelledAt ?? suppressedAt ?? failedAt)?.epochMilliseconds
  const found = ofProvider.find(({ at, over, transport, isOwn }) => {
    const from = Math.max(at.epochMilliseconds, due.epochMilliseconds)
    const to = Math.min(over?.epochMilliseconds ?? Number.POSITIVE_INFINITY, end ?? Number.POSITIVE_INFINITY)
    if (to - from < leastWait) return false
    if (first === undefined) return true
    if (first.transportId !== null) return isOwn && transport === first.transportId
    return !isOwn && (transport === "" || transport === first.transport)
  })
  return found === undefined ? [] : [{ reason: "PROVIDER_LIMIT", at: DateTime.max(found.at, due), until: found.until }]
}

export const timeline = ({
  email,
  hits,
  attempts,
  deferrals,
  retriedAt,
  schedule,
  holds,
  ofMailing,
  ofProvider,
  unsubscribedAt
}: History): ReadonlyArray<TimelineEntry> => {
  const once = (type: TimelineEntry["type"], at: DateTime.Utc | null, detail?: string): ReadonlyArray<TimelineEntry> =>
    at === null ? [] : [{ at, type, ...(detail !== undefined && { detail }) }]
  const entries = [
    ...once("accepted", email.createdAt),
    ...schedule.flatMap(({ at, to }, n) => once(n === 0 ? "scheduled" : "rescheduled", at, DateTime.formatIso(to))),
    ...[
      ...holds,
      ...heldWithCampaign({ email, attempts, ofMailing }),
      ...heldByProvider({ email, attempts, holds, ofProvider })
    ].flatMap(({ reason, at, until }) =>
      once("held", at, until === null ? reason : `${reason} until ${DateTime.formatIso(until)}`)
    ),
    ...once("suppressed", email.suppressedAt, email.suppressionReason ?? undefined),
    ...attempts.flatMap(({ outcome, endedAt, reply }) => {
      const type = outcome === null ? undefined : ofAttempt[outcome]
      return type === undefined ? [] : once(type, endedAt, type === "sent" ? undefined : (reply ?? undefined))
    }),
    ...deferrals.flatMap(({ at, detail, kind }) => once(kind, at, detail === "" ? undefined : detail)),
    ...retriedAt.flatMap((at) => once("retried", at)),
    ...once("delivered", email.deliveredAt),
    // The rows of opens and clicks may have been deleted. The mail still has the times of the first ones.
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

/** How much mail a contact got, against the caps of its project. Pure. */
import type { FrequencyCap, OnCap, SendingSettings } from "@posthorn/contract/mail/sending/SendingSettings"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import { dayMillis } from "../../platform/WallClock.ts"

/** A mail that counts for the caps. */
export interface FrequencyEntry {
  readonly emailId: string
  readonly topicId: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Entries of one contact that are kept, and for how long: a cap counts at most as many, in at most that time. */
export const maxFrequencyEntries = 100
export const frequencyMillis = 30 * dayMillis

/** A mail that asks for a place. */
export interface FrequencyRequest {
  readonly projectId: ProjectId
  readonly contactId: string
  readonly emailId: string
  readonly topicId: string | null
  /** The caps that limit it. Without one it takes a place in any case. */
  readonly caps: ReadonlyArray<FrequencyCap>
  /** Milliseconds since 1970: earlier mail does not count. */
  readonly countSince: number
}

/** Null: the mail has its place. Otherwise when it may ask again, in milliseconds since 1970. */
export type FrequencyAnswer = number | null

/** The request of a mail. Undefined without caps. With caps each mail takes a place: a later cap may count it. */
export const placeRequest = (
  { frequencyCaps, capsCountSince }: SendingSettings,
  mail: Pick<FrequencyRequest, "projectId" | "contactId" | "emailId" | "topicId">,
  isLimited: boolean
): FrequencyRequest | undefined => {
  if (frequencyCaps.length === 0) return undefined
  const caps = frequencyCaps.filter(({ topicId }) => topicId === null || topicId === mail.topicId)
  return { ...mail, caps: isLimited ? caps : [], countSince: capsCountSince?.epochMilliseconds ?? 0 }
}

/** Until when mail without a place waits, if it has waited since then. Undefined: it is not sent. */
export const waitsUntil = (
  { maxWaitHours }: SendingSettings,
  action: OnCap["campaigns"],
  freeAt: number,
  { now, since }: { readonly now: DateTime.Utc; readonly since: DateTime.Utc }
): DateTime.Utc | undefined => {
  const deadline = DateTime.add(since, { hours: maxWaitHours })
  return action === "SKIP" || DateTime.isGreaterThanOrEqualTo(now, deadline)
    ? undefined
    : DateTime.min(DateTime.makeUnsafe(freeAt), deadline)
}

const lengthOf = ({ amount, unit }: FrequencyCap): number => amount * (unit === "days" ? dayMillis : 3_600_000)

/** Mail after this instant counts: it is within the time of the cap, and caps counted it then. */
export const countsAfter = (cap: FrequencyCap, countSince: number, now: number): number =>
  Math.max(now - lengthOf(cap), countSince - 1)

export interface CapUsage {
  readonly used: number
  /** When the next mail is allowed. Null: now. */
  readonly freeAt: number | null
}

export const capUsage = (
  cap: FrequencyCap,
  entries: ReadonlyArray<FrequencyEntry>,
  countSince: number,
  now: number
): CapUsage => {
  const after = countsAfter(cap, countSince, now)
  const counted = entries
    .filter(({ at, topicId }) => at > after && (cap.topicId === null || cap.topicId === topicId))
    .map(({ at }) => at)
    .sort((one, other) => other - one)
  const last = counted[cap.limit - 1]
  return { used: counted.length, freeAt: last === undefined ? null : last + lengthOf(cap) }
}

/** When a new mail finds a place beside these entries. Null: now. */
export const placeAt = (
  { caps, countSince }: FrequencyRequest,
  entries: ReadonlyArray<FrequencyEntry>,
  now: number
): FrequencyAnswer => {
  const free = caps.flatMap((cap) => capUsage(cap, entries, countSince, now).freeAt ?? [])
  return free.length === 0 ? null : Math.max(...free)
}

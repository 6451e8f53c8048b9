/** The storage port of opens and clicks. */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import type { LedgerEntry } from "../ledger/Ledger.ts"
import type { Actor } from "./BotDetection.ts"
import type { KnownHit } from "./EngagementRules.ts"

/** A mail with hits. It is locked until the transaction ends, so hits of one mail take turns. */
export interface HitMail extends LedgerEntry {
  readonly projectId: ProjectId
  readonly sentAt: DateTime.Utc | null
  readonly openedAt: DateTime.Utc | null
  readonly clickedAt: DateTime.Utc | null
  readonly opens: number
  readonly clicks: number
}

/** A stored hit that new hits are compared with. */
export interface RecentHit extends KnownHit {
  readonly emailId: EmailId
}

export interface NewHit {
  readonly projectId: ProjectId
  readonly emailId: EmailId
  readonly id: string
  readonly at: DateTime.Utc
  readonly kind: "open" | "click"
  readonly link: number | null
  readonly url: string | null
  readonly verdict: Actor
  readonly ordinal: number
  readonly eventDueAt: DateTime.Utc | null
}

/** The changes that hits make to a mail. Counters are differences. */
export interface MailChange {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly opens: number
  readonly clicks: number
  readonly machineOpens: number
  readonly machineClicks: number
  readonly openedAt: DateTime.Utc | null
  readonly clickedAt: DateTime.Utc | null
}

export interface Changes {
  readonly hits: ReadonlyArray<NewHit>
  readonly corrected: ReadonlyArray<{ readonly projectId: ProjectId; readonly emailId: EmailId; readonly id: string }>
  readonly mails: ReadonlyArray<MailChange>
  readonly events: ReadonlyArray<NewEvent & { readonly id: string; readonly projectId: ProjectId }>
}

/** A click with its final verdict, and the current mail. */
export interface DueClick {
  readonly projectId: ProjectId
  readonly at: DateTime.Utc
  readonly url: string | null
  readonly verdict: Actor
  readonly ordinal: number
  readonly mail: LedgerEntry
  readonly clickedAt: DateTime.Utc | null
}

type MailKey = { readonly projectId: ProjectId; readonly emailId: EmailId }

/** Storage port; everything is called within one transaction. */
export class EngagementStore extends Context.Service<
  EngagementStore,
  {
    /** The mails that exist and still have their contact. */
    readonly lock: (mails: ReadonlyArray<MailKey>) => Effect.Effect<ReadonlyArray<HitMail>>
    /** Hits of these mails from `from` until `until`, both included. */
    readonly around: (
      mails: ReadonlyArray<MailKey>,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<RecentHit>>
    /** Writes everything in one statement. A status only advances: to OPENED, to CLICKED. */
    readonly write: (changes: Changes, now: DateTime.Utc) => Effect.Effect<void>
    /** Takes up to `limit` clicks whose event is due. Each is taken once. */
    readonly takeDueClicks: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueClick>>
  }
>()("@posthorn/core/mail/tracking/EngagementStore") {}

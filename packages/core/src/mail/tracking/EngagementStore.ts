/** Where opens and clicks are recorded. */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import type { LedgerEntry } from "../ledger/Ledger.ts"
import type { Actor } from "./BotDetection.ts"
import type { KnownHit } from "./EngagementRules.ts"

/** A mail as its hits meet it; locked until the transaction ends, so hits of one mail take turns. */
export interface HitMail extends LedgerEntry {
  readonly projectId: ProjectId
  readonly sentAt: DateTime.Utc | null
  readonly openedAt: DateTime.Utc | null
  readonly clickedAt: DateTime.Utc | null
  readonly opens: number
  readonly clicks: number
}

/** A hit of a mail that is on record, as it bears on those that come. */
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

/** What hits make of a mail, counters as differences. */
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

/** A click whose verdict is final, with its mail as it is now. */
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
    /** Those of the mails that are there and still have their contact. */
    readonly lock: (mails: ReadonlyArray<MailKey>) => Effect.Effect<ReadonlyArray<HitMail>>
    /** Hits of these mails from `from` until `until`, both included. */
    readonly around: (
      mails: ReadonlyArray<MailKey>,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<RecentHit>>
    /** All of it in one statement. A status only rises: to OPENED, to CLICKED. */
    readonly write: (changes: Changes, now: DateTime.Utc) => Effect.Effect<void>
    /** Takes up to `limit` clicks whose event is due; they are never given again. */
    readonly takeDueClicks: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueClick>>
  }
>()("@posthorn/core/mail/tracking/EngagementStore") {}

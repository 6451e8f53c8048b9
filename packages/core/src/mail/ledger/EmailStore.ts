/** The delivery ledger as callers read and steer it. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Attempt, Email, EmailId, EmailQuery } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"

export type EmailFilter = Pick<
  EmailQuery,
  "status" | "sourceType" | "contactId" | "campaignId" | "workflowId" | "templateId" | "to"
> &
  DateRange

/** An open or a click that counted. */
export interface HistoryHit {
  readonly at: DateTime.Utc
  readonly kind: "open" | "click"
  /** Where the link led. */
  readonly url: string | null
  readonly verdict: "human" | "machine"
}

/** A mail with what its history is told from. */
export interface History {
  readonly email: Email
  /** The oldest ones, at most as many as a timeline has room for. */
  readonly hits: ReadonlyArray<HistoryHit>
  /** The last one is open while the mail is on the wire. */
  readonly attempts: ReadonlyArray<Attempt>
  /** What peers and providers reported that changed no state: waits after the hand-over, and further deliveries. */
  readonly deferrals: ReadonlyArray<{
    readonly at: DateTime.Utc
    readonly detail: string
    readonly kind: "deferred" | "delivered"
  }>
  readonly retriedAt: ReadonlyArray<DateTime.Utc>
  readonly unsubscribedAt: DateTime.Utc | null
}

export interface StoredContent {
  readonly html: string | null
  readonly text: string | null
  readonly purgedAt: DateTime.Utc | null
}

/** Storage port; every method takes the project first. */
export class EmailStore extends Context.Service<
  EmailStore,
  {
    readonly find: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<Email>>
    readonly history: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<History>>
    /** Newest first. */
    readonly list: (
      project: ProjectId,
      filter: EmailFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<Email>>
    readonly count: (project: ProjectId, filter: EmailFilter) => Effect.Effect<number>
    /** Mail to this contact, and mail to its address that no contact has any more; oldest first. */
    readonly toPerson: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<ReadonlyArray<Email>>
    readonly content: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<StoredContent>>
    /** Cancels a mail that still waits; none when it does not, as a worker may have taken it this moment. */
    readonly cancel: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
    /**
     * Puts a failed or ambiguous mail back into the queue with a fresh ladder; none in any other state. Mail of a campaign
     * goes on its own from here: it waits for no campaign any more.
     */
    readonly retry: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
  }
>()("@posthorn/core/mail/ledger/EmailStore") {}

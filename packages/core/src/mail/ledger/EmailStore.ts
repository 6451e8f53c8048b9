/** The storage port to read, cancel and retry emails. */

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

/** A counted open or click. */
export interface HistoryHit {
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
    /** Mail to this contact, and mail without a contact to its address; oldest first. */
    readonly toPerson: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<ReadonlyArray<Email>>
    readonly content: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<StoredContent>>
    /** Cancels a mail that is still queued. None if it is not, for example because a worker has just claimed it. */
    readonly cancel: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
    /**
     * Queues a failed or ambiguous mail again, with a new retry ladder. None in any other state. Mail of a campaign no
     * longer depends on the state of the campaign.
     */
    readonly retry: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
  }
>()("@posthorn/core/mail/ledger/EmailStore") {}

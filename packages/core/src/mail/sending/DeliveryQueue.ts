/** The storage port of workers: they claim mail, mark attempts, and write results. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { AttachmentInfo, EmailFault, EmailId, EmailStatus, SourceType } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Duration, type Effect, type Option, Schema } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import type { Urgency } from "./RetryLadder.ts"

/** The fields of a contact that its mail prints. The same text can be rendered from them again. */
export const Frozen = Schema.Struct({
  data: Schema.Record(Schema.String, Schema.Json),
  subscribed: Schema.Boolean
})
export type Frozen = typeof Frozen.Type

export const Personal = Schema.Struct({
  recipient: ContactId,
  /** The current value; null if the contact was deleted. */
  data: Schema.NullOr(Frozen.fields.data),
  /** Null until the first try begins. */
  frozen: Schema.NullOr(Frozen)
})
export type Personal = typeof Personal.Type

/** A mail that one worker has claimed, with everything that is checked again when it is sent. */
export interface ClaimedEmail {
  readonly projectId: ProjectId
  readonly id: EmailId
  /** Fence: a write is valid only while the row has this number and this worker. */
  readonly claim: number
  readonly urgency: Urgency
  readonly contactId: ContactId | null
  /** None if the contact was deleted. */
  readonly subscribed: boolean | null
  readonly suppression: SuppressionReason | null
  /** The campaign of the mail, which may be paused or cancelled. */
  readonly mailing: string | null
  /** The campaign text that the mail is rendered from. */
  readonly personal: Personal | null
  readonly ambiguousPolicy: "retry" | "hold"
  readonly projectName: string
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Null until the text of a campaign's mail is rendered. */
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly type: EmailType
  readonly sourceType: SourceType
  readonly test: boolean
  readonly tracking: boolean
  readonly headers: { readonly [name: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo & { readonly id: string }>
  readonly templateId: string | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  /** The verified domain of `from`; null while it is not verified. */
  readonly domainId: string | null
  /** Whether the return path below the sender domain is published in DNS. */
  readonly ownReturnPath: boolean
  /** Earlier tries. */
  readonly attempts: number
  readonly ladderStep: number
  readonly breaks: number
  readonly ambiguities: number
  readonly ladderSince: DateTime.Utc
  readonly createdAt: DateTime.Utc
}

/** A try that is about to start. */
export interface AttemptMark {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly number: number
  readonly at: DateTime.Utc
  /** The mark is valid only while this campaign is sending and its contact is subscribed. */
  readonly mailing: string | null
  /** Set at the first try of a mail that is rendered from a campaign text. */
  readonly frozen: { readonly to: string; readonly subject: string; readonly data: Frozen } | null
}

export interface AttemptResult {
  readonly outcome: "accepted" | "deferred" | "rejected" | "ambiguous" | "error"
  readonly transport: string | null
  readonly remoteHost: string | null
  readonly code: number | null
  readonly enhancedCode: string | null
  readonly reply: string | null
}

/** The result of a claimed mail: its next state, its attempt if there was one, and the events to record. */
export interface Settlement {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly at: DateTime.Utc
  readonly status: EmailStatus
  /** PENDING: when it is due. AMBIGUOUS: when the wait for evidence ends; null: it rests. */
  readonly dueAt: DateTime.Utc | null
  /** The new number of tries. */
  readonly attempts: number
  readonly ladderStep: number
  readonly breaks: number
  readonly ambiguities: number
  readonly error: { readonly code: EmailFault; readonly message: string } | null
  readonly suppression: SuppressionReason | null
  readonly attempt: AttemptResult | null
  readonly event: NewEvent | null
}

/**
 * Storage port of the sender: a host may keep its queue elsewhere. Leases run on the database clock, everything else on
 * `now`, the service's clock. A mail belongs to a worker, and the worker has one lease for all its mails: one row to renew.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /** Registers a worker or renews its lease. Its mails are its own for `lease` from now on. */
    readonly heartbeat: (worker: string, lease: Duration.Duration) => Effect.Effect<void>
    /**
     * Claims up to `limit` due mails: transactional before bulk, a fair share for each project, none of disabled
     * projects, no more than a project's sending rate. No other worker gets them during the worker's lease.
     */
    readonly claim: (worker: string, limit: number, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ClaimedEmail>>
    /** A mail as a claim would return it, without claiming it. */
    readonly peek: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<ClaimedEmail>>
    readonly attachments: (
      project: ProjectId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /**
     * Writes begun attempts and results in one durable statement. Returns the ids whose mark is valid. A mail whose claim
     * was lost is not among them and must not be sent. A result for an erased recipient is not among them either, and has
     * no consequences.
     */
    readonly mark: (
      worker: string,
      begun: ReadonlyArray<AttemptMark>,
      settled: ReadonlyArray<Settlement>
    ) => Effect.Effect<ReadonlySet<string>>
    /** Releases the worker's mails that it has not begun to send. */
    readonly release: (worker: string) => Effect.Effect<void>
    /**
     * Releases every mail that belongs to the worker in the database but that the worker does not hold, as if a worker had
     * died with it: the next `reclaim` decides about it. Not while the worker claims.
     */
    readonly disown: (worker: string, held: ReadonlyArray<EmailId>) => Effect.Effect<void>
    /** Removes the worker. Mails that it still holds count as lost, as if it had died. */
    readonly retire: (worker: string) => Effect.Effect<void>
    /**
     * Takes mails back from workers whose lease has ended. Mails that had not begun are due again, the others are
     * ambiguous. Returns their number.
     */
    readonly reclaim: (now: DateTime.Utc) => Effect.Effect<number>
    /** Queues ambiguous mails again after the wait for a report. Returns their number. */
    readonly evidenceOver: (now: DateTime.Utc) => Effect.Effect<number>
    /** For a database with one process: every other worker is dead, even if its lease has not ended. */
    readonly buryOthers: (worker: string) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/sending/DeliveryQueue") {}

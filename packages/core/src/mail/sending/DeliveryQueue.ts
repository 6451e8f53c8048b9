/** The ledger as workers see it: mail to claim, attempts to mark, results to write. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { AttachmentInfo, EmailFault, EmailId, EmailStatus, SourceType } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Duration, type Effect, type Option, Schema } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import type { Urgency } from "./RetryLadder.ts"

/** What of a contact went into its mail: from it the same text is made again. */
export const Frozen = Schema.Struct({
  data: Schema.Record(Schema.String, Schema.Json),
  subscribed: Schema.Boolean
})
export type Frozen = typeof Frozen.Type

export const Personal = Schema.Struct({
  recipient: ContactId,
  /** As it is now; null when the contact is gone. */
  data: Schema.NullOr(Frozen.fields.data),
  /** Null until the first try begins. */
  frozen: Schema.NullOr(Frozen)
})
export type Personal = typeof Personal.Type

/** A mail in the hands of one worker, with all that is looked at again at the moment of sending. */
export interface ClaimedEmail {
  readonly projectId: ProjectId
  readonly id: EmailId
  /** Fence: a write counts only while the row still carries this number and this worker. */
  readonly claim: number
  readonly urgency: Urgency
  readonly contactId: ContactId | null
  /** None when the contact is gone. */
  readonly subscribed: boolean | null
  readonly suppression: SuppressionReason | null
  /** The campaign that may be held or stopped, and this mail with it. */
  readonly mailing: string | null
  /** Of mail whose text is made from that of its campaign: whose it is. */
  readonly personal: Personal | null
  readonly ambiguousPolicy: "retry" | "hold"
  readonly projectName: string
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Null while the text of a campaign's mail has not been made. */
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
  /** The sender domain's own return path is published. */
  readonly ownReturnPath: boolean
  /** Tries before this one. */
  readonly attempts: number
  readonly ladderStep: number
  readonly breaks: number
  readonly ambiguities: number
  readonly ladderSince: DateTime.Utc
  readonly createdAt: DateTime.Utc
}

/** A try that is about to begin. */
export interface AttemptMark {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly number: number
  readonly at: DateTime.Utc
  /** Counts only while this campaign may send, and its contact may get it. */
  readonly mailing: string | null
  /** At the first try of mail whose text is made from that of its campaign. */
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

/** What became of a claimed mail: its next state, its attempt if there was one, and what to tell the world. */
export interface Settlement {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly at: DateTime.Utc
  readonly status: EmailStatus
  /** PENDING: when it is due. AMBIGUOUS: when the wait for evidence ends; null: it rests. */
  readonly dueAt: DateTime.Utc | null
  /** Number of tries that is on record from now on. */
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
 * Storage port of the sender. Leases run on the database clock, everything else on `now`, the service's clock.
 * A mail is held by a worker, and a worker by its lease: one row to renew, however many mails it holds.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /** Enters or renews a worker; its mails are its own for `lease` from now on. */
    readonly heartbeat: (worker: string, lease: Duration.Duration) => Effect.Effect<void>
    /**
     * Claims up to `limit` due mails: transactional before bulk, a fair share for each project, none of disabled
     * projects, no more than a project's sending rate. Nobody else gets them while the worker's lease holds.
     */
    readonly claim: (worker: string, limit: number, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ClaimedEmail>>
    /** A mail as a worker would see it now, without claiming it. */
    readonly peek: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<ClaimedEmail>>
    readonly attachments: (
      project: ProjectId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /**
     * Writes begun attempts and settled mails in one durable statement. Gives the ids whose mark counted: a mail whose
     * claim was lost in the meantime is not among them, and must not be sent; nor is one that settles when its recipient
     * was erased, from which nothing more follows.
     */
    readonly mark: (
      worker: string,
      begun: ReadonlyArray<AttemptMark>,
      settled: ReadonlyArray<Settlement>
    ) => Effect.Effect<ReadonlySet<string>>
    /** Gives back what the worker holds and has not begun to send. */
    readonly release: (worker: string) => Effect.Effect<void>
    /**
     * Lets go of every mail that the database thinks the worker holds and the worker does not, as if it had died with
     * them: the next `reclaim` decides what becomes of them. Not while the worker claims.
     */
    readonly disown: (worker: string, held: ReadonlyArray<EmailId>) => Effect.Effect<void>
    /** Ends the worker; what it still holds is taken for lost, as if it had died. */
    readonly retire: (worker: string) => Effect.Effect<void>
    /**
     * Takes mails back from workers whose lease is over: those that had not begun are due again, those that had are
     * ambiguous. Gives their number.
     */
    readonly reclaim: (now: DateTime.Utc) => Effect.Effect<number>
    /** Puts ambiguous mails whose wait for evidence is over back into the queue. Gives their number. */
    readonly evidenceOver: (now: DateTime.Utc) => Effect.Effect<number>
    /** For databases that one process has to itself: every other worker is dead, whatever its lease says. */
    readonly buryOthers: (worker: string) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/sending/DeliveryQueue") {}

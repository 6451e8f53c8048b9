/** The storage port of workers, by which they claim mail, mark attempts and store results. */

import type { DialogueMode } from "@posthorn/contract/accounts/projects/Project"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SuppressionReason, TakingRefusal } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type {
  AttachmentInfo,
  EmailFault,
  EmailId,
  EmailMode,
  EmailStatus,
  HoldReason,
  RecipientType,
  SourceType
} from "@posthorn/contract/mail/emails/Email"
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Duration, type Effect, type Option, Schema } from "effect"
import type { NewEvent } from "../../events/EventLog.ts"
import type { NextDue } from "../../platform/jobs/Agenda.ts"
import type { Dialogue } from "../../platform/Mailer.ts"
import type { ShownAddress } from "../ledger/Ledger.ts"
import type { QueueRoom } from "../shaping/ShapingState.ts"
import type { WantedMail } from "../warmup/WarmupClaims.ts"
import type { Urgency } from "./RetryLadder.ts"

/** The contact fields that a mail prints. They are stored, so that the same text can be rendered again. */
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

/** A claimed mail, with all that is checked before it is sent. */
export interface ClaimedEmail {
  readonly projectId: ProjectId
  readonly id: EmailId
  /** A fencing token: a write is valid only while the row has this number and this worker. */
  readonly claim: number
  readonly urgency: Urgency
  readonly contactId: ContactId | null
  /** Null if there is no contact. */
  readonly subscribed: boolean | null
  readonly topicId: string | null
  /** Null without a topic, and once it is deleted. */
  readonly topic: { readonly key: string; readonly name: string } | null
  /** Why the contact does not take mail of this topic. Null if it does, or if there is no contact. */
  readonly refusal: TakingRefusal | null
  readonly suppression: SuppressionReason | null
  /** The campaign, if the mail depends on its state: a paused or cancelled campaign does not send it. */
  readonly mailing: string | null
  /** The fields from which mail of a campaign is rendered. */
  readonly personal: Personal | null
  readonly ambiguousPolicy: "retry" | "hold"
  /** The tries whose dialogue the project keeps. */
  readonly smtpDialogue: typeof DialogueMode.Type
  readonly projectName: string
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Null before mail of a campaign is rendered; so are `html` and `text`. */
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly type: EmailType
  readonly sourceType: SourceType
  readonly test: boolean
  readonly mode: EmailMode
  readonly tracking: boolean
  readonly headers: { readonly [name: string]: string }
  readonly tags: { readonly [key: string]: string }
  readonly recipientType: RecipientType
  readonly groupId: string | null
  /** The Message-ID of a submitted message, without angle brackets. Null: it is made from the id. */
  readonly messageId: string | null
  /** What the headers `To` and `Cc` show in the mails of a group. Null without copies. */
  readonly shown: { readonly to: ReadonlyArray<ShownAddress>; readonly cc: ReadonlyArray<ShownAddress> } | null
  readonly attachments: ReadonlyArray<AttachmentInfo & { readonly id: string }>
  readonly templateId: string | null
  readonly templateVersion: number | null
  readonly campaignId: string | null
  /** The variant of the campaign. Null without an experiment. */
  readonly variant: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  /** Null before the first try. */
  readonly provider: Provider | null
  /** The queue of its mailbox provider, as far as it was known when the mail was made. */
  readonly queue: number
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
  /** When it was due, if it was scheduled. */
  readonly scheduledFor: DateTime.Utc | null
  /** The host of its links. Null for that of the public URL. */
  readonly linkHost: string | null
  /** When it began to wait for a frequency cap. Null if it did not. */
  readonly cappedSince: DateTime.Utc | null
}

/** The position of a due mail in its lane. */
export interface WaitingPlace {
  readonly dueAt: DateTime.Utc
  readonly id: EmailId
}

/** A due mail that is not claimed, with the parts that routes look at. */
export interface WaitingEmail extends WaitingPlace {
  readonly from: string
  readonly type: EmailType
  readonly sourceType: SourceType
  readonly urgency: Urgency
  readonly ladderSince: DateTime.Utc
  readonly queue: number
}

/** A try that is about to begin. */
export interface AttemptMark {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly number: number
  readonly at: DateTime.Utc
  /** The mark is valid only while this campaign is sending and its contact takes the mail. */
  readonly mailing: string | null
  /** Set at the first try of a mail that is rendered from a campaign text. */
  readonly frozen: {
    readonly to: string
    readonly subject: string
    /** Language of the texts, if the campaign names languages. */
    readonly locale: string | null
    readonly data: Frozen
  } | null
}

export interface AttemptResult {
  readonly outcome: "accepted" | "deferred" | "rejected" | "ambiguous" | "error"
  readonly transport: string | null
  readonly transportId: string | null
  readonly tls: string | null
  readonly remoteHost: string | null
  readonly code: number | null
  readonly enhancedCode: string | null
  readonly reply: string | null
  readonly dialogue: Dialogue | null
}

/** The statuses that a worker may give a mail that it has claimed. */
export const settledStatuses = [
  "PENDING",
  "SENT",
  "BOUNCED",
  "FAILED",
  "SUPPRESSED",
  "CANCELLED",
  "AMBIGUOUS"
] as const satisfies ReadonlyArray<EmailStatus>

/** The result of a claimed mail: its next status, its attempt if there was one, and the event to record. */
export interface Settlement {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly claim: number
  readonly at: DateTime.Utc
  readonly status: (typeof settledStatuses)[number]
  /** PENDING: when it is due. AMBIGUOUS: when the wait for a report ends, or null if it is not tried again. */
  readonly dueAt: DateTime.Utc | null
  /** The new number of tries. */
  readonly attempts: number
  readonly ladderStep: number
  readonly breaks: number
  readonly ambiguities: number
  /** Stored with the result of the first try. */
  readonly provider: Provider | null
  /** The queue in which it waits from now on. Null: as before. */
  readonly queue: number | null
  readonly error: { readonly code: EmailFault; readonly message: string } | null
  readonly suppression: SuppressionReason | null
  /** PENDING before the first try: why it waits until `dueAt`. Its age counts from then. */
  readonly hold: HoldReason | null
  readonly attempt: AttemptResult | null
  readonly event: NewEvent | null
}

/**
 * Storage port of the sender: a host may keep its queue elsewhere. Leases use the database clock, everything else uses
 * `now`, the clock of the service. A worker has one lease for all its mails, so it renews one row.
 */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /** Registers a worker or renews its lease, which lasts `lease` from now. */
    readonly heartbeat: (worker: string, lease: Duration.Duration) => Effect.Effect<void>
    /** When there is next something to claim or to disown. Absent: senders poll. */
    readonly nextDue?: NextDue
    /** When there is next something to reclaim, or a wait for a report is over. Absent: senders poll. */
    readonly nextLost?: NextDue
    /**
     * Claims up to `limit` due mails: transactional before bulk, a fair share for each project, none of a disabled
     * project or of one with routes, no more than the sending rate of a project, and no more bulk mail of a domain than
     * its warm-up allows. No other worker gets them during the worker's lease. `rooms` has the limits of mailbox
     * providers, which bulk mail keeps; it gets whether any are stored.
     */
    readonly claim: (
      worker: string,
      limit: number,
      now: DateTime.Utc,
      rooms?: (isShaped: boolean) => Effect.Effect<ReadonlyArray<QueueRoom>>
    ) => Effect.Effect<ReadonlyArray<ClaimedEmail>>
    /** Projects with routes that have due mail, at most 50. Their mail is claimed by `claimThese` alone. */
    readonly routed: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /**
     * Due mail of a project, in the order in which it is sent: of one lane after a position, or with `campaigns` the first
     * mails of each campaign that is sending. Without bulk mail of closed queues.
     */
    readonly waiting: (
      project: ProjectId,
      part: { readonly lane: 0 | 1; readonly after: WaitingPlace | undefined } | "campaigns",
      limit: number,
      now: DateTime.Utc,
      closed?: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<WaitingEmail>>
    /** Claims those of the mails that are still due, no more than the sending rate and the warm-ups of the project. */
    readonly claimThese: (
      worker: string,
      project: ProjectId,
      wanted: ReadonlyArray<WantedMail>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ClaimedEmail>>
    /** A mail as a claim would return it, without claiming it. */
    readonly peek: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<ClaimedEmail>>
    readonly attachments: (
      project: ProjectId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Uint8Array>>
    /**
     * Writes begun attempts and results in one durable statement. Returns the ids of the valid ones. A mail whose claim was
     * lost is not among them, and must not be sent. A result for an erased recipient is not among them either, and has no
     * further effect.
     */
    readonly mark: (
      worker: string,
      begun: ReadonlyArray<AttemptMark>,
      settled: ReadonlyArray<Settlement>
    ) => Effect.Effect<ReadonlySet<string>>
    /** Releases the worker's mails that it has not begun to send. */
    readonly release: (worker: string) => Effect.Effect<void>
    /**
     * Removes the worker from the mails that the database assigns to it, but that are not in `held`. The next `reclaim`
     * treats them as mails of a dead worker. Must not run while the worker claims.
     */
    readonly disown: (worker: string, held: ReadonlyArray<EmailId>) => Effect.Effect<void>
    /** Ends the lease of the worker. Mails that it still holds are then treated as those of a dead worker. */
    readonly retire: (worker: string) => Effect.Effect<void>
    /**
     * Takes mails back from workers whose lease has ended. Mails without a begun try are due again, the others are
     * ambiguous. Returns their number.
     */
    readonly reclaim: (now: DateTime.Utc) => Effect.Effect<number>
    /** Queues ambiguous mails again after the wait for a report. Returns their number. */
    readonly evidenceOver: (now: DateTime.Utc) => Effect.Effect<number>
    /** Ends the leases of all other workers. For a database that only one process uses. */
    readonly expireOthers: (worker: string) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/sending/DeliveryQueue") {}

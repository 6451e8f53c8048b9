/**
 * The delivery ledger: every accepted mail, and its status. This file is the storage port that writes it.
 *
 * Statuses:
 *
 * - SCHEDULED: waits for `scheduled_for`.
 * - PENDING: queued. A worker may claim it when it is due.
 * - SENDING: claimed by a worker. `begun_at` is set when the worker hands it over.
 * - SENT: the next server accepted it.
 * - DELIVERED: that server or a provider reported the delivery.
 * - OPENED, CLICKED: its pixel or one of its links was requested.
 * - AMBIGUOUS: the connection or the worker ended before the reply. It may have been sent. It waits for a report until
 *   `due_at`, and is then queued again. With `due_at = 'infinity'` only a report or a retry changes it.
 * - BOUNCED: a server refused the address.
 * - COMPLAINED: the recipient reported it as spam.
 * - FAILED: it was not sent, or refused for another reason than its address.
 * - SUPPRESSED: not sent, because the address is suppressed or the contact is unsubscribed.
 * - CANCELLED: not sent, on request or because its contact, campaign or project is gone or disabled.
 *
 * Every statement that writes `emails.status`, with its guard and the transitions that it makes. Each changes only mail
 * of the status on the left. `Transitions.test.ts` reads this list and runs each statement on mail of every status.
 *
 * `mail/ledger/AcceptSql.ts` acceptParts: in the transaction that accepts the mail
 *   new -> PENDING, SCHEDULED (it is due later), SUPPRESSED (the address is suppressed), FAILED (it cannot be rendered)
 * `automation/campaigns/ExpandSql.ts` expandPart: each recipient of a campaign once
 *   new -> PENDING, CANCELLED (the contact was deleted, or the campaign was cancelled or expired)
 * `mail/sending/ScheduledMail.ts` queueDue: `scheduled_for` has passed; rows are locked, `skip locked`
 *   SCHEDULED -> PENDING
 * `mail/sending/ClaimSql.ts` take: it is due, its project enabled, its campaign open; rows are locked, `skip locked`
 *   PENDING -> SENDING
 * `mail/sending/ClaimSql.ts` claimCounted: the same, and its warm-ups let it pass; the caller has locked the rows
 *   PENDING -> SENDING
 * `mail/sending/MarkSql.ts` mark: worker and claim are those of the row
 *   SENDING -> PENDING, SENT, BOUNCED, FAILED, SUPPRESSED, CANCELLED, AMBIGUOUS
 *   SENDING -> OPENED, CLICKED (in place of SENT, if it was opened before its result was stored)
 * `mail/sending/DeliveryQueueSql.ts` release: worker is that of the row, and `begun_at` is null
 *   SENDING -> PENDING
 * `mail/sending/ReclaimSql.ts` reclaim: the lease of its worker has ended
 *   SENDING -> PENDING, AMBIGUOUS (`begun_at` is set), FAILED (`begun_at` is null, and six workers died)
 * `mail/sending/DeliveryQueueSql.ts` evidenceOver: `due_at` has passed
 *   AMBIGUOUS -> PENDING
 * `mail/ledger/NoticeSql.ts` noticeStatement: the receipt of the report is new
 *   SENT, AMBIGUOUS, FAILED -> DELIVERED
 *   SENT, DELIVERED, OPENED, CLICKED, AMBIGUOUS, FAILED -> BOUNCED
 *   SENT, DELIVERED, OPENED, CLICKED, BOUNCED, AMBIGUOUS, FAILED -> COMPLAINED
 *   SENT, AMBIGUOUS -> FAILED (the provider rejects mail that it accepted before)
 * `mail/ledger/LedgerSql.ts` endTest: in the transaction that marks a test mail as SENT
 *   SENT -> DELIVERED, OPENED, CLICKED, COMPLAINED
 * `mail/tracking/EngagementSql.ts` write: the mail is locked, and has its contact or is a copy
 *   SENT, DELIVERED, AMBIGUOUS, FAILED -> OPENED
 *   SENT, DELIVERED, OPENED, AMBIGUOUS, FAILED -> CLICKED
 * `mail/ledger/EmailSql.ts` withCopies: a request to cancel or reschedule; copies change with their mail
 *   SCHEDULED, PENDING -> CANCELLED
 *   SCHEDULED -> PENDING (to be sent now)
 * `mail/ledger/EmailSql.ts` retry: a request; the caller has checked that the mail may still be sent
 *   FAILED, AMBIGUOUS -> PENDING
 * `mail/ledger/LedgerSql.ts` dropContact: the contact is deleted in the same transaction; copies of its mail too
 *   SCHEDULED, PENDING -> CANCELLED
 * `mail/ledger/LedgerSql.ts` moveContact: the contact is merged in the same transaction
 *   SCHEDULED, PENDING -> CANCELLED (the other contact has its own mail of the campaign, or is held out)
 * `mail/ledger/ErasureSql.ts` strip: the contact is erased in the same transaction; copies of its mail too
 *   SCHEDULED, PENDING -> CANCELLED
 * `mail/ledger/WaitingMail.ts` cancelWaiting: the project is disabled or enabled in the same transaction
 *   PENDING -> CANCELLED
 *   AMBIGUOUS -> CANCELLED (`due_at` is finite)
 * `automation/campaigns/CampaignWork.ts` cancelWaiting: the campaign was cancelled; rows are locked, `skip locked`
 *   PENDING -> CANCELLED, AMBIGUOUS (an earlier try was ambiguous)
 * `automation/campaigns/CampaignExpiry.ts` expireUnsent: the campaign expired, and no try has begun; `skip locked`
 *   PENDING -> CANCELLED
 * `automation/workflows/goals/UnsentMail.ts` cancelUnsent: the execution ended early; no try has begun
 *   SCHEDULED, PENDING -> CANCELLED
 * `automation/campaigns/CampaignStoreSql.ts` retry: a request
 *   FAILED, AMBIGUOUS -> PENDING
 */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type {
  AttachmentInfo,
  EmailFault,
  EmailId,
  EmailMode,
  EmailStatus,
  RecipientType,
  SourceType
} from "@posthorn/contract/mail/emails/Email"
import type { Provider } from "@posthorn/contract/mail/emails/Provider"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Array, Context, type DateTime, type Effect, type Option, type Schema } from "effect"

/** One mail to one recipient, rendered. */
export interface NewEmail {
  readonly id: EmailId
  readonly contactId: ContactId | null
  /** Mails of one request with the same text share one content row. */
  readonly contentId: string
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly subject: string
  readonly type: EmailType
  readonly sourceType: SourceType
  readonly templateId: string | null
  readonly templateVersion?: number | null
  /** The topic of the mail. */
  readonly topicId?: string | null
  /** Language of the texts, if their template or campaign names languages. */
  readonly locale?: string | null
  readonly campaignId?: string
  /** The variant of the campaign. */
  readonly variant?: string | null
  /** The workflow step that sends it. One execution of a step sends one mail. */
  readonly workflow?: {
    readonly id: string
    readonly executionId: string
    readonly stepExecutionId: string
    readonly stepId: string
  }
  /** Set if it cannot be rendered. It is then stored as FAILED. */
  readonly failed?: { readonly code: EmailFault; readonly message: string }
  /** A test mail, which no statistic counts. */
  readonly test?: boolean
  /** `TEST`: it is processed and not sent. Default `LIVE`. */
  readonly mode?: EmailMode
  /** The API key that sent it. */
  readonly apiKeyId?: string
  readonly tracking: boolean
  readonly headers: { readonly [name: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo & { readonly id: string }>
  readonly tags?: { readonly [key: string]: string }
  /** The Message-ID of the submitted message, without angle brackets. Absent: one of the service. */
  readonly messageId?: string
  /** Set if it belongs to a message to several people. `id` is that of the mail to the `to` recipient. */
  readonly group?: { readonly id: EmailId; readonly recipientType: RecipientType }
  /** Whether it is sent after transactional mail. */
  readonly isBulk?: boolean
  /** When it is due, if that is later than now. */
  readonly scheduledFor?: DateTime.Utc | null
}

export interface NewContent {
  readonly id: string
  /** Null for a mail of plain text only. */
  readonly html: string | null
  readonly text: string
}

export interface NewAttachment {
  readonly id: string
  readonly content: Uint8Array
}

/** An address as a header shows it. */
export interface ShownAddress {
  readonly email: string
  readonly name: string | null
}

/** The mails of one message to several people, who are shown in its headers `To` and `Cc`. */
export interface NewGroup {
  readonly id: EmailId
  readonly to: ReadonlyArray<ShownAddress>
  readonly cc: ReadonlyArray<ShownAddress>
}

/** Mails that are accepted together. */
export interface NewMail {
  /** A content row has the id of the first mail that uses it. */
  readonly emails: Array.NonEmptyReadonlyArray<NewEmail>
  readonly contents: ReadonlyArray<NewContent>
  readonly attachments: ReadonlyArray<NewAttachment>
  readonly groups?: ReadonlyArray<NewGroup>
}

/** The ids of the mails. A mail to a suppressed address has the reason; it is stored, and never sent. */
export type Accepted = ReadonlyMap<EmailId, SuppressionReason | null>

/**
 * The report of a server or provider about a mail that was sent. `at` is the time of the reported event.
 *
 * A permanent bounce means that the address does not work; any other bounce says nothing about the address. A soft bounce
 * and a deferral do not change the status.
 */
export type Notice =
  | { readonly kind: "delivered"; readonly at: DateTime.Utc }
  | { readonly kind: "bounced"; readonly at: DateTime.Utc; readonly permanent: boolean; readonly diagnostic: string }
  | { readonly kind: "softBounced"; readonly at: DateTime.Utc }
  | { readonly kind: "deferred"; readonly at: DateTime.Utc; readonly detail: string }
  | { readonly kind: "complained"; readonly at: DateTime.Utc }
  | { readonly kind: "rejected"; readonly at: DateTime.Utc; readonly message: string }

/** Identifies a report, so that it is applied once. Ids are unique for each kind of reporter. */
export interface ReportReceipt {
  readonly kind: string
  readonly id: string
}

/** The event that a report records if it is new. */
export interface NoticeEvent {
  readonly id: string
  readonly name: string
  readonly data: Schema.Json
}

/** `early`: the mail was not sent yet. Nothing was written, not even the receipt, so the report can be tried again. */
export type NoticeOutcome = "applied" | "duplicate" | "early"

/** The fields of a mail that its events contain. */
export interface LedgerEntry {
  readonly id: EmailId
  readonly contactId: ContactId | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly templateId: string | null
  readonly templateVersion: number | null
  readonly to: string
  readonly from: string
  readonly fromName: string | null
  readonly subject: string | null
  readonly sourceType: SourceType
  readonly recipientType: RecipientType
  readonly groupId: string | null
  /** That of a submitted message. Null: it is made from the id. */
  readonly messageId: string | null
  readonly tags: { readonly [key: string]: string }
  readonly provider: Provider | null
  readonly status: EmailStatus
}

/** A mail that was found by an id without a project. */
export interface KnownMail extends LedgerEntry {
  readonly projectId: ProjectId
  /** Number of tries. */
  readonly attempts: number
}

/**
 * The ids by which reports name mails: those of the ledger, those that the provider returned on acceptance, and the
 * Message-IDs of submitted messages.
 */
export interface MailNames {
  readonly ids: ReadonlyArray<EmailId>
  readonly providerIds: ReadonlyArray<string>
  readonly messageIds: ReadonlyArray<string>
}

/** The key of a mail in the result of `lookUp`, for its own Message-ID. */
export const messageKey = (messageId: string): string => `<${messageId}>`

/** The key of a mail in the result of `lookUp`, for its group and its recipient. */
export const memberKey = (group: string, recipient: string): string => `${group} ${recipient}`

/** Writes the records of accepted mail. A port: a host may store them elsewhere, and the area `automation` calls it. */
export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Writes mails with their content in one statement. Joins the caller's transaction. Returns the mails to suppressed
     * addresses with the reason; they are stored, and never sent.
     */
    readonly accept: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<NewEmail>,
      contents: ReadonlyArray<NewContent>,
      attachments: ReadonlyArray<NewAttachment>,
      now: DateTime.Utc,
      groups?: ReadonlyArray<NewGroup>
    ) => Effect.Effect<ReadonlyMap<EmailId, SuppressionReason>>
    /** Finds mails that were accepted together. Waits for a transaction that is about to commit them. */
    readonly findAccepted: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<EmailId>
    ) => Effect.Effect<Option.Option<Accepted>>
    /** Cancels queued mail to this contact and its waiting copies, and removes the contact from other mail. */
    readonly dropContact: (project: ProjectId, contact: ContactId, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Gives all mail of a contact to another one, and returns how many there were. Sent mail keeps its address. Waiting
     * mail gets that of the other contact, or is cancelled if that has its own mail of the same campaign, or is held out
     * of it. Joins the caller's transaction.
     */
    readonly moveContact: (
      project: ProjectId,
      from: ContactId,
      to: { readonly id: ContactId; readonly email: string },
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** Records that this contact unsubscribed through a link of this mail. Only the first time counts. */
    readonly markUnsubscribed: (
      project: ProjectId,
      email: EmailId,
      contact: ContactId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Removes all personal data from the records of mail to this contact, of mail to its address without a contact, and of
     * mail that a workflow sent to its address for another contact. Copies of its mail lose their content, and the address
     * leaves the headers of copies. Status and times stay. Returns the number of mails. Joins the caller's transaction.
     */
    readonly erase: (
      project: ProjectId,
      contact: ContactId,
      address: string,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /**
     * Finds mails of any project by the ids in reports, except those of test mode, which no server has seen. The map has
     * each mail under its own id and under its provider's, and the other mails of its group under their `memberKey`. A
     * report names no project; it applies to the project of the mail. A submitted message
     * is under its `messageKey`, unless several messages have that id: senders choose it.
     */
    readonly lookUp: (names: MailNames) => Effect.Effect<ReadonlyMap<string, KnownMail>>
    /**
     * Gives a mail of test mode that is SENT the status of its simulated outcome. Does nothing to other mail. Joins the
     * caller's transaction.
     */
    readonly endTest: (
      project: ProjectId,
      email: EmailId,
      status: "CLICKED" | "COMPLAINED" | "DELIVERED" | "OPENED",
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Applies a report once, with its event, in one statement. After SENT, a status only advances: SENT, DELIVERED,
     * OPENED, CLICKED, BOUNCED, COMPLAINED. Times and reasons are those of the earliest report, in whatever order they
     * arrive.
     */
    readonly notice: (
      project: ProjectId,
      email: EmailId,
      notice: Notice,
      receipt: ReportReceipt,
      event: NoticeEvent | undefined,
      now: DateTime.Utc
    ) => Effect.Effect<NoticeOutcome>
  }
>()("@posthorn/core/mail/ledger/Ledger") {}

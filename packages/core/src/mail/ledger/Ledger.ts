/** The storage port to write the delivery ledger: every accepted mail, and its state. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import type { EmailType } from "@posthorn/contract/content/templates/Template"
import type { AttachmentInfo, EmailFault, EmailId, EmailStatus, SourceType } from "@posthorn/contract/mail/emails/Email"
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
  readonly campaignId?: string
  /** The workflow step that sent it. One visit of a step sends one mail. */
  readonly workflow?: { readonly id: string; readonly executionId: string; readonly stepExecutionId: string }
  /** Set if it could not be rendered: it is stored as FAILED. */
  readonly failed?: { readonly code: EmailFault; readonly message: string }
  /** Not counted anywhere. */
  readonly test?: boolean
  readonly tracking: boolean
  readonly headers: { readonly [name: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo & { readonly id: string }>
}

export interface NewContent {
  readonly id: string
  readonly html: string
  readonly text: string
}

export interface NewAttachment {
  readonly id: string
  readonly content: Uint8Array
}

/** Mails that are accepted together. */
export interface NewMail {
  /** The content row has the id of the first one. */
  readonly emails: Array.NonEmptyReadonlyArray<NewEmail>
  readonly contents: ReadonlyArray<NewContent>
  readonly attachments: ReadonlyArray<NewAttachment>
}

/** The ids of the mails, with a reason for those to suppressed addresses, which are stored and never sent. */
export type Accepted = ReadonlyMap<EmailId, SuppressionReason | null>

/**
 * What a peer or provider reports about a mail that went out; `at` is when it happened.
 *
 * A bounce for good proves something against the address, any other bounce ends the mail alone; a soft bounce and a
 * deferral change no state.
 */
export type Notice =
  | { readonly kind: "delivered"; readonly at: DateTime.Utc }
  | { readonly kind: "bounced"; readonly at: DateTime.Utc; readonly permanent: boolean; readonly diagnostic: string }
  | { readonly kind: "softBounced"; readonly at: DateTime.Utc }
  | { readonly kind: "deferred"; readonly at: DateTime.Utc; readonly detail: string }
  | { readonly kind: "complained"; readonly at: DateTime.Utc }
  | { readonly kind: "rejected"; readonly at: DateTime.Utc; readonly message: string }

/** Identifies a report, so that it is applied once. Unique for each kind of reporter. */
export interface Receipt {
  readonly kind: string
  readonly id: string
}

/** The event of a report that is new. */
export interface NoticeEvent {
  readonly id: string
  readonly name: string
  readonly data: Schema.Json
}

/** `early`: no such mail was sent yet, so nothing was written, not even the receipt. */
export type NoticeOutcome = "news" | "repeat" | "early"

/** The fields of a mail that its events contain. */
export interface LedgerEntry {
  readonly id: EmailId
  readonly contactId: ContactId | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly templateId: string | null
  readonly to: string
  readonly from: string
  readonly fromName: string | null
  readonly subject: string | null
  readonly sourceType: SourceType
  readonly status: EmailStatus
}

/** A mail that was found by an id without a project. */
export interface KnownMail extends LedgerEntry {
  readonly projectId: ProjectId
  /** Number of tries. */
  readonly attempts: number
}

/** The id of a mail in a report: ours, or the one that the provider returned when it accepted the mail. */
export interface MailNames {
  readonly ids: ReadonlyArray<EmailId>
  readonly providerIds: ReadonlyArray<string>
}

/** The records of accepted mail. A port: a host may store them elsewhere, and the area `automation` writes to it. */
export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Writes mails with their content in one statement, whatever their number; joins the caller's transaction.
     * Mail to a suppressed address is on record and never sent: those are given back, with the reason.
     */
    readonly accept: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<NewEmail>,
      contents: ReadonlyArray<NewContent>,
      attachments: ReadonlyArray<NewAttachment>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<EmailId, SuppressionReason>>
    /** Mails that were accepted together, if they exist. Waits for a transaction that is about to commit them. */
    readonly findAccepted: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<EmailId>
    ) => Effect.Effect<Option.Option<Accepted>>
    /** Cancels queued mail to this contact, and removes the contact from other mail. */
    readonly dropContact: (project: ProjectId, contact: ContactId, now: DateTime.Utc) => Effect.Effect<void>
    /** Records that this contact unsubscribed through a link of this mail. Only the first time counts. */
    readonly markUnsubscribed: (
      project: ProjectId,
      email: EmailId,
      contact: ContactId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Strips all that is personal from the records of mail to this contact, and of mail to its address that no contact
     * has any more or that a workflow sent there for another one: state and times stay. Tells how many there were; joins the
     * caller's transaction.
     */
    readonly erase: (
      project: ProjectId,
      contact: ContactId,
      address: string,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /**
     * Mails of any project by the names that reporters have for them, each under its id and its provider's. They say no
     * project: what follows is of the mail's own.
     */
    readonly lookUp: (names: MailNames) => Effect.Effect<ReadonlyMap<string, KnownMail>>
    /**
     * Applies a notice once, with its event, in one statement. From SENT on a status only rises: SENT, DELIVERED,
     * OPENED, CLICKED, BOUNCED, COMPLAINED; times and reasons are those of the earliest notice, whatever the order.
     */
    readonly notice: (
      project: ProjectId,
      email: EmailId,
      notice: Notice,
      receipt: Receipt,
      event: NoticeEvent | undefined,
      now: DateTime.Utc
    ) => Effect.Effect<NoticeOutcome>
  }
>()("@posthorn/core/mail/ledger/Ledger") {}

/** The delivery ledger as other capabilities write it: every mail that was accepted, and what became of it. */

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
  /** Mails of one request with the same text share their content. */
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
  /** The step of a workflow that made it; one visit of a step makes one mail. */
  readonly workflow?: { readonly id: string; readonly executionId: string; readonly stepExecutionId: string }
  /** It could not be written, and is on record as FAILED. */
  readonly failed?: { readonly code: EmailFault; readonly message: string }
  /** Left out of all counts. */
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

/** What is accepted together. */
export interface NewMail {
  /** The content of the first one bears its id. */
  readonly emails: Array.NonEmptyReadonlyArray<NewEmail>
  readonly contents: ReadonlyArray<NewContent>
  readonly attachments: ReadonlyArray<NewAttachment>
}

/** Mails by their ids, with the reason of those to a suppressed address: these are on record and never sent. */
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

/** Makes a notice count once: unique for each kind of reporter. */
export interface Receipt {
  readonly kind: string
  readonly id: string
}

/** What the world is told of a notice, if it is news. */
export interface NoticeEvent {
  readonly id: string
  readonly name: string
  readonly data: Schema.Json
}

/** `early`: no such mail has left yet, so nothing was written, not even the receipt. */
export type NoticeOutcome = "news" | "repeat" | "early"

/** A mail as the events about it describe it. */
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

/** A mail as it is found by a name that tells no project. */
export interface KnownMail extends LedgerEntry {
  readonly projectId: ProjectId
  /** Tries so far. */
  readonly attempts: number
}

/** How a reporter names a mail: by our id, or by the one its provider gave it when it was handed over. */
export interface MailNames {
  readonly ids: ReadonlyArray<EmailId>
  readonly providerIds: ReadonlyArray<string>
}

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
    /** Mails that were accepted together, if they were; waits for whoever may be about to commit them. */
    readonly findAccepted: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<EmailId>
    ) => Effect.Effect<Option.Option<Accepted>>
    /** Cancels what has not left for this contact, and forgets the contact on the rest. */
    readonly dropContact: (project: ProjectId, contact: ContactId, now: DateTime.Utc) => Effect.Effect<void>
    /** Notes that this contact unsubscribed through a link of this mail; only the first time counts. */
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

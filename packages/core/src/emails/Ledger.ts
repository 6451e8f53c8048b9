/** The delivery ledger as other capabilities write it: every mail that was accepted, and what became of it. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type {
  AttachmentInfo,
  EmailId,
  EmailStatus,
  SourceType,
  SuppressionReason
} from "@posthorn/contract/emails/Email"
import type { EmailType } from "@posthorn/contract/templates/Template"
import { type Array, Context, type DateTime, type Effect } from "effect"

/** One mail to one recipient, rendered. */
export interface NewEmail {
  readonly id: EmailId
  readonly contactId: ContactId
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

/** What a peer or provider reports about a mail that went out; `at` is when it happened. */
export type Notice =
  | { readonly kind: "delivered"; readonly at: DateTime.Utc }
  | { readonly kind: "bounced"; readonly at: DateTime.Utc }
  | { readonly kind: "complained"; readonly at: DateTime.Utc }

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

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Writes mails with their content in at most two statements, whatever their number; joins the caller's transaction.
     * Mail to a suppressed address is on record and never sent: those are given back, with the reason.
     */
    readonly accept: (
      project: ProjectId,
      emails: Array.NonEmptyReadonlyArray<NewEmail>,
      contents: ReadonlyArray<NewContent>,
      attachments: ReadonlyArray<NewAttachment>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<EmailId, SuppressionReason>>
    /** Whether mail with this content was accepted; waits for whoever may be about to commit it. */
    readonly hasContent: (project: ProjectId, content: string) => Effect.Effect<boolean>
    /** Cancels what has not left for this contact, and forgets the contact on the rest. */
    readonly dropContact: (project: ProjectId, contact: ContactId, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Strips all that is personal from the records of mail to this contact, and of mail to its address that no contact
     * has any more: state and times stay. Tells how many there were; joins the caller's transaction.
     */
    readonly erase: (
      project: ProjectId,
      contact: ContactId,
      address: string,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /**
     * Applies a notice by compare-and-set. From SENT on a status only rises: SENT, DELIVERED, OPENED, CLICKED, BOUNCED,
     * COMPLAINED. Gives the entry when the notice was news, undefined for a repeat and for mail that is not there.
     */
    readonly notice: (
      project: ProjectId,
      email: EmailId,
      notice: Notice,
      now: DateTime.Utc
    ) => Effect.Effect<LedgerEntry | undefined>
  }
>()("@posthorn/core/emails/Ledger") {}

/** What a change to a contact does to its pending and stored mail. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"

/** A service, because the mail area implements it. */
export class ContactMail extends Context.Service<
  ContactMail,
  {
    /** Cancels unsent mail to this contact and removes the contact from all other mail. Joins the transaction. */
    readonly dropContact: (project: ProjectId, contact: ContactId, now: DateTime.Utc) => Effect.Effect<void>
    /** Records that this contact unsubscribed through a link in this mail. Only the first time counts. */
    readonly markUnsubscribed: (
      project: ProjectId,
      email: EmailId,
      contact: ContactId,
      now: DateTime.Utc
    ) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/contacts/ContactMail") {}

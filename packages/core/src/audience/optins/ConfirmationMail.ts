/** The mail that asks a contact to confirm. */

import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { AskedTopic } from "./TopicNames.ts"

export interface Confirmation {
  readonly id: EmailId
  readonly contact: Pick<Contact, "data" | "email" | "id" | "subscribed">
  /** The link to confirm. */
  readonly confirmUrl: string
  /** The topics that are asked for. */
  readonly topics: ReadonlyArray<AskedTopic>
  /** The sender and the name of the project on its pages. */
  readonly settings: Pick<AudienceSettings, "doubleOptIn" | "pages">
  /** The template of the request, in place of that of the settings. */
  readonly templateId: string | null
  /** Whether many are asked at once. Then it is sent after transactional mail. */
  readonly isBulk: boolean
  /** The earliest time at which it is sent. `never`: it would wait too long, and is stored as failed. */
  readonly due: DateTime.Utc | "never"
}

/** A service, because the mail area implements it. */
export class ConfirmationMail extends Context.Service<
  ConfirmationMail,
  {
    /** Stores the mail. Joins the caller's transaction, which must roll back if it fails. */
    readonly queue: (
      project: ProjectId,
      mail: Confirmation,
      now: DateTime.Utc
    ) => Effect.Effect<"queued" | "suppressed", BillingLimitExceeded>
    /** What is wrong with a template as that of these mails, each as a sentence. */
    readonly faultsOf: (project: ProjectId, templateId: string) => Effect.Effect<ReadonlyArray<string>>
    /** Cancels those of the mails that still wait. Joins the caller's transaction. */
    readonly cancel: (project: ProjectId, emails: ReadonlyArray<EmailId>, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/optins/ConfirmationMail") {}

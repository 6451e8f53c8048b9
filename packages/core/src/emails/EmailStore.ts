/** The delivery ledger as callers read and steer it. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { Attempt, Email, EmailId, EmailQuery } from "@posthorn/contract/emails/Email"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../Cursors.ts"
import type { DateRange } from "../DateRange.ts"

export type EmailFilter = Pick<
  EmailQuery,
  "status" | "sourceType" | "contactId" | "campaignId" | "workflowId" | "templateId" | "to"
> &
  DateRange

/** A mail with what its history is told from. */
export interface History {
  readonly email: Email
  /** The last one is open while the mail is on the wire. */
  readonly attempts: ReadonlyArray<Attempt>
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
    /** Mail to this contact, and mail to its address that no contact has any more; oldest first. */
    readonly toPerson: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<ReadonlyArray<Email>>
    readonly content: (project: ProjectId, id: EmailId) => Effect.Effect<Option.Option<StoredContent>>
    /** Cancels a mail that still waits; none when it does not, as a worker may have taken it this moment. */
    readonly cancel: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
    /** Puts a failed or ambiguous mail back into the queue with a fresh ladder; none in any other state. */
    readonly retry: (project: ProjectId, id: EmailId, now: DateTime.Utc) => Effect.Effect<Option.Option<Email>>
  }
>()("@posthorn/core/emails/EmailStore") {}

/** The storage port of a send: one statement reads, one writes, for any number of recipients. */

import type { Template, TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Array, Context, type DateTime, type Effect, type Option } from "effect"
import type { ExpectedUpsert, KnownContact } from "../../audience/contacts/ContactInput.ts"
import type { DataTooLarge } from "../../audience/contacts/DataTooLarge.ts"
import type { Accepted, NewMail } from "../ledger/Ledger.ts"

export type TemplateContent = Pick<Template, "id" | "subject" | "body" | "from" | "fromName" | "replyTo" | "type">

export interface Wanted {
  readonly template?: TemplateId | undefined
  /** The domain that the request names; that of the template is looked up with it. */
  readonly senderDomain?: string | undefined
  readonly addresses: ReadonlyArray<string>
}

export interface Found {
  /** Undefined when there is none of this id. */
  readonly template: TemplateContent | undefined
  /** The given domains that are verified for the project. */
  readonly verifiedDomains: ReadonlySet<string>
  /** By address. */
  readonly contacts: ReadonlyMap<string, KnownContact>
}

export class Acceptance extends Context.Service<
  Acceptance,
  {
    readonly look: (project: ProjectId, wanted: Wanted) => Effect.Effect<Found>
    /**
     * Creates or changes the contacts, as `ContactStore.upsert` does, and writes the mail made from them. None if a
     * contact changed since it was read: then no mail was written. With one recipient, the contact is unchanged too.
     * With several, some contacts may be changed; within a transaction all of them are locked, so the next try is
     * accepted.
     */
    readonly accept: (
      project: ProjectId,
      contacts: Array.NonEmptyReadonlyArray<ExpectedUpsert>,
      mail: NewMail,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Accepted>, DataTooLarge>
  }
>()("@posthorn/core/mail/sending/Acceptance") {}

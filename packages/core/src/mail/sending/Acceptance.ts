/** What a request to send reads, and what it writes: one statement each, whatever the number of recipients. */

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
  /** Those of the domains asked for that the project may send from now. */
  readonly verifiedDomains: ReadonlySet<string>
  /** By address. */
  readonly contacts: ReadonlyMap<string, KnownContact>
}

export class Acceptance extends Context.Service<
  Acceptance,
  {
    readonly look: (project: ProjectId, wanted: Wanted) => Effect.Effect<Found>
    /**
     * Creates or changes the contacts, as `ContactStore.upsert` does, and writes the mail made from them. None when a
     * contact was no longer as it was read: then no mail was written. A single contact is then untouched too; of several
     * some may have been changed, and inside of a transaction all that there were are locked, so that mail made anew is
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

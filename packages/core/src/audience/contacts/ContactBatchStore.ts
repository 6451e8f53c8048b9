/** Reads and changes batches of contacts, by address or by id. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"

/** Storage port of batches. Each method is one statement and takes the project id first. */
export class ContactBatchStore extends Context.Service<
  ContactBatchStore,
  {
    /** The given addresses that already have a contact. */
    readonly known: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /**
     * Locks the given contacts until the caller's transaction ends and returns the ids that exist. With `change`, no
     * other transaction can change them. With `delete`, no other transaction can add a reference to them either, such
     * as a segment membership.
     */
    readonly hold: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      to: "change" | "delete"
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /** Sets the subscription of the contacts and returns the ids whose subscription changed. */
    readonly setSubscribed: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      subscribed: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>>
    readonly delete: (project: ProjectId, ids: ReadonlyArray<ContactId>) => Effect.Effect<void>
  }
>()("@posthorn/core/audience/contacts/ContactBatchStore") {}

/** Many contacts at once, by address or by id. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import { Context, type DateTime, type Effect } from "effect"

/** Storage port of batches, each one statement. Every method takes the project first: no query without it. */
export class ContactBatchStore extends Context.Service<
  ContactBatchStore,
  {
    /** Those of the addresses that a contact has. */
    readonly known: (project: ProjectId, emails: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
    /**
     * Those of the ids that are contacts, locked until the caller's transaction ends: against other changes, and only
     * where they are to be deleted against whoever counts on them, as a segment that they join.
     */
    readonly hold: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      to: "change" | "delete"
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /** Gives the contacts this state, and tells which of them did not have it. */
    readonly setSubscribed: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      subscribed: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>>
    readonly delete: (project: ProjectId, ids: ReadonlyArray<ContactId>) => Effect.Effect<void>
  }
>()("@posthorn/core/contacts/ContactBatchStore") {}

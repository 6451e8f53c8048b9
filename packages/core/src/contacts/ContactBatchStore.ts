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
     * Those of the ids that are contacts, locked until the caller's transaction ends. For a `change` nobody else may
     * change them meanwhile; for a `delete` nobody may refer to them anew either, as a segment does that they join.
     */
    readonly hold: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      to: "change" | "delete"
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /** Sets their subscription, and tells which of them had the other one before. */
    readonly setSubscribed: (
      project: ProjectId,
      ids: ReadonlyArray<ContactId>,
      subscribed: boolean,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ContactId>>
    readonly delete: (project: ProjectId, ids: ReadonlyArray<ContactId>) => Effect.Effect<void>
  }
>()("@posthorn/core/contacts/ContactBatchStore") {}

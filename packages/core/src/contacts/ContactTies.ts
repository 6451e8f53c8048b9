/** What else knows a contact: asked when everything about one is to be shown or erased. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/contacts/ContactExport"
import { Context, type Effect } from "effect"

export type Ties = Pick<PersonalData, "segments" | "executions">

export class ContactTies extends Context.Service<
  ContactTies,
  {
    /** Segments that the contact is in, and workflow executions of it, running and ended. */
    readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<Ties>
    /**
     * Removes executions and stored memberships, and tells how many there were. What webhook endpoints were told of the
     * person, or are still to be told, goes too. Joins the caller's transaction.
     */
    readonly cut: (
      project: ProjectId,
      contact: ContactId,
      address: string
    ) => Effect.Effect<{ readonly executions: number; readonly memberships: number }>
  }
>()("@posthorn/core/contacts/ContactTies") {}

/** Finds and removes references to a contact from other capabilities, for data export and erasure. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

export type Ties = Pick<PersonalData, "segments" | "executions">

export class ContactReferences extends Context.Service<
  ContactReferences,
  {
    /** The segments that contain the contact, and its running and ended workflow executions. */
    readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<Ties>
    /**
     * Removes executions and stored memberships and returns how many there were. Also removes sent and pending webhook
     * deliveries about the contact. Joins the caller's transaction.
     */
    readonly cut: (
      project: ProjectId,
      contact: ContactId,
      address: string
    ) => Effect.Effect<{ readonly executions: number; readonly memberships: number }>
  }
>()("@posthorn/core/audience/contacts/ContactReferences") {}

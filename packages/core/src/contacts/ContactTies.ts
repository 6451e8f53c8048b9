/** What else knows a contact: asked when everything about one is to be shown or erased. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type { PersonalData } from "@posthorn/contract/contacts/ContactExport"
import { Context, Effect, Layer } from "effect"

export type Ties = Pick<PersonalData, "segments" | "executions">

export class ContactTies extends Context.Service<
  ContactTies,
  {
    /** Segments that the contact is in, and workflow executions of it, running and ended. */
    readonly of: (project: ProjectId, contact: ContactId) => Effect.Effect<Ties>
    /** Removes executions and stored memberships, and tells how many there were; joins the caller's transaction. */
    readonly cut: (
      project: ProjectId,
      contact: ContactId
    ) => Effect.Effect<{ readonly executions: number; readonly memberships: number }>
  }
>()("@posthorn/core/contacts/ContactTies") {}

/** Of an installation without segments and workflows. */
export const layerNone: Layer.Layer<ContactTies> = Layer.succeed(ContactTies, {
  of: () => Effect.succeed({ segments: [], executions: [] }),
  cut: () => Effect.succeed({ executions: 0, memberships: 0 })
})

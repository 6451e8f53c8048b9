/** How the sending policy of a project acts on one contact. */
import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { SendingState } from "@posthorn/contract/audience/contacts/SendingState"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Effect } from "effect"

export interface SendingStates {
  readonly of: (project: ProjectId, id: ContactId) => Effect.Effect<SendingState, ContactNotFound>
}

/** How the sending policy of a project acts on one contact. */
import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type { SendingState } from "@posthorn/contract/audience/contacts/SendingState"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

/** A service, because HTTP handlers call it and an area above this one implements it. */
export class SendingStates extends Context.Service<
  SendingStates,
  { readonly of: (project: ProjectId, id: ContactId) => Effect.Effect<SendingState, ContactNotFound> }
>()("@posthorn/core/audience/contacts/SendingStates") {}

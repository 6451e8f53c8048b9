/** Who names an event: asked when it is to be deleted, answered by who keeps conditions, triggers and waits. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { EventUsage } from "@posthorn/contract/events/Event"
import { Context, type Effect } from "effect"

export type EventReferences = Pick<EventUsage, "usedInSegments" | "usedInCampaigns" | "usedInWorkflows">

export class EventUse extends Context.Service<
  EventUse,
  { readonly of: (project: ProjectId, event: string) => Effect.Effect<EventReferences> }
>()("@posthorn/core/events/EventUse") {}

/**
 * Finds the uses of an event name before its events are deleted. Capabilities that store conditions, triggers and waits
 * implement it.
 */

import type { EventUsage } from "@posthorn/contract/audience/events/Event"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

export type EventReferences = Pick<EventUsage, "usedInSegments" | "usedInCampaigns" | "usedInWorkflows">

export class EventUse extends Context.Service<
  EventUse,
  { readonly of: (project: ProjectId, event: string) => Effect.Effect<EventReferences> }
>()("@posthorn/core/audience/events/EventUse") {}

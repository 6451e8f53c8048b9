/** The uses of segments, topics, fields and event names, read before a deletion and for display. */
import type { FieldUsage } from "@posthorn/contract/audience/contacts/ContactField"
import type { EventUsage } from "@posthorn/contract/audience/events/Event"
import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { Topic, TopicUsage } from "@posthorn/contract/audience/topics/Topic"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

/**
 * Campaigns in DRAFT, SCHEDULED or SENDING, and workflows. A service, because the areas above this one implement it.
 */
export class References extends Context.Service<
  References,
  {
    /** Those that use the segment. Joins the transaction of the deletion. */
    readonly ofSegment: (
      project: ProjectId,
      segment: SegmentId
    ) => Effect.Effect<Pick<FieldUsage, "usedInCampaigns" | "usedInWorkflows">>
    /**
     * Campaigns that use the field in their audience condition, and workflows that use it in CONDITION,
     * DELAY and UPDATE_CONTACT steps. `field` is `data.<key>` or a standard name. A path below the field also counts.
     */
    readonly ofField: (
      project: ProjectId,
      field: string
    ) => Effect.Effect<Pick<FieldUsage, "usedInCampaigns" | "usedInWorkflows">>
    /** Those that use the event name in conditions, triggers and waits. */
    readonly ofEvent: (
      project: ProjectId,
      event: string
    ) => Effect.Effect<Pick<EventUsage, "usedInCampaigns" | "usedInWorkflows">>
    /** Everything that uses the topic, at most 100 of each kind. */
    readonly ofTopic: (
      project: ProjectId,
      topic: Pick<Topic, "id" | "key">
    ) => Effect.Effect<Omit<TopicUsage, "canDelete">>
  }
>()("@posthorn/core/audience/References") {}

/** Who refers to a custom field of contacts: asked when it is to be deleted, answered by who keeps conditions. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { FieldUsage } from "@posthorn/contract/contacts/ContactField"
import { Context, type Effect } from "effect"

export type FieldReferences = Pick<FieldUsage, "usedInSegments" | "usedInCampaigns" | "usedInWorkflows">

export class FieldUse extends Context.Service<
  FieldUse,
  {
    /**
     * Segments by their condition, campaigns in DRAFT, SCHEDULED or SENDING by their audience condition, workflows by
     * their CONDITION and UPDATE_CONTACT steps. `field` is `data.<key>` or a standard name; a path below it counts.
     */
    readonly of: (project: ProjectId, field: string) => Effect.Effect<FieldReferences>
  }
>()("@posthorn/core/contacts/fields/FieldUse") {}

/** Finds the uses of a custom field before it is deleted. Capabilities that store conditions implement it. */

import type { FieldUsage } from "@posthorn/contract/audience/contacts/ContactField"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type Effect } from "effect"

export type FieldReferences = Pick<FieldUsage, "usedInSegments" | "usedInCampaigns" | "usedInWorkflows">

export class FieldUse extends Context.Service<
  FieldUse,
  {
    /**
     * Returns segments that use the field in their condition, campaigns in DRAFT, SCHEDULED or SENDING that use it in
     * their audience condition, and workflows that use it in CONDITION and UPDATE_CONTACT steps. `field` is
     * `data.<key>` or a standard name. A path below the field also counts.
     */
    readonly of: (project: ProjectId, field: string) => Effect.Effect<FieldReferences>
  }
>()("@posthorn/core/audience/contacts/fields/FieldUse") {}

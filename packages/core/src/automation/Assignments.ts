/** What a contact was assigned to by chance: variants and holdouts of campaigns, and branches of SPLIT steps. */
import type { PersonalData } from "@posthorn/contract/audience/contacts/ContactExport"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const textOrNull = Schema.NullOr(Schema.String)

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      campaignId: textOrNull,
      variant: textOrNull,
      heldOut: Schema.Boolean,
      workflowId: textOrNull,
      stepId: textOrNull,
      branch: textOrNull
    })
  )
)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /** Those of campaigns first, each in the order in which the campaigns and steps were made. */
    of: Effect.fn("Assignments.of")(function* (
      project: ProjectId,
      contact: string
    ): Effect.fn.Return<PersonalData["assignments"], unknown> {
      return yield* rows(
        yield* sql`
          select campaign_id as "campaignId", variant, false as "heldOut", null::uuid as "workflowId", null::uuid as "stepId",
                 null as branch
          from emails
          where project_id = ${project} and contact_id = ${contact} and recipient_id is not null and variant is not null
          union
          select campaign_id, null, true, null, null, null from campaign_holdouts
          where project_id = ${project} and contact_id = ${contact}
          union
          select null, null, false, execution.workflow_id, visit.step_id, visit.output ->> 'branch'
          from workflow_executions as execution
          join workflow_step_executions as visit
            on visit.project_id = execution.project_id and visit.execution_id = execution.id and visit.step_type = 'SPLIT'
          where execution.project_id = ${project} and execution.contact_id = ${contact}
            and visit.output ->> 'branch' is not null
          order by "campaignId" nulls last, "workflowId", "stepId", branch`
      )
    }, Effect.orDie)
  }
})

/** What starts a workflow: an event, a caller or a schedule. */
import { Schema, SchemaIssue } from "effect"
import { Timezone } from "../../accounts/projects/Project.ts"
import { FilterTree } from "../../audience/filters/FilterTree.ts"
import { SegmentId } from "../../audience/segments/Segment.ts"
import { EventName } from "../../events/EventName.ts"
import { described, isOneLine, optional, Trimmed } from "../../platform/Primitives.ts"
import { startFields, verdictFaults } from "./EventMatch.ts"

export const TriggerType = Schema.Literals(["EVENT", "MANUAL", "SCHEDULE"]).annotate({
  description:
    "`EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too."
})
export type TriggerType = typeof TriggerType.Type

/** The event may be missing until the workflow is enabled. */
export const EventTrigger = Schema.Struct({
  eventName: optional(EventName).pipe(
    described("1 to 255 characters, trimmed, case-sensitive; may be an event of the service itself.")
  ),
  ...startFields,
  condition: optional(FilterTree).annotateKey({
    description: "The contact must fulfil it when the workflow starts. Absent: every contact starts."
  }),
  entryKey: optional(Trimmed(1, 100).check(isOneLine)).pipe(
    described(
      "A path into the data of the event. Executions of a contact with different values there run side by side, at most 20."
    )
  )
}).check(Schema.makeFilter((trigger) => [...verdictFaults(trigger)]))
export type EventTrigger = typeof EventTrigger.Type

const Expression = Trimmed(1, 200).check(isOneLine)

const issue = (field: string, code: string, message: string): Schema.FilterIssue => ({
  path: [field],
  issue: new SchemaIssue.InvalidValue({ code, message })
})

/**
 * Cron with five fields, in a time zone, for all contacts or the members of a segment. The core checks the expression
 * when it computes the next run.
 */
export const ScheduleTrigger = Schema.Struct({
  schedule: optional(Expression),
  cron: optional(Expression),
  timezone: optional(Timezone),
  segmentId: optional(SegmentId),
  audienceType: optional(Schema.Literals(["ALL"]))
}).check(
  Schema.makeFilter(({ schedule, cron, segmentId, audienceType }) => {
    const faults: Array<Schema.FilterIssue> = []
    if (schedule == null && cron == null) faults.push(issue("schedule", "required", "A schedule is required."))
    if (schedule != null && cron != null && schedule !== cron) {
      faults.push(issue("cron", "custom", "`schedule` and `cron` differ; one is enough."))
    }
    if (segmentId == null && audienceType == null) {
      faults.push(issue("segmentId", "required", "Choose a segment, or `audienceType` ALL."))
    }
    if (segmentId != null && audienceType != null) {
      faults.push(issue("segmentId", "custom", "Either a segment or `audienceType` ALL, not both."))
    }
    return faults
  })
)
export type ScheduleTrigger = typeof ScheduleTrigger.Type

/** Changes of a project as they happen. */
import { Schema } from "effect"
import { CampaignCounters, CampaignId, CampaignStatus } from "../../automation/campaigns/Campaign.ts"
import { commaSeparated } from "../../mail/emails/Email.ts"
import { DisabledReason } from "../../platform/Auth.ts"
import { described, Id, isLength } from "../../platform/Primitives.ts"
import { ActivityEntry } from "../activity/Activity.ts"

export const LiveTopic = Schema.Literals(["activity", "campaigns", "jobs", "domains", "project"])
export type LiveTopic = typeof LiveTopic.Type

export const LiveQuery = Schema.Struct({
  topics: Schema.optionalKey(commaSeparated(LiveTopic)).pipe(
    described("Only changes of these kinds, as `activity,campaigns`. Default: all.")
  )
})

export const LiveHeaders = Schema.Struct({
  "last-event-id": Schema.optionalKey(Schema.String.check(isLength(0, 4_096))).pipe(
    described("The `id` of the last event of an earlier stream. This one continues after it.")
  )
})

/** The most entries of one event. */
export const maxEntries = 50

export const LiveActivity = Schema.Struct({
  entries: Schema.Array(ActivityEntry).pipe(described(`The newest, at most ${maxEntries}; newest first.`)),
  skipped: Schema.Int.pipe(described("Entries that happened meanwhile and are left out, counted up to 10,000."))
}).annotate({ identifier: "LiveActivity", description: "New entries of the activity feed." })
export type LiveActivity = typeof LiveActivity.Type

export const LiveCampaign = Schema.Struct({
  id: CampaignId,
  status: CampaignStatus,
  paused: Schema.Boolean,
  ...CampaignCounters
}).annotate({
  identifier: "LiveCampaign",
  description: "A campaign whose state changed, or whose counters changed while it is sent."
})
export type LiveCampaign = typeof LiveCampaign.Type

export const LiveJob = Schema.Struct({
  id: Id,
  type: Schema.String.pipe(described("What the job does, as `import`.")),
  state: Schema.Literals(["waiting", "active", "completed", "failed"]),
  progress: Schema.Int.pipe(described("Percent, 0 to 100."))
}).annotate({ identifier: "LiveJob", description: "A job that was queued, progressed or ended." })
export type LiveJob = typeof LiveJob.Type

export const LiveDomain = Schema.Struct({
  id: Id,
  status: Schema.Literals(["PENDING", "VERIFIED"])
}).annotate({ identifier: "LiveDomain", description: "A sender domain that was added, or whose status changed." })
export type LiveDomain = typeof LiveDomain.Type

export const LiveProject = Schema.Struct({
  disabled: Schema.Boolean,
  reason: Schema.NullOr(DisabledReason).pipe(described("Why it is disabled.")),
  resetting: Schema.Boolean.pipe(described("Whether its data is being deleted."))
}).annotate({ identifier: "LiveProject", description: "The project was disabled, enabled or reset." })
export type LiveProject = typeof LiveProject.Type

export const LiveReset = Schema.JsonObject.annotate({
  identifier: "LiveReset",
  description: "The position is unknown or older than 10 minutes, so changes may be missing: read everything again."
})

/** What each event of the stream has as its data. */
export const liveEvents = {
  activity: LiveActivity,
  campaign: LiveCampaign,
  job: LiveJob,
  domain: LiveDomain,
  project: LiveProject,
  reset: LiveReset
} as const

const event = <const Name extends string, Data extends Schema.Top>(name: Name, data: Data) =>
  Schema.Struct({
    id: Schema.optionalKey(Schema.String),
    event: Schema.Literal(name),
    data: Schema.fromJsonString(data)
  })

export const LiveEvent = Schema.Union([
  event("activity", LiveActivity),
  event("campaign", LiveCampaign),
  event("job", LiveJob),
  event("domain", LiveDomain),
  event("project", LiveProject),
  event("reset", LiveReset)
]).annotate({
  identifier: "LiveEvent",
  description:
    "A server-sent event. `data` is JSON: `LiveActivity`, `LiveCampaign`, `LiveJob`, `LiveDomain`, `LiveProject` or `LiveReset`, by `event`. `id` is the position of the stream."
})

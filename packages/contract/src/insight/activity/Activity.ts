/** The activity feed of a project, across its resources. */
import { Schema } from "effect"
import { WindowQuery } from "../../accounts/projects/WindowQuery.ts"
import { commaSeparated } from "../../mail/emails/Email.ts"
import { AtLeastOne, described, Id, Page, PageQuery, Timestamp } from "../../platform/Primitives.ts"

/** In the order in which they are listed. */
export const ActivityType = Schema.Literals([
  "event.triggered",
  "email.sent",
  "email.delivered",
  "email.opened",
  "email.clicked",
  "email.bounced",
  "email.complaint",
  "email.failed",
  "email.suppressed",
  "email.received",
  "campaign.scheduled",
  "campaign.sent",
  "workflow.started",
  "workflow.completed",
  "workflow.failed",
  "contact.subscribed",
  "contact.unsubscribed",
  "topic.subscribed",
  "topic.unsubscribed",
  "contact.confirmed",
  "contact.merged",
  "form.submitted"
]).annotate({ identifier: "ActivityType", description: "Type of an entry of the activity feed." })
export type ActivityType = typeof ActivityType.Type

const contact = {
  contactId: Schema.NullOr(Id),
  contactEmail: Schema.NullOr(Schema.String)
}

export const ActivityEntry = Schema.Struct({
  id: Schema.String.pipe(
    described(
      "The id of the event, or the id of the mail, campaign or execution with a suffix for the type. It never changes."
    )
  ),
  type: ActivityType,
  timestamp: Timestamp,
  ...contact,
  metadata: Schema.JsonObject.pipe(described("Its fields depend on the type; never the text of a mail."))
}).annotate({ identifier: "ActivityEntry", description: "An entry of the activity feed." })
export type ActivityEntry = typeof ActivityEntry.Type

export const ActivityPage = Page("ActivityPage", ActivityEntry)
export type ActivityPage = typeof ActivityPage.Type

export const ActivityQuery = Schema.Struct({
  ...PageQuery,
  types: Schema.optionalKey(commaSeparated(ActivityType)).pipe(
    described("Only entries of these types: separated by commas, such as `email.opened,email.clicked`.")
  ),
  contactId: Schema.optionalKey(Id).pipe(described("Only entries about this contact.")),
  ...WindowQuery
})
export type ActivityQuery = typeof ActivityQuery.Type

export const ActivityStatsQuery = Schema.Struct(WindowQuery)
export type ActivityStatsQuery = typeof ActivityStatsQuery.Type

export const RateOfSent = Schema.Finite.pipe(described("Percentage of the mails sent, with one decimal."))

export const ActivityStats = Schema.Struct({
  totalEvents: Schema.Int.pipe(described("Events that callers tracked.")),
  totalEmailsSent: Schema.Int,
  totalEmailsDelivered: Schema.Int,
  totalEmailsOpened: Schema.Int,
  totalEmailsClicked: Schema.Int,
  totalEmailsBounced: Schema.Int,
  totalComplaints: Schema.Int,
  totalWorkflowsStarted: Schema.Int,
  openRate: RateOfSent,
  clickRate: RateOfSent
}).annotate({
  identifier: "ActivityStats",
  description: "Counts over a window; each count includes a mail at most once."
})
export type ActivityStats = typeof ActivityStats.Type

const Minutes = AtLeastOne.check(Schema.isLessThanOrEqualTo(60, { message: "Must be at most 60." }))

export const RecentCountQuery = Schema.Struct({
  minutes: Schema.optionalKey(AtLeastOne).pipe(described("More than 60 count as 60."))
})
export type RecentCountQuery = typeof RecentCountQuery.Type

export const RecentCount = Schema.Struct({
  count: Schema.Int.pipe(described("Entries of the feed, counted up to 10,000.")),
  minutes: Minutes
}).annotate({ identifier: "RecentCount", description: "Number of recent entries." })
export type RecentCount = typeof RecentCount.Type

export const ActivityTypes = Schema.Struct({
  types: Schema.Array(ActivityType).pipe(described("All types.")),
  present: Schema.Array(ActivityType).pipe(described("Types that occurred in the project in the last 90 days."))
}).annotate({ identifier: "ActivityTypes", description: "Types of entries." })
export type ActivityTypes = typeof ActivityTypes.Type

export const UpcomingType = Schema.Literals([
  "campaign.scheduled",
  "campaign.recurrence",
  "campaign.decision",
  "email.scheduled",
  "workflow.scheduled",
  "workflow.step.scheduled"
])
export type UpcomingType = typeof UpcomingType.Type

export const UpcomingQuery = Schema.Struct({
  limit: Schema.optionalKey(AtLeastOne).pipe(described("At most 100.")),
  daysAhead: Schema.optionalKey(AtLeastOne).pipe(described("More than 90 count as 90."))
})
export type UpcomingQuery = typeof UpcomingQuery.Type

export const UpcomingEntry = Schema.Struct({
  id: Schema.String,
  type: UpcomingType,
  timestamp: Schema.NullOr(Timestamp).pipe(described("When it is due; null for an execution without a set time.")),
  ...contact,
  metadata: Schema.JsonObject
}).annotate({
  identifier: "UpcomingEntry",
  description: "A scheduled campaign, workflow or step, or the decision of an experiment."
})
export type UpcomingEntry = typeof UpcomingEntry.Type

export const Upcoming = Schema.Struct({ activities: Schema.Array(UpcomingEntry) }).annotate({
  identifier: "Upcoming",
  description: "Scheduled campaigns, workflows and steps, earliest first."
})
export type Upcoming = typeof Upcoming.Type

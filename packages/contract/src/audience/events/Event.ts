/** Events about contacts, as callers read them. */
import { Schema, SchemaTransformation } from "effect"
import { WindowQuery } from "../../accounts/projects/WindowQuery.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { DateQuery, described, Id, isLength, Page, PageQuery, Search, Timestamp } from "../../platform/Primitives.ts"
import { ContactId } from "../contacts/Contact.ts"

export const EventSource = Schema.Literals(["tracked", "system"])
export type EventSource = typeof EventSource.Type

const Sources = Schema.Literals(["tracked", "system", "all"])

export const Event = Schema.Struct({
  id: Id,
  name: Schema.String,
  projectId: ProjectId,
  contactId: Schema.NullOr(ContactId),
  contact: Schema.NullOr(Schema.Struct({ id: ContactId, email: Schema.String })),
  emailId: Schema.NullOr(Id).pipe(described("The email that the event is about or that led to it.")),
  source: EventSource.pipe(described("`tracked` by a caller, or an event of the service itself.")),
  data: Schema.NullOr(Schema.JsonObject).pipe(described("The data that the caller or the service recorded with it.")),
  createdAt: Timestamp.pipe(described("When it was recorded.")),
  occurredAt: Timestamp.pipe(described("When it happened: the time that the caller stated, otherwise `createdAt`."))
}).annotate({
  identifier: "Event",
  description: "An action of a contact, or a change of its mail or state. It never changes."
})
export type Event = typeof Event.Type

/** A name to search for. A name that no event can have finds nothing. */
export const AnyEventName = Schema.String.check(isLength(0, 1_000)).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (name) => name.toWellFormed().replaceAll("\0", "\uFFFD"),
      encode: (name) => name
    })
  )
)

const dates = {
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("At or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(described("Before this date-time, or until the end of this date."))
}

const anySource = Schema.optionalKey(Sources).pipe(described("Whose events.", "all"))

export const EventQuery = Schema.Struct({
  ...PageQuery,
  eventName: Schema.optionalKey(AnyEventName).pipe(described("Only events with exactly this name.")),
  contactId: Schema.optionalKey(Id).pipe(described("Only events of this contact.")),
  source: Schema.optionalKey(Sources).pipe(described("Whose events.", "tracked")),
  ...dates
})
export type EventQuery = typeof EventQuery.Type

export const ContactEventQuery = Schema.Struct({ ...PageQuery, source: anySource })
export type ContactEventQuery = typeof ContactEventQuery.Type

export const EventPage = Page("EventPage", Event)
export type EventPage = typeof EventPage.Type

export const EventStatsQuery = Schema.Struct({ source: anySource, ...dates })
export type EventStatsQuery = typeof EventStatsQuery.Type

export const EventStats = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    count: Schema.Int,
    uniqueContacts: Schema.Int,
    lastSeenAt: Timestamp
  }).annotate({ identifier: "EventStat", description: "How often an event was recorded." })
).annotate({ identifier: "EventStats", description: "Names of events with their counts." })
export type EventStats = typeof EventStats.Type

export const EventTimeseriesQuery = Schema.Struct(WindowQuery)
export type EventTimeseriesQuery = typeof EventTimeseriesQuery.Type

export const EventTimeseries = Schema.Array(
  Schema.Struct({
    date: Schema.String.pipe(described("A day in the time zone, as `2026-03-01`.")),
    count: Schema.Int
  }).annotate({ identifier: "EventTimeseriesDay", description: "How often an event was tracked on one day." })
).annotate({ identifier: "EventTimeseries", description: "Every day of the window, earliest first." })
export type EventTimeseries = typeof EventTimeseries.Type

export const EventNamesQuery = Schema.Struct({ search: Schema.optionalKey(Search), source: anySource })
export type EventNamesQuery = typeof EventNamesQuery.Type

export const EventNames = Schema.Struct({
  eventNames: Schema.Array(Schema.String).pipe(described("The most frequent first, at most 1,000."))
}).annotate({ identifier: "EventNames", description: "Names of events that the project has." })
export type EventNames = typeof EventNames.Type

const user = { id: Id, name: Schema.String }

export const EventUsage = Schema.Struct({
  eventName: Schema.String,
  usedInSegments: Schema.Array(Schema.Struct(user)),
  usedInCampaigns: Schema.Array(Schema.Struct({ ...user, status: Schema.String })).pipe(
    described("Campaigns that have not ended.")
  ),
  usedInWorkflows: Schema.Array(
    Schema.Struct({ ...user, as: Schema.Array(Schema.Literals(["trigger", "wait", "condition", "goal", "exit"])) })
  ),
  totalCount: Schema.Int,
  uniqueContacts: Schema.Int,
  canDelete: Schema.Boolean.pipe(described("True if nothing uses the name and it is not a name of the service."))
}).annotate({ identifier: "EventUsage", description: "Where the name of an event is used." })
export type EventUsage = typeof EventUsage.Type

export const DeletedEvents = Schema.Struct({ deletedCount: Schema.Int }).annotate({
  identifier: "DeletedEvents",
  description: "The events are deleted."
})
export type DeletedEvents = typeof DeletedEvents.Type

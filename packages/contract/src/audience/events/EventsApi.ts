/** Endpoints of events. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProjectAccess } from "../../platform/Auth.ts"
import { Conflict, envelope, InvalidCursor, ResourceInUse } from "../../platform/Errors.ts"
import { body, described } from "../../platform/Primitives.ts"
import { Idempotent, JsonBody, MalformedId, Validation } from "../../platform/Request.ts"
import { ContactId, ContactNotFound, EmailAlreadyExists } from "../contacts/Contact.ts"
import {
  AnyEventName,
  ContactEventQuery,
  DeletedEvents,
  EventNames,
  EventNamesQuery,
  EventPage,
  EventQuery,
  EventStats,
  EventStatsQuery,
  EventTimeseries,
  EventTimeseriesQuery,
  EventUsage
} from "./Event.ts"
import { TrackEvent, TrackedEvent } from "./Track.ts"

const contactNotFound = envelope(ContactNotFound)
const byName = { eventName: AnyEventName.pipe(described("URL-encoded.")) }

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: EventQuery,
      success: EventPage,
      error: envelope(InvalidCursor)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List events",
        description:
          "Events that callers tracked, newest first: those of one name by `occurredAt`, others by `createdAt`."
      })
    ),
    HttpApiEndpoint.get("stats", "/stats", { query: EventStatsQuery, success: EventStats }).annotateMerge(
      OpenApi.annotations({
        summary: "Count events by name",
        description: "The most frequent first, at most 1,000 names. By default the last 30 days."
      })
    ),
    HttpApiEndpoint.get("ofContact", "/contact/:contactId", {
      params: { contactId: ContactId },
      query: ContactEventQuery,
      success: EventPage,
      error: [contactNotFound, envelope(InvalidCursor)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a contact's events",
        description: "All events of the contact, newest first, 50 on a page by default."
      })
    ),
    HttpApiEndpoint.get("names", "/names", { query: EventNamesQuery, success: EventNames }).annotateMerge(
      OpenApi.annotations({ summary: "List names of events", description: "For a picker: every name in use." })
    ),
    HttpApiEndpoint.get("usage", "/:eventName/usage", { params: byName, success: EventUsage }).annotateMerge(
      OpenApi.annotations({
        summary: "List the uses of an event name",
        description:
          "Segments, campaigns that have not ended, and workflows that use the name. An unknown name has no uses."
      })
    ),
    HttpApiEndpoint.get("timeseries", "/:eventName/timeseries", {
      params: byName,
      query: EventTimeseriesQuery,
      success: EventTimeseries
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count an event by day",
        description:
          "How often callers tracked the event, with one entry for each day of the window, including days without it; by default the last 30 days. Days are counted whole, even if the window starts or ends within one. Counts stay when contacts are deleted. An unknown name has zeros."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:eventName", {
      params: byName,
      success: DeletedEvents,
      error: envelope(ResourceInUse)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete events by name",
        description:
          "For OWNER and ADMIN. Deletes every stored event with the name; lists and filters stop seeing them at once. Refused with 409 while something uses the name, and with 422 for names of the service. The name can be tracked again."
      })
    )
  )
  .middleware(Validation)
  .middleware(JsonBody)
  .middleware(ProjectAccess)
  // Added after the others, so that the Idempotency-Key is handled around the validation.
  .add(
    HttpApiEndpoint.post("track", "/track", {
      payload: body(TrackEvent),
      success: TrackedEvent,
      error: [envelope(EmailAlreadyExists), envelope(Conflict)]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Track an event with the secret key",
          description: "The same as `POST /v1/track`, for servers: with the secret key or a session."
        })
      )
      .middleware(Validation)
      .middleware(Idempotent)
      .middleware(JsonBody)
      .middleware(ProjectAccess)
  )
  .annotate(MalformedId, (id) => Schema.encodeEffect(contactNotFound)(new ContactNotFound({ id })))
  .annotate(OpenApi.Description, "Actions of contacts, and events of their mail.")
  .prefix("/events") {}

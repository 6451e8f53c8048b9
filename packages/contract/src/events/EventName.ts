/** Names of events: which names callers may track, and which are reserved for the service. */
import { Schema, SchemaIssue } from "effect"
import { isOneLine, Trimmed } from "../platform/Primitives.ts"

/** Compares the name as written: `contact.created`, `segment.entry` and `emails` are not reserved. */
export const isReservedEvent = (name: string): boolean =>
  name.startsWith("email.") ||
  name === "contact.subscribed" ||
  name === "contact.unsubscribed" ||
  (name.startsWith("segment.") && /\.(?:entry|exit)$/.test(name.slice("segment".length + 1)))

/** Names that both the service and callers may use. The `source` of an event tells them apart. */
export const sharedEvents = [
  "campaign.sent",
  "campaign.cancelled",
  "workflow.execution.completed",
  "workflow.execution.failed",
  "domain.verified",
  "domain.unverified",
  "transport.failing",
  "transport.recovered",
  "project.disabled",
  "project.enabled",
  "contact.snoozed",
  "contact.unsnoozed",
  "contact.email_changed"
] as const
const shared: ReadonlySet<string> = new Set(sharedEvents)

export const isSharedEvent = (name: string): boolean => shared.has(name)

/** Any name that an event can have: trimmed, 1 to 255 characters, case-sensitive. */
export const EventName = Trimmed(1, 255).check(isOneLine)

/** A name that callers may track. */
export const TrackableEvent = EventName.check(
  Schema.makeFilter((name: string) =>
    isReservedEvent(name)
      ? new SchemaIssue.InvalidValue({
          code: "reserved_event",
          message: "This name is reserved for events of the service."
        })
      : true
  )
)

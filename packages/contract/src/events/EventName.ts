/** Names of events: which a caller may track, and which the service keeps for itself (contract 9). */
import { Schema, SchemaIssue } from "effect"
import { isLength, isOneLine } from "../Wire.ts"

/** Tested as written: `contact.created`, `segment.entry` and `emails` are free. */
export const isReservedEvent = (name: string): boolean =>
  name.startsWith("email.") ||
  name === "contact.subscribed" ||
  name === "contact.unsubscribed" ||
  /^segment\..*\.(?:entry|exit)$/s.test(name)

/**
 * Names under which the service tells of its own doing (contract-2 16.1), and which callers may track as well: such events
 * differ in their source.
 */
const shared: ReadonlySet<string> = new Set([
  "campaign.sent",
  "campaign.cancelled",
  "workflow.execution.completed",
  "workflow.execution.failed",
  "domain.verified",
  "domain.unverified",
  "project.disabled",
  "project.enabled"
])

export const isSharedEvent = (name: string): boolean => shared.has(name)

/** Any name an event can have: trimmed, 1 to 255 characters, case counts. */
export const EventName = Schema.Trim.check(isLength(1, 255), isOneLine)

/** A name a caller may track. */
export const TrackableEvent = EventName.check(
  Schema.makeFilter((name: string) =>
    isReservedEvent(name)
      ? new SchemaIssue.InvalidValue({
          code: "reserved_event",
          message: "This event is produced by the service itself."
        })
      : true
  )
)

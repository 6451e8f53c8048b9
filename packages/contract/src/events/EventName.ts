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
  "workflow.published",
  "workflow.execution.completed",
  "workflow.execution.failed",
  "workflow.execution.converted",
  "domain.verified",
  "domain.unverified",
  "domain.health_changed",
  "deliverability.provider_slowed",
  "deliverability.provider_recovered",
  "domain.warmup_paused",
  "domain.warmup_completed",
  "transport.failing",
  "transport.recovered",
  "project.disabled",
  "project.enabled",
  "contact.snoozed",
  "contact.unsnoozed",
  "contact.email_changed",
  "contact.merged",
  "contact.confirmed",
  "contact.opt_in_requested",
  "contact.opt_in_declined",
  "contact.opt_in_expired",
  "campaign.approval_requested",
  "campaign.approved",
  "campaign.rejected",
  "campaign.experiment_decided",
  "campaign.converted",
  "contact.privacy_requested"
] as const

/**
 * Shared names about contacts. Filters, triggers and waits that name one see only events of the service, so that a
 * caller with the public key cannot fake what a contact did.
 */
export const serviceOnlyEvents: ReadonlyArray<string> = sharedEvents.filter((name) => name.startsWith("contact."))

const shared: ReadonlySet<string> = new Set(sharedEvents)

export const isSharedEvent = (name: string): boolean => shared.has(name)

export const isServiceOnlyEvent = (name: string): boolean => serviceOnlyEvents.includes(name)

/** The key of a topic or a form, as a part of a pattern. */
export const eventKey = "[a-z0-9][a-z0-9_-]{0,63}"

const topicEvent = new RegExp(`^topic\\.(${eventKey})\\.(?:un)?subscribed$`)

/** The key of the topic that the name would be about. While there is such a topic, the same holds for the name. */
export const topicOfEvent = (name: string): string | undefined => topicEvent.exec(name)?.[1]

const formEvent = new RegExp(`^form\\.(${eventKey})\\.submitted$`)

/** The key of the sign-up form that the name would be about. While there is such a form, the same holds for the name. */
export const formOfEvent = (name: string): string | undefined => formEvent.exec(name)?.[1]

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

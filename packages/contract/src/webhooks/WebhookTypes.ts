/** The types of events that webhooks deliver, and the patterns that an endpoint subscribes with. */
import { eventKey, formOfEvent, sharedEvents, topicOfEvent } from "../events/EventName.ts"

/** Every type except those of segments, forms and topics, whose names contain a slug or key. */
export const webhookTypes = [
  "email.sent",
  "email.delivery",
  "email.open",
  "email.click",
  "email.bounce",
  "email.complaint",
  "email.failed",
  "email.received",
  "contact.subscribed",
  "contact.unsubscribed",
  "event.tracked",
  ...sharedEvents,
  "webhook.test"
] as const

/** Delivered to any endpoint, independent of its patterns. */
export const testType = "webhook.test"

/** Letters and digits of any script, `_` and hyphens. */
const slug = "[\\p{L}\\p{Nd}_-]+"
const segmentType = new RegExp(`^segment\\.${slug}\\.(?:entry|exit)$`, "u")
const segmentPrefix = new RegExp(`^segment(?:\\.${slug})?$`, "u")

const keyedPrefix = new RegExp(`^(?:form|topic)(?:\\.${eventKey})?$`)

/** Whether a pattern is valid: `*`, a type, or a prefix of types that ends in `.*`. */
export const isPattern = (pattern: string): boolean => {
  if (pattern === "*" || segmentType.test(pattern)) return true
  if (topicOfEvent(pattern) !== undefined || formOfEvent(pattern) !== undefined) return true
  if (!pattern.endsWith(".*")) return webhookTypes.some((type) => type === pattern)
  const prefix = pattern.slice(0, -2)
  return (
    segmentPrefix.test(prefix) || keyedPrefix.test(prefix) || webhookTypes.some((type) => type.startsWith(`${prefix}.`))
  )
}

/** Whether one of the patterns is the type, a prefix of it that ends in `.*`, or `*`. */
export const matchesAny = (type: string, patterns: ReadonlyArray<string>): boolean =>
  patterns.some(
    (pattern) =>
      pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))
  )

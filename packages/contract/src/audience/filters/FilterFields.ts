/** The fields that a filter can ask about. */
import { isReservedEvent } from "../../events/EventName.ts"
import type { Choice, JsonPath } from "./Condition.ts"
import type { FaultReport } from "./FilterFaults.ts"
import { allows, type FilterOperator } from "./Operators.ts"
import { topicKey } from "./TopicFields.ts"

/** A step of a workflow also sees the variables of its execution, as `event.<key>` and `workflow.<key>`. */
export type FilterPlace = "audience" | "step"

export type FilterField =
  | { readonly kind: "text" }
  | { readonly kind: "id" }
  /** `subscribed`, or whether the contact takes a topic. */
  | { readonly kind: "flag"; readonly topic?: string }
  | { readonly kind: "time"; readonly name: "createdAt" | "updatedAt" }
  | { readonly kind: "moment" }
  | { readonly kind: "choice"; readonly of: Choice }
  | { readonly kind: "json"; readonly of: "data" | "context"; readonly path: JsonPath }
  | { readonly kind: "history"; readonly event: string }
  | { readonly kind: "membership"; readonly segment: string }

/** Recorded mail events under the names that callers use. */
const activities: ReadonlyMap<string, string> = new Map([
  ["email.sent", "email.sent"],
  ["email.delivered", "email.delivery"],
  ["email.delivery", "email.delivery"],
  ["email.opened", "email.open"],
  ["email.open", "email.open"],
  ["email.clicked", "email.click"],
  ["email.click", "email.click"],
  ["email.bounced", "email.bounce"],
  ["email.bounce", "email.bounce"],
  ["email.complained", "email.complaint"],
  ["email.complaint", "email.complaint"]
])

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Contact data is at most 10 levels deep, so a longer path finds nothing. */
const maxSteps = 10

export const jsonPath = (key: string): JsonPath => {
  const steps = key.split(".")
  return { key, steps: steps.length > maxSteps ? [] : steps }
}

const after = (prefix: string, text: string): string | undefined =>
  text.startsWith(prefix) && text.length > prefix.length ? text.slice(prefix.length) : undefined

/** The field that a text names. With an event operator, any other name is the name of an event. */
export const filterField = (
  given: string,
  operator: FilterOperator,
  place: FilterPlace,
  report: FaultReport
): FilterField | undefined => {
  const asksHistory = allows("history", operator)
  const activity = activities.get(given)
  if (activity !== undefined) return { kind: "history", event: activity }
  if (asksHistory && isReservedEvent(given)) return { kind: "history", event: given }

  const named = after("contact.", given) ?? given
  // With an event operator, a name that came later than event names means an event.
  const own = contactField(named) ?? (asksHistory ? undefined : laterField(named))
  if (own !== undefined) return own

  const segment = after("segment.", given)?.toLowerCase()
  if (segment !== undefined && uuid.test(segment)) return { kind: "membership", segment }
  if (segment !== undefined && !asksHistory) return report.add("custom", "Not the id of a segment.", given)

  const event = after("event.", given)
  if (asksHistory || (event !== undefined && place === "audience")) {
    return given === "event." ? report.add("custom", noName, given) : { kind: "history", event: event ?? given }
  }
  const variable = event ?? after("workflow.", given)
  if (variable !== undefined && place === "step") return { kind: "json", of: "context", path: jsonPath(variable) }
  return report.add(
    "custom",
    variable === undefined
      ? `No such field. For custom data write 'data.${name(given)}'.`
      : `Only a step of a workflow has '${given.slice(0, 100)}'. For custom data write 'data.${name(variable)}'.`,
    given
  )
}

const noName = "The name of the event is missing."

const name = (text: string): string => [...text].slice(0, 100).join("")

const contactField = (text: string): FilterField | undefined => {
  switch (text) {
    case "email":
      return { kind: "text" }
    case "subscribed":
      return { kind: "flag" }
    case "createdAt":
    case "updatedAt":
      return { kind: "time", name: text }
  }
  const key = after("data.", text)
  return key === undefined ? undefined : { kind: "json", of: "data", path: jsonPath(key) }
}

/** Fields whose names callers may also use for events. */
const laterField = (text: string): FilterField | undefined => {
  switch (text) {
    case "externalId":
      return { kind: "id" }
    case "snoozedUntil":
      return { kind: "moment" }
    case "locale":
    case "timezone":
      return { kind: "json", of: "data", path: jsonPath(text) }
    case "subscription":
    case "origin.source":
      return { kind: "choice", of: { name: text } }
  }
  const topic = topicKey(text)
  if (topic === undefined) return undefined
  return topic.isTaking
    ? { kind: "flag", topic: topic.key }
    : { kind: "choice", of: { name: "topic", topic: topic.key } }
}

/**
 * Evaluates a condition for a contact in memory. A property test checks that the result equals that of `conditionSql`.
 */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition, EmailMatch, HistoryMatch, MembershipTest } from "@posthorn/contract/audience/filters/Condition"
import type { FilterScope } from "./FilterScope.ts"
import { jsonHolds } from "./JsonHolds.ts"
import { ago, isInPeriod } from "./Periods.ts"
import { without } from "./SegmentDefinitions.ts"

/** What the evaluation needs to know about a contact besides its own fields. */
export interface ContactFacts {
  /**
   * The number of events of that name for the contact. With `from`, only events at or after that time, in milliseconds.
   */
  readonly events: (name: string, from?: number) => number
  /** The ids of the static segments that contain it. */
  readonly memberships: ReadonlySet<string>
}

type Fields = Pick<Contact, "email" | "subscribed" | "createdAt" | "updatedAt" | "data">

/** The scope without what only the database needs. */
export type MemoryScope = Omit<FilterScope, "project" | "few">

export const holds = (condition: Condition, contact: Fields, facts: ContactFacts, scope: MemoryScope): boolean => {
  const now = scope.now.epochMilliseconds
  switch (condition._tag) {
    case "AllOf":
      return condition.conditions.every((each) => holds(each, contact, facts, scope))
    case "AnyOf":
      return condition.conditions.some((each) => holds(each, contact, facts, scope))
    case "Email":
      return emailMatches(condition.match, contact.email) !== condition.negated
    case "Subscribed":
      return contact.subscribed === condition.is
    case "Time":
      return isInPeriod(condition.match, contact[condition.field].epochMilliseconds, now) !== condition.negated
    case "Json":
      return jsonHolds(condition, condition.of === "data" ? contact.data : (scope.context ?? {}), now)
    case "History":
      return historyMatches(condition.match, (from) => facts.events(condition.event, from), now)
    case "Membership":
      return isMember(condition, contact, facts, scope) === condition.member
  }
}

const emailMatches = (match: EmailMatch, email: string): boolean => {
  switch (match._tag) {
    case "OneOf":
      return match.addresses.includes(email)
    case "Contains":
      return email.includes(match.text)
    case "StartsWith":
      return email.startsWith(match.text)
    case "EndsWith":
      return email.endsWith(match.text)
  }
}

const historyMatches = (match: HistoryMatch, count: (from?: number) => number, now: number): boolean => {
  const since = match.span && ago(match.span, now)
  switch (match._tag) {
    case "AtLeast":
      return count(since) >= match.count
    case "Never":
      return count(since) === 0
    case "Lapsed":
      return count() > 0 && count(since) === 0
  }
}

/**
 * A segment whose condition is being evaluated counts as missing within that condition, so that circular references
 * end.
 */
const isMember = ({ segment }: MembershipTest, contact: Fields, facts: ContactFacts, scope: MemoryScope): boolean => {
  const definition = scope.segments.get(segment)
  if (definition === undefined) return false
  if (definition.type === "STATIC") return facts.memberships.has(segment)
  return holds(definition.condition, contact, facts, { ...scope, segments: without(scope.segments, segment) })
}

/** Whether a condition holds for a contact in memory; means the same as `conditionSql`, which a property test holds it to. */
import type { Contact } from "@posthorn/contract/contacts/Contact"
import type { Condition, EmailMatch, HistoryMatch, MembershipTest } from "@posthorn/contract/filters/Condition"
import type { FilterScope } from "./FilterScope.ts"
import { jsonHolds } from "./JsonHolds.ts"
import { ago, isInPeriod } from "./Periods.ts"
import { without } from "./SegmentDefinitions.ts"

/** What is known of a contact besides itself. */
export interface ContactFacts {
  /** How many events of that name the contact has; with `from`, at or after that instant in milliseconds. */
  readonly events: (name: string, from?: number) => number
  /** Ids of the static segments it is in. */
  readonly memberships: ReadonlySet<string>
}

type Fields = Pick<Contact, "email" | "subscribed" | "createdAt" | "updatedAt" | "data">

/** What only a database needs to know is left out. */
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

/** A segment whose condition is being asked is not there for that condition: what goes in circles ends. */
const isMember = ({ segment }: MembershipTest, contact: Fields, facts: ContactFacts, scope: MemoryScope): boolean => {
  const definition = scope.segments.get(segment)
  if (definition === undefined) return false
  if (definition.type === "STATIC") return facts.memberships.has(segment)
  return holds(definition.condition, contact, facts, { ...scope, segments: without(scope.segments, segment) })
}

/**
 * Evaluates a condition for a contact in memory. A property test checks that the result equals that of `conditionSql`.
 */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { EventSource } from "@posthorn/contract/audience/events/Event"
import type {
  Choice,
  Condition,
  EmailMatch,
  HistoryMatch,
  HistoryTest,
  IdMatch,
  MembershipTest,
  Period,
  Presence
} from "@posthorn/contract/audience/filters/Condition"
import { DateTime, type Schema } from "effect"
import { type MailConsent, takingRefusal } from "../contacts/MailConsent.ts"
import type { FilterScope } from "./FilterScope.ts"
import { jsonHolds } from "./JsonHolds.ts"
import { ago, isInPeriod } from "./Periods.ts"
import { without } from "./SegmentDefinitions.ts"
import { isOfService } from "./ServiceEvents.ts"

/** An event of a contact. */
export interface FactEvent {
  readonly name: string
  /** When it happened, in milliseconds. */
  readonly at: number
  readonly data: Schema.JsonObject | null
  readonly source: EventSource
}

/** What the evaluation needs to know about a contact besides its own fields. */
export interface ContactFacts {
  readonly events: ReadonlyArray<FactEvent>
  /** The ids of the static segments that contain it. */
  readonly memberships: ReadonlySet<string>
  /** Ids of the topics that it takes, and of those that it left. */
  readonly topics: Pick<MailConsent, "topicsOff" | "topicsOn">
  readonly externalId: string | null
  /** Until when it may confirm that it wants mail. */
  readonly pendingUntil: DateTime.Utc | null
  readonly origin: string | null
}

/** For conditions that need nothing else: see `needsContactOnly`. */
export const noFacts: ContactFacts = {
  events: [],
  memberships: new Set(),
  topics: { topicsOn: null, topicsOff: null },
  externalId: null,
  pendingUntil: null,
  origin: null
}

type Fields = Pick<Contact, "email" | "subscribed" | "snoozedUntil" | "createdAt" | "updatedAt" | "data">

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
    case "ExternalId": {
      const { externalId } = facts
      if (condition.match._tag === "Missing") return externalId === null
      return externalId !== null && idMatches(condition.match, externalId) !== condition.negated
    }
    case "Subscribed":
      return contact.subscribed === condition.is
    case "TakesTopic":
      return takes(condition.topic, contact, facts, scope) === condition.is
    case "Time":
      return isInPeriod(condition.match, contact[condition.field].epochMilliseconds, now) !== condition.negated
    case "SnoozedUntil": {
      const until = contact.snoozedUntil?.epochMilliseconds
      if (until === undefined || until <= now) return condition.match._tag === "Missing"
      return momentMatches(condition.match, until, now) !== condition.negated
    }
    case "Choice": {
      const chosen = choiceOf(condition.of, contact, facts, scope)
      return chosen !== null && condition.oneOf.includes(chosen) !== condition.negated
    }
    case "Json":
      return jsonHolds(condition, condition.of === "data" ? contact.data : (scope.context ?? {}), now)
    case "History":
      return historyMatches(condition.match, counting(condition, facts, scope), now)
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

const idMatches = (match: Exclude<IdMatch, { readonly _tag: "Missing" }>, id: string): boolean => {
  switch (match._tag) {
    case "Present":
      return true
    case "OneOf":
      return match.ids.includes(id)
    case "Contains":
      return id.includes(match.text)
    case "StartsWith":
      return id.startsWith(match.text)
    case "EndsWith":
      return id.endsWith(match.text)
  }
}

/** For an instant that is there. */
const momentMatches = (match: Period | Presence, instant: number, now: number): boolean => {
  if (match._tag === "Missing") return false
  return match._tag === "Present" || isInPeriod(match, instant, now)
}

const takes = (key: string, contact: Fields, { topics }: ContactFacts, scope: MemoryScope): boolean => {
  const topic = scope.topics.get(key)
  return topic !== undefined && takingRefusal({ ...contact, ...topics }, topic, scope.now) === undefined
}

const choiceOf = (of: Choice, contact: Fields, facts: ContactFacts, scope: MemoryScope): string | null => {
  switch (of.name) {
    case "subscription": {
      if (contact.subscribed) return "subscribed"
      const { pendingUntil } = facts
      return pendingUntil !== null && DateTime.isGreaterThan(pendingUntil, scope.now) ? "pending" : "unsubscribed"
    }
    case "origin.source":
      return facts.origin
    case "topic": {
      const { topicsOn, topicsOff } = facts.topics
      const id = scope.topics.get(of.topic)?.id
      if (id !== undefined && topicsOn?.includes(id)) return "subscribed"
      return id !== undefined && topicsOff?.includes(id) ? "unsubscribed" : "unset"
    }
  }
}

/** Counts the events that pass all tests of the same event, from a time on or at any time. */
const counting = ({ event, where }: HistoryTest, { events }: ContactFacts, { now, ...known }: MemoryScope) => {
  const passing = events.filter(
    ({ name, source, data }) =>
      name === event &&
      (source === "system" || !isOfService(name, known)) &&
      where.every((test) => jsonHolds(test, data ?? {}, now.epochMilliseconds))
  )
  return (from = Number.NEGATIVE_INFINITY) => passing.filter(({ at }) => at >= from).length
}

const historyMatches = (match: HistoryMatch, count: (from?: number) => number, now: number): boolean => {
  const since = match.span && ago(match.span, now)
  switch (match._tag) {
    case "AtLeast": {
      const found = count(since)
      return found >= match.count && found <= (match.atMost ?? Number.POSITIVE_INFINITY)
    }
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

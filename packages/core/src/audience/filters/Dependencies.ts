/** What a condition depends on, so that it is evaluated again only when that changes. Pure. */
import type { Choice, Condition, Test, ValueTest } from "@posthorn/contract/audience/filters/Condition"
import { formOfEvent, topicOfEvent } from "@posthorn/contract/events/EventName"
import { topicName } from "../../events/ChangeNotes.ts"
import type { SegmentDefinitions } from "./SegmentDefinitions.ts"

export interface Dependencies {
  /** As in `ChangeNotes.ts`. */
  readonly names: ReadonlySet<string>
  /** Whether its result can change for a contact with time alone. */
  readonly onTime: boolean
}

/** The tests of a condition, without those of the segments that it names. */
export const testsOf = (condition: Condition): ReadonlyArray<Test> =>
  condition._tag === "AllOf" || condition._tag === "AnyOf" ? condition.conditions.flatMap(testsOf) : [condition]

/** The dependencies of the condition itself, without those of the segments that it names. */
export const dependenciesOf = (condition: Condition): Dependencies => {
  const tests = testsOf(condition)
  return { names: new Set(tests.flatMap(namesIn)), onTime: tests.some(isOnTime) }
}

/** The ids of the segments that the condition itself names. */
export const segmentsNamed = (condition: Condition): ReadonlyArray<string> =>
  testsOf(condition).flatMap((test) => (test._tag === "Membership" ? [test.segment] : []))

/** The keys of the topics that the condition itself names, also in the names of events. */
export const topicsNamed = (condition: Condition): ReadonlyArray<string> =>
  testsOf(condition).flatMap((test) => (test._tag === "History" ? topicOfEvent(test.event) : topicOf(test)) ?? [])

/** The keys of the sign-up forms that the condition itself names, in the names of their events. */
export const formsNamed = (condition: Condition): ReadonlyArray<string> =>
  testsOf(condition).flatMap((test) => (test._tag === "History" ? (formOfEvent(test.event) ?? []) : []))

const topicOf = (test: Test): string | undefined => {
  if (test._tag === "TakesTopic") return test.topic
  return test._tag === "Choice" && test.of.name === "topic" ? test.of.topic : undefined
}

const ofContactOnly: ReadonlySet<Test["_tag"]> = new Set(["Email", "Subscribed", "SnoozedUntil", "Time", "Json"])

/** Whether it depends only on the address, subscription, snooze, times and data of the contact. */
export const needsContactOnly = (condition: Condition): boolean =>
  testsOf(condition).every(({ _tag }) => ofContactOnly.has(_tag))

/** Whether it uses the variables of a workflow execution. */
export const needsContext = (condition: Condition): boolean =>
  testsOf(condition).some((test) => test._tag === "Json" && test.of === "context")

/** A dotted path can name a key that contains dots, or a path below the key before the first dot. */
const namesIn = (test: Test): ReadonlyArray<string> => {
  switch (test._tag) {
    case "Email":
      return ["email"]
    case "ExternalId":
      return ["externalId"]
    case "Subscribed":
      return ["subscribed"]
    case "TakesTopic":
      return ["subscribed", "snoozedUntil", topicName(test.topic)]
    case "Time":
      return [test.field]
    case "SnoozedUntil":
      return ["snoozedUntil"]
    case "Choice":
      return choiceNames(test.of)
    case "Json":
      return test.of === "data" ? [test.path.key, ...test.path.steps.slice(0, 1)].map((key) => `data.${key}`) : []
    case "History":
      return [`event.${test.event}`]
    case "Membership":
      return [`segment.${test.segment}`]
  }
}

const choiceNames = (of: Choice): ReadonlyArray<string> => {
  switch (of.name) {
    case "subscription":
      return ["subscribed", "subscription"]
    case "topic":
      return [topicName(of.topic)]
    case "origin.source":
      return [of.name]
  }
}

const isOnTime = (test: Test): boolean => {
  switch (test._tag) {
    case "Time":
      return test.match._tag !== "Instants"
    // A snooze passes, and a topic is taken again after it. So does the time in which a contact may confirm.
    case "SnoozedUntil":
    case "TakesTopic":
      return true
    case "Choice":
      return test.of.name === "subscription"
    case "Json":
      return isValueOnTime(test)
    case "History":
      return test.match.span !== undefined || test.where.some(isValueOnTime)
    default:
      return false
  }
}

const isValueOnTime = ({ match }: ValueTest): boolean => match._tag === "Dates" && match.period._tag !== "Instants"

/**
 * The number of tests in a condition after the segments it names are replaced by their own conditions, as in its SQL. A
 * few segments that name each other can make this number very large. Infinite if segments refer to each other in a
 * circle.
 */
export const expandedSize = (condition: Condition, segments: SegmentDefinitions): number => {
  const sizes = new Map<string, number>()
  const sizeOf = (each: Condition): number => {
    if (each._tag === "Membership") return sizeOfSegment(each.segment)
    if (each._tag === "History") return 1 + each.where.length
    if (each._tag !== "AllOf" && each._tag !== "AnyOf") return 1
    const parts = each.conditions.reduce((sum, part) => sum + sizeOf(part), 0)
    // An empty group also counts as one test.
    return Math.max(1, parts)
  }
  const sizeOfSegment = (id: string): number => {
    const known = sizes.get(id)
    if (known !== undefined) return known
    sizes.set(id, Number.POSITIVE_INFINITY)
    const definition = segments.get(id)
    const size = definition?.type === "DYNAMIC" ? sizeOf(definition.condition) : 1
    sizes.set(id, size)
    return size
  }
  return sizeOf(condition)
}

/** The largest accepted size. Above it, planning the statement would cost more than running it. */
export const maxExpandedSize = 1000

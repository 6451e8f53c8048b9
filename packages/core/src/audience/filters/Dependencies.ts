/** What a condition depends on, so that it is evaluated again only when that changes. Pure. */
import type { Condition, Test } from "@posthorn/contract/audience/filters/Condition"
import type { SegmentDefinitions } from "./SegmentDefinitions.ts"

export interface Dependencies {
  /** `email`, `subscribed`, `createdAt`, `updatedAt`, `data.<top-level key>`, `event.<name>`, `segment.<id>`. */
  readonly names: ReadonlySet<string>
  /** Whether its result can change for a contact with time alone. */
  readonly onTime: boolean
}

const testsOf = (condition: Condition): ReadonlyArray<Test> =>
  condition._tag === "AllOf" || condition._tag === "AnyOf" ? condition.conditions.flatMap(testsOf) : [condition]

/** The dependencies of the condition itself, without those of the segments that it names. */
export const dependenciesOf = (condition: Condition): Dependencies => {
  const tests = testsOf(condition)
  return { names: new Set(tests.flatMap(namesIn)), onTime: tests.some(isOnTime) }
}

/** The ids of the segments that the condition itself names. */
export const segmentsNamed = (condition: Condition): ReadonlyArray<string> =>
  testsOf(condition).flatMap((test) => (test._tag === "Membership" ? [test.segment] : []))

/** Whether it depends only on the contact, not on events or segments. */
export const needsContactOnly = (condition: Condition): boolean =>
  testsOf(condition).every(({ _tag }) => _tag !== "History" && _tag !== "Membership")

/** Whether it uses the variables of a workflow execution. */
export const needsContext = (condition: Condition): boolean =>
  testsOf(condition).some((test) => test._tag === "Json" && test.of === "context")

/** A dotted path can name a key that contains dots, or a path below the key before the first dot. */
const namesIn = (test: Test): ReadonlyArray<string> => {
  switch (test._tag) {
    case "Email":
      return ["email"]
    case "Subscribed":
      return ["subscribed"]
    case "Time":
      return [test.field]
    case "Json":
      return test.of === "data" ? [test.path.key, ...test.path.steps.slice(0, 1)].map((key) => `data.${key}`) : []
    case "History":
      return [`event.${test.event}`]
    case "Membership":
      return [`segment.${test.segment}`]
  }
}

const isOnTime = (test: Test): boolean => {
  switch (test._tag) {
    case "Time":
      return test.match._tag !== "Instants"
    case "Json":
      return test.match._tag === "Dates" && test.match.period._tag !== "Instants"
    case "History":
      return test.match.span !== undefined
    default:
      return false
  }
}

/**
 * The number of tests in a condition after the segments it names are replaced by their own conditions, as in its SQL. A
 * few segments that name each other can make this number very large. Infinite if segments refer to each other in a
 * circle.
 */
export const expandedSize = (condition: Condition, segments: SegmentDefinitions): number => {
  const sizes = new Map<string, number>()
  const sizeOf = (each: Condition): number => {
    if (each._tag === "Membership") return sizeOfSegment(each.segment)
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

/** What a condition looks at, so that it is asked again when that changes, and only then. Pure. */
import type { Condition, Test } from "@posthorn/contract/filters/Condition"
import type { SegmentDefinitions } from "./SegmentDefinitions.ts"

export interface Dependencies {
  /** `email`, `subscribed`, `createdAt`, `updatedAt`, `data.<top-level key>`, `event.<name>`, `segment.<id>`. */
  readonly names: ReadonlySet<string>
  /** Whether it can begin or cease to hold for a contact to which nothing happens. */
  readonly onTime: boolean
}

const testsOf = (condition: Condition): ReadonlyArray<Test> =>
  condition._tag === "AllOf" || condition._tag === "AnyOf" ? condition.conditions.flatMap(testsOf) : [condition]

/** Of its own words: what a segment it names looks at is that segment's. */
export const dependenciesOf = (condition: Condition): Dependencies => {
  const tests = testsOf(condition)
  return { names: new Set(tests.flatMap(namesIn)), onTime: tests.some(isOnTime) }
}

/** Ids of the segments that stand in its own words. */
export const segmentsNamed = (condition: Condition): ReadonlyArray<string> =>
  testsOf(condition).flatMap((test) => (test._tag === "Membership" ? [test.segment] : []))

/** Whether it can be answered from a contact alone: no event, no segment. */
export const needsContactOnly = (condition: Condition): boolean =>
  testsOf(condition).every(({ _tag }) => _tag !== "History" && _tag !== "Membership")

/** Whether it looks at the variables of a workflow execution. */
export const needsContext = (condition: Condition): boolean =>
  testsOf(condition).some((test) => test._tag === "Json" && test.of === "context")

/** A path with dots is that of a key with dots, or of one below the first. */
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
 * Tests in a condition when those of the segments it names stand in their place, as they do in its SQL: a few segments
 * that name each other often make very many. Infinite for what goes in circles.
 */
export const expandedSize = (condition: Condition, segments: SegmentDefinitions): number => {
  const sizes = new Map<string, number>()
  const sizeOf = (each: Condition): number => {
    if (each._tag === "Membership") return sizeOfSegment(each.segment)
    if (each._tag !== "AllOf" && each._tag !== "AnyOf") return 1
    const parts = each.conditions.reduce((sum, part) => sum + sizeOf(part), 0)
    // What has no parts stands there too.
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

/** Above this a condition is refused: its statement would cost more to plan than to run. */
export const maxExpandedSize = 1000

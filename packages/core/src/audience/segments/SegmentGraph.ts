/** The references between segments. Pure. */

import type { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { Fault } from "@posthorn/contract/platform/Errors"

/** For every segment of a project, the segments that its condition names. */
export type SegmentGraph = ReadonlyMap<SegmentId, ReadonlyArray<SegmentId>>

/** A place in a filter tree that names a segment. */
export interface Reference {
  /** As in `errors[].field`. */
  readonly field: string
  readonly segment: SegmentId
}

/** The maximum number of segments in a chain, where each names the next. */
export const maxChain = 5

type Next = (id: SegmentId) => Iterable<SegmentId>

/**
 * The length of the longest chain that begins with each segment, computed once for each. Stored segments never form a
 * circle.
 */
const longestRows = (next: Next) => {
  const found = new Map<SegmentId, number>()
  const from = (id: SegmentId): number => {
    const known = found.get(id)
    if (known !== undefined) return known
    const row = 1 + Math.max(0, ...[...next(id)].map(from))
    found.set(id, row)
    return row
  }
  return from
}

const below =
  (graph: SegmentGraph): Next =>
  (id) =>
    graph.get(id) ?? []

const above = (graph: SegmentGraph): Next => {
  const naming = new Map<SegmentId, Set<SegmentId>>()
  for (const [id, named] of graph) {
    for (const each of named) naming.set(each, (naming.get(each) ?? new Set()).add(id))
  }
  return (id) => naming.get(id) ?? []
}

/** The segment and all segments that it reaches directly or indirectly. */
const reached = (id: SegmentId, next: Next, found = new Set<SegmentId>()): ReadonlySet<SegmentId> => {
  if (found.has(id)) return found
  found.add(id)
  for (const each of next(id)) reached(each, next, found)
  return found
}

/** The segment and all segments that name it directly or indirectly. */
export const dependents = (graph: SegmentGraph, id: SegmentId): ReadonlySet<SegmentId> => reached(id, above(graph))

/**
 * The faults in the references of a condition. `id` is the segment of the condition, or absent if it belongs to
 * something else.
 */
export const referenceFaults = (
  graph: SegmentGraph,
  id: SegmentId | undefined,
  references: ReadonlyArray<Reference>
): ReadonlyArray<Fault> => {
  const rowTo = id === undefined ? 0 : longestRows(above(graph))(id)
  const rowFrom = longestRows(below(graph))
  const reason = (segment: SegmentId): string | undefined => {
    if (!graph.has(segment)) return "No such segment in this project."
    if (id !== undefined && reached(segment, below(graph)).has(id)) {
      return "The segment would refer to itself, directly or through others."
    }
    return rowTo + rowFrom(segment) > maxChain
      ? `More than ${maxChain} segments would refer to each other in a chain.`
      : undefined
  }
  return references.flatMap(({ field, segment }) => {
    const message = reason(segment)
    return message === undefined ? [] : [{ field, code: "custom" as const, message, received: `segment.${segment}` }]
  })
}

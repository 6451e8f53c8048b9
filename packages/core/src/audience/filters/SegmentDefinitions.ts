/** The definitions of the segments that conditions name. */
import type { Condition } from "@posthorn/contract/audience/filters/Condition"

/** A static segment has stored members. For a dynamic segment its condition decides, even if stored members exist. */
export type SegmentDefinition =
  | { readonly type: "STATIC" }
  | { readonly type: "DYNAMIC"; readonly condition: Condition }

/** By id in lower case. A segment that is not in the map has no members. */
export type SegmentDefinitions = ReadonlyMap<string, SegmentDefinition>

/** Removes a segment whose condition is being evaluated, so that circular references end. */
export const without = (segments: SegmentDefinitions, id: string): SegmentDefinitions => {
  const others = new Map(segments)
  others.delete(id)
  return others
}

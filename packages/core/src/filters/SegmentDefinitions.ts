/** What the engine needs to know of segments that conditions name. */
import type { Condition } from "@posthorn/contract/filters/Condition"

/** A static segment has members on record; of a dynamic one its condition decides, tracked or not. */
export type SegmentDefinition =
  | { readonly type: "STATIC" }
  | { readonly type: "DYNAMIC"; readonly condition: Condition }

/** By id, lower case. A segment that is not here has no members. */
export type SegmentDefinitions = ReadonlyMap<string, SegmentDefinition>

/** Without a segment whose condition is being read, so that what goes in circles ends. */
export const without = (segments: SegmentDefinitions, id: string): SegmentDefinitions => {
  const others = new Map(segments)
  others.delete(id)
  return others
}

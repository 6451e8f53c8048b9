/** The definitions of the segments, topics and forms that conditions name. */
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { MailTopic } from "../contacts/MailConsent.ts"

/** A static segment has stored members. For a dynamic segment its condition decides, even if stored members exist. */
export type SegmentDefinition =
  | { readonly type: "STATIC" }
  | { readonly type: "DYNAMIC"; readonly condition: Condition }

/** By id in lower case. A segment that is not in the map has no members. */
export type SegmentDefinitions = ReadonlyMap<string, SegmentDefinition>

/** By key. For a topic that is not in the map no contact has a state, and none takes its mail. */
export type TopicDefinitions = ReadonlyMap<string, MailTopic>

/** What a condition needs to know of its project. */
export interface Definitions {
  readonly segments: SegmentDefinitions
  readonly topics: TopicDefinitions
  /** The keys of those forms that exist. Absent: none. */
  readonly forms?: ReadonlySet<string>
}

export const noDefinitions: Definitions = { segments: new Map(), topics: new Map() }

/** Removes a segment whose condition is being evaluated, so that circular references end. */
export const without = (segments: SegmentDefinitions, id: string): SegmentDefinitions => {
  const others = new Map(segments)
  others.delete(id)
  return others
}

/** The contacts of a topic. */
import { Schema } from "effect"
import { described, PageQuery } from "../../platform/Primitives.ts"

export const TopicContactState = Schema.Literals(["takes", "subscribed", "unsubscribed", "pending"])
export type TopicContactState = typeof TopicContactState.Type

export const TopicContactQuery = Schema.Struct({
  ...PageQuery,
  state: Schema.optionalKey(TopicContactState).pipe(
    described("`takes`: those that get its mail. Else what they said.", "takes")
  )
})
export type TopicContactQuery = typeof TopicContactQuery.Type

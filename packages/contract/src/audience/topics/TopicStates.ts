/** What callers say about topics. */
import { Schema, SchemaIssue } from "effect"

const maxTopics = 100

const isTopics = Schema.makeFilter<Readonly<Record<string, unknown>>>((topics) => {
  const { length } = Object.keys(topics)
  if (length === 0) return new SchemaIssue.InvalidValue({ code: "too_small", message: "At least one topic." })
  return (
    length <= maxTopics || new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${maxTopics} topics.` })
  )
})

export const GivenTopicState = Schema.Literals(["subscribed", "unsubscribed", "unset"])
export type GivenTopicState = typeof GivenTopicState.Type

/** By key or id. Whether the topics exist is decided where they are looked up. */
export const TopicStates = Schema.Record(Schema.String, GivenTopicState).check(isTopics).annotate({
  identifier: "TopicStates",
  description:
    "What the contact said, by key or id of the topic; 1 to 100. `unset` removes what it said, so that the default of the topic applies."
})
export type TopicStates = typeof TopicStates.Type

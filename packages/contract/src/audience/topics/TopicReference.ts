/** How a request names a topic, and how a record shows it. */
import { Schema } from "effect"
import { described, isLength } from "../../platform/Primitives.ts"

/** Id or key of a topic. The service checks that the project has it. */
export const TopicReference = Schema.String.check(isLength(1, 64))

/** A topic, in the record of what names it. */
export const TopicSummary = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  name: Schema.String
}).annotate({ identifier: "TopicSummary", description: "The topic that a record names." })
export type TopicSummary = typeof TopicSummary.Type

/** The field of a record that names a topic. */
export const topicId = Schema.NullOr(Schema.String).pipe(
  described("The topic of its mail: only contacts that take the topic get it. Null: none.")
)

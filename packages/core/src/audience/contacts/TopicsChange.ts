/** States of topics by their ids, as the change that statements take. */
import type { GivenTopicState } from "@posthorn/contract/audience/topics/TopicStates"

/** What to set for topics, by their ids. */
export interface TopicsChange {
  readonly on: ReadonlyArray<string>
  readonly off: ReadonlyArray<string>
  /** Back to the default of the topic. */
  readonly unset: ReadonlyArray<string>
  /** Whether a stored no stays, whatever is said. */
  readonly keepOff?: boolean | undefined
  /** `doubleOptIn` of each topic, if they were read with the request. */
  readonly asks?: ReadonlyMap<string, boolean | null> | undefined
}

export const topicsChange = (states: Readonly<Record<string, GivenTopicState>>): TopicsChange => {
  const to = (wanted: GivenTopicState) =>
    Object.entries(states).flatMap(([topic, state]) => (state === wanted ? [topic] : []))
  return { on: to("subscribed"), off: to("unsubscribed"), unset: to("unset") }
}

/** What a write of a contact stores at once, and what the contact is asked to confirm in place of the rest. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { TopicsChange } from "../contacts/TopicsChange.ts"
import type { AudienceRules } from "../settings/AudienceRules.ts"
import type { OptInRequests } from "./OptInRequests.ts"
import { type Asking, admitted } from "./OptInRules.ts"

/** What the write says. */
export interface Said {
  readonly subscribed?: boolean | undefined
  readonly subscribedWhenNew?: boolean | undefined
  readonly topics?: TopicsChange | undefined
}

/** `asks`: whether the contact must confirm that it is subscribed. `due`: the topics that it must confirm, by their ids. */
export const admission = Effect.fnUntraced(function* (
  optIns: OptInRequests["Service"],
  rules: AudienceRules["Service"],
  project: ProjectId,
  given: Said,
  asking: Asking
) {
  const wanted = given.topics?.on ?? []
  const due = wanted.length === 0 ? new Set<string>() : yield* optIns.dueTopics(project, wanted, asking)
  // Only a topic is said: the call asks for nothing else.
  const call = due.size > 0 && given.subscribed === undefined ? { ...asking, call: asking.call || undefined } : asking
  const { asks, ...state } = admitted(yield* rules.getCached(project), call, {
    subscribed: given.subscribed,
    subscribedWhenNew: given.subscribedWhenNew ?? true
  })
  const topics =
    due.size === 0 || given.topics === undefined
      ? given.topics
      : { ...given.topics, on: wanted.filter((id) => !due.has(id)) }
  return { state: { ...state, topics }, asks, due }
})

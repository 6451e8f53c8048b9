/** What a write of a contact stores at once, and what the contact is asked to confirm in place of the rest. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { TopicsChange } from "../contacts/TopicsChange.ts"
import type { AudienceRules } from "../settings/AudienceRules.ts"
import type { OptInRequests } from "./OptInRequests.ts"
import { type Asking, admitted, isDue } from "./OptInRules.ts"

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
  const settings = yield* rules.getCached(project)
  const { asks: known, ...said } = given.topics ?? { on: [], off: [], unset: [] }
  const asksOf = known ?? (yield* optIns.asksOf(project, said.on))
  const due = new Set(said.on.filter((id) => asksOf.has(id) && isDue(settings, asking, asksOf.get(id))))
  // Only a topic is said: the call asks for nothing else.
  const call = due.size > 0 && given.subscribed === undefined ? { ...asking, call: asking.call || undefined } : asking
  const { asks, ...state } = admitted(settings, call, {
    subscribed: given.subscribed,
    subscribedWhenNew: given.subscribedWhenNew ?? true
  })
  const topics = given.topics && { ...said, on: said.on.filter((id) => !due.has(id)) }
  return { state: { ...state, topics }, asks, due }
})

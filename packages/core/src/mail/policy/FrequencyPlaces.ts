/** Places under the frequency caps, for the mails of one worker: mails that ask together share a statement. */
import { Effect, type Scope } from "effect"
import * as GroupCommit from "../../platform/GroupCommit.ts"
import type { FrequencyAnswer, FrequencyRequest } from "./FrequencyCaps.ts"
import { SendingPolicy } from "./SendingPolicy.ts"

export interface FrequencyPlaces {
  readonly take: (request: FrequencyRequest) => Effect.Effect<FrequencyAnswer>
}

export const make: Effect.Effect<FrequencyPlaces, never, Scope.Scope | SendingPolicy> = Effect.gen(function* () {
  const policy = yield* SendingPolicy
  const take = yield* GroupCommit.make<FrequencyRequest, FrequencyAnswer>({
    write: (requests) =>
      Effect.map(policy.takePlaces(requests), (answers) => (request) => answers.get(request) ?? null),
    failed: "Places under the frequency caps cannot be taken yet"
  })
  return { take }
})

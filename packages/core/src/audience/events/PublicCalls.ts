/**
 * Limits how often the public key may be used for one contact and from one client address. The public key is visible in
 * web pages. Without these limits one visitor could use up the project's rate limit, or send a stranger many emails
 * through events. Each process counts separately, over any 60 seconds of the service's clock.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { RateLimitExceeded } from "@posthorn/contract/platform/Errors"
import { Effect, Option } from "effect"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { announceRetryAfter } from "../../platform/http/Respond.ts"
import { Settings } from "../../platform/Settings.ts"

export const callsOfContact = 60
export const callsOfClient = 600

/** `take` counts a call. Both limits are off if requests are not rate-limited at all. */
export const make = Effect.gen(function* () {
  const { rateLimitPerMinute } = yield* Settings
  const contacts = ClientLimit.make(callsOfContact)
  const clients = ClientLimit.make(callsOfClient)

  const refuseWhere = Effect.fnUntraced(function* (wait: Option.Option<number>, limit: number) {
    if (Option.isNone(wait)) return
    const retryAfter = wait.value
    yield* announceRetryAfter(retryAfter)
    return yield* new RateLimitExceeded({ limit, retryAfter })
  })

  const take = Effect.fnUntraced(function* (project: ProjectId, email: string) {
    if (rateLimitPerMinute === 0) return
    yield* refuseWhere(yield* contacts.take(`${project} ${email}`), callsOfContact)
    const client = yield* ClientLimit.client
    if (client !== undefined) yield* refuseWhere(yield* clients.take(`${project} ${client}`), callsOfClient)
  })

  return { take }
})

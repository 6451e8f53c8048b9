/**
 * How many submissions a form takes: from the network of a client, and in all. Each process counts separately, by the
 * clock of the service. Only small numbers are kept, because a form has many clients.
 */
import { Clock, Duration, Effect, Option } from "effect"
import * as ClientLimit from "../../platform/http/ClientLimit.ts"
import { Settings } from "../../platform/Settings.ts"

export const submissionsOfNetwork = 10
export const submissionsOfForm = 300
const period = Duration.minutes(10)
/** Networks in memory. Beyond it, the one that was seen least recently is removed. */
const maxNetworks = 10_000

/** `take` counts a submission. None when it is allowed; otherwise the seconds until the next one. */
export const make = Effect.gen(function* () {
  const { rateLimitPerMinute } = yield* Settings
  const forms = ClientLimit.make(submissionsOfForm)
  /** The times of the last submissions, oldest first. */
  const networks = new Map<string, ReadonlyArray<number>>()

  const takeOfNetwork = (name: string, now: number): Option.Option<number> => {
    const since = now - Duration.toMillis(period)
    const recent = (networks.get(name) ?? []).filter((time) => time > since && time <= now)
    const [oldest = now] = recent
    const isFull = recent.length >= submissionsOfNetwork
    networks.delete(name)
    networks.set(name, isFull ? recent : [...recent, now])
    const [leastRecent] = networks.size > maxNetworks ? networks.keys() : []
    if (leastRecent !== undefined) networks.delete(leastRecent)
    return isFull ? Option.some(Math.max(1, Math.ceil((oldest - since) / 1_000))) : Option.none()
  }

  const take = Effect.fnUntraced(function* (form: string, address: string | undefined) {
    // Both limits are off if requests are not rate-limited at all.
    if (rateLimitPerMinute === 0) return Option.none<number>()
    if (address !== undefined) {
      const wait = takeOfNetwork(`${form} ${ClientLimit.networkOf(address)}`, yield* Clock.currentTimeMillis)
      if (Option.isSome(wait)) return wait
    }
    return yield* forms.take(form)
  })

  return { take }
})

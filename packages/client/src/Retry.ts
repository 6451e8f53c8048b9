/** When a call is made again, and how long it waits before that. */
import type { PosthornError } from "./Answer.ts"

/** Longest `Retry-After` that is waited for, in seconds; a longer one is the caller's to decide about. */
export const maxRetryAfter = 60

const longestBackoff = 8000

/** Trouble that passes; what the service decided stays decided. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/** Whether another try may end better. A key is in use while our own earlier try still runs. */
export const isPassing = ({ code, statusCode, details }: PosthornError, isRetry: boolean): boolean =>
  code === "NETWORK_ERROR" ||
  code === "TIMEOUT" ||
  (statusCode !== null && passing.has(statusCode)) ||
  (isRetry && code === "IDEMPOTENCY_KEY_REUSED" && details["originalStatusCode"] === undefined)

/**
 * Milliseconds before the next try: what the service asked for, else half a second doubling to eight, with up to half
 * of it taken off by chance so that callers do not come back together. Undefined: longer than is waited for.
 */
export const delayOf = (triesSoFar: number, retryAfter: string | null, chance: number): number | undefined => {
  const seconds = secondsOf(retryAfter)
  if (seconds === undefined) return Math.min(500 * 2 ** (triesSoFar - 1), longestBackoff) * (1 - chance / 2)
  return seconds > maxRetryAfter ? undefined : seconds * 1000
}

/** `Retry-After` is whole seconds or a date (RFC 9110 10.2.3). */
const secondsOf = (retryAfter: string | null): number | undefined => {
  if (retryAfter === null) return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Resolves after the time, or as soon as the signal is aborted. */
export const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (signal?.aborted === true) end()
    else signal?.addEventListener("abort", end)
  })

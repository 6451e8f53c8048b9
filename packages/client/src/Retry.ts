/** When a call is retried, and how long it waits first. */
import type { PosthornError } from "./Answer.ts"

/** The longest `Retry-After` that the client waits for, in seconds. For a longer one it returns the error. */
export const maxRetryAfter = 60

const longestBackoff = 8000

/** Temporary errors. Decisions of the service are not retried. */
const passing = new Set([408, 429, 500, 502, 503, 504])

/** Whether a retry can succeed. A key counts as in use while our own earlier attempt still runs. */
export const isPassing = ({ code, statusCode, details }: PosthornError, isRetry: boolean): boolean =>
  code === "NETWORK_ERROR" ||
  code === "TIMEOUT" ||
  (statusCode !== null && passing.has(statusCode)) ||
  (isRetry && code === "IDEMPOTENCY_KEY_REUSED" && details["originalStatusCode"] === undefined)

/**
 * Milliseconds before the next attempt: the requested time, otherwise half a second, doubled up to eight seconds, minus
 * a random part of up to half, so that clients do not retry together. Undefined if the time is too long to wait.
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

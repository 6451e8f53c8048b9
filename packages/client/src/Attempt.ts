/** Sends one request and reads its response. */
import { type Answer, type Failure, failed, type Meta } from "./Answer.ts"
import type { PosthornOptions } from "./Options.ts"

interface Attempt<A> {
  readonly answer: Answer<A>
  /** The unparsed header. */
  readonly retryAfter: string | null
}

/** A request that can be sent any number of times. */
export interface Prepared {
  readonly url: string
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | FormData | null }
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** The content that the method expects instead of JSON. */
  readonly reads: "json" | "bytes" | "stream"
}

/** Warnings from a header, for a response without an envelope. */
const warningsOf = (header: string | null): Meta["warnings"] => {
  try {
    return header === null ? [] : JSON.parse(header)
  } catch {
    return []
  }
}

const metaOf = ({ status, headers }: Response): Meta => {
  const number = (name: string) => Number(headers.get(`ratelimit-${name}`))
  const counted = headers.has("ratelimit-limit")
  return {
    status,
    requestId: headers.get("x-request-id"),
    rateLimit: counted ? { limit: number("limit"), remaining: number("remaining"), reset: number("reset") } : null,
    idempotencyReplayed: headers.get("idempotency-replayed") === "true",
    warnings: warningsOf(headers.get("posthorn-warnings"))
  }
}

/** The content of a response; undefined if it is not a form that the service sends. */
const contentOf = async (response: Response, reads: Prepared["reads"]) => {
  if (response.status === 204) return true
  if (reads === "stream" && response.ok) return response.body ?? undefined
  if (reads === "bytes" && !/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    return new Uint8Array(await response.arrayBuffer())
  }
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error envelope, or one of the three refusals that are only a sentence; otherwise undefined. */
const failureOf = (status: number, { error }: { readonly error?: Failure | string } = {}): Failure | undefined => {
  if (typeof error === "string") return status === 400 ? { code: "BAD_REQUEST", message: error } : undefined
  if (typeof error?.code !== "string") return undefined
  return error.details?.["reason"] === "sender_domain_unverified"
    ? { ...error, code: "SENDER_DOMAIN_UNVERIFIED" }
    : error
}

const unexpected = ({ status, headers }: Response): Failure => ({
  code: "UNEXPECTED_RESPONSE",
  message: `The response does not come from the service: status ${status}, ${headers.get("content-type") ?? "no content type"}.`
})

/** The content of an envelope. Any other body is the data itself. */
const opened = (content: unknown, meta: Meta): { readonly data: unknown; readonly meta: Meta } => {
  const { success, data, warnings } = Object(content)
  const full = success !== undefined && Array.isArray(warnings) ? { ...meta, warnings } : meta
  return { data: success === true && data !== undefined ? data : content, meta: full }
}

const answerTo = async <A>(response: Response, reads: Prepared["reads"]): Promise<Answer<A>> => {
  const meta = metaOf(response)
  const content = await contentOf(response, reads)
  const { data, meta: full } = opened(content, meta)
  if (response.ok && content !== undefined) return { data: data as A, error: null, meta: full }
  return failed(failureOf(response.status, content ?? undefined) ?? unexpected(response), full)
}

/** Node gives the reason of a failed fetch as its cause. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

export const attempt = async <A>(
  fetch: NonNullable<PosthornOptions["fetch"]>,
  request: Prepared
): Promise<Attempt<A>> => {
  const { url, init, timeoutMs, signal, reads } = request
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal
    })
    return { answer: await answerTo(response, reads), retryAfter: response.headers.get("retry-after") }
  } catch (error) {
    const failure: Failure = signal?.aborted
      ? { code: "ABORTED", message: "The call was aborted." }
      : timeout.signal.aborted
        ? { code: "TIMEOUT", message: `No complete response within ${timeoutMs} ms.` }
        : { code: "NETWORK_ERROR", message: `The server was not reached, or the connection broke: ${reasonOf(error)}.` }
    return { answer: failed(failure), retryAfter: null }
  } finally {
    // Once a stream has started, it has no time limit.
    clearTimeout(timer)
  }
}

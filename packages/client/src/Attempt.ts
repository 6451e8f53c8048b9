/** One request and the answer to it. */
import { type Answer, type Failure, failed, type Meta } from "./Answer.ts"
import type { PosthornOptions } from "./Options.ts"

export interface Attempt<A> {
  readonly answer: Answer<A>
  /** The header as it came. */
  readonly retryAfter: string | null
}

/** A request, ready to be sent any number of times. */
export interface Prepared {
  readonly url: string
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | FormData | null }
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** What the answer may be beside JSON. */
  readonly reads: "json" | "bytes" | "stream"
}

const metaOf = ({ status, headers }: Response): Meta => {
  const number = (name: string) => Number(headers.get(`ratelimit-${name}`))
  const counted = headers.has("ratelimit-limit")
  return {
    status,
    requestId: headers.get("x-request-id"),
    rateLimit: counted ? { limit: number("limit"), remaining: number("remaining"), reset: number("reset") } : null,
    idempotencyReplayed: headers.get("idempotency-replayed") === "true"
  }
}

/** The content of a response; undefined when it is not what the service would send. */
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

/** An envelope, or one of the three refusals that are a bare sentence; undefined when it is neither. */
const failureOf = (status: number, { error }: { readonly error?: Failure | string } = {}): Failure | undefined => {
  if (typeof error === "string") return status === 400 ? { code: "BAD_REQUEST", message: error } : undefined
  return typeof error?.code === "string" ? error : undefined
}

const unexpected = ({ status, headers }: Response): Failure => ({
  code: "UNEXPECTED_RESPONSE",
  message: `The answer does not come from the service: status ${status}, ${headers.get("content-type") ?? "no content type"}.`
})

/** What an envelope holds; everything else is the answer itself. */
const opened = (content: unknown): unknown =>
  typeof content === "object" &&
  content !== null &&
  "success" in content &&
  content.success === true &&
  "data" in content
    ? content.data
    : content

const answerTo = async <A>(response: Response, reads: Prepared["reads"]): Promise<Answer<A>> => {
  const meta = metaOf(response)
  const content = await contentOf(response, reads)
  if (response.ok && content !== undefined) return { data: opened(content) as A, error: null, meta }
  return failed(failureOf(response.status, content ?? undefined) ?? unexpected(response), meta)
}

/** Node tells the reason of a failed fetch as its cause. */
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
        ? { code: "TIMEOUT", message: `No complete answer within ${timeoutMs} ms.` }
        : { code: "NETWORK_ERROR", message: `The server was not reached or broke off: ${reasonOf(error)}.` }
    return { answer: failed(failure), retryAfter: null }
  } finally {
    // A stream that has begun may take as long as it takes.
    clearTimeout(timer)
  }
}

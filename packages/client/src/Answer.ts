/** What a call answers: data or an error, never both, and what the response told beside them. */
import type { ErrorCode, Fault } from "./types.generated.ts"

/**
 * What goes wrong before or beside an answer of the service.
 *
 * - `MISSING_KEY`: the client was made without the key that the call needs; nothing was sent.
 * - `INVALID_ARGUMENT`: an argument cannot be put into a request; nothing was sent.
 * - `NETWORK_ERROR`: the server was not reached, or the connection broke; the request may have had its effect.
 * - `TIMEOUT`: no complete answer within `timeoutMs`; the request may have had its effect.
 * - `ABORTED`: the caller's signal ended the call; the request may have had its effect.
 * - `UNEXPECTED_RESPONSE`: the answer does not come from the service: a proxy's page, or broken JSON.
 */
export type ClientErrorCode =
  | "MISSING_KEY"
  | "INVALID_ARGUMENT"
  | "NETWORK_ERROR"
  | "TIMEOUT"
  | "ABORTED"
  | "UNEXPECTED_RESPONSE"

/** The `error` of the service's envelope, or of a failure on this side of it. */
export interface Failure {
  readonly code: ErrorCode | ClientErrorCode
  readonly message: string
  readonly errors?: ReadonlyArray<Fault> | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
  readonly suggestion?: string | undefined
}

/** The error of an answer, and what `orThrow()` throws. */
export class PosthornError extends Error implements Failure {
  override readonly name = "PosthornError"
  readonly code: ErrorCode | ClientErrorCode
  /** HTTP status; null when there was no response. */
  readonly statusCode: number | null
  readonly requestId: string | null
  /** Every fault found, with `VALIDATION_ERROR` and `BAD_REQUEST`. */
  readonly errors: ReadonlyArray<Fault>
  /** Extra data, as named with each code. */
  readonly details: { readonly [key: string]: unknown }
  /** What to do about it. */
  readonly suggestion: string | undefined

  constructor(failure: Failure, meta: Meta) {
    super(failure.message)
    this.code = failure.code
    this.statusCode = meta.status
    this.requestId = meta.requestId
    this.errors = failure.errors ?? []
    this.details = failure.details ?? {}
    this.suggestion = failure.suggestion
  }

  toJSON(): object {
    return { ...this, message: this.message }
  }
}

/** What the response told beside its body. */
export interface Meta {
  /** HTTP status of the last response; null when there was none. */
  readonly status: number | null
  /** Finds the request in the log of the service. */
  readonly requestId: string | null
  /** The project's limit for a minute, what is left of it, and whole seconds until the next request may pass. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly reset: number } | null
  /** Whether this is the answer of an earlier request with the same Idempotency-Key. */
  readonly idempotencyReplayed: boolean
}

export type Answer<A> =
  | { readonly data: A; readonly error: null; readonly meta: Meta }
  | { readonly data: null; readonly error: PosthornError; readonly meta: Meta }

/** A call under way. It never rejects. */
export interface Call<A> extends Promise<Answer<A>> {
  /** The data alone; an error is thrown, as a `PosthornError`. */
  readonly orThrow: () => Promise<A>
}

export const callOf = <A>(answer: Promise<Answer<A>>): Call<A> =>
  Object.assign(answer, {
    orThrow: async () => {
      const { data, error } = await answer
      if (error !== null) throw error
      return data
    }
  })

export const noMeta: Meta = { status: null, requestId: null, rateLimit: null, idempotencyReplayed: false }

export const failed = (failure: Failure, meta: Meta = noMeta) => ({
  data: null,
  error: new PosthornError(failure, meta),
  meta
})

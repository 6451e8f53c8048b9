/** The result of a call: data or an error, never both, and metadata of the response. */
import type { ErrorCode, Fault, Warning } from "./types.generated.ts"

/**
 * Codes of the client for errors that the service does not report, or that share a code there.
 *
 * - `MISSING_KEY`: the client does not have the key that the call needs; nothing was sent.
 * - `INVALID_ARGUMENT`: an argument cannot be part of a request; nothing was sent.
 * - `NETWORK_ERROR`: the server was not reached, or the connection broke; the request may have taken effect.
 * - `TIMEOUT`: no complete answer within `timeoutMs`; the request may have taken effect.
 * - `ABORTED`: the caller's signal ended the call; the request may have taken effect.
 * - `SENDER_DOMAIN_UNVERIFIED`: the service refused the email, because the project has not verified the domain of its
 *   sender. The API reports this as `INTERNAL_SERVER_ERROR` with status 403. `details.domain` names the domain.
 * - `UNEXPECTED_RESPONSE`: the answer is not from the service, for example a proxy's page, or it is broken JSON.
 */
export type ClientErrorCode =
  | "MISSING_KEY"
  | "INVALID_ARGUMENT"
  | "NETWORK_ERROR"
  | "TIMEOUT"
  | "ABORTED"
  | "SENDER_DOMAIN_UNVERIFIED"
  | "UNEXPECTED_RESPONSE"

/** The `error` of the service's envelope, or of a failure in the client. */
export interface Failure {
  readonly code: ErrorCode | ClientErrorCode
  readonly message: string
  readonly errors?: ReadonlyArray<Fault> | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
  readonly suggestion?: string | undefined
}

/** The error of a call, which `orThrow()` throws. */
export class PosthornError extends Error implements Failure {
  override readonly name = "PosthornError"
  readonly code: ErrorCode | ClientErrorCode
  /** HTTP status; null if there was no response. */
  readonly statusCode: number | null
  readonly requestId: string | null
  /** Every invalid field, for `VALIDATION_ERROR` and `BAD_REQUEST`. */
  readonly errors: ReadonlyArray<Fault>
  /** Extra data, by error code. */
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

/** Metadata of the response. */
export interface Meta {
  /** HTTP status of the last response; null if there was none. */
  readonly status: number | null
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  /** The project's limit per minute, the remaining requests, and whole seconds until the next request is allowed. */
  readonly rateLimit: { readonly limit: number; readonly remaining: number; readonly reset: number } | null
  /** Whether this is the stored answer of an earlier request with the same Idempotency-Key. */
  readonly idempotencyReplayed: boolean
  /** Unknown fields of the body, which the service ignored. With `strict` they are errors instead. */
  readonly warnings: ReadonlyArray<Warning>
}

export type Answer<A> =
  | { readonly data: A; readonly error: null; readonly meta: Meta }
  | { readonly data: null; readonly error: PosthornError; readonly meta: Meta }

/** A running call. It never rejects. */
export interface Call<A> extends Promise<Answer<A>> {
  /** Resolves with the data, or throws the error as a `PosthornError`. */
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

export const noMeta: Meta = { status: null, requestId: null, rateLimit: null, idempotencyReplayed: false, warnings: [] }

export const failed = (failure: Failure, meta: Meta = noMeta) => ({
  data: null,
  error: new PosthornError(failure, meta),
  meta
})

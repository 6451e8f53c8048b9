/** What a client and a single call can be told. */

export interface PosthornOptions {
  /** `sk_...`, for everything but `track`. Never in a browser. */
  readonly secretKey?: string | undefined
  /** `pk_...`, for `track`. */
  readonly publicKey?: string | undefined
  /** Where the service answers; default `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined
  /** Default: the `fetch` of the platform. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds for one try, from the first byte sent to the last one read, of a stream to its begin; default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Further tries after the first, of calls that are safe to repeat; default 2. */
  readonly retries?: number | undefined
  /** Sent as `User-Agent`; default none of our own. Browsers keep theirs. */
  readonly userAgent?: string | undefined
}

export interface CallOptions {
  /** Ends the call; it then answers the error `ABORTED`. */
  readonly signal?: AbortSignal | undefined
  /** For this call, instead of the client's. */
  readonly timeoutMs?: number | undefined
  /** For this call, instead of the client's. */
  readonly retries?: number | undefined
}

/** Of calls that keep an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; default: a new one for each call, so that retries are safe. */
  readonly idempotencyKey?: string | undefined
  /** What a key that was used before gets: `refuse` (default) an error, `replay` the first answer again. */
  readonly idempotencyMode?: "refuse" | "replay" | undefined
}

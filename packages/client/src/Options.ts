/** Options of a client and of a single call. */

/** Options of every client. */
export interface RequestOptions {
  /** The base URL of the service; default `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined
  /** Default: the `fetch` of the platform. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Time limit of one attempt in milliseconds, until the last byte is read or a stream starts; default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Retries of a call that is safe to repeat; default 2. */
  readonly retries?: number | undefined
  /**
   * Whether the service refuses a body with an unknown field, with `unknown_field` in `errors`; default true. With
   * false the field is ignored and listed in `meta.warnings`.
   */
  readonly strict?: boolean | undefined
}

export interface PosthornOptions extends RequestOptions {
  /**
   * For every method but `track`: the secret key, `sk_...`, or an API key, `ph_...`, for the methods that its scopes
   * open. Never use it in a browser.
   */
  readonly secretKey?: string | undefined
  /** `pk_...`, for `track`. */
  readonly publicKey?: string | undefined
  /** Sent as `User-Agent`; not set by default. Browsers use their own. */
  readonly userAgent?: string | undefined
}

export interface SessionOptions extends RequestOptions {
  /** The base URL of the service; default: the origin of the page. Another origin gets no cookie of the browser. */
  readonly baseUrl?: string | undefined
  /** The project that calls act for, unless their path names one. */
  readonly projectId?: string | undefined
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string } | undefined
}

export interface CallOptions {
  /** Ends the call, which then returns the error `ABORTED`. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's value for this call. */
  readonly timeoutMs?: number | undefined
  /** Overrides the client's value for this call. */
  readonly retries?: number | undefined
}

/** Options of calls that send an Idempotency-Key. */
export interface KeyedCallOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters. By default each call gets a new key, so that retries are safe. */
  readonly idempotencyKey?: string | undefined
  /** What happens with a key that was used before: `refuse` (default) returns an error, `replay` the stored answer. */
  readonly idempotencyMode?: "refuse" | "replay" | undefined
}

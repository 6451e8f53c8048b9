/**
 * Requests to addresses that others chose (contract-2 2.10): a name is resolved once, every address it has must be
 * allowed, and the connection goes to the one that was checked. Redirects are not followed, TLS is verified.
 */
import { Context, Data, type Duration, type Effect } from "effect"

export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly body?: Uint8Array | undefined
  /** For all of it, from the look-up of the name to the last octet that is read. */
  readonly timeout: Duration.Duration
}

export interface OutboundResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The first 64 KB. */
  readonly body: Uint8Array
}

/** `url_not_allowed` never says which address was found. */
export class OutboundError extends Data.TaggedError("OutboundError")<{
  readonly reason: "url_not_allowed" | "timeout" | "connection_failed"
}> {
  override get message() {
    return {
      url_not_allowed: "The URL is not allowed.",
      timeout: "There was no answer in time.",
      connection_failed: "The connection failed."
    }[this.reason]
  }
}

export class SafeFetch extends Context.Service<
  SafeFetch,
  {
    /** As far as the URL alone tells: its form, and an address in it. Names are judged when they are resolved. */
    readonly allows: (url: string) => boolean
    /** Any status is an answer. Tried once; retries are the caller's. */
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>
  }
>()("@posthorn/core/outbound/SafeFetch") {}

/** How much of a response is read. */
export const maxResponseBytes = 64 * 1024

/**
 * Port for requests to addresses that callers chose. A name is resolved once, all of its addresses must be allowed, and
 * the connection goes to the address that was checked. Redirects are not followed. TLS is verified.
 */
import { Context, Data, type Duration, type Effect } from "effect"

export interface OutboundRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly body?: Uint8Array | undefined
  /** Resolves the name by the DNS servers that the operator set for checks, where there are any. Default false. */
  readonly byDnsServers?: boolean | undefined
  /** For the whole request, from the lookup of the name to the last byte that is read. */
  readonly timeout: Duration.Duration
}

export interface OutboundResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The first 64 KB. */
  readonly body: Uint8Array
}

/** `url_not_allowed` never reveals the address that was found. */
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

/** A port. */
export class SafeFetch extends Context.Service<
  SafeFetch,
  {
    /** Checks what the URL alone shows: its form, and an IP address in it. Names are checked when they are resolved. */
    readonly allows: (url: string) => boolean
    /** Any status is a response. Makes one try; the caller decides about retries. */
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>
  }
>()("@posthorn/core/platform/outbound/SafeFetch") {}

/** Bytes of a response that are read. */
export const maxResponseBytes = 64 * 1024

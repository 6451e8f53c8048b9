/**
 * Verifies signed calls of the service, from WEBHOOK steps and event webhooks, by the Standard Webhooks specification.
 */

import type { WebhookEvent } from "./types.generated.ts"

/** The call cannot be verified. Answer it with 401 and ignore it. */
export class WebhookError extends Error {
  override readonly name = "WebhookError"
  /** Why: a header is missing, the time is more than five minutes off, or no signature matches. */
  readonly reason: "headers" | "timestamp" | "signature"

  constructor(reason: WebhookError["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The headers as `Request.headers`, or as an object such as Node's `request.headers`. The case of a name is ignored. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

const tolerance = 5 * 60

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value =
    typeof headers["get"] === "function"
      ? headers["get"](name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1]
  if (typeof value === "string" && value !== "") return value
  throw new WebhookError("headers", `The header ${name} is missing.`)
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const signatureOf = (text: string): Uint8Array<ArrayBuffer> => {
  try {
    return bytesOf(text)
  } catch {
    return new Uint8Array()
  }
}

/**
 * Returns the content of a call that the service signed with this secret (`whsec_...`) within the last five minutes;
 * null if the body is empty. Otherwise it rejects with a `WebhookError`. `payload` is the unchanged body, byte for
 * byte, because parsed and serialized JSON has another signature. The same `webhook-id` may arrive more than once.
 *
 * The content has the type of a webhook event, which `type` discriminates. The call of a WEBHOOK step has the content
 * that the step defines: pass its type, as in `verifyWebhook<Order>(...)`. Types are not checked at run time.
 */
export const verifyWebhook = async <Content = WebhookEvent>(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string
): Promise<Content> => {
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature")
  const age = Date.now() / 1000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN)
  if (!(Math.abs(age) <= tolerance)) throw new WebhookError("timestamp", "The call is more than five minutes off.")
  const text = typeof payload === "string" ? payload : new TextDecoder().decode(payload)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), hmac, false, ["verify"])
  for (const signature of signatures.split(" ")) {
    // The platform compares in constant time. During a rotation a call has two signatures, of the new and the old
    // secret.
    if (
      signature.startsWith("v1,") &&
      (await crypto.subtle.verify("HMAC", key, signatureOf(signature.slice(3)), signed))
    )
      return JSON.parse(text === "" ? "null" : text)
  }
  throw new WebhookError("signature", "No signature matches the secret.")
}

/** The dev mailbox over HTTP. It is no part of the API: only a development server has it. */
import { PosthornError } from "@posthorn/client/session"
import { apiUrl } from "../../app/Api.ts"
import { setClock } from "../../app/Clock.ts"

export interface CaughtMail {
  readonly id: string
  readonly to: string
  readonly from: string
  readonly subject: string | null
  readonly receivedAt: string
  readonly html?: string | null
  readonly text?: string | null
  readonly emailId?: string | null
}

const ask = async <A>(path: string, init: RequestInit = {}): Promise<A> => {
  const response = await fetch(apiUrl(path), { credentials: "same-origin", ...init })
  if (response.ok) return response.status === 204 ? (undefined as A) : await response.json()
  const meta = {
    status: response.status,
    requestId: response.headers.get("x-request-id"),
    rateLimit: null,
    idempotencyReplayed: false,
    warnings: []
  }
  throw new PosthornError({ code: "UNEXPECTED_RESPONSE", message: `The mailbox answered ${response.status}.` }, meta)
}

export const caughtMails = (
  search: string,
  page: number,
  signal: AbortSignal
): Promise<{ data: ReadonlyArray<CaughtMail>; total: number }> => {
  const query = new URLSearchParams({ content: "false", limit: "100", page: String(page) })
  if (search !== "") query.set("search", search)
  return ask(`/dev/mailbox.json?${query}`, { signal })
}

export const caughtMail = (id: string, signal: AbortSignal): Promise<CaughtMail> =>
  ask(`/dev/mailbox/${encodeURIComponent(id)}.json`, { signal })

export const emptyMailbox = (): Promise<void> => ask("/dev/mailbox.json", { method: "DELETE" })

/** Moves the clock of the service, and answers its time. */
export const advanceClock = async (advance: string): Promise<string> => {
  const { now } = await ask<{ readonly now: string }>("/dev/clock", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ advance })
  })

  setClock(now)
  return now
}

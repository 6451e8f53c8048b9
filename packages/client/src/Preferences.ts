/** The preferences of one recipient, for a page in a browser. They need no key: the token of the link says who it is. */
import type { Call } from "./Answer.ts"
import type { CallOptions, RequestOptions } from "./Options.ts"
import { callerOf, path } from "./Requests.ts"

/** What a recipient gets, as their page shows it. */
export interface ShownPreferences {
  readonly project: {
    readonly name: string
    readonly logoUrl: string | null
    readonly color: string | null
    readonly privacyUrl: string | null
  }
  /** Only the first character and the domain. */
  readonly email: string
  readonly locale: string | null
  /** Of the names and descriptions of topics. */
  readonly language: string
  readonly subscribed: boolean
  readonly snoozedUntil: string | null
  /** A link of a test mail, which changes nothing. */
  readonly test: boolean
  readonly topics: ReadonlyArray<{
    readonly key: string
    readonly name: string
    readonly description: string | null
    readonly state: "subscribed" | "unsubscribed" | "unset"
    /** Whether the recipient gets its mail, apart from a pause. */
    readonly takes: boolean
  }>
  readonly selfService: { readonly export: boolean; readonly erasure: "off" | "request" | "automatic" }
  /** The address gets no mail, after a bounce or a complaint, or because the sender blocked it. */
  readonly blocked: boolean
}

/** A change. Absent fields change nothing. */
export interface PreferencesChange {
  readonly subscribed?: boolean
  /** By key. A topic that is subscribed subscribes the recipient too, unless `subscribed` says otherwise. */
  readonly topics?: { readonly [key: string]: "subscribed" | "unsubscribed" }
  readonly snoozeDays?: 30 | 60 | 90
  /** Null ends a pause. */
  readonly snoozedUntil?: string | null
  readonly locale?: string
  /** What the page said, at most 4,000 characters. */
  readonly wording?: string
}

export interface RecipientPreferences {
  /** `lang` is the language of the names of topics; default: that of the recipient. */
  readonly get: (query?: { readonly lang?: string | undefined }, options?: CallOptions) => Call<ShownPreferences>
  readonly update: (body: PreferencesChange, options?: CallOptions) => Call<ShownPreferences>
  /** Asks for a copy of the recipient's data or for their erasure. The recipient confirms it by mail. */
  readonly request: (body: DataRequest, options?: CallOptions) => Call<DataRequested>
}

/** What a recipient asks about their data. `selfService` of the preferences says what the project offers. */
export interface DataRequest {
  readonly type: "EXPORT" | "ERASURE"
}

/** The same whether a mail is sent or not. */
export interface DataRequested {
  readonly status: "received"
  readonly message: string
}

/** `token` is the last part of the link to the preferences, or the `token` parameter that your own page gets. */
export const preferences = (token: string, settings: RequestOptions = {}): RecipientPreferences => {
  // A header of preferences would need a preflight, and this endpoint drops unknown fields.
  const call = callerOf({ ...settings, strict: false }, () => ({ headers: {} }))
  const route = path`/public/preferences/${token}`
  return {
    get: (query, options) => call("GET", route, { query, options }),
    update: (body, options) => call("PATCH", route, { body, options }),
    request: (body, options) => call("POST", path`/public/preferences/${token}/requests`, { body, options })
  }
}

/** What a recipient reads and changes about themselves, with the token of a link in a mail and without a key. */
import { Schema } from "effect"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { described, isLength, optional, required, Timestamp, TimestampInput } from "../../platform/Primitives.ts"
import { PrivacyRequestType } from "../privacy/PrivacyRequest.ts"

/** Answer of `GET` and `PATCH /public/preferences/{token}`. */
export const Preferences = Schema.Struct({
  project: Schema.Struct({
    name: Schema.String,
    logoUrl: Schema.NullOr(Schema.String),
    color: Schema.NullOr(Schema.String),
    privacyUrl: Schema.NullOr(Schema.String)
  }),
  /** Only the first character and the domain. */
  email: Schema.String,
  locale: Schema.NullOr(Schema.String),
  /** Of the texts in this answer. */
  language: Schema.String,
  subscribed: Schema.Boolean,
  snoozedUntil: Schema.NullOr(Timestamp),
  /** A link of a test mail, which changes nothing. */
  test: Schema.Boolean,
  topics: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      name: Schema.String,
      description: Schema.NullOr(Schema.String),
      /** `pending`: the contact was asked to confirm it. */
      state: Schema.Literals(["subscribed", "unsubscribed", "unset", "pending"]),
      /** Whether the contact gets its mail, apart from a pause. */
      takes: Schema.Boolean
    })
  ),
  selfService: Schema.Struct({ export: Schema.Boolean, erasure: Schema.Literals(["off", "request", "automatic"]) }),
  /** The address gets no mail, after a bounce or a complaint, or because the sender blocked it. */
  blocked: Schema.Boolean
})
export type Preferences = typeof Preferences.Type

const tooMany = { code: "too_big", message: "At most 100 topics." }

/** Body of `PATCH /public/preferences/{token}`. Absent fields change nothing. */
export const UpdatePreferences = Schema.Struct({
  subscribed: optional(Schema.Boolean),
  /** By key. */
  topics: optional(
    Schema.Record(Schema.String, Schema.Literals(["subscribed", "unsubscribed"])).check(
      Schema.isMaxProperties(100, tooMany)
    )
  ),
  snoozeDays: optional(Schema.Literals([30, 60, 90])),
  /** Null ends a pause. */
  snoozedUntil: optional(TimestampInput),
  locale: optional(LanguageTag),
  /** What the page said. */
  wording: optional(Schema.String.check(isLength(0, 4_000)))
})
export type UpdatePreferences = typeof UpdatePreferences.Type

/** Body of `POST /public/preferences/{token}/requests`. */
export const AskAboutData = Schema.Struct({ type: required(PrivacyRequestType) })
export type AskAboutData = typeof AskAboutData.Type

/** Its answer, the same whether a mail is sent or not. */
export const AskedAboutData = Schema.Struct({ status: Schema.Literal("received"), message: Schema.String })
export type AskedAboutData = typeof AskedAboutData.Type

/** Answer of `GET /contacts/{id}/links`. */
export const ContactLinks = Schema.Struct({
  unsubscribeUrl: Schema.String,
  subscribeUrl: Schema.String,
  manageUrl: Schema.String.pipe(
    described("The page of preferences; the project's own if `pages.preferencesUrl` is set.")
  ),
  token: Schema.String.pipe(described("For `/public/preferences/{token}`."))
}).annotate({ identifier: "ContactLinks", description: "Links to the pages of a contact." })
export type ContactLinks = typeof ContactLinks.Type

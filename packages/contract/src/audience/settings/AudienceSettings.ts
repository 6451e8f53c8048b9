/** The rules of a project's audience: consent, pages of recipients, ingestion. */
import { Schema } from "effect"
import {
  described,
  EmailAddress,
  HttpsUrl,
  Id,
  IntBetween,
  isWithin,
  listOf,
  Name,
  optional,
  PageOrigin,
  Timestamp
} from "../../platform/Primitives.ts"
import { ContactId } from "../contacts/Contact.ts"

const OptInMode = Schema.Literals(["off", "public", "all"])
const OneClickScope = Schema.Literals(["topic", "all"])
const StoredIp = Schema.Literals(["off", "truncated", "full"])
const SelfErasure = Schema.Literals(["off", "request", "automatic"])
const Anonymous = Schema.Literals(["drop", "hold"])

const text = Schema.NullOr(Schema.String)
const days = Schema.NullOr(Schema.Int)

export const AudienceSettings = Schema.Struct({
  doubleOptIn: Schema.Struct({
    mode: OptInMode,
    from: text,
    fromName: text,
    replyTo: text,
    templateId: Schema.NullOr(Id).pipe(described("Null: the text of the service.")),
    expiresInDays: Schema.Int,
    reminderAfterHours: Schema.NullOr(Schema.Int),
    deleteUnconfirmedAfterDays: days.pipe(described("Null: never.")),
    redirectUrl: text
  }),
  topicRequired: Schema.Boolean,
  oneClickScope: OneClickScope,
  consent: Schema.Struct({
    ip: StoredIp,
    userAgent: Schema.Boolean,
    retentionDays: days.pipe(described("Null: for ever."))
  }),
  selfService: Schema.Struct({ export: Schema.Boolean, erasure: SelfErasure }),
  pages: Schema.Struct({
    name: text,
    logoUrl: text,
    color: text,
    websiteUrl: text,
    privacyUrl: text,
    imprintUrl: text,
    preferencesUrl: text,
    embedOrigins: Schema.Array(Schema.String),
    snooze: Schema.Boolean,
    language: Schema.Boolean
  }),
  ingest: Schema.Struct({ page: Schema.Boolean, screen: Schema.Boolean, anonymous: Anonymous, holdDays: Schema.Int }),
  updatedAt: Schema.NullOr(Timestamp).pipe(described("Null while nothing is set."))
}).annotate({ identifier: "AudienceSettings", description: "The rules of the project's audience." })
export type AudienceSettings = typeof AudienceSettings.Type

/** What a project has that sets nothing. */
export const defaultAudienceSettings: AudienceSettings = {
  doubleOptIn: {
    mode: "off",
    from: null,
    fromName: null,
    replyTo: null,
    templateId: null,
    expiresInDays: 7,
    reminderAfterHours: null,
    deleteUnconfirmedAfterDays: 30,
    redirectUrl: null
  },
  topicRequired: false,
  oneClickScope: "topic",
  consent: { ip: "off", userAgent: false, retentionDays: 1_095 },
  selfService: { export: false, erasure: "off" },
  pages: {
    name: null,
    logoUrl: null,
    color: null,
    websiteUrl: null,
    privacyUrl: null,
    imprintUrl: null,
    preferencesUrl: null,
    embedOrigins: [],
    snooze: true,
    language: true
  },
  ingest: { page: true, screen: true, anonymous: "drop", holdDays: 7 },
  updatedAt: null
}

const Color = Schema.String.check(
  isWithin(7, "A colour such as #1f5eff."),
  Schema.isPattern(/^#[0-9a-fA-F]{6}$/, { message: "A colour such as #1f5eff." })
)

const PagesChange = Schema.Struct({
  name: optional(Name(100)),
  logoUrl: optional(HttpsUrl.pipe(described("An image of this project: see `POST /uploads/image`."))),
  color: optional(Color).pipe(described("`#rrggbb`.")),
  websiteUrl: optional(HttpsUrl),
  privacyUrl: optional(HttpsUrl),
  imprintUrl: optional(HttpsUrl),
  preferencesUrl: optional(HttpsUrl).pipe(described("Your own page for the preferences of recipients.")),
  embedOrigins: Schema.optionalKey(
    listOf(PageOrigin, Schema.isMaxLength(10, { code: "too_big", message: "At most 10 origins." }))
  ).pipe(described("Up to 10 origins whose pages may frame the preference page.")),
  snooze: Schema.optionalKey(Schema.Boolean).pipe(described("Whether the page offers to pause mail for a time.")),
  language: Schema.optionalKey(Schema.Boolean).pipe(described("Whether the page offers the language of mail."))
})

const SelfServiceChange = Schema.Struct({
  export: Schema.optionalKey(Schema.Boolean).pipe(described("Whether recipients can ask for their data.")),
  erasure: Schema.optionalKey(SelfErasure).pipe(
    described("Whether recipients can ask for erasure, or erase themselves.")
  )
})

/** Body of `PATCH /settings/audience`. Absent fields keep their values, in the groups too. */
export const UpdateAudienceSettings = Schema.Struct({
  doubleOptIn: Schema.optionalKey(
    Schema.Struct({
      mode: Schema.optionalKey(OptInMode).pipe(
        described("Which subscriptions must be confirmed: none, those of public sign-ups, or all new ones.")
      ),
      from: optional(EmailAddress).pipe(described("Sender of the mail to confirm, on a verified domain.")),
      fromName: optional(Name(200)),
      replyTo: optional(EmailAddress),
      templateId: optional(Id).pipe(
        described("A TRANSACTIONAL template whose body has `{{confirmUrl}}`. Null: the text of the service.")
      ),
      expiresInDays: Schema.optionalKey(IntBetween(1, 30)).pipe(described("1 to 30.")),
      reminderAfterHours: optional(IntBetween(12, 168)).pipe(described("12 to 168, before the expiry. Null: none.")),
      deleteUnconfirmedAfterDays: optional(IntBetween(0, 365)).pipe(described("0 to 365. Null: never.")),
      redirectUrl: optional(HttpsUrl)
    })
  ),
  topicRequired: Schema.optionalKey(Schema.Boolean).pipe(
    described("Whether MARKETING and HEADLESS mail of campaigns, templates and sends must name a topic.")
  ),
  oneClickScope: Schema.optionalKey(OneClickScope).pipe(
    described("What a one-click unsubscribe of mail with a topic leaves.")
  ),
  consent: Schema.optionalKey(
    Schema.Struct({
      ip: Schema.optionalKey(StoredIp).pipe(described("Whether records of consent have the address of the client.")),
      userAgent: Schema.optionalKey(Schema.Boolean),
      retentionDays: optional(IntBetween(30, 3_650)).pipe(
        described("How long records stay after the contact is gone: 30 to 3,650. Null: for ever.")
      )
    })
  ),
  selfService: Schema.optionalKey(SelfServiceChange),
  pages: Schema.optionalKey(PagesChange),
  ingest: Schema.optionalKey(
    Schema.Struct({
      page: Schema.optionalKey(Schema.Boolean),
      screen: Schema.optionalKey(Schema.Boolean),
      anonymous: Schema.optionalKey(Anonymous),
      holdDays: Schema.optionalKey(IntBetween(1, 30)).pipe(described("1 to 30."))
    })
  )
}).annotate({ identifier: "UpdateAudienceSettings" })
export type UpdateAudienceSettings = typeof UpdateAudienceSettings.Type

/** Body of `POST /settings/audience/preview`. */
export const PreviewPreferences = Schema.Struct({
  pages: Schema.optionalKey(PagesChange).pipe(described("In place of the stored settings.")),
  selfService: Schema.optionalKey(SelfServiceChange).pipe(described("In place of the stored settings.")),
  language: Schema.optionalKey(Name(35)).pipe(
    described("Such as `de`. Default: that of the contact, else of the project.")
  ),
  contactId: Schema.optionalKey(ContactId).pipe(
    described("As this contact sees the page. Absent: as a subscribed contact that said nothing about topics.")
  )
}).annotate({ identifier: "PreviewPreferences" })
export type PreviewPreferences = typeof PreviewPreferences.Type

export const PreferencesPreview = Schema.Struct({
  html: Schema.String.pipe(described("The page without its form: nothing in it changes anything.")),
  language: Schema.String.pipe(described("The language of the page."))
}).annotate({ identifier: "PreferencesPreview", description: "The preference page as a recipient sees it." })
export type PreferencesPreview = typeof PreferencesPreview.Type

/** A campaign: one message to an audience. The audience is fixed when sending starts. */
import { Schema } from "effect"
import { ContactData } from "../../audience/contacts/Contact.ts"
import { FilterTree } from "../../audience/filters/FilterTree.ts"
import { SuppressionReason } from "../../audience/suppressions/Suppression.ts"
import { TopicReference, TopicSummary, topicId } from "../../audience/topics/TopicReference.ts"
import { CampaignLinks } from "../../content/links/Links.ts"
import {
  Body,
  EmailType,
  Layout,
  MjmlSource,
  SenderName,
  TemplateFormat,
  TranslatedSubjects,
  templateContent,
  WriteTemplateTranslations
} from "../../content/templates/Template.ts"
import { EmailFault, EmailId, EmailStatus } from "../../mail/emails/Email.ts"
import { ProviderFigures } from "../../mail/emails/Provider.ts"
import { MailPolicy, WriteMailPolicy } from "../../mail/sending/MailPolicy.ts"
import { ProjectId } from "../../platform/Auth.ts"
import { LanguageTag } from "../../platform/LanguageTag.ts"
import { Mailbox } from "../../platform/Mailbox.ts"
import {
  described,
  Id,
  IfUpdatedAt,
  IntBetween,
  isLength,
  lenient,
  Name,
  Note,
  noControls,
  OffsetPage,
  OffsetQuery,
  optional,
  Page,
  PageQuery,
  required,
  Search,
  Subject,
  Timestamp
} from "../../platform/Primitives.ts"
import { RevenueSum } from "../workflows/WorkflowReport.ts"
import { CampaignDelivery, WriteCampaignDelivery } from "./CampaignDelivery.ts"
import {
  CampaignExperiment,
  CampaignExperimentState,
  ExperimentFigures,
  VariantKey,
  WriteExperiment
} from "./CampaignExperiment.ts"
import { CampaignGoal, WriteGoal } from "./CampaignGoal.ts"
import { CampaignHoldout, Uplift, WriteHoldout } from "./CampaignHoldout.ts"
import { CampaignRecurrence } from "./CampaignRecurrence.ts"
import { CampaignReport } from "./CampaignReport.ts"
import { Preheader } from "./Preheader.ts"

export const CampaignId = Id.pipe(Schema.brand("CampaignId"))
export type CampaignId = typeof CampaignId.Type

export const CampaignStatus = Schema.Literals(["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"]).annotate({
  description:
    "`DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it."
})
export type CampaignStatus = typeof CampaignStatus.Type

export const AudienceType = Schema.Literals(["ALL", "SEGMENT", "FILTERED"]).annotate({
  description:
    "`ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic."
})
export type AudienceType = typeof AudienceType.Type

export const RecipientsOf = Schema.Struct({
  campaignId: CampaignId,
  who: Schema.Literals(["ALL", "NOT_OPENED", "NOT_CLICKED", "OPENED", "CLICKED", "NOT_CONVERTED"]).pipe(
    described(
      "Which of its recipients, to whom its mail left. `NOT_OPENED`: no open at all, since the open of a machine may hide a reader. `NOT_CLICKED`, `OPENED`, `CLICKED`: by people. `NOT_CONVERTED`: no event counts for its goal."
    )
  )
}).annotate({
  identifier: "RecipientsOf",
  description: "Recipients of another campaign, as they are when sending starts."
})
export type RecipientsOf = typeof RecipientsOf.Type

/** Why the service cancelled a campaign. */
export const StatusReason = Schema.Literals(["PROJECT_DISABLED", "DOMAIN_NOT_VERIFIED", "BILLING_LIMIT"])
export type StatusReason = typeof StatusReason.Type

const timestampOrNull = Schema.NullOr(Timestamp)
const textOrNull = Schema.NullOr(Schema.String)

/** Who asked for an approval or decided it. */
export const ApprovalParty = Schema.Struct({
  kind: Schema.Literals(["USER", "KEY"]).pipe(
    described("`USER`: a member, or a user of the application that embeds the service. `KEY`: a caller with a key.")
  ),
  userId: textOrNull.pipe(described("Null for a key."))
}).annotate({ identifier: "ApprovalParty" })
export type ApprovalParty = typeof ApprovalParty.Type

export const CampaignApproval = Schema.Struct({
  state: Schema.Literals(["NONE", "REQUESTED", "APPROVED", "REJECTED"]),
  requestedBy: Schema.NullOr(ApprovalParty),
  decidedBy: Schema.NullOr(ApprovalParty),
  note: textOrNull.pipe(described("What was said with the last request or decision.")),
  at: timestampOrNull.pipe(described("The last request or decision."))
}).annotate({
  identifier: "CampaignApproval",
  description: "Holds for the exact content and audience: a change of either ends a request or an approval."
})
export type CampaignApproval = typeof CampaignApproval.Type

/** Counters of a campaign. Each counter counts an email at most once. */
export const CampaignCounters = {
  totalRecipients: Schema.Int.pipe(described("Size of the audience; 0 until all of its mails are created.")),
  sentCount: Schema.Int.pipe(described("Mails that were sent, including those that bounced.")),
  deliveredCount: Schema.Int,
  openedCount: Schema.Int.pipe(described("Mails with at least one open.")),
  clickedCount: Schema.Int.pipe(described("Mails with at least one click.")),
  bouncedCount: Schema.Int,
  complainedCount: Schema.Int,
  unsubscribedCount: Schema.Int.pipe(described("Recipients who unsubscribed through a link of their mail.")),
  failedCount: Schema.Int,
  suppressedCount: Schema.Int.pipe(
    described("Mails that were not sent because the recipient is suppressed, or did not take them any more.")
  ),
  cancelledCount: Schema.Int
}

const audienceSize = Schema.Int.pipe(
  described(
    "Size of the audience, without its holdout, from the start of sending on; 0 before. The undecided rest of an experiment counts."
  )
)
const holdoutSize = Schema.Int.pipe(
  described("Contacts that are held out, from the start of sending on; 0 before. They are in no other count.")
)

export const Campaign = Schema.Struct({
  id: CampaignId,
  name: Schema.String,
  description: textOrNull.pipe(described("Internal note, never sent.")),
  subject: Schema.String,
  preheader: textOrNull.pipe(described("The text that inboxes show beside the subject.")),
  format: templateContent.format,
  body: templateContent.body,
  source: templateContent.source,
  text: templateContent.text,
  language: templateContent.language,
  translations: templateContent.translations,
  from: Schema.String,
  fromName: textOrNull.pipe(described("Display name of the sender.")),
  replyTo: textOrNull,
  type: EmailType,
  layout: textOrNull.pipe(described("Name of the partial around body and text.")),
  status: CampaignStatus,
  paused: Schema.Boolean.pipe(described("Only while `SENDING`.")),
  statusReason: Schema.NullOr(StatusReason).pipe(described("Why the service cancelled it.")),
  audienceType: AudienceType,
  segmentId: textOrNull,
  audienceCondition: Schema.NullOr(FilterTree),
  recipientsOf: Schema.NullOr(RecipientsOf).annotateKey({ description: "Narrows the audience." }),
  templateId: textOrNull.pipe(described("The template that its texts were copied from.")),
  templateVersion: Schema.NullOr(Schema.Int).pipe(described("The version of the template that was copied.")),
  topicId,
  archive: Schema.Boolean.pipe(described("Whether it is shown in the public archive once it is `SENT`.")),
  archiveUrl: textOrNull.pipe(
    described("Its page in the public archive, which exists once it is `SENT`. Null if it is not archived.")
  ),
  policy: MailPolicy,
  delivery: Schema.NullOr(CampaignDelivery),
  priority: Schema.Int.pipe(
    described("1 to 5. Campaigns of a project that are sent at the same time share by it: each step doubles the share.")
  ),
  experiment: Schema.NullOr(CampaignExperiment),
  experimentState: Schema.NullOr(CampaignExperimentState).annotateKey({
    description: "Null without an experiment, and before sending starts."
  }),
  goal: Schema.NullOr(CampaignGoal),
  holdout: Schema.NullOr(CampaignHoldout),
  approval: CampaignApproval,
  recurrence: Schema.NullOr(CampaignRecurrence),
  parentId: Schema.NullOr(CampaignId).pipe(described("The campaign whose recurrence made it.")),
  scheduledFor: timestampOrNull,
  startsAt: timestampOrNull.pipe(
    described(
      "When sending starts: `scheduledFor`, or with `delivery.localTime` when the first time zone of the world has reached its wall clock."
    )
  ),
  estimatedRecipients: Schema.Int.pipe(
    described("Size of the audience, without its holdout, at the last create, replacement, duplication or send.")
  ),
  audienceSize,
  holdoutSize,
  ...CampaignCounters,
  projectId: ProjectId,
  sentAt: timestampOrNull.pipe(described("When sending started.")),
  completedAt: timestampOrNull.pipe(described("When it became `SENT` or `CANCELLED`.")),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Campaign", description: "One message to an audience." })
export type Campaign = typeof Campaign.Type

const { source: _source, text: _text, experiment: _experiment, ...listed } = Campaign.fields

/** A campaign in a list, without its longer texts. */
export const CampaignSummary = Schema.Struct({ ...listed, translations: TranslatedSubjects }).annotate({
  identifier: "CampaignSummary",
  description: "A campaign without MJML, text part, translated bodies and variants."
})
export type CampaignSummary = typeof CampaignSummary.Type

/** Summary of the segment of a campaign. */
export const CampaignSegment = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  type: Schema.Literals(["DYNAMIC", "STATIC"]),
  memberCount: Schema.Int
}).annotate({ identifier: "CampaignSegment" })
export type CampaignSegment = typeof CampaignSegment.Type

export const CampaignDetail = Schema.Struct({
  ...Campaign.fields,
  segment: Schema.NullOr(CampaignSegment).annotateKey({ description: "The segment of its audience." }),
  topic: Schema.NullOr(TopicSummary).annotateKey({ description: "The topic of its mail." })
}).annotate({ identifier: "CampaignDetail", description: "A campaign with its segment and its topic." })
export type CampaignDetail = typeof CampaignDetail.Type

const unlessTemplate = "Required unless a template supplies it."

/** Body of `POST /campaigns`. `null` counts as absent. */
export const WriteCampaign = Schema.Struct({
  name: required(Name(200)).pipe(described("1 to 200 characters on one line.")),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  subject: optional(Subject).pipe(described(`1 to 998 characters on one line, with placeholders. ${unlessTemplate}`)),
  preheader: optional(Preheader).pipe(
    described(
      "The text that inboxes show beside the subject, with placeholders: hidden at the start of the HTML, not in the text part; at most 250 characters on one line. Mail in the language of a translation has none."
    )
  ),
  format: optional(TemplateFormat).pipe(
    described("`MJML`: `source` is compiled to the body. Absent: the template's, unless `body` is given; else `HTML`.")
  ),
  body: optional(Body).pipe(
    described(`HTML with \`{{variable}}\` placeholders, at most 2 MB. Refused with format \`MJML\`. ${unlessTemplate}`)
  ),
  source: optional(MjmlSource).pipe(
    described(
      "MJML with `{{variable}}` placeholders, at most 1 MB. Required with format `MJML` unless a template supplies it, refused without."
    )
  ),
  text: optional(Body).pipe(
    described(
      "The plain text part, at most 2 MB. Absent: the template's, unless `body` is given; else derived from the HTML."
    )
  ),
  language: optional(LanguageTag).pipe(
    described("Language of subject, body and text. Absent: the template's, otherwise the language of the project.")
  ),
  translations: optional(WriteTemplateTranslations).pipe(
    described(
      "Subject, body and text in other languages, by language tag; at most 50. Absent: the template's, in which `subject`, `body` or `source`, and `text` of the request take precedence."
    )
  ),
  from: optional(Mailbox).pipe(
    described(
      `An address, alone or with a display name (\`Ada <ada@example.com>\`), which takes precedence over \`fromName\`. Its domain must be verified for the project. ${unlessTemplate}`
    )
  ),
  fromName: optional(SenderName).pipe(described("Display name of the sender.")),
  replyTo: optional(Mailbox),
  type: optional(EmailType).pipe(described("Default: the type of the template, otherwise `MARKETING`.")),
  layout: optional(Layout).pipe(described("Name of a partial that contains `{{> content}}`. Absent: the template's.")),
  audienceType: required(AudienceType),
  segmentId: optional(Id).pipe(described("Required for the audience type `SEGMENT`.")),
  audienceCondition: optional(FilterTree).annotateKey({ description: "Required for the audience type `FILTERED`." }),
  recipientsOf: optional(RecipientsOf).annotateKey({
    description: "Narrows the audience to recipients of another campaign of the project."
  }),
  templateId: optional(Id).pipe(
    described("Supplies the texts and the sender that the request does not have; they are copied.")
  ),
  topicId: optional(TopicReference).pipe(
    described(
      "Id or key of the topic: only contacts that take it get the campaign. Absent: the template's. Not for the type `TRANSACTIONAL`."
    )
  ),
  archive: optional(Schema.Boolean).pipe(
    described(
      "Shows the campaign in the public archive of the project, without the data of any contact, once it is `SENT`. Only the type `MARKETING` is archived. Default: false."
    )
  ),
  policy: optional(WriteMailPolicy),
  delivery: optional(WriteCampaignDelivery),
  priority: optional(IntBetween(1, 5)).pipe(
    described(
      "Which part it gets beside other campaigns of the project that are sent at the same time: each step doubles it. Default: 3."
    )
  ),
  experiment: optional(WriteExperiment),
  goal: optional(WriteGoal),
  holdout: optional(WriteHoldout)
}).annotate({ identifier: "WriteCampaign" })
export type WriteCampaign = typeof WriteCampaign.Type

/** Body of `PUT /campaigns/{id}`. */
export const ReplaceCampaign = Schema.Struct({ ...WriteCampaign.fields, ifUpdatedAt: IfUpdatedAt }).annotate({
  identifier: "ReplaceCampaign"
})
export type ReplaceCampaign = typeof ReplaceCampaign.Type

/** Accepts any JSON: an unreadable time is a faulty parameter (400), not a faulty body (422). */
const StartTime = Schema.Json.check(
  Schema.makeFilter(() => true, {
    toJsonSchema: () => ({
      anyOf: [{ type: "string", format: "date-time", maxLength: 100 }, { type: "integer" }, { type: "null" }]
    })
  })
)

/** Body of `POST /campaigns/{id}/send`. */
export const SendCampaign = Schema.Struct({
  scheduledFor: Schema.optionalKey(StartTime).annotateKey({
    description:
      "When to start; absent or `null`: at once. A date that JavaScript's `Date` parses, in UTC unless it names a zone, or milliseconds since 1970 as an integer. With a time in the past, sending starts at the next check of the schedule."
  })
}).annotate({ identifier: "SendCampaign" })
export type SendCampaign = typeof SendCampaign.Type

/** Body of `POST /campaigns/{id}/retry-failed`. */
export const RetryFailed = Schema.Struct({
  includeAmbiguous: optional(Schema.Boolean).pipe(
    described("Also mail whose delivery is uncertain; its recipients may get it twice.")
  )
}).annotate({ identifier: "RetryFailed" })
export type RetryFailed = typeof RetryFailed.Type

const approvalNote = "At most 500 characters, for the other side."

/** Body of `POST /campaigns/{id}/request-approval`. */
export const RequestApproval = Schema.Struct({
  note: optional(Note(500)).pipe(described(approvalNote))
}).annotate({ identifier: "RequestApproval" })
export type RequestApproval = typeof RequestApproval.Type

/** Body of `POST /campaigns/{id}/approve`. */
export const ApproveCampaign = Schema.Struct({
  note: optional(Note(500)).pipe(described(approvalNote))
}).annotate({ identifier: "ApproveCampaign" })
export type ApproveCampaign = typeof ApproveCampaign.Type

/** Body of `POST /campaigns/{id}/reject`. */
export const RejectCampaign = Schema.Struct({
  note: required(Schema.String.check(isLength(1, 500), noControls)).pipe(described("Why, at most 500 characters."))
}).annotate({ identifier: "RejectCampaign" })
export type RejectCampaign = typeof RejectCampaign.Type

/** Body of `POST /campaigns/{id}/follow-up`. */
export const FollowUpCampaign = Schema.Struct({
  who: required(RecipientsOf.fields.who),
  subject: optional(Subject).pipe(
    described("1 to 998 characters on one line, in place of the copied subject, in all languages.")
  ),
  name: optional(Name(200)).pipe(described("Absent: the name of the campaign and ` (Follow-up)`."))
}).annotate({ identifier: "FollowUpCampaign" })
export type FollowUpCampaign = typeof FollowUpCampaign.Type

/** Body of `POST /campaigns/{id}/test`. */
export const TestCampaign = Schema.Struct({
  email: required(Mailbox).pipe(described("Address of a contact, or of a member of the project.")),
  data: optional(ContactData).annotateKey({
    description: "Variables for this test only; they override those of the contact."
  }),
  variant: optional(Schema.String.check(isLength(1, 10))).pipe(
    described("The key of a variant of its experiment. Absent: the campaign's own content.")
  )
}).annotate({ identifier: "TestCampaign" })
export type TestCampaign = typeof TestCampaign.Type

export const CampaignQuery = Schema.Struct({
  ...OffsetQuery,
  status: Schema.optionalKey(CampaignStatus).pipe(described("Only campaigns in this state.")),
  parentId: Schema.optionalKey(CampaignId).pipe(described("Only campaigns that the recurrence of this one made.")),
  search: Schema.optionalKey(Search),
  sort: lenient("createdAt", "name", "updatedAt"),
  dir: lenient("desc", "asc")
})
export type CampaignQuery = typeof CampaignQuery.Type

export const CampaignPage = OffsetPage("CampaignPage", CampaignSummary)
export type CampaignPage = typeof CampaignPage.Type

const percent = Schema.Finite.pipe(described("Percent of `sentCount`, two decimals; 0 when nothing was sent."))

export const CampaignStats = Schema.Struct({
  totalRecipients: CampaignCounters.totalRecipients,
  pendingCount: Schema.Int.pipe(
    described("Mails that wait or are being sent, and the undecided rest of an experiment.")
  ),
  sentCount: CampaignCounters.sentCount,
  deliveredCount: Schema.Int,
  openedCount: CampaignCounters.openedCount,
  clickedCount: CampaignCounters.clickedCount,
  bouncedCount: Schema.Int,
  complainedCount: Schema.Int,
  unsubscribedCount: CampaignCounters.unsubscribedCount,
  failedCount: Schema.Int,
  suppressedCount: CampaignCounters.suppressedCount,
  cancelledCount: Schema.Int,
  ambiguousCount: Schema.Int.pipe(described("Mails whose delivery is uncertain.")),
  machineOpenedCount: Schema.Int.pipe(described("Mails that only bots opened.")),
  machineClickedCount: Schema.Int.pipe(described("Mails whose links only bots followed.")),
  humanOpenedCount: Schema.Int.pipe(described("Mails that a person opened.")),
  humanClickedCount: Schema.Int.pipe(described("Mails with a link that a person followed.")),
  humanOpenRate: percent,
  humanClickRate: percent,
  openRate: percent,
  clickRate: percent,
  bounceRate: percent,
  deliveryRate: percent,
  complaintRate: percent,
  unsubscribeRate: percent,
  convertedCount: Schema.Int.pipe(described("Recipients with at least one event that counts for the goal.")),
  conversionRate: percent,
  conversionEvents: Schema.Int.pipe(described("Events that count for the goal.")),
  revenue: Schema.Array(RevenueSum).pipe(described("Of these events, by currency.")),
  audienceSize,
  holdoutSize,
  uplift: Schema.NullOr(Uplift).annotateKey({
    description: "Null without a holdout, before sending starts, and if no contact or every contact is held out."
  })
}).annotate({
  identifier: "CampaignStats",
  description:
    "Once all mails are created, `totalRecipients` is the sum of the pending, sent, failed, suppressed, cancelled and ambiguous mails."
})
export type CampaignStats = typeof CampaignStats.Type

const variant = Schema.NullOr(VariantKey).annotateKey({
  description: "The variant that it gets. Null without an experiment."
})

export const CampaignRecipient = Schema.Struct({
  contactId: Schema.NullOr(Schema.String).pipe(described("Null after the contact was deleted.")),
  email: textOrNull,
  emailId: EmailId,
  variant,
  status: EmailStatus,
  reason: Schema.NullOr(SuppressionReason).pipe(described("Why it is `SUPPRESSED`.")),
  sentAt: timestampOrNull,
  deliveredAt: timestampOrNull,
  openedAt: timestampOrNull,
  clickedAt: timestampOrNull,
  bouncedAt: timestampOrNull,
  error: Schema.NullOr(Schema.Struct({ code: EmailFault, message: Schema.String }))
}).annotate({
  identifier: "Recipient",
  description: "A contact of the audience, as fixed when sending started, and the status of its mail."
})
export type CampaignRecipient = typeof CampaignRecipient.Type

export const RecipientQuery = Schema.Struct({
  ...PageQuery,
  status: Schema.optionalKey(EmailStatus).pipe(described("Only mails in this state.")),
  variant: Schema.optionalKey(VariantKey).pipe(described("Only mails of this variant.")),
  search: Schema.optionalKey(Search)
})
export type RecipientQuery = typeof RecipientQuery.Type

export const RecipientPage = Page("RecipientPage", CampaignRecipient)
export type RecipientPage = typeof RecipientPage.Type

const answer = <S extends Schema.Top>(name: string, data: S, description: string) =>
  Schema.Struct({ success: Schema.Literal(true), data }).annotate({ identifier: name, description })

const answerWithMessage = <S extends Schema.Top>(name: string, data: S) =>
  Schema.Struct({
    success: Schema.Literal(true),
    data,
    message: Schema.String.pipe(described("The result, as a sentence."))
  }).annotate({ identifier: name, description: "The request was carried out." })

export const CampaignAnswer = answer("CampaignAnswer", Campaign, "The stored campaign.")
export const CampaignDetailAnswer = answer(
  "CampaignDetailAnswer",
  CampaignDetail,
  "The campaign with its segment and its topic."
)
export const CampaignStatsAnswer = answer("CampaignStatsAnswer", CampaignStats, "Counts and rates of its mails.")
export const CampaignExperimentAnswer = answer(
  "CampaignExperimentAnswer",
  ExperimentFigures,
  "The figures of its experiment."
)
export const CampaignLinksAnswer = answer("CampaignLinksAnswer", CampaignLinks, "Clicks on its links.")
export const CampaignProvidersAnswer = answer(
  "CampaignProvidersAnswer",
  Schema.Struct({ providers: Schema.Array(ProviderFigures).pipe(described("The provider with the most mail first.")) }),
  "Results by mailbox provider."
)
export const CampaignReportAnswer = answer("CampaignReportAnswer", CampaignReport, "Its results, row by row.")
export const CampaignDone = answerWithMessage("CampaignDone", Campaign)
export const RetriedAnswer = answerWithMessage(
  "CampaignRetried",
  Schema.Struct({
    retried: Schema.Int.pipe(described("Mails that are sent again.")),
    status: CampaignStatus
  })
)
export const TestedAnswer = answerWithMessage("CampaignTested", Schema.Struct({ email: EmailId }))

export class CampaignNotFound extends Schema.TaggedError<CampaignNotFound>()("CAMPAIGN_NOT_FOUND", {
  resource: Schema.tag("campaign"),
  id: Schema.String
}) {
  override readonly message = `No campaign ${this.id} in this project.`
}

export class EmptyAudience extends Schema.TaggedError<EmptyAudience>()("EMPTY_AUDIENCE", {}) {
  override readonly message = "No contact would get this campaign."
}

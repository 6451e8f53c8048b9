/** The delivery ledger as callers read it: one record for each email to each recipient. */
import { Schema, SchemaTransformation } from "effect"
import { ContactId } from "../../audience/contacts/Contact.ts"
import { SuppressionReason } from "../../audience/suppressions/Suppression.ts"
import { EmailType } from "../../content/templates/Template.ts"
import { ProjectId } from "../../platform/Auth.ts"
import {
  EmailAddress as Address,
  DateQuery,
  described,
  Id,
  isLength,
  lenient,
  Page,
  PageQuery,
  Timestamp
} from "../../platform/Primitives.ts"
import { Provider } from "./Provider.ts"
import { StoredTags, TagQuery } from "./Tags.ts"

export const EmailId = Id.pipe(Schema.brand("EmailId"))
export type EmailId = typeof EmailId.Type

export const EmailStatus = Schema.Literals([
  "SCHEDULED",
  "PENDING",
  "SENDING",
  "SENT",
  "DELIVERED",
  "OPENED",
  "CLICKED",
  "BOUNCED",
  "COMPLAINED",
  "FAILED",
  "AMBIGUOUS",
  "SUPPRESSED",
  "CANCELLED"
]).annotate({
  description:
    "`SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent."
})
export type EmailStatus = typeof EmailStatus.Type

/** When to send a mail: ISO 8601, in UTC unless a zone is given. */
export const SendTime = DateQuery.pipe(Schema.annotateEncoded({ format: "date-time" }))

/** The origin of an email. */
export const SourceType = Schema.Literals(["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"]).annotate({
  description: "The origin of the mail."
})
export type SourceType = typeof SourceType.Type

/** Whether the mail is addressed to its recipient, or is a copy. */
export const RecipientType = Schema.Literals(["TO", "CC", "BCC"]).annotate({
  description: "`TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient."
})
export type RecipientType = typeof RecipientType.Type

export const EmailMode = Schema.Literals(["LIVE", "TEST"]).annotate({
  description: "`TEST`: sent with an API key of test mode; processed like other mail, but not handed to a server."
})
export type EmailMode = typeof EmailMode.Type

/** The closed list of delivery failures. */
export const EmailFault = Schema.Literals([
  "expired",
  "rejected",
  "ambiguous",
  "contact_unsubscribed",
  "suppressed",
  "cancelled",
  "contact_deleted",
  "project_was_disabled",
  "template_missing",
  "sender_domain_unverified",
  "render_failed",
  "invalid_recipient",
  "connection_failed",
  "timeout",
  "execution_exited",
  "quiet_hours",
  "frequency_cap",
  "campaign_expired",
  "experiment_abandoned"
])
export type EmailFault = typeof EmailFault.Type

/** Data about an attachment, never its content. */
export const AttachmentInfo = Schema.Struct({
  filename: Schema.String,
  contentType: Schema.String,
  size: Schema.Int,
  disposition: Schema.Literals(["attachment", "inline"]),
  contentId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AttachmentInfo", description: "Data about an attachment, never its content." })
export type AttachmentInfo = typeof AttachmentInfo.Type

export const HoldReason = Schema.Literals([
  "QUIET_HOURS",
  "FREQUENCY_CAP",
  "CAMPAIGN_TIMING",
  "WARMUP",
  "PAUSED",
  "PROVIDER_LIMIT"
]).annotate({
  description:
    "Why it waits. `QUIET_HOURS`: of the project, in the time zone that they name. `FREQUENCY_CAP`: the contact got as much mail as the project allows. `CAMPAIGN_TIMING`: the `delivery` of its campaign. `WARMUP`: of the sender domain. `PAUSED`: the campaign. `PROVIDER_LIMIT`: the mailbox provider of the recipient takes less mail now."
})
export type HoldReason = typeof HoldReason.Type

export const Hold = Schema.Struct({
  reason: HoldReason,
  until: Schema.NullOr(Timestamp).pipe(
    described(
      "When it may be sent. Null if that is not known: while its campaign is paused, or a mailbox provider takes less mail."
    )
  )
}).annotate({ identifier: "Hold", description: "Why a mail waits before its first attempt, and until when." })
export type Hold = typeof Hold.Type

const reference = Schema.NullOr(Schema.String)
const moment = Schema.NullOr(Timestamp)

export const Email = Schema.Struct({
  id: EmailId,
  projectId: ProjectId,
  contactId: Schema.NullOr(ContactId).pipe(described("Null for a copy, and after the contact was deleted.")),
  recipientType: RecipientType,
  groupId: reference.pipe(
    described("Id of the mail that this one is a copy of, also on that mail itself. Null without copies.")
  ),
  to: Schema.String.pipe(described("Address of the recipient.")),
  toName: Schema.NullOr(Schema.String),
  from: Schema.String,
  fromName: Schema.NullOr(Schema.String),
  replyTo: Schema.NullOr(Schema.String),
  cc: Schema.Array(Schema.Struct({ email: Schema.String, name: Schema.NullOr(Schema.String) })).pipe(
    described("The recipients in the `Cc` header.")
  ),
  subject: Schema.NullOr(Schema.String),
  type: EmailType,
  sourceType: SourceType,
  test: Schema.Boolean.pipe(described("A test mail of a campaign or of test mode, which no count includes.")),
  mode: EmailMode,
  apiKeyId: reference.pipe(described("The API key that sent it. Null: the secret key, a session, or the service.")),
  templateId: reference,
  templateVersion: Schema.NullOr(Schema.Int).pipe(described("The version of the template.")),
  locale: Schema.NullOr(Schema.String).pipe(
    described("Language of the texts that were used, if the template or campaign names languages.")
  ),
  campaignId: reference,
  variant: reference.pipe(described("The variant of the campaign, `A` to `H`. Null without an experiment.")),
  workflowId: reference,
  workflowExecutionId: reference,
  workflowStepExecutionId: reference,
  topicId: reference.pipe(described("The topic of the mail, kept after the topic is deleted.")),
  messageId: Schema.NullOr(Schema.String).pipe(
    described("Message-ID (RFC 5322 3.6.4) without angle brackets, the same for every attempt.")
  ),
  status: EmailStatus,
  tracking: Schema.Boolean.pipe(described("Whether opens and clicks are tracked.")),
  headers: Schema.Record(Schema.String, Schema.String).pipe(described("Headers the caller added.")),
  attachments: Schema.Array(AttachmentInfo),
  tags: StoredTags.pipe(described("Tags the caller added.")),
  provider: Schema.NullOr(Provider).pipe(
    described("The mailbox provider of the recipient, such as `GMAIL`. Null before the first attempt.")
  ),
  scheduledFor: moment.pipe(described("When it is or was due, if it was scheduled.")),
  opens: Schema.Int,
  clicks: Schema.Int,
  machineOpens: Schema.Int.pipe(described("Opens by scanners and prefetchers, counted in `opens` too.")),
  machineClicks: Schema.Int.pipe(described("Clicks by scanners, counted in `clicks` too.")),
  attempts: Schema.Int.pipe(described("Attempts so far.")),
  nextAttemptAt: moment.pipe(described("When the next attempt is due, after a temporary failure.")),
  hold: Schema.NullOr(Hold).annotateKey({ description: "What it waits for before its first attempt." }),
  error: Schema.NullOr(Schema.Struct({ code: EmailFault, message: Schema.String })).pipe(
    described("The last failure, or the reason of the state.")
  ),
  suppressionReason: Schema.NullOr(SuppressionReason).pipe(described("Why it is `SUPPRESSED`.")),
  sentAt: moment,
  deliveredAt: moment,
  openedAt: moment,
  clickedAt: moment,
  bouncedAt: moment,
  complainedAt: moment,
  failedAt: moment,
  suppressedAt: moment,
  cancelledAt: moment,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Email", description: "The record of one mail to one recipient." })
export type Email = typeof Email.Type

const DialogueLine = Schema.Struct({
  at: Schema.Int.pipe(described("Milliseconds since the start of the attempt.")),
  from: Schema.Literals(["C", "S"]).pipe(described("`C`: the service. `S`: the server.")),
  text: Schema.String.pipe(
    described("At most 512 bytes. Logins are replaced by `***`, the mail by its size, such as `(48211 octets)`.")
  )
}).annotate({ identifier: "DialogueLine", description: "One line of SMTP." })

/** One delivery attempt. `outcome` is null while the attempt runs. */
export const Attempt = Schema.Struct({
  number: Schema.Int,
  startedAt: Timestamp,
  endedAt: moment,
  transport: Schema.NullOr(Schema.String),
  transportId: Schema.NullOr(Id).pipe(described("The transport, if it belongs to the project.")),
  tls: Schema.NullOr(Schema.String).pipe(described("Version of TLS, such as `TLSv1.3`; null without TLS.")),
  remoteHost: Schema.NullOr(Schema.String).pipe(described("The server the mail was handed to.")),
  outcome: Schema.NullOr(Schema.Literals(["accepted", "deferred", "rejected", "ambiguous", "error"])).pipe(
    described("Null while the attempt is running.")
  ),
  code: Schema.NullOr(Schema.Int).pipe(described("Reply code of SMTP (RFC 5321 4.2).")),
  enhancedCode: Schema.NullOr(Schema.String).pipe(described("Enhanced status code (RFC 3463).")),
  reply: Schema.NullOr(Schema.String).pipe(described("The full reply, at most 1 KB.")),
  reused: Schema.NullOr(Schema.Boolean).pipe(
    described("Whether the connection had already been used for another mail. Null without a dialogue.")
  ),
  dialogue: Schema.NullOr(Schema.Array(DialogueLine)).pipe(
    described(
      "The lines of both sides, at most 100 lines and 8 KB. For a reused connection, without the lines up to `AUTH`. Null if the project does not store it (`smtpDialogue`)."
    )
  )
}).annotate({ identifier: "Attempt", description: "One attempt to hand the mail over." })
export type Attempt = typeof Attempt.Type

export const TimelineEntry = Schema.Struct({
  at: Timestamp,
  type: Schema.Literals([
    "accepted",
    "scheduled",
    "rescheduled",
    "held",
    "suppressed",
    "cancelled",
    "deferred",
    "sent",
    "delivered",
    "opened",
    "clicked",
    "bounced",
    "complained",
    "failed",
    "ambiguous",
    "retried",
    "unsubscribed"
  ]),
  detail: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "TimelineEntry", description: "One event in the history of the mail." })
export type TimelineEntry = typeof TimelineEntry.Type

/** A record with its history. */
export const EmailDetail = Schema.Struct({
  ...Email.fields,
  attemptLog: Schema.Array(Attempt).pipe(described("Every attempt, oldest first.")),
  timeline: Schema.Array(TimelineEntry).pipe(described("Oldest first, at most 500 entries."))
}).annotate({ identifier: "EmailDetail", description: "The record of a mail with its history." })
export type EmailDetail = typeof EmailDetail.Type

/**
 * As rendered, before link rewriting and without the tracking pixel. Empty after retention; `purgedAt` then says when
 * the texts were removed.
 */
export const EmailContent = Schema.Struct({
  subject: Schema.NullOr(Schema.String),
  html: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  headers: Schema.Record(Schema.String, Schema.String),
  purgedAt: moment.pipe(described("When the texts were removed after their retention, otherwise null."))
}).annotate({ identifier: "EmailContent", description: "The content of the mail, as rendered." })
export type EmailContent = typeof EmailContent.Type

/** A comma-separated list of values from a closed set. */
export const commaSeparated = <const L extends ReadonlyArray<string>>(values: Schema.Literals<L>) =>
  Schema.String.check(isLength(0, 1_000)).pipe(
    Schema.decodeTo(
      Schema.Array(values),
      SchemaTransformation.transform<ReadonlyArray<L[number]> | ReadonlyArray<string>, string>({
        decode: (text) => text.split(",").map((value) => value.trim()),
        encode: (list) => list.join(",")
      })
    )
  )

/** Body of `PATCH /emails/{id}`. */
export const UpdateEmail = Schema.Struct({
  scheduledFor: Schema.optionalKey(Schema.NullOr(SendTime)).pipe(
    described("The new time. Null or past: it is sent at once. Absent: nothing changes.")
  )
}).annotate({ identifier: "UpdateEmail" })
export type UpdateEmail = typeof UpdateEmail.Type

export const EmailQuery = Schema.Struct({
  ...PageQuery,
  status: Schema.optionalKey(commaSeparated(EmailStatus)).pipe(
    described("Only mail in these states, separated by commas, such as `SENT,DELIVERED`.")
  ),
  mode: Schema.optionalKey(Schema.Literals(["LIVE", "TEST", "ALL"])).pipe(
    described(
      "`LIVE`: only live mail; `TEST`: only mail of test mode; `ALL`: both. Keys of test mode see only test mail.",
      "LIVE"
    )
  ),
  sort: lenient("createdAt", "scheduledFor"),
  sourceType: Schema.optionalKey(SourceType),
  contactId: Schema.optionalKey(Id).pipe(described("Only mail of this contact.")),
  campaignId: Schema.optionalKey(Id).pipe(described("Only mail of this campaign.")),
  workflowId: Schema.optionalKey(Id).pipe(described("Only mail of this workflow.")),
  templateId: Schema.optionalKey(Id).pipe(described("Only mail of this template.")),
  groupId: Schema.optionalKey(Id).pipe(described("Only the mail of this group: one mail and its copies.")),
  to: Schema.optionalKey(Address).pipe(described("Only mail to exactly this address.")),
  tag: Schema.optionalKey(TagQuery).pipe(
    described(
      "Only mail with this tag: `order:4711` (key and exact value) or `order` (any value). May be given up to 5 times; all must match."
    )
  ),
  startDate: Schema.optionalKey(DateQuery).pipe(
    described("Created at or after this date (`2026-03-01`) or date-time, ISO 8601.")
  ),
  endDate: Schema.optionalKey(DateQuery).pipe(
    described("Created before this date-time, or until the end of this date.")
  )
})
export type EmailQuery = typeof EmailQuery.Type

export const EmailPage = Page("EmailPage", Email)
export type EmailPage = typeof EmailPage.Type

/** The request body of a webhook, for each type of event. */
import { Schema } from "effect"
import { SubscriptionReason } from "../audience/contacts/Contact.ts"
import { ExecutionError } from "../automation/workflows/Execution.ts"
import { EmailMode, RecipientType, SourceType } from "../mail/emails/Email.ts"
import { Provider } from "../mail/emails/Provider.ts"
import { StoredTags } from "../mail/emails/Tags.ts"
import { ProjectId } from "../platform/Auth.ts"
import { described, Id, Timestamp } from "../platform/Primitives.ts"

const idOrNull = Schema.NullOr(Id)
const textOrNull = Schema.NullOr(Schema.String)

/** Fields of the data of every event. */
const commonFields = {
  eventId: Id,
  contactId: idOrNull.pipe(described("The contact that the event is about.")),
  contactEmail: textOrNull.pipe(described("The address of that contact when the body was created."))
}

const event = <const Type extends string, const Data extends Schema.Struct.Fields>(
  identifier: string,
  type: Type | Schema.Codec<Type>,
  description: string,
  data: Data
) =>
  Schema.Struct({
    type: typeof type === "string" ? Schema.Literal(type) : type,
    timestamp: Timestamp.pipe(described("The time of the event.")),
    projectId: ProjectId,
    truncated: Schema.optionalKey(Schema.Literal(true)).pipe(
      described("Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted.")
    ),
    data: Schema.Struct({ ...commonFields, ...data })
  }).annotate({ identifier, description })

/** Fields of the data of every event about an email that was sent. */
const email = {
  emailId: Id,
  messageId: Schema.String.pipe(described("Message-ID of RFC 5322, without angle brackets.")),
  to: Schema.String,
  subject: textOrNull,
  from: Schema.String,
  fromName: textOrNull,
  templateId: idOrNull,
  templateVersion: Schema.NullOr(Schema.Int).pipe(described("The version of the template.")),
  campaignId: idOrNull,
  workflowId: idOrNull,
  workflowExecutionId: idOrNull,
  sourceType: SourceType,
  recipientType: RecipientType,
  groupId: idOrNull.pipe(described("Id of the email that this one is a copy of. Null without copies.")),
  tags: StoredTags.pipe(described("Tags of the email.")),
  mode: EmailMode.pipe(described("`TEST`: the email was sent in test mode, and not handed to a server.")),
  provider: Schema.NullOr(Provider).pipe(
    described("The mailbox provider of the recipient. Null before the first attempt.")
  )
}

const verdict = Schema.Literals(["human", "machine"]).pipe(
  described("Whether a person or a program, such as a mail scanner, made the request.")
)

const subscription = {
  reason: SubscriptionReason.pipe(described("What changed the subscription.")),
  emailId: Schema.optionalKey(Id).pipe(described("The email whose link, bounce or complaint changed it.")),
  campaignId: Schema.optionalKey(Id)
}

const snooze = { until: Timestamp, reason: SubscriptionReason.pipe(described("What changed it.")) }

const segment = { segmentId: Id, segmentName: Schema.String, slug: Schema.String }

const campaign = {
  campaignId: Id,
  name: Schema.String,
  totalRecipients: Schema.Int,
  sentCount: Schema.Int,
  failedCount: Schema.Int
}

const execution = {
  workflowId: Id,
  executionId: Id,
  status: Schema.String,
  exitReason: textOrNull,
  error: Schema.NullOr(ExecutionError).pipe(described("Null unless the execution failed."))
}

const domain = { domainId: Id, domain: Schema.String }
const transport = {
  transportId: Id,
  name: Schema.String,
  error: textOrNull.pipe(described("The reply of the server, or why there was none."))
}
const reason = { reason: textOrNull.pipe(described("Why the project is, or was, disabled.")) }

const slugType = (change: "entry" | "exit") => Schema.TemplateLiteral(["segment.", Schema.String, `.${change}`])

/** One schema for each type of event, with the key of the OpenAPI document. */
export const webhookEvents = {
  "email.sent": event("EmailSentEvent", "email.sent", "The transport accepted an email.", {
    ...email,
    sentAt: Timestamp
  }),
  "email.delivery": event("EmailDeliveryEvent", "email.delivery", "The server of the recipient accepted an email.", {
    ...email,
    deliveredAt: Timestamp
  }),
  "email.open": event("EmailOpenEvent", "email.open", "An email was opened. Posted for every open.", {
    ...email,
    openedAt: Timestamp.pipe(described("The first open.")),
    at: Timestamp.pipe(described("This open.")),
    opens: Schema.Int,
    isFirstOpen: Schema.Boolean,
    verdict
  }),
  "email.click": event("EmailClickEvent", "email.click", "A link of an email was clicked. Posted for every click.", {
    ...email,
    link: textOrNull,
    clickedAt: Timestamp.pipe(described("The first click.")),
    at: Timestamp.pipe(described("This click.")),
    clicks: Schema.Int,
    isFirstClick: Schema.Boolean,
    verdict
  }),
  "email.bounce": event(
    "EmailBounceEvent",
    "email.bounce",
    "A server refused an email, at once or later in a bounce message.",
    {
      ...email,
      bounceType: Schema.Literals(["Permanent", "Transient", "Undetermined"]),
      status: textOrNull.pipe(described("Enhanced status code of RFC 3463, such as 5.1.1.")),
      diagnostic: textOrNull.pipe(described("The response of the server.")),
      bouncedAt: Schema.optionalKey(Timestamp).pipe(described("Absent if `bounceType` is `Transient`.")),
      transientBounce: Schema.optionalKey(Schema.Literal(true))
    }
  ),
  "email.complaint": event("EmailComplaintEvent", "email.complaint", "The recipient reported an email as spam.", {
    ...email,
    complainedAt: Timestamp,
    feedbackType: textOrNull.pipe(described("Feedback type of RFC 5965, such as abuse."))
  }),
  "email.failed": event("EmailFailedEvent", "email.failed", "The service gave up sending an email.", {
    ...email,
    failedAt: Timestamp,
    error: Schema.Struct({ code: Schema.String, message: Schema.String }),
    attempts: Schema.Int
  }),
  "email.received": event("EmailReceivedEvent", "email.received", "An email arrived for a verified domain.", {
    inboundId: Id,
    messageId: textOrNull,
    from: Schema.String,
    fromName: textOrNull,
    to: Schema.String,
    subject: textOrNull,
    text: textOrNull.pipe(described("The first 24 KB.")),
    html: textOrNull.pipe(described("The first 24 KB.")),
    date: textOrNull,
    attachments: Schema.Array(
      Schema.Struct({ filename: textOrNull, contentType: textOrNull, size: Schema.NullOr(Schema.Int) })
    ),
    spf: textOrNull,
    dkim: textOrNull,
    dmarc: textOrNull,
    spam: textOrNull
  }),
  "contact.subscribed": event("ContactSubscribedEvent", "contact.subscribed", "A contact subscribed.", subscription),
  "contact.unsubscribed": event(
    "ContactUnsubscribedEvent",
    "contact.unsubscribed",
    "A contact unsubscribed, or was unsubscribed.",
    subscription
  ),
  "segment.entry": event("SegmentEntryEvent", slugType("entry"), "A contact joined a segment.", segment),
  "segment.exit": event("SegmentExitEvent", slugType("exit"), "A contact left a segment.", segment),
  "event.tracked": event(
    "EventTrackedEvent",
    "event.tracked",
    "`POST /v1/track` or the public key recorded an event.",
    {
      name: Schema.String,
      data: Schema.NullOr(Schema.JsonObject)
    }
  ),
  "campaign.sent": event("CampaignSentEvent", "campaign.sent", "A campaign was sent to all its recipients.", campaign),
  "campaign.cancelled": event("CampaignCancelledEvent", "campaign.cancelled", "A campaign was cancelled.", campaign),
  "workflow.execution.completed": event(
    "WorkflowExecutionCompletedEvent",
    "workflow.execution.completed",
    "A contact reached the end of a workflow.",
    execution
  ),
  "workflow.execution.failed": event(
    "WorkflowExecutionFailedEvent",
    "workflow.execution.failed",
    "An execution of a workflow failed.",
    execution
  ),
  "domain.verified": event("DomainVerifiedEvent", "domain.verified", "A sender domain was verified.", domain),
  "domain.unverified": event(
    "DomainUnverifiedEvent",
    "domain.unverified",
    "A sender domain lost its DNS records and is no longer verified.",
    domain
  ),
  "transport.failing": event(
    "TransportFailingEvent",
    "transport.failing",
    "A transport of the project cannot be reached or refuses the login; mail does not use it.",
    transport
  ),
  "transport.recovered": event(
    "TransportRecoveredEvent",
    "transport.recovered",
    "A transport of the project works again.",
    transport
  ),
  "project.disabled": event("ProjectDisabledEvent", "project.disabled", "The project was disabled.", reason),
  "project.enabled": event("ProjectEnabledEvent", "project.enabled", "The project was enabled again.", reason),
  "contact.snoozed": event(
    "ContactSnoozedEvent",
    "contact.snoozed",
    "A contact wants no marketing mail for a time, or changed that time.",
    snooze
  ),
  "contact.unsnoozed": event(
    "ContactUnsnoozedEvent",
    "contact.unsnoozed",
    "A contact ended that time before it was over.",
    snooze
  ),
  "contact.email_changed": event(
    "ContactEmailChangedEvent",
    "contact.email_changed",
    "A contact with an `externalId` got another address.",
    { previousEmail: Schema.String }
  ),
  "webhook.test": event("WebhookTestEvent", "webhook.test", "`POST /webhooks/{id}/test` was called.", {
    message: Schema.String
  })
} as const

/** The request body of a webhook, for each type of event. */
import { Schema } from "effect"
import { ContactSource, SubscriptionReason } from "../audience/contacts/Contact.ts"
import { PrivacyRequestType } from "../audience/privacy/PrivacyRequest.ts"
import { ExecutionError } from "../automation/workflows/Execution.ts"
import { HealthCheckId } from "../mail/domains/DomainHealth.ts"
import { EmailMode, RecipientType, SourceType } from "../mail/emails/Email.ts"
import { Provider, ProviderReason, ProviderState } from "../mail/emails/Provider.ts"
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

const optIn = {
  optInId: Id,
  subscribe: Schema.Boolean,
  topics: Schema.Array(Schema.String).pipe(described("Keys of topics.")),
  source: ContactSource,
  formId: Schema.optionalKey(Id),
  emailId: Schema.optionalKey(Id).pipe(described("The confirmation mail."))
}

const snooze = { until: Timestamp, reason: SubscriptionReason.pipe(described("What changed it.")) }

const topic = {
  ...subscription,
  topicId: Id,
  topicKey: Schema.String,
  formId: Schema.optionalKey(Id),
  optInId: Schema.optionalKey(Id)
}

const topicType = (change: "subscribed" | "unsubscribed") =>
  Schema.TemplateLiteral(["topic.", Schema.String, `.${change}`])

const segment = { segmentId: Id, segmentName: Schema.String, slug: Schema.String }

const campaign = {
  campaignId: Id,
  name: Schema.String,
  totalRecipients: Schema.Int,
  sentCount: Schema.Int,
  failedCount: Schema.Int
}

const approval = {
  campaignId: Id,
  name: Schema.String,
  note: textOrNull,
  userId: textOrNull.pipe(described("The member who did it. Null for a caller with a key."))
}

const execution = {
  workflowId: Id,
  executionId: Id,
  status: Schema.String,
  exitReason: textOrNull,
  error: Schema.NullOr(ExecutionError).pipe(described("Null unless the execution failed."))
}

const Money = Schema.Struct({ amount: Schema.Finite, currency: Schema.String }).annotate({
  identifier: "Money",
  description: "An amount in a currency."
})

const domain = { domainId: Id, domain: Schema.String }
const warmup = {
  transport: textOrNull.pipe(described("The transport whose mail the plan is for. `null`: all mail of the domain.")),
  step: Schema.Int
}
const shaped = {
  provider: Provider,
  exchange: textOrNull.pipe(described("The domain of a mail exchange of no listed provider.")),
  transport: Schema.String.pipe(described("`smtp1` of the service, or the id of your own."))
}
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
  "topic.subscribed": event("TopicSubscribedEvent", topicType("subscribed"), "A contact said yes to a topic.", topic),
  "topic.unsubscribed": event(
    "TopicUnsubscribedEvent",
    topicType("unsubscribed"),
    "A contact said no to a topic.",
    topic
  ),
  "form.submitted": event(
    "FormSubmittedEvent",
    Schema.TemplateLiteral(["form.", Schema.String, ".submitted"]),
    "Somebody submitted a sign-up form.",
    {
      formId: Id,
      formKey: Schema.String,
      fields: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
      topics: Schema.Array(Schema.String).pipe(described("Keys of the topics that it asked for.")),
      status: Schema.Literals(["pending", "subscribed", "unchanged"]).pipe(
        described("`pending`: the contact must confirm first. `unchanged`: there was nothing to change.")
      )
    }
  ),
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
  "workflow.published": event(
    "WorkflowPublishedEvent",
    "workflow.published",
    "The draft of a workflow was published.",
    {
      workflowId: Id,
      name: Schema.String,
      version: Schema.Int,
      note: textOrNull
    }
  ),
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
  "workflow.execution.converted": event(
    "WorkflowExecutionConvertedEvent",
    "workflow.execution.converted",
    "An event reached the goal of a workflow.",
    {
      workflowId: Id,
      executionId: Id,
      eventId: Id.pipe(described("The event that reached the goal.")),
      revenue: Schema.NullOr(Money)
    }
  ),
  "domain.verified": event("DomainVerifiedEvent", "domain.verified", "A sender domain was verified.", domain),
  "domain.unverified": event(
    "DomainUnverifiedEvent",
    "domain.unverified",
    "A sender domain lost its DNS records and is no longer verified.",
    domain
  ),
  "domain.health_changed": event(
    "DomainHealthChangedEvent",
    "domain.health_changed",
    "A sender domain meets the requirements of mailbox providers, or does not meet them any more; at most once a week for each check.",
    { ...domain, ready: Schema.Boolean, failing: Schema.Array(HealthCheckId) }
  ),
  "deliverability.provider_slowed": event(
    "DeliverabilityProviderSlowedEvent",
    "deliverability.provider_slowed",
    "A mailbox provider asked for less mail, or was suspended, while mail of the project waits for it. Mail goes there more slowly until it recovers.",
    {
      ...shaped,
      state: ProviderState,
      level: Schema.Int,
      ratePerMinute: Schema.NullOr(Schema.Int),
      maxConnections: Schema.NullOr(Schema.Int),
      until: Schema.NullOr(Schema.String),
      reason: ProviderReason
    }
  ),
  "deliverability.provider_recovered": event(
    "DeliverabilityProviderRecoveredEvent",
    "deliverability.provider_recovered",
    "Mail to a mailbox provider goes as before.",
    shaped
  ),
  "domain.warmup_paused": event(
    "DomainWarmupPausedEvent",
    "domain.warmup_paused",
    "The warm-up of a sender domain was paused, by hand or because of what came back. No bulk mail of the domain leaves until it is resumed.",
    {
      ...domain,
      ...warmup,
      reason: Schema.Literals(["manual", "bounceRate", "complaintRate", "deferralRate"]).pipe(
        described("`manual`, or the rate that reached `pauseAt`.")
      )
    }
  ),
  "domain.warmup_completed": event(
    "DomainWarmupCompletedEvent",
    "domain.warmup_completed",
    "The day of the last step of a warm-up was clean. The domain has no cap any more.",
    { ...domain, ...warmup }
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
    "A contact got another address.",
    { previousEmail: Schema.String }
  ),
  "contact.merged": event(
    "ContactMergedEvent",
    "contact.merged",
    "Another contact became part of this one and is gone.",
    { mergedContactId: Id }
  ),
  "contact.confirmed": event("ContactConfirmedEvent", "contact.confirmed", "A contact confirmed an opt-in.", optIn),
  "contact.opt_in_requested": event(
    "ContactOptInRequestedEvent",
    "contact.opt_in_requested",
    "A contact was asked to confirm what was asked for.",
    optIn
  ),
  "contact.opt_in_declined": event(
    "ContactOptInDeclinedEvent",
    "contact.opt_in_declined",
    "The owner of an address said that they had not asked.",
    optIn
  ),
  "contact.opt_in_expired": event(
    "ContactOptInExpiredEvent",
    "contact.opt_in_expired",
    "A contact did not confirm an opt-in in time.",
    optIn
  ),
  "campaign.approval_requested": event(
    "CampaignApprovalRequestedEvent",
    "campaign.approval_requested",
    "Somebody asked for the approval of a campaign.",
    approval
  ),
  "campaign.approved": event(
    "CampaignApprovedEvent",
    "campaign.approved",
    "An administrator approved a campaign.",
    approval
  ),
  "campaign.rejected": event(
    "CampaignRejectedEvent",
    "campaign.rejected",
    "An administrator rejected a campaign.",
    approval
  ),
  "campaign.experiment_decided": event(
    "CampaignExperimentDecidedEvent",
    "campaign.experiment_decided",
    "The experiment of a campaign has a winner, which the rest of the audience gets.",
    { campaignId: Id, winner: Schema.String, significant: Schema.Boolean }
  ),
  "campaign.converted": event(
    "CampaignConvertedEvent",
    "campaign.converted",
    "An event of a contact counts for the goal of a campaign.",
    {
      campaignId: Id,
      eventId: Id.pipe(described("The event that reached the goal.")),
      revenue: Schema.NullOr(Money)
    }
  ),
  "contact.privacy_requested": event(
    "ContactPrivacyRequestedEvent",
    "contact.privacy_requested",
    "A contact asked for its data or for erasure, or that was done. After an erasure it names no contact.",
    {
      requestId: Id,
      type: PrivacyRequestType,
      status: Schema.Literals(["OPEN", "DONE"]).pipe(described("`OPEN`: an erasure waits for you."))
    }
  ),
  "webhook.test": event("WebhookTestEvent", "webhook.test", "`POST /webhooks/{id}/test` was called.", {
    message: Schema.String
  })
} as const

// Generated from openapi.json by generate.ts; not to be edited.
/** The project, and the role that the user has in it now. */
export interface AcceptedInvitation {
  readonly success: true
  readonly data: {
    readonly projectId: string
    readonly role: "OWNER" | "ADMIN" | "MEMBER"
  }
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** An open session of the user. */
export interface AccountSession {
  readonly id: string
  /** Whether it is the session of the request. */
  readonly current: boolean
  readonly createdAt: string
  /** Rounded to the minute. */
  readonly lastSeenAt: string
  /** The network of its last use: the /24 of an IPv4 address or the /64 of an IPv6 address. Null if unknown. */
  readonly network: string | null
  /** The user agent of its last use; at most 256 characters. */
  readonly userAgent: string | null
}

/** A member of the project. */
export interface ActiveMember {
  readonly userId: string
  readonly email: string
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  readonly status: "ACTIVE"
  /** Set while the member has not answered the offer of ownership. */
  readonly pendingRole?: "OWNER" | undefined
  readonly createdAt: string
}

/** An entry of the activity feed. */
export interface ActivityEntry {
  /** The id of the event, or the id of the mail, campaign or execution with a suffix for the type. It never changes. */
  readonly id: string
  readonly type: ActivityType
  readonly timestamp: string
  readonly contactId: string | null
  readonly contactEmail: string | null
  /** Its fields depend on the type; never the text of a mail. */
  readonly metadata: { readonly [key: string]: unknown }
}

/** One page of a cursor list. */
export interface ActivityPage {
  readonly data: ReadonlyArray<ActivityEntry>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** Counts over a window; each count includes a mail at most once. */
export interface ActivityStats {
  /** Events that callers tracked. */
  readonly totalEvents: number
  readonly totalEmailsSent: number
  readonly totalEmailsDelivered: number
  readonly totalEmailsOpened: number
  readonly totalEmailsClicked: number
  readonly totalEmailsBounced: number
  readonly totalComplaints: number
  readonly totalWorkflowsStarted: number
  /** Percentage of the mails sent, with one decimal. */
  readonly openRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly clickRate: number
}

/** Type of an entry of the activity feed. */
export type ActivityType = "event.triggered" | "email.sent" | "email.delivered" | "email.opened" | "email.clicked" | "email.bounced" | "email.complaint" | "email.failed" | "email.suppressed" | "email.received" | "campaign.scheduled" | "campaign.sent" | "workflow.started" | "workflow.completed" | "workflow.failed" | "contact.subscribed" | "contact.unsubscribed" | "topic.subscribed" | "topic.unsubscribed" | "contact.confirmed" | "contact.merged" | "form.submitted"

/** Types of entries. */
export interface ActivityTypes {
  /** All types. */
  readonly types: ReadonlyArray<ActivityType>
  /** Types that occurred in the project in the last 90 days. */
  readonly present: ReadonlyArray<ActivityType>
}

export interface AddDomain {
  /** Name of the domain; a final dot and upper case are ignored, and other scripts are converted to their ASCII form. */
  readonly domain: string
  /** May repeat the project of the key; another one is 404. */
  readonly projectId?: string | null | undefined
}

export interface AddMembers {
  /** 1 to 1,000 addresses; duplicates count once. */
  readonly emails: ReadonlyArray<string>
  /** Create a contact for each address that has none. */
  readonly createMissing?: boolean | null | undefined
  /** State of created contacts. Default: subscribed. */
  readonly subscribed?: boolean | null | undefined
  /** What created contacts said about topics. */
  readonly topics?: TopicStates | null | undefined
}

export interface AddPasskey {
  /** 1 to 100 characters on one line. */
  readonly name: string
  readonly response: PasskeyRegistration
}

export interface AddSuppressions {
  /** One address; exactly one of `email` and `emails` is given. */
  readonly email?: string | null | undefined
  /** 1 to 1,000 addresses. */
  readonly emails?: ReadonlyArray<string> | null | undefined
  /** Kept with the record. */
  readonly note?: string | null | undefined
}

/** The result for the addresses. */
export interface AddedMembers {
  /** New members, including those whose contact was created. */
  readonly added: number
  /** Contacts that were created. */
  readonly created: number
  readonly alreadyMembers: number
  /** Addresses that have no contact. */
  readonly notFound: ReadonlyArray<string>
}

/** The new step. */
export type AddedStep = ({
  readonly type: "TRIGGER"
  readonly config: { readonly [key: string]: unknown }
} | {
  readonly type: "SEND_EMAIL"
  readonly config: SendEmailConfig
} | {
  readonly type: "DELAY"
  readonly config: DelayConfig
} | {
  readonly type: "WAIT_FOR_EVENT"
  readonly config: WaitConfig
} | {
  readonly type: "CONDITION"
  readonly config: ConditionConfig
} | {
  readonly type: "SPLIT"
  readonly config: SplitConfig
} | {
  readonly type: "TIME_WINDOW"
  readonly config: TimeWindowConfig
} | {
  readonly type: "RATE_LIMIT"
  readonly config: RateLimitConfig
} | {
  readonly type: "WEBHOOK"
  readonly config: WebhookConfig
} | {
  readonly type: "UPDATE_CONTACT"
  readonly config: UpdateContactConfig
} | {
  readonly type: "EXIT"
  readonly config: ExitConfig
}) & {
  readonly id: string
  readonly workflowId: string
  readonly name: string
  readonly position: Position
  /** Only of a `SEND_EMAIL` step. */
  readonly templateId: string | null
  /** `null` without a template. */
  readonly template: {
    readonly id: string
    readonly name: string
  } | null
  readonly createdAt: string
  readonly updatedAt: string
  /** The transition that was created with the step, if any. */
  readonly transition: Transition | null
}

/** The result of adding a list of addresses. */
export interface AddedSuppressions {
  /** Addresses that were added. */
  readonly added: number
  /** Addresses that were already on the list; unchanged. */
  readonly existing: number
}

/** The new transition, and those that it replaced. */
export interface AddedTransition {
  readonly id: string
  readonly workflowId: string
  readonly fromStepId: string
  readonly toStepId: string
  /** From a CONDITION `yes`, `no`, the id of a branch, or `default`. From a DELAY until a field `missing`, `passed` or `null`. From a RATE_LIMIT `exceeded` or `null`. From a SPLIT the id of a branch. From a WAIT_FOR_EVENT `event`, `timeout` or `null`. From any other step `null`. */
  readonly branch: string | null
  /** The same branch as an object. */
  readonly condition: {
    readonly branch: string
  } | null
  /** Whether the service created it with a step. A transition that a caller creates can replace it. */
  readonly auto: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** Automatic transitions that this one replaced. */
  readonly replacedTransitionIds: ReadonlyArray<string>
}

/** An API key, without the key itself. */
export interface ApiKey {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** `LIVE`: mail is sent. `TEST`: mail is processed but not sent, and the key changes only test mail. */
  readonly mode: "LIVE" | "TEST"
  /** What the key may do. `:read` allows the GET operations of a group, `:write` all of its operations; `send` allows sending, rescheduling and cancelling mail; `*` allows everything. */
  readonly scopes: ReadonlyArray<string>
  /** If not empty, the sender of a send must be at one of these domains. */
  readonly senderDomains: ReadonlyArray<string>
  /** If not empty, requests must come from one of these addresses or CIDR blocks. */
  readonly ipRanges: ReadonlyArray<string>
  /** Requests in any 60 seconds, in addition to the limit of the project. Null: no limit of its own. */
  readonly rateLimitPerMinute: number | null
  /** The last four characters of the key. */
  readonly hint: string
  /** The key is refused from this time on. */
  readonly expiresAt: string | null
  /** Until this time, the key from before the last rotation is also accepted. */
  readonly previousValidUntil: string | null
  /** Up to a minute old. */
  readonly lastUsedAt: string | null
  readonly lastUsedVia: "HTTP" | "SMTP" | null
  readonly createdBy: {
    /** `key`: the secret key, or the host application. */
    readonly kind: "member" | "key"
    /** Id of the member. */
    readonly id: string | null
  }
  readonly createdAt: string
  readonly updatedAt: string
}

/** An API key, with the key itself. */
export interface ApiKeyWithKey {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** `LIVE`: mail is sent. `TEST`: mail is processed but not sent, and the key changes only test mail. */
  readonly mode: "LIVE" | "TEST"
  /** What the key may do. `:read` allows the GET operations of a group, `:write` all of its operations; `send` allows sending, rescheduling and cancelling mail; `*` allows everything. */
  readonly scopes: ReadonlyArray<string>
  /** If not empty, the sender of a send must be at one of these domains. */
  readonly senderDomains: ReadonlyArray<string>
  /** If not empty, requests must come from one of these addresses or CIDR blocks. */
  readonly ipRanges: ReadonlyArray<string>
  /** Requests in any 60 seconds, in addition to the limit of the project. Null: no limit of its own. */
  readonly rateLimitPerMinute: number | null
  /** The last four characters of the key. */
  readonly hint: string
  /** The key is refused from this time on. */
  readonly expiresAt: string | null
  /** Until this time, the key from before the last rotation is also accepted. */
  readonly previousValidUntil: string | null
  /** Up to a minute old. */
  readonly lastUsedAt: string | null
  readonly lastUsedVia: "HTTP" | "SMTP" | null
  readonly createdBy: {
    /** `key`: the secret key, or the host application. */
    readonly kind: "member" | "key"
    /** Id of the member. */
    readonly id: string | null
  }
  readonly createdAt: string
  readonly updatedAt: string
  /** `ph_live_` or `ph_test_`, and 43 characters. Shown only here. */
  readonly key: string
}

export interface ApprovalParty {
  /** `USER`: a member, or a user of the application that embeds the service. `KEY`: a caller with a key. */
  readonly kind: "USER" | "KEY"
  /** Null for a key. */
  readonly userId: string | null
}

export interface ApproveCampaign {
  /** At most 500 characters, for the other side. */
  readonly note?: string | null | undefined
}

export interface AskPasskey {
  /** The token of a login that needs a second factor. Without it, the passkey logs in alone. */
  readonly token?: string | undefined
}

/** A file attached to an email. */
export interface Attachment {
  readonly filename: string
  /** The file in base64 (RFC 4648 section 4); padding may be left out, blanks and line breaks are ignored. */
  readonly content: string
  /** Media type; default: derived from the extension of the file name. */
  readonly contentType?: string | null | undefined
  /** Default: `attachment`. */
  readonly disposition?: "attachment" | "inline" | null | undefined
  /** The body refers to an inline file as `cid:<contentId>`; unique in the request. */
  readonly contentId?: string | null | undefined
}

/** Data about an attachment, never its content. */
export interface AttachmentInfo {
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly disposition: "attachment" | "inline"
  readonly contentId: string | null
}

/** One attempt to hand the mail over. */
export interface Attempt {
  readonly number: number
  readonly startedAt: string
  readonly endedAt: string | null
  readonly transport: string | null
  /** The transport, if it belongs to the project. */
  readonly transportId: string | null
  /** Version of TLS, such as `TLSv1.3`; null without TLS. */
  readonly tls: string | null
  /** The server the mail was handed to. */
  readonly remoteHost: string | null
  /** Null while the attempt is running. */
  readonly outcome: "accepted" | "deferred" | "rejected" | "ambiguous" | "error" | null
  /** Reply code of SMTP (RFC 5321 4.2). */
  readonly code: number | null
  /** Enhanced status code (RFC 3463). */
  readonly enhancedCode: string | null
  /** The full reply, at most 1 KB. */
  readonly reply: string | null
  /** Whether the connection had already been used for another mail. Null without a dialogue. */
  readonly reused: boolean | null
  /** The lines of both sides, at most 100 lines and 8 KB. For a reused connection, without the lines up to `AUTH`. Null if the project does not store it (`smtpDialogue`). */
  readonly dialogue: ReadonlyArray<DialogueLine> | null
}

/** The rules of the project's audience. */
export interface AudienceSettings {
  readonly doubleOptIn: {
    readonly mode: "off" | "public" | "all"
    readonly from: string | null
    readonly fromName: string | null
    readonly replyTo: string | null
    /** Null: the text of the service. */
    readonly templateId: string | null
    readonly expiresInDays: number
    readonly reminderAfterHours: number | null
    /** Null: never. */
    readonly deleteUnconfirmedAfterDays: number | null
    readonly redirectUrl: string | null
  }
  readonly topicRequired: boolean
  readonly oneClickScope: "topic" | "all"
  readonly consent: {
    readonly ip: "off" | "truncated" | "full"
    readonly userAgent: boolean
    /** Null: for ever. */
    readonly retentionDays: number | null
  }
  readonly selfService: {
    readonly export: boolean
    readonly erasure: "off" | "request" | "automatic"
  }
  readonly pages: {
    readonly name: string | null
    readonly logoUrl: string | null
    readonly color: string | null
    readonly websiteUrl: string | null
    readonly privacyUrl: string | null
    readonly imprintUrl: string | null
    readonly preferencesUrl: string | null
    readonly embedOrigins: ReadonlyArray<string>
    readonly snooze: boolean
    readonly language: boolean
  }
  readonly ingest: {
    readonly page: boolean
    readonly screen: boolean
    readonly anonymous: "drop" | "hold"
    readonly holdDays: number
  }
  /** Null while nothing is set. */
  readonly updatedAt: string | null
}

/** Fields of every item that does not have them itself. `data`, `headers` and `tags` merge by key. */
export interface BatchDefaults {
  /** Id of a template that supplies subject, body, sender, reply address and type; each field of the request overrides that of the template. */
  readonly template?: string | null | undefined
  /** Alias of `template`, which takes precedence. */
  readonly templateId?: string | null | undefined
  /** The alias of a template. `template` and `templateId` take precedence. */
  readonly templateAlias?: string | null | undefined
  /** Language of the mail: `de`, `pt-BR`. It selects the translation of the template, the footer, and the words of dates. Absent: `locale` of the contact, otherwise the language of the project. Not stored on the contact. */
  readonly locale?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Required without a template. */
  readonly subject?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Without a template, `body`, `text` or both are needed. */
  readonly body?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. Absent: derived from the HTML. Text without `body` gives a mail with one plain part, without tracking. */
  readonly text?: string | null | undefined
  /** `false`: subject, body and text are sent as written, and `{{` is plain text. Not together with a template. */
  readonly interpolate?: boolean | null | undefined
  /** `true`: the request is refused if a variable that the mail prints has neither a value nor a fallback, with the code `missing_variable` and the field `data.<path>`. Absent: the setting of the template, otherwise `false`. */
  readonly strict?: boolean | null | undefined
  /** The sender; its domain must be verified for the project. Required unless the template has one. */
  readonly from?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | null | undefined
  /** Display name of the sender. Deprecated: use `from.name`. */
  readonly name?: string | null | undefined
  /** Alias of `name`, which takes precedence. */
  readonly fromName?: string | null | undefined
  /** Applied to every recipient. If absent, new contacts are not subscribed and existing ones keep their state. */
  readonly subscribed?: boolean | null | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
  /** At most 50 additional headers, with values of at most 998 characters on one line. Headers that the service sets or that relays act on (`X-SES-*`, `X-SMTPAPI`, `Resent-*` and others) are refused. */
  readonly headers?: { readonly [key: string]: string } | null | undefined
  /** Address for replies. */
  readonly reply?: string | null | undefined
  /** Alias of `reply`, which takes precedence. */
  readonly replyTo?: string | null | undefined
  /** At most 10 keys of 1 to 64 letters, digits, `.`, `-` and `_`, each with a text of 1 to 256 characters, a number or a boolean, stored as text. `GET /emails?tag=order:4711` finds emails by tag; events and webhooks of the email contain them. */
  readonly tags?: { readonly [key: string]: string | number | boolean } | null | undefined
  /** When to send: ISO 8601, in UTC without a zone, at most 365 days ahead. Absent, null or past: at once. Texts, sender, recipients and data are fixed now; suppression, subscription and sender domain are checked when it is sent. */
  readonly scheduledFor?: string | null | undefined
  /** At most 10 files with a total of 10 MB, unless the server has other limits. */
  readonly attachments?: ReadonlyArray<Attachment> | null | undefined
  /** Id or key of the topic of the mail. Each recipient must take it: 422 `contact_unsubscribed` otherwise. Absent: the template's. Not for mail of type `TRANSACTIONAL`. */
  readonly topic?: string | null | undefined
  /** Overrides the project's tracking setting for this request. */
  readonly tracking?: boolean | null | undefined
}

/** One request to send, with the fields of `POST /v1/send`. */
export interface BatchItem {
  /** One recipient or 1 to 1,000, each an address, alone or with a display name: `ada@example.com`, `Ada <ada@example.com>`, `{email, name}`, or `{externalId}` of a known contact. */
  readonly to: string | {
    readonly email?: string | null | undefined
    /** The caller's own id of the contact, as in `POST /contacts`: it finds the contact before `email` does. */
    readonly externalId?: string | null | undefined
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email?: string | null | undefined
    /** The caller's own id of the contact, as in `POST /contacts`: it finds the contact before `email` does. */
    readonly externalId?: string | null | undefined
    readonly name?: string | null | undefined
  }>
  /** Recipients of a visible copy, as in `to`: a `Cc` header shows them to all recipients. Needs exactly one `to` recipient and type `TRANSACTIONAL`; at most 49 copies with `bcc`. */
  readonly cc?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email: string
    readonly name?: string | null | undefined
  }> | null | undefined
  /** Recipients of a blind copy, whom no header names. Otherwise like `cc`. An address gets only one email. */
  readonly bcc?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email: string
    readonly name?: string | null | undefined
  }> | null | undefined
  /** Id of a template that supplies subject, body, sender, reply address and type; each field of the request overrides that of the template. */
  readonly template?: string | null | undefined
  /** Alias of `template`, which takes precedence. */
  readonly templateId?: string | null | undefined
  /** The alias of a template. `template` and `templateId` take precedence. */
  readonly templateAlias?: string | null | undefined
  /** Language of the mail: `de`, `pt-BR`. It selects the translation of the template, the footer, and the words of dates. Absent: `locale` of the contact, otherwise the language of the project. Not stored on the contact. */
  readonly locale?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Required without a template. */
  readonly subject?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Without a template, `body`, `text` or both are needed. */
  readonly body?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. Absent: derived from the HTML. Text without `body` gives a mail with one plain part, without tracking. */
  readonly text?: string | null | undefined
  /** `false`: subject, body and text are sent as written, and `{{` is plain text. Not together with a template. */
  readonly interpolate?: boolean | null | undefined
  /** `true`: the request is refused if a variable that the mail prints has neither a value nor a fallback, with the code `missing_variable` and the field `data.<path>`. Absent: the setting of the template, otherwise `false`. */
  readonly strict?: boolean | null | undefined
  /** The sender; its domain must be verified for the project. Required unless the template has one. */
  readonly from?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | null | undefined
  /** Display name of the sender. Deprecated: use `from.name`. */
  readonly name?: string | null | undefined
  /** Alias of `name`, which takes precedence. */
  readonly fromName?: string | null | undefined
  /** Applied to every recipient. If absent, new contacts are not subscribed and existing ones keep their state. */
  readonly subscribed?: boolean | null | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
  /** At most 50 additional headers, with values of at most 998 characters on one line. Headers that the service sets or that relays act on (`X-SES-*`, `X-SMTPAPI`, `Resent-*` and others) are refused. */
  readonly headers?: { readonly [key: string]: string } | null | undefined
  /** Address for replies. */
  readonly reply?: string | null | undefined
  /** Alias of `reply`, which takes precedence. */
  readonly replyTo?: string | null | undefined
  /** At most 10 keys of 1 to 64 letters, digits, `.`, `-` and `_`, each with a text of 1 to 256 characters, a number or a boolean, stored as text. `GET /emails?tag=order:4711` finds emails by tag; events and webhooks of the email contain them. */
  readonly tags?: { readonly [key: string]: string | number | boolean } | null | undefined
  /** When to send: ISO 8601, in UTC without a zone, at most 365 days ahead. Absent, null or past: at once. Texts, sender, recipients and data are fixed now; suppression, subscription and sender domain are checked when it is sent. */
  readonly scheduledFor?: string | null | undefined
  /** At most 10 files with a total of 10 MB, unless the server has other limits. */
  readonly attachments?: ReadonlyArray<Attachment> | null | undefined
  /** Id or key of the topic of the mail. Each recipient must take it: 422 `contact_unsubscribed` otherwise. Absent: the template's. Not for mail of type `TRANSACTIONAL`. */
  readonly topic?: string | null | undefined
  /** Overrides the project's tracking setting for this request. */
  readonly tracking?: boolean | null | undefined
  /** Sends the item only once, like the header `Idempotency-Key` of `POST /v1/send`. */
  readonly idempotencyKey?: string | null | undefined
}

/** Usage in the current period. */
export interface BillingConsumption {
  /** The period of the subscription, otherwise the calendar month in UTC; the end is exclusive. */
  readonly period: {
    readonly start: string
    readonly end: string
  }
  readonly usage: {
    readonly total: number
    readonly records: ReadonlyArray<{
      readonly category: "workflows" | "campaigns" | "transactional" | "inbound"
      readonly count: number
    }>
  }
  readonly credits: {
    /** Balance of the customer; below 0 it is a credit, in the smallest unit of the currency. */
    readonly balance: number
    readonly hasCredits: boolean
    /** The remaining credit, in the smallest unit of the currency. */
    readonly creditAmount: number
    /** ISO 4217, lower case; null without a customer. */
    readonly currency: string | null
  }
  /** Null without a subscription. */
  readonly upcomingInvoice: {
    /** As of now, in the smallest unit of the currency. */
    readonly amountDue: number
    readonly currency: string
    readonly periodEnd: string | null
  } | null
}

/** Invoices of the project; none without a payment provider. */
export interface BillingInvoices {
  /** The newest 100, newest first. */
  readonly invoices: ReadonlyArray<Invoice>
  readonly hasUnpaidInvoices: boolean
  /** Invoices that are open or could not be collected. */
  readonly unpaidInvoices: ReadonlyArray<Invoice>
}

/** A cap and its usage. */
export interface BillingLimit {
  /** Null: no cap. */
  readonly limit: number | null
  /** In the current period. */
  readonly usage: number
  /** Of the limit, rounded down; 0 without one. */
  readonly percentage: number
  /** True from 80 percent of the limit. */
  readonly isWarning: boolean
  /** True when the limit is reached. Inbound mail is accepted even then. */
  readonly isBlocked: boolean
}

/** The caps of a project in the current period. */
export interface BillingLimits {
  readonly workflows: BillingLimit
  readonly campaigns: BillingLimit
  readonly transactional: BillingLimit
  readonly inbound: BillingLimit
  /** ISO 4217, lower case; null without a customer. */
  readonly currency: string | null
}

/** The page to open next. */
export interface BillingLink {
  /** A page of the payment provider, valid for a short time. */
  readonly url: string
}

/** How often a branch was taken. */
export interface BranchReport {
  readonly stepId: string
  /** `null`: completed without a branch. */
  readonly branch: string | null
  /** Visits that were completed on this branch. */
  readonly taken: number
}

/** The result of a change of many contacts. */
export interface BulkChangeResult {
  readonly operation: "subscribe" | "unsubscribe" | "set-topics" | "set-data" | "add-to-segment" | "remove-from-segment" | "delete"
  /** Contacts that were selected when the job was queued. */
  readonly totalRequested: number
  /** Contacts that were changed. */
  readonly successCount: number
  /** Contacts that were as wanted before. */
  readonly unchanged: number
  /** Contacts that were asked to confirm. */
  readonly pendingCount: number
  readonly failureCount: number
  /** At most 1000. */
  readonly errors: ReadonlyArray<{
    readonly contactId: string
    readonly error: string
  }>
}

export interface BulkContacts {
  /** 1 to 1,000 ids; duplicates count once. */
  readonly contactIds: ReadonlyArray<string>
}

/** A bulk operation on contacts. Kept for 30 days. */
export interface BulkJob {
  readonly id: string
  readonly type: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete" | "bulk"
  readonly state: "waiting" | "active" | "completed" | "failed" | "cancelled"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while the job waits; the counts so far while it is active. */
  readonly result: BulkResult | BulkChangeResult | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** One page of a cursor list. */
export interface BulkPage {
  readonly data: ReadonlyArray<BulkSummary>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** What a change of many contacts would reach. */
export interface BulkPreview {
  /** Contacts that the change would be made to. */
  readonly count: number
  /** Up to 5 of them. */
  readonly sample: ReadonlyArray<Contact>
  /** Confirms the same change for 15 minutes. */
  readonly confirmationToken: string
  readonly expiresAt: string
}

/** The result of a bulk operation. */
export interface BulkResult {
  readonly operation: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete"
  /** Distinct ids in the request. */
  readonly totalRequested: number
  /** Contacts that were changed. */
  readonly successCount: number
  /** Contacts that were already in that state. */
  readonly unchanged: number
  /** Ids that no contact of the project has. */
  readonly failureCount: number
  readonly errors: ReadonlyArray<{
    readonly contactId: string
    readonly error: string
  }>
}

export interface BulkSelect {
  /** Contacts that match this condition. */
  readonly condition?: FilterTree | null | undefined
  /** Members of this segment. */
  readonly segmentId?: string | null | undefined
  /** 1 to 10,000 ids; duplicates count once. */
  readonly contactIds?: ReadonlyArray<string> | null | undefined
  /** All contacts of the project. */
  readonly all?: true | null | undefined
}

/** A bulk job without its errors. */
export interface BulkSummary {
  readonly id: string
  readonly type: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete" | "bulk"
  readonly state: "waiting" | "active" | "completed" | "failed" | "cancelled"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while the job waits; the counts so far while it is active. */
  readonly result: {
    readonly operation: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete"
    /** Distinct ids in the request. */
    readonly totalRequested: number
    /** Contacts that were changed. */
    readonly successCount: number
    /** Contacts that were already in that state. */
    readonly unchanged: number
    /** Ids that no contact of the project has. */
    readonly failureCount: number
  } | {
    readonly operation: "subscribe" | "unsubscribe" | "set-topics" | "set-data" | "add-to-segment" | "remove-from-segment" | "delete"
    /** Contacts that were selected when the job was queued. */
    readonly totalRequested: number
    /** Contacts that were changed. */
    readonly successCount: number
    /** Contacts that were as wanted before. */
    readonly unchanged: number
    /** Contacts that were asked to confirm. */
    readonly pendingCount: number
    readonly failureCount: number
  } | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** One message to an audience. */
export interface Campaign {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  readonly subject: string
  /** The text that inboxes show beside the subject. */
  readonly preheader: string | null
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** The MJML that the body was compiled from. Null unless the format is `MJML`. */
  readonly source: string | null
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Subject, body and text in other languages, by language tag. */
  readonly translations: { readonly [key: string]: TemplateTranslation }
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** `DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it. */
  readonly status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED"
  /** Only while `SENDING`. */
  readonly paused: boolean
  /** Why the service cancelled it. */
  readonly statusReason: "PROJECT_DISABLED" | "DOMAIN_NOT_VERIFIED" | "BILLING_LIMIT" | null
  /** `ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic. */
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED"
  readonly segmentId: string | null
  readonly audienceCondition: FilterTree | null
  /** Narrows the audience. */
  readonly recipientsOf: RecipientsOf | null
  /** The template that its texts were copied from. */
  readonly templateId: string | null
  /** The version of the template that was copied. */
  readonly templateVersion: number | null
  /** The topic of its mail: only contacts that take the topic get it. Null: none. */
  readonly topicId: string | null
  /** Whether it is shown in the public archive once it is `SENT`. */
  readonly archive: boolean
  /** Its page in the public archive, which exists once it is `SENT`. Null if it is not archived. */
  readonly archiveUrl: string | null
  readonly policy: MailPolicy
  readonly delivery: CampaignDelivery | null
  /** 1 to 5. Campaigns of a project that are sent at the same time share by it: each step doubles the share. */
  readonly priority: number
  readonly experiment: CampaignExperiment | null
  /** Null without an experiment, and before sending starts. */
  readonly experimentState: "TESTING" | "WAITING" | "DECIDED" | "ABANDONED" | "CANCELLED" | null
  readonly goal: CampaignGoal | null
  readonly holdout: CampaignHoldout | null
  readonly approval: CampaignApproval
  readonly recurrence: CampaignRecurrence | null
  /** The campaign whose recurrence made it. */
  readonly parentId: string | null
  readonly scheduledFor: string | null
  /** When sending starts: `scheduledFor`, or with `delivery.localTime` when the first time zone of the world has reached its wall clock. */
  readonly startsAt: string | null
  /** Size of the audience, without its holdout, at the last create, replacement, duplication or send. */
  readonly estimatedRecipients: number
  /** Size of the audience, without its holdout, from the start of sending on; 0 before. The undecided rest of an experiment counts. */
  readonly audienceSize: number
  /** Contacts that are held out, from the start of sending on; 0 before. They are in no other count. */
  readonly holdoutSize: number
  /** Size of the audience; 0 until all of its mails are created. */
  readonly totalRecipients: number
  /** Mails that were sent, including those that bounced. */
  readonly sentCount: number
  readonly deliveredCount: number
  /** Mails with at least one open. */
  readonly openedCount: number
  /** Mails with at least one click. */
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  /** Recipients who unsubscribed through a link of their mail. */
  readonly unsubscribedCount: number
  readonly failedCount: number
  /** Mails that were not sent because the recipient is suppressed, or did not take them any more. */
  readonly suppressedCount: number
  readonly cancelledCount: number
  readonly projectId: string
  /** When sending started. */
  readonly sentAt: string | null
  /** When it became `SENT` or `CANCELLED`. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The stored campaign. */
export interface CampaignAnswer {
  readonly success: true
  readonly data: Campaign
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Holds for the exact content and audience: a change of either ends a request or an approval. */
export interface CampaignApproval {
  readonly state: "NONE" | "REQUESTED" | "APPROVED" | "REJECTED"
  readonly requestedBy: ApprovalParty | null
  readonly decidedBy: ApprovalParty | null
  /** What was said with the last request or decision. */
  readonly note: string | null
  /** The last request or decision. */
  readonly at: string | null
}

/** Somebody asked for the approval of a campaign. */
export interface CampaignApprovalRequestedEvent {
  readonly type: "campaign.approval_requested"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly name: string
    readonly note: string | null
    /** The member who did it. Null for a caller with a key. */
    readonly userId: string | null
  }
}

/** An administrator approved a campaign. */
export interface CampaignApprovedEvent {
  readonly type: "campaign.approved"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly name: string
    readonly note: string | null
    /** The member who did it. Null for a caller with a key. */
    readonly userId: string | null
  }
}

/** A campaign was cancelled. */
export interface CampaignCancelledEvent {
  readonly type: "campaign.cancelled"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly name: string
    readonly totalRecipients: number
    readonly sentCount: number
    readonly failedCount: number
  }
}

/** An event of a contact counts for the goal of a campaign. */
export interface CampaignConvertedEvent {
  readonly type: "campaign.converted"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    /** The event that reached the goal. */
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly revenue: Money | null
  }
}

/** When its mails are sent. */
export interface CampaignDelivery {
  readonly localTime: LocalTime | null
  /** The hours over which its mails are spread. */
  readonly spreadHours: number | null
  /** Its mails in a minute, at most. */
  readonly ratePerMinute: number | null
  /** Mail whose first attempt has not begun by then is cancelled. */
  readonly expiresAt: string | null
}

/** A campaign with its segment and its topic. */
export interface CampaignDetail {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  readonly subject: string
  /** The text that inboxes show beside the subject. */
  readonly preheader: string | null
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** The MJML that the body was compiled from. Null unless the format is `MJML`. */
  readonly source: string | null
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Subject, body and text in other languages, by language tag. */
  readonly translations: { readonly [key: string]: TemplateTranslation }
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** `DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it. */
  readonly status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED"
  /** Only while `SENDING`. */
  readonly paused: boolean
  /** Why the service cancelled it. */
  readonly statusReason: "PROJECT_DISABLED" | "DOMAIN_NOT_VERIFIED" | "BILLING_LIMIT" | null
  /** `ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic. */
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED"
  readonly segmentId: string | null
  readonly audienceCondition: FilterTree | null
  /** Narrows the audience. */
  readonly recipientsOf: RecipientsOf | null
  /** The template that its texts were copied from. */
  readonly templateId: string | null
  /** The version of the template that was copied. */
  readonly templateVersion: number | null
  /** The topic of its mail: only contacts that take the topic get it. Null: none. */
  readonly topicId: string | null
  /** Whether it is shown in the public archive once it is `SENT`. */
  readonly archive: boolean
  /** Its page in the public archive, which exists once it is `SENT`. Null if it is not archived. */
  readonly archiveUrl: string | null
  readonly policy: MailPolicy
  readonly delivery: CampaignDelivery | null
  /** 1 to 5. Campaigns of a project that are sent at the same time share by it: each step doubles the share. */
  readonly priority: number
  readonly experiment: CampaignExperiment | null
  /** Null without an experiment, and before sending starts. */
  readonly experimentState: "TESTING" | "WAITING" | "DECIDED" | "ABANDONED" | "CANCELLED" | null
  readonly goal: CampaignGoal | null
  readonly holdout: CampaignHoldout | null
  readonly approval: CampaignApproval
  readonly recurrence: CampaignRecurrence | null
  /** The campaign whose recurrence made it. */
  readonly parentId: string | null
  readonly scheduledFor: string | null
  /** When sending starts: `scheduledFor`, or with `delivery.localTime` when the first time zone of the world has reached its wall clock. */
  readonly startsAt: string | null
  /** Size of the audience, without its holdout, at the last create, replacement, duplication or send. */
  readonly estimatedRecipients: number
  /** Size of the audience, without its holdout, from the start of sending on; 0 before. The undecided rest of an experiment counts. */
  readonly audienceSize: number
  /** Contacts that are held out, from the start of sending on; 0 before. They are in no other count. */
  readonly holdoutSize: number
  /** Size of the audience; 0 until all of its mails are created. */
  readonly totalRecipients: number
  /** Mails that were sent, including those that bounced. */
  readonly sentCount: number
  readonly deliveredCount: number
  /** Mails with at least one open. */
  readonly openedCount: number
  /** Mails with at least one click. */
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  /** Recipients who unsubscribed through a link of their mail. */
  readonly unsubscribedCount: number
  readonly failedCount: number
  /** Mails that were not sent because the recipient is suppressed, or did not take them any more. */
  readonly suppressedCount: number
  readonly cancelledCount: number
  readonly projectId: string
  /** When sending started. */
  readonly sentAt: string | null
  /** When it became `SENT` or `CANCELLED`. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** The segment of its audience. */
  readonly segment: CampaignSegment | null
  /** The topic of its mail. */
  readonly topic: TopicSummary | null
}

/** The campaign with its segment and its topic. */
export interface CampaignDetailAnswer {
  readonly success: true
  readonly data: CampaignDetail
}

/** The request was carried out. */
export interface CampaignDone {
  readonly success: true
  readonly data: Campaign
  /** The result, as a sentence. */
  readonly message: string
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Tries variants on a share of the audience. The rest gets the one that does best. */
export interface CampaignExperiment {
  readonly variants: ReadonlyArray<CampaignVariant>
  /** Share of the audience that the variants are tried on, 0.05 to 1, with two decimals; the rest gets the winner. With 1, there is no rest. */
  readonly testShare: number
  /** What counts as a success: a mail with a click or an open by a person, or with the goal of the campaign. */
  readonly metric: "HUMAN_CLICK" | "HUMAN_OPEN" | "GOAL"
  /** Hours from the start of sending to the decision. */
  readonly waitHours: number
  /** `AUTOMATIC`: the figures decide. `MANUAL`: a person chooses; the administrators get a mail when it is time. */
  readonly winner: "AUTOMATIC" | "MANUAL"
  readonly confidence: 0.9 | 0.95 | 0.99
  /** What the rest gets when no variant is significantly better: `BEST`: the one with the highest rate. `CONTROL`: A. `NONE`: a person chooses. */
  readonly fallback: "BEST" | "CONTROL" | "NONE"
}

/** The figures of its experiment. */
export interface CampaignExperimentAnswer {
  readonly success: true
  readonly data: CampaignExperimentFigures
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** The experiment of a campaign has a winner, which the rest of the audience gets. */
export interface CampaignExperimentDecidedEvent {
  readonly type: "campaign.experiment_decided"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly winner: string
    readonly significant: boolean
  }
}

/** The figures of the experiment of a campaign, from the mail of its test. */
export interface CampaignExperimentFigures {
  /** Null before sending starts. */
  readonly state: "TESTING" | "WAITING" | "DECIDED" | "ABANDONED" | "CANCELLED" | null
  readonly metric: "HUMAN_CLICK" | "HUMAN_OPEN" | "GOAL"
  /** When it is decided at the earliest. Null before sending starts. */
  readonly decideAt: string | null
  /** Whether it is decided; the figures are then those of the decision. Early figures decide nothing. */
  readonly final: boolean
  readonly winner: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | null
  readonly decidedBy: DecidedBy | null
  /** Whether the best variant is better by more than chance. */
  readonly significant: boolean
  /** In the order of their keys. */
  readonly variants: ReadonlyArray<ExperimentVariant>
  /** The difference in percentage points that this much mail would show. `null` with none. */
  readonly detectable: number | null
}

/** Counts and rates of a campaign. */
export interface CampaignFigures {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly sentCount: number
  readonly deliveredCount: number
  readonly openedCount: number
  readonly clickedCount: number
  readonly bouncedCount: number
  /** Percentage of the mails sent, with one decimal. */
  readonly openRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly clickRate: number
}

/** An event of a recipient that counts as a conversion. */
export interface CampaignGoal {
  readonly eventName: string
  readonly where?: ReadonlyArray<{
    /** Into the data of the event, as `data.<path>`. */
    readonly path: string
    /** The possible operators depend on the field. */
    readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
  }> | null | undefined
  /** An event counts if it happened at most so many hours after the mail was sent, opened or clicked, and after the end of sending; 1 to 2160. */
  readonly windowHours: number
  /** From when an event counts for a mail: `SENT`, or `OPENED` and `CLICKED` by a person, whatever was the last. An event counts for one mail only: of all campaigns and workflows whose goal it fits, the one with the latest such moment. */
  readonly attribution: "SENT" | "OPENED" | "CLICKED"
  readonly revenue: {
    /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
    readonly path: string
    /** Three letters, such as EUR. */
    readonly currency?: string | null | undefined
    /** Into the data of the event, in place of `currency`. */
    readonly currencyPath?: string | null | undefined
  } | null
}

/** The part of the audience that gets no mail. */
export interface CampaignHoldout {
  /** Share of the audience that gets no mail, 0.01 to 0.5. Who is held out follows from the ids of the campaign and of the contact. */
  readonly share: number
}

/** Clicks on the links of a campaign. */
export interface CampaignLinks {
  /** In the order of the text, including those without clicks. */
  readonly links: ReadonlyArray<LinkClicks>
  readonly others: OtherClicks
}

/** Clicks on its links. */
export interface CampaignLinksAnswer {
  readonly success: true
  readonly data: CampaignLinks
}

/** Counts and rates of the campaigns of a project. */
export interface CampaignOverview {
  readonly total: number
  /** Drafts, scheduled campaigns and campaigns that are being sent. */
  readonly active: number
  /** Campaigns that are sent. */
  readonly completed: number
  /** Mean of the rates of campaigns that sent mail. */
  readonly averageOpenRate: number
  /** Mean of the rates of campaigns that sent mail. */
  readonly averageClickRate: number
  readonly byStatus: {
    readonly DRAFT: number
    readonly SCHEDULED: number
    readonly SENDING: number
    readonly SENT: number
    readonly CANCELLED: number
  }
  /** Campaigns that are sent or being sent, newest first. */
  readonly campaigns: ReadonlyArray<CampaignFigures>
}

/** One page of an offset list. */
export interface CampaignPage {
  readonly data: ReadonlyArray<CampaignSummary>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** Results by mailbox provider. */
export interface CampaignProvidersAnswer {
  readonly success: true
  readonly data: {
    /** The provider with the most mail first. */
    readonly providers: ReadonlyArray<ProviderFigures>
  }
}

/** When copies of the draft are sent. */
export interface CampaignRecurrence {
  /** A cron expression of five fields: minute hour day month weekday. */
  readonly schedule: string
  /** In which the schedule is read. */
  readonly timezone: string
  /** No firing after it. */
  readonly endsAt: string | null
  /** The number of firings, at most. */
  readonly maxRuns: number | null
  readonly enabled: boolean
  /** Firings so far. */
  readonly runs: number
  /** The time of the next campaign. Null if there is none: it is disabled, or over. */
  readonly nextAt: string | null
}

/** An administrator rejected a campaign. */
export interface CampaignRejectedEvent {
  readonly type: "campaign.rejected"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly name: string
    readonly note: string | null
    /** The member who did it. Null for a caller with a key. */
    readonly userId: string | null
  }
}

/** Results of the mail of a campaign. */
export interface CampaignReport {
  readonly by: "variant" | "hour" | "provider"
  /** By variant in their order; by hour the earliest first, for 30 days from the start; by provider the most mail first. Without any result there is no row. */
  readonly rows: ReadonlyArray<CampaignReportRow>
}

/** Its results, row by row. */
export interface CampaignReportAnswer {
  readonly success: true
  readonly data: CampaignReport
}

/** Each count includes a mail once. By hour, a result counts when it happened: a mail that bots have opened counts as opened when a person opens it. */
export interface CampaignReportRow {
  /** The variant (`A` without an experiment), the start of the hour in UTC, or the mailbox provider. */
  readonly key: string
  readonly sent: number
  readonly delivered: number
  /** Mails that a person opened. */
  readonly humanOpened: number
  /** Mails with a link that a person followed. */
  readonly humanClicked: number
  readonly bounced: number
  readonly complained: number
  readonly unsubscribed: number
  /** Mails with at least one attempt that the server deferred. */
  readonly deferred: number
  /** Recipients who reached the goal. */
  readonly converted: number
  /** By variant: events that count for the goal, of which a recipient can have several. */
  readonly conversionEvents?: number | undefined
  /** Of the events that count for the goal, by currency. */
  readonly revenue: ReadonlyArray<RevenueSum>
}

/** The request was carried out. */
export interface CampaignRetried {
  readonly success: true
  readonly data: {
    /** Mails that are sent again. */
    readonly retried: number
    /** `DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it. */
    readonly status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED"
  }
  /** The result, as a sentence. */
  readonly message: string
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

export interface CampaignSegment {
  readonly id: string
  readonly name: string
  readonly type: "DYNAMIC" | "STATIC"
  readonly memberCount: number
}

/** A campaign was sent to all its recipients. */
export interface CampaignSentEvent {
  readonly type: "campaign.sent"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly campaignId: string
    readonly name: string
    readonly totalRecipients: number
    readonly sentCount: number
    readonly failedCount: number
  }
}

/** Once all mails are created, `totalRecipients` is the sum of the pending, sent, failed, suppressed, cancelled and ambiguous mails. */
export interface CampaignStats {
  /** Size of the audience; 0 until all of its mails are created. */
  readonly totalRecipients: number
  /** Mails that wait or are being sent, and the undecided rest of an experiment. */
  readonly pendingCount: number
  /** Mails that were sent, including those that bounced. */
  readonly sentCount: number
  readonly deliveredCount: number
  /** Mails with at least one open. */
  readonly openedCount: number
  /** Mails with at least one click. */
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  /** Recipients who unsubscribed through a link of their mail. */
  readonly unsubscribedCount: number
  readonly failedCount: number
  /** Mails that were not sent because the recipient is suppressed, or did not take them any more. */
  readonly suppressedCount: number
  readonly cancelledCount: number
  /** Mails whose delivery is uncertain. */
  readonly ambiguousCount: number
  /** Mails that only bots opened. */
  readonly machineOpenedCount: number
  /** Mails whose links only bots followed. */
  readonly machineClickedCount: number
  /** Mails that a person opened. */
  readonly humanOpenedCount: number
  /** Mails with a link that a person followed. */
  readonly humanClickedCount: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly humanOpenRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly humanClickRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly openRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly clickRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly bounceRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly deliveryRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly complaintRate: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly unsubscribeRate: number
  /** Recipients with at least one event that counts for the goal. */
  readonly convertedCount: number
  /** Percent of `sentCount`, two decimals; 0 when nothing was sent. */
  readonly conversionRate: number
  /** Events that count for the goal. */
  readonly conversionEvents: number
  /** Of these events, by currency. */
  readonly revenue: ReadonlyArray<RevenueSum>
  /** Size of the audience, without its holdout, from the start of sending on; 0 before. The undecided rest of an experiment counts. */
  readonly audienceSize: number
  /** Contacts that are held out, from the start of sending on; 0 before. They are in no other count. */
  readonly holdoutSize: number
  /** Null without a holdout, before sending starts, and if no contact or every contact is held out. */
  readonly uplift: CampaignUplift | null
}

/** Counts and rates of its mails. */
export interface CampaignStatsAnswer {
  readonly success: true
  readonly data: CampaignStats
}

/** A campaign without MJML, text part, translated bodies and variants. */
export interface CampaignSummary {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  readonly subject: string
  /** The text that inboxes show beside the subject. */
  readonly preheader: string | null
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Subjects in other languages, by language tag. */
  readonly translations: { readonly [key: string]: {
    readonly subject: string
  } }
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** `DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it. */
  readonly status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED"
  /** Only while `SENDING`. */
  readonly paused: boolean
  /** Why the service cancelled it. */
  readonly statusReason: "PROJECT_DISABLED" | "DOMAIN_NOT_VERIFIED" | "BILLING_LIMIT" | null
  /** `ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic. */
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED"
  readonly segmentId: string | null
  readonly audienceCondition: FilterTree | null
  /** Narrows the audience. */
  readonly recipientsOf: RecipientsOf | null
  /** The template that its texts were copied from. */
  readonly templateId: string | null
  /** The version of the template that was copied. */
  readonly templateVersion: number | null
  /** The topic of its mail: only contacts that take the topic get it. Null: none. */
  readonly topicId: string | null
  /** Whether it is shown in the public archive once it is `SENT`. */
  readonly archive: boolean
  /** Its page in the public archive, which exists once it is `SENT`. Null if it is not archived. */
  readonly archiveUrl: string | null
  readonly policy: MailPolicy
  readonly delivery: CampaignDelivery | null
  /** 1 to 5. Campaigns of a project that are sent at the same time share by it: each step doubles the share. */
  readonly priority: number
  /** Null without an experiment, and before sending starts. */
  readonly experimentState: "TESTING" | "WAITING" | "DECIDED" | "ABANDONED" | "CANCELLED" | null
  readonly goal: CampaignGoal | null
  readonly holdout: CampaignHoldout | null
  readonly approval: CampaignApproval
  readonly recurrence: CampaignRecurrence | null
  /** The campaign whose recurrence made it. */
  readonly parentId: string | null
  readonly scheduledFor: string | null
  /** When sending starts: `scheduledFor`, or with `delivery.localTime` when the first time zone of the world has reached its wall clock. */
  readonly startsAt: string | null
  /** Size of the audience, without its holdout, at the last create, replacement, duplication or send. */
  readonly estimatedRecipients: number
  /** Size of the audience, without its holdout, from the start of sending on; 0 before. The undecided rest of an experiment counts. */
  readonly audienceSize: number
  /** Contacts that are held out, from the start of sending on; 0 before. They are in no other count. */
  readonly holdoutSize: number
  /** Size of the audience; 0 until all of its mails are created. */
  readonly totalRecipients: number
  /** Mails that were sent, including those that bounced. */
  readonly sentCount: number
  readonly deliveredCount: number
  /** Mails with at least one open. */
  readonly openedCount: number
  /** Mails with at least one click. */
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  /** Recipients who unsubscribed through a link of their mail. */
  readonly unsubscribedCount: number
  readonly failedCount: number
  /** Mails that were not sent because the recipient is suppressed, or did not take them any more. */
  readonly suppressedCount: number
  readonly cancelledCount: number
  readonly projectId: string
  /** When sending started. */
  readonly sentAt: string | null
  /** When it became `SENT` or `CANCELLED`. */
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The request was carried out. */
export interface CampaignTested {
  readonly success: true
  readonly data: {
    readonly email: string
  }
  /** The result, as a sentence. */
  readonly message: string
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Those who got the campaign beside those who were held out. Events count whatever mail they followed, so the rates differ from `conversionRate`. */
export interface CampaignUplift {
  /** Contacts of the audience, whether their mail arrived or not. */
  readonly treated: number
  /** Contacts that were held out. */
  readonly holdout: number
  /** The share of the treated contacts, 0 to 1, with an event that fits the goal from the start of sending to its end and `goal.windowHours` after it. */
  readonly treatedRate: number
  /** The same share of the contacts that were held out. */
  readonly holdoutRate: number
  /** `treatedRate` less `holdoutRate`: what the campaign brings. */
  readonly difference: number
  /** The lower end of the 95 % interval of the difference. */
  readonly low: number
  /** The upper end. With 0 between both, the figures are not enough to tell whether it brings anything. */
  readonly high: number
}

/** What a variant changes of the campaign. */
export interface CampaignVariant {
  readonly key: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H"
  readonly subject?: string | undefined
  readonly preheader?: string | undefined
  readonly body?: string | undefined
  readonly text?: string | undefined
  readonly translations?: { readonly [key: string]: Translation } | undefined
  readonly from?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
}

/** How many executions were cancelled. */
export interface CancelledExecutions {
  readonly cancelled: number
}

export interface ChangeContacts {
  readonly operation: "subscribe" | "unsubscribe" | "set-topics" | "set-data" | "add-to-segment" | "remove-from-segment" | "delete"
  readonly select: BulkSelect
  /** For `set-topics`. */
  readonly topics?: TopicStates | null | undefined
  /** For `set-data`: merged into the data of each contact; null removes a field. */
  readonly data?: ContactData | null | undefined
  /** For `add-to-segment` and `remove-from-segment`: a static segment. */
  readonly targetSegmentId?: string | null | undefined
  /** True: contacts are asked to confirm by mail what they are subscribed to. False: they are not. Absent: as the settings say. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly consent?: GivenConsent | null | undefined
  /** True: changed subscriptions and topics emit no events. Default: false. */
  readonly silent?: boolean | null | undefined
  /** True: count the contacts, and change nothing. The answer has the token for the change. */
  readonly dryRun?: boolean | null | undefined
  /** Of a dry run with the same body. Required above 1,000 contacts, for `delete` above 100. */
  readonly confirmationToken?: string | null | undefined
}

export interface ChangePassword {
  readonly currentPassword: string
  /** 8 to 200 characters. */
  readonly newPassword: string
}

/** The domain after the check; `tokens` repeats the selector for older clients. */
export interface CheckedDomain {
  readonly id: string
  readonly projectId: string
  readonly domain: string
  readonly verified: boolean
  readonly status: "PENDING" | "VERIFIED"
  /** DKIM selector. */
  readonly selector: string
  /** The records of this domain are published, but another project has already verified it. Only a project that publishes the records sees this. */
  readonly verifiedElsewhere: boolean
  /** Verified by the operator, regardless of DNS. */
  readonly trusted: boolean
  /** Negative checks in a row; the third one ends the verification. */
  readonly failedChecks: number
  readonly linkHost: LinkHost | null
  /** The DNS records to publish. */
  readonly records: ReadonlyArray<DomainRecord>
  /** Where this service takes DMARC aggregate reports about the domain: the `rua` of its DMARC record. `null` where the installation takes no mail. */
  readonly dmarcReportAddress: string | null
  readonly lastCheckedAt: string | null
  /** The reason why the last check had no result. */
  readonly lastError: string | null
  readonly verifiedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly tokens: ReadonlyArray<string>
}

/** The result of a test session. */
export interface CheckedTransport {
  readonly ok: boolean
  /** Version of TLS, such as `TLSv1.3`. */
  readonly tls: string | null
  /** SMTP extensions that the server lists. */
  readonly extensions: ReadonlyArray<string>
  /** Maximum message size in bytes; null if the server names none. */
  readonly size: number | null
  /** The reply of the server, or why there was none. */
  readonly error: string | null
}

export interface CheckoutCurrency {
  /** Default `usd`. */
  readonly currency?: "usd" | "eur" | "gbp" | undefined
}

export interface ChooseVariant {
  /** The key of a variant of the campaign. */
  readonly variant: string
}

export interface ChooseWinner {
  /** The id of a branch of the step. */
  readonly branch: string
}

/** How many contacts joined and left. */
export interface ComputedSegment {
  /** Contacts that joined. */
  readonly added: number
  /** Contacts that left. */
  readonly removed: number
  /** Members now. */
  readonly total: number
}

/** Config of a `CONDITION` step: one comparison or condition with the branches `yes` and `no`, or several branches. */
export type ConditionConfig = {
  /** `email`, `externalId`, `subscribed`, `subscription`, `topic.<key>`, `topic.<key>.takes`, `snoozedUntil`, `locale`, `timezone`, `origin.source`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator. */
  readonly field: string
  /** The possible operators depend on the field. */
  readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
  /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
  readonly value?: unknown | undefined
  /** The unit of an amount of time. */
  readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
  /** For events only: tests that must all hold for the data of the same event. */
  readonly where?: ReadonlyArray<{
    /** Into the data of the event, as `data.<path>`. */
    readonly path: string
    /** The possible operators depend on the field. */
    readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
  }> | undefined
} | {
  readonly condition: StepFilterTree
} | {
  readonly mode: "multi"
  /** The field that branches without their own condition compare. */
  readonly field?: string | undefined
  /** The first branch that matches is taken, else `default`. */
  readonly branches: ReadonlyArray<{
    readonly id: string
    readonly name?: string | undefined
    /** The possible operators depend on the field. */
    readonly operator?: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment" | undefined
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    /** For events only: tests that must all hold for the data of the same event. */
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    }> | undefined
    readonly condition?: StepFilterTree | undefined
  }>
}

export interface ConfirmTotp {
  /** Six digits of the authenticator app; each code works once. */
  readonly code: string
}

/** A record of a consent that was given or withdrawn. It never changes, unless the person is erased. */
export interface Consent {
  readonly id: string
  /** Null once the person is erased. */
  readonly contactId: string | null
  /** The address at that time; null once the person is erased. */
  readonly email: string | null
  /** When it happened. */
  readonly at: string
  readonly recordedAt: string
  readonly action: "requested" | "granted" | "withdrawn" | "declined" | "expired" | "merged"
  /** `global`: the subscription itself. */
  readonly scope: "global" | "topic"
  /** Null for the subscription itself. */
  readonly topic: ConsentTopic | null
  readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
  readonly actor: ConsentActor
  /** Null if it is unknown. */
  readonly wording: ConsentWording | null
  /** The caller's own word for why mail may be sent. */
  readonly basis: string | null
  /** What the caller gave; null without. */
  readonly evidence: unknown
  readonly ip: string | null
  readonly userAgent: string | null
  readonly emailId: string | null
  readonly campaignId: string | null
  readonly formId: string | null
  readonly optInId: string | null
  readonly jobId: string | null
}

/** Who gave or withdrew a consent. */
export interface ConsentActor {
  readonly type: "recipient" | "key" | "public_key" | "member" | "service"
  /** The member, or the user of the host. */
  readonly userId?: string | undefined
}

/** One page of a cursor list. */
export interface ConsentPage {
  readonly data: ReadonlyArray<Consent>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** The topic as it was then. */
export interface ConsentTopic {
  readonly id: string
  readonly key: string
  readonly name: string
}

/** The text that the person saw. */
export interface ConsentWording {
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string
  readonly text: string
  readonly language: string | null
  readonly formVersion?: number | undefined
}

/** One address in one project. */
export interface Contact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** The caller's own id, unique in the project. */
  readonly externalId: string | null
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** `pending`: `subscribed` is false, and the contact was asked to confirm that it wants mail. */
  readonly subscription: "subscribed" | "unsubscribed" | "pending"
  /** What the contact said about topics, by their keys. Topics without a state of their own are left out. */
  readonly topics: { readonly [key: string]: "subscribed" | "unsubscribed" | "pending" }
  /** Until then it gets no marketing mail. Null once it has passed. */
  readonly snoozedUntil: string | null
  /** Language of its mail and pages: `data.locale`. Null if that is no language tag. */
  readonly locale: string | null
  /** IANA name: `data.timezone`. Null if that is no time zone. */
  readonly timezone: string | null
  /** How it was made. Null for contacts of earlier releases. */
  readonly origin: ContactOrigin | null
  /** Custom data, usable as template variables; `{}` if there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Only in answers to a write that asked for an opt-in. */
  readonly optIn?: RequestedOptIn | undefined
}

/** A contact confirmed an opt-in. */
export interface ContactConfirmedEvent {
  readonly type: "contact.confirmed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly optInId: string
    readonly subscribe: boolean
    /** Keys of topics. */
    readonly topics: ReadonlyArray<string>
    readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    readonly formId?: string | undefined
    /** The confirmation mail. */
    readonly emailId?: string | undefined
  }
}

/** The number of selected contacts. */
export interface ContactCount {
  /** Null if counting takes more than 5 seconds. */
  readonly count: number | null
  /** Present if the count is null. */
  readonly timedOut?: true | undefined
  /** With `for`: contacts that would get the mail. `count` is this number and those excluded. */
  readonly eligible?: number | undefined
  /** With `for`. */
  readonly excluded?: ExcludedContacts | undefined
}

/** Values by name, stored on the contact and usable as template variables. `null` deletes a field, an empty string is ignored, `{value, persistent: false}` applies to this request only, and reserved keys (`id`, `email`, `unsubscribeUrl`, ...) are dropped. At most 64 KB as JSON, 10 levels, 500 keys in an object, 100 characters in a key. */
export type ContactData = { readonly [key: string]: unknown }

/** A contact got another address. */
export interface ContactEmailChangedEvent {
  readonly type: "contact.email_changed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly previousEmail: string
  }
}

/** An execution of a contact with its workflow. */
export interface ContactExecution {
  readonly id: string
  readonly workflowId: string
  readonly contactId: string
  readonly contact: {
    readonly id: string
    readonly email: string
  }
  readonly status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED"
  readonly currentStepId: string | null
  /** Of a finished execution, the last step that it reached; `null` after that step was deleted. */
  readonly currentStep: {
    readonly id: string
    readonly name: string
    readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  } | null
  /** The version of the workflow with which it started, or to which it was migrated; `null` before versions were kept. */
  readonly version: number | null
  /** How it started. */
  readonly source: "EVENT" | "MANUAL" | "SCHEDULE"
  /** The event that started it. */
  readonly triggerEventId: string | null
  /** Variables of the execution; texts and conditions refer to them as `event.<key>`. */
  readonly context: { readonly [key: string]: unknown }
  /** The value that tells it from other executions of the contact; empty without `entryKey`. */
  readonly entryKey: string
  /** Whether the goal of the workflow was reached. */
  readonly converted: boolean
  readonly exitReason: string | null
  /** The exit rule that ended it. */
  readonly exitRuleId: string | null
  readonly error: {
    readonly code: string
    readonly message: string
    readonly stepId: string | null
  } | null
  /** While WAITING: when it continues by itself. */
  readonly resumeAt: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly workflow: {
    readonly id: string
    readonly name: string
  }
}

/** One page of a cursor list. */
export interface ContactExecutionPage {
  readonly data: ReadonlyArray<ContactExecution>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** A field, its type and its coverage. */
export interface ContactField {
  /** A standard name, or `data.` and the key. */
  readonly field: string
  /** For a custom field, determined by up to 1,000 of the newest contacts that have it: `date` when all values are ISO dates, `mixed` when their types differ. */
  readonly type: "string" | "number" | "boolean" | "date" | "object" | "array" | "mixed"
  /** Percentage of all contacts that have a value; at least 1 if any contact has one. */
  readonly coverage: number
}

/** May be up to 60 seconds old. */
export interface ContactFields {
  /** Sorted by field. */
  readonly fields: ReadonlyArray<ContactField>
  readonly count: number
}

/** Links to the pages of a contact. */
export interface ContactLinks {
  readonly unsubscribeUrl: string
  readonly subscribeUrl: string
  /** The page of preferences; the project's own if `pages.preferencesUrl` is set. */
  readonly manageUrl: string
  /** For `/public/preferences/{token}`. */
  readonly token: string
}

/** Each distinct text once, spelled and ordered as given. */
export interface ContactLookup {
  /** Given addresses that a contact has. */
  readonly found: ReadonlyArray<string>
  /** Given addresses that no contact has, including malformed ones. */
  readonly notFound: ReadonlyArray<string>
  /** The malformed addresses in `notFound`. */
  readonly invalid: ReadonlyArray<string>
  /** Given ids that find a contact. Absent without `externalIds`. */
  readonly foundExternalIds?: ReadonlyArray<string> | undefined
  /** Given ids that find no contact. Absent without `externalIds`. */
  readonly notFoundExternalIds?: ReadonlyArray<string> | undefined
}

/** Another contact became part of this one and is gone. */
export interface ContactMergedEvent {
  readonly type: "contact.merged"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly mergedContactId: string
  }
}

/** The owner of an address said that they had not asked. */
export interface ContactOptInDeclinedEvent {
  readonly type: "contact.opt_in_declined"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly optInId: string
    readonly subscribe: boolean
    /** Keys of topics. */
    readonly topics: ReadonlyArray<string>
    readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    readonly formId?: string | undefined
    /** The confirmation mail. */
    readonly emailId?: string | undefined
  }
}

/** A contact did not confirm an opt-in in time. */
export interface ContactOptInExpiredEvent {
  readonly type: "contact.opt_in_expired"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly optInId: string
    readonly subscribe: boolean
    /** Keys of topics. */
    readonly topics: ReadonlyArray<string>
    readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    readonly formId?: string | undefined
    /** The confirmation mail. */
    readonly emailId?: string | undefined
  }
}

/** A contact was asked to confirm what was asked for. */
export interface ContactOptInRequestedEvent {
  readonly type: "contact.opt_in_requested"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly optInId: string
    readonly subscribe: boolean
    /** Keys of topics. */
    readonly topics: ReadonlyArray<string>
    readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    readonly formId?: string | undefined
    /** The confirmation mail. */
    readonly emailId?: string | undefined
  }
}

/** How a contact was made. */
export interface ContactOrigin {
  readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
  /** The form, import or bulk job, if there is one. */
  readonly id: string | null
}

/** One page of a cursor list. */
export interface ContactPage {
  readonly data: ReadonlyArray<Contact>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** A contact asked for its data or for erasure, or that was done. After an erasure it names no contact. */
export interface ContactPrivacyRequestedEvent {
  readonly type: "contact.privacy_requested"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly requestId: string
    readonly type: "EXPORT" | "ERASURE"
    /** `OPEN`: an erasure waits for you. */
    readonly status: "OPEN" | "DONE"
  }
}

/** A segment that contains the contact now. */
export interface ContactSegment {
  readonly id: string
  readonly name: string
  /** `DYNAMIC`: the contacts that match its condition. `STATIC`: contacts that were added by hand. */
  readonly type: "DYNAMIC" | "STATIC"
  /** When the contact joined. Null if joins were not recorded: of a dynamic segment without tracking. */
  readonly since: string | null
}

/** A contact wants no marketing mail for a time, or changed that time. */
export interface ContactSnoozedEvent {
  readonly type: "contact.snoozed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly until: string
    /** What changed it. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
  }
}

/** A contact subscribed. */
export interface ContactSubscribedEvent {
  readonly type: "contact.subscribed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** What changed the subscription. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    /** The email whose link, bounce or complaint changed it. */
    readonly emailId?: string | undefined
    readonly campaignId?: string | undefined
  }
}

/** A topic, and what the contact said about it. */
export interface ContactTopic {
  readonly topic: {
    readonly id: string
    readonly key: string
    readonly name: string
  }
  /** What the contact said. `unset`: nothing. `pending`: it was asked to confirm. */
  readonly state: "subscribed" | "unsubscribed" | "pending" | "unset"
  /** Whether it gets mail of the topic, apart from a snooze. */
  readonly takes: boolean
  readonly defaultSubscription: "subscribed" | "unsubscribed"
  readonly visibility: "public" | "private"
}

/** A contact ended that time before it was over. */
export interface ContactUnsnoozedEvent {
  readonly type: "contact.unsnoozed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly until: string
    /** What changed it. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
  }
}

/** A contact unsubscribed, or was unsubscribed. */
export interface ContactUnsubscribedEvent {
  readonly type: "contact.unsubscribed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** What changed the subscription. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    /** The email whose link, bounce or complaint changed it. */
    readonly emailId?: string | undefined
    readonly campaignId?: string | undefined
  }
}

/** Conversions of one day, campaign or workflow. */
export interface ConversionSums {
  /** The day in UTC, as `2026-03-01`, or the id of the campaign or workflow. */
  readonly key: string
  /** Of the campaign or workflow. `null` for a day. */
  readonly name: string | null
  readonly conversions: number
  /** By currency. */
  readonly revenue: ReadonlyArray<RevenueSum>
}

/** Days with conversions, earliest first; campaigns and workflows with the most conversions first. */
export type Conversions = ReadonlyArray<ConversionSums>

export interface CountContacts {
  /** Only contacts that match this condition. */
  readonly condition?: FilterTree | null | undefined
  /** Only members of this segment. Not together with `condition`. */
  readonly segmentId?: string | null | undefined
  /** Also count who could get a mail of a campaign, and who could not. */
  readonly for?: IntendedMail | null | undefined
}

/** A mail that counts for the frequency caps of the project. */
export interface CountedEmail {
  readonly emailId: string
  readonly topicId: string | null
  readonly at: string
}

export interface CreateApiKey {
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** `LIVE` (default) or `TEST`; cannot be changed. Keys of test mode can only have the scopes `send`, `emails:write` and those that end in `:read`. */
  readonly mode?: "LIVE" | "TEST" | null | undefined
  /** What the key may do. `:read` allows the GET operations of a group, `:write` all of its operations; `send` allows sending, rescheduling and cancelling mail; `*` allows everything. */
  readonly scopes: ReadonlyArray<"send" | "verify" | "uploads:write" | "emails:read" | "emails:write" | "contacts:read" | "contacts:write" | "events:read" | "events:write" | "templates:read" | "templates:write" | "campaigns:read" | "campaigns:write" | "segments:read" | "segments:write" | "workflows:read" | "workflows:write" | "suppressions:read" | "suppressions:write" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "transports:read" | "transports:write" | "topics:read" | "topics:write" | "forms:read" | "forms:write" | "settings:read" | "settings:write" | "analytics:read" | "consents:read" | "*">
  /** 0 to 50 domains. If not empty, the sender of a send must be at one of these domains. */
  readonly senderDomains?: ReadonlyArray<string> | null | undefined
  /** 0 to 50 addresses or blocks. If not empty, requests must come from one of these addresses or CIDR blocks. */
  readonly ipRanges?: ReadonlyArray<string> | null | undefined
  /** 1 to 100000. Requests in any 60 seconds, in addition to the limit of the project. Null: no limit of its own. */
  readonly rateLimitPerMinute?: number | null | undefined
  /** When the key expires: ISO 8601, in UTC unless it has a zone, in the future. Null: never. */
  readonly expiresAt?: string | null | undefined
}

export interface CreateForm {
  /** Names its events (`form.<key>.submitted`). Absent: made from the name. Fixed. */
  readonly key?: string | null | undefined
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** A form that is not enabled answers as if it did not exist. Default: true. */
  readonly enabled?: boolean | null | undefined
  /** Up to 20 fields. The address is always asked. */
  readonly fields?: ReadonlyArray<FormFieldInput> | null | undefined
  /** Whether a submission asks for `subscribed`. Default: true. */
  readonly subscribe?: boolean | null | undefined
  /** Public topics that the form offers. */
  readonly topics?: ReadonlyArray<FormTopicInput> | null | undefined
  /** Up to 10 static segments that contacts join. */
  readonly segmentIds?: ReadonlyArray<string> | null | undefined
  /** Whether a subscription must be confirmed by mail. Null: as the topics and the settings of the audience say. */
  readonly doubleOptIn?: boolean | null | undefined
  /** What the form says, as a whole. */
  readonly texts?: FormTextsInput | null | undefined
  /** Texts in up to 20 other languages, by language (`de`, `pt-BR`). Absent texts are those of `texts`. */
  readonly translations?: { readonly [key: string]: FormTextsInput } | null | undefined
  /** Whether the box with `consentText` must be ticked. Default: false. */
  readonly consentRequired?: boolean | null | undefined
  /** Where a browser goes after a submission; https. Null: a page of the service. */
  readonly redirectUrl?: string | null | undefined
  /** Where a browser goes after the confirmation of a subscription; https. */
  readonly confirmedRedirectUrl?: string | null | undefined
  /** Up to 20 origins whose pages may submit the form. Empty: any. */
  readonly allowedOrigins?: ReadonlyArray<string> | null | undefined
  /** Whether a submission needs a ticket with a proof of work, or a second step. Default: true. */
  readonly requireTicket?: boolean | null | undefined
}

export interface CreatePartial {
  /** 1 to 64 characters of `a-z`, `0-9` and `-`, not starting with `-`; not `content`. */
  readonly name: string
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 256 KB. With `{{> content}}` exactly once, it can be the layout of a body. */
  readonly body: string
  /** The text for `{{> name}}` in text parts, at most 256 KB. `null`: text parts cannot use it. */
  readonly text?: string | null | undefined
}

export interface CreateProject {
  readonly name: string
}

export interface CreateSegment {
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** Internal note, at most 500 characters. */
  readonly description?: string | null | undefined
  /** Absent: `DYNAMIC`. Fixed after creation. */
  readonly type?: "DYNAMIC" | "STATIC" | null | undefined
  /** Required for a dynamic segment; ignored for a static one. */
  readonly condition?: FilterTree | null | undefined
  /** Emit events as contacts join and leave. */
  readonly trackMembership?: boolean | null | undefined
  /** If this request turns tracking on, the contacts that match now become members without events. Only later joins and leaves emit events. */
  readonly silentStart?: boolean | null | undefined
}

export type CreateStep = ({
  readonly type: "SEND_EMAIL"
  readonly config?: SendEmailConfig | undefined
} | {
  readonly type: "DELAY"
  readonly config: DelayConfig
} | {
  readonly type: "WAIT_FOR_EVENT"
  readonly config: WaitConfig
} | {
  readonly type: "CONDITION"
  readonly config: ConditionConfig
} | {
  readonly type: "SPLIT"
  readonly config: SplitConfig
} | {
  readonly type: "TIME_WINDOW"
  readonly config: TimeWindowConfig
} | {
  readonly type: "RATE_LIMIT"
  readonly config: RateLimitConfig
} | {
  readonly type: "WEBHOOK"
  readonly config: WebhookConfig
} | {
  readonly type: "UPDATE_CONTACT"
  readonly config?: UpdateContactConfig | undefined
} | {
  readonly type: "EXIT"
  readonly config?: ExitConfig | undefined
}) & {
  /** 1 to 100 characters on one line; default: the type in words. */
  readonly name?: string | null | undefined
  /** Default: below the last step. */
  readonly position?: Position | null | undefined
  /** Only for `SEND_EMAIL`; may be in `config` instead. */
  readonly templateId?: string | null | undefined
  /** Default true: connects the newest step without an outgoing transition to this one. A transition that a caller creates can replace this automatic one. */
  readonly autoConnect?: boolean | null | undefined
}

export interface CreateTemplate {
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** An alternative to the id when sending, unique in the project: 1 to 100 lower-case letters, digits, `.`, `_` and `-`, starting with a letter or digit. */
  readonly alias?: string | null | undefined
  /** Id or key of the topic of the mail made from it, which campaigns copy. Not for the type `TRANSACTIONAL`. `null`: none. */
  readonly topicId?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. */
  readonly subject: string
  /** `MJML`: `source` is compiled to the body. */
  readonly format?: "HTML" | "MJML" | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Required unless the format is `MJML`, refused with it. */
  readonly body?: string | null | undefined
  /** MJML with `{{variable}}` placeholders, at most 1 MB, elements at most 50 deep, without `mj-include`. Its HTML has at most 5 MB. Required with format `MJML`, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. `null`: derived from the HTML. */
  readonly text?: string | null | undefined
  /** An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project. */
  readonly from: string
  /** Display name of the sender. */
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Absent: `MARKETING`. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
  /** Language of subject, body and text: `de`, `pt-BR`. `null`: the language of the project. */
  readonly language?: string | null | undefined
  /** Subject, body and text in other languages, by language tag; at most 50. */
  readonly translations?: { readonly [key: string]: WriteTemplateTranslation | null } | null | undefined
  readonly layout?: string | null | undefined
  /** Whether mail with a missing variable is refused. */
  readonly strict?: boolean | null | undefined
}

export interface CreateTopic {
  /** 1 to 64 characters of `a-z`, `0-9`, `_` and `-`, starting with a letter or digit. Default: made from the name. */
  readonly key?: string | null | undefined
  /** What recipients read, 1 to 100 characters. */
  readonly name: string
  /** What recipients read below the name, at most 500 characters. */
  readonly description?: string | null | undefined
  /** Name and description by language, such as `de` or `pt-BR`; at most 20. They replace the stored ones. */
  readonly translations?: { readonly [key: string]: WriteTopicText } | null | undefined
  /** What a contact is that said nothing about the topic. It never changes. */
  readonly defaultSubscription: "subscribed" | "unsubscribed"
  /** `public`: on the preference page and in forms. `private`: on the page of contacts that take it or have a state, and not in forms. Default: `public`. */
  readonly visibility?: "public" | "private" | null | undefined
  /** Whether contacts must confirm that they want it. Null: as the settings of the audience say. */
  readonly doubleOptIn?: boolean | null | undefined
  /** Its place in lists and on pages. Default: the last. */
  readonly position?: number | null | undefined
  readonly archived?: boolean | null | undefined
}

export interface CreateTransition {
  readonly fromStepId: string
  readonly toStepId: string
  /** From a CONDITION `yes`, `no`, the id of a branch, or `default`. From a DELAY until a field `missing`, `passed` or `null`. From a RATE_LIMIT `exceeded` or `null`. From a SPLIT the id of a branch. From a WAIT_FOR_EVENT `event`, `timeout` or `null`. From any other step `null`. */
  readonly branch?: string | null | undefined
  /** Another way to give the branch. */
  readonly condition?: {
    readonly branch?: string | null | undefined
  } | null | undefined
  /** Another way to give the branch of a WAIT_FOR_EVENT. */
  readonly waitOutcome?: "EVENT" | "TIMEOUT" | null | undefined
}

export interface CreateTransport {
  /** Unique in the project. */
  readonly name: string
  /** DNS name or public IP address. */
  readonly host: string
  /** 25, 465, 587, 2465, 2525 or 2587. */
  readonly port: number
  /** Default `IMPLICIT` at ports 465 and 2465, otherwise `STARTTLS`. */
  readonly tls?: "IMPLICIT" | "STARTTLS" | null | undefined
  /** Needs `password`. */
  readonly user?: string | null | undefined
  /** Stored encrypted, never shown. Needs `user`. */
  readonly password?: string | null | undefined
  readonly pool?: number | null | undefined
  /** Default true. Mail does not use a disabled transport. */
  readonly enabled?: boolean | null | undefined
  readonly snsTopicArns?: ReadonlyArray<string> | null | undefined
  /** Signs `POST /webhooks/notifications?transport={id}`: `whsec_` and the base64 of 24 to 64 bytes. */
  readonly notificationSecret?: string | null | undefined
}

export interface CreateView {
  /** The list that the query is for. */
  readonly page: "activity" | "audit" | "campaigns" | "contacts" | "events" | "mails" | "pieces" | "segments" | "suppressions" | "templates" | "workflows"
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** The query of the list as in its URL, without the question mark; at most 2,000 characters. */
  readonly query: string
  /** Whether every member of the project sees it. Otherwise only its maker does. With the secret key always true. */
  readonly shared?: boolean | null | undefined
}

export interface CreateWebhook {
  /** http or https, of a public host, at most 2,048 characters. */
  readonly url: string
  /** 1 to 50 patterns: a type, a prefix with `.*`, or `*` for all. */
  readonly events: ReadonlyArray<string>
  readonly description?: string | null | undefined
  /** Default true. */
  readonly enabled?: boolean | null | undefined
  /** Whether it also receives the events of test mail. */
  readonly testMode?: boolean | null | undefined
  /** `whsec_` and the base64 of 24 to 64 bytes; default 32 random bytes. */
  readonly secret?: string | null | undefined
}

export interface CreateWorkflow {
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** Internal note, at most 500 characters. */
  readonly description?: string | null | undefined
  /** Shorthand for `triggerConfig.eventName`. */
  readonly eventName?: string | null | undefined
  /** The event may be missing until the workflow is enabled. */
  readonly triggerConfig?: {
    /** 1 to 255 characters, trimmed, case-sensitive; may be an event of the service itself. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** The contact must fulfil it when the workflow starts. Absent: every contact starts. */
    readonly condition?: FilterTree | null | undefined
    /** A path into the data of the event. Executions of a contact with different values there run side by side, at most 20. */
    readonly entryKey?: string | null | undefined
  } | null | undefined
  /** Default false. */
  readonly allowReentry?: boolean | null | undefined
}

/** The contact is new. */
export interface CreatedContact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** The caller's own id, unique in the project. */
  readonly externalId: string | null
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** `pending`: `subscribed` is false, and the contact was asked to confirm that it wants mail. */
  readonly subscription: "subscribed" | "unsubscribed" | "pending"
  /** What the contact said about topics, by their keys. Topics without a state of their own are left out. */
  readonly topics: { readonly [key: string]: "subscribed" | "unsubscribed" | "pending" }
  /** Until then it gets no marketing mail. Null once it has passed. */
  readonly snoozedUntil: string | null
  /** Language of its mail and pages: `data.locale`. Null if that is no language tag. */
  readonly locale: string | null
  /** IANA name: `data.timezone`. Null if that is no time zone. */
  readonly timezone: string | null
  /** How it was made. Null for contacts of earlier releases. */
  readonly origin: ContactOrigin | null
  /** Custom data, usable as template variables; `{}` if there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Only in answers to a write that asked for an opt-in. */
  readonly optIn?: RequestedOptIn | undefined
  readonly _meta: {
    readonly isNew: true
    readonly isUpdate: false
  }
}

/** An endpoint, with the secret that signs its deliveries. */
export interface CreatedWebhook {
  readonly id: string
  readonly projectId: string
  readonly url: string
  readonly description: string | null
  /** Patterns of types: a type, a prefix with `.*`, or `*`. */
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  /** Whether it also receives the events of test mail. */
  readonly testMode: boolean
  readonly disabledReason: "gone" | "failing" | null
  /** The last 4 characters of the secret. */
  readonly secretHint: string
  readonly lastSuccessAt: string | null
  /** The first failed attempt since the last success. */
  readonly failingSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** `whsec_` and base64. Shown only here. */
  readonly secret: string
}

/** The project and the kind of the credential. */
export interface CurrentProject {
  readonly id: string
  readonly name: string
  readonly publicKey: string
  readonly disabled: boolean
  /** The key of the request; null with a session. */
  readonly key: {
    /** `secret`: the secret key of the project. `api`: an API key. */
    readonly kind: "secret" | "api"
    /** `TEST` keys change nothing except test mail. */
    readonly mode: "LIVE" | "TEST"
    /** What the key may do; `*`: everything. */
    readonly scopes: ReadonlyArray<string>
  } | null
}

/** Who decided an experiment. */
export interface DecidedBy {
  readonly kind: "AUTOMATIC" | "USER" | "KEY"
  readonly userId: string | null
}

/** Config of a `DELAY` step: `amount` and `unit`, or `until`. With `until.field` it has the branches `missing` for a contact without a date and `passed` for one in the past. */
export interface DelayConfig {
  /** How many units. With `unit`, at most 365 days. */
  readonly amount?: number | null | undefined
  readonly unit?: "minutes" | "hours" | "days" | "weeks" | null | undefined
  /** Waits until a moment, in place of `amount` and `unit`. */
  readonly until?: {
    /** The next of these days at `time`. */
    readonly weekdays?: ReadonlyArray<"MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN"> | null | undefined
    /** This day at `time`. A moment that has passed goes on at once. */
    readonly date?: string | null | undefined
    /** The date in this field: `data.<path>` of the contact, `event.<path>` of the execution. It is read again at the due time. */
    readonly field?: string | null | undefined
    /** Required with `weekdays` and `date`. With `field`: the time on the day of the date; default for a date without a time: 09:00. */
    readonly time?: string | null | undefined
    readonly timezone?: string | null | undefined
    /** Only with `field`: so long after the date, or before it. */
    readonly offset?: {
      /** From -365 to 365. Less than 0: before the date. */
      readonly amount: number
      /** Days and weeks are of the calendar; minutes and hours are exact. */
      readonly unit: "minutes" | "hours" | "days" | "weeks"
    } | null | undefined
    /** Only with `field`: the next return of the day and month. 29 February is the 28th in other years. */
    readonly anniversary?: boolean | null | undefined
  } | null | undefined
}

/** The events are deleted. */
export interface DeletedEvents {
  readonly deletedCount: number
}

/** The result of deleting a field. */
export interface DeletedField {
  /** Contacts that had it. */
  readonly deletedFrom: number
}

/** Mail to a mailbox provider goes as before. */
export interface DeliverabilityProviderRecoveredEvent {
  readonly type: "deliverability.provider_recovered"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** The mailbox provider of the recipient: `GMAIL`, `YAHOO`, `OUTLOOK`, `MICROSOFT365`, `APPLE`, `YAHOO_JAPAN`, `GMX`, `T_ONLINE`, `IONOS`, `ORANGE`, `COMCAST`, `MAILRU`, `YANDEX`, `QQ`, `NETEASE`, `ZOHO`, `PROTON`, `FASTMAIL`, `MIMECAST`, `PROOFPOINT`, `BARRACUDA`, or `OTHER`. */
    readonly provider: string
    /** The domain of a mail exchange of no listed provider. */
    readonly exchange: string | null
    /** `smtp1` of the service, or the id of your own. */
    readonly transport: string
  }
}

/** A mailbox provider asked for less mail, or was suspended, while mail of the project waits for it. Mail goes there more slowly until it recovers. */
export interface DeliverabilityProviderSlowedEvent {
  readonly type: "deliverability.provider_slowed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** The mailbox provider of the recipient: `GMAIL`, `YAHOO`, `OUTLOOK`, `MICROSOFT365`, `APPLE`, `YAHOO_JAPAN`, `GMX`, `T_ONLINE`, `IONOS`, `ORANGE`, `COMCAST`, `MAILRU`, `YANDEX`, `QQ`, `NETEASE`, `ZOHO`, `PROTON`, `FASTMAIL`, `MIMECAST`, `PROOFPOINT`, `BARRACUDA`, or `OTHER`. */
    readonly provider: string
    /** The domain of a mail exchange of no listed provider. */
    readonly exchange: string | null
    /** `smtp1` of the service, or the id of your own. */
    readonly transport: string
    /** `SLOWED`: the provider asked for less mail. `SUSPENDED`: no bulk mail goes there. `PROBING`: after a suspension, one mail a minute. */
    readonly state: "NORMAL" | "SLOWED" | "SUSPENDED" | "PROBING"
    readonly level: number
    readonly ratePerMinute: number | null
    readonly maxConnections: number | null
    readonly until: string | null
    readonly reason: ProviderReason
  }
}

/** What this deployment offers. */
export interface Deployment {
  readonly environment: "production" | "development"
  readonly version: string
  readonly urls: {
    /** Base URL of the API. */
    readonly api: string
    /** URL of the console; without it, of a dashboard at another origin. Null: there is none. */
    readonly dashboard: string | null
  }
  readonly features: {
    readonly signups: {
      readonly enabled: boolean
    }
    readonly billing: {
      readonly enabled: boolean
    }
    readonly storage: {
      readonly enabled: boolean
      readonly s3Enabled: boolean
    }
    readonly authProviders: {
      readonly github: boolean
      readonly google: boolean
      readonly oidc?: boolean | undefined
    }
    readonly email: {
      readonly trackingToggleEnabled: boolean
      readonly verificationRequired: boolean
    }
    readonly inbound: {
      readonly enabled: boolean
    }
    readonly smtp: {
      /** Whether there is a submission service. */
      readonly enabled: boolean
      /** Host name for clients. Null if it is not enabled. */
      readonly host: string | null
      readonly ports: {
        /** Port with STARTTLS, null if there is none. */
        readonly starttls: number | null
        /** Port with TLS from the first byte, null if there is none. */
        readonly tls: number | null
      }
    }
    readonly devMailbox: {
      readonly enabled: boolean
    }
  }
}

/** One line of SMTP. */
export interface DialogueLine {
  /** Milliseconds since the start of the attempt. */
  readonly at: number
  /** `C`: the service. `S`: the server. */
  readonly from: "C" | "S"
  /** At most 512 bytes. Logins are replaced by `***`, the mail by its size, such as `(48211 octets)`. */
  readonly text: string
}

/** Numbers of mails in DMARC reports. */
export interface DmarcFigures {
  /** Mails that the reports count. */
  readonly messages: number
  /** Mails that passed DMARC, by DKIM or by SPF. */
  readonly passed: number
  readonly failed: number
  /** Mails with a valid DKIM signature of the domain. */
  readonly dkimAligned: number
  /** Mails whose return path is below the domain, from a server that SPF allows. */
  readonly spfAligned: number
  /** Mails that the receiver put into the spam folder because of the policy. */
  readonly quarantined: number
  /** Mails that the receiver refused because of the policy. */
  readonly rejected: number
}

/** The mails of one source, reporter or day. */
export interface DmarcRow {
  /** With `groupBy=source`: the IP address that sent, or `other` for the smallest ones of busy days. */
  readonly source?: string | undefined
  /** With `groupBy=source`: whether mail from there had a valid signature of this service. */
  readonly own?: boolean | undefined
  /** With `groupBy=reporter`: who made the reports. */
  readonly reporter?: string | undefined
  /** With `groupBy=day`: the UTC day on which the reports begin, as `2026-03-01`. */
  readonly day?: string | undefined
  /** Mails that the reports count. */
  readonly messages: number
  /** Mails that passed DMARC, by DKIM or by SPF. */
  readonly passed: number
  readonly failed: number
  /** Mails with a valid DKIM signature of the domain. */
  readonly dkimAligned: number
  /** Mails whose return path is below the domain, from a server that SPF allows. */
  readonly spfAligned: number
  /** Mails that the receiver put into the spam folder because of the policy. */
  readonly quarantined: number
  /** Mails that the receiver refused because of the policy. */
  readonly rejected: number
}

/** What DMARC reports say about the mail from a domain. */
export interface DmarcSummary {
  readonly totals: DmarcFigures
  /** The most mails first; days: the latest first. */
  readonly rows: ReadonlyArray<DmarcRow>
  /** What to do next, by the reports of the last 30 days; empty if nothing is to do. */
  readonly advice: string
}

/** A sender domain. */
export interface Domain {
  readonly id: string
  readonly projectId: string
  readonly domain: string
  readonly verified: boolean
  readonly status: "PENDING" | "VERIFIED"
  /** DKIM selector. */
  readonly selector: string
  /** The records of this domain are published, but another project has already verified it. Only a project that publishes the records sees this. */
  readonly verifiedElsewhere: boolean
  /** Verified by the operator, regardless of DNS. */
  readonly trusted: boolean
  /** Negative checks in a row; the third one ends the verification. */
  readonly failedChecks: number
  readonly linkHost: LinkHost | null
  /** The DNS records to publish. */
  readonly records: ReadonlyArray<DomainRecord>
  /** Where this service takes DMARC aggregate reports about the domain: the `rua` of its DMARC record. `null` where the installation takes no mail. */
  readonly dmarcReportAddress: string | null
  readonly lastCheckedAt: string | null
  /** The reason why the last check had no result. */
  readonly lastError: string | null
  readonly verifiedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What mailbox providers require of a sender domain. */
export interface DomainHealth {
  /** Whether no check has the status `FAIL`. */
  readonly ready: boolean
  /** When DNS was asked. */
  readonly checkedAt: string
  readonly checks: ReadonlyArray<HealthCheck>
}

/** A sender domain meets the requirements of mailbox providers, or does not meet them any more; at most once a week for each check. */
export interface DomainHealthChangedEvent {
  readonly type: "domain.health_changed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly domainId: string
    readonly domain: string
    readonly ready: boolean
    readonly failing: ReadonlyArray<"dkim" | "dkim_key" | "alignment" | "spf" | "dmarc_record" | "dmarc_policy" | "dmarc_reports" | "one_click" | "complaint_rate" | "bounce_rate" | "volume" | "authentication" | "tls" | "reverse_dns" | "replies" | "bimi">
  }
}

/** One DNS record to publish. */
export interface DomainRecord {
  readonly type: "TXT" | "MX" | "CNAME"
  readonly name: string
  readonly value: string
  readonly purpose: "DKIM" | "RETURN_PATH" | "SPF" | "DMARC" | "LINK"
  /** Whether the domain is verified only with it. */
  readonly required: boolean
  /** `PENDING`: not published yet. `MISMATCH`: DNS has another value. */
  readonly status: "PENDING" | "MISMATCH" | "VERIFIED"
  /** The current values in DNS, at most 5 of 1,000 characters. */
  readonly found: ReadonlyArray<string>
}

/** A sender domain lost its DNS records and is no longer verified. */
export interface DomainUnverifiedEvent {
  readonly type: "domain.unverified"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly domainId: string
    readonly domain: string
  }
}

/** A sender domain was verified. */
export interface DomainVerifiedEvent {
  readonly type: "domain.verified"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly domainId: string
    readonly domain: string
  }
}

/** The day of the last step of a warm-up was clean. The domain has no cap any more. */
export interface DomainWarmupCompletedEvent {
  readonly type: "domain.warmup_completed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly domainId: string
    readonly domain: string
    /** The transport whose mail the plan is for. `null`: all mail of the domain. */
    readonly transport: string | null
    readonly step: number
  }
}

/** The warm-up of a sender domain was paused, by hand or because of what came back. No bulk mail of the domain leaves until it is resumed. */
export interface DomainWarmupPausedEvent {
  readonly type: "domain.warmup_paused"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly domainId: string
    readonly domain: string
    /** The transport whose mail the plan is for. `null`: all mail of the domain. */
    readonly transport: string | null
    readonly step: number
    /** `manual`, or the rate that reached `pauseAt`. */
    readonly reason: "manual" | "bounceRate" | "complaintRate" | "deferralRate"
  }
}

/** The action is done, or was not needed. */
export interface Done {
  readonly success: true
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** A step of a whole graph. */
export type DrawnStep = ({
  readonly type: "TRIGGER"
  readonly config?: { readonly [key: string]: unknown } | undefined
} | {
  readonly type: "SEND_EMAIL"
  readonly config?: SendEmailConfig | undefined
} | {
  readonly type: "DELAY"
  readonly config: DelayConfig
} | {
  readonly type: "WAIT_FOR_EVENT"
  readonly config: WaitConfig
} | {
  readonly type: "CONDITION"
  readonly config: ConditionConfig
} | {
  readonly type: "SPLIT"
  readonly config: SplitConfig
} | {
  readonly type: "TIME_WINDOW"
  readonly config: TimeWindowConfig
} | {
  readonly type: "RATE_LIMIT"
  readonly config: RateLimitConfig
} | {
  readonly type: "WEBHOOK"
  readonly config: WebhookConfig
} | {
  readonly type: "UPDATE_CONTACT"
  readonly config?: UpdateContactConfig | undefined
} | {
  readonly type: "EXIT"
  readonly config?: ExitConfig | undefined
}) & {
  /** Of a step that the workflow has, or had: a step that was removed comes back under its id. */
  readonly id?: string | null | undefined
  /** A name within this body. A step without an id needs one. Answers and faults repeat it. */
  readonly key?: string | null | undefined
  /** 1 to 100 characters on one line; default: the present name, or the type in words. */
  readonly name?: string | null | undefined
  /** Default: the present position, or below the last step. */
  readonly position?: Position | null | undefined
  /** Only for `SEND_EMAIL`; may be in `config` instead. */
  readonly templateId?: string | null | undefined
}

/** A transition of a whole graph. */
export interface DrawnTransition {
  /** The `key` or `id` of a step of this body, or the id of the TRIGGER. */
  readonly from: string
  /** The `key` or `id` of a step of this body. */
  readonly to: string
  /** From a CONDITION `yes`, `no`, the id of a branch, or `default`. From a DELAY until a field `missing`, `passed` or `null`. From a RATE_LIMIT `exceeded` or `null`. From a SPLIT the id of a branch. From a WAIT_FOR_EVENT `event`, `timeout` or `null`. From any other step `null`. */
  readonly branch?: string | null | undefined
}

/** The record of one mail to one recipient. */
export interface Email {
  readonly id: string
  readonly projectId: string
  /** Null for a copy, and after the contact was deleted. */
  readonly contactId: string | null
  /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
  readonly recipientType: "TO" | "CC" | "BCC"
  /** Id of the mail that this one is a copy of, also on that mail itself. Null without copies. */
  readonly groupId: string | null
  /** Address of the recipient. */
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** The recipients in the `Cc` header. */
  readonly cc: ReadonlyArray<{
    readonly email: string
    readonly name: string | null
  }>
  readonly subject: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** The origin of the mail. */
  readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
  /** A test mail of a campaign or of test mode, which no count includes. */
  readonly test: boolean
  /** `TEST`: sent with an API key of test mode; processed like other mail, but not handed to a server. */
  readonly mode: "LIVE" | "TEST"
  /** The API key that sent it. Null: the secret key, a session, or the service. */
  readonly apiKeyId: string | null
  readonly templateId: string | null
  /** The version of the template. */
  readonly templateVersion: number | null
  /** Language of the texts that were used, if the template or campaign names languages. */
  readonly locale: string | null
  readonly campaignId: string | null
  /** The variant of the campaign, `A` to `H`. Null without an experiment. */
  readonly variant: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly workflowStepExecutionId: string | null
  /** The topic of the mail, kept after the topic is deleted. */
  readonly topicId: string | null
  /** Message-ID (RFC 5322 3.6.4) without angle brackets, the same for every attempt. */
  readonly messageId: string | null
  /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
  readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
  /** Whether opens and clicks are tracked. */
  readonly tracking: boolean
  /** Headers the caller added. */
  readonly headers: { readonly [key: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo>
  /** Tags the caller added. */
  readonly tags: { readonly [key: string]: string }
  /** The mailbox provider of the recipient, such as `GMAIL`. Null before the first attempt. */
  readonly provider: string | null
  /** When it is or was due, if it was scheduled. */
  readonly scheduledFor: string | null
  readonly opens: number
  readonly clicks: number
  /** Opens by scanners and prefetchers, counted in `opens` too. */
  readonly machineOpens: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Attempts so far. */
  readonly attempts: number
  /** When the next attempt is due, after a temporary failure. */
  readonly nextAttemptAt: string | null
  /** What it waits for before its first attempt. */
  readonly hold: Hold | null
  /** The last failure, or the reason of the state. */
  readonly error: {
    readonly code: "expired" | "rejected" | "ambiguous" | "contact_unsubscribed" | "suppressed" | "cancelled" | "contact_deleted" | "project_was_disabled" | "template_missing" | "sender_domain_unverified" | "render_failed" | "invalid_recipient" | "connection_failed" | "timeout" | "execution_exited" | "quiet_hours" | "frequency_cap" | "campaign_expired" | "experiment_abandoned"
    readonly message: string
  } | null
  /** Why it is `SUPPRESSED`. */
  readonly suppressionReason: "UNSUBSCRIBED" | "TOPIC_UNSUBSCRIBED" | "SNOOZED" | "QUIET_HOURS" | "FREQUENCY_CAP" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | null
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly openedAt: string | null
  readonly clickedAt: string | null
  readonly bouncedAt: string | null
  readonly complainedAt: string | null
  readonly failedAt: string | null
  readonly suppressedAt: string | null
  readonly cancelledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A server refused an email, at once or later in a bounce message. */
export interface EmailBounceEvent {
  readonly type: "email.bounce"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly bounceType: "Permanent" | "Transient" | "Undetermined"
    /** Enhanced status code of RFC 3463, such as 5.1.1. */
    readonly status: string | null
    /** The response of the server. */
    readonly diagnostic: string | null
    /** Absent if `bounceType` is `Transient`. */
    readonly bouncedAt?: string | undefined
    readonly transientBounce?: true | undefined
  }
}

/** A link of an email was clicked. Posted for every click. */
export interface EmailClickEvent {
  readonly type: "email.click"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly link: string | null
    /** The first click. */
    readonly clickedAt: string
    /** This click. */
    readonly at: string
    readonly clicks: number
    readonly isFirstClick: boolean
    /** Whether a person or a program, such as a mail scanner, made the request. */
    readonly verdict: "human" | "machine"
  }
}

/** The recipient reported an email as spam. */
export interface EmailComplaintEvent {
  readonly type: "email.complaint"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly complainedAt: string
    /** Feedback type of RFC 5965, such as abuse. */
    readonly feedbackType: string | null
  }
}

/** The content of the mail, as rendered. */
export interface EmailContent {
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly headers: { readonly [key: string]: string }
  /** When the texts were removed after their retention, otherwise null. */
  readonly purgedAt: string | null
}

/** The server of the recipient accepted an email. */
export interface EmailDeliveryEvent {
  readonly type: "email.delivery"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly deliveredAt: string
  }
}

/** The record of a mail with its history. */
export interface EmailDetail {
  readonly id: string
  readonly projectId: string
  /** Null for a copy, and after the contact was deleted. */
  readonly contactId: string | null
  /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
  readonly recipientType: "TO" | "CC" | "BCC"
  /** Id of the mail that this one is a copy of, also on that mail itself. Null without copies. */
  readonly groupId: string | null
  /** Address of the recipient. */
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  /** The recipients in the `Cc` header. */
  readonly cc: ReadonlyArray<{
    readonly email: string
    readonly name: string | null
  }>
  readonly subject: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** The origin of the mail. */
  readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
  /** A test mail of a campaign or of test mode, which no count includes. */
  readonly test: boolean
  /** `TEST`: sent with an API key of test mode; processed like other mail, but not handed to a server. */
  readonly mode: "LIVE" | "TEST"
  /** The API key that sent it. Null: the secret key, a session, or the service. */
  readonly apiKeyId: string | null
  readonly templateId: string | null
  /** The version of the template. */
  readonly templateVersion: number | null
  /** Language of the texts that were used, if the template or campaign names languages. */
  readonly locale: string | null
  readonly campaignId: string | null
  /** The variant of the campaign, `A` to `H`. Null without an experiment. */
  readonly variant: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly workflowStepExecutionId: string | null
  /** The topic of the mail, kept after the topic is deleted. */
  readonly topicId: string | null
  /** Message-ID (RFC 5322 3.6.4) without angle brackets, the same for every attempt. */
  readonly messageId: string | null
  /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
  readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
  /** Whether opens and clicks are tracked. */
  readonly tracking: boolean
  /** Headers the caller added. */
  readonly headers: { readonly [key: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo>
  /** Tags the caller added. */
  readonly tags: { readonly [key: string]: string }
  /** The mailbox provider of the recipient, such as `GMAIL`. Null before the first attempt. */
  readonly provider: string | null
  /** When it is or was due, if it was scheduled. */
  readonly scheduledFor: string | null
  readonly opens: number
  readonly clicks: number
  /** Opens by scanners and prefetchers, counted in `opens` too. */
  readonly machineOpens: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Attempts so far. */
  readonly attempts: number
  /** When the next attempt is due, after a temporary failure. */
  readonly nextAttemptAt: string | null
  /** What it waits for before its first attempt. */
  readonly hold: Hold | null
  /** The last failure, or the reason of the state. */
  readonly error: {
    readonly code: "expired" | "rejected" | "ambiguous" | "contact_unsubscribed" | "suppressed" | "cancelled" | "contact_deleted" | "project_was_disabled" | "template_missing" | "sender_domain_unverified" | "render_failed" | "invalid_recipient" | "connection_failed" | "timeout" | "execution_exited" | "quiet_hours" | "frequency_cap" | "campaign_expired" | "experiment_abandoned"
    readonly message: string
  } | null
  /** Why it is `SUPPRESSED`. */
  readonly suppressionReason: "UNSUBSCRIBED" | "TOPIC_UNSUBSCRIBED" | "SNOOZED" | "QUIET_HOURS" | "FREQUENCY_CAP" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | null
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly openedAt: string | null
  readonly clickedAt: string | null
  readonly bouncedAt: string | null
  readonly complainedAt: string | null
  readonly failedAt: string | null
  readonly suppressedAt: string | null
  readonly cancelledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Every attempt, oldest first. */
  readonly attemptLog: ReadonlyArray<Attempt>
  /** Oldest first, at most 500 entries. */
  readonly timeline: ReadonlyArray<TimelineEntry>
}

/** The service gave up sending an email. */
export interface EmailFailedEvent {
  readonly type: "email.failed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly failedAt: string
    readonly error: {
      readonly code: string
      readonly message: string
    }
    readonly attempts: number
  }
}

/** An email was opened. Posted for every open. */
export interface EmailOpenEvent {
  readonly type: "email.open"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    /** The first open. */
    readonly openedAt: string
    /** This open. */
    readonly at: string
    readonly opens: number
    readonly isFirstOpen: boolean
    /** Whether a person or a program, such as a mail scanner, made the request. */
    readonly verdict: "human" | "machine"
  }
}

/** One page of a cursor list. */
export interface EmailPage {
  readonly data: ReadonlyArray<Email>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** An email arrived for a verified domain. */
export interface EmailReceivedEvent {
  readonly type: "email.received"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly inboundId: string
    readonly messageId: string | null
    readonly from: string
    readonly fromName: string | null
    readonly to: string
    readonly subject: string | null
    /** The first 24 KB. */
    readonly text: string | null
    /** The first 24 KB. */
    readonly html: string | null
    readonly date: string | null
    readonly attachments: ReadonlyArray<{
      readonly filename: string | null
      readonly contentType: string | null
      readonly size: number | null
    }>
    readonly spf: string | null
    readonly dkim: string | null
    readonly dmarc: string | null
    readonly spam: string | null
  }
}

/** The transport accepted an email. */
export interface EmailSentEvent {
  readonly type: "email.sent"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly emailId: string
    /** Message-ID of RFC 5322, without angle brackets. */
    readonly messageId: string
    readonly to: string
    readonly subject: string | null
    readonly from: string
    readonly fromName: string | null
    readonly templateId: string | null
    /** The version of the template. */
    readonly templateVersion: number | null
    readonly campaignId: string | null
    readonly workflowId: string | null
    readonly workflowExecutionId: string | null
    /** The origin of the mail. */
    readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
    /** `TO`: addressed to the recipient. `CC`, `BCC`: a visible or hidden copy for the recipient. */
    readonly recipientType: "TO" | "CC" | "BCC"
    /** Id of the email that this one is a copy of. Null without copies. */
    readonly groupId: string | null
    /** Tags of the email. */
    readonly tags: { readonly [key: string]: string }
    /** `TEST`: the email was sent in test mode, and not handed to a server. */
    readonly mode: "LIVE" | "TEST"
    /** The mailbox provider of the recipient. Null before the first attempt. */
    readonly provider: string | null
    readonly sentAt: string
  }
}

/** The number of records that were removed or anonymised. */
export interface Erasure {
  readonly contactId: string
  readonly erasedAt: string
  /** Events that were removed. */
  readonly events: number
  /** Mail records from which personal data was removed. */
  readonly emails: number
  /** Workflow executions that were removed. */
  readonly executions: number
  /** Segment memberships that were removed. */
  readonly memberships: number
  /** Records of consent and privacy requests that keep no name of the person. */
  readonly consents: number
}

/** The envelope of every error. */
export interface ErrorEnvelope {
  readonly success: false
  readonly error: {
    /** Machine-readable, from this closed list. */
    readonly code: "INVALID_JSON" | "BAD_REQUEST" | "INVALID_CURSOR" | "INVALID_TOKEN" | "EMPTY_AUDIENCE" | "INVALID_API_KEY" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "TWO_FACTOR_REQUIRED" | "BILLING_LIMIT_EXCEEDED" | "FORBIDDEN" | "PROJECT_ACCESS_DENIED" | "PROJECT_DISABLED" | "EMAIL_VERIFICATION_REQUIRED" | "SIGNUPS_DISABLED" | "INVALID_SIGNATURE" | "INTERNAL_SERVER_ERROR" | "CONTACT_NOT_FOUND" | "TEMPLATE_NOT_FOUND" | "CAMPAIGN_NOT_FOUND" | "SEGMENT_NOT_FOUND" | "WORKFLOW_NOT_FOUND" | "STEP_NOT_FOUND" | "RESOURCE_NOT_FOUND" | "ROUTE_NOT_FOUND" | "REQUEST_TIMEOUT" | "IDEMPOTENCY_KEY_REUSED" | "EMAIL_ALREADY_EXISTS" | "RESOURCE_IN_USE" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "RATE_LIMIT_EXCEEDED" | "SERVICE_UNAVAILABLE"
    /** What went wrong, in a sentence for humans. */
    readonly message: string
    /** The HTTP status. */
    readonly statusCode: number
    /** The `X-Request-Id` of the response. */
    readonly requestId: string
    /** Every fault found, with `VALIDATION_ERROR` and `BAD_REQUEST`. */
    readonly errors?: ReadonlyArray<Fault> | undefined
    /** Extra data; its fields depend on the code. The `reason` of a `CONFLICT`: */
    readonly details?: { readonly [key: string]: unknown } | undefined
    /** How to correct it; fixed for each code. */
    readonly suggestion: string
  }
  /** Time of the response, ISO 8601. */
  readonly timestamp: string
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** An action of a contact, or a change of its mail or state. It never changes. */
export interface Event {
  readonly id: string
  readonly name: string
  readonly projectId: string
  readonly contactId: string | null
  readonly contact: {
    readonly id: string
    readonly email: string
  } | null
  /** The email that the event is about or that led to it. */
  readonly emailId: string | null
  /** `tracked` by a caller, or an event of the service itself. */
  readonly source: "tracked" | "system"
  /** The data that the caller or the service recorded with it. */
  readonly data: { readonly [key: string]: unknown } | null
  /** When it was recorded. */
  readonly createdAt: string
  /** When it happened: the time that the caller stated, otherwise `createdAt`. */
  readonly occurredAt: string
}

/** Names of events that the project has. */
export interface EventNames {
  /** The most frequent first, at most 1,000. */
  readonly eventNames: ReadonlyArray<string>
}

/** One page of a cursor list. */
export interface EventPage {
  readonly data: ReadonlyArray<Event>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** How often an event was recorded. */
export interface EventStat {
  readonly name: string
  readonly count: number
  readonly uniqueContacts: number
  readonly lastSeenAt: string
}

/** Names of events with their counts. */
export type EventStats = ReadonlyArray<EventStat>

/** Every day of the window, earliest first. */
export type EventTimeseries = ReadonlyArray<EventTimeseriesDay>

/** How often an event was tracked on one day. */
export interface EventTimeseriesDay {
  /** A day in the time zone, as `2026-03-01`. */
  readonly date: string
  readonly count: number
}

/** `POST /v1/track` or the public key recorded an event. */
export interface EventTrackedEvent {
  readonly type: "event.tracked"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly name: string
    readonly data: { readonly [key: string]: unknown } | null
  }
}

/** Where the name of an event is used. */
export interface EventUsage {
  readonly eventName: string
  readonly usedInSegments: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  /** Campaigns that have not ended. */
  readonly usedInCampaigns: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
  }>
  readonly usedInWorkflows: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly as: ReadonlyArray<"trigger" | "wait" | "condition" | "goal" | "exit">
  }>
  readonly totalCount: number
  readonly uniqueContacts: number
  /** True if nothing uses the name and it is not a name of the service. */
  readonly canDelete: boolean
}

/** Contacts that would not get the mail. A contact counts for its first reason, in this order. */
export interface ExcludedContacts {
  /** Not subscribed. */
  readonly unsubscribed: number
  /** Do not take the topic; 0 for mail without one. */
  readonly topicUnsubscribed: number
  /** Want no mail for a time. */
  readonly snoozed: number
  /** On the suppression list. */
  readonly suppressed: number
}

/** One contact in one workflow. */
export interface Execution {
  readonly id: string
  readonly workflowId: string
  readonly contactId: string
  readonly contact: {
    readonly id: string
    readonly email: string
  }
  readonly status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED"
  readonly currentStepId: string | null
  /** Of a finished execution, the last step that it reached; `null` after that step was deleted. */
  readonly currentStep: {
    readonly id: string
    readonly name: string
    readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  } | null
  /** The version of the workflow with which it started, or to which it was migrated; `null` before versions were kept. */
  readonly version: number | null
  /** How it started. */
  readonly source: "EVENT" | "MANUAL" | "SCHEDULE"
  /** The event that started it. */
  readonly triggerEventId: string | null
  /** Variables of the execution; texts and conditions refer to them as `event.<key>`. */
  readonly context: { readonly [key: string]: unknown }
  /** The value that tells it from other executions of the contact; empty without `entryKey`. */
  readonly entryKey: string
  /** Whether the goal of the workflow was reached. */
  readonly converted: boolean
  readonly exitReason: string | null
  /** The exit rule that ended it. */
  readonly exitRuleId: string | null
  readonly error: {
    readonly code: string
    readonly message: string
    readonly stepId: string | null
  } | null
  /** While WAITING: when it continues by itself. */
  readonly resumeAt: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** An execution with its step executions. */
export interface ExecutionDetail {
  readonly id: string
  readonly workflowId: string
  readonly contactId: string
  readonly contact: {
    readonly id: string
    readonly email: string
  }
  readonly status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED"
  readonly currentStepId: string | null
  /** Of a finished execution, the last step that it reached; `null` after that step was deleted. */
  readonly currentStep: {
    readonly id: string
    readonly name: string
    readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  } | null
  /** The version of the workflow with which it started, or to which it was migrated; `null` before versions were kept. */
  readonly version: number | null
  /** How it started. */
  readonly source: "EVENT" | "MANUAL" | "SCHEDULE"
  /** The event that started it. */
  readonly triggerEventId: string | null
  /** Variables of the execution; texts and conditions refer to them as `event.<key>`. */
  readonly context: { readonly [key: string]: unknown }
  /** The value that tells it from other executions of the contact; empty without `entryKey`. */
  readonly entryKey: string
  /** Whether the goal of the workflow was reached. */
  readonly converted: boolean
  readonly exitReason: string | null
  /** The exit rule that ended it. */
  readonly exitRuleId: string | null
  readonly error: {
    readonly code: string
    readonly message: string
    readonly stepId: string | null
  } | null
  /** While WAITING: when it continues by itself. */
  readonly resumeAt: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly workflow: {
    readonly id: string
    readonly name: string
  }
  /** Oldest first. */
  readonly stepExecutions: ReadonlyArray<StepExecution>
}

/** One page of an offset list. */
export interface ExecutionPage {
  readonly data: ReadonlyArray<Execution>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** Numbers of executions. Those of deleted contacts stay counted, so they may have started without an end. */
export interface ExecutionSums {
  readonly started: number
  /** Executions that have not ended. */
  readonly live: number
  readonly completed: number
  readonly exited: number
  readonly failed: number
  readonly cancelled: number
  /** Executions that reached the goal. Of one version: without those of deleted contacts. */
  readonly converted: number
  /** Of the goal, by currency. */
  readonly revenue: ReadonlyArray<RevenueSum>
}

/** Config of an `EXIT` step. */
export interface ExitConfig {
  readonly reason?: string | null | undefined
}

/** The result of one variant of an experiment. */
export interface ExperimentVariant {
  /** The key of the variant, or the id of the branch. */
  readonly key: string
  /** Its mails that left, or its contacts whose time is over. */
  readonly sent: number
  readonly successes: number
  /** From 0 to 1. */
  readonly rate: number
  /** Lower end of the 95 % interval of the rate. */
  readonly low: number
  /** Upper end of the 95 % interval of the rate. */
  readonly high: number
  /** Of the difference to the best one, corrected for their number. `null` for the best one. */
  readonly pValue: number | null
}

export interface ExportContacts {
  /** Contacts that match this condition. */
  readonly condition?: FilterTree | null | undefined
  /** Members of this segment. */
  readonly segmentId?: string | null | undefined
  /** 1 to 10,000 ids; duplicates count once. */
  readonly contactIds?: ReadonlyArray<string> | null | undefined
  /** `csv`, or `ndjson`: one contact on each line. Default: `csv`. */
  readonly format?: "csv" | "ndjson" | null | undefined
}

/** One fault of a request. */
export interface Fault {
  /** Dotted path in the body, array positions as numbers (`to.0.email`); or the name of the parameter or header; empty for the whole body. */
  readonly field: string
  /** A sentence for humans. */
  readonly message: string
  readonly code: "required" | "invalid_type" | "invalid_string" | "too_small" | "too_big" | "invalid_enum" | "invalid_union" | "reserved_event" | "contact_unsubscribed" | "template_syntax" | "missing_variable" | "unknown_field" | "custom"
  /** For `invalid_type` the JSON type, otherwise the value as text, cut to 100 characters; absent for bodies, attachments and secrets. */
  readonly received?: string | undefined
  /** With `template_syntax`: line in the field, from 1. */
  readonly line?: number | undefined
  /** With `template_syntax`: column, from 1. */
  readonly column?: number | undefined
}

/** The uses of a field, or of a path below it. */
export interface FieldUsage {
  readonly field: string
  /** Segments whose condition names it. */
  readonly usedInSegments: ReadonlyArray<NamedResource>
  /** Campaigns in DRAFT, SCHEDULED or SENDING whose audience condition names it. */
  readonly usedInCampaigns: ReadonlyArray<NamedCampaign>
  /** Workflows with a CONDITION, DELAY or UPDATE_CONTACT step that names it. */
  readonly usedInWorkflows: ReadonlyArray<NamedResource>
  /** Contacts that have it. */
  readonly contactCount: number
  /** True if nothing uses the field. Always false for a standard field. */
  readonly canDelete: boolean
}

/** Distinct values of a field. */
export interface FieldValues {
  readonly field: string
  /** Distinct values, ordered as text: non-empty texts, numbers and booleans. */
  readonly values: ReadonlyArray<string | number | boolean>
  readonly count: number
  /** The limit that was applied: by default 100, at most 200. */
  readonly limit: number
}

/** A condition on contacts. At most 10 trees deep and 100 filters in all; lists have at most 1,000 entries, texts 1,000 characters. */
export interface FilterTree {
  /** How the groups are combined. */
  readonly logic?: "AND" | "OR" | undefined
  /** Without groups every contact matches. */
  readonly groups: ReadonlyArray<{
    readonly filters?: ReadonlyArray<{
      /** `email`, `externalId`, `subscribed`, `subscription`, `topic.<key>`, `topic.<key>.takes`, `snoozedUntil`, `locale`, `timezone`, `origin.source`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator. */
      readonly field: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** For events only: tests that must all hold for the data of the same event. */
      readonly where?: ReadonlyArray<{
        /** Into the data of the event, as `data.<path>`. */
        readonly path: string
        /** The possible operators depend on the field. */
        readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
        /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
        readonly value?: unknown | undefined
        /** The unit of an amount of time. */
        readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      }> | undefined
    }> | undefined
    readonly conditions?: FilterTree | undefined
  }>
}

/** One firing of a schedule. */
export interface Firing {
  readonly scheduledFor: string
  /** Executions that it started. */
  readonly started: number
  /** Contacts for which no execution started, because they may not enter again. */
  readonly blocked: number
  readonly error: string | null
}

export interface FollowUpCampaign {
  /** Which of its recipients, to whom its mail left. `NOT_OPENED`: no open at all, since the open of a machine may hide a reader. `NOT_CLICKED`, `OPENED`, `CLICKED`: by people. `NOT_CONVERTED`: no event counts for its goal. */
  readonly who: "ALL" | "NOT_OPENED" | "NOT_CLICKED" | "OPENED" | "CLICKED" | "NOT_CONVERTED"
  /** 1 to 998 characters on one line, in place of the copied subject, in all languages. */
  readonly subject?: string | null | undefined
  /** Absent: the name of the campaign and ` (Follow-up)`. */
  readonly name?: string | null | undefined
}

/** A sign-up form. */
export interface Form {
  readonly id: string
  /** Names the form in its public URL `/f/<publicId>`. */
  readonly publicId: string
  readonly projectId: string
  /** Names its events (`form.<key>.submitted`). Fixed. */
  readonly key: string
  readonly name: string
  /** A form that is not enabled answers as if it did not exist. */
  readonly enabled: boolean
  /** Rises with every change of what the form shows. */
  readonly version: number
  readonly fields: ReadonlyArray<FormField>
  /** Whether a submission asks for `subscribed`. */
  readonly subscribe: boolean
  readonly topics: ReadonlyArray<FormTopic>
  /** Up to 10 static segments that contacts join. */
  readonly segmentIds: ReadonlyArray<string>
  /** Whether a subscription must be confirmed by mail. Null: as the topics and the settings of the audience say. */
  readonly doubleOptIn: boolean | null
  readonly texts: FormTexts
  /** Texts in up to 20 other languages, by language (`de`, `pt-BR`). Absent texts are those of `texts`. */
  readonly translations: { readonly [key: string]: FormTexts }
  /** Whether the box with `consentText` must be ticked. */
  readonly consentRequired: boolean
  /** Where a browser goes after a submission; https. Null: a page of the service. */
  readonly redirectUrl: string | null
  /** Where a browser goes after the confirmation of a subscription; https. */
  readonly confirmedRedirectUrl: string | null
  /** Up to 20 origins whose pages may submit the form. Empty: any. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Whether a submission needs a ticket with a proof of work, or a second step. */
  readonly requireTicket: boolean
  /** Submissions that were stored. */
  readonly submissionCount: number
  /** Subscriptions that came of them. */
  readonly confirmedCount: number
  /** Submissions that were taken for spam. Nothing of them is stored. */
  readonly spamCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** One field of a form, beside the address. */
export interface FormField {
  /** Key in the contact's data. `locale` and `timezone` set those fields. */
  readonly key: string
  readonly label: string
  readonly type: "text" | "number" | "date" | "select" | "checkbox" | "hidden"
  readonly required: boolean
  /** Characters of a text; null for other types. */
  readonly maxLength: number | null
  /** Of a `select`; empty for other types. */
  readonly options: ReadonlyArray<string>
}

export interface FormFieldInput {
  /** Key in the contact's data, 1 to 100 characters. `locale` and `timezone` set those fields. */
  readonly key: string
  /** 1 to 200 characters. */
  readonly label: string
  /** Absent: `text`. `number`, `checkbox` and `date` are stored as number, boolean and `YYYY-MM-DD`. */
  readonly type?: "text" | "number" | "date" | "select" | "checkbox" | "hidden" | null | undefined
  /** Absent: false. */
  readonly required?: boolean | null | undefined
  /** Of `text` and `hidden`: 1 to 5,000, by default 500. */
  readonly maxLength?: number | null | undefined
  /** Of `select`: 1 to 100 texts of 1 to 100 characters. */
  readonly options?: ReadonlyArray<string> | null | undefined
}

/** The form, for a page of your own. */
export interface FormSnippet {
  /** A form for a page, which works without script. */
  readonly html: string
  /** A script that shows the form where it stands, or helps the form above. */
  readonly script: string
}

/** Somebody submitted a sign-up form. */
export interface FormSubmittedEvent {
  readonly type: `form.${string}.submitted`
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly formId: string
    readonly formKey: string
    readonly fields: { readonly [key: string]: string | number | boolean }
    /** Keys of the topics that it asked for. */
    readonly topics: ReadonlyArray<string>
    /** `pending`: the contact must confirm first. `unchanged`: there was nothing to change. */
    readonly status: "pending" | "subscribed" | "unchanged"
  }
}

/** What a form says. */
export interface FormTexts {
  /** Null: the name of the form. */
  readonly title: string | null
  readonly description: string | null
  /** Null: the text of the service. */
  readonly button: string | null
  /** Null: the text of the service. */
  readonly success: string | null
  /** What the person agrees to. With `consentRequired` the label of a box. */
  readonly consentText: string | null
}

export interface FormTextsInput {
  readonly title?: string | null | undefined
  readonly description?: string | null | undefined
  readonly button?: string | null | undefined
  readonly success?: string | null | undefined
  readonly consentText?: string | null | undefined
}

/** A topic that the form offers. */
export interface FormTopic {
  /** Key of the topic. */
  readonly key: string
  /** `always`: every submission asks for it. `choice`: a box that is not ticked. */
  readonly mode: "always" | "choice"
}

export interface FormTopicInput {
  /** Key or id of a public topic. */
  readonly key: string
  readonly mode: "always" | "choice"
}

/** The most marketing mail that a contact gets in any span of this length. A day is 24 hours. */
export interface FrequencyCap {
  /** Name of the cap, of letters, digits, `-` and `_`. */
  readonly id: string
  /** The most mails to one contact in that time. */
  readonly limit: number
  readonly amount: number
  readonly unit: "hours" | "days"
  /** Only mail of this topic counts and is limited. Null: all mail. */
  readonly topicId: string | null
}

/** Evidence of a consent, kept with its record. The public key may give `wording` and `language` alone. A grant that changes nothing is recorded too. */
export interface GivenConsent {
  /** Why mail may be sent, in the caller's own word, such as `consent` or `contract`; never interpreted. */
  readonly basis?: string | null | undefined
  /** The text that the person saw, at most 4,000 characters. */
  readonly wording?: string | null | undefined
  /** The language of the wording. */
  readonly language?: string | null | undefined
  /** When the person agreed: past, at most 20 years ago. Absent: now. */
  readonly at?: string | null | undefined
  /** Stored as the settings of the audience say; dropped by default. */
  readonly ip?: string | null | undefined
  /** Stored as the settings of the audience say; dropped by default. */
  readonly userAgent?: string | null | undefined
  /** Any JSON, at most 4 KB. */
  readonly evidence?: unknown | undefined
}

export interface GivenToken {
  /** The token of the link in the email; it works once. */
  readonly token: string
}

/** The process is alive. */
export interface Health {
  readonly status: "ok"
  readonly time: string
  /** Whole seconds since the start. */
  readonly uptime: number
  readonly version: string
}

/** One requirement of mailbox providers. */
export interface HealthCheck {
  readonly id: "dkim" | "dkim_key" | "alignment" | "spf" | "dmarc_record" | "dmarc_policy" | "dmarc_reports" | "one_click" | "complaint_rate" | "bounce_rate" | "volume" | "authentication" | "tls" | "reverse_dns" | "replies" | "bimi"
  /** `FAIL`: providers refuse mail because of it. `WARN`: it can be better. `UNKNOWN`: DNS did not answer, or there is too little mail. `NONE`: it is optional, and not there. */
  readonly status: "PASS" | "WARN" | "FAIL" | "UNKNOWN" | "NONE"
  /** The mailbox providers that require it of bulk senders. */
  readonly requiredBy: ReadonlyArray<"GMAIL" | "YAHOO" | "OUTLOOK">
  /** What was found, at most 5 values of 1,000 characters. */
  readonly found: ReadonlyArray<string>
  /** What to do; empty if there is nothing to do. */
  readonly advice: string
}

/** A further id of the person. */
export interface HeldAlias {
  readonly alias: string
  /** Whether a server made it, and not a page with the public key. */
  readonly verified: boolean
  readonly createdAt: string
}

/** What the person was assigned to by chance. */
export interface HeldAssignment {
  readonly campaignId: string | null
  /** The variant of the campaign that the person got. */
  readonly variant: string | null
  /** Whether the person is held out of the campaign. */
  readonly heldOut: boolean
  readonly workflowId: string | null
  /** A `SPLIT` step. */
  readonly stepId: string | null
  /** The branch of the step that the person took. */
  readonly branch: string | null
}

/** An event of the person. */
export interface HeldEvent {
  readonly id: string
  readonly name: string
  readonly emailId: string | null
  readonly source: "tracked" | "system"
  readonly data: unknown
  readonly createdAt: string
  readonly occurredAt: string
}

/** An ingested message that waits under an id of the person. */
export interface HeldMessage {
  readonly id: string
  readonly personId: string
  readonly content: unknown
  readonly receivedAt: string
}

/** A segment that contains the person. */
export interface HeldSegment {
  readonly id: string
  readonly name: string
}

/** Why a mail waits before its first attempt, and until when. */
export interface Hold {
  /** Why it waits. `QUIET_HOURS`: of the project, in the time zone that they name. `FREQUENCY_CAP`: the contact got as much mail as the project allows. `CAMPAIGN_TIMING`: the `delivery` of its campaign. `WARMUP`: of the sender domain. `PAUSED`: the campaign. `PROVIDER_LIMIT`: the mailbox provider of the recipient takes less mail now. */
  readonly reason: "QUIET_HOURS" | "FREQUENCY_CAP" | "CAMPAIGN_TIMING" | "WARMUP" | "PAUSED" | "PROVIDER_LIMIT"
  /** When it may be sent. Null if that is not known: while its campaign is paused, or a mailbox provider takes less mail. */
  readonly until: string | null
}

/** One page of a cursor list. */
export interface ImagePage {
  readonly data: ReadonlyArray<StoredImage>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** The result of a dry run: what the import of the same file would do now. */
export interface ImportCheck {
  /** Rows read so far. */
  readonly totalRows: number
  /** Contacts that the import would create. */
  readonly wouldCreate: number
  /** Rows of contacts that would exist by then, changed or not. */
  readonly wouldUpdate: number
  /** Contacts that would be asked to confirm by mail. */
  readonly pendingCount: number
  readonly failureCount: number
  /** Faulty rows in the order of the file, at most 1000. */
  readonly errors: ReadonlyArray<{
    /** Line in the file on which the row begins; the header is line 1. */
    readonly row: number
    /** As given, cut to 100 characters. */
    readonly email: string
    readonly error: string
  }>
  /** Whether there are more faulty rows than listed. */
  readonly errorsTruncated: boolean
}

/** An import of contacts. Kept for 30 days. */
export interface ImportJob {
  readonly id: string
  readonly type: "import"
  readonly state: "waiting" | "active" | "completed" | "failed" | "cancelled"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while the job waits; the counts so far while it is active. */
  readonly result: ImportResult | ImportCheck | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Whether it only checks the file and changes no contact. */
  readonly dryRun: boolean
  /** The id that the caller gave to the parts of one file. */
  readonly groupId: string | null
}

/** One page of a cursor list. */
export interface ImportPage {
  readonly data: ReadonlyArray<ImportSummary>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** The result of an import. */
export interface ImportResult {
  /** Rows read so far: `successCount` and `failureCount` together. */
  readonly totalRows: number
  readonly successCount: number
  readonly createdCount: number
  /** Rows of existing contacts, changed or not. */
  readonly updatedCount: number
  /** Contacts that were asked to confirm by mail. */
  readonly pendingCount: number
  readonly failureCount: number
  /** Faulty rows in the order of the file, at most 1000. */
  readonly errors: ReadonlyArray<{
    /** Line in the file on which the row begins; the header is line 1. */
    readonly row: number
    /** As given, cut to 100 characters. */
    readonly email: string
    readonly error: string
  }>
  /** Whether there are more faulty rows than listed. */
  readonly errorsTruncated: boolean
}

/** An import without its faulty rows. */
export interface ImportSummary {
  readonly id: string
  readonly type: "import"
  readonly state: "waiting" | "active" | "completed" | "failed" | "cancelled"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while the job waits; the counts so far while it is active. */
  readonly result: {
    /** Rows read so far: `successCount` and `failureCount` together. */
    readonly totalRows: number
    readonly successCount: number
    readonly createdCount: number
    /** Rows of existing contacts, changed or not. */
    readonly updatedCount: number
    /** Contacts that were asked to confirm by mail. */
    readonly pendingCount: number
    readonly failureCount: number
  } | {
    /** Rows read so far. */
    readonly totalRows: number
    /** Contacts that the import would create. */
    readonly wouldCreate: number
    /** Rows of contacts that would exist by then, changed or not. */
    readonly wouldUpdate: number
    /** Contacts that would be asked to confirm by mail. */
    readonly pendingCount: number
    readonly failureCount: number
  } | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** Whether it only checks the file and changes no contact. */
  readonly dryRun: boolean
  /** The id that the caller gave to the parts of one file. */
  readonly groupId: string | null
}

/** An inbound mail. */
export interface InboundMail {
  readonly from: string
  readonly fromName?: string | null | undefined
  /** One address or several; each whose domain is verified gets the mail. */
  readonly to?: string | ReadonlyArray<string> | null | undefined
  readonly subject?: string | null | undefined
  readonly text?: string | null | undefined
  readonly html?: string | null | undefined
  readonly date?: string | null | undefined
  readonly attachments?: ReadonlyArray<{
    readonly filename?: string | null | undefined
    readonly contentType?: string | null | undefined
    readonly size?: number | null | undefined
  }> | null | undefined
  readonly messageId?: string | null | undefined
  /** Result of SPF, in the terms of RFC 8601 or of the provider. */
  readonly spf?: string | null | undefined
  /** Result of DKIM. */
  readonly dkim?: string | null | undefined
  /** Result of DMARC. A project with `rejectDmarcFailures` gets no event for mail with `fail`. */
  readonly dmarc?: string | null | undefined
  readonly spam?: string | boolean | number | null | undefined
}

export type InsertStep = ({
  readonly type: "SEND_EMAIL"
  readonly config?: SendEmailConfig | undefined
} | {
  readonly type: "DELAY"
  readonly config: DelayConfig
} | {
  readonly type: "WAIT_FOR_EVENT"
  readonly config: WaitConfig
} | {
  readonly type: "CONDITION"
  readonly config: ConditionConfig
} | {
  readonly type: "SPLIT"
  readonly config: SplitConfig
} | {
  readonly type: "TIME_WINDOW"
  readonly config: TimeWindowConfig
} | {
  readonly type: "RATE_LIMIT"
  readonly config: RateLimitConfig
} | {
  readonly type: "WEBHOOK"
  readonly config: WebhookConfig
} | {
  readonly type: "UPDATE_CONTACT"
  readonly config?: UpdateContactConfig | undefined
} | {
  readonly type: "EXIT"
  readonly config?: ExitConfig | undefined
}) & {
  /** 1 to 100 characters on one line; default: the type in words. */
  readonly name?: string | null | undefined
  /** Default: below the last step. */
  readonly position?: Position | null | undefined
  /** Only for `SEND_EMAIL`; may be in `config` instead. */
  readonly templateId?: string | null | undefined
}

/** The mail of a campaign. */
export interface IntendedMail {
  /** Marketing and headless mail reaches only subscribed contacts that have not snoozed. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Id or key of the topic of the mail. Contacts that do not take it are excluded. */
  readonly topic?: string | null | undefined
}

/** An open invitation. */
export interface Invitation {
  readonly id: string
  /** `OWNERSHIP` offers the project to a member. `MEMBERSHIP` is an invitation to become a member. */
  readonly kind: "MEMBERSHIP" | "OWNERSHIP"
  readonly email: string
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  /** Null for an invitation with the secret key, or by a deleted account. */
  readonly invitedBy: string | null
  readonly expiresAt: string
  readonly createdAt: string
}

/** Open invitations, oldest first. */
export interface InvitationList {
  readonly success: true
  readonly data: ReadonlyArray<Invitation>
}

/** An invitation as its recipient sees it. */
export interface InvitationView {
  readonly success: true
  readonly data: {
    /** `OWNERSHIP` offers the project to a member. `MEMBERSHIP` is an invitation to become a member. */
    readonly kind: "MEMBERSHIP" | "OWNERSHIP"
    readonly projectName: string
    readonly email: string
    readonly role: "OWNER" | "ADMIN" | "MEMBER"
    readonly expiresAt: string
    /** Whether the address already has an account. */
    readonly hasAccount: boolean
  }
}

export interface InviteMember {
  readonly email: string
  /** Default `MEMBER`. */
  readonly role?: "ADMIN" | "MEMBER" | null | undefined
}

/** The invitation that was sent. */
export interface InvitedMember {
  readonly success: true
  readonly data: PendingMember
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** An invoice of the payment provider. */
export interface Invoice {
  readonly id: string
  readonly number: string | null
  /** The status at the payment provider: `open`, `paid`, `void`... */
  readonly status: string | null
  /** The amount to pay, in the smallest unit of the currency. */
  readonly amountDue: number
  /** The paid amount, in the smallest unit of the currency. */
  readonly amountPaid: number
  readonly currency: string
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly dueAt: string | null
  /** Page of the invoice at the payment provider. */
  readonly url: string | null
  readonly pdfUrl: string | null
  readonly createdAt: string
}

/** A job was queued. */
export interface JobQueued {
  readonly message: string
  /** Id of the job, with which its progress can be read. */
  readonly jobId: string
}

/** The clicks on one link. */
export interface LinkClicks {
  /** The URL as written, with its placeholders. One entry for all URLs that it is rendered to. */
  readonly url: string
  /** The text of the link, at most 100 characters; for an image its alternative text. */
  readonly text: string
  /** Its position in the text, from 1. */
  readonly position: number
  readonly clicks: number
  /** Mails in which it was clicked. */
  readonly uniqueClicks: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Mails in which a person clicked it. */
  readonly humanClicked: number
}

/** The host of the links in mail from this domain. */
export interface LinkHost {
  readonly host: string
  /** `PENDING`: its CNAME or certificate is not valid yet. `ACTIVE`: links of new mail use it. `FAILING`: three checks in a row failed, and new mail uses the public URL. */
  readonly status: "PENDING" | "ACTIVE" | "FAILING"
  readonly checkedAt: string | null
  readonly lastError: string | null
}

/** A workflow without its graph. */
export interface ListedWorkflow {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType: "EVENT" | "MANUAL" | "SCHEDULE"
  /** `EVENT`: `{eventName}`, and `where`, `verdict`, `condition` and `entryKey` if they are set. `MANUAL`: `{}`. `SCHEDULE`: `schedule`, `timezone`, and `segmentId` or `audienceType`. */
  readonly triggerConfig: { readonly [key: string]: unknown }
  readonly enabled: boolean
  /** Whether a contact may enter again after its execution ended; never while one is active. */
  readonly allowReentry: boolean
  /** A contact may enter again so many hours after the start of its last execution. `null`: at once. */
  readonly reentryAfterHours: number | null
  readonly goal: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null
  /** In the order in which they are tried. */
  readonly exitRules: ReadonlyArray<{
    /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
    readonly id: string
    /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
    readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
    /** Of `EVENT`. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** Of `LEFT_SEGMENT`. */
    readonly segmentId?: string | null | undefined
    /** Of `TOPIC_OFF`: the id or the key of a topic. */
    readonly topicId?: string | null | undefined
  }>
  /** Next firing of an enabled `SCHEDULE` workflow. */
  readonly nextRunAt: string | null
  /** `LIVE`: edits act on the graph that runs. `PUBLISHED`: edits act on a draft; executions stay on the version with which they started. */
  readonly versioning: "LIVE" | "PUBLISHED"
  /** Of a `PUBLISHED` workflow, the version that new executions start with. */
  readonly publishedVersion: number | null
  /** Of a `PUBLISHED` workflow. */
  readonly draft: WorkflowDraft | null
  readonly _count: {
    /** The TRIGGER counts too. */
    readonly steps: number
    readonly executions: number
    /** Executions that are RUNNING or WAITING. */
    readonly activeExecutions: number
  }
  readonly createdAt: string
  readonly updatedAt: string
}

/** New entries of the activity feed. */
export interface LiveActivity {
  /** The newest, at most 50; newest first. */
  readonly entries: ReadonlyArray<ActivityEntry>
  /** Entries that happened meanwhile and are left out, counted up to 10,000. */
  readonly skipped: number
}

/** A campaign whose state changed, or whose counters changed while it is sent. */
export interface LiveCampaign {
  readonly id: string
  /** `DRAFT`, `SCHEDULED`: the campaign can be changed. `SENDING`: the audience is fixed and its mails are being sent. `SENT`: no mail waits or is being sent any more. `CANCELLED`: a caller or the service stopped it. */
  readonly status: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED"
  readonly paused: boolean
  /** Size of the audience; 0 until all of its mails are created. */
  readonly totalRecipients: number
  /** Mails that were sent, including those that bounced. */
  readonly sentCount: number
  readonly deliveredCount: number
  /** Mails with at least one open. */
  readonly openedCount: number
  /** Mails with at least one click. */
  readonly clickedCount: number
  readonly bouncedCount: number
  readonly complainedCount: number
  /** Recipients who unsubscribed through a link of their mail. */
  readonly unsubscribedCount: number
  readonly failedCount: number
  /** Mails that were not sent because the recipient is suppressed, or did not take them any more. */
  readonly suppressedCount: number
  readonly cancelledCount: number
}

/** A sender domain that was added, or whose status changed. */
export interface LiveDomain {
  readonly id: string
  readonly status: "PENDING" | "VERIFIED"
}

/** A server-sent event. `data` is JSON: `LiveActivity`, `LiveCampaign`, `LiveJob`, `LiveDomain`, `LiveProject` or `LiveReset`, by `event`. `id` is the position of the stream. */
export type LiveEvent = {
  readonly id?: string | undefined
  readonly event: "activity"
  readonly data: LiveActivity
} | {
  readonly id?: string | undefined
  readonly event: "campaign"
  readonly data: LiveCampaign
} | {
  readonly id?: string | undefined
  readonly event: "job"
  readonly data: LiveJob
} | {
  readonly id?: string | undefined
  readonly event: "domain"
  readonly data: LiveDomain
} | {
  readonly id?: string | undefined
  readonly event: "project"
  readonly data: LiveProject
} | {
  readonly id?: string | undefined
  readonly event: "reset"
  readonly data: LiveReset
}

/** A job that was queued, progressed or ended. */
export interface LiveJob {
  readonly id: string
  /** What the job does, as `import`. */
  readonly type: string
  readonly state: "waiting" | "active" | "completed" | "failed"
  /** Percent, 0 to 100. */
  readonly progress: number
}

/** The project was disabled, enabled or reset. */
export interface LiveProject {
  readonly disabled: boolean
  /** Why it is disabled. */
  readonly reason: "PAYMENT_FAILED" | "EMAIL_REPUTATION" | "PHISHING_DETECTED" | "MANUAL" | null
  /** Whether its data is being deleted. */
  readonly resetting: boolean
}

/** The position is unknown or older than 10 minutes, so changes may be missing: read everything again. */
export type LiveReset = { readonly [key: string]: unknown }

/** The wall clock of `scheduledFor`, in the time zone of the project, holds for every recipient in its own time zone. */
export interface LocalTime {
  /** What happens where that time has passed when sending starts: `NEXT_DAY` sends at that time of the next day. */
  readonly passed: "SEND_NOW" | "NEXT_DAY"
}

/** The user who is now logged in. The session is in the cookie. */
export interface LoggedIn {
  readonly success: true
  readonly data: {
    readonly id: string
    readonly email: string
  }
}

export interface Login {
  readonly email: string
  readonly password: string
}

export interface LookupContacts {
  /** 1 to 500 addresses, in any spelling. Required without `externalIds`. */
  readonly emails?: ReadonlyArray<string> | null | undefined
  /** 1 to 500 ids of the caller. */
  readonly externalIds?: ReadonlyArray<string> | null | undefined
}

/** Which rules of `/settings/sending` its mail follows. */
export interface MailPolicy {
  /** `BYPASS`: its mail is also sent in the quiet hours of the project. */
  readonly quietHours: "APPLY" | "BYPASS"
  /** `BYPASS`: its mail is also sent above the frequency caps, and counts for them. */
  readonly frequencyCaps: "APPLY" | "BYPASS"
}

/** The member after the change. */
export interface MemberAnswer {
  readonly success: true
  readonly data: ActiveMember
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Members, oldest first, then open invitations. */
export interface MemberList {
  readonly success: true
  readonly data: ReadonlyArray<ActiveMember | PendingMember>
}

export interface MergeContact {
  /** The contact that goes, by its id. */
  readonly contactId?: string | null | undefined
  /** The contact that goes, by the caller's own id. */
  readonly externalId?: string | null | undefined
  /** The contact that goes, by its address. */
  readonly email?: string | null | undefined
  /** `true`: count what would move, and change nothing. */
  readonly dryRun?: boolean | null | undefined
}

/** The contacts are one. */
export interface MergedContact {
  /** The contact that stays. */
  readonly contact: Contact
  /** What moved from the contact that goes. */
  readonly merged: {
    readonly events: number
    readonly emails: number
    readonly executions: number
    /** Static segments that it joins. */
    readonly memberships: number
  }
}

export interface MigrateExecutions {
  readonly toVersion: number
  /** Numbers of versions, or `ALL`: every other version with live executions. */
  readonly fromVersions: "ALL" | ReadonlyArray<number>
  /** Where executions go on, by the id of their step. A step that the target version has maps to itself. */
  readonly mapping?: { readonly [key: string]: string } | null | undefined
  /** What becomes of executions at other steps. */
  readonly unmapped?: "STAY" | "EXIT" | null | undefined
  /** Counts, and moves nothing. */
  readonly dryRun?: boolean | null | undefined
}

/** An amount in a currency. */
export interface Money {
  readonly amount: number
  readonly currency: string
}

/** A campaign by id and name, and its state. */
export interface NamedCampaign {
  readonly id: string
  readonly name: string
  readonly status: string
}

/** A resource by id and name. */
export interface NamedResource {
  readonly id: string
  readonly name: string
}

/** A route without conditions is the project's default. */
export interface NewTransportRoute {
  /** Domain of the From address. */
  readonly senderDomain?: string | null | undefined
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
  readonly sourceType?: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | null | undefined
  /** 1 to 5 transports, in order of failover. */
  readonly transportIds: ReadonlyArray<string>
  /** Whether the transports of the installation are used if these fail. Otherwise mail waits until one of these works. Default true. */
  readonly fallbackToServer?: boolean | null | undefined
}

/** Something the service needs is missing, or it is shutting down. */
export interface NotReady {
  readonly status: "not_ready"
  readonly checks: {
    readonly database: "ok" | "failed" | "skipped"
    readonly migrations: "ok" | "failed" | "skipped"
    readonly storage: "ok" | "failed" | "skipped"
    readonly workers: "ok" | "failed" | "skipped"
    readonly mailer: "ok" | "failed" | "skipped"
    /** `degraded`: in the last minute the event loop of this process was once late by more than 1 second, or late by more than 100 ms at the 99th percentile. The service stays ready. */
    readonly eventLoop: "ok" | "degraded" | "skipped"
  }
  /** What remains of migrations. Absent if nothing remains. The service stays ready. */
  readonly unfinishedMigrations?: ReadonlyArray<UnfinishedMigration> | undefined
}

/** One event about one mail. */
export interface Notification {
  /** Unique id; an event that is sent again is not applied. */
  readonly id: string
  readonly type: "delivery" | "bounce" | "complaint" | "deferral" | "open" | "click" | "rejected" | "inbound"
  /** Id of the mail, as in its header `X-Posthorn-Email-Id`; this or `messageId`, except for `inbound`. */
  readonly emailId?: string | null | undefined
  /** Message-ID with or without brackets, or the id that the provider gave the mail when it accepted it. */
  readonly messageId?: string | null | undefined
  /** If it is not the recipient of the mail, the event is ignored. */
  readonly recipient?: string | null | undefined
  /** When it happened; the future counts as now. */
  readonly timestamp: string
  /** Absent: derived from `status` and `diagnostic`. */
  readonly bounceType?: "Permanent" | "Transient" | "Undetermined" | null | undefined
  /** Enhanced status code (RFC 3463): `5.1.1`. */
  readonly status?: string | null | undefined
  /** The reply of the server. */
  readonly diagnostic?: string | null | undefined
  readonly feedbackType?: "abuse" | "fraud" | "virus" | "not-spam" | "other" | null | undefined
  readonly link?: string | null | undefined
  /** Only used to recognise bots; it is not stored. */
  readonly userAgent?: string | null | undefined
  /** As `userAgent`. */
  readonly ip?: string | null | undefined
  /** With `inbound`: the mail. */
  readonly mail?: InboundMail | null | undefined
}

/** 1 to 1,000 events. The body may also be a single event. */
export interface Notifications {
  readonly events: ReadonlyArray<Notification>
}

/** The results of the events. */
export interface NotificationsAnswer {
  readonly success: true
  readonly data: Tally
}

/** The identity providers of this deployment. */
export interface OauthConfig {
  readonly success: true
  readonly data: {
    readonly github: boolean
    readonly google: boolean
    readonly oidc?: boolean | undefined
  }
}

/** `SKIP`: the mail is not sent. `WAIT`: it waits until the cap allows it, at most `maxWaitHours`. */
export interface OnCap {
  /** What happens to mail of a campaign above a cap. */
  readonly campaigns: "SKIP" | "WAIT"
  /** What happens to mail of a workflow above a cap. */
  readonly workflows: "SKIP" | "WAIT"
}

/** A request to confirm a subscription. */
export interface OptIn {
  readonly id: string
  /** Null once the contact is gone. */
  readonly contactId: string | null
  /** Null once the contact is gone, or has declined. */
  readonly email: string | null
  /** `PENDING` waits for the contact. `DECLINED`: it was not the owner of the address. `CANCELLED`: unsubscribed, deleted or moved to another address meanwhile, or ended by a call. */
  readonly status: "PENDING" | "CONFIRMED" | "DECLINED" | "EXPIRED" | "CANCELLED"
  /** Whether it asks for `subscribed`. */
  readonly subscribe: boolean
  /** Keys of the topics that it asks for. */
  readonly topics: ReadonlyArray<string>
  /** What asked. */
  readonly source: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
  readonly formId: string | null
  /** How many confirmation mails were stored. */
  readonly mailsSent: number
  readonly lastMailAt: string | null
  /** The confirmation mails, oldest first. */
  readonly emailIds: ReadonlyArray<string>
  readonly requestedAt: string
  /** From then on its links do nothing. Asking again moves it. */
  readonly expiresAt: string
  /** When it ended. */
  readonly settledAt: string | null
}

/** One page of a cursor list. */
export interface OptInPage {
  readonly data: ReadonlyArray<OptIn>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** Clicks on URLs that consist of one value, and on links after the first 500. */
export interface OtherClicks {
  readonly clicks: number
  /** Mails in which it was clicked. */
  readonly uniqueClicks: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Mails in which a person clicked it. */
  readonly humanClicked: number
}

/** Results of its mail. Each count includes a mail once; counts stay when mails are deleted. */
export interface OwnerResults {
  readonly sent: number
  readonly delivered: number
  readonly opened: number
  readonly clicked: number
  readonly bounced: number
  readonly complained: number
  readonly failed: number
  /** Mails that only bots opened. */
  readonly machineOpened: number
  /** Mails whose links only bots followed. */
  readonly machineClicked: number
  /** Percentage of the mails sent, with one decimal. */
  readonly openRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly clickRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly bounceRate: number
  /** When counting started. */
  readonly since: string
}

/** A piece of mail that several templates and campaigns include. */
export interface Partial {
  readonly id: string
  readonly projectId: string
  /** Its name in texts: `{{> name}}`. */
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  /** The HTML for `{{> name}}`. */
  readonly body: string
  /** The text for `{{> name}}` in text parts. */
  readonly text: string | null
  /** The live version, which is sent. */
  readonly version: number
  /** The draft, if there is one. */
  readonly draft: {
    /** The version that was live when the draft was stored. */
    readonly basedOn: number
    readonly updatedAt: string
  } | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** Texts of a partial that are not published yet. */
export interface PartialDraft {
  /** The HTML for `{{> name}}`. */
  readonly body: string
  /** The text for `{{> name}}` in text parts. */
  readonly text: string | null
  /** The version that was live when the draft was stored. */
  readonly basedOn: number
  readonly updatedAt: string
  /** The faults that prevent its publication, at most 50. */
  readonly problems: ReadonlyArray<Fault>
}

/** One page of an offset list. */
export interface PartialPage {
  readonly data: ReadonlyArray<Partial>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** The templates, partials and campaigns that use the partial. */
export interface PartialUsage {
  readonly templates: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  readonly partials: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  /** Campaigns whose sending has not started. */
  readonly campaigns: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
  }>
  /** False while something uses it. */
  readonly canDelete: boolean
}

/** A version of a partial, without its texts. */
export interface PartialVersion {
  readonly version: number
  /** Whether it is the version that is sent. */
  readonly live: boolean
  readonly createdAt: string
  readonly actor: VersionActor
  /** The version whose content it has, if it was restored. */
  readonly restoredFrom: number | null
}

/** One page of an offset list. */
export interface PartialVersionPage {
  readonly data: ReadonlyArray<PartialVersion>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** A passkey of the user. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** The result of `navigator.credentials.get()` as JSON; other fields are ignored. */
export interface PasskeyAssertion {
  /** Id of the credential, base64url. */
  readonly id: string
  /** Id of the credential, base64url. */
  readonly rawId: string
  readonly type: "public-key"
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

/** For `navigator.credentials.create()`, by `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export interface PasskeyCreation {
  /** Valid once, for five minutes. */
  readonly challenge: string
  readonly rp: {
    readonly id: string
    readonly name: string
  }
  readonly user: {
    readonly id: string
    readonly name: string
    readonly displayName: string
  }
  readonly pubKeyCredParams: ReadonlyArray<{
    readonly type: "public-key"
    readonly alg: number
  }>
  /** Milliseconds. */
  readonly timeout: number
  readonly attestation: "none"
  readonly authenticatorSelection: {
    readonly residentKey: "preferred"
    readonly requireResidentKey: boolean
    readonly userVerification: "preferred"
  }
  readonly excludeCredentials: ReadonlyArray<{
    readonly type: "public-key"
    readonly id: string
    readonly transports: ReadonlyArray<string>
  }>
}

export interface PasskeyLogin {
  readonly response: PasskeyAssertion
  /** The token of a login that needs a second factor. Without it, the authenticator must have verified its user. */
  readonly token?: string | undefined
}

/** The result of `navigator.credentials.create()` as JSON; other fields are ignored. */
export interface PasskeyRegistration {
  /** Id of the credential, base64url. */
  readonly id: string
  /** Id of the credential, base64url. */
  readonly rawId: string
  readonly type: "public-key"
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: ReadonlyArray<string> | undefined
  }
}

/** For `navigator.credentials.get()`, by `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export interface PasskeyRequest {
  /** Valid once, for five minutes. */
  readonly challenge: string
  readonly rpId: string
  /** Milliseconds. */
  readonly timeout: number
  readonly userVerification: "preferred" | "required"
  readonly allowCredentials: ReadonlyArray<{
    readonly type: "public-key"
    readonly id: string
    readonly transports: ReadonlyArray<string>
  }>
}

/** An event of the payment provider. */
export interface PaymentEvent {
  readonly id: string
  readonly type: string
}

/** The event is recorded. */
export interface PaymentsAnswer {
  readonly success: true
}

/** A person who was invited and has not accepted yet. */
export interface PendingMember {
  readonly userId: null
  readonly invitationId: string
  readonly email: string
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  readonly status: "PENDING"
  readonly expiresAt: string
}

/** All stored data about one person. */
export interface PersonalData {
  readonly exportedAt: string
  readonly contact: Contact
  /** Oldest first. */
  readonly events: ReadonlyArray<HeldEvent>
  /** Records of mail to the person, oldest first. */
  readonly emails: ReadonlyArray<Email>
  readonly segments: ReadonlyArray<HeldSegment>
  readonly executions: ReadonlyArray<unknown>
  /** Goals of workflows and campaigns that the person reached, oldest first. */
  readonly conversions: ReadonlyArray<unknown>
  /** Variants and holdouts of campaigns, then branches of `SPLIT` steps. */
  readonly assignments: ReadonlyArray<HeldAssignment>
  /** Mails of the last 30 days that count for frequency caps, newest first. */
  readonly frequency: ReadonlyArray<CountedEmail>
  /** What the person was asked to confirm, newest first. */
  readonly optIns: ReadonlyArray<OptIn>
  readonly suppression: Suppression | null
  /** Records of consent, oldest first. */
  readonly consents: ReadonlyArray<Consent>
  /** Further ids of the person, oldest first. */
  readonly aliases: ReadonlyArray<HeldAlias>
  /** Ingested messages that wait until their id is tied to a contact, oldest first. */
  readonly heldMessages: ReadonlyArray<HeldMessage>
  /** Ids of contacts that this one has taken the place of. */
  readonly mergedIds: ReadonlyArray<string>
  /** What the person asked about their data, newest first. */
  readonly privacyRequests: ReadonlyArray<PrivacyRequest>
}

/** An error without envelope: a required field is missing, or the body is not JSON. */
export interface PlainError {
  readonly error: string
}

/** Position of the step in a drawing of the workflow. */
export interface Position {
  readonly x: number
  readonly y: number
}

/** The preference page as a recipient sees it. */
export interface PreferencesPreview {
  /** The page without its form: nothing in it changes anything. */
  readonly html: string
  /** The language of the page. */
  readonly language: string
}

export interface PreviewPreferences {
  /** In place of the stored settings. */
  readonly pages?: {
    readonly name?: string | null | undefined
    readonly logoUrl?: string | null | undefined
    /** `#rrggbb`. */
    readonly color?: string | null | undefined
    readonly websiteUrl?: string | null | undefined
    readonly privacyUrl?: string | null | undefined
    readonly imprintUrl?: string | null | undefined
    /** Your own page for the preferences of recipients. */
    readonly preferencesUrl?: string | null | undefined
    /** Up to 10 origins whose pages may frame the preference page. */
    readonly embedOrigins?: ReadonlyArray<string> | undefined
    /** Whether the page offers to pause mail for a time. */
    readonly snooze?: boolean | undefined
    /** Whether the page offers the language of mail. */
    readonly language?: boolean | undefined
  } | undefined
  /** In place of the stored settings. */
  readonly selfService?: {
    /** Whether recipients can ask for their data. */
    readonly export?: boolean | undefined
    /** Whether recipients can ask for erasure, or erase themselves. */
    readonly erasure?: "off" | "request" | "automatic" | undefined
  } | undefined
  /** Such as `de`. Default: that of the contact, else of the project. */
  readonly language?: string | undefined
  /** As this contact sees the page. Absent: as a subscribed contact that said nothing about topics. */
  readonly contactId?: string | undefined
}

/** A request of a recipient about their data. */
export interface PrivacyRequest {
  readonly id: string
  /** `EXPORT`: a copy of the data. `ERASURE`: their deletion. */
  readonly type: "EXPORT" | "ERASURE"
  /** `UNCONFIRMED` waits for the link in the mail to the contact. `OPEN`: a confirmed erasure waits for you. `EXPIRED`: not confirmed within 24 hours. */
  readonly status: "UNCONFIRMED" | "OPEN" | "DONE" | "REFUSED" | "EXPIRED"
  /** Null once the person is erased. */
  readonly contactId: string | null
  /** The address that got the mail. Null once the person is erased. */
  readonly email: string | null
  readonly requestedAt: string
  readonly confirmedAt: string | null
  /** 30 days after the confirmation of an erasure that waits for you. */
  readonly dueAt: string | null
  /** When it was done or refused. */
  readonly completedAt: string | null
  /** Why it was refused, as mailed to the person. */
  readonly note: string | null
}

/** One page of a cursor list. */
export interface PrivacyRequestPage {
  readonly data: ReadonlyArray<PrivacyRequest>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** A project and its settings. */
export interface Project {
  readonly id: string
  readonly name: string
  /** The public key. */
  readonly public: string
  /** The last four characters of the secret key. */
  readonly secretHint: string
  /** The role of the user of the session. */
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  readonly disabled: boolean
  readonly disabledReason: "PAYMENT_FAILED" | "EMAIL_REPUTATION" | "PHISHING_DETECTED" | "MANUAL" | null
  readonly disabledAt: string | null
  readonly tracking: "ENABLED" | "DISABLED" | "MARKETING_ONLY"
  /** Language of footers and pages if the contact has none. */
  readonly language: string
  /** IANA name. */
  readonly timezone: string
  /** For mail whose delivery is uncertain: `retry` sends it again, `hold` does not. */
  readonly ambiguousPolicy: {
    readonly transactional: "retry" | "hold"
    readonly bulk: "retry" | "hold"
  }
  /** The attempts whose SMTP dialogue is stored: `FAILURES` (default) every attempt that was not accepted, `ALL` every attempt, `NONE` none. */
  readonly smtpDialogue: "FAILURES" | "ALL" | "NONE"
  readonly publicKeyPolicy: PublicKeyPolicy
  /** Emails a second. Null: the default of the server. */
  readonly sendRatePerSecond: number | null
  /** Whether only members with two-factor authentication have access. Keys are not affected. */
  readonly requireTwoFactor: boolean
  /** Whether inbound mail that fails DMARC is rejected. The mail listener answers it with 550 5.7.26; mail that a provider reports gets no `email.received` event. */
  readonly rejectDmarcFailures: boolean
  /** True while its data is being deleted. */
  readonly resetting: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** A change of the project, and who made it. */
export interface ProjectAuditEntry {
  /** Opaque, and unique in the list. */
  readonly id: string
  readonly at: string
  /** What happened, such as `member.added`. More actions may follow. */
  readonly action: string
  /** `user`: a member with a session. `key`: a caller with the secret key or an API key. `host`: a user of the application that embeds the service, with the id in `details.user`. `operator`: who runs the installation. `service`: the service itself. */
  readonly actor: "user" | "key" | "host" | "operator" | "service"
  /** The member who made the change. `null` for other actors. */
  readonly user: {
    readonly id: string
    /** `null` once the account is deleted. */
    readonly email: string | null
  } | null
  /** The API key of the caller, with the name that it had then. `null` for the secret key. */
  readonly apiKey: {
    readonly id: string
    readonly name: string
  } | null
  /** Ids, names and settings that the change is about. Never an address or the text of a mail. */
  readonly details: { readonly [key: string]: unknown }
}

/** One page of a cursor list. */
export interface ProjectAuditPage {
  readonly data: ReadonlyArray<ProjectAuditEntry>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** On the first page the number of entries, at most 10000; 0 on later ones. */
  readonly total: number
}

/** The project was disabled. */
export interface ProjectDisabledEvent {
  readonly type: "project.disabled"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** Why the project is, or was, disabled. */
    readonly reason: string | null
  }
}

/** The project was enabled again. */
export interface ProjectEnabledEvent {
  readonly type: "project.enabled"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** Why the project is, or was, disabled. */
    readonly reason: string | null
  }
}

/** A project and its secret key. */
export interface ProjectWithSecret {
  readonly id: string
  readonly name: string
  /** The public key. */
  readonly public: string
  /** The last four characters of the secret key. */
  readonly secretHint: string
  /** The role of the user of the session. */
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  readonly disabled: boolean
  readonly disabledReason: "PAYMENT_FAILED" | "EMAIL_REPUTATION" | "PHISHING_DETECTED" | "MANUAL" | null
  readonly disabledAt: string | null
  readonly tracking: "ENABLED" | "DISABLED" | "MARKETING_ONLY"
  /** Language of footers and pages if the contact has none. */
  readonly language: string
  /** IANA name. */
  readonly timezone: string
  /** For mail whose delivery is uncertain: `retry` sends it again, `hold` does not. */
  readonly ambiguousPolicy: {
    readonly transactional: "retry" | "hold"
    readonly bulk: "retry" | "hold"
  }
  /** The attempts whose SMTP dialogue is stored: `FAILURES` (default) every attempt that was not accepted, `ALL` every attempt, `NONE` none. */
  readonly smtpDialogue: "FAILURES" | "ALL" | "NONE"
  readonly publicKeyPolicy: PublicKeyPolicy
  /** Emails a second. Null: the default of the server. */
  readonly sendRatePerSecond: number | null
  /** Whether only members with two-factor authentication have access. Keys are not affected. */
  readonly requireTwoFactor: boolean
  /** Whether inbound mail that fails DMARC is rejected. The mail listener answers it with 550 5.7.26; mail that a provider reports gets no `email.received` event. */
  readonly rejectDmarcFailures: boolean
  /** True while its data is being deleted. */
  readonly resetting: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** The secret key. Shown only here. */
  readonly secret: string
}

/** Mailbox providers that are slowed down or got mail in 7 days; the slowed ones first, then by mail. */
export type ProviderDeliveries = ReadonlyArray<ProviderDelivery>

/** Mail to one mailbox provider. The figures are those of the project, those of a mail exchange are of `OTHER`. State and limits are those of the service. */
export interface ProviderDelivery {
  /** The mailbox provider, or `OTHER` for all others and for a mail exchange of none of them. */
  readonly provider: string
  /** The name that people know, or the domain of a mail exchange. */
  readonly name: string
  /** The transport that the state is about: `smtp1` of the service, or the id of your own. Null if normal. */
  readonly transport: string | null
  /** `SLOWED`: the provider asked for less mail. `SUSPENDED`: no bulk mail goes there. `PROBING`: after a suspension, one mail a minute. */
  readonly state: "NORMAL" | "SLOWED" | "SUSPENDED" | "PROBING"
  /** How far it is slowed down. Each level halves the rate; 0 is normal. */
  readonly level: number
  /** Mails a minute of the whole service. Null: no limit. */
  readonly ratePerMinute: number | null
  /** Mails that the whole service hands over to it at the same time. Null: no limit. */
  readonly maxConnections: number | null
  /** When the state ends or the level falls. Null without an end. */
  readonly until: string | null
  readonly reason: ProviderReason | null
  /** Mails of the project to the provider that wait, at most 1,000,000. */
  readonly waiting: number
  /** Of the last hour, in whole quarters of an hour. */
  readonly lastHour: {
    readonly sent: number
    readonly deferred: number
  }
  readonly sevenDays: {
    readonly sent: number
    readonly delivered: number
    readonly bounced: number
    readonly complained: number
    readonly deferred: number
  }
}

/** Results of the mail to one mailbox provider. */
export interface ProviderFigures {
  /** The mailbox provider of the recipient: `GMAIL`, `YAHOO`, `OUTLOOK`, `MICROSOFT365`, `APPLE`, `YAHOO_JAPAN`, `GMX`, `T_ONLINE`, `IONOS`, `ORANGE`, `COMCAST`, `MAILRU`, `YANDEX`, `QQ`, `NETEASE`, `ZOHO`, `PROTON`, `FASTMAIL`, `MIMECAST`, `PROOFPOINT`, `BARRACUDA`, or `OTHER`. */
  readonly provider: string
  readonly sent: number
  readonly delivered: number
  /** Mails with at least one attempt that the server deferred. */
  readonly deferred: number
  readonly opened: number
  readonly clicked: number
  readonly bounced: number
  readonly complained: number
  readonly failed: number
  /** Mails that a person opened. */
  readonly humanOpened: number
  /** Mails with a link that a person followed. */
  readonly humanClicked: number
  /** Percentage of the mails sent, with one decimal. */
  readonly deliveryRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly openRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly clickRate: number
  /** Percentage of the mails sent, with one decimal. */
  readonly bounceRate: number
}

/** The reply by which a mailbox provider asked for less mail. */
export interface ProviderReason {
  /** Reply code of SMTP. Null if the operator of the service did it. */
  readonly code: number | null
  readonly enhancedCode: string | null
  /** Without addresses of mailboxes and hosts, since mail of another project may have caused it. */
  readonly reply: string
  readonly at: string
}

/** Mailbox providers, the one with the most mail first. */
export type ProviderResults = ReadonlyArray<ProviderFigures>

/** What the public key of a project may do. */
export interface PublicKeyPolicy {
  /** Whether it may subscribe contacts, including new ones. */
  readonly subscribe: boolean
  /** Whether it may change the data and the subscription of existing contacts. If not, responses have the address of the contact instead of its id. */
  readonly overwrite: boolean
  /** Origins of the pages that may use it, at most 50. Requests with another `Origin`, or without one, are refused. Empty: any origin. */
  readonly origins: ReadonlyArray<string>
}

export interface PublishDraft {
  /** Publish even if another version became live since the draft was stored. */
  readonly force?: boolean | null | undefined
}

export interface PublishWorkflow {
  /** What is new, at most 500 characters. */
  readonly note?: string | null | undefined
  /** The published version that the draft is based on; 0: none. If another one is published: 409 with reason `version_changed`. */
  readonly expectedVersion?: number | null | undefined
}

export interface QueryContacts {
  /** Only contacts that match this condition. */
  readonly condition?: FilterTree | null | undefined
  /** Only members of this segment. Not together with `condition`. */
  readonly segmentId?: string | null | undefined
  readonly search?: string | null | undefined
  /** Only subscribed contacts, or only the others. */
  readonly subscribed?: boolean | null | undefined
  /** Default: `createdAt`. */
  readonly sort?: "createdAt" | "updatedAt" | "email" | null | undefined
  /** Default: `desc`. */
  readonly dir?: "desc" | "asc" | null | undefined
  /** Contacts on the page, at most 100. Default: 20. */
  readonly limit?: number | null | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | null | undefined
}

/** Hours of the day in which no mail of type MARKETING or HEADLESS of a campaign or a workflow begins, unless its `policy` bypasses them. */
export interface QuietHours {
  readonly days: ReadonlyArray<"MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN">
  /** When they begin, as `HH:MM`. */
  readonly from: string
  /** When they end, as `HH:MM`. Before `from`: on the next day. */
  readonly to: string
  readonly timezone: string
  /** `WAIT`: mail waits until the hours end. `SKIP`: mail that would begin in the hours is not sent. */
  readonly action: "WAIT" | "SKIP"
}

/** Config of a `RATE_LIMIT` step. The limit is for all executions of the workflow. */
export interface RateLimitConfig {
  /** How many executions go on in each `per`, 1 to 1000000. */
  readonly limit: number
  readonly per: "minute" | "hour" | "day"
  /** `WAIT`: the others wait, and go on at even distances. `BRANCH`: the others take the branch `exceeded`; minutes, hours and days are those of the project's time zone. */
  readonly onExceeded?: "WAIT" | "BRANCH" | null | undefined
  /** An execution that would wait longer takes the branch `exceeded` at once. 1 to 8760. */
  readonly maxWaitHours?: number | null | undefined
}

/** The service can work. */
export interface Ready {
  readonly status: "ready"
  readonly checks: {
    readonly database: "ok" | "failed" | "skipped"
    readonly migrations: "ok" | "failed" | "skipped"
    readonly storage: "ok" | "failed" | "skipped"
    readonly workers: "ok" | "failed" | "skipped"
    readonly mailer: "ok" | "failed" | "skipped"
    /** `degraded`: in the last minute the event loop of this process was once late by more than 1 second, or late by more than 100 ms at the 99th percentile. The service stays ready. */
    readonly eventLoop: "ok" | "degraded" | "skipped"
  }
  /** What remains of migrations. Absent if nothing remains. The service stays ready. */
  readonly unfinishedMigrations?: ReadonlyArray<UnfinishedMigration> | undefined
}

/** An open invitation to the user of the session. */
export interface ReceivedInvitation {
  readonly id: string
  /** `OWNERSHIP` offers the project to a member. `MEMBERSHIP` is an invitation to become a member. */
  readonly kind: "MEMBERSHIP" | "OWNERSHIP"
  readonly projectId: string
  readonly projectName: string
  /** The role after the invitation is accepted. */
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
  /** Null for an invitation with the secret key, or by a deleted account. */
  readonly invitedBy: string | null
  readonly createdAt: string
}

/** Number of recent entries. */
export interface RecentCount {
  /** Entries of the feed, counted up to 10,000. */
  readonly count: number
  readonly minutes: number
}

/** A contact of the audience, as fixed when sending started, and the status of its mail. */
export interface Recipient {
  /** Null after the contact was deleted. */
  readonly contactId: string | null
  readonly email: string | null
  readonly emailId: string
  /** The variant that it gets. Null without an experiment. */
  readonly variant: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | null
  /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
  readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
  /** Why it is `SUPPRESSED`. */
  readonly reason: "UNSUBSCRIBED" | "TOPIC_UNSUBSCRIBED" | "SNOOZED" | "QUIET_HOURS" | "FREQUENCY_CAP" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | null
  readonly sentAt: string | null
  readonly deliveredAt: string | null
  readonly openedAt: string | null
  readonly clickedAt: string | null
  readonly bouncedAt: string | null
  readonly error: {
    readonly code: "expired" | "rejected" | "ambiguous" | "contact_unsubscribed" | "suppressed" | "cancelled" | "contact_deleted" | "project_was_disabled" | "template_missing" | "sender_domain_unverified" | "render_failed" | "invalid_recipient" | "connection_failed" | "timeout" | "execution_exited" | "quiet_hours" | "frequency_cap" | "campaign_expired" | "experiment_abandoned"
    readonly message: string
  } | null
}

/** One page of a cursor list. */
export interface RecipientPage {
  readonly data: ReadonlyArray<Recipient>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** Recipients of another campaign, as they are when sending starts. */
export interface RecipientsOf {
  readonly campaignId: string
  /** Which of its recipients, to whom its mail left. `NOT_OPENED`: no open at all, since the open of a machine may hide a reader. `NOT_CLICKED`, `OPENED`, `CLICKED`: by people. `NOT_CONVERTED`: no event counts for its goal. */
  readonly who: "ALL" | "NOT_OPENED" | "NOT_CLICKED" | "OPENED" | "CLICKED" | "NOT_CONVERTED"
}

/** Two-factor authentication is on. */
export interface RecoveryCodes {
  /** Ten codes, each of which replaces a code of the app once. Shown only here. */
  readonly recoveryCodes: ReadonlyArray<string>
}

/** The count. */
export interface RefreshedSegment {
  readonly memberCount: number
}

export interface RefusePrivacyRequest {
  /** Why, 1 to 500 characters. It is mailed to the person. */
  readonly note: string
}

export interface RejectCampaign {
  /** Why, at most 500 characters. */
  readonly note: string
}

export interface RemoveMembers {
  /** 1 to 1,000 addresses; duplicates count once. */
  readonly emails: ReadonlyArray<string>
}

export interface RemoveTotp {
  readonly password: string
  /** Six digits of the authenticator app; each code works once. */
  readonly code?: string | undefined
  /** One of the recovery codes; each works once. */
  readonly recoveryCode?: string | undefined
}

/** The result for the addresses. */
export interface RemovedMembers {
  readonly removed: number
  /** Addresses that were not members. */
  readonly notFound: ReadonlyArray<string>
}

export interface RenderTemplate {
  /** A version, or `draft`. Absent: the live version. */
  readonly version?: number | "draft" | null | undefined
  /** Id or key of the topic of the mail made from it, which campaigns copy. Not for the type `TRANSACTIONAL`. `null`: none. */
  readonly topicId?: string | null | undefined
  readonly subject?: string | undefined
  /** `MJML`: `source` is compiled to the body. `HTML` on an MJML template keeps the compiled body and removes `source`. */
  readonly format?: "HTML" | "MJML" | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Refused with format `MJML`. */
  readonly body?: string | undefined
  /** MJML with `{{variable}}` placeholders, at most 1 MB, elements at most 50 deep, without `mj-include`. Its HTML has at most 5 MB. Required with format `MJML`, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. `null`: derived from the HTML. */
  readonly text?: string | null | undefined
  /** An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project. */
  readonly from?: string | undefined
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
  /** Language of subject, body and text: `de`, `pt-BR`. `null`: the language of the project. */
  readonly language?: string | null | undefined
  /** Replaces the texts of each given language; `null` removes them. Other languages are not changed. At most 50. */
  readonly translations?: { readonly [key: string]: WriteTemplateTranslation | null } | undefined
  readonly layout?: string | null | undefined
  /** Whether mail with a missing variable is refused. */
  readonly strict?: boolean | undefined
  /** The contact whose data is used. */
  readonly contactId?: string | null | undefined
  /** Address of the contact whose data is used. Without both, the mail is rendered without a contact. */
  readonly email?: string | null | undefined
  readonly data?: ContactData | null | undefined
  /** Chooses the translation. Absent: the `locale` of `data`, then of the contact, then the project's language. */
  readonly locale?: string | null | undefined
}

export interface RenderTexts {
  /** 1 to 998 characters on one line, with placeholders. */
  readonly subject?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Required without `text`. */
  readonly body?: string | null | undefined
  /** `MJML`: `source` is compiled to the body. */
  readonly format?: "HTML" | "MJML" | null | undefined
  /** MJML, at most 1 MB. Required with format `MJML`, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, at most 2 MB. Absent: derived from the HTML. */
  readonly text?: string | null | undefined
  readonly layout?: string | null | undefined
  /** `MARKETING` adds the footer. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
  /** The contact whose data is used. */
  readonly contactId?: string | null | undefined
  /** Address of the contact whose data is used. Without both, the mail is rendered without a contact. */
  readonly email?: string | null | undefined
  readonly data?: ContactData | null | undefined
  /** Chooses the translation. Absent: the `locale` of `data`, then of the contact, then the project's language. */
  readonly locale?: string | null | undefined
}

/** A problem that mailbox providers can have with a mail. */
export interface RenderWarning {
  /** `clipped`: HTML over `clipAt`. `subject_long`: over 150 characters. `missing_alt`: images without alt text. `image_only`: images and under 20 characters of text. `insecure_link`, `insecure_image`: `http:`. `local_link`: a loopback, private, `.local` or `.test` host. `empty_link`: `href` is empty or `#`. `unsupported_tag`: script, form, iframe, object, embed, video, audio. `no_unsubscribe_link`: HEADLESS without `unsubscribeUrl` or `manageUrl`. `shouting_subject`: over half of at least 10 letters are capitals, or two `!` or `$` in a row. */
  readonly code: "clipped" | "subject_long" | "missing_alt" | "image_only" | "insecure_link" | "insecure_image" | "local_link" | "empty_link" | "unsupported_tag" | "no_unsubscribe_link" | "shouting_subject"
  readonly message: string
  /** How often it was found. */
  readonly count: number
  /** The first place, cut to 100 characters. */
  readonly example: string | null
}

/** A mail as its recipient would get it. Its links change nothing. */
export interface RenderedMail {
  readonly subject: string
  /** Null for a mail of plain text only. */
  readonly html: string | null
  readonly text: string
  /** Language of the texts, if the template names one. */
  readonly locale: string | null
  /** The version of the template. Null for a draft and for texts of the request. */
  readonly version: number | null
  readonly size: {
    /** Bytes of the HTML as it is sent, with footer, tracked links and pixel. */
    readonly html: number
    /** Bytes of the plain text part. */
    readonly text: number
    /** Bytes of the encoded message, without signatures. */
    readonly message: number
    /** Mailbox providers clip HTML above this size. */
    readonly clipAt: number
    readonly clipped: boolean
  }
  readonly variables: {
    /** Paths that the texts read, at most 1,000: `order.total`, and `items[].name` within a loop. */
    readonly used: ReadonlyArray<string>
    /** Paths without a value and a fallback that the mail prints, or that `#each` or `#with` without `{{else}}` use. */
    readonly missing: ReadonlyArray<string>
    /** Top-level keys of `data` that no text reads. */
    readonly unused: ReadonlyArray<string>
  }
  readonly warnings: ReadonlyArray<RenderWarning>
}

export interface ReplaceCampaign {
  /** 1 to 200 characters on one line. */
  readonly name: string
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Required unless a template supplies it. */
  readonly subject?: string | null | undefined
  /** The text that inboxes show beside the subject, with placeholders: hidden at the start of the HTML, not in the text part; at most 250 characters on one line. Mail in the language of a translation has none. */
  readonly preheader?: string | null | undefined
  /** `MJML`: `source` is compiled to the body. Absent: the template's, unless `body` is given; else `HTML`. */
  readonly format?: "HTML" | "MJML" | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Refused with format `MJML`. Required unless a template supplies it. */
  readonly body?: string | null | undefined
  /** MJML with `{{variable}}` placeholders, at most 1 MB. Required with format `MJML` unless a template supplies it, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, at most 2 MB. Absent: the template's, unless `body` is given; else derived from the HTML. */
  readonly text?: string | null | undefined
  /** Language of subject, body and text. Absent: the template's, otherwise the language of the project. */
  readonly language?: string | null | undefined
  /** Subject, body and text in other languages, by language tag; at most 50. Absent: the template's, in which `subject`, `body` or `source`, and `text` of the request take precedence. */
  readonly translations?: { readonly [key: string]: WriteTemplateTranslation | null } | null | undefined
  /** An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project. Required unless a template supplies it. */
  readonly from?: string | null | undefined
  /** Display name of the sender. */
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Default: the type of the template, otherwise `MARKETING`. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
  /** Name of a partial that contains `{{> content}}`. Absent: the template's. */
  readonly layout?: string | null | undefined
  /** `ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic. */
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED"
  /** Required for the audience type `SEGMENT`. */
  readonly segmentId?: string | null | undefined
  /** Required for the audience type `FILTERED`. */
  readonly audienceCondition?: FilterTree | null | undefined
  /** Narrows the audience to recipients of another campaign of the project. */
  readonly recipientsOf?: RecipientsOf | null | undefined
  /** Supplies the texts and the sender that the request does not have; they are copied. */
  readonly templateId?: string | null | undefined
  /** Id or key of the topic: only contacts that take it get the campaign. Absent: the template's. Not for the type `TRANSACTIONAL`. */
  readonly topicId?: string | null | undefined
  /** Shows the campaign in the public archive of the project, without the data of any contact, once it is `SENT`. Only the type `MARKETING` is archived. Default: false. */
  readonly archive?: boolean | null | undefined
  readonly policy?: WriteMailPolicy | null | undefined
  readonly delivery?: WriteCampaignDelivery | null | undefined
  /** Which part it gets beside other campaigns of the project that are sent at the same time: each step doubles it. Default: 3. */
  readonly priority?: number | null | undefined
  readonly experiment?: WriteCampaignExperiment | null | undefined
  readonly goal?: WriteCampaignGoal | null | undefined
  readonly holdout?: WriteCampaignHoldout | null | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

/** A workflow with its new graph. */
export interface ReplacedGraph {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType: "EVENT" | "MANUAL" | "SCHEDULE"
  /** `EVENT`: `{eventName}`, and `where`, `verdict`, `condition` and `entryKey` if they are set. `MANUAL`: `{}`. `SCHEDULE`: `schedule`, `timezone`, and `segmentId` or `audienceType`. */
  readonly triggerConfig: { readonly [key: string]: unknown }
  readonly enabled: boolean
  /** Whether a contact may enter again after its execution ended; never while one is active. */
  readonly allowReentry: boolean
  /** A contact may enter again so many hours after the start of its last execution. `null`: at once. */
  readonly reentryAfterHours: number | null
  readonly goal: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null
  /** In the order in which they are tried. */
  readonly exitRules: ReadonlyArray<{
    /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
    readonly id: string
    /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
    readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
    /** Of `EVENT`. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** Of `LEFT_SEGMENT`. */
    readonly segmentId?: string | null | undefined
    /** Of `TOPIC_OFF`: the id or the key of a topic. */
    readonly topicId?: string | null | undefined
  }>
  /** Next firing of an enabled `SCHEDULE` workflow. */
  readonly nextRunAt: string | null
  /** `LIVE`: edits act on the graph that runs. `PUBLISHED`: edits act on a draft; executions stay on the version with which they started. */
  readonly versioning: "LIVE" | "PUBLISHED"
  /** Of a `PUBLISHED` workflow, the version that new executions start with. */
  readonly publishedVersion: number | null
  /** Of a `PUBLISHED` workflow. */
  readonly draft: WorkflowDraft | null
  readonly _count: {
    /** The TRIGGER counts too. */
    readonly steps: number
    readonly executions: number
    /** Executions that are RUNNING or WAITING. */
    readonly activeExecutions: number
  }
  /** In order of creation, the TRIGGER first. */
  readonly steps: ReadonlyArray<Step>
  readonly transitions: ReadonlyArray<Transition>
  /** The last 20 firings, newest first; only of a `SCHEDULE` workflow. */
  readonly recentFirings?: ReadonlyArray<Firing> | undefined
  readonly createdAt: string
  readonly updatedAt: string
  /** The id of each step that had a `key`, by its key. */
  readonly ids: { readonly [key: string]: string }
}

export interface ReplayWebhook {
  readonly startDate: string
  readonly endDate?: string | null | undefined
  /** `failed` (default): deliveries that failed. `missed`: events without a delivery, because the endpoint was disabled. `all`: both, and deliveries that succeeded. */
  readonly status?: "failed" | "missed" | "all" | null | undefined
  /** Only types that match these patterns, written as in `events`. */
  readonly types?: ReadonlyArray<string> | null | undefined
}

/** How many deliveries start again. */
export interface ReplayedWebhook {
  /** At most 10,000; the oldest come first. */
  readonly queued: number
}

export interface RequestApproval {
  /** At most 500 characters, for the other side. */
  readonly note?: string | null | undefined
}

export interface RequestOptIn {
  /** Whether to ask for `subscribed`. False needs topics. */
  readonly subscribe?: boolean | null | undefined
  /** Keys or ids of the topics to ask for. */
  readonly topics?: ReadonlyArray<string> | null | undefined
  /** A TRANSACTIONAL template whose body has `{{confirmUrl}}`. Absent: that of the settings. */
  readonly templateId?: string | null | undefined
  /** Where the browser goes after the confirmation. Absent: that of the settings, else a page. */
  readonly redirectUrl?: string | null | undefined
  /** What proves that the person asked for it. */
  readonly consent?: GivenConsent | null | undefined
}

export interface RequestReset {
  readonly email: string
}

/** The opt-in that a write asked for. */
export interface RequestedOptIn {
  readonly id: string
  readonly status: "PENDING" | "CONFIRMED" | "DECLINED" | "EXPIRED" | "CANCELLED"
  /** `queued`: stored and sent. `limited`: the address has had enough confirmation mails for now. `suppressed`: the address gets no mail. `billing_limit`: the project has reached its cap. */
  readonly mail: "queued" | "limited" | "suppressed" | "billing_limit"
}

/** The data is deleted. */
export interface ResetAnswer {
  readonly success: true
  readonly message: string
  readonly data: {
    readonly state: "completed"
  }
}

export interface ResetPassword {
  /** The token of the link in the email; it works once. */
  readonly token: string
  /** 8 to 200 characters. */
  readonly newPassword: string
}

/** The data is being deleted. */
export interface ResetRunning {
  readonly success: true
  readonly message: string
  readonly data: {
    readonly state: "running"
  }
}

export interface RestoreVersion {
  readonly expectedVersion?: number | null | undefined
}

export interface RetryFailed {
  /** Also mail whose delivery is uncertain; its recipients may get it twice. */
  readonly includeAmbiguous?: boolean | null | undefined
}

/** Revenue in one currency. */
export interface RevenueSum {
  /** Three letters, such as `EUR`. */
  readonly currency: string
  readonly amount: number
}

export interface RotateApiKey {
  /** Hours for which the old key is still accepted, 0 to 168. */
  readonly overlapHours?: number | null | undefined
}

/** An endpoint, with its new secret. */
export interface RotatedWebhook {
  readonly id: string
  readonly projectId: string
  readonly url: string
  readonly description: string | null
  /** Patterns of types: a type, a prefix with `.*`, or `*`. */
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  /** Whether it also receives the events of test mail. */
  readonly testMode: boolean
  readonly disabledReason: "gone" | "failing" | null
  /** The last 4 characters of the secret. */
  readonly secretHint: string
  readonly lastSuccessAt: string | null
  /** The first failed attempt since the last success. */
  readonly failingSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** `whsec_` and base64. Shown only here. */
  readonly secret: string
  /** Until this time, the previous secret also signs. */
  readonly previousValidUntil: string
}

/** The new secret. */
export interface RotatedWorkflowSigningSecret {
  /** `whsec_` and base64; signs the requests of WEBHOOK steps. */
  readonly secret: string
  readonly createdAt: string
  /** Until then requests are signed with the previous secret as well. */
  readonly previousValidUntil: string
}

/** A record that matches. */
export interface SearchResult {
  readonly type: "contact" | "campaign" | "template" | "partial" | "segment" | "workflow" | "domain" | "email"
  readonly id: string
  /** The name; of a contact its address, of a mail its subject. */
  readonly title: string
  /** Of a contact `subscribed` or `unsubscribed`, of a campaign its status, of a template or segment its type, of a partial its description, of a workflow `enabled` or `disabled`, of a domain `verified` or `pending`, of a mail its recipient. */
  readonly subtitle: string | null
  readonly updatedAt: string
}

/** Records of the project that match. */
export interface SearchResults {
  /** By type; of each type first what is equal, then what begins so, then what contains it. */
  readonly results: ReadonlyArray<SearchResult>
}

export interface SecondFactor {
  /** From the details of `TWO_FACTOR_REQUIRED`. */
  readonly token: string
  /** Six digits of the authenticator app; each code works once. */
  readonly code?: string | undefined
  /** One of the recovery codes; each works once. */
  readonly recoveryCode?: string | undefined
  readonly passkey?: PasskeyAssertion | undefined
}

/** The sender reputation of the project. */
export interface SecurityAnswer {
  readonly success: true
  readonly data: SecurityState
}

/** The sender reputation of a project. */
export interface SecurityState {
  readonly status: {
    readonly sent7Day: number
    readonly bounces7Day: number
    readonly complaints7Day: number
    /** In percent, with two decimals. */
    readonly bounceRate7Day: number
    /** In percent, with three decimals. */
    readonly complaintRate7Day: number
    /** Since the project was created, or since an operator last enabled it. This applies to all rates of all time. */
    readonly sentAllTime: number
    /** In percent, with two decimals. */
    readonly bounceRateAllTime: number
    /** In percent, with three decimals. */
    readonly complaintRateAllTime: number
    /** Critical rates. */
    readonly violations: ReadonlyArray<"bounce7Day" | "bounceAllTime" | "complaint7Day" | "complaintAllTime">
    /** Rates close to critical. */
    readonly warnings: ReadonlyArray<"bounce7Day" | "bounceAllTime" | "complaint7Day" | "complaintAllTime">
  }
  readonly levels: {
    readonly bounce7Day: "healthy" | "warning" | "critical"
    readonly bounceAllTime: "healthy" | "warning" | "critical"
    readonly complaint7Day: "healthy" | "warning" | "critical"
    readonly complaintAllTime: "healthy" | "warning" | "critical"
  }
  /** In percent. A rate counts only from `minimumEmails` emails on. */
  readonly thresholds: {
    readonly bounce7Day: {
      readonly warning: number
      readonly critical: number
    }
    readonly bounceAllTime: {
      readonly warning: number
      readonly critical: number
    }
    readonly complaint7Day: {
      readonly warning: number
      readonly critical: number
    }
    readonly complaintAllTime: {
      readonly warning: number
      readonly critical: number
    }
    readonly minimumEmails: number
  }
  readonly isDisabled: boolean
  readonly disabledReason: "PAYMENT_FAILED" | "EMAIL_REPUTATION" | "PHISHING_DETECTED" | "MANUAL" | null
  /** The last 20, newest first. */
  readonly recentSuspensions: ReadonlyArray<Suspension>
}

/** A named group of contacts. */
export interface Segment {
  readonly id: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `DYNAMIC`: the contacts that match its condition. `STATIC`: contacts that were added by hand. */
  readonly type: "DYNAMIC" | "STATIC"
  /** Of a dynamic segment; `null` for a static one. */
  readonly condition: FilterTree | null
  /** When true, `segment.<slug>.entry` and `segment.<slug>.exit` are emitted as contacts join and leave. */
  readonly trackMembership: boolean
  /** The last count. Counted at every change of a static segment, and at least every 5 minutes for others. */
  readonly memberCount: number
  /** Part of the names of its events. Created from the first name; never changes. */
  readonly slug: string
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** One page of an offset list. */
export interface SegmentContactPage {
  readonly data: ReadonlyArray<Contact>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** A contact joined a segment. */
export interface SegmentEntryEvent {
  readonly type: `segment.${string}.entry`
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly segmentId: string
    readonly segmentName: string
    readonly slug: string
  }
}

/** A contact left a segment. */
export interface SegmentExitEvent {
  readonly type: `segment.${string}.exit`
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly segmentId: string
    readonly segmentName: string
    readonly slug: string
  }
}

/** One page of the selected contacts. */
export interface SelectedContactPage {
  readonly data: ReadonlyArray<Contact>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. Null if counting takes more than 2 seconds. */
  readonly total: number | null
}

export interface SendBatch {
  /** 1 to 1,000 requests to send. Together with their recipients and copies, at most 1,000 emails. */
  readonly emails: ReadonlyArray<BatchItem>
  /** Fields of every item that does not have them itself. `data`, `headers` and `tags` merge by key. */
  readonly defaults?: BatchDefaults | null | undefined
  /** `true`: all items are accepted, or none. `false`: a faulty item is refused, the others are sent. */
  readonly atomic?: boolean | null | undefined
}

export interface SendCampaign {
  /** When to start; absent or `null`: at once. A date that JavaScript's `Date` parses, in UTC unless it names a zone, or milliseconds since 1970 as an integer. With a time in the past, sending starts at the next check of the schedule. */
  readonly scheduledFor?: string | number | null | undefined
}

export interface SendEmail {
  /** One recipient or 1 to 1,000, each an address, alone or with a display name: `ada@example.com`, `Ada <ada@example.com>`, `{email, name}`, or `{externalId}` of a known contact. */
  readonly to: string | {
    readonly email?: string | null | undefined
    /** The caller's own id of the contact, as in `POST /contacts`: it finds the contact before `email` does. */
    readonly externalId?: string | null | undefined
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email?: string | null | undefined
    /** The caller's own id of the contact, as in `POST /contacts`: it finds the contact before `email` does. */
    readonly externalId?: string | null | undefined
    readonly name?: string | null | undefined
  }>
  /** Recipients of a visible copy, as in `to`: a `Cc` header shows them to all recipients. Needs exactly one `to` recipient and type `TRANSACTIONAL`; at most 49 copies with `bcc`. */
  readonly cc?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email: string
    readonly name?: string | null | undefined
  }> | null | undefined
  /** Recipients of a blind copy, whom no header names. Otherwise like `cc`. An address gets only one email. */
  readonly bcc?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email: string
    readonly name?: string | null | undefined
  }> | null | undefined
  /** Id of a template that supplies subject, body, sender, reply address and type; each field of the request overrides that of the template. */
  readonly template?: string | null | undefined
  /** Alias of `template`, which takes precedence. */
  readonly templateId?: string | null | undefined
  /** The alias of a template. `template` and `templateId` take precedence. */
  readonly templateAlias?: string | null | undefined
  /** Language of the mail: `de`, `pt-BR`. It selects the translation of the template, the footer, and the words of dates. Absent: `locale` of the contact, otherwise the language of the project. Not stored on the contact. */
  readonly locale?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Required without a template. */
  readonly subject?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Without a template, `body`, `text` or both are needed. */
  readonly body?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. Absent: derived from the HTML. Text without `body` gives a mail with one plain part, without tracking. */
  readonly text?: string | null | undefined
  /** `false`: subject, body and text are sent as written, and `{{` is plain text. Not together with a template. */
  readonly interpolate?: boolean | null | undefined
  /** `true`: the request is refused if a variable that the mail prints has neither a value nor a fallback, with the code `missing_variable` and the field `data.<path>`. Absent: the setting of the template, otherwise `false`. */
  readonly strict?: boolean | null | undefined
  /** The sender; its domain must be verified for the project. Required unless the template has one. */
  readonly from?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | null | undefined
  /** Display name of the sender. Deprecated: use `from.name`. */
  readonly name?: string | null | undefined
  /** Alias of `name`, which takes precedence. */
  readonly fromName?: string | null | undefined
  /** Applied to every recipient. If absent, new contacts are not subscribed and existing ones keep their state. */
  readonly subscribed?: boolean | null | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
  /** At most 50 additional headers, with values of at most 998 characters on one line. Headers that the service sets or that relays act on (`X-SES-*`, `X-SMTPAPI`, `Resent-*` and others) are refused. */
  readonly headers?: { readonly [key: string]: string } | null | undefined
  /** Address for replies. */
  readonly reply?: string | null | undefined
  /** Alias of `reply`, which takes precedence. */
  readonly replyTo?: string | null | undefined
  /** At most 10 keys of 1 to 64 letters, digits, `.`, `-` and `_`, each with a text of 1 to 256 characters, a number or a boolean, stored as text. `GET /emails?tag=order:4711` finds emails by tag; events and webhooks of the email contain them. */
  readonly tags?: { readonly [key: string]: string | number | boolean } | null | undefined
  /** When to send: ISO 8601, in UTC without a zone, at most 365 days ahead. Absent, null or past: at once. Texts, sender, recipients and data are fixed now; suppression, subscription and sender domain are checked when it is sent. */
  readonly scheduledFor?: string | null | undefined
  /** At most 10 files with a total of 10 MB, unless the server has other limits. */
  readonly attachments?: ReadonlyArray<Attachment> | null | undefined
  /** Id or key of the topic of the mail. Each recipient must take it: 422 `contact_unsubscribed` otherwise. Absent: the template's. Not for mail of type `TRANSACTIONAL`. */
  readonly topic?: string | null | undefined
  /** Overrides the project's tracking setting for this request. */
  readonly tracking?: boolean | null | undefined
}

/** Config of a `SEND_EMAIL` step. `customEmail` is a template. `topicId` is the id or key of a topic, and wins over that of the template. Mail of type MARKETING or HEADLESS waits in the step while the rules of `/settings/sending` forbid it, unless `policy` bypasses them. */
export interface SendEmailConfig {
  readonly templateId?: string | null | undefined
  readonly recipient?: {
    readonly type?: "CONTACT" | "CUSTOM" | null | undefined
    readonly customEmail?: string | null | undefined
  } | null | undefined
  readonly topicId?: string | null | undefined
  readonly policy?: WriteMailPolicy | null | undefined
}

/** The rules of the project's sending. */
export interface SendingSettings {
  /** Null: none. */
  readonly quietHours: QuietHours | null
  /** They limit mail of type MARKETING or HEADLESS of campaigns and workflows, unless its `policy` bypasses them. That mail and such mail of `send` count. */
  readonly frequencyCaps: ReadonlyArray<FrequencyCap>
  readonly onCap: OnCap
  /** Mail that has waited so long for a cap is not sent. */
  readonly maxWaitHours: number
  /** Whose campaigns need an approval before they are sent. `OFF`: none. `MEMBERS`: those that a MEMBER sends. `ALL`: all, also those sent with a key, by another ADMIN or OWNER than the one who asks; a single administrator may approve alone. */
  readonly campaignApproval: "OFF" | "MEMBERS" | "ALL"
  /** Since when mail counts for the caps. Null without caps. */
  readonly capsCountSince: string | null
  /** Null while nothing is set. */
  readonly updatedAt: string | null
}

/** How the sending policy of the project acts on the contact. */
export interface SendingState {
  /** The time zone of the contact, else that of the project. */
  readonly timezone: string
  /** Null if the project has no quiet hours. */
  readonly quietHours: {
    /** Whether mail to the contact would begin in the quiet hours now. */
    readonly inside: boolean
    /** When the quiet hours end. Null outside of them. */
    readonly until: string | null
  } | null
  /** One entry for each frequency cap of the project. */
  readonly caps: ReadonlyArray<{
    readonly id: string
    /** Mails to the contact that the cap counts now. */
    readonly used: number
    readonly limit: number
    /** When the cap allows the next mail. Null: now. */
    readonly freeAt: string | null
  }>
}

/** The result of each item. */
export interface SentBatch {
  readonly success: true
  readonly data: {
    /** Items that are accepted, now or in an earlier request. */
    readonly accepted: number
    /** Items with an `error`. */
    readonly refused: number
    /** In the order of the items. */
    readonly results: ReadonlyArray<{
      /** Position of the item in the request. */
      readonly index: number
      /** One entry for each recipient, if it was accepted. */
      readonly emails?: ReadonlyArray<{
        readonly contact: {
          readonly id: string
          readonly email: string
        }
        /** Id of the email's record. */
        readonly email: string
        /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
        readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
      }> | undefined
      /** The emails to `cc` and `bcc`. Absent if there are none. */
      readonly copies?: ReadonlyArray<{
        readonly to: string
        readonly type: "CC" | "BCC"
        /** Id of the email's record. */
        readonly email: string
        /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
        readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
      }> | undefined
      /** The result of the first request with this Idempotency-Key. Nothing was sent now. */
      readonly replayed?: true | undefined
      /** Why the item was refused, with `atomic: false`. */
      readonly error?: {
        readonly code: string
        readonly message: string
        /** The HTTP status that the item alone would have. */
        readonly statusCode: number
        /** Every fault, with paths in the item. */
        readonly errors?: ReadonlyArray<Fault> | undefined
        readonly details?: { readonly [key: string]: unknown } | undefined
        readonly suggestion: string
      } | undefined
    }>
    readonly timestamp: string
  }
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Stored and queued, one entry for each recipient in the order of `to`. */
export interface SentEmails {
  readonly success: true
  readonly data: {
    readonly emails: ReadonlyArray<{
      readonly contact: {
        readonly id: string
        readonly email: string
      }
      /** Id of the email's record. */
      readonly email: string
      /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
      readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
    }>
    /** The emails to `cc` and `bcc`. Absent if there are none. */
    readonly copies?: ReadonlyArray<{
      readonly to: string
      readonly type: "CC" | "BCC"
      /** Id of the email's record. */
      readonly email: string
      /** `SCHEDULED`: waits for its time. `PENDING`: waits to be sent. `SENDING`: is being sent. `SENT`: the next server accepted it. `DELIVERED`: the recipient's server accepted it. `OPENED`, `CLICKED`, `BOUNCED`, `COMPLAINED`: the reported result. `FAILED`: no more attempts. `AMBIGUOUS`: the connection broke after the content was sent, so its delivery is uncertain. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
      readonly status: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
    }> | undefined
    readonly timestamp: string
  }
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

export interface SetBillingLimits {
  /** Maximum in a period, 1 to 1000000000; null for no cap. Absent: unchanged. */
  readonly workflows?: number | null | undefined
  /** Maximum in a period, 1 to 1000000000; null for no cap. Absent: unchanged. */
  readonly campaigns?: number | null | undefined
  /** Maximum in a period, 1 to 1000000000; null for no cap. Absent: unchanged. */
  readonly transactional?: number | null | undefined
  /** Maximum in a period, 1 to 1000000000; null for no cap. Absent: unchanged. */
  readonly inbound?: number | null | undefined
}

export interface SetRecurrence {
  /** A cron expression of five fields: minute hour day month weekday. Two firings are at least an hour apart. A local time that a clock change skips fires at the first minute after it, and one that occurs twice fires once. */
  readonly schedule: string
  /** In which the schedule is read. Default: the time zone of the project. */
  readonly timezone?: string | null | undefined
  /** No firing after it. In the future. */
  readonly endsAt?: string | null | undefined
  /** The number of firings, at most. */
  readonly maxRuns?: number | null | undefined
  readonly enabled: boolean
}

/** Replaces all routes of the project. */
export interface SetTransportRoutes {
  /** At most 50, in order. */
  readonly routes: ReadonlyArray<NewTransportRoute>
}

export interface SetUpTotp {
  readonly password: string
}

export interface SetWarmup {
  /** `STANDARD`: 50 mails on the first day, 140,000 on the 17th. `FAST`: 200 to 220,000 in 13 days. `CUSTOM`: `caps`. */
  readonly preset: "STANDARD" | "FAST" | "CUSTOM"
  /** With `CUSTOM`: the cap of each step, 1 to 90, none below the one before it. */
  readonly caps?: ReadonlyArray<number> | null | undefined
  /** The day on which the first step begins, at most a year ahead. Until then, bulk mail waits. Default: today, also for a day that has passed. */
  readonly startsOn?: string | null | undefined
  /** Where its days begin. Default: the time zone of the project. */
  readonly timezone?: string | null | undefined
  /** The cap becomes free evenly over these hours. Nothing leaves before `from`; what is left stays free until midnight. Default: the whole day. */
  readonly hours?: {
    /** When the first mail of the day may leave, as `HH:MM`. */
    readonly from: string
    /** When the whole cap of the day is free, as `HH:MM`, after `from`. */
    readonly to: string
  } | null | undefined
  /** Mail of type TRANSACTIONAL outside of campaigns never waits. `EXEMPT`: it is not counted. `COUNT`: it is. */
  readonly transactional?: "EXEMPT" | "COUNT" | null | undefined
  /** A day that reaches one of these percentages is repeated. Default: 3, 0.08 and 10. */
  readonly holdAt?: {
    readonly bounceRate?: number | null | undefined
    readonly complaintRate?: number | null | undefined
    readonly deferralRate?: number | null | undefined
  } | null | undefined
  /** A day that reaches one of these percentages pauses the plan at once. Default: 8, 0.2 and 30. */
  readonly pauseAt?: {
    readonly bounceRate?: number | null | undefined
    readonly complaintRate?: number | null | undefined
    readonly deferralRate?: number | null | undefined
  } | null | undefined
}

/** The setup state of the project. */
export interface SetupState {
  readonly hasSubscription: boolean
  readonly hasVerifiedDomain: boolean
  /** Verified or not. */
  readonly domainCount: number
  readonly contactCount: number
  /** With the OWNER, without open invitations. */
  readonly memberCount: number
  readonly templateCount: number
  /** Of all mail but tests. Null: none was sent. */
  readonly firstEmailSentAt: string | null
  /** Of all events that callers tracked. Null: there is none. */
  readonly firstEventAt: string | null
  readonly lastCampaignSentAt: string | null
  readonly hasEnabledWorkflow: boolean
  readonly hasWebhook: boolean
}

/** The parts that are set up and those that are missing. */
export interface SetupStateAnswer {
  readonly success: true
  readonly data: SetupState
}

/** The new account, logged in. */
export interface SignedUp {
  readonly success: true
  readonly data: {
    readonly id: string
    readonly email: string
    readonly emailVerified: boolean
  }
}

export interface Signup {
  readonly email: string
  /** 8 to 200 characters. */
  readonly password: string
  /** Token of an invitation to this address: adds the membership at once, and works even if sign-up is closed. */
  readonly invitationToken?: string | null | undefined
}

/** Config of a `SPLIT` step. A contact always takes the same branch. A branch without a transition completes the execution. */
export interface SplitConfig {
  /** 2 to 10 branches, whose shares are 100 in all. */
  readonly branches: ReadonlyArray<{
    readonly id: string
    readonly name?: string | null | undefined
    readonly share: number
  }>
  /** Steps with the same salt agree on the share of a contact, also across workflows. Default: the step's own. */
  readonly salt?: string | null | undefined
  /** Compares the branches. A better one then takes every contact. */
  readonly experiment?: {
    /** What counts as a success: a click or an open by a person in a mail of the execution, or the goal of the workflow. */
    readonly metric: "HUMAN_CLICK" | "HUMAN_OPEN" | "GOAL"
    /** Hours after its visit in which a contact can be a success, 1 to 720. */
    readonly windowHours?: number | null | undefined
    /** Judged contacts that every branch needs before the decision, 100 to 100000. */
    readonly minimumPerBranch?: number | null | undefined
    /** 0.9, 0.95 or 0.99. */
    readonly confidence?: 0.9 | 0.95 | 0.99 | null | undefined
    /** `AUTOMATIC`: a significantly better branch takes everybody. `MANUAL`: a person chooses. */
    readonly winner?: "AUTOMATIC" | "MANUAL" | null | undefined
    /** When no branch is significantly better: `CONTINUE` splits on, `FIRST` takes the first branch. */
    readonly fallback?: "CONTINUE" | "FIRST" | null | undefined
  } | null | undefined
}

/** The figures of the experiment of a SPLIT step. */
export interface SplitExperiment {
  readonly stepId: string
  readonly metric: "HUMAN_CLICK" | "HUMAN_OPEN" | "GOAL"
  /** Whether it is decided. Figures before that decide nothing. */
  readonly final: boolean
  readonly decidedAt: string | null
  /** The branch that everybody takes. `null`: the contacts are split. */
  readonly winner: string | null
  readonly decidedBy: DecidedBy | null
  /** Whether the best branch is better by more than chance. */
  readonly significant: boolean
  /** The branches, in their order. */
  readonly variants: ReadonlyArray<ExperimentVariant>
  /** The difference in percentage points that this many contacts would show. `null` with none. */
  readonly detectable: number | null
}

export interface StartExecution {
  readonly contactId: string
  /** Variables of the execution; default `{}`. At most 64 KB as JSON, 10 levels, 500 keys in an object. */
  readonly context?: { readonly [key: string]: unknown } | null | undefined
  /** Tells executions of the contact apart, as the `entryKey` of the trigger does; default empty. */
  readonly entryKey?: string | null | undefined
}

export interface StartTestRun {
  /** The run takes a copy of this contact. Or give `contact`. */
  readonly contactId?: string | null | undefined
  /** A contact that exists in this run only. Or give `contactId`. */
  readonly contact?: {
    readonly email: string
    readonly data?: ContactData | null | undefined
    /** Default `true`. */
    readonly subscribed?: boolean | null | undefined
    /** IANA name; the same as `data.timezone`. */
    readonly timezone?: string | null | undefined
  } | null | undefined
  /** The event that starts the workflow. Absent: it starts as by a call, without variables. */
  readonly event?: {
    readonly name: string
    readonly data?: { readonly [key: string]: unknown } | null | undefined
  } | null | undefined
  /** The number of a version, or `draft`: what `GET /workflows/{id}` shows. */
  readonly version?: "draft" | number | null | undefined
  /** When the run starts; default now. At most 10 years from now. */
  readonly start?: string | null | undefined
  /** What the contact does meanwhile, at most 100 entries in any order. */
  readonly script?: ReadonlyArray<{
    /** Time since the start of the run. */
    readonly after: {
      readonly amount: number
      readonly unit: "minutes" | "hours" | "days" | "weeks"
    }
    /** An event of the contact. Events of the service itself may be named too, such as `contact.unsubscribed`. */
    readonly event?: {
      readonly name: string
      readonly data?: { readonly [key: string]: unknown } | null | undefined
    } | null | undefined
    /** The contact opens the newest mail of this SEND_EMAIL step. */
    readonly open?: string | null | undefined
    /** The contact clicks in the newest mail of this SEND_EMAIL step. */
    readonly click?: string | null | undefined
    /** Beside `open` and `click`: who did it. */
    readonly verdict?: "human" | "machine" | null | undefined
  }> | null | undefined
  /** The branch that a CONDITION, SPLIT or RATE_LIMIT takes, by the id of the step. */
  readonly branches?: { readonly [key: string]: string } | null | undefined
  /** What the server answers to a WEBHOOK, by the id of the step; default status 200 and body `{}`. */
  readonly webhooks?: { readonly [key: string]: {
    readonly status: number
    readonly body?: unknown | undefined
  } } | null | undefined
  /** Whether mails have their HTML, at most 20. */
  readonly includeHtml?: boolean | null | undefined
}

/** A step of a workflow. */
export type Step = ({
  readonly type: "TRIGGER"
  readonly config: { readonly [key: string]: unknown }
} | {
  readonly type: "SEND_EMAIL"
  readonly config: SendEmailConfig
} | {
  readonly type: "DELAY"
  readonly config: DelayConfig
} | {
  readonly type: "WAIT_FOR_EVENT"
  readonly config: WaitConfig
} | {
  readonly type: "CONDITION"
  readonly config: ConditionConfig
} | {
  readonly type: "SPLIT"
  readonly config: SplitConfig
} | {
  readonly type: "TIME_WINDOW"
  readonly config: TimeWindowConfig
} | {
  readonly type: "RATE_LIMIT"
  readonly config: RateLimitConfig
} | {
  readonly type: "WEBHOOK"
  readonly config: WebhookConfig
} | {
  readonly type: "UPDATE_CONTACT"
  readonly config: UpdateContactConfig
} | {
  readonly type: "EXIT"
  readonly config: ExitConfig
}) & {
  readonly id: string
  readonly workflowId: string
  readonly name: string
  readonly position: Position
  /** Only of a `SEND_EMAIL` step. */
  readonly templateId: string | null
  /** `null` without a template. */
  readonly template: {
    readonly id: string
    readonly name: string
  } | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** One run of a step in an execution. */
export interface StepExecution {
  readonly id: string
  readonly executionId: string
  /** `null` after the step was deleted. */
  readonly stepId: string | null
  /** Name and type are kept after the step is deleted. */
  readonly step: {
    readonly id: string | null
    readonly name: string
    readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  }
  /** Number of this run of the step, from 1. */
  readonly iteration: number
  readonly status: "PENDING" | "RUNNING" | "SCHEDULED" | "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED"
  readonly attempts: number
  /** The config of the step when this run started. */
  readonly config: { readonly [key: string]: unknown }
  /** The result, depending on the type of the step; at most 16 KB. */
  readonly output: { readonly [key: string]: unknown } | null
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
  readonly branch: string | null
  /** When it continues without an event. */
  readonly scheduledFor: string | null
  readonly startedAt: string | null
  readonly completedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A condition as in a segment; `event.<key>` and `workflow.<key>` with a value operator are the variables of the execution. */
export interface StepFilterTree {
  /** How the groups are combined. */
  readonly logic?: "AND" | "OR" | undefined
  /** Without groups every contact matches. */
  readonly groups: ReadonlyArray<{
    readonly filters?: ReadonlyArray<{
      /** `email`, `externalId`, `subscribed`, `subscription`, `topic.<key>`, `topic.<key>.takes`, `snoozedUntil`, `locale`, `timezone`, `origin.source`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator. */
      readonly field: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** For events only: tests that must all hold for the data of the same event. */
      readonly where?: ReadonlyArray<{
        /** Into the data of the event, as `data.<path>`. */
        readonly path: string
        /** The possible operators depend on the field. */
        readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
        /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
        readonly value?: unknown | undefined
        /** The unit of an amount of time. */
        readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      }> | undefined
    }> | undefined
    readonly conditions?: StepFilterTree | undefined
  }>
}

/** Results of the mail of a step. Each counts a mail once. */
export interface StepMail {
  readonly sent: number
  readonly delivered: number
  /** Mails that a person opened. */
  readonly humanOpened: number
  /** Mails with a link that a person followed. */
  readonly humanClicked: number
  readonly bounced: number
  readonly complained: number
  readonly unsubscribed: number
  /** Executions that reached the goal, and whose last mail before was of this step. */
  readonly converted: number
}

/** What happened at one step. */
export interface StepReport {
  readonly stepId: string
  readonly name: string
  readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  /** Visits that began. */
  readonly entered: number
  /** Visits that have not ended: `entered` minus `left`. */
  readonly waiting: number
  readonly completed: number
  /** Visits that did nothing, or during which the execution ended. */
  readonly skipped: number
  readonly failed: number
  /** Visits that ended for any reason, even because the contact was deleted or the execution was cancelled. */
  readonly left: number
  /** Only of a SEND_EMAIL step. */
  readonly mail: StepMail | null
}

/** An image of the project. */
export interface StoredImage {
  /** Public URL. The same image always has the same URL. */
  readonly url: string
  /** Project, and SHA-256 of the content with its extension. */
  readonly key: string
  readonly contentType: "image/jpeg" | "image/png" | "image/gif" | "image/webp"
  /** In bytes. */
  readonly size: number
  readonly createdAt: string
}

/** An address that gets no mail of any type. */
export interface Suppression {
  readonly id: string
  /** The address. Null once its contact was erased; then only a keyed hash is stored. */
  readonly email: string | null
  /** Why the address gets no mail: it bounced permanently, its owner complained, or it was added by hand. */
  readonly reason: "HARD_BOUNCE" | "COMPLAINT" | "MANUAL"
  /** The mail that bounced or was complained about. */
  readonly emailId: string | null
  readonly note: string | null
  readonly createdAt: string
}

/** One page of a cursor list. */
export interface SuppressionPage {
  readonly data: ReadonlyArray<Suppression>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** A period in which the project was disabled. */
export interface Suspension {
  readonly reason: "PAYMENT_FAILED" | "EMAIL_REPUTATION" | "PHISHING_DETECTED" | "MANUAL"
  /** The rate that was too high. Null if the reason was not a rate. */
  readonly metric: "bounce7Day" | "bounceAllTime" | "complaint7Day" | "complaintAllTime" | null
  /** The rate in percent. */
  readonly value: number | null
  readonly at: string
  /** Null while the project is disabled. */
  readonly liftedAt: string | null
}

/** The results of the events. */
export interface Tally {
  /** Applied. */
  readonly accepted: number
  /** Already applied earlier; nothing changed. */
  readonly duplicates: number
  /** About mail that is not known yet; retried for 24 hours. */
  readonly parked: number
  /** Events without an effect. */
  readonly ignored: number
}

/** Content that is written once and rendered for each recipient. */
export interface Template {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  /** An alternative to the id when sending, unique in the project. */
  readonly alias: string | null
  /** The topic of its mail: only contacts that take the topic get it. Null: none. */
  readonly topicId: string | null
  readonly subject: string
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** The MJML that the body was compiled from. Null unless the format is `MJML`. */
  readonly source: string | null
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Subject, body and text in other languages, by language tag. */
  readonly translations: { readonly [key: string]: TemplateTranslation }
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** Whether mail with a missing variable is refused. */
  readonly strict: boolean
  /** The live version, which is sent. */
  readonly version: number
  /** The draft, if there is one. */
  readonly draft: {
    /** The version that was live when the draft was stored. */
    readonly basedOn: number
    readonly updatedAt: string
  } | null
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Content that is not published yet. */
export interface TemplateDraft {
  readonly subject: string
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** The MJML that the body was compiled from. Null unless the format is `MJML`. */
  readonly source: string | null
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Subject, body and text in other languages, by language tag. */
  readonly translations: { readonly [key: string]: TemplateTranslation }
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** Whether mail with a missing variable is refused. */
  readonly strict: boolean
  /** The version that was live when the draft was stored. */
  readonly basedOn: number
  readonly updatedAt: string
  /** The faults that prevent its publication, at most 50. */
  readonly problems: ReadonlyArray<Fault>
}

/** The clicks on one link. */
export interface TemplateLink {
  /** The URL as written, with its placeholders. One entry for all URLs that it is rendered to. */
  readonly url: string
  /** The text of the link, at most 100 characters; for an image its alternative text. */
  readonly text: string
  /** Its position in the text, from 1. */
  readonly position: number
  readonly clicks: number
  /** Mails in which it was clicked. */
  readonly uniqueClicks: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Mails in which a person clicked it. */
  readonly humanClicked: number
  /** False: only an earlier version has it. */
  readonly live: boolean
}

/** Clicks on the links of a template. */
export interface TemplateLinks {
  /** Links of the current text in its order, including those without clicks; then links of earlier versions that were clicked. */
  readonly links: ReadonlyArray<TemplateLink>
  readonly others: OtherClicks
}

/** One page of an offset list. */
export interface TemplatePage {
  readonly data: ReadonlyArray<TemplateSummary>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** A template without MJML, text parts and translated bodies. */
export interface TemplateSummary {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  /** An alternative to the id when sending, unique in the project. */
  readonly alias: string | null
  /** The topic of its mail: only contacts that take the topic get it. Null: none. */
  readonly topicId: string | null
  readonly subject: string
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format: "HTML" | "MJML"
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** Language of subject, body and text. Null: the language of the project. */
  readonly language: string | null
  /** Name of the partial around body and text. */
  readonly layout: string | null
  /** Whether mail with a missing variable is refused. */
  readonly strict: boolean
  /** Subjects in other languages, by language tag. */
  readonly translations: { readonly [key: string]: {
    readonly subject: string
  } }
  /** The live version, which is sent. */
  readonly version: number
  /** The draft, if there is one. */
  readonly draft: {
    /** The version that was live when the draft was stored. */
    readonly basedOn: number
    readonly updatedAt: string
  } | null
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** The test is queued. */
export interface TemplateTested {
  readonly success: true
  readonly data: {
    /** Id of the mail. */
    readonly email: string
  }
  /** The result, as a sentence. */
  readonly message: string
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** The texts of a template or campaign in another language. */
export interface TemplateTranslation {
  readonly subject: string
  readonly body: string
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
  /** The MJML that the body was compiled from. Only with format `MJML`. */
  readonly source?: string | undefined
}

/** The campaigns and workflow steps that use the template. */
export interface TemplateUsage {
  readonly campaigns: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
  }>
  readonly workflowSteps: ReadonlyArray<{
    readonly workflowId: string
    readonly workflowName: string
    readonly stepId: string
    readonly stepName: string
  }>
  readonly emailsSent: number
  /** False while a workflow step or the confirmation mail uses it. */
  readonly canDelete: boolean
}

/** A version of a template, without its content. */
export interface TemplateVersion {
  readonly version: number
  /** Whether it is the version that is sent. */
  readonly live: boolean
  readonly createdAt: string
  readonly actor: VersionActor
  /** The version whose content it has, if it was restored. */
  readonly restoredFrom: number | null
}

/** One page of an offset list. */
export interface TemplateVersionPage {
  readonly data: ReadonlyArray<TemplateVersion>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

export interface TestCampaign {
  /** Address of a contact, or of a member of the project. */
  readonly email: string
  /** Variables for this test only; they override those of the contact. */
  readonly data?: ContactData | null | undefined
  /** The key of a variant of its experiment. Absent: the campaign's own content. */
  readonly variant?: string | null | undefined
}

/** The course of one contact through a workflow, as a trial. */
export interface TestRun {
  readonly outcome: {
    /** `WAITING`: it waits for an event that the script does not have. */
    readonly status: "RUNNING" | "WAITING" | "COMPLETED" | "EXITED" | "FAILED" | "CANCELLED"
    readonly exitReason: string | null
    readonly error: {
      readonly code: string
      readonly message: string
      readonly stepId: string | null
    } | null
    /** Whether the goal was reached. */
    readonly converted: boolean
    /** When it ended; while WAITING, the last moment of the run. */
    readonly at: string
  }
  readonly visits: ReadonlyArray<TestRunVisit>
  /** What the run could not do, such as a click before any mail. */
  readonly warnings: ReadonlyArray<Fault>
}

/** One visit of a step in a test run. */
export interface TestRunVisit {
  readonly stepId: string
  readonly name: string
  readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
  /** When the step began. */
  readonly at: string
  /** When it ended. While it waits: when it goes on by itself. */
  readonly until: string | null
  readonly status: "PENDING" | "RUNNING" | "SCHEDULED" | "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED"
  readonly branch: string | null
  readonly output: { readonly [key: string]: unknown } | null
  readonly error: {
    readonly code: string
    readonly message: string
  } | null
  /** What a SEND_EMAIL would send. */
  readonly mail: {
    readonly to: string
    readonly subject: string
    /** With `includeHtml`. */
    readonly html?: string | null | undefined
    readonly text: string
  } | null
}

export interface TestTemplate {
  /** Address of a contact, or of a member of the project. */
  readonly email: string
  /** Variables for this test only; they override those of the contact. */
  readonly data?: ContactData | null | undefined
  /** Chooses the translation. Absent: the `locale` of `data`, then of the contact, then the project's language. */
  readonly locale?: string | null | undefined
  /** A version, or `draft`. Absent: the live version. */
  readonly version?: number | "draft" | null | undefined
}

/** Config of a `TIME_WINDOW` step. Within the window an execution goes on at once, else when it opens. */
export interface TimeWindowConfig {
  /** The days on which the window opens. Default: every day. */
  readonly days?: ReadonlyArray<"MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN"> | null | undefined
  /** When it opens, as `HH:MM`. */
  readonly from: string
  /** When it closes, as `HH:MM`. Before `from`: on the next day. Never the same as `from`. */
  readonly to: string
  readonly timezone?: string | null | undefined
}

/** One event in the history of the mail. */
export interface TimelineEntry {
  readonly at: string
  readonly type: "accepted" | "scheduled" | "rescheduled" | "held" | "suppressed" | "cancelled" | "deferred" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "ambiguous" | "retried" | "unsubscribed"
  readonly detail?: string | undefined
}

/** Every day of the window, earliest first. */
export type Timeseries = ReadonlyArray<TimeseriesDay>

/** Mail counts of one day. */
export interface TimeseriesDay {
  /** A day in the time zone, as `2026-03-01`. */
  readonly date: string
  /** Sent on that day. */
  readonly emails: number
  readonly delivered: number
  /** Opened for the first time on that day. */
  readonly opens: number
  /** Clicked for the first time on that day. */
  readonly clicks: number
  readonly bounces: number
  readonly complaints: number
}

/** Campaigns, the highest value of the metric first. */
export type TopCampaigns = ReadonlyArray<CampaignFigures>

/** How often callers tracked an event. */
export interface TopEvent {
  readonly name: string
  readonly count: number
  /** Change in percent from the preceding window of equal length; 100 if that window had none. */
  readonly trend: number
}

/** Names of tracked events, the most frequent first. */
export type TopEvents = ReadonlyArray<TopEvent>

/** A kind of mail that contacts take or leave. */
export interface Topic {
  readonly id: string
  readonly projectId: string
  /** Names the topic beside its id, and in the names of its events. It never changes. */
  readonly key: string
  /** What recipients read, 1 to 100 characters. */
  readonly name: string
  /** What recipients read below the name, at most 500 characters. */
  readonly description: string | null
  /** Name and description by language, such as `de` or `pt-BR`; at most 20. */
  readonly translations: { readonly [key: string]: TopicText }
  /** What a contact is that said nothing about the topic. It never changes. */
  readonly defaultSubscription: "subscribed" | "unsubscribed"
  /** `public`: on the preference page and in forms. `private`: on the page of contacts that take it or have a state, and not in forms. */
  readonly visibility: "public" | "private"
  /** Whether contacts must confirm that they want it. Null: as the settings of the audience say. */
  readonly doubleOptIn: boolean | null
  /** Its place in lists and on pages. */
  readonly position: number
  /** Whether it is gone from pages, forms and new mail. Its states stay. */
  readonly archived: boolean
  /** Contacts that said yes. */
  readonly subscribedCount: number
  /** Contacts that said no. */
  readonly unsubscribedCount: number
  /** Contacts that take it: subscribed, with a yes or, where that is the default, without a no. */
  readonly subscriberCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type TopicStates = { readonly [key: string]: "subscribed" | "unsubscribed" | "unset" }

/** A contact said yes to a topic. */
export interface TopicSubscribedEvent {
  readonly type: `topic.${string}.subscribed`
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** What changed the subscription. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    /** The email whose link, bounce or complaint changed it. */
    readonly emailId?: string | undefined
    readonly campaignId?: string | undefined
    readonly topicId: string
    readonly topicKey: string
    readonly formId?: string | undefined
    readonly optInId?: string | undefined
  }
}

/** The topic that a record names. */
export interface TopicSummary {
  readonly id: string
  readonly key: string
  readonly name: string
}

/** What recipients read about a topic in one language. */
export interface TopicText {
  readonly name: string
  readonly description: string | null
}

/** A contact said no to a topic. */
export interface TopicUnsubscribedEvent {
  readonly type: `topic.${string}.unsubscribed`
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    /** What changed the subscription. */
    readonly reason: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge"
    /** The email whose link, bounce or complaint changed it. */
    readonly emailId?: string | undefined
    readonly campaignId?: string | undefined
    readonly topicId: string
    readonly topicKey: string
    readonly formId?: string | undefined
    readonly optInId?: string | undefined
  }
}

/** The campaigns, templates, steps of workflows, forms and segments that use the topic. */
export interface TopicUsage {
  /** Campaigns that are drafts, scheduled or being sent. */
  readonly campaigns: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
  }>
  readonly templates: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  readonly workflowSteps: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly workflowId: string
  }>
  readonly forms: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  readonly segments: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  /** False while something uses it. */
  readonly canDelete: boolean
}

/** The secret from which an authenticator app computes codes. */
export interface TotpSecret {
  /** In base32, for an authenticator app. Shown only here. */
  readonly secret: string
  /** The secret as an `otpauth://` URI, for a QR code. */
  readonly uri: string
}

export interface TrackEvent {
  /** Required unless a contact has the `externalId`. */
  readonly email?: string | null | undefined
  /** The caller's own id of the contact. With the secret key as in `POST /contacts`. With the public key it only finds a contact, before the address does; a new id is kept as an unverified id of the contact with the address, and finds it for the public key alone. */
  readonly externalId?: string | null | undefined
  /** Name of the event, trimmed, 1 to 255 characters, case-sensitive. Reserved: `email.*`, `contact.subscribed`, `contact.unsubscribed`, `segment.<slug>.entry`, `segment.<slug>.exit`. */
  readonly event: string
  /** Absent: a new contact is subscribed, an existing one keeps its state. */
  readonly subscribed?: boolean | null | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly topics?: TopicStates | null | undefined
  readonly consent?: GivenConsent | null | undefined
  readonly data?: ContactData | null | undefined
  /** When it happened, at most 10 years ago. Absent: now. An event more than 24 hours old is history: filters see it, but it starts no workflow, ends no wait and reaches no webhook. */
  readonly occurredAt?: string | null | undefined
  /** When true, `subscribed` applies only if this call creates the contact. */
  readonly preserveExistingSubscription?: boolean | null | undefined
}

/** The event is recorded. */
export interface TrackedEvent {
  readonly success: true
  readonly data: {
    /** Id of the contact; the address or id of the request if the `publicKeyPolicy` of the project has `overwrite` off. */
    readonly contact: string
    /** Id of the event. */
    readonly event: string
    readonly timestamp: string
  }
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** Leads from one step of a workflow to another. */
export interface Transition {
  readonly id: string
  readonly workflowId: string
  readonly fromStepId: string
  readonly toStepId: string
  /** From a CONDITION `yes`, `no`, the id of a branch, or `default`. From a DELAY until a field `missing`, `passed` or `null`. From a RATE_LIMIT `exceeded` or `null`. From a SPLIT the id of a branch. From a WAIT_FOR_EVENT `event`, `timeout` or `null`. From any other step `null`. */
  readonly branch: string | null
  /** The same branch as an object. */
  readonly condition: {
    readonly branch: string
  } | null
  /** Whether the service created it with a step. A transition that a caller creates can replace it. */
  readonly auto: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

/** The texts of a mail in another language. */
export interface Translation {
  readonly subject: string
  readonly body: string
  /** The plain text part. Null: derived from the HTML. */
  readonly text: string | null
}

/** An SMTP server of the project. */
export interface Transport {
  readonly id: string
  readonly projectId: string
  /** The `transport` in attempt logs. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly tls: "IMPLICIT" | "STARTTLS"
  readonly user: string | null
  readonly hasPassword: boolean
  /** Number of mails that each worker sends at the same time. */
  readonly pool: number
  readonly enabled: boolean
  readonly snsTopicArns: ReadonlyArray<string>
  readonly hasNotificationSecret: boolean
  /** `FAILING`: it refused the login, or could not be reached three times. Mail does not use it, and it is tested every 60 seconds. */
  readonly status: "OK" | "FAILING"
  readonly lastError: string | null
  readonly failingSince: string | null
  /** Up to a minute old. */
  readonly lastUsedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A transport of the project cannot be reached or refuses the login; mail does not use it. */
export interface TransportFailingEvent {
  readonly type: "transport.failing"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly transportId: string
    readonly name: string
    /** The reply of the server, or why there was none. */
    readonly error: string | null
  }
}

/** A transport of the project works again. */
export interface TransportRecoveredEvent {
  readonly type: "transport.recovered"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly transportId: string
    readonly name: string
    /** The reply of the server, or why there was none. */
    readonly error: string | null
  }
}

/** A route: conditions, and the transports for mail that matches them. */
export interface TransportRoute {
  /** Domain of the From address; null for any. */
  readonly senderDomain: string | null
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null
  readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | null
  readonly transportIds: ReadonlyArray<string>
  readonly fallbackToServer: boolean
}

/** All routes of the project, in order. */
export interface TransportRoutes {
  /** The first route whose conditions all match is used. */
  readonly routes: ReadonlyArray<TransportRoute>
}

/** The factors of the account. */
export interface TwoFactorState {
  /** Whether a login needs a second factor. */
  readonly totp: boolean
  /** Recovery codes that are not used yet. */
  readonly recoveryCodes: number
  /** Passkeys of the account. */
  readonly passkeys: number
}

/** A step of a migration that workers run while the service works. */
export interface UnfinishedMigration {
  /** The migration and its step. */
  readonly name: string
  /** How much of its table a backfill has read, about; null for steps of another kind. */
  readonly percent: number | null
  /** When the step began; null before. */
  readonly since: string | null
}

/** Scheduled campaigns, workflows and steps, earliest first. */
export interface Upcoming {
  readonly activities: ReadonlyArray<UpcomingEntry>
}

/** A scheduled campaign, workflow or step, or the decision of an experiment. */
export interface UpcomingEntry {
  readonly id: string
  readonly type: "campaign.scheduled" | "campaign.recurrence" | "campaign.decision" | "email.scheduled" | "workflow.scheduled" | "workflow.step.scheduled"
  /** When it is due; null for an execution without a set time. */
  readonly timestamp: string | null
  readonly contactId: string | null
  readonly contactEmail: string | null
  readonly metadata: { readonly [key: string]: unknown }
}

/** Absent fields keep their values. The mode cannot be changed. */
export interface UpdateApiKey {
  /** 1 to 100 characters on one line. */
  readonly name?: string | null | undefined
  /** What the key may do. `:read` allows the GET operations of a group, `:write` all of its operations; `send` allows sending, rescheduling and cancelling mail; `*` allows everything. */
  readonly scopes?: ReadonlyArray<"send" | "verify" | "uploads:write" | "emails:read" | "emails:write" | "contacts:read" | "contacts:write" | "events:read" | "events:write" | "templates:read" | "templates:write" | "campaigns:read" | "campaigns:write" | "segments:read" | "segments:write" | "workflows:read" | "workflows:write" | "suppressions:read" | "suppressions:write" | "domains:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "transports:read" | "transports:write" | "topics:read" | "topics:write" | "forms:read" | "forms:write" | "settings:read" | "settings:write" | "analytics:read" | "consents:read" | "*"> | null | undefined
  /** 0 to 50 domains. If not empty, the sender of a send must be at one of these domains. */
  readonly senderDomains?: ReadonlyArray<string> | null | undefined
  /** 0 to 50 addresses or blocks. If not empty, requests must come from one of these addresses or CIDR blocks. */
  readonly ipRanges?: ReadonlyArray<string> | null | undefined
  /** 1 to 100000. Requests in any 60 seconds, in addition to the limit of the project. Null: no limit of its own. */
  readonly rateLimitPerMinute?: number | null | undefined
  /** When the key expires: ISO 8601, in UTC unless it has a zone, in the future. Null: never. */
  readonly expiresAt?: string | null | undefined
}

export interface UpdateAudienceSettings {
  readonly doubleOptIn?: {
    /** Which subscriptions must be confirmed: none, those of public sign-ups, or all new ones. */
    readonly mode?: "off" | "public" | "all" | undefined
    /** Sender of the mail to confirm, on a verified domain. */
    readonly from?: string | null | undefined
    readonly fromName?: string | null | undefined
    readonly replyTo?: string | null | undefined
    /** A TRANSACTIONAL template whose body has `{{confirmUrl}}`. Null: the text of the service. */
    readonly templateId?: string | null | undefined
    /** 1 to 30. */
    readonly expiresInDays?: number | undefined
    /** 12 to 168, before the expiry. Null: none. */
    readonly reminderAfterHours?: number | null | undefined
    /** 0 to 365. Null: never. */
    readonly deleteUnconfirmedAfterDays?: number | null | undefined
    readonly redirectUrl?: string | null | undefined
  } | undefined
  /** Whether MARKETING and HEADLESS mail of campaigns, templates and sends must name a topic. */
  readonly topicRequired?: boolean | undefined
  /** What a one-click unsubscribe of mail with a topic leaves. */
  readonly oneClickScope?: "topic" | "all" | undefined
  readonly consent?: {
    /** Whether records of consent have the address of the client. */
    readonly ip?: "off" | "truncated" | "full" | undefined
    readonly userAgent?: boolean | undefined
    /** How long records stay after the contact is gone: 30 to 3,650. Null: for ever. */
    readonly retentionDays?: number | null | undefined
  } | undefined
  readonly selfService?: {
    /** Whether recipients can ask for their data. */
    readonly export?: boolean | undefined
    /** Whether recipients can ask for erasure, or erase themselves. */
    readonly erasure?: "off" | "request" | "automatic" | undefined
  } | undefined
  readonly pages?: {
    readonly name?: string | null | undefined
    readonly logoUrl?: string | null | undefined
    /** `#rrggbb`. */
    readonly color?: string | null | undefined
    readonly websiteUrl?: string | null | undefined
    readonly privacyUrl?: string | null | undefined
    readonly imprintUrl?: string | null | undefined
    /** Your own page for the preferences of recipients. */
    readonly preferencesUrl?: string | null | undefined
    /** Up to 10 origins whose pages may frame the preference page. */
    readonly embedOrigins?: ReadonlyArray<string> | undefined
    /** Whether the page offers to pause mail for a time. */
    readonly snooze?: boolean | undefined
    /** Whether the page offers the language of mail. */
    readonly language?: boolean | undefined
  } | undefined
  readonly ingest?: {
    readonly page?: boolean | undefined
    readonly screen?: boolean | undefined
    readonly anonymous?: "drop" | "hold" | undefined
    /** 1 to 30. */
    readonly holdDays?: number | undefined
  } | undefined
}

export interface UpdateContact {
  readonly email?: string | undefined
  /** The caller's own id, 1 to 200 characters. Null removes it. */
  readonly externalId?: string | null | undefined
  readonly subscribed?: boolean | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly topics?: TopicStates | null | undefined
  readonly consent?: GivenConsent | null | undefined
  /** A language tag such as `de` or `pt-BR`; the same as `data.locale`. Null removes it. */
  readonly locale?: string | null | undefined
  /** IANA name such as `Europe/Berlin`; the same as `data.timezone`. Null removes it. */
  readonly timezone?: string | null | undefined
  /** Until then the contact gets no marketing mail; at most 366 days ahead. Null ends it. */
  readonly snoozedUntil?: string | null | undefined
  /** Merged into the existing data; `null` removes all custom data. */
  readonly data?: ContactData | null | undefined
}

/** Config of an `UPDATE_CONTACT` step. Texts in `updates` are templates. `topics` is what to set for topics, by their keys or ids. */
export interface UpdateContactConfig {
  readonly updates?: ContactData | null | undefined
  readonly subscriptionAction?: "none" | "subscribe" | "unsubscribe" | null | undefined
  readonly topics?: TopicStates | null | undefined
}

/** Absent fields keep their values. */
export interface UpdateDomain {
  /** Host name below the domain for the links in its mail; `null` removes it. */
  readonly linkHost?: string | null | undefined
}

export interface UpdateEmail {
  /** The new time. Null or past: it is sent at once. Absent: nothing changes. */
  readonly scheduledFor?: string | null | undefined
}

export interface UpdateForm {
  /** Fixed: another value is refused. */
  readonly key?: string | undefined
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** A form that is not enabled answers as if it did not exist. Default: true. */
  readonly enabled?: boolean | null | undefined
  /** Up to 20 fields. The address is always asked. */
  readonly fields?: ReadonlyArray<FormFieldInput> | null | undefined
  /** Whether a submission asks for `subscribed`. Default: true. */
  readonly subscribe?: boolean | null | undefined
  /** Public topics that the form offers. */
  readonly topics?: ReadonlyArray<FormTopicInput> | null | undefined
  /** Up to 10 static segments that contacts join. */
  readonly segmentIds?: ReadonlyArray<string> | null | undefined
  /** Whether a subscription must be confirmed by mail. Null: as the topics and the settings of the audience say. */
  readonly doubleOptIn?: boolean | null | undefined
  /** What the form says, as a whole. */
  readonly texts?: FormTextsInput | null | undefined
  /** Texts in up to 20 other languages, by language (`de`, `pt-BR`). Absent texts are those of `texts`. */
  readonly translations?: { readonly [key: string]: FormTextsInput } | null | undefined
  /** Whether the box with `consentText` must be ticked. Default: false. */
  readonly consentRequired?: boolean | null | undefined
  /** Where a browser goes after a submission; https. Null: a page of the service. */
  readonly redirectUrl?: string | null | undefined
  /** Where a browser goes after the confirmation of a subscription; https. */
  readonly confirmedRedirectUrl?: string | null | undefined
  /** Up to 20 origins whose pages may submit the form. Empty: any. */
  readonly allowedOrigins?: ReadonlyArray<string> | null | undefined
  /** Whether a submission needs a ticket with a proof of work, or a second step. Default: true. */
  readonly requireTicket?: boolean | null | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

export interface UpdateMember {
  /** `OWNER` offers the project to the member. The caller owns it until the member accepts, and is ADMIN after that. */
  readonly role: "OWNER" | "ADMIN" | "MEMBER"
}

export interface UpdatePartial {
  /** 1 to 64 characters of `a-z`, `0-9` and `-`, not starting with `-`; not `content`. */
  readonly name?: string | undefined
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 256 KB. With `{{> content}}` exactly once, it can be the layout of a body. */
  readonly body?: string | undefined
  /** The text for `{{> name}}` in text parts, at most 256 KB. `null`: text parts cannot use it. */
  readonly text?: string | null | undefined
  readonly expectedVersion?: number | null | undefined
}

export interface UpdateProject {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  readonly tracking?: "ENABLED" | "DISABLED" | "MARKETING_ONLY" | undefined
  readonly language?: string | undefined
  readonly timezone?: string | undefined
  /** For mail whose delivery is uncertain: `retry` sends it again, `hold` does not. */
  readonly ambiguousPolicy?: {
    readonly transactional?: "retry" | "hold" | undefined
    readonly bulk?: "retry" | "hold" | undefined
  } | undefined
  /** The attempts whose SMTP dialogue is stored: `FAILURES` (default) every attempt that was not accepted, `ALL` every attempt, `NONE` none. */
  readonly smtpDialogue?: "FAILURES" | "ALL" | "NONE" | undefined
  /** What the public key may do. Absent fields keep their values. */
  readonly publicKeyPolicy?: {
    /** Whether it may subscribe contacts, including new ones. */
    readonly subscribe?: boolean | undefined
    /** Whether it may change the data and the subscription of existing contacts. If not, responses have the address of the contact instead of its id. */
    readonly overwrite?: boolean | undefined
    /** Origins of the pages that may use it, at most 50. Requests with another `Origin`, or without one, are refused. Empty: any origin. */
    readonly origins?: ReadonlyArray<string> | undefined
  } | undefined
  /** Emails a second, 1 to 100000. Null: the default of the server. */
  readonly sendRatePerSecond?: number | null | undefined
  /** Only an OWNER with two-factor authentication can set this. Members without it then get 403. */
  readonly requireTwoFactor?: boolean | undefined
  /** Whether inbound mail that fails DMARC is rejected. The mail listener answers it with 550 5.7.26; mail that a provider reports gets no `email.received` event. */
  readonly rejectDmarcFailures?: boolean | undefined
}

export interface UpdateSegment {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** Internal note, at most 500 characters. */
  readonly description?: string | null | undefined
  readonly condition?: FilterTree | undefined
  /** Emit events as contacts join and leave. */
  readonly trackMembership?: boolean | undefined
  /** If this request turns tracking on, the contacts that match now become members without events. Only later joins and leaves emit events. */
  readonly silentStart?: boolean | null | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

export interface UpdateSendingSettings {
  /** Replaces the quiet hours. Null: none. */
  readonly quietHours?: {
    /** The days on which the window opens. Default: every day. */
    readonly days?: ReadonlyArray<"MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN"> | null | undefined
    /** When it opens, as `HH:MM`. */
    readonly from: string
    /** When it closes, as `HH:MM`. Before `from`: on the next day. Never the same as `from`. */
    readonly to: string
    readonly timezone?: string | null | undefined
    /** `WAIT`: mail waits until the hours end. `SKIP`: mail that would begin in the hours is not sent. */
    readonly action?: "WAIT" | "SKIP" | null | undefined
  } | null | undefined
  /** Replaces the caps, at most 5. Null: none. */
  readonly frequencyCaps?: ReadonlyArray<{
    /** Name of the cap, of letters, digits, `-` and `_`. */
    readonly id: string
    /** The most mails to one contact in that time, 1 to 100. */
    readonly limit: number
    /** 1 to 720 hours, or 1 to 30 days. */
    readonly amount: number
    readonly unit: "hours" | "days"
    /** Id or key of a topic: only its mail counts and is limited. Once the topic is deleted, so is the cap. */
    readonly topicId?: string | null | undefined
  }> | null | undefined
  /** Null: campaigns skip, and workflows wait. */
  readonly onCap?: WriteOnCap | null | undefined
  /** 1 to 168. Null: 24. */
  readonly maxWaitHours?: number | null | undefined
  /** Null: `OFF`. */
  readonly campaignApproval?: "OFF" | "MEMBERS" | "ALL" | null | undefined
}

export interface UpdateStep {
  /** The type of a step cannot change; another value is refused. */
  readonly type?: string | null | undefined
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  readonly position?: Position | undefined
  /** Its fields depend on the type of the step. Replaced as a whole. */
  readonly config?: SendEmailConfig | DelayConfig | WaitConfig | ConditionConfig | SplitConfig | TimeWindowConfig | RateLimitConfig | WebhookConfig | UpdateContactConfig | ExitConfig | undefined
  /** `null` detaches the template. */
  readonly templateId?: string | null | undefined
}

export interface UpdateTemplate {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** An alternative to the id when sending, unique in the project: 1 to 100 lower-case letters, digits, `.`, `_` and `-`, starting with a letter or digit. */
  readonly alias?: string | null | undefined
  /** Id or key of the topic of the mail made from it, which campaigns copy. Not for the type `TRANSACTIONAL`. `null`: none. */
  readonly topicId?: string | null | undefined
  readonly subject?: string | undefined
  /** `MJML`: `source` is compiled to the body. `HTML` on an MJML template keeps the compiled body and removes `source`. */
  readonly format?: "HTML" | "MJML" | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Refused with format `MJML`. */
  readonly body?: string | undefined
  /** MJML with `{{variable}}` placeholders, at most 1 MB, elements at most 50 deep, without `mj-include`. Its HTML has at most 5 MB. Required with format `MJML`, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, with placeholders that are not escaped, at most 2 MB. `null`: derived from the HTML. */
  readonly text?: string | null | undefined
  /** An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project. */
  readonly from?: string | undefined
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
  /** Language of subject, body and text: `de`, `pt-BR`. `null`: the language of the project. */
  readonly language?: string | null | undefined
  /** Replaces the texts of each given language; `null` removes them. Other languages are not changed. At most 50. */
  readonly translations?: { readonly [key: string]: WriteTemplateTranslation | null } | undefined
  readonly layout?: string | null | undefined
  /** Whether mail with a missing variable is refused. */
  readonly strict?: boolean | undefined
  readonly expectedVersion?: number | null | undefined
}

export interface UpdateTopic {
  /** Only the key that the topic has. */
  readonly key?: string | undefined
  /** What recipients read, 1 to 100 characters. */
  readonly name?: string | undefined
  /** What recipients read below the name, at most 500 characters. */
  readonly description?: string | null | undefined
  /** Name and description by language, such as `de` or `pt-BR`; at most 20. They replace the stored ones. */
  readonly translations?: { readonly [key: string]: WriteTopicText } | null | undefined
  /** Only what the topic has. */
  readonly defaultSubscription?: "subscribed" | "unsubscribed" | undefined
  /** `public`: on the preference page and in forms. `private`: on the page of contacts that take it or have a state, and not in forms. */
  readonly visibility?: "public" | "private" | undefined
  /** Whether contacts must confirm that they want it. Null: as the settings of the audience say. */
  readonly doubleOptIn?: boolean | null | undefined
  /** Its place in lists and on pages. */
  readonly position?: number | undefined
  /** Whether it is gone from pages, forms and new mail. Its states stay. */
  readonly archived?: boolean | undefined
}

/** Absent fields keep their values. */
export interface UpdateTransport {
  readonly name?: string | null | undefined
  /** DNS name or public IP address. A new one needs `password` if there is a login. */
  readonly host?: string | null | undefined
  /** 25, 465, 587, 2465, 2525 or 2587. */
  readonly port?: number | null | undefined
  readonly tls?: "IMPLICIT" | "STARTTLS" | null | undefined
  /** `null` removes the login. */
  readonly user?: string | null | undefined
  /** Stored encrypted, never shown. */
  readonly password?: string | null | undefined
  readonly pool?: number | null | undefined
  readonly enabled?: boolean | null | undefined
  readonly snsTopicArns?: ReadonlyArray<string> | null | undefined
  /** Signs `POST /webhooks/notifications?transport={id}`: `whsec_` and the base64 of 24 to 64 bytes. `null` removes it. */
  readonly notificationSecret?: string | null | undefined
}

export interface UpdateView {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** The query of the list as in its URL, without the question mark; at most 2,000 characters. */
  readonly query?: string | undefined
  /** Whether every member of the project sees it. Otherwise only its maker does. */
  readonly shared?: boolean | undefined
}

/** Absent fields keep their values. */
export interface UpdateWebhook {
  readonly url?: string | null | undefined
  readonly events?: ReadonlyArray<string> | null | undefined
  /** `null` clears it. */
  readonly description?: string | null | undefined
  /** Whether it also receives the events of test mail. */
  readonly testMode?: boolean | null | undefined
  /** `true` also clears `disabledReason` and `failingSince`. */
  readonly enabled?: boolean | null | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

export interface UpdateWorkflow {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** Internal note, at most 500 characters. */
  readonly description?: string | null | undefined
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType?: "EVENT" | "MANUAL" | "SCHEDULE" | undefined
  /** Its fields depend on the trigger type. Replaced as a whole; `{}` when only the type changes. */
  readonly triggerConfig?: { readonly [key: string]: unknown } | undefined
  /** Shorthand for `triggerConfig.eventName`. */
  readonly eventName?: string | undefined
  /** Enabling checks the whole workflow and is refused with all faults if it is invalid. */
  readonly enabled?: boolean | undefined
  /** With `entryKey`, it is judged for each value of the key. */
  readonly allowReentry?: boolean | undefined
  /** 1 to 8,760; needs `allowReentry`. Before so many hours after its last start a contact does not enter. */
  readonly reentryAfterHours?: number | null | undefined
  /** `null` removes it. */
  readonly goal?: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null | undefined
  readonly exitRules?: ReadonlyArray<WorkflowExitRule> | undefined
  /** To `PUBLISHED`: publishes the present graph, and live executions stay on it. To `LIVE`: needs an unchanged draft, and executions of the published version follow the graph. */
  readonly versioning?: "LIVE" | "PUBLISHED" | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

/** The contact already existed. */
export interface UpdatedContact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** The caller's own id, unique in the project. */
  readonly externalId: string | null
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** `pending`: `subscribed` is false, and the contact was asked to confirm that it wants mail. */
  readonly subscription: "subscribed" | "unsubscribed" | "pending"
  /** What the contact said about topics, by their keys. Topics without a state of their own are left out. */
  readonly topics: { readonly [key: string]: "subscribed" | "unsubscribed" | "pending" }
  /** Until then it gets no marketing mail. Null once it has passed. */
  readonly snoozedUntil: string | null
  /** Language of its mail and pages: `data.locale`. Null if that is no language tag. */
  readonly locale: string | null
  /** IANA name: `data.timezone`. Null if that is no time zone. */
  readonly timezone: string | null
  /** How it was made. Null for contacts of earlier releases. */
  readonly origin: ContactOrigin | null
  /** Custom data, usable as template variables; `{}` if there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Only in answers to a write that asked for an opt-in. */
  readonly optIn?: RequestedOptIn | undefined
  readonly _meta: {
    readonly isNew: false
    readonly isUpdate: true
  }
}

/** A stored image. */
export interface UploadedImage {
  /** Public URL. The same image always has the same URL. */
  readonly url: string
  /** Project, and SHA-256 of the content with its extension. */
  readonly key: string
  /** As given, without a path. */
  readonly filename: string
  /** Detected from the bytes; the type in the form is ignored. */
  readonly contentType: "image/jpeg" | "image/png" | "image/gif" | "image/webp"
  /** In bytes. */
  readonly size: number
  /** In pixels. */
  readonly width: number
  /** In pixels. */
  readonly height: number
}

export interface UpsertContact {
  /** Required unless a contact has the `externalId`. */
  readonly email?: string | null | undefined
  /** The caller's own id, 1 to 200 characters. It finds the contact before the address does: a contact that has it gets the new address. */
  readonly externalId?: string | null | undefined
  /** Absent: a new contact is subscribed, an existing one keeps its state. */
  readonly subscribed?: boolean | null | undefined
  /** True: the contact must confirm by mail what the call subscribes it to. False: it takes effect at once. Absent: as `doubleOptIn.mode` of the settings of the audience says. */
  readonly doubleOptIn?: boolean | null | undefined
  readonly topics?: TopicStates | null | undefined
  readonly consent?: GivenConsent | null | undefined
  /** A language tag such as `de` or `pt-BR`; the same as `data.locale`. */
  readonly locale?: string | null | undefined
  /** IANA name such as `Europe/Berlin`; the same as `data.timezone`. */
  readonly timezone?: string | null | undefined
  readonly data?: ContactData | null | undefined
  /** `merge`: if the `externalId` is that of one contact and the `email` that of another, the latter is merged into the former, as by `POST /contacts/{id}/merge`. Absent: 409. */
  readonly onConflict?: "merge" | null | undefined
}

/** A person with an account. */
export interface User {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
  /** How the account was created. */
  readonly type: "PASSWORD" | "GITHUB_OAUTH" | "GOOGLE_OAUTH" | "OIDC"
  readonly createdAt: string
}

/** The result of checking an address. */
export interface Verdict {
  /** The address, normalised. */
  readonly email: string
  /** The domain exists and has mail servers. It does not depend on the other flags. */
  readonly valid: boolean
  /** The domain, or one above it, provides disposable addresses. */
  readonly isDisposable: boolean
  /** The domain only forwards to another mailbox. */
  readonly isAlias: boolean
  /** The domain looks like a misspelt one; see `suggestedEmail`. */
  readonly isTypo: boolean
  /** There is a `+` before the `@`. */
  readonly isPlusAddressed: boolean
  /** The domain belongs to a provider of personal mailboxes. */
  readonly isPersonalEmail: boolean
  readonly domainExists: boolean
  /** The domain, or `www.` before it, has an IP address. For information only. */
  readonly hasWebsite: boolean
  /** At least one mail server is named, and it is not the null MX. */
  readonly hasMxRecords: boolean
  /** A sentence for each finding, worst first. */
  readonly reasons: ReadonlyArray<string>
  /** Only with `isTypo`. */
  readonly suggestedEmail?: string | undefined
  /** `unavailable`: the DNS gave no usable answer, so `valid` and the fields that need the DNS are false. */
  readonly dnsStatus: "ok" | "unavailable"
}

/** The result of checking an address. */
export interface VerifiedAddress {
  readonly success: true
  readonly data: Verdict
  /** Fields of the body that are unknown and were ignored, at most 20; absent if there are none. */
  readonly warnings?: ReadonlyArray<Warning> | undefined
}

/** The address is confirmed. */
export interface VerifiedEmail {
  readonly success: true
  readonly data: {
    readonly message: "Email verified"
  }
}

export interface VerifyAddress {
  readonly email: string
}

/** The author of a version. */
export interface VersionActor {
  /** `key`: a caller with a key. `member`: a member of the project, or a user of the application that embeds the service. `service`: the service itself. */
  readonly type: "key" | "member" | "service"
  /** Only for a member who has an account. */
  readonly userId?: string | undefined
}

/** A query of a list, under a name. */
export interface View {
  readonly id: string
  /** The list that the query is for. */
  readonly page: "activity" | "audit" | "campaigns" | "contacts" | "events" | "mails" | "pieces" | "segments" | "suppressions" | "templates" | "workflows"
  readonly name: string
  /** The query of the list as in its URL, without the question mark; at most 2,000 characters. */
  readonly query: string
  /** Whether every member of the project sees it. Otherwise only its maker does. */
  readonly shared: boolean
  /** The member who made it. Null: it was made with the secret key. */
  readonly createdBy: {
    readonly id: string
    readonly email: string
  } | null
  readonly createdAt: string
}

/** Views of the caller and shared views, by name. */
export type ViewList = ReadonlyArray<View>

/** Config of a `WAIT_FOR_EVENT` step. `timeout` in seconds; without it the step waits until the event occurs. The earliest event that passes `where` and `verdict` ends the wait. */
export interface WaitConfig {
  readonly eventName: string
  readonly where?: ReadonlyArray<{
    /** Into the data of the event, as `data.<path>`. */
    readonly path: string
    /** The possible operators depend on the field. */
    readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
    readonly valueFrom?: string | undefined
  }> | null | undefined
  readonly verdict?: "human" | "machine" | "any" | null | undefined
  readonly timeout?: number | null | undefined
}

/** The warm-up of a sender domain. */
export interface Warmup {
  /** The transport whose mail the plan is for. `null`: all mail of the domain. */
  readonly transport: string | null
  readonly preset: "STANDARD" | "FAST" | "CUSTOM"
  /** With `CUSTOM`: the cap of each step. */
  readonly caps: ReadonlyArray<number> | null
  /** The day of the first step. */
  readonly startsOn: string
  readonly timezone: string
  /** `null`: the whole day. */
  readonly hours: {
    readonly from: string
    readonly to: string
  } | null
  readonly transactional: "EXEMPT" | "COUNT"
  readonly holdAt: WarmupLimits
  readonly pauseAt: WarmupLimits
  /** `ACTIVE`: the cap of the step holds. `PAUSED`: no bulk mail leaves until `resume`. `COMPLETED`: the day of the last step was clean, and there is no cap any more. */
  readonly status: "ACTIVE" | "PAUSED" | "COMPLETED"
  /** From 1. */
  readonly step: number
  /** The cap of today. `null` when the plan is completed. */
  readonly cap: number | null
  /** Mails that were taken for sending for the first time today. */
  readonly sentToday: number
  /** Mails that may leave at this moment. `null` when the plan is completed. */
  readonly freeNow: number | null
  /** Pending mails of the campaigns of the domain that are sending, and single mails that were put off. */
  readonly waiting: number
  readonly today: WarmupFigures
  /** The days that are over, at most the latest 400, the oldest first. */
  readonly days: ReadonlyArray<WarmupDay>
  /** The day of the last step if every day is clean. `null` while the plan is paused. */
  readonly completesOn: string | null
}

/** One day of a warm-up that is over. */
export interface WarmupDay {
  /** As `2026-12-24`, in the time zone of the plan. */
  readonly date: string
  readonly step: number
  readonly cap: number
  /** Mails that were taken for sending for the first time. */
  readonly sent: number
  /** Mails whose bounce came on this day. */
  readonly bounced: number
  /** Mails whose complaint came on this day. */
  readonly complained: number
  /** Mails whose first deferral came on this day. */
  readonly deferred: number
  /** `clean`: the next step followed. `held`: it reached `holdAt`. `unused`: less than half of the cap was used. `paused`: the plan was paused. All but `clean` repeat the step. */
  readonly result: "clean" | "held" | "unused" | "paused"
}

/** What came back on one day of a warm-up. */
export interface WarmupFigures {
  /** Mails whose bounce came on this day. */
  readonly bounced: number
  /** Mails whose complaint came on this day. */
  readonly complained: number
  /** Mails whose first deferral came on this day. */
  readonly deferred: number
}

/** Percentages that end the rise of a warm-up. */
export interface WarmupLimits {
  /** Bounces in percent of the mails of the day, from 50 mails on. */
  readonly bounceRate: number
  /** Complaints in percent of the mails of the day, from 50 mails on. */
  readonly complaintRate: number
  /** Mails that a server deferred in percent of the mails of the day, from 50 mails on. */
  readonly deferralRate: number
}

/** A field of the body that is unknown and was ignored. */
export interface Warning {
  /** Dotted path in the body, array positions as numbers; cut to 200 characters. */
  readonly field: string
  /** An explanation, as a sentence. */
  readonly message: string
  /** The field that was probably meant, else null. */
  readonly suggestion: string | null
}

/** An endpoint that receives events. */
export interface Webhook {
  readonly id: string
  readonly projectId: string
  readonly url: string
  readonly description: string | null
  /** Patterns of types: a type, a prefix with `.*`, or `*`. */
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  /** Whether it also receives the events of test mail. */
  readonly testMode: boolean
  readonly disabledReason: "gone" | "failing" | null
  /** The last 4 characters of the secret. */
  readonly secretHint: string
  readonly lastSuccessAt: string | null
  /** The first failed attempt since the last success. */
  readonly failingSince: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** One try. */
export interface WebhookAttempt {
  readonly number: number
  readonly at: string
  /** Null without a response. */
  readonly statusCode: number | null
  readonly durationMs: number
  /** Why there was no response. */
  readonly error: "url_not_allowed" | "timeout" | "connection_failed" | null
  /** The first 4 KB of the response body. */
  readonly response: string
}

/** Config of a `WEBHOOK` step. `url`, the values of `headers` and every text in `body` are templates. */
export interface WebhookConfig {
  readonly url: string
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | null | undefined
  readonly headers?: { readonly [key: string]: string } | null | undefined
  readonly body?: unknown | undefined
  readonly timeoutSeconds?: number | null | undefined
  readonly continueOnError?: boolean | null | undefined
}

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly type: string
  /** `PENDING`: waits for its next attempt. `SUCCEEDED`: the endpoint answered with a 2xx status. `FAILED`: there are no more attempts. */
  readonly status: "PENDING" | "SUCCEEDED" | "FAILED"
  /** Attempts so far. */
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly completedAt: string | null
}

/** A delivery with its payload and its attempts. */
export interface WebhookDeliveryDetail {
  readonly id: string
  readonly webhookId: string
  readonly eventId: string
  readonly type: string
  /** `PENDING`: waits for its next attempt. `SUCCEEDED`: the endpoint answered with a 2xx status. `FAILED`: there are no more attempts. */
  readonly status: "PENDING" | "SUCCEEDED" | "FAILED"
  /** Attempts so far. */
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly completedAt: string | null
  /** The body of the request. */
  readonly payload: { readonly [key: string]: unknown }
  /** Oldest first. */
  readonly attemptLog: ReadonlyArray<WebhookAttempt>
}

/** One page of a cursor list. */
export interface WebhookDeliveryPage {
  readonly data: ReadonlyArray<WebhookDelivery>
  /** Send it unchanged, with the same filters and sort, to get the next page. */
  readonly cursor?: string | undefined
  /** False on the last page, which has no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** `POST /webhooks/{id}/test` was called. */
export interface WebhookTestEvent {
  readonly type: "webhook.test"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly message: string
  }
}

export interface WholeGraph {
  /** At most 100 with the TRIGGER, which may be left out. */
  readonly steps: ReadonlyArray<DrawnStep>
  /** At most 300. */
  readonly transitions: ReadonlyArray<DrawnTransition>
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType?: "EVENT" | "MANUAL" | "SCHEDULE" | undefined
  /** Its fields depend on the trigger type. Replaced as a whole; `{}` when only the type changes. */
  readonly triggerConfig?: { readonly [key: string]: unknown } | undefined
  /** Shorthand for `triggerConfig.eventName`. */
  readonly eventName?: string | undefined
  /** The `updatedAt` of the record that the change is based on. If it was changed since, nothing is stored: 409 with reason `changed_meanwhile`. */
  readonly ifUpdatedAt?: string | null | undefined
}

/** A workflow with its graph. */
export interface Workflow {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType: "EVENT" | "MANUAL" | "SCHEDULE"
  /** `EVENT`: `{eventName}`, and `where`, `verdict`, `condition` and `entryKey` if they are set. `MANUAL`: `{}`. `SCHEDULE`: `schedule`, `timezone`, and `segmentId` or `audienceType`. */
  readonly triggerConfig: { readonly [key: string]: unknown }
  readonly enabled: boolean
  /** Whether a contact may enter again after its execution ended; never while one is active. */
  readonly allowReentry: boolean
  /** A contact may enter again so many hours after the start of its last execution. `null`: at once. */
  readonly reentryAfterHours: number | null
  readonly goal: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null
  /** In the order in which they are tried. */
  readonly exitRules: ReadonlyArray<{
    /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
    readonly id: string
    /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
    readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
    /** Of `EVENT`. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** Of `LEFT_SEGMENT`. */
    readonly segmentId?: string | null | undefined
    /** Of `TOPIC_OFF`: the id or the key of a topic. */
    readonly topicId?: string | null | undefined
  }>
  /** Next firing of an enabled `SCHEDULE` workflow. */
  readonly nextRunAt: string | null
  /** `LIVE`: edits act on the graph that runs. `PUBLISHED`: edits act on a draft; executions stay on the version with which they started. */
  readonly versioning: "LIVE" | "PUBLISHED"
  /** Of a `PUBLISHED` workflow, the version that new executions start with. */
  readonly publishedVersion: number | null
  /** Of a `PUBLISHED` workflow. */
  readonly draft: WorkflowDraft | null
  /** In order of creation, the TRIGGER first. */
  readonly steps: ReadonlyArray<Step>
  readonly transitions: ReadonlyArray<Transition>
  readonly createdAt: string
  readonly updatedAt: string
}

/** A workflow with its graph and its counts. */
export interface WorkflowDetail {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType: "EVENT" | "MANUAL" | "SCHEDULE"
  /** `EVENT`: `{eventName}`, and `where`, `verdict`, `condition` and `entryKey` if they are set. `MANUAL`: `{}`. `SCHEDULE`: `schedule`, `timezone`, and `segmentId` or `audienceType`. */
  readonly triggerConfig: { readonly [key: string]: unknown }
  readonly enabled: boolean
  /** Whether a contact may enter again after its execution ended; never while one is active. */
  readonly allowReentry: boolean
  /** A contact may enter again so many hours after the start of its last execution. `null`: at once. */
  readonly reentryAfterHours: number | null
  readonly goal: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null
  /** In the order in which they are tried. */
  readonly exitRules: ReadonlyArray<{
    /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
    readonly id: string
    /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
    readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
    /** Of `EVENT`. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** Of `LEFT_SEGMENT`. */
    readonly segmentId?: string | null | undefined
    /** Of `TOPIC_OFF`: the id or the key of a topic. */
    readonly topicId?: string | null | undefined
  }>
  /** Next firing of an enabled `SCHEDULE` workflow. */
  readonly nextRunAt: string | null
  /** `LIVE`: edits act on the graph that runs. `PUBLISHED`: edits act on a draft; executions stay on the version with which they started. */
  readonly versioning: "LIVE" | "PUBLISHED"
  /** Of a `PUBLISHED` workflow, the version that new executions start with. */
  readonly publishedVersion: number | null
  /** Of a `PUBLISHED` workflow. */
  readonly draft: WorkflowDraft | null
  readonly _count: {
    /** The TRIGGER counts too. */
    readonly steps: number
    readonly executions: number
    /** Executions that are RUNNING or WAITING. */
    readonly activeExecutions: number
  }
  /** In order of creation, the TRIGGER first. */
  readonly steps: ReadonlyArray<Step>
  readonly transitions: ReadonlyArray<Transition>
  /** The last 20 firings, newest first; only of a `SCHEDULE` workflow. */
  readonly recentFirings?: ReadonlyArray<Firing> | undefined
  readonly createdAt: string
  readonly updatedAt: string
}

/** What differs from this version to the other one. */
export interface WorkflowDiff {
  readonly steps: {
    /** Steps that only the other version has. */
    readonly added: ReadonlyArray<{
      readonly id: string
      readonly name: string
      readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
    }>
    /** Steps that only this version has. */
    readonly removed: ReadonlyArray<{
      readonly id: string
      readonly name: string
      readonly type: "TRIGGER" | "SEND_EMAIL" | "DELAY" | "WAIT_FOR_EVENT" | "CONDITION" | "SPLIT" | "TIME_WINDOW" | "RATE_LIMIT" | "WEBHOOK" | "UPDATE_CONTACT" | "EXIT"
    }>
    /** Name, config or template differ. */
    readonly changed: ReadonlyArray<{
      readonly id: string
      readonly name: string
      readonly fields: ReadonlyArray<WorkflowFieldDiff>
    }>
    /** Steps with another position. */
    readonly moved: ReadonlyArray<string>
  }
  readonly transitions: {
    readonly added: ReadonlyArray<{
      readonly fromStepId: string
      readonly toStepId: string
      readonly branch: string | null
    }>
    readonly removed: ReadonlyArray<{
      readonly fromStepId: string
      readonly toStepId: string
      readonly branch: string | null
    }>
  }
  /** Trigger, re-entry, goal and exit rules. */
  readonly settings: ReadonlyArray<WorkflowFieldDiff>
}

/** The state of the draft of a workflow. */
export interface WorkflowDraft {
  /** Whether the draft differs from the published version. */
  readonly changed: boolean
  readonly changedAt: string | null
}

/** A contact reached the end of a workflow. */
export interface WorkflowExecutionCompletedEvent {
  readonly type: "workflow.execution.completed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly workflowId: string
    readonly executionId: string
    readonly status: string
    readonly exitReason: string | null
    /** Null unless the execution failed. */
    readonly error: {
      readonly code: string
      readonly message: string
      readonly stepId: string | null
    } | null
  }
}

/** An event reached the goal of a workflow. */
export interface WorkflowExecutionConvertedEvent {
  readonly type: "workflow.execution.converted"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    /** The event that reached the goal. */
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly workflowId: string
    readonly executionId: string
    readonly revenue: Money | null
  }
}

/** An execution of a workflow failed. */
export interface WorkflowExecutionFailedEvent {
  readonly type: "workflow.execution.failed"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly workflowId: string
    readonly executionId: string
    readonly status: string
    readonly exitReason: string | null
    /** Null unless the execution failed. */
    readonly error: {
      readonly code: string
      readonly message: string
      readonly stepId: string | null
    } | null
  }
}

/** What ends a live execution before its last step. */
export interface WorkflowExitRule {
  /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
  readonly id: string
  /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
  readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
  /** Of `EVENT`. */
  readonly eventName?: string | null | undefined
  readonly where?: ReadonlyArray<{
    /** Into the data of the event, as `data.<path>`. */
    readonly path: string
    /** The possible operators depend on the field. */
    readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
    readonly valueFrom?: string | undefined
  }> | null | undefined
  readonly verdict?: "human" | "machine" | "any" | null | undefined
  /** Of `LEFT_SEGMENT`. */
  readonly segmentId?: string | null | undefined
  /** Of `TOPIC_OFF`: the id or the key of a topic. */
  readonly topicId?: string | null | undefined
}

/** A field that a CONDITION can compare. */
export interface WorkflowField {
  readonly field: string
  readonly type: "string" | "number" | "boolean" | "date" | "array" | "object"
  readonly category: "Contact Fields" | "Custom Data" | "Event Data"
}

/** A field that differs. */
export interface WorkflowFieldDiff {
  /** Such as `config.amount`. */
  readonly path: string
  /** `null` where the field is not there. */
  readonly from: unknown
  readonly to: unknown
}

/** Names that a CONDITION can use as `field`. */
export interface WorkflowFields {
  /** Sorted by name, at most 1,000. */
  readonly fields: ReadonlyArray<string>
  readonly typedFields: ReadonlyArray<WorkflowField>
  readonly count: number
}

/** A migration of executions. Kept for 30 days. */
export interface WorkflowMigrationJob {
  readonly id: string
  readonly type: "workflow-migration"
  readonly state: "waiting" | "active" | "completed" | "failed" | "cancelled"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while the job waits; the counts so far while it is active. */
  readonly result: WorkflowMigrationResult | null
  /** Why the job itself failed, after 3 tries. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** What a migration would do now. */
export interface WorkflowMigrationPlan {
  /** Live executions of the named versions. */
  readonly total: number
  readonly steps: ReadonlyArray<{
    readonly stepId: string
    readonly executions: number
    readonly toStepId: string | null
    readonly action: "MOVE" | "STAY" | "EXIT"
  }>
}

/** The executions of a migration. */
export interface WorkflowMigrationResult {
  readonly moved: number
  readonly stayed: number
  readonly exited: number
  readonly failed: number
}

/** One page of an offset list. */
export interface WorkflowPage {
  readonly data: ReadonlyArray<ListedWorkflow>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** The draft of a workflow was published. */
export interface WorkflowPublishedEvent {
  readonly type: "workflow.published"
  /** The time of the event. */
  readonly timestamp: string
  readonly projectId: string
  /** Set if the body would exceed 256 KB: texts of `data` are then shortened or omitted. */
  readonly truncated?: true | undefined
  readonly data: {
    readonly eventId: string
    /** The contact that the event is about. */
    readonly contactId: string | null
    /** The address of that contact when the body was created. */
    readonly contactEmail: string | null
    readonly workflowId: string
    readonly name: string
    readonly version: number
    readonly note: string | null
  }
}

/** Numbers of a workflow. With a range they count what happened in it; `waiting` and `live` are then those at its end. */
export interface WorkflowReport {
  /** `null`: all versions. */
  readonly version: number | null
  readonly executions: ExecutionSums
  /** In order of creation. */
  readonly steps: ReadonlyArray<StepReport>
  readonly branches: ReadonlyArray<BranchReport>
  /** Of SPLIT steps with an experiment, since its start. */
  readonly experiments: ReadonlyArray<SplitExperiment>
}

/** The secret that WEBHOOK steps sign with. */
export interface WorkflowSigningSecret {
  /** `whsec_` and base64; signs the requests of WEBHOOK steps. */
  readonly secret: string
  readonly createdAt: string
}

/** Faults of a workflow. */
export interface WorkflowValidity {
  /** Whether it could be enabled. */
  readonly valid: boolean
  readonly errors: ReadonlyArray<Fault>
  /** Allowed, but probably a mistake. */
  readonly warnings: ReadonlyArray<Fault>
}

/** A version of a workflow with its trigger, settings and graph. */
export interface WorkflowVersion {
  readonly version: number
  readonly note: string | null
  /** When it was published or, in a `LIVE` workflow, recorded. */
  readonly publishedAt: string
  readonly publishedBy: WorkflowVersionAuthor
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType: "EVENT" | "MANUAL" | "SCHEDULE"
  readonly triggerConfig: { readonly [key: string]: unknown }
  readonly allowReentry: boolean
  readonly reentryAfterHours: number | null
  readonly goal: {
    readonly eventName: string
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** An event counts if it happened at most so many hours after the execution started. */
    readonly windowHours?: number | null | undefined
    /** Whether the event ends the execution; default true. */
    readonly exit?: boolean | null | undefined
    readonly revenue?: {
      /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
      readonly path: string
      /** Three letters, such as EUR. */
      readonly currency?: string | null | undefined
      /** Into the data of the event, in place of `currency`. */
      readonly currencyPath?: string | null | undefined
    } | null | undefined
  } | null
  readonly exitRules: ReadonlyArray<{
    /** 1 to 50 letters, digits, `_` or `-`; executions name the rule that ended them. */
    readonly id: string
    /** `EVENT`: an event of the contact. `LEFT_SEGMENT`: the contact leaves a segment with `trackMembership`. `UNSUBSCRIBED`: it unsubscribes. `TOPIC_OFF`: it says no to a topic. */
    readonly type: "EVENT" | "LEFT_SEGMENT" | "UNSUBSCRIBED" | "TOPIC_OFF"
    /** Of `EVENT`. */
    readonly eventName?: string | null | undefined
    readonly where?: ReadonlyArray<{
      /** Into the data of the event, as `data.<path>`. */
      readonly path: string
      /** The possible operators depend on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** The unit of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
      /** In place of `value`: `event.<path>`, a variable of the execution. Without it the test fails. */
      readonly valueFrom?: string | undefined
    }> | null | undefined
    readonly verdict?: "human" | "machine" | "any" | null | undefined
    /** Of `LEFT_SEGMENT`. */
    readonly segmentId?: string | null | undefined
    /** Of `TOPIC_OFF`: the id or the key of a topic. */
    readonly topicId?: string | null | undefined
  }>
  /** In order of creation, the TRIGGER first. */
  readonly steps: ReadonlyArray<Step>
  readonly transitions: ReadonlyArray<Transition>
}

/** The author of a version of a workflow. */
export interface WorkflowVersionAuthor {
  /** `KEY`: a caller with a key. `SERVICE`: the service itself. */
  readonly kind: "USER" | "KEY" | "SERVICE"
  readonly userId: string | null
}

/** One page of an offset list. */
export interface WorkflowVersionPage {
  readonly data: ReadonlyArray<WorkflowVersionSummary>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 for an empty list. */
  readonly totalPages: number
}

/** A version of a workflow without its graph. */
export interface WorkflowVersionSummary {
  readonly version: number
  readonly note: string | null
  /** When it was published or, in a `LIVE` workflow, recorded. */
  readonly publishedAt: string
  readonly publishedBy: WorkflowVersionAuthor
  /** The TRIGGER counts too. */
  readonly steps: number
  /** Executions with this `version` that are RUNNING or WAITING. */
  readonly liveExecutions: number
  readonly executions: number
}

export interface WriteCampaign {
  /** 1 to 200 characters on one line. */
  readonly name: string
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Required unless a template supplies it. */
  readonly subject?: string | null | undefined
  /** The text that inboxes show beside the subject, with placeholders: hidden at the start of the HTML, not in the text part; at most 250 characters on one line. Mail in the language of a translation has none. */
  readonly preheader?: string | null | undefined
  /** `MJML`: `source` is compiled to the body. Absent: the template's, unless `body` is given; else `HTML`. */
  readonly format?: "HTML" | "MJML" | null | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. Refused with format `MJML`. Required unless a template supplies it. */
  readonly body?: string | null | undefined
  /** MJML with `{{variable}}` placeholders, at most 1 MB. Required with format `MJML` unless a template supplies it, refused without. */
  readonly source?: string | null | undefined
  /** The plain text part, at most 2 MB. Absent: the template's, unless `body` is given; else derived from the HTML. */
  readonly text?: string | null | undefined
  /** Language of subject, body and text. Absent: the template's, otherwise the language of the project. */
  readonly language?: string | null | undefined
  /** Subject, body and text in other languages, by language tag; at most 50. Absent: the template's, in which `subject`, `body` or `source`, and `text` of the request take precedence. */
  readonly translations?: { readonly [key: string]: WriteTemplateTranslation | null } | null | undefined
  /** An address, alone or with a display name (`Ada <ada@example.com>`), which takes precedence over `fromName`. Its domain must be verified for the project. Required unless a template supplies it. */
  readonly from?: string | null | undefined
  /** Display name of the sender. */
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Default: the type of the template, otherwise `MARKETING`. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
  /** Name of a partial that contains `{{> content}}`. Absent: the template's. */
  readonly layout?: string | null | undefined
  /** `ALL`: all contacts. `SEGMENT`: the members of `segmentId`. `FILTERED`: the contacts that match `audienceCondition`. Unless the type is `TRANSACTIONAL`, only contacts that take the mail count: subscribed, not snoozed, and not without its topic. */
  readonly audienceType: "ALL" | "SEGMENT" | "FILTERED"
  /** Required for the audience type `SEGMENT`. */
  readonly segmentId?: string | null | undefined
  /** Required for the audience type `FILTERED`. */
  readonly audienceCondition?: FilterTree | null | undefined
  /** Narrows the audience to recipients of another campaign of the project. */
  readonly recipientsOf?: RecipientsOf | null | undefined
  /** Supplies the texts and the sender that the request does not have; they are copied. */
  readonly templateId?: string | null | undefined
  /** Id or key of the topic: only contacts that take it get the campaign. Absent: the template's. Not for the type `TRANSACTIONAL`. */
  readonly topicId?: string | null | undefined
  /** Shows the campaign in the public archive of the project, without the data of any contact, once it is `SENT`. Only the type `MARKETING` is archived. Default: false. */
  readonly archive?: boolean | null | undefined
  readonly policy?: WriteMailPolicy | null | undefined
  readonly delivery?: WriteCampaignDelivery | null | undefined
  /** Which part it gets beside other campaigns of the project that are sent at the same time: each step doubles it. Default: 3. */
  readonly priority?: number | null | undefined
  readonly experiment?: WriteCampaignExperiment | null | undefined
  readonly goal?: WriteCampaignGoal | null | undefined
  readonly holdout?: WriteCampaignHoldout | null | undefined
}

/** When its mails are sent. */
export interface WriteCampaignDelivery {
  /** Sends at the wall clock of `scheduledFor`, as it is in the time zone of the project, in the time zone of each recipient. Sending then starts when the first time zone of the world has reached it. Not with `spreadHours`. */
  readonly localTime?: WriteLocalTime | null | undefined
  /** Spreads its mails evenly over so many hours from the start; each part is a fair sample of the audience. */
  readonly spreadHours?: number | null | undefined
  /** Its mails in a minute, at most, over all workers; those of a second may leave at once. */
  readonly ratePerMinute?: number | null | undefined
  /** Cancels mail whose first attempt has not begun by then. In the future, and after `scheduledFor` when the campaign is sent. */
  readonly expiresAt?: string | null | undefined
}

/** Tries variants on a share of the audience. The rest gets the one that does best. */
export interface WriteCampaignExperiment {
  /** 2 to 8 variants, with the keys `A` to `H` in order. `A` has no other field. */
  readonly variants: ReadonlyArray<WriteCampaignVariant>
  readonly testShare: number
  /** What counts as a success: a mail with a click or an open by a person, or with the goal of the campaign. */
  readonly metric?: "HUMAN_CLICK" | "HUMAN_OPEN" | "GOAL" | null | undefined
  /** Hours from the start of sending to the decision, 1 to 168. */
  readonly waitHours?: number | null | undefined
  /** `AUTOMATIC`: the figures decide. `MANUAL`: a person chooses; the administrators get a mail when it is time. */
  readonly winner?: "AUTOMATIC" | "MANUAL" | null | undefined
  /** 0.9, 0.95 or 0.99. */
  readonly confidence?: 0.9 | 0.95 | 0.99 | null | undefined
  /** What the rest gets when no variant is significantly better: `BEST`: the one with the highest rate. `CONTROL`: A. `NONE`: a person chooses. */
  readonly fallback?: "BEST" | "CONTROL" | "NONE" | null | undefined
}

/** An event of a recipient that counts as a conversion. */
export interface WriteCampaignGoal {
  readonly eventName: string
  readonly where?: ReadonlyArray<{
    /** Into the data of the event, as `data.<path>`. */
    readonly path: string
    /** The possible operators depend on the field. */
    readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
    /** The value to compare with, as the operator requires: a value, a list, `[low, high]`, an amount of time, or nothing. */
    readonly value?: unknown | undefined
    /** The unit of an amount of time. */
    readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
  }> | null | undefined
  /** An event counts if it happened at most so many hours after the mail was sent, opened or clicked, and after the end of sending; 1 to 2160. */
  readonly windowHours?: number | null | undefined
  /** From when an event counts for a mail: `SENT`, or `OPENED` and `CLICKED` by a person, whatever was the last. An event counts for one mail only: of all campaigns and workflows whose goal it fits, the one with the latest such moment. */
  readonly attribution?: "SENT" | "OPENED" | "CLICKED" | null | undefined
  readonly revenue?: {
    /** Into the data of the event: a number from 0, or text of one. Other values count as no revenue. */
    readonly path: string
    /** Three letters, such as EUR. */
    readonly currency?: string | null | undefined
    /** Into the data of the event, in place of `currency`. */
    readonly currencyPath?: string | null | undefined
  } | null | undefined
}

/** Holds a part of the audience out: it gets no mail of the campaign, and shows what the others would have done without it. Needs a `goal`. */
export interface WriteCampaignHoldout {
  /** Share of the audience that gets no mail, 0.01 to 0.5. Who is held out follows from the ids of the campaign and of the contact. */
  readonly share: number
}

export interface WriteCampaignVariant {
  readonly key: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H"
  readonly subject?: string | null | undefined
  readonly preheader?: string | null | undefined
  /** HTML with `{{variable}}` placeholders, also if the campaign is written in MJML. */
  readonly body?: string | null | undefined
  /** The plain text part. Beside a `body` of its own, absent: derived from it. */
  readonly text?: string | null | undefined
  /** Subject, body and text in other languages. A variant with `subject` or `body`, but without these, has one language. */
  readonly translations?: { readonly [key: string]: {
    readonly subject: string
    readonly body: string
    readonly text?: string | null | undefined
  } } | null | undefined
  /** Of the domain of the campaign's sender. */
  readonly from?: string | null | undefined
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
}

export interface WriteDraft {
  readonly subject?: string | undefined
  /** The format of the source. `MJML`: `source` is compiled to `body` when it is saved; sending compiles nothing. */
  readonly format?: "HTML" | "MJML" | undefined
  /** HTML with `{{variable}}` placeholders, at most 2 MB. */
  readonly body?: string | undefined
  /** MJML, at most 1 MB. */
  readonly source?: string | null | undefined
  /** The plain text part, at most 2 MB. `null`: derived from the HTML. */
  readonly text?: string | null | undefined
  readonly from?: string | undefined
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Which contacts get the mail, and with which footer. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: like `MARKETING`, without the footer. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
  /** Language of subject, body and text. `null`: the language of the project. */
  readonly language?: string | null | undefined
  /** All texts in other languages, by language tag; at most 50. */
  readonly translations?: { readonly [key: string]: {
    readonly subject?: string | null | undefined
    readonly body?: string | null | undefined
    readonly source?: string | null | undefined
    readonly text?: string | null | undefined
  } | null } | undefined
  /** Name of the partial around body and text. `null`: none. */
  readonly layout?: string | null | undefined
  readonly strict?: boolean | undefined
}

export interface WriteLocalTime {
  /** What happens where that time has passed when sending starts. */
  readonly passed?: "SEND_NOW" | "NEXT_DAY" | null | undefined
}

/** Which rules of `/settings/sending` the mail follows. */
export interface WriteMailPolicy {
  /** `BYPASS`: also in the quiet hours of the project. */
  readonly quietHours?: "APPLY" | "BYPASS" | null | undefined
  /** `BYPASS`: also above the frequency caps of the project; the mail counts for them. */
  readonly frequencyCaps?: "APPLY" | "BYPASS" | null | undefined
}

/** What happens to mail above a cap. */
export interface WriteOnCap {
  /** Absent: as before. */
  readonly campaigns?: "SKIP" | "WAIT" | null | undefined
  /** Absent: as before. */
  readonly workflows?: "SKIP" | "WAIT" | null | undefined
}

export interface WritePartialDraft {
  /** HTML with `{{variable}}` placeholders, at most 256 KB. With `{{> content}}` exactly once, it can be the layout of a body. */
  readonly body?: string | undefined
  /** The text for `{{> name}}` in text parts, at most 256 KB. `null`: text parts cannot use it. */
  readonly text?: string | null | undefined
}

export interface WriteTemplateTranslation {
  readonly subject: string
  /** Required unless the format is `MJML`, refused with it. */
  readonly body?: string | null | undefined
  /** The plain text part. Absent: derived from the HTML. */
  readonly text?: string | null | undefined
  /** MJML, at most 1 MB. Required with format `MJML`, refused without. */
  readonly source?: string | null | undefined
}

export interface WriteTopicText {
  readonly name: string
  readonly description?: string | null | undefined
}

/** Every code of an error of the service. */
export type ErrorCode = ErrorEnvelope["error"]["code"]

/** The body of a webhook event; `type` names the event. */
export type WebhookEvent = EmailSentEvent | EmailDeliveryEvent | EmailOpenEvent | EmailClickEvent | EmailBounceEvent | EmailComplaintEvent | EmailFailedEvent | EmailReceivedEvent | ContactSubscribedEvent | ContactUnsubscribedEvent | SegmentEntryEvent | SegmentExitEvent | TopicSubscribedEvent | TopicUnsubscribedEvent | FormSubmittedEvent | EventTrackedEvent | CampaignSentEvent | CampaignCancelledEvent | WorkflowPublishedEvent | WorkflowExecutionCompletedEvent | WorkflowExecutionFailedEvent | WorkflowExecutionConvertedEvent | DomainVerifiedEvent | DomainUnverifiedEvent | DomainHealthChangedEvent | DeliverabilityProviderSlowedEvent | DeliverabilityProviderRecoveredEvent | DomainWarmupPausedEvent | DomainWarmupCompletedEvent | TransportFailingEvent | TransportRecoveredEvent | ProjectDisabledEvent | ProjectEnabledEvent | ContactSnoozedEvent | ContactUnsnoozedEvent | ContactEmailChangedEvent | ContactMergedEvent | ContactConfirmedEvent | ContactOptInRequestedEvent | ContactOptInDeclinedEvent | ContactOptInExpiredEvent | CampaignApprovalRequestedEvent | CampaignApprovedEvent | CampaignRejectedEvent | CampaignExperimentDecidedEvent | CampaignConvertedEvent | ContactPrivacyRequestedEvent | WebhookTestEvent

/** Query of `GET /contacts`. */
export interface ContactsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Only the contact with this address. */
  readonly email?: string | undefined
  /** Only the contact with this id. */
  readonly externalId?: string | undefined
  /** Only subscribed, or only unsubscribed contacts; absent: both. */
  readonly subscribed?: boolean | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "email" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /contacts/fields/{field}/values`. */
export interface ContactsFieldValuesQuery {
  /** Values at most: 1 to 200; a larger value counts as 200. */
  readonly limit?: number | undefined
}

/** Query of `GET /contacts/import`. */
export interface ContactsImportsQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only imports with this `groupId`. */
  readonly groupId?: string | undefined
  /** Only imports in this state. */
  readonly state?: "waiting" | "active" | "completed" | "failed" | "cancelled" | undefined
}

/** Query of `GET /contacts/bulk`. */
export interface ContactsBulkJobsQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only jobs in this state. */
  readonly state?: "waiting" | "active" | "completed" | "failed" | "cancelled" | undefined
}

/** Query of `GET /contacts/{id}/consents`. */
export interface ContactsConsentsQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
}

/** Query of `GET /contacts/export`. */
export interface ContactsExportQuery {
  /** `csv`, or `ndjson`: one contact on each line. */
  readonly format?: "csv" | "ndjson" | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Only subscribed, or only unsubscribed contacts; absent: both. */
  readonly subscribed?: boolean | undefined
  /** Only members of this segment. */
  readonly segmentId?: string | undefined
}

/** Query of `GET /opt-ins`. */
export interface OptInsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only those with this status. */
  readonly status?: "PENDING" | "CONFIRMED" | "DECLINED" | "EXPIRED" | "CANCELLED" | undefined
  /** Only those that this asked for. */
  readonly source?: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge" | undefined
  /** Requested at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Requested before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /segments/{id}/contacts`. */
export interface SegmentsContactsQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
}

/** Query of `GET /topics`. */
export interface TopicsListQuery {
  /** `false`: topics in use. `true`: archived ones. */
  readonly archived?: "false" | "true" | "all" | undefined
}

/** Query of `GET /topics/{topic}/contacts`. */
export interface TopicsContactsQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** `takes`: those that get its mail. Else what they said. */
  readonly state?: "takes" | "subscribed" | "unsubscribed" | "pending" | undefined
}

/** Query of `GET /consents`. */
export interface ConsentsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only records of this contact, under whatever address. */
  readonly contactId?: string | undefined
  /** Also finds the records of erased people. */
  readonly email?: string | undefined
  /** Id or key of a topic, as it was then. */
  readonly topic?: string | undefined
  /** Only records of this action. */
  readonly action?: "requested" | "granted" | "withdrawn" | "declined" | "expired" | "merged" | undefined
  /** Only records of changes that came this way. */
  readonly source?: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge" | undefined
  /** Only records of this form. */
  readonly formId?: string | undefined
  /** Recorded at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Recorded before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /consents/export`. */
export interface ConsentsExportQuery {
  /** `csv`, or `ndjson`: one record on each line. */
  readonly format?: "csv" | "ndjson" | undefined
  /** Only records of this contact, under whatever address. */
  readonly contactId?: string | undefined
  /** Also finds the records of erased people. */
  readonly email?: string | undefined
  /** Id or key of a topic, as it was then. */
  readonly topic?: string | undefined
  /** Only records of this action. */
  readonly action?: "requested" | "granted" | "withdrawn" | "declined" | "expired" | "merged" | undefined
  /** Only records of changes that came this way. */
  readonly source?: "api" | "send" | "track" | "import" | "bulk" | "workflow" | "form" | "page" | "one_click" | "double_opt_in" | "bounce" | "complaint" | "merge" | undefined
  /** Only records of this form. */
  readonly formId?: string | undefined
  /** Recorded at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Recorded before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /privacy-requests`. */
export interface PrivacyRequestsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only those with this status. */
  readonly status?: "UNCONFIRMED" | "OPEN" | "DONE" | "REFUSED" | "EXPIRED" | undefined
  /** Only those of this type. */
  readonly type?: "EXPORT" | "ERASURE" | undefined
}

/** Query of `GET /templates`. */
export interface TemplatesListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Only templates of this type. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "name" | "updatedAt" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /templates/{id}/versions`. */
export interface TemplatesVersionsQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
}

/** Query of `GET /partials`. */
export interface PartialsListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "name" | "updatedAt" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /partials/{id}/versions`. */
export interface PartialsVersionsQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
}

/** Query of `GET /campaigns`. */
export interface CampaignsListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Only campaigns in this state. */
  readonly status?: "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED" | undefined
  /** Only campaigns that the recurrence of this one made. */
  readonly parentId?: string | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "name" | "updatedAt" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /campaigns/{id}/links`. */
export interface CampaignsLinksQuery {
  /** Only the links and mails of this variant. */
  readonly variant?: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | undefined
}

/** Query of `GET /campaigns/{id}/report`. */
export interface CampaignsReportQuery {
  /** What a row stands for. */
  readonly by?: "variant" | "hour" | "provider" | undefined
  /** Only mails of this variant. */
  readonly variant?: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | undefined
}

/** Query of `GET /campaigns/{id}/recipients`. */
export interface CampaignsRecipientsQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only mails in this state. */
  readonly status?: "SCHEDULED" | "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED" | undefined
  /** Only mails of this variant. */
  readonly variant?: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
}

/** Query of `GET /workflows`. */
export interface WorkflowsListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** `active`: only enabled workflows. `disabled`: only disabled ones. */
  readonly status?: "active" | "disabled" | undefined
  /** `EVENT`: an event with the given name starts it for the contact of the event. `SCHEDULE`: a cron schedule starts it for an audience. `MANUAL`: only `POST /workflows/{id}/executions` starts it; that call works with the other types too. */
  readonly triggerType?: "EVENT" | "MANUAL" | "SCHEDULE" | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "name" | "updatedAt" | "steps" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /workflows/fields`. */
export interface WorkflowsFieldsQuery {
  /** The event whose data keys are listed as `event.<key>`; default: any event. */
  readonly eventName?: string | undefined
}

/** Query of `GET /workflows/{id}/report`. */
export interface WorkflowsReportQuery {
  /** Only executions that started with this version or were migrated to it. Default: all. */
  readonly version?: number | undefined
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. Its whole day in UTC counts. */
  readonly startDate?: string | undefined
  /** End: a date or a date-time, ISO 8601. Its whole day in UTC counts. */
  readonly endDate?: string | undefined
}

/** Query of `DELETE /workflows/{id}/steps/{stepId}`. */
export interface WorkflowsDeleteStepQuery {
  /** When true, the step before it is connected to the step after it; default false. */
  readonly splice?: boolean | undefined
}

/** Query of `GET /workflows/{id}/versions`. */
export interface WorkflowsVersionsQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
}

/** Query of `GET /workflows/{id}/versions/{n}/diff`. */
export interface WorkflowsDiffQuery {
  /** The number of the other version, or `draft`; default `draft`. */
  readonly with?: string | undefined
}

/** Query of `GET /workflows/{id}/executions`. */
export interface ExecutionsListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Only executions in one of these states: separated by commas, such as `RUNNING,WAITING`. */
  readonly status?: string | undefined
  /** Only items about this contact. */
  readonly contactId?: string | undefined
  /** Only items of this version. */
  readonly version?: number | undefined
  /** Only executions that wait at this step. */
  readonly currentStepId?: string | undefined
}

/** Query of `GET /contacts/{id}/executions`. */
export interface ExecutionsOfContactQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only executions in one of these states: separated by commas, such as `RUNNING,WAITING`. */
  readonly status?: string | undefined
}

/** Query of `GET /domains/{id}/health`. */
export interface DomainsHealthQuery {
  /** `true` asks DNS now, unless it was asked less than a minute ago; default false. */
  readonly refresh?: boolean | undefined
}

/** Query of `GET /domains/{id}/dmarc`. */
export interface DomainsDmarcQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** What one row is about. */
  readonly groupBy?: "source" | "reporter" | "day" | undefined
  /** Items at most: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
}

/** Query of `GET /domains/{id}/warmup`. */
export interface DomainsWarmupQuery {
  /** The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain. */
  readonly transport?: string | undefined
}

/** Query of `PUT /domains/{id}/warmup`. */
export interface DomainsSetWarmupQuery {
  /** The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain. */
  readonly transport?: string | undefined
}

/** Query of `DELETE /domains/{id}/warmup`. */
export interface DomainsRemoveWarmupQuery {
  /** The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain. */
  readonly transport?: string | undefined
}

/** Query of `POST /domains/{id}/warmup/pause`. */
export interface DomainsPauseWarmupQuery {
  /** The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain. */
  readonly transport?: string | undefined
}

/** Query of `POST /domains/{id}/warmup/resume`. */
export interface DomainsResumeWarmupQuery {
  /** The plan of mail that is tried there first: the id of a transport of the project, or the label of one of the installation, such as `smtp1`. Absent: the plan of all mail of the domain. */
  readonly transport?: string | undefined
}

/** Query of `GET /emails`. */
export interface EmailsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only mail in these states, separated by commas, such as `SENT,DELIVERED`. */
  readonly status?: string | undefined
  /** `LIVE`: only live mail; `TEST`: only mail of test mode; `ALL`: both. Keys of test mode see only test mail. */
  readonly mode?: "LIVE" | "TEST" | "ALL" | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "scheduledFor" | undefined
  /** The origin of the mail. */
  readonly sourceType?: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | undefined
  /** Only mail of this contact. */
  readonly contactId?: string | undefined
  /** Only mail of this campaign. */
  readonly campaignId?: string | undefined
  /** Only mail of this workflow. */
  readonly workflowId?: string | undefined
  /** Only mail of this template. */
  readonly templateId?: string | undefined
  /** Only the mail of this group: one mail and its copies. */
  readonly groupId?: string | undefined
  /** Only mail to exactly this address. */
  readonly to?: string | undefined
  /** Only mail with this tag: `order:4711` (key and exact value) or `order` (any value). May be given up to 5 times; all must match. */
  readonly tag?: string | ReadonlyArray<string> | undefined
  /** Created at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Created before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /emails/{id}/content`. */
export interface EmailsContentQuery {
  /** `raw`: the message as `message/rfc822`. */
  readonly format?: "json" | "raw" | undefined
}

/** Query of `GET /suppressions`. */
export interface SuppressionsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Why the address gets no mail: it bounced permanently, its owner complained, or it was added by hand. */
  readonly reason?: "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | undefined
  /** Suppressed at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Suppressed before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /suppressions/export`. */
export interface SuppressionsExportQuery {
  /** `csv`, or `ndjson`: one suppression on each line. */
  readonly format?: "csv" | "ndjson" | undefined
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Why the address gets no mail: it bounced permanently, its owner complained, or it was added by hand. */
  readonly reason?: "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | undefined
  /** Suppressed at or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Suppressed before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /events`. */
export interface EventsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only events with exactly this name. */
  readonly eventName?: string | undefined
  /** Only events of this contact. */
  readonly contactId?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
  /** At or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /events/stats`. */
export interface EventsStatsQuery {
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
  /** At or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /events/contact/{contactId}`. */
export interface EventsOfContactQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
}

/** Query of `GET /events/names`. */
export interface EventsNamesQuery {
  /** Text to search for, case-insensitive; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
}

/** Query of `GET /events/{eventName}/timeseries`. */
export interface EventsTimeseriesQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** IANA name of the time zone of days. Default: that of the project. */
  readonly timezone?: string | undefined
}

/** Query of `GET /activity`. */
export interface ActivityListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only entries of these types: separated by commas, such as `email.opened,email.clicked`. */
  readonly types?: string | undefined
  /** Only entries about this contact. */
  readonly contactId?: string | undefined
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** IANA name of the time zone of days. Default: that of the project. */
  readonly timezone?: string | undefined
}

/** Query of `GET /activity/stats`. */
export interface ActivityStatsQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** IANA name of the time zone of days. Default: that of the project. */
  readonly timezone?: string | undefined
}

/** Query of `GET /activity/recent-count`. */
export interface ActivityRecentCountQuery {
  /** How far back: 1 to 60 minutes; a larger value counts as 60. */
  readonly minutes?: number | undefined
}

/** Query of `GET /activity/upcoming`. */
export interface ActivityUpcomingQuery {
  /** Items at most: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** How far ahead: 1 to 90 days; a larger value counts as 90. */
  readonly daysAhead?: number | undefined
}

/** Query of `GET /analytics/timeseries`. */
export interface AnalyticsTimeseriesQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** IANA name of the time zone of days. Default: that of the project. */
  readonly timezone?: string | undefined
  /** `false` leaves out mails that no person opened or clicked. */
  readonly includeMachine?: boolean | undefined
}

/** Query of `GET /analytics/providers`. */
export interface AnalyticsProvidersQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** IANA name of the time zone of days. Default: that of the project. */
  readonly timezone?: string | undefined
}

/** Query of `GET /analytics/top-campaigns`. */
export interface AnalyticsTopCampaignsQuery {
  /** The metric to order by, highest first. */
  readonly metric?: "opened" | "clicked" | "delivered" | "sent" | "bounced" | "openRate" | "clickRate" | undefined
  /** Items at most: 1 to 50; a larger value counts as 50. */
  readonly limit?: number | undefined
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
}

/** Query of `GET /analytics/campaign-stats`. */
export interface AnalyticsCampaignStatsQuery {
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
  /** Items at most: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
}

/** Query of `GET /analytics/conversions`. */
export interface AnalyticsConversionsQuery {
  /** What a row stands for. */
  readonly by?: "day" | "campaign" | "workflow" | undefined
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601, at most 366 days before the end. Its whole day in UTC counts. */
  readonly startDate?: string | undefined
  /** End: a date or a date-time, ISO 8601. Its whole day in UTC counts. Default: now. */
  readonly endDate?: string | undefined
}

/** Query of `GET /analytics/top-events`. */
export interface AnalyticsTopEventsQuery {
  /** Items at most: 1 to 20; a larger value counts as 20. */
  readonly limit?: number | undefined
  /** Start, inclusive: a date (`2026-03-01`) or a date-time, ISO 8601. At most 366 days before the end. */
  readonly startDate?: string | undefined
  /** End: a date-time, exclusive, or a date, whose whole day counts. Default: now. */
  readonly endDate?: string | undefined
}

/** Query of `GET /live`. */
export interface LiveQuery {
  /** Only changes of these kinds, as `activity,campaigns`. Default: all. */
  readonly topics?: string | undefined
}

/** Query of `GET /search`. */
export interface SearchFindQuery {
  /** 2 to 200 characters, taken literally in any case; or the id of a record. */
  readonly q: string
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
}

/** Query of `GET /views`. */
export interface ViewsListQuery {
  /** Only views of this list. */
  readonly page?: "activity" | "audit" | "campaigns" | "contacts" | "events" | "mails" | "pieces" | "segments" | "suppressions" | "templates" | "workflows" | undefined
}

/** Query of `GET /uploads/images`. */
export interface UploadsImagesQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
}

/** Query of `GET /projects/{id}/audit`. */
export interface ProjectsAuditQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** Only this action, such as `campaign.sent`; or with `.*` all that begin so, such as `campaign.*`. */
  readonly action?: string | undefined
  /** Only changes that this user made. */
  readonly userId?: string | undefined
  /** At or after this date (`2026-03-01`) or date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Before this date-time, or until the end of this date. */
  readonly endDate?: string | undefined
}

/** Query of `GET /webhooks/{id}/deliveries`. */
export interface WebhooksDeliveriesQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page. Absent: the first page. */
  readonly cursor?: string | undefined
  /** `PENDING`: waits for its next attempt. `SUCCEEDED`: the endpoint answered with a 2xx status. `FAILED`: there are no more attempts. */
  readonly status?: "PENDING" | "SUCCEEDED" | "FAILED" | undefined
  /** Only deliveries of exactly this type. */
  readonly type?: string | undefined
  /** Created at or after this time: a date (`2026-03-01`) or a date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Created before this time: a date-time, exclusive, or a date, whose whole day counts. */
  readonly endDate?: string | undefined
}

/** Query of `POST /users/@me/projects/{id}/checkout`. */
export interface BillingCheckoutQuery {
  /** Default `usd`. */
  readonly currency?: "usd" | "eur" | "gbp" | undefined
}

// Generated from openapi.json by generate.ts; not to be edited.
export interface AddDomain {
  /** Name of the domain; a final dot and upper case do not count, other scripts become their ASCII form. */
  readonly domain: string
  /** May repeat the project of the key; another one is 404. */
  readonly projectId?: string | null | undefined
}

export interface AddMembers {
  /** 1 to 1,000 addresses; duplicates count once. */
  readonly emails: ReadonlyArray<string>
  /** Create a contact for each address that has none. */
  readonly createMissing?: boolean | null | undefined
  /** State of the contacts that are created. Absent: subscribed. */
  readonly subscribed?: boolean | null | undefined
}

/** What became of the addresses. */
export interface AddedMembers {
  /** New members, those whose contact was created included. */
  readonly added: number
  /** Contacts that were created. */
  readonly created: number
  readonly alreadyMembers: number
  /** Addresses that have no contact. */
  readonly notFound: ReadonlyArray<string>
}

/** A file that goes with a mail. */
export interface Attachment {
  readonly filename: string
  /** The file in base64 (RFC 4648 section 4); padding may be left out, blanks and line breaks are ignored. */
  readonly content: string
  /** Media type; absent: told from the extension of the file name. */
  readonly contentType?: string | null | undefined
  /** Absent: `attachment`. */
  readonly disposition?: "attachment" | "inline" | null | undefined
  /** How the body names an inline file, as `cid:<contentId>`; unique in the request. */
  readonly contentId?: string | null | undefined
}

/** What is told of an attachment; never its content. */
export interface AttachmentInfo {
  readonly filename: string
  readonly contentType: string
  readonly size: number
  readonly disposition: "attachment" | "inline"
  readonly contentId: string | null
}

/** One try to hand the mail over. */
export interface Attempt {
  readonly number: number
  readonly startedAt: string
  readonly endedAt: string | null
  readonly transport: string | null
  /** The server the mail was handed to. */
  readonly remoteHost: string | null
  /** Null while the try is under way. */
  readonly outcome: "accepted" | "deferred" | "rejected" | "ambiguous" | "error" | null
  /** Reply code of SMTP (RFC 5321 4.2). */
  readonly code: number | null
  /** Enhanced status code (RFC 3463). */
  readonly enhancedCode: string | null
  /** The reply as it came, at most 1 KB. */
  readonly reply: string | null
}

export interface BulkContacts {
  /** 1 to 1,000 ids; duplicates count once. */
  readonly contactIds: ReadonlyArray<string>
}

/** A bulk operation on contacts. Kept for 30 days. */
export interface BulkJob {
  readonly id: string
  readonly type: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete"
  readonly state: "waiting" | "active" | "completed" | "failed"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while it waits; the counts so far while it is active. */
  readonly result: BulkResult | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** What a bulk operation came to. */
export interface BulkResult {
  readonly operation: "bulk-subscribe" | "bulk-unsubscribe" | "bulk-delete"
  /** Different ids of the request. */
  readonly totalRequested: number
  /** Contacts that were changed. */
  readonly successCount: number
  /** Contacts that were in that state already. */
  readonly unchanged: number
  /** Ids of no contact of the project. */
  readonly failureCount: number
  readonly errors: ReadonlyArray<{
    readonly contactId: string
    readonly error: string
  }>
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
  /** DNS is right, but another project holds the domain. */
  readonly verifiedElsewhere: boolean
  /** Verified by the operator, whatever DNS says. */
  readonly trusted: boolean
  /** Negative checks in a row; the third one takes the verification away. */
  readonly failedChecks: number
  /** The DNS records to publish. */
  readonly records: ReadonlyArray<DomainRecord>
  readonly lastCheckedAt: string | null
  /** Why the last check told nothing. */
  readonly lastError: string | null
  readonly verifiedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly tokens: ReadonlyArray<string>
}

/** Who joined and who left. */
export interface ComputedSegment {
  /** Contacts that joined. */
  readonly added: number
  /** Contacts that left. */
  readonly removed: number
  /** Members now. */
  readonly total: number
}

/** One address in one project. */
export interface Contact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** Custom data, usable as template variables; `{}` when there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Values by name, stored on the contact and usable as template variables. `null` deletes a field, an empty string is ignored, `{value, persistent: false}` counts for this request only, and reserved keys (`id`, `email`, `unsubscribeUrl`, ...) are dropped. At most 64 KB as JSON, 10 levels, 500 keys in an object, 100 characters in a key. */
export type ContactData = { readonly [key: string]: unknown }

/** A field, and how much it is used. */
export interface ContactField {
  /** A standard name, or `data.` and the key. */
  readonly field: string
  /** Of custom fields told from up to 1,000 newest contacts that have it: `date` when all are ISO dates, `mixed` when kinds differ. */
  readonly type: "string" | "number" | "boolean" | "date" | "object" | "array" | "mixed"
  /** Percentage of all contacts that have a value, at least 1 when any has. */
  readonly coverage: number
}

/** May be up to 60 seconds old. */
export interface ContactFields {
  /** Sorted by field. */
  readonly fields: ReadonlyArray<ContactField>
  readonly count: number
}

/** Each different given text once, spelled and ordered as given. */
export interface ContactLookup {
  /** Given addresses that a contact has. */
  readonly found: ReadonlyArray<string>
  /** Given addresses that no contact has, badly formed ones too. */
  readonly notFound: ReadonlyArray<string>
  /** Those of `notFound` that are badly formed. */
  readonly invalid: ReadonlyArray<string>
}

/** One page of a cursor list. */
export interface ContactPage {
  readonly data: ReadonlyArray<Contact>
  /** Give it back unchanged, with the same filters and sort, for the next page. */
  readonly cursor?: string | undefined
  /** When false the list has ended and there is no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
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
  /** Where this request switches tracking on: the contacts that match now become members without events, so that only later joins and leaves emit. */
  readonly silentStart?: boolean | null | undefined
}

export interface CreateTemplate {
  /** 1 to 100 characters on one line. */
  readonly name: string
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. */
  readonly subject: string
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  /** Its domain must be verified for the project. */
  readonly from: string
  /** Display name of the sender. */
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Absent: `MARKETING`. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | null | undefined
}

/** The contact is new. */
export interface CreatedContact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** Custom data, usable as template variables; `{}` when there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly _meta: {
    readonly isNew: true
    readonly isUpdate: false
  }
}

/** The events are gone. */
export interface DeletedEvents {
  readonly deletedCount: number
}

/** What the deletion of a field came to. */
export interface DeletedField {
  /** Contacts that had it. */
  readonly deletedFrom: number
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
  /** DNS is right, but another project holds the domain. */
  readonly verifiedElsewhere: boolean
  /** Verified by the operator, whatever DNS says. */
  readonly trusted: boolean
  /** Negative checks in a row; the third one takes the verification away. */
  readonly failedChecks: number
  /** The DNS records to publish. */
  readonly records: ReadonlyArray<DomainRecord>
  readonly lastCheckedAt: string | null
  /** Why the last check told nothing. */
  readonly lastError: string | null
  readonly verifiedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** One DNS record to publish. */
export interface DomainRecord {
  readonly type: "TXT" | "MX"
  readonly name: string
  readonly value: string
  readonly purpose: "DKIM" | "RETURN_PATH" | "SPF" | "DMARC"
  /** Whether the domain is verified only with it. */
  readonly required: boolean
  /** `PENDING`: not there yet. `MISMATCH`: something else is there. */
  readonly status: "PENDING" | "MISMATCH" | "VERIFIED"
  /** What is there now, at most 5 values of 1,000 characters. */
  readonly found: ReadonlyArray<string>
}

/** The record of one mail to one recipient. */
export interface Email {
  readonly id: string
  readonly projectId: string
  /** Null after the contact was deleted. */
  readonly contactId: string | null
  /** Address of the recipient. */
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly subject: string | null
  /** Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** How the mail was made. */
  readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
  /** A test mail of a campaign, left out of all counts. */
  readonly test: boolean
  readonly templateId: string | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly workflowStepExecutionId: string | null
  /** Message-ID (RFC 5322 3.6.4) without angle brackets, the same on every try. */
  readonly messageId: string | null
  /** `PENDING` waits to be sent, `SENDING` is being handed over, `SENT` was accepted by the next server, `DELIVERED` by the recipient's. `OPENED`, `CLICKED`, `BOUNCED` and `COMPLAINED` are what came back. `FAILED` was given up. `AMBIGUOUS`: the connection broke after the content, nobody knows. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
  readonly status: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
  /** Whether opens and clicks are tracked. */
  readonly tracking: boolean
  /** Headers the caller added. */
  readonly headers: { readonly [key: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo>
  readonly opens: number
  readonly clicks: number
  /** Opens by scanners and prefetchers, counted in `opens` too. */
  readonly machineOpens: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Tries so far. */
  readonly attempts: number
  /** When the next try is due, after a temporary failure. */
  readonly nextAttemptAt: string | null
  /** The last failure, or the reason of the state. */
  readonly error: {
    readonly code: "expired" | "rejected" | "ambiguous" | "contact_unsubscribed" | "suppressed" | "cancelled" | "contact_deleted" | "project_was_disabled" | "template_missing" | "sender_domain_unverified" | "render_failed" | "invalid_recipient" | "connection_failed" | "timeout"
    readonly message: string
  } | null
  /** Why it is `SUPPRESSED`. */
  readonly suppressionReason: "UNSUBSCRIBED" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | null
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

/** What the mail said, as rendered. */
export interface EmailContent {
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly headers: { readonly [key: string]: string }
  /** When the texts were removed after their retention, else null. */
  readonly purgedAt: string | null
}

/** The record of a mail with its history. */
export interface EmailDetail {
  readonly id: string
  readonly projectId: string
  /** Null after the contact was deleted. */
  readonly contactId: string | null
  /** Address of the recipient. */
  readonly to: string
  readonly toName: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly subject: string | null
  /** Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  /** How the mail was made. */
  readonly sourceType: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW"
  /** A test mail of a campaign, left out of all counts. */
  readonly test: boolean
  readonly templateId: string | null
  readonly campaignId: string | null
  readonly workflowId: string | null
  readonly workflowExecutionId: string | null
  readonly workflowStepExecutionId: string | null
  /** Message-ID (RFC 5322 3.6.4) without angle brackets, the same on every try. */
  readonly messageId: string | null
  /** `PENDING` waits to be sent, `SENDING` is being handed over, `SENT` was accepted by the next server, `DELIVERED` by the recipient's. `OPENED`, `CLICKED`, `BOUNCED` and `COMPLAINED` are what came back. `FAILED` was given up. `AMBIGUOUS`: the connection broke after the content, nobody knows. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
  readonly status: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
  /** Whether opens and clicks are tracked. */
  readonly tracking: boolean
  /** Headers the caller added. */
  readonly headers: { readonly [key: string]: string }
  readonly attachments: ReadonlyArray<AttachmentInfo>
  readonly opens: number
  readonly clicks: number
  /** Opens by scanners and prefetchers, counted in `opens` too. */
  readonly machineOpens: number
  /** Clicks by scanners, counted in `clicks` too. */
  readonly machineClicks: number
  /** Tries so far. */
  readonly attempts: number
  /** When the next try is due, after a temporary failure. */
  readonly nextAttemptAt: string | null
  /** The last failure, or the reason of the state. */
  readonly error: {
    readonly code: "expired" | "rejected" | "ambiguous" | "contact_unsubscribed" | "suppressed" | "cancelled" | "contact_deleted" | "project_was_disabled" | "template_missing" | "sender_domain_unverified" | "render_failed" | "invalid_recipient" | "connection_failed" | "timeout"
    readonly message: string
  } | null
  /** Why it is `SUPPRESSED`. */
  readonly suppressionReason: "UNSUBSCRIBED" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL" | null
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
  /** Every try, oldest first. */
  readonly attemptLog: ReadonlyArray<Attempt>
  /** Oldest first, at most 500 entries. */
  readonly timeline: ReadonlyArray<TimelineEntry>
}

/** One page of a cursor list. */
export interface EmailPage {
  readonly data: ReadonlyArray<Email>
  /** Give it back unchanged, with the same filters and sort, for the next page. */
  readonly cursor?: string | undefined
  /** When false the list has ended and there is no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** What was removed or stripped. */
export interface Erasure {
  readonly contactId: string
  readonly erasedAt: string
  /** Events that were removed. */
  readonly events: number
  /** Records of mail that were stripped of all that is personal. */
  readonly emails: number
  /** Workflow executions that were removed. */
  readonly executions: number
  /** Segment memberships that were removed. */
  readonly memberships: number
}

/** The envelope of every error. */
export interface ErrorEnvelope {
  readonly success: false
  readonly error: {
    /** Machine-readable, from this closed list. */
    readonly code: "INVALID_JSON" | "BAD_REQUEST" | "INVALID_CURSOR" | "INVALID_TOKEN" | "EMPTY_AUDIENCE" | "INVALID_API_KEY" | "UNAUTHORIZED" | "INVALID_CREDENTIALS" | "BILLING_LIMIT_EXCEEDED" | "FORBIDDEN" | "PROJECT_ACCESS_DENIED" | "PROJECT_DISABLED" | "EMAIL_VERIFICATION_REQUIRED" | "SIGNUPS_DISABLED" | "INVALID_SIGNATURE" | "INTERNAL_SERVER_ERROR" | "CONTACT_NOT_FOUND" | "TEMPLATE_NOT_FOUND" | "CAMPAIGN_NOT_FOUND" | "SEGMENT_NOT_FOUND" | "WORKFLOW_NOT_FOUND" | "STEP_NOT_FOUND" | "RESOURCE_NOT_FOUND" | "ROUTE_NOT_FOUND" | "IDEMPOTENCY_KEY_REUSED" | "EMAIL_ALREADY_EXISTS" | "RESOURCE_IN_USE" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_ERROR" | "RATE_LIMIT_EXCEEDED" | "SERVICE_UNAVAILABLE"
    /** What went wrong, in a sentence for humans. */
    readonly message: string
    /** The HTTP status. */
    readonly statusCode: number
    /** The `X-Request-Id` of the response. */
    readonly requestId: string
    /** Every fault found, with `VALIDATION_ERROR` and `BAD_REQUEST`. */
    readonly errors?: ReadonlyArray<Fault> | undefined
    /** Extra data, as named with each code. The `reason` of a `CONFLICT`: */
    readonly details?: { readonly [key: string]: unknown } | undefined
    /** What to do about it; fixed for each code. */
    readonly suggestion: string
  }
  /** Time of the answer, ISO 8601. */
  readonly timestamp: string
}

/** What a contact did, or what became of it. It never changes. */
export interface Event {
  readonly id: string
  readonly name: string
  readonly projectId: string
  readonly contactId: string | null
  readonly contact: {
    readonly id: string
    readonly email: string
  } | null
  /** The mail it is about, or that led to it. */
  readonly emailId: string | null
  /** `tracked` by a caller, or an event of the service itself. */
  readonly source: "tracked" | "system"
  /** What was sent with it, or what the service tells of it. */
  readonly data: { readonly [key: string]: unknown } | null
  readonly createdAt: string
}

/** Names of events that the project has. */
export interface EventNames {
  /** The most frequent first, at most 1,000. */
  readonly eventNames: ReadonlyArray<string>
}

/** One page of a cursor list. */
export interface EventPage {
  readonly data: ReadonlyArray<Event>
  /** Give it back unchanged, with the same filters and sort, for the next page. */
  readonly cursor?: string | undefined
  /** When false the list has ended and there is no cursor. */
  readonly hasMore: boolean
  /** Exact on the first page, 0 on later ones. */
  readonly total: number
}

/** How often an event happened. */
export interface EventStat {
  readonly name: string
  readonly count: number
  readonly uniqueContacts: number
  readonly lastSeenAt: string
}

/** Names of events with their counts. */
export type EventStats = ReadonlyArray<EventStat>

/** Where the name of an event is used. */
export interface EventUsage {
  readonly eventName: string
  readonly usedInSegments: ReadonlyArray<{
    readonly id: string
    readonly name: string
  }>
  /** Campaigns that are not over. */
  readonly usedInCampaigns: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
  }>
  readonly usedInWorkflows: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly as: ReadonlyArray<"trigger" | "wait" | "condition">
  }>
  readonly totalCount: number
  readonly uniqueContacts: number
  /** Nothing uses the name, and it is none of the service's own. */
  readonly canDelete: boolean
}

/** One fault of a request. */
export interface Fault {
  /** Dotted path in the body, array positions as numbers (`to.0.email`); or the name of the parameter or header; empty for the whole body. */
  readonly field: string
  /** A sentence for humans. */
  readonly message: string
  readonly code: "required" | "invalid_type" | "invalid_string" | "too_small" | "too_big" | "invalid_enum" | "invalid_union" | "reserved_event" | "contact_unsubscribed" | "template_syntax" | "custom"
  /** For `invalid_type` the JSON type, else the value as text, cut to 100 characters; absent for bodies, attachments and secrets. */
  readonly received?: string | undefined
  /** With `template_syntax`: line in the field, from 1. */
  readonly line?: number | undefined
  /** With `template_syntax`: column, from 1. */
  readonly column?: number | undefined
}

/** Where a field is referenced; a path below it counts. */
export interface FieldUsage {
  readonly field: string
  /** Segments whose condition names it. */
  readonly usedInSegments: ReadonlyArray<NamedResource>
  /** Campaigns in DRAFT, SCHEDULED or SENDING whose audience condition names it. */
  readonly usedInCampaigns: ReadonlyArray<NamedCampaign>
  /** Workflows with a CONDITION or UPDATE_CONTACT step that names it. */
  readonly usedInWorkflows: ReadonlyArray<NamedResource>
  /** Contacts that have it. */
  readonly contactCount: number
  /** Whether nothing refers to it; never for a standard field. */
  readonly canDelete: boolean
}

/** Different values of a field. */
export interface FieldValues {
  readonly field: string
  /** Different values, ordered as text; texts that are not empty, numbers and booleans. */
  readonly values: ReadonlyArray<string | number | boolean>
  readonly count: number
  /** As it was applied: 100 unless given, at most 200. */
  readonly limit: number
}

/** A condition on contacts. At most 10 trees deep and 100 filters in all; lists have at most 1,000 entries, texts 1,000 characters. */
export interface FilterTree {
  /** How the groups are combined. */
  readonly logic?: "AND" | "OR" | undefined
  /** Without groups every contact matches. */
  readonly groups: ReadonlyArray<{
    readonly filters?: ReadonlyArray<{
      /** `email`, `subscribed`, `createdAt`, `updatedAt`, `data.<path>`, `event.<name>`, `email.<activity>`, `segment.<id>`, or the bare name of an event with an event operator. */
      readonly field: string
      /** Which of them fit depends on the field. */
      readonly operator: "equals" | "notEquals" | "contains" | "notContains" | "startsWith" | "endsWith" | "in" | "notIn" | "greaterThan" | "greaterThanOrEqual" | "lessThan" | "lessThanOrEqual" | "between" | "exists" | "notExists" | "within" | "olderThan" | "triggered" | "notTriggered" | "triggeredWithin" | "triggeredOlderThan" | "notTriggeredWithin" | "memberOfSegment" | "notMemberOfSegment"
      /** What to compare with, as the operator needs it: a value, a list, `[low, high]`, an amount of time, or nothing. */
      readonly value?: unknown | undefined
      /** Of an amount of time. */
      readonly unit?: "minutes" | "hours" | "days" | "weeks" | "months" | undefined
    }> | undefined
    readonly conditions?: FilterTree | undefined
  }>
}

/** The process is alive. */
export interface Health {
  readonly status: "ok"
  readonly time: string
  /** Whole seconds since the start. */
  readonly uptime: number
  readonly version: string
}

/** An event of the person. */
export interface HeldEvent {
  readonly id: string
  readonly name: string
  readonly emailId: string | null
  readonly source: "tracked" | "system"
  readonly data: unknown
  readonly createdAt: string
}

/** A segment that the person is in. */
export interface HeldSegment {
  readonly id: string
  readonly name: string
}

/** Why the address gets no mail. */
export interface HeldSuppression {
  /** Null when only a keyed hash of the address is kept. */
  readonly email: string | null
  readonly reason: "UNSUBSCRIBED" | "HARD_BOUNCE" | "COMPLAINT" | "MANUAL"
  readonly emailId: string | null
  readonly note: string | null
  readonly createdAt: string
}

/** An import of contacts. Kept for 30 days. */
export interface ImportJob {
  readonly id: string
  readonly type: "import"
  readonly state: "waiting" | "active" | "completed" | "failed"
  /** Percent, 0 to 100. */
  readonly progress: number
  /** Null while it waits; the counts so far while it is active. */
  readonly result: ImportResult | null
  /** Why the job itself failed, after 3 tries. Faulty items do not fail it. */
  readonly failedReason: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** What an import came to. */
export interface ImportResult {
  /** Rows read so far: `successCount` and `failureCount` together. */
  readonly totalRows: number
  readonly successCount: number
  readonly createdCount: number
  /** Rows of contacts that existed, whether they changed or not. */
  readonly updatedCount: number
  readonly failureCount: number
  /** Faulty rows in the order of the file, at most 1000. */
  readonly errors: ReadonlyArray<{
    /** Line in the file on which the row begins; the header is line 1. */
    readonly row: number
    /** As given, cut to 100 characters. */
    readonly email: string
    readonly error: string
  }>
  /** Whether there are more faulty rows than named. */
  readonly errorsTruncated: boolean
}

/** A job was queued. */
export interface JobQueued {
  readonly message: string
  /** Tells what becomes of it. */
  readonly jobId: string
}

export interface LookupContacts {
  /** 1 to 500 addresses, in any spelling. */
  readonly emails: ReadonlyArray<string>
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

/** Something the service needs is missing, or it is shutting down. */
export interface NotReady {
  readonly status: "not_ready"
  readonly checks: {
    readonly database: "ok" | "failed" | "skipped"
    readonly migrations: "ok" | "failed" | "skipped"
    readonly storage: "ok" | "failed" | "skipped"
    readonly workers: "ok" | "failed" | "skipped"
    readonly mailer: "ok" | "failed" | "skipped"
  }
}

/** Everything that is held about one person. */
export interface PersonalData {
  readonly exportedAt: string
  readonly contact: Contact
  /** Oldest first. */
  readonly events: ReadonlyArray<HeldEvent>
  /** Records of mail to the person, oldest first. */
  readonly emails: ReadonlyArray<Email>
  readonly segments: ReadonlyArray<HeldSegment>
  readonly executions: ReadonlyArray<unknown>
  readonly suppression: HeldSuppression | null
}

/** A refusal without envelope: the field this endpoint cannot do without is missing, or the body is not JSON. */
export interface PlainError {
  readonly error: string
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
  }
}

/** The count. */
export interface RefreshedSegment {
  readonly memberCount: number
}

export interface RemoveMembers {
  /** 1 to 1,000 addresses; duplicates count once. */
  readonly emails: ReadonlyArray<string>
}

/** What became of the addresses. */
export interface RemovedMembers {
  readonly removed: number
  /** Addresses that were no members. */
  readonly notFound: ReadonlyArray<string>
}

/** A named part of the audience. */
export interface Segment {
  readonly id: string
  readonly name: string
  /** Internal note. */
  readonly description: string | null
  /** `DYNAMIC`: the contacts that its condition holds for. `STATIC`: those that were added by hand. */
  readonly type: "DYNAMIC" | "STATIC"
  /** Of a dynamic segment; `null` for a static one. */
  readonly condition: FilterTree | null
  /** When true, `segment.<slug>.entry` and `segment.<slug>.exit` are emitted as contacts join and leave. */
  readonly trackMembership: boolean
  /** As last counted: at once for a static segment, at least every 5 minutes for others. */
  readonly memberCount: number
  /** Stands in the names of its events; made from the first name and kept. */
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
  /** 0 when there is nothing. */
  readonly totalPages: number
}

export interface SendEmail {
  /** One recipient or 1 to 1,000, each an address, alone or with a display name. */
  readonly to: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | ReadonlyArray<string | {
    readonly email: string
    readonly name?: string | null | undefined
  }>
  /** Id of a template that supplies subject, body, sender, reply address and type; fields of the request win over it, one by one. */
  readonly template?: string | null | undefined
  /** The same as `template`, which wins. */
  readonly templateId?: string | null | undefined
  /** 1 to 998 characters on one line, with placeholders. Needed without a template. */
  readonly subject?: string | null | undefined
  /** HTML with `{{variable}}` placeholders. Needed without a template. */
  readonly body?: string | null | undefined
  /** The sender; its domain must be verified for the project. Needed unless the template has one. */
  readonly from?: string | {
    readonly email: string
    readonly name?: string | null | undefined
  } | null | undefined
  /** Deprecated display name of the sender; `from.name` is better. */
  readonly name?: string | null | undefined
  /** The same as `name`, which wins. */
  readonly fromName?: string | null | undefined
  /** Applied to every recipient. Absent: new contacts are not subscribed, existing ones keep their state. */
  readonly subscribed?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
  /** At most 50 headers of your own, values of at most 998 characters on one line. Those the service sets itself are refused. */
  readonly headers?: { readonly [key: string]: string } | null | undefined
  /** Address for replies. */
  readonly reply?: string | null | undefined
  /** The same as `reply`, which wins. */
  readonly replyTo?: string | null | undefined
  /** At most 10 files of together 10 MB, unless the server is set otherwise. */
  readonly attachments?: ReadonlyArray<Attachment> | null | undefined
  /** Overrides the project's tracking setting for this request. */
  readonly tracking?: boolean | null | undefined
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
      /** `PENDING` waits to be sent, `SENDING` is being handed over, `SENT` was accepted by the next server, `DELIVERED` by the recipient's. `OPENED`, `CLICKED`, `BOUNCED` and `COMPLAINED` are what came back. `FAILED` was given up. `AMBIGUOUS`: the connection broke after the content, nobody knows. `SUPPRESSED`: the address gets no mail. `CANCELLED`: stopped before it was sent. */
      readonly status: "PENDING" | "SENDING" | "SENT" | "DELIVERED" | "OPENED" | "CLICKED" | "BOUNCED" | "COMPLAINED" | "FAILED" | "AMBIGUOUS" | "SUPPRESSED" | "CANCELLED"
    }>
    readonly timestamp: string
  }
}

/** Content that is written once and rendered for each recipient. */
export interface Template {
  readonly id: string
  readonly name: string
  /** Internal note, never sent. */
  readonly description: string | null
  readonly subject: string
  /** HTML with `{{variable}}` placeholders. */
  readonly body: string
  readonly from: string
  /** Display name of the sender. */
  readonly fromName: string | null
  readonly replyTo: string | null
  /** Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer. */
  readonly type: "TRANSACTIONAL" | "MARKETING" | "HEADLESS"
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** One page of an offset list. */
export interface TemplatePage {
  readonly data: ReadonlyArray<Template>
  readonly page: number
  readonly pageSize: number
  readonly total: number
  /** 0 when there is nothing. */
  readonly totalPages: number
}

/** What names the template. */
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
  /** False while a workflow step names it. */
  readonly canDelete: boolean
}

/** One thing that happened to the mail. */
export interface TimelineEntry {
  readonly at: string
  readonly type: "accepted" | "suppressed" | "cancelled" | "deferred" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "complained" | "failed" | "ambiguous" | "retried" | "unsubscribed"
  readonly detail?: string | undefined
}

export interface TrackEvent {
  readonly email: string
  /** Name of the event, trimmed, 1 to 255 characters, case counts. Reserved: `email.*`, `contact.subscribed`, `contact.unsubscribed`, `segment.<slug>.entry`, `segment.<slug>.exit`. */
  readonly event: string
  /** Absent: a new contact is subscribed, an existing one keeps its state. */
  readonly subscribed?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
  /** When true, `subscribed` counts only if this call creates the contact. */
  readonly preserveExistingSubscription?: boolean | null | undefined
}

/** The event is recorded. */
export interface TrackedEvent {
  readonly success: true
  readonly data: {
    /** Id of the contact. */
    readonly contact: string
    /** Id of the event. */
    readonly event: string
    readonly timestamp: string
  }
}

export interface UpdateContact {
  readonly email?: string | undefined
  readonly subscribed?: boolean | undefined
  /** Merged into what is there; `null` removes all custom data. */
  readonly data?: ContactData | null | undefined
}

export interface UpdateSegment {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** Internal note, at most 500 characters. */
  readonly description?: string | null | undefined
  readonly condition?: FilterTree | undefined
  /** Emit events as contacts join and leave. */
  readonly trackMembership?: boolean | undefined
  /** Where this request switches tracking on: the contacts that match now become members without events, so that only later joins and leaves emit. */
  readonly silentStart?: boolean | null | undefined
}

export interface UpdateTemplate {
  /** 1 to 100 characters on one line. */
  readonly name?: string | undefined
  /** Internal note, never sent; at most 500 characters. */
  readonly description?: string | null | undefined
  readonly subject?: string | undefined
  /** HTML with `{{variable}}` placeholders. */
  readonly body?: string | undefined
  /** Its domain must be verified for the project. */
  readonly from?: string | undefined
  readonly fromName?: string | null | undefined
  readonly replyTo?: string | null | undefined
  /** Who may be reached and what the mail carries. `TRANSACTIONAL`: every contact, no unsubscribe link. `MARKETING`: subscribed contacts, with footer and unsubscribe link. `HEADLESS`: as `MARKETING`, without the footer. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
}

/** The contact existed. */
export interface UpdatedContact {
  readonly id: string
  /** Unique in the project. */
  readonly email: string
  /** Whether marketing mail may be sent to it. */
  readonly subscribed: boolean
  /** Custom data, usable as template variables; `{}` when there is none. */
  readonly data: { readonly [key: string]: unknown }
  readonly projectId: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly _meta: {
    readonly isNew: false
    readonly isUpdate: true
  }
}

export interface UpsertContact {
  readonly email: string
  /** Absent: a new contact is subscribed, an existing one keeps its state. */
  readonly subscribed?: boolean | null | undefined
  readonly data?: ContactData | null | undefined
}

/** What is known of an address. */
export interface Verdict {
  /** The address, normalised. */
  readonly email: string
  /** The domain exists and has mail servers. The other flags do not lower it. */
  readonly valid: boolean
  /** The domain, or one above it, hands out throw-away addresses. */
  readonly isDisposable: boolean
  /** The domain only forwards to another mailbox. */
  readonly isAlias: boolean
  /** The domain looks like a misspelt one; see `suggestedEmail`. */
  readonly isTypo: boolean
  /** There is a `+` before the `@`. */
  readonly isPlusAddressed: boolean
  /** The domain is of a provider of personal mailboxes. */
  readonly isPersonalEmail: boolean
  readonly domainExists: boolean
  /** The domain, or `www.` before it, has an address. For information. */
  readonly hasWebsite: boolean
  /** At least one mail server is named, and it is not the null MX. */
  readonly hasMxRecords: boolean
  /** A sentence for each finding, worst first. */
  readonly reasons: ReadonlyArray<string>
  /** Only with `isTypo`. */
  readonly suggestedEmail?: string | undefined
  /** `unavailable`: the DNS gave no usable answer, so `valid` and what the DNS would tell are false. */
  readonly dnsStatus: "ok" | "unavailable"
}

/** The address is examined. */
export interface VerifiedAddress {
  readonly success: true
  readonly data: Verdict
}

export interface VerifyAddress {
  readonly email: string
}

/** Every code an error of the service can have. */
export type ErrorCode = ErrorEnvelope["error"]["code"]

/** Query of `GET /contacts`. */
export interface ContactsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page; without it the list begins. */
  readonly cursor?: string | undefined
  /** Text to look for, upper and lower case alike; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
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

/** Query of `GET /contacts/export`. */
export interface ContactsExportQuery {
  /** `csv`, or `ndjson`: one contact on each line. */
  readonly format?: "csv" | "ndjson" | undefined
  /** Text to look for, upper and lower case alike; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Only subscribed, or only unsubscribed contacts; absent: both. */
  readonly subscribed?: boolean | undefined
  /** Only members of this segment. */
  readonly segmentId?: string | undefined
}

/** Query of `GET /segments/{id}/contacts`. */
export interface SegmentsContactsQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
}

/** Query of `GET /templates`. */
export interface TemplatesListQuery {
  /** Number of the page, from 1; a page past the end is empty. */
  readonly page?: number | undefined
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly pageSize?: number | undefined
  /** Only templates of this type. */
  readonly type?: "TRANSACTIONAL" | "MARKETING" | "HEADLESS" | undefined
  /** Text to look for, upper and lower case alike; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Any other value counts as `createdAt`. */
  readonly sort?: "createdAt" | "name" | "updatedAt" | undefined
  /** Any other value counts as `desc`. */
  readonly dir?: "desc" | "asc" | undefined
}

/** Query of `GET /emails`. */
export interface EmailsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page; without it the list begins. */
  readonly cursor?: string | undefined
  /** Only mail in one of these states: a comma list, as `SENT,DELIVERED`. */
  readonly status?: string | undefined
  /** How the mail was made. */
  readonly sourceType?: "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | undefined
  /** Only mail of this contact. */
  readonly contactId?: string | undefined
  /** Only mail of this campaign. */
  readonly campaignId?: string | undefined
  /** Only mail of this workflow. */
  readonly workflowId?: string | undefined
  /** Only mail of this template. */
  readonly templateId?: string | undefined
  /** Only mail to exactly this address. */
  readonly to?: string | undefined
  /** Made at or after it: a date (`2026-03-01`) or a date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Made before it: a date-time, exclusive, or a date, whose whole day counts. */
  readonly endDate?: string | undefined
}

/** Query of `GET /emails/{id}/content`. */
export interface EmailsContentQuery {
  /** `raw`: the message as `message/rfc822`. */
  readonly format?: "json" | "raw" | undefined
}

/** Query of `GET /events`. */
export interface EventsListQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page; without it the list begins. */
  readonly cursor?: string | undefined
  /** Only events of exactly this name. */
  readonly eventName?: string | undefined
  /** Only events of this contact. */
  readonly contactId?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
  /** Recorded at or after it: a date (`2026-03-01`) or a date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Recorded before it: a date-time, exclusive, or a date, whose whole day counts. */
  readonly endDate?: string | undefined
}

/** Query of `GET /events/stats`. */
export interface EventsStatsQuery {
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
  /** Recorded at or after it: a date (`2026-03-01`) or a date-time, ISO 8601. */
  readonly startDate?: string | undefined
  /** Recorded before it: a date-time, exclusive, or a date, whose whole day counts. */
  readonly endDate?: string | undefined
}

/** Query of `GET /events/contact/{contactId}`. */
export interface EventsOfContactQuery {
  /** Items on a page: 1 to 100; a larger value counts as 100. */
  readonly limit?: number | undefined
  /** The `cursor` of the previous page; without it the list begins. */
  readonly cursor?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
}

/** Query of `GET /events/names`. */
export interface EventsNamesQuery {
  /** Text to look for, upper and lower case alike; trimmed, at most 200 characters, taken literally. Empty: no filter. */
  readonly search?: string | undefined
  /** Whose events. */
  readonly source?: "tracked" | "system" | "all" | undefined
}

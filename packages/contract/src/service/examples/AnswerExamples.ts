/**
 * Builds the example of a response from its schema, with typical values of its fields. An example cannot differ from
 * the contract, because it is derived from the contract.
 */
import { Predicate } from "effect"
import { ids, token } from "./Ids.ts"
import { get, listAt, nameOf, type Schemas } from "./SchemaParts.ts"

const email = "ada@example.com"
const secret = `whsec_${token.slice(0, 40)}=`

/** The time of all events in the examples. */
const moment = "2026-03-01T09:30:00.000Z"

/** By the name of the field. A value that the schema does not allow is ignored. */
const byName: { readonly [field: string]: ReadonlyArray<unknown> | undefined } = {
  action: ["contact.update"],
  provider: ["GMAIL"],
  alias: ["welcome"],
  locale: ["en"],
  used: [["firstName"]],
  missing: [[]],
  unused: [[]],
  clipAt: [102400],
  host: ["smtp.example.com"],
  starttls: [587],
  tls: [465],
  link: ["https://app.example.com/pricing"],
  diagnostic: ["smtp; 550 5.1.1 User unknown"],
  feedbackType: ["abuse"],
  spf: ["pass"],
  dkim: ["pass"],
  dmarc: ["pass"],
  spam: ["pass"],
  segmentName: ["Pro users"],
  unchanged: [0],
  failureCount: [0],
  alreadyMembers: [0],
  duplicates: [0],
  parked: [0],
  ignored: [0],
  failedCount: [0],
  suppressedCount: [0],
  contactCount: [1258],
  emailsSent: [1258],
  bounceRate7Day: [0.8],
  complaintRate7Day: [0],
  bounceRateAllTime: [0.8],
  complaintRateAllTime: [0],
  warning: [5],
  critical: [10],
  minimumEmails: [100],
  sent7Day: [1258],
  bounces7Day: [10],
  complaints7Day: [0],
  sentAllTime: [12580],
  recentSuspensions: [[]],
  attachments: [[]],
  excludeCredentials: [[]],
  unpaidInvoices: [[]],
  machineOpenedCount: [12],
  machineClickedCount: [3],
  averageOpenRate: [41.6],
  averageClickRate: [14.2],
  totalEmailsSent: [1258],
  totalEmailsDelivered: [1248],
  totalEmailsOpened: [519],
  totalEmailsClicked: [178],
  totalEmailsBounced: [10],
  totalComplaints: [0],
  totalEvents: [42],
  delivered: [12],
  retried: [3],
  uniqueContacts: [40],
  totalCount: [42],
  activeExecutions: [4],
  activities: [[]],
  additional: [{}],
  alg: [-7],
  allowCredentials: [[]],
  amountDue: [1900],
  amountPaid: [1900],
  ambiguousCount: [0],
  api: ["https://mail.example.com"],
  bounceRate: [0.8],
  bouncedCount: [10],
  bounces: [1],
  blocked: [0],
  body: ["<p>Good to see you.</p>"],
  branch: ["default", null],
  cancelledCount: [0],
  challenge: [token],
  clickRate: [14.2],
  clickedCount: [178],
  clicks: [1],
  code: [250],
  complainedCount: [0],
  complaintRate: [0],
  complaints: [0],
  config: [{ amount: 1, unit: "days" }],
  contact: [ids["contact"]],
  contactEmail: [email],
  contactId: [ids["contact"]],
  context: [{ plan: "pro" }],
  contentType: ["image/png"],
  coverage: [80],
  currency: ["eur"],
  cursor: [null, "eyJpZCI6IjAxOWE5ZjNjIn0"],
  dashboard: ["https://mail.example.com"],
  data: [{ firstName: "Ada", plan: "pro" }],
  date: ["2026-03-01"],
  deliveredCount: [1248],
  deliveryRate: [99.2],
  description: [null, "For new people"],
  detail: [null, "250 2.0.0 Ok"],
  disabledReason: [null],
  displayName: [email],
  disposition: ["attachment"],
  domain: ["mail.example.com"],
  durationMs: [42],
  email: [email],
  emails: [12],
  enhancedCode: ["2.0.0"],
  environment: ["production"],
  errors: [[]],
  event: [ids["event"], "signed_up"],
  eventName: ["signed_up"],
  eventNames: [["ordered", "signed_up"]],
  exitReason: [null],
  field: ["plan"],
  fieldName: ["plan"],
  filename: ["logo.png"],
  found: [["bob@example.com"], []],
  from: ["hello@mail.example.com"],
  fromName: [null, "Shop"],
  headers: [{}],
  html: ["<p>Good to see you.</p>"],
  invalid: [[]],
  key: ["019a9f3c/logo.png"],
  kind: ["secret", "MEMBERSHIP"],
  language: ["en"],
  lastError: [null],
  limit: [10000],
  machineClicks: [0],
  machineOpens: [0],
  memberCount: [1258],
  message: ["Done."],
  messageId: ["<019a9f3c@mail.example.com>"],
  metadata: [{ eventName: "signed_up" }],
  minutes: [5],
  network: ["198.51.100.0/24"],
  note: [null],
  notFound: [[]],
  number: [1, "INV-0001"],
  openRate: [41.6],
  openedCount: [519],
  opens: [1],
  operation: ["bulk-subscribe"],
  origins: [[]],
  outcome: ["accepted"],
  output: [null],
  page: [1],
  pageSize: [20],
  payload: [{ type: "email.delivered", timestamp: moment, data: { email: ids["email"], to: email } }],
  pdfUrl: ["https://pay.example.com/invoice.pdf"],
  pendingCount: [0],
  percentage: [12],
  progress: [100],
  projectName: ["Shop"],
  public: [`pk_${token}`],
  publicKey: [`pk_${token}`],
  reason: ["MANUAL"],
  reasons: [[]],
  received: [null],
  recoveryCodes: [["4f7k-9qpd-2xhn"], 10],
  remoteHost: ["mx.example.com"],
  reply: ["250 2.0.0 Ok"],
  replyTo: [null],
  response: ["ok"],
  role: ["OWNER", "ADMIN"],
  rpId: ["mail.example.com"],
  scopes: [["*"]],
  secret: [secret, `sk_${token}`],
  secretHint: [token.slice(-4)],
  sendRatePerSecond: [null],
  sentCount: [1258],
  audienceSize: [1258],
  holdoutSize: [66],
  size: [5120],
  slug: ["pro-users"],
  source: ["tracked", "EVENT"],
  status: ["SENT"],
  statusCode: [200],
  subject: ["Welcome, Ada"],
  suggestedEmail: [null],
  text: ["Good to see you."],
  timezone: ["Europe/Berlin"],
  timeout: [60000],
  to: [email],
  toName: [null, "Ada"],
  total: [1],
  totalRecipients: [1258],
  estimatedRecipients: [1258],
  transport: ["smtp"],
  transports: [["internal"]],
  trend: [12.5],
  triggerConfig: [{ eventName: "signed_up" }],
  triggerType: ["EVENT"],
  type: ["TRANSACTIONAL", "delivered", "email.delivered", "DYNAMIC", "string", "PASSWORD", "TXT"],
  unsubscribedCount: [3],
  unsubscribeRate: [0.2],
  uri: ["otpauth://totp/Posthorn:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Posthorn"],
  uptime: [86400],
  url: ["https://app.example.com/hooks/mail"],
  usage: [1258],
  userAgent: ["Mozilla/5.0"],
  value: ["pro"],
  values: [["free", "pro"]],
  version: ["1.0.0"],
  violations: [[]],
  warnings: [[]],
  workflowName: ["Welcome"],
  stepName: ["Welcome mail"]
}

/** Values of fields that have another meaning in one schema, by schema. */
const within: { readonly [schema: string]: { readonly [field: string]: unknown } | undefined } = {
  filter: { field: "data.plan", value: "pro" },
  rp: { id: "mail.example.com", name: "Posthorn" },
  user: { name: email },
  ApiKey: { name: "Shop", scopes: ["send", "emails:read"], hint: token.slice(-4) },
  ApiKeyWithKey: { name: "Shop", scopes: ["send", "emails:read"], hint: token.slice(-4), key: `ph_live_${token}` },
  createdBy: { kind: "member", id: ids["member"] },
  ContactLookup: { found: [email], notFound: ["bob@example.com"] },
  Attempt: { number: 1 },
  BillingLink: { url: "https://pay.example.com/session" },
  BulkJob: { type: "bulk-subscribe", state: "completed" },
  Campaign: { subject: "Welcome, {{firstName ?? there}}", name: "Launch", status: "SENT", type: "MARKETING" },
  CampaignDetail: { subject: "Welcome, {{firstName ?? there}}", name: "Launch", status: "SENT", type: "MARKETING" },
  CampaignFigures: { name: "Launch" },
  CampaignHoldout: { share: 0.05 },
  CampaignStats: {
    humanOpenedCount: 507,
    humanClickedCount: 175,
    humanOpenRate: 40.3,
    humanClickRate: 13.91,
    convertedCount: 96,
    conversionRate: 7.63,
    conversionEvents: 104
  },
  CampaignUplift: {
    treated: 1258,
    holdout: 66,
    treatedRate: 0.1415,
    holdoutRate: 0.0606,
    difference: 0.0809,
    low: -0.0062,
    high: 0.1229
  },
  CampaignReport: { by: "hour" },
  CampaignReportRow: {
    key: "2026-03-01T09:00:00.000Z",
    sent: 1258,
    delivered: 1240,
    humanOpened: 512,
    humanClicked: 96,
    bounced: 4,
    complained: 0,
    unsubscribed: 2,
    deferred: 3,
    converted: 12
  },
  ConversionSums: { key: ids["campaign"], name: "Launch", conversions: 12 },
  CampaignRetried: { message: "3 failed emails are sent again." },
  CampaignTested: { message: "The test is sent." },
  CreatedWebhook: { events: ["email.*"] },
  DomainRecord: {
    name: "posthorn._domainkey.mail.example.com",
    value: "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOC",
    purpose: "DKIM",
    status: "VERIFIED",
    found: []
  },
  CheckedDomain: { tokens: [], selector: "posthorn", status: "VERIFIED", failedChecks: 0 },
  Domain: { selector: "posthorn", status: "VERIFIED", failedChecks: 0 },
  DomainHealth: { ready: true },
  HealthCheck: { id: "dkim", status: "PASS", requiredBy: ["GMAIL", "YAHOO", "OUTLOOK"], found: [], advice: "" },
  DmarcFigures: {
    messages: 120,
    passed: 120,
    failed: 0,
    dkimAligned: 120,
    spfAligned: 120,
    quarantined: 0,
    rejected: 0
  },
  DmarcRow: {
    source: "203.0.113.7",
    own: true,
    messages: 120,
    passed: 120,
    failed: 0,
    dkimAligned: 120,
    spfAligned: 120
  },
  DmarcSummary: { advice: "" },
  Email: { status: "DELIVERED" },
  EmailDetail: { status: "DELIVERED" },
  Erasure: { events: 14, emails: 6, executions: 1, memberships: 2, consents: 3 },
  EventTimeseriesDay: { count: 42 },
  EventStat: { name: "signed_up", count: 42, uniqueContacts: 40 },
  Execution: { status: "WAITING", completedAt: null },
  ExecutionDetail: { status: "WAITING", completedAt: null },
  ImportJob: { type: "import", state: "completed" },
  ImportResult: { totalRows: 1, successCount: 1, createdCount: 1, updatedCount: 0, pendingCount: 0, failureCount: 0 },
  Invoice: { status: "paid", url: "https://pay.example.com/invoice", number: "INV-0001" },
  JobQueued: { message: "The job is queued." },
  NamedCampaign: { status: "SENT", name: "Launch" },
  PlainError: { error: "A required field is missing" },
  Passkey: { name: "Telephone" },
  PasskeyCreation: { name: email },
  Project: { name: "Shop" },
  SearchResult: { type: "template", id: ids["template"], title: "Welcome", subtitle: "MARKETING" },
  ProjectAuditEntry: {
    id: "4711",
    action: "campaign.sent",
    actor: "user",
    apiKey: null,
    details: { campaignId: ids["campaign"], name: "Launch", recipients: 1258 }
  },
  ProjectWithSecret: { name: "Shop", secret: `sk_${token}` },
  CurrentProject: { name: "Shop" },
  Recipient: { status: "DELIVERED" },
  RevenueSum: { currency: "EUR", amount: 1258.5 },
  RotatedWebhook: { events: ["email.*"] },
  Segment: { name: "Pro users" },
  CampaignSegment: { name: "Pro users" },
  HeldSegment: { name: "Pro users" },
  Step: { type: "DELAY", name: "A day" },
  AddedStep: { type: "DELAY", name: "A day" },
  BranchReport: { branch: "yes", taken: 42 },
  ExecutionSums: { started: 1258, live: 42, completed: 1180, exited: 30, failed: 1, cancelled: 5, converted: 96 },
  StepMail: {
    sent: 1258,
    delivered: 1240,
    humanOpened: 512,
    humanClicked: 96,
    bounced: 4,
    complained: 0,
    unsubscribed: 2,
    converted: 12
  },
  StepReport: {
    type: "SEND_EMAIL",
    name: "Welcome",
    entered: 1258,
    waiting: 0,
    completed: 1257,
    skipped: 0,
    failed: 1,
    left: 1258
  },
  StepExecution: { status: "WAITING", completedAt: null },
  Suppression: { email: "gone@example.com", emailId: null },
  Consent: {
    id: ids["consent"],
    action: "granted",
    scope: "topic",
    source: "form",
    basis: "consent",
    evidence: { campaign: "spring" },
    ip: null,
    userAgent: null,
    emailId: null,
    campaignId: null,
    optInId: null,
    jobId: null
  },
  ConsentActor: { type: "recipient" },
  ConsentTopic: { id: ids["topic"], key: "news", name: "News" },
  ConsentWording: {
    hash: "5f2b0f9d4bd9b4b6ac3c5f8a8d8c2d0f3f5d6f0a1b2c3d4e5f60718293a4b5c6",
    text: "Send me the newsletter once a month.",
    language: "en",
    formVersion: 3
  },
  ContactTopic: { state: "subscribed", takes: true, defaultSubscription: "unsubscribed", visibility: "public" },
  Topic: {
    key: "news",
    name: "News",
    description: "Once a month.",
    translations: { de: { name: "Neuigkeiten", description: "Einmal im Monat." } },
    defaultSubscription: "unsubscribed",
    doubleOptIn: null,
    position: 0,
    archived: false,
    subscribedCount: 1258,
    unsubscribedCount: 42,
    subscriberCount: 1240
  },
  OptIn: { email: "ada@example.com", topics: ["news"], source: "api", formId: null, mailsSent: 1, settledAt: null },
  PrivacyRequest: {
    id: ids["privacyRequest"],
    type: "ERASURE",
    status: "OPEN",
    email: "ada@example.com",
    dueAt: "2026-03-31T09:30:00.000Z",
    completedAt: null,
    note: null
  },
  size: { html: 1840, text: 420, message: 4310 },
  TopEvent: { name: "signed_up", count: 42 },
  TotpSecret: { secret: "JBSWY3DPEHPK3PXP" },
  Event: { name: "signed_up" },
  HeldEvent: { name: "signed_up" },
  ContactLinks: {
    unsubscribeUrl: "https://mail.example.com/unsubscribe/PV_e67jbQYCkkoQAuVOQ2dO0",
    subscribeUrl: "https://mail.example.com/subscribe/jUEsdakI7I_zTaIV2pwtAxDVQ",
    manageUrl: "https://mail.example.com/manage/q2pwtAxDVQbQPoqstZHJAe40T",
    token: "q2pwtAxDVQbQPoqstZHJAe40T"
  },
  View: { page: "mails", name: "Bounced", query: "state=BOUNCED", shared: true, createdBy: null },
  StoredImage: { url: "https://mail.example.com/uploads/logo.png" },
  UploadedImage: { url: "https://mail.example.com/uploads/logo.png", width: 320, height: 80 },
  WebhookDelivery: { status: "SUCCEEDED", type: "email.delivered" },
  WebhookDeliveryDetail: { status: "SUCCEEDED", type: "email.delivered" },
  Webhook: { events: ["email.*"] },
  WorkflowMigrationJob: { type: "workflow-migration", state: "completed" },
  WorkflowVersionAuthor: { kind: "KEY", userId: null },
  WorkflowExitRule: { id: "refund", type: "EVENT", eventName: "order_refunded" },
  WorkflowField: { field: "data.plan", category: "Custom Data" },
  WorkflowFields: { fields: ["data.plan"] },
  WorkflowGoal: {
    eventName: "order_paid",
    windowHours: 168,
    exit: true,
    revenue: { path: "total", currency: "EUR" }
  },
  UpcomingEntry: { metadata: { campaignName: "Launch" } }
}

/** Times of events that did not happen. */
const isAbsent = (name: string): boolean =>
  /^(?:error|failedReason|contentId|template|nextRunAt|audienceCondition|statusReason|suppressionReason|resetting|segmentId|templateId|templateVersion|topic|topicId|exitRuleId|reentryAfterHours|triggerEventId|draft|layout|restoredFrom|campaignId|workflowId|workflowExecutionId|workflowStepId)$/.test(
    name
  ) ||
  /^(?:bounced|complained|failed|suppressed|cancelled|purged|disabled|lifted|nextAttempt|failingSince|resume)(?:At)?$/.test(
    name
  )

/** Optional fields that only other cases have. */
const isOmitted = (name: string): boolean =>
  /^(?:warnings|unit|pendingRole|suggestedEmail|cursor|copies|error|replayed|source|dryRun|groupId|truncated|timedOut|transientBounce|userId|recentFirings|detail|oidc|optIn|where|verdict|valueFrom|currencyPath|unfinishedMigrations)$/.test(
    name
  )

/** Fields that are false in the normal case. */
const isFalse = (name: string): boolean =>
  /^(?:paused|disabled|hasMore|isBlocked|isWarning|isDisabled|isTypo|isAlias|isDisposable|isPlusAddressed|isPersonalEmail|test|resetting|verifiedElsewhere|trusted|errorsTruncated|hasUnpaidInvoices|requireTwoFactor|requireResidentKey|rejectDmarcFailures|allowReentry|auto|canDelete|strict|testMode|clipped|converted|transientBounce)$/.test(
    name
  )

const isAllowed = (schemas: Schemas, schema: unknown, value: unknown, isSaid = false): boolean => {
  const reference = get(schema, "$ref")
  if (typeof reference === "string") return isAllowed(schemas, schemas[nameOf(reference)], value, isSaid)
  const choices = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")]
  if (choices.length > 0) return choices.some((choice) => isAllowed(schemas, choice, value, isSaid))
  const values = listAt(schema, "enum")
  if (values.length > 0) return values.includes(value)
  const type = get(schema, "type")
  if (type === undefined) return true
  const types = Array.isArray(type) ? type : [type]
  if (value === null) return types.includes("null")
  if (Array.isArray(value))
    return (
      types.includes("array") && value.every((each) => isAllowed(schemas, get(schema, "items") ?? {}, each, isSaid))
    )
  if (Predicate.isObject(value)) return types.includes("object") && (isSaid || get(schema, "properties") === undefined)
  if (typeof value === "number")
    return types.includes("number") || (types.includes("integer") && Number.isInteger(value))
  if (typeof value !== "string") return types.includes(typeof value)
  const format = get(schema, "format")
  return (
    types.includes("string") &&
    (format === undefined ||
      (format === "email" && value.includes("@")) ||
      (format === "date-time" && value.endsWith("00.000Z")))
  )
}

/** `contactId` and the `id` of a `Contact` are the id of one contact. */
const idFor = (name: string, owner: string): string => {
  if (name === "invitedBy" || (name === "id" && owner === "data")) return ids["user"] ?? ""
  const words = name === "id" ? owner : name.replace(/Id$/, "")
  const resources = Object.keys(ids).toSorted((a, b) => b.length - a.length)
  const found = resources.find((resource) => words.toLowerCase().endsWith(resource.toLowerCase()))
  const within = resources.find((resource) => words.toLowerCase().includes(resource.toLowerCase()))
  return ids[found ?? within ?? "event"] ?? ""
}

/** Values of the request that the response repeats. */
type Said = { readonly [field: string]: unknown }

const textOf = (schema: unknown, name: string, owner: string): string => {
  const format = get(schema, "format")
  if (format === "uuid" || name === "invitedBy" || name === "id" || name.endsWith("Id")) return idFor(name, owner)
  if (format === "date-time") return moment
  if (format === "email") return email
  if (name === "name") return "Welcome"
  return name
}

const numberOf = (schema: unknown): number => {
  const minimum = get(schema, "minimum")
  return typeof minimum === "number" ? Math.max(minimum, 1) : 1
}

export const answerExample = (schemas: Schemas, schema: unknown, said: Said): unknown => {
  const made = (part: unknown, name: string, owner: string, open: ReadonlyArray<string>): unknown => {
    const reference = get(part, "$ref")
    if (typeof reference === "string") {
      const target = nameOf(reference)
      if (open.includes(target)) return undefined
      // An object with only an id and a name gets its kind from the field that contains it.
      const owner = target === "NamedResource" ? name : target
      return valueOf(schemas[target], name, owner, [...open, target])
    }
    return valueOf(part, name, owner, open)
  }

  const valueOf = (part: unknown, name: string, owner: string, open: ReadonlyArray<string>): unknown => {
    const properties = get(part, "properties")
    if (Predicate.isObject(properties)) return objectOf(part, properties, name, owner, open)
    if (name in said && isAllowed(schemas, part, said[name], true)) return said[name]
    const known = [
      ...(name in (within[owner] ?? {}) ? [within[owner]?.[name]] : []),
      ...(isAbsent(name) ? [null] : []),
      ...(byName[name] ?? [])
    ].find((value) => isAllowed(schemas, part, value))
    if (known !== undefined) return known

    const all = listAt(part, "allOf")
    if (all.length > 0) return Object.assign({}, ...all.map((each) => made(each, name, owner, open)))
    const choices = [...listAt(part, "anyOf"), ...listAt(part, "oneOf")]
    if (choices.length > 0) {
      const real = choices.find((choice) => get(choice, "type") !== "null")
      return made(real, name, owner, open) ?? null
    }
    const [first] = listAt(part, "enum")
    if (first !== undefined) return first
    const type = get(part, "type")
    const kind = Array.isArray(type) ? type[0] : type
    if (kind === "array") {
      const item = made(get(part, "items"), name.replace(/s$/, ""), owner, open)
      return item === undefined ? [] : [item]
    }
    if (kind === "object") return {}
    if (kind === "string") return textOf(part, name, owner)
    if (kind === "integer" || kind === "number") return numberOf(part)
    return kind === "boolean" ? !isFalse(name) : null
  }

  const objectOf = (
    part: unknown,
    properties: object,
    name: string,
    owner: string,
    open: ReadonlyArray<string>
  ): unknown => {
    const required = listAt(part, "required")
    const holder = name === "" || schemas[owner] === part ? owner : name
    const fields = Object.entries(properties).flatMap(([field, value]) => {
      if (!required.includes(field) && isOmitted(field)) return []
      const example = made(value, field, holder, open)
      return example === undefined && !required.includes(field) ? [] : [[field, example] as const]
    })
    return Object.fromEntries(fields)
  }

  return made(schema, "", "", [])
}

/**
 * The request of each operation that the samples of the reference send. Operations without a request body have none.
 */
import { ids, token } from "./Ids.ts"

export interface RequestExample {
  readonly query?: { readonly [name: string]: string | number | boolean }
  readonly body?: { readonly [field: string]: unknown }
  /** Headers that authenticate the request, if it has neither a key nor a session. */
  readonly headers?: { readonly [name: string]: string }
  /** Fields of the response that this request makes differ from the usual values. */
  readonly answer?: { readonly [field: string]: unknown }
  /** The field and the file name of a form with a file. */
  readonly file?: { readonly field: string; readonly name: string; readonly type: string }
}

const from = "hello@mail.example.com"
const email = "ada@example.com"
const password = "correct horse battery staple"

const letter = { subject: "Welcome, {{firstName ?? there}}", body: "<p>Good to see you.</p>", from }

/** The answer about one mail. */
const accepted = [{ contact: { id: ids["contact"], email }, email: ids["email"], status: "PENDING" }]

const frequencyCaps = [{ id: "week", limit: 3, amount: 7, unit: "days", topicId: null }]

const quietHours = {
  days: ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"],
  from: "21:00",
  to: "08:00",
  timezone: "CONTACT",
  action: "WAIT"
}

const onlyPro = {
  logic: "AND",
  groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }]
}

/** What an authenticator answers, in base64url. */
const bytes = "dGhlIGF1dGhlbnRpY2F0b3Igc2lnbnMgdGhpcw"

const assertion = {
  id: "QUtJWkJTNVZPTVpGQQ",
  rawId: "QUtJWkJTNVZPTVpGQQ",
  type: "public-key",
  response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes }
}

const registration = {
  id: "QUtJWkJTNVZPTVpGQQ",
  rawId: "QUtJWkJTNVZPTVpGQQ",
  type: "public-key",
  response: { clientDataJSON: bytes, attestationObject: bytes }
}

const draft = {
  status: "DRAFT",
  scheduledFor: null,
  totalRecipients: null,
  sentAt: null,
  completedAt: null,
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
  unsubscribedCount: 0
}

const sending = { status: "SENDING", completedAt: null }

const dates = { createdAt: "2026-03-01T09:00:00.000Z", updatedAt: "2026-03-01T09:00:00.000Z" }

const wholeGraph = {
  steps: [
    { key: "wait", type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } },
    { key: "pro", type: "CONDITION", name: "Pro?", config: { field: "data.plan", operator: "equals", value: "pro" } },
    { key: "end", type: "EXIT" }
  ],
  transitions: [
    { from: "wait", to: "pro" },
    { from: "pro", to: "end", branch: "yes" }
  ]
}

/** A step of an experiment in the answers of its endpoints. */
const splitStep = {
  type: "SPLIT",
  name: "Two texts",
  config: {
    branches: [
      { id: "short", share: 50 },
      { id: "long", share: 50 }
    ],
    experiment: { metric: "HUMAN_CLICK" }
  },
  templateId: null,
  template: null
}

/** A campaign of 20,000 mails whose second subject did better. */
const figures = {
  state: "DECIDED",
  metric: "HUMAN_CLICK",
  decideAt: "2026-03-01T13:30:00.000Z",
  final: true,
  winner: "B",
  significant: true,
  variants: [
    { key: "A", sent: 10_000, successes: 300, rate: 0.03, low: 0.02684, high: 0.03353, pValue: 0.01755 },
    { key: "B", sent: 10_000, successes: 360, rate: 0.036, low: 0.03253, high: 0.03983, pValue: null }
  ],
  detectable: 0.71
}

/** A plan on its sixth day. */
const warmup = {
  transport: null,
  preset: "STANDARD",
  caps: null,
  startsOn: "2026-02-24",
  timezone: "Europe/Berlin",
  hours: { from: "08:00", to: "18:00" },
  transactional: "EXEMPT",
  holdAt: { bounceRate: 3, complaintRate: 0.08, deferralRate: 10 },
  pauseAt: { bounceRate: 8, complaintRate: 0.2, deferralRate: 30 },
  status: "ACTIVE",
  step: 6,
  cap: 1600,
  sentToday: 1210,
  freeNow: 40,
  waiting: 98_790,
  today: { bounced: 3, complained: 0, deferred: 21 },
  days: [50, 100, 200, 400, 800].map((cap, at) => ({
    ...{ date: `2026-02-${24 + at}`, step: at + 1, cap, sent: cap },
    ...{ bounced: 0, complained: 0, deferred: 1, result: "clean" }
  })),
  completesOn: "2026-03-12"
}

export const requestExamples: { readonly [operationId: string]: RequestExample } = {
  track: { body: { email, event: "signed_up", data: { plan: "pro" } } },
  send: {
    body: { to: email, ...letter, data: { firstName: "Ada" } },
    answer: { emails: accepted }
  },
  batch: {
    body: {
      emails: [
        { to: email, data: { firstName: "Ada" }, idempotencyKey: "order-4711" },
        {
          to: "grace@example.com",
          cc: "accounts@example.com",
          data: { firstName: "Grace" },
          idempotencyKey: "order-4712"
        }
      ],
      defaults: letter,
      atomic: false
    },
    answer: {
      accepted: 2,
      refused: 0,
      results: [
        { index: 0, emails: accepted },
        {
          index: 1,
          emails: [
            { contact: { id: ids["event"], email: "grace@example.com" }, email: ids["delivery"], status: "PENDING" }
          ]
        }
      ]
    }
  },
  verify: { body: { email } },

  "contacts.list": { query: { search: "@example.com", subscribed: true, limit: 20 } },
  "contacts.upsert": { body: { email, subscribed: true, data: { firstName: "Ada", plan: "pro" } } },
  "contacts.update": { body: { subscribed: false, data: { plan: "free" } } },
  "contacts.merge": { body: { email: "ada@work.example", dryRun: true } },
  "contacts.query": { body: { condition: onlyPro, sort: "email", dir: "asc", limit: 20 } },
  "contacts.count": { body: { condition: onlyPro, for: { type: "MARKETING" } } },
  "contacts.verify": { body: { email } },
  "contacts.lookup": { body: { emails: [email, "bob@example.com"], externalIds: ["user-1"] } },
  "contacts.import": { file: { field: "file", name: "people.csv", type: "text/csv" } },
  "contacts.imports": { query: { state: "active", limit: 20 } },
  "contacts.cancelImport": { answer: { state: "cancelled", progress: 40 } },
  "contacts.bulkSubscribe": { body: { contactIds: [ids["contact"]] } },
  "contacts.bulkUnsubscribe": { body: { contactIds: [ids["contact"]] } },
  "contacts.bulkDelete": { body: { contactIds: [ids["contact"]] } },
  "contacts.bulk": {
    body: { operation: "unsubscribe", select: { condition: onlyPro } }
  },
  "contacts.bulkJobs": { query: { state: "active", limit: 20 } },
  "contacts.cancelBulk": { answer: { state: "cancelled", progress: 40 } },
  "contacts.exportSelected": { body: { condition: onlyPro, format: "csv" } },
  "contacts.export": { query: { format: "csv" } },

  "segments.create": { body: { name: "Pro users", condition: onlyPro, trackMembership: true } },
  "segments.update": { body: { name: "Paying users" } },
  "segments.contacts": { query: { pageSize: 50 } },
  "segments.addMembers": { body: { emails: [email], createMissing: true } },
  "segments.removeMembers": { body: { emails: [email] } },

  "topics.contacts": { query: { state: "subscribed", limit: 50 } },
  "consents.list": { query: { email } },
  "consents.export": { query: { format: "csv" } },
  "topics.list": { query: { archived: "all" } },
  "topics.create": {
    body: {
      name: "News",
      description: "Once a month.",
      translations: { de: { name: "Neuigkeiten", description: "Einmal im Monat." } },
      defaultSubscription: "unsubscribed"
    }
  },
  "topics.update": { body: { description: "Twice a month." }, answer: { description: "Twice a month." } },

  "forms.create": {
    body: {
      name: "Newsletter",
      fields: [{ key: "firstName", label: "First name", type: "text", required: false, maxLength: 80, options: [] }],
      texts: { title: "Our newsletter", description: "Once a month." }
    }
  },
  "forms.update": { body: { texts: { title: "Our newsletter", button: "Sign me up" } } },

  "templates.list": { query: { search: "welcome", type: "MARKETING" } },
  "templates.create": { body: { name: "Welcome", ...letter, type: "TRANSACTIONAL" } },
  "templates.update": { body: { subject: "Good to see you, {{firstName ?? there}}" } },
  "templates.saveDraft": { body: { subject: "Good to see you, {{firstName ?? there}}" } },
  "templates.publish": { body: { force: false } },
  "templates.restore": { body: {} },
  "templates.render": { body: { email, data: { firstName: "Ada" } } },
  "templates.test": { body: { email, data: { firstName: "Ada" } } },
  "templates.renderTexts": {
    body: { subject: "Hello {{firstName ?? there}}", body: "<p>Good to see you.</p>", email }
  },

  "partials.list": { query: { search: "footer" } },
  "partials.create": { body: { name: "footer", body: "<p>{{shop.address}}</p>", text: "{{shop.address}}" } },
  "partials.update": { body: { body: "<p>{{shop.name}}, {{shop.address}}</p>" } },
  "partials.saveDraft": { body: { body: "<p>{{shop.name}}, {{shop.address}}</p>" } },
  "partials.publish": { body: { force: false } },
  "partials.restore": { body: {} },

  "campaigns.list": { query: { status: "SENT" } },
  "campaigns.create": { body: { name: "Launch", ...letter, audienceType: "ALL" }, answer: draft },
  "campaigns.update": {
    body: { name: "Launch", ...letter, audienceType: "FILTERED", audienceCondition: onlyPro },
    answer: draft
  },
  "campaigns.duplicate": { answer: draft },
  "campaigns.followUp": {
    body: { who: "NOT_OPENED", subject: "Did you see this, {{firstName ?? there}}?" },
    answer: { ...draft, audienceType: "ALL", who: "NOT_OPENED" }
  },
  "campaigns.cancel": { answer: { ...sending, status: "CANCELLED", message: "The campaign is cancelled." } },
  "campaigns.pause": { answer: { ...sending, paused: true, message: "The campaign is paused." } },
  "campaigns.resume": { answer: { ...sending, message: "The campaign goes on." } },
  "campaigns.send": {
    body: { scheduledFor: "2099-12-24T09:00:00.000Z" },
    answer: {
      ...draft,
      status: "SCHEDULED",
      scheduledFor: "2099-12-24T09:00:00.000Z",
      message: "The campaign is scheduled."
    }
  },
  "campaigns.setRecurrence": {
    body: { schedule: "0 9 * * MON", timezone: "Europe/Berlin", enabled: true },
    answer: {
      ...draft,
      schedule: "0 9 * * MON",
      timezone: "Europe/Berlin",
      enabled: true,
      runs: 0,
      nextAt: "2099-12-28T08:00:00.000Z"
    }
  },
  "campaigns.requestApproval": { body: { note: "Please check the prices." }, answer: draft },
  "campaigns.approve": { body: { note: "Prices are right." }, answer: draft },
  "campaigns.reject": { body: { note: "The second price is wrong." }, answer: draft },
  "campaigns.retryFailed": { body: { includeAmbiguous: false }, answer: { status: "SENDING" } },
  "campaigns.test": { body: { email } },
  "campaigns.report": { query: { by: "hour" } },
  "campaigns.links": { query: { variant: "A" } },
  "campaigns.recipients": { query: { status: "DELIVERED" } },
  "campaigns.experiment": {
    answer: { ...figures, decidedBy: { kind: "AUTOMATIC", userId: null } }
  },
  "campaigns.decideExperiment": {
    body: { variant: "B" },
    answer: { ...figures, decidedBy: { kind: "USER", userId: ids["user"] } }
  },

  "workflows.report": { query: { startDate: "2026-03-01" } },
  "workflows.list": { query: { status: "active" } },
  "workflows.create": { body: { name: "Welcome", eventName: "signed_up" }, answer: { enabled: false } },
  "workflows.update": {
    body: {
      name: "Welcome",
      allowReentry: true,
      reentryAfterHours: 24,
      goal: { eventName: "order_paid", windowHours: 168, revenue: { path: "total", currency: "EUR" } },
      exitRules: [{ id: "refund", type: "EVENT", eventName: "order_refunded" }]
    }
  },
  "workflows.replaceGraph": {
    body: wholeGraph,
    answer: {
      steps: wholeGraph.steps.map((step, at) => ({
        name: "Exit",
        config: {},
        ...step,
        key: undefined,
        id: [ids["step"], ids["toStep"], ids["lastStep"]][at],
        workflowId: ids["workflow"],
        position: { x: 0, y: 120 * (at + 1) },
        templateId: null,
        template: null,
        ...dates
      })),
      transitions: [
        { fromStepId: ids["step"], toStepId: ids["toStep"], branch: null, condition: null },
        { fromStepId: ids["toStep"], toStepId: ids["lastStep"], branch: "yes", condition: { branch: "yes" } }
      ].map((transition, at) => ({
        id: [ids["transition"], ids["toTransition"]][at],
        workflowId: ids["workflow"],
        ...transition,
        auto: false,
        ...dates
      })),
      ids: { wait: ids["step"], pro: ids["toStep"], end: ids["lastStep"] }
    }
  },
  "workflows.validateGraph": { body: wholeGraph },
  "workflows.addStep": { body: { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } } },
  "workflows.updateStep": { body: { name: "Next day" } },
  "workflows.testRun": {
    body: {
      contact: { email, data: { plan: "pro" } },
      event: { name: "signed_up" },
      script: [{ after: { amount: 2, unit: "days" }, event: { name: "paid", data: { total: 49 } } }]
    },
    answer: {
      outcome: { status: "EXITED", exitReason: "exit_step", error: null, converted: false },
      visits: [
        {
          stepId: ids["step"],
          name: "A day",
          type: "DELAY",
          at: "2026-03-01T09:30:00.000Z",
          until: "2026-03-02T09:30:00.000Z",
          status: "COMPLETED",
          branch: null,
          output: {},
          error: null,
          mail: null
        },
        {
          stepId: ids["lastStep"],
          name: "End",
          type: "EXIT",
          at: "2026-03-02T09:30:00.000Z",
          until: null,
          status: "COMPLETED",
          branch: null,
          output: { reason: "exit_step" },
          error: null,
          mail: null
        }
      ],
      warnings: []
    }
  },
  "workflows.experiment": {
    answer: {
      metric: "HUMAN_CLICK",
      final: true,
      winner: "long",
      decidedBy: { kind: "AUTOMATIC", userId: null },
      significant: true,
      variants: [
        { key: "short", sent: 10_000, successes: 300, rate: 0.03, low: 0.02684, high: 0.03353, pValue: 0.01755 },
        { key: "long", sent: 10_000, successes: 360, rate: 0.036, low: 0.03253, high: 0.03983, pValue: null }
      ],
      detectable: 0.71
    }
  },
  "workflows.decideExperiment": { body: { branch: "long" }, answer: splitStep },
  "workflows.restartExperiment": { answer: splitStep },
  "workflows.publish": { body: { note: "A day less to wait." } },
  "workflows.diff": {
    query: { with: "draft" },
    answer: {
      steps: {
        added: [],
        removed: [],
        changed: [{ id: ids["step"], name: "A day", fields: [{ path: "config.amount", from: 2, to: 1 }] }],
        moved: []
      },
      transitions: { added: [], removed: [] },
      settings: [{ path: "goal.windowHours", from: 168, to: 72 }]
    }
  },
  "workflows.migrate": {
    body: { toVersion: 1, fromVersions: "ALL", dryRun: true },
    answer: {
      total: 120,
      steps: [{ stepId: ids["lastStep"], executions: 120, toStepId: ids["step"], action: "MOVE" }]
    }
  },
  "workflows.migration": {
    answer: { type: "workflow-migration", result: { moved: 118, stayed: 2, exited: 0, failed: 0 } }
  },
  "workflows.addTransition": { body: { fromStepId: ids["step"], toStepId: ids["toStep"] } },
  "workflows.insertStep": { body: { type: "DELAY", name: "A day", config: { amount: 1, unit: "days" } } },
  "executions.start": { body: { contactId: ids["contact"], context: { plan: "pro" } } },
  "executions.cancel": { answer: { status: "CANCELLED", completedAt: "2026-03-01T09:30:00.000Z" } },
  "executions.ofContact": { query: { status: "RUNNING,WAITING", limit: 20 } },
  "executions.list": { query: { status: "RUNNING,WAITING" } },

  "analytics.conversions": { query: { by: "campaign", startDate: "2026-03-01" } },
  "search.find": { query: { q: "welcome" } },
  "projects.audit": { query: { action: "campaign.*", startDate: "2026-03-01" } },

  "domains.setWarmup": { body: { preset: "STANDARD", hours: { from: "08:00", to: "18:00" } }, answer: warmup },
  "domains.warmup": { answer: warmup },
  "domains.pauseWarmup": { answer: { ...warmup, status: "PAUSED", freeNow: 0, completesOn: null } },
  "domains.resumeWarmup": { answer: { ...warmup, freeNow: 0 } },
  "domains.add": {
    body: { domain: "news.example.com" },
    answer: { verified: false, status: "PENDING", verifiedAt: null }
  },
  "domains.update": {
    body: { linkHost: null },
    answer: { verified: true, status: "VERIFIED" }
  },
  "emails.send": { body: { to: email, ...letter, data: { firstName: "Ada" } }, answer: { emails: accepted } },
  "emails.update": {
    body: { scheduledFor: "2026-03-02T09:00:00.000Z" },
    answer: { status: "SCHEDULED", scheduledFor: "2026-03-02T09:00:00.000Z", sentAt: null }
  },
  "emails.cancel": { answer: { status: "CANCELLED", cancelledAt: "2026-03-01T09:30:00.000Z", sentAt: null } },
  "emails.retry": { answer: { status: "PENDING", sentAt: null } },
  "emails.list": { query: { status: "BOUNCED,FAILED", limit: 20 } },
  "settings.updateSending": {
    body: {
      quietHours: { from: "21:00", to: "08:00" },
      frequencyCaps: [{ id: "week", limit: 3, amount: 7, unit: "days" }],
      campaignApproval: "MEMBERS"
    },
    answer: { quietHours, frequencyCaps, campaignApproval: "MEMBERS" }
  },
  "settings.sending": { answer: { quietHours, frequencyCaps } },
  "settings.previewPreferences": {
    body: { language: "de", pages: { color: "#1f5eff" } },
    answer: { html: "<!doctype html>...", language: "de" }
  },
  "settings.updateAudience": { body: { pages: { name: "Acme" }, consent: { ip: "truncated" } } },

  "optIns.list": { query: { status: "PENDING" } },
  "privacyRequests.list": { query: { status: "OPEN" } },
  "privacyRequests.complete": { answer: { status: "DONE", contactId: null, email: null } },
  "privacyRequests.refuse": {
    body: { note: "We must keep your invoices for ten years. Everything else is deleted." },
    answer: { status: "REFUSED", note: "We must keep your invoices for ten years. Everything else is deleted." }
  },
  "optIns.request": { body: { redirectUrl: "https://acme.example/welcome" } },

  "suppressions.list": { query: { reason: "COMPLAINT" } },
  "suppressions.export": { query: { format: "csv", reason: "COMPLAINT" } },
  "suppressions.add": { body: { email: "gone@example.com", note: "Asked by phone" } },

  "events.list": { query: { eventName: "signed_up", limit: 20 } },
  "events.timeseries": { query: { timezone: "Europe/Berlin" } },
  "events.track": { body: { email, event: "signed_up", data: { plan: "pro" } } },
  "activity.list": { query: { limit: 20 } },
  "activity.recentCount": { query: { minutes: 5 } },
  "activity.upcoming": { query: { daysAhead: 7 } },
  live: { query: { topics: "activity,campaigns" } },
  "analytics.timeseries": { query: { timezone: "Europe/Berlin" } },
  "analytics.topCampaigns": { query: { limit: 5 } },
  "analytics.topEvents": { query: { limit: 5 } },
  "views.list": { query: { page: "mails" } },
  "views.create": { body: { page: "mails", name: "Bounced", query: "state=BOUNCED", shared: true } },
  "views.update": { body: { name: "Bounced mail" } },
  "uploads.images": { query: { limit: 20 } },
  "uploads.image": { file: { field: "image", name: "logo.png", type: "image/png" } },

  "apiKeys.create": { body: { name: "Shop", scopes: ["send", "emails:read"], senderDomains: ["mail.example.com"] } },
  "apiKeys.update": { body: { scopes: ["send"] } },
  "apiKeys.rotate": { body: { overlapHours: 48 } },
  "transports.create": {
    body: { name: "Marketing", host: "smtp.example.com", port: 587, user: "apikey", password: "a password" }
  },
  "transports.update": { body: { pool: 10 } },
  "transports.setRoutes": {
    body: { routes: [{ type: "MARKETING", transportIds: [ids["transport"]], fallbackToServer: false }] },
    answer: {
      routes: [
        {
          senderDomain: null,
          type: "MARKETING",
          sourceType: null,
          transportIds: [ids["transport"]],
          fallbackToServer: false
        }
      ]
    }
  },

  "webhooks.create": { body: { url: "https://app.example.com/hooks/mail", events: ["email.*"] } },
  "webhooks.update": { body: { events: ["email.*", "contact.unsubscribed"] } },
  "webhooks.deliveries": { query: { status: "SUCCEEDED" } },
  "webhooks.test": { answer: { type: "webhook.test", status: "PENDING", attempts: 0, completedAt: null } },
  "webhooks.replayDelivery": { answer: { status: "PENDING", completedAt: null } },
  "webhooks.replay": { body: { startDate: "2026-03-01", status: "missed" } },

  "receivers.notifications": {
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": "1772357402",
      "webhook-signature": "v1,cGxhY2Vob2xkZXIgb2YgYSBzaWduYXR1cmUgaGVyZSE="
    },
    body: { events: [{ id: "1", type: "delivery", emailId: ids["email"], timestamp: "2026-03-01T09:30:02.000Z" }] }
  },
  "receivers.payments": {
    headers: { "stripe-signature": "t=1772357402,v1=5257a869e7ec" },
    body: { id: "evt_1", type: "invoice.paid" }
  },

  "auth.login": { body: { email, password } },
  "auth.twoFactor": { body: { token, code: "123456" } },
  "auth.passkeyOptions": { body: {} },
  "auth.passkey": { body: { response: assertion } },
  "auth.signup": { body: { email, password } },
  "auth.verifyEmail": { body: { token } },
  "auth.requestPasswordReset": { body: { email } },
  "auth.resetPassword": { body: { token, newPassword: password } },
  "users.changePassword": { body: { currentPassword: password, newPassword: "a new horse in the stable" } },
  "users.createProject": { body: { name: "Shop" } },
  "twoFactor.setUp": { body: { password } },
  "twoFactor.remove": { body: { password, code: "123456" } },
  "twoFactor.confirm": { body: { code: "123456" } },
  "passkeys.add": { body: { name: "Telephone", response: registration } },
  "ownProjects.update": { body: { name: "Shop", timezone: "Europe/Berlin" } },
  "billing.checkout": { body: { currency: "eur" } },
  "billing.setLimits": { body: { campaigns: 10000 } },
  "members.invite": { body: { email: "bob@example.com", role: "MEMBER" } },
  "members.update": { body: { role: "ADMIN" } },
  "invited.accept": { body: { token } }
}

const noContact = { contactId: null, contactEmail: null }

/** Values of the events that webhooks get, where they differ from the usual ones. */
export const eventExamples: { readonly [type: string]: { readonly [field: string]: unknown } | undefined } = {
  "email.bounce": { status: "5.1.1" },
  "email.failed": { code: "550", message: "Mailbox unavailable" },
  "segment.entry": { type: "segment.pro-users.entry" },
  "segment.exit": { type: "segment.pro-users.exit" },
  "topic.subscribed": { type: "topic.news.subscribed", topicKey: "news" },
  "topic.unsubscribed": { type: "topic.news.unsubscribed", topicKey: "news" },
  "form.submitted": { type: "form.newsletter.submitted", formKey: "newsletter" },
  "event.tracked": { name: "signed_up" },
  "campaign.sent": { ...noContact, name: "Launch" },
  "campaign.cancelled": { ...noContact, name: "Launch", sentCount: 400 },
  "campaign.approval_requested": { ...noContact, name: "Launch" },
  "campaign.approved": { ...noContact, name: "Launch" },
  "campaign.rejected": { ...noContact, name: "Launch", note: "The second price is wrong." },
  "workflow.published": { name: "Welcome", version: 4, note: "A day less to wait." },
  "workflow.execution.completed": { status: "COMPLETED" },
  "workflow.execution.failed": {
    status: "FAILED",
    error: { code: "TEMPLATE_NOT_FOUND", message: "The template no longer exists.", stepId: ids["step"] }
  },
  "workflow.execution.converted": { revenue: { amount: 49.9, currency: "EUR" } },
  "domain.verified": noContact,
  "domain.unverified": noContact,
  "domain.health_changed": noContact,
  "deliverability.provider_slowed": {
    ...noContact,
    provider: "GMAIL",
    exchange: null,
    transport: "smtp1",
    state: "SLOWED",
    level: 1,
    ratePerMinute: 300,
    maxConnections: 4,
    reason: {
      code: 421,
      enhancedCode: "4.7.28",
      reply: "421-4.7.28 Our system has detected an unusual rate of mail",
      at: "2026-03-01T09:00:00.000Z"
    }
  },
  "deliverability.provider_recovered": { ...noContact, provider: "GMAIL", exchange: null, transport: "smtp1" },
  "domain.warmup_paused": { ...noContact, transport: null, step: 3, reason: "bounceRate" },
  "domain.warmup_completed": { ...noContact, transport: null, step: 17 },
  "transport.failing": { ...noContact, name: "Marketing", error: "535 5.7.8 Authentication failed" },
  "transport.recovered": { ...noContact, name: "Marketing" },
  "project.disabled": { ...noContact, reason: "EMAIL_REPUTATION" },
  "project.enabled": { ...noContact, reason: "EMAIL_REPUTATION" },
  "webhook.test": { ...noContact, message: "A test event." }
}

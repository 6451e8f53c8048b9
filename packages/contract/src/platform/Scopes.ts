/**
 * What an API key may call: the scopes, and the operations that each of them opens. The secret key opens everything
 * that takes it. An operation that is not listed here is closed to API keys.
 */

const groups = [
  "emails",
  "contacts",
  "events",
  "templates",
  "campaigns",
  "segments",
  "workflows",
  "suppressions",
  "domains",
  "webhooks",
  "transports",
  "topics",
  "forms",
  "settings"
] as const

type Group = (typeof groups)[number]

/** A scope opens operations. `x:write` also opens what `x:read` opens. */
export type KeyScope =
  | "send"
  | "verify"
  | "uploads:write"
  | `${Group}:read`
  | `${Group}:write`
  | "analytics:read"
  | "consents:read"

/** Every scope. Where several open an operation, an error names the first of them. */
export const scopes: ReadonlyArray<KeyScope> = [
  "send",
  "verify",
  "uploads:write",
  ...groups.flatMap((group) => [`${group}:read`, `${group}:write`] as const),
  "analytics:read",
  "consents:read"
]

/** All scopes, also those of later releases. */
export const everything = "*"

const operations: { readonly [S in KeyScope]?: ReadonlyArray<string> } = {
  send: ["send", "batch", "emails.send", "emails.update", "emails.cancel"],
  verify: ["verify", "contacts.verify"],
  "uploads:write": ["uploads.image", "uploads.images", "uploads.removeImage"],
  "emails:read": ["emails.list", "emails.get", "emails.content"],
  "emails:write": ["emails.update", "emails.cancel", "emails.retry"],
  "contacts:read": [
    "contacts.list",
    "contacts.get",
    "contacts.lookup",
    "contacts.query",
    "contacts.count",
    "contacts.segments",
    "contacts.topics",
    "executions.ofContact",
    "contacts.fields",
    "contacts.fieldValues",
    "contacts.fieldUsage",
    "contacts.imports",
    "contacts.importJob",
    "contacts.importErrors",
    "contacts.bulkJob",
    "contacts.bulkJobs",
    "contacts.export",
    "contacts.exportSelected",
    "contacts.exportOne",
    "contacts.sendingState",
    "settings.sending"
  ],
  "contacts:write": [
    "contacts.upsert",
    "contacts.update",
    "contacts.merge",
    // The links act for the contact, so reading them requires more than the rest.
    "contacts.links",
    "contacts.delete",
    "contacts.deleteField",
    "contacts.import",
    "contacts.cancelImport",
    "contacts.bulkSubscribe",
    "contacts.bulkUnsubscribe",
    "contacts.bulkDelete",
    "contacts.bulk",
    "contacts.cancelBulk",
    "contacts.erase",
    "optIns.request",
    "optIns.cancel",
    "settings.updateSending",
    "privacyRequests.complete",
    "privacyRequests.refuse"
  ],
  "events:read": [
    "events.list",
    "events.stats",
    "events.ofContact",
    "events.names",
    "events.usage",
    "events.timeseries"
  ],
  "events:write": ["ingest", "events.track", "events.delete"],
  "templates:read": [
    "templates.list",
    "templates.get",
    "templates.usage",
    "templates.links",
    "templates.stats",
    "templates.versions",
    "templates.version",
    "templates.draft",
    "templates.render",
    "templates.renderTexts",
    "partials.list",
    "partials.get",
    "partials.usage",
    "partials.versions",
    "partials.version",
    "partials.draft"
  ],
  "templates:write": [
    "templates.create",
    "templates.update",
    "templates.delete",
    "templates.duplicate",
    "templates.restore",
    "templates.saveDraft",
    "templates.deleteDraft",
    "templates.publish",
    "templates.test",
    "partials.create",
    "partials.update",
    "partials.delete",
    "partials.restore",
    "partials.saveDraft",
    "partials.deleteDraft",
    "partials.publish"
  ],
  "campaigns:read": [
    "campaigns.list",
    "campaigns.get",
    "campaigns.stats",
    "campaigns.links",
    "campaigns.providers",
    "campaigns.report",
    "campaigns.experiment",
    "campaigns.recipients"
  ],
  "campaigns:write": [
    "campaigns.create",
    "campaigns.update",
    "campaigns.delete",
    "campaigns.duplicate",
    "campaigns.followUp",
    "campaigns.send",
    "campaigns.cancel",
    "campaigns.pause",
    "campaigns.resume",
    "campaigns.retryFailed",
    "campaigns.test",
    "campaigns.decideExperiment",
    "campaigns.requestApproval",
    "campaigns.setRecurrence",
    "campaigns.removeRecurrence"
  ],
  "segments:read": ["segments.list", "segments.get", "segments.contacts", "contacts.segments"],
  "segments:write": [
    "segments.create",
    "segments.update",
    "segments.delete",
    "segments.addMembers",
    "segments.removeMembers",
    "segments.compute",
    "segments.refresh"
  ],
  "workflows:read": [
    "workflows.list",
    "workflows.fields",
    "workflows.get",
    "workflows.report",
    "workflows.stepLinks",
    "workflows.stepStats",
    "workflows.experiment",
    "workflows.versions",
    "workflows.version",
    "workflows.diff",
    "workflows.migration",
    "workflows.testRun",
    "workflows.validate",
    "workflows.validateGraph",
    "executions.list",
    "executions.ofContact",
    "executions.get"
  ],
  "workflows:write": [
    // The secret signs the requests of workflows, so reading it requires more than the rest.
    "workflows.signingSecret",
    "workflows.rotateSigningSecret",
    "workflows.create",
    "workflows.update",
    "workflows.delete",
    "workflows.duplicate",
    "workflows.replaceGraph",
    "workflows.addStep",
    "workflows.updateStep",
    "workflows.deleteStep",
    "workflows.addTransition",
    "workflows.deleteTransition",
    "workflows.insertStep",
    "workflows.decideExperiment",
    "workflows.restartExperiment",
    "workflows.publish",
    "workflows.removeDraft",
    "workflows.restore",
    "workflows.migrate",
    "executions.start",
    "executions.cancel",
    "executions.cancelAll",
    "executions.retry"
  ],
  "suppressions:read": ["suppressions.list", "suppressions.get", "suppressions.export"],
  "suppressions:write": ["suppressions.add", "suppressions.remove"],
  "domains:read": [
    "domains.list",
    "domains.get",
    "domains.health",
    "domains.dmarc",
    "domains.warmup",
    "domains.warmups",
    "domains.verify"
  ],
  "domains:write": [
    "domains.add",
    "domains.update",
    "domains.remove",
    "domains.setWarmup",
    "domains.removeWarmup",
    "domains.pauseWarmup",
    "domains.resumeWarmup"
  ],
  "webhooks:read": ["webhooks.list", "webhooks.get", "webhooks.deliveries", "webhooks.delivery"],
  "webhooks:write": [
    "webhooks.create",
    "webhooks.update",
    "webhooks.remove",
    "webhooks.rotateSecret",
    "webhooks.test",
    "webhooks.replayDelivery",
    "webhooks.replay"
  ],
  "transports:read": ["transports.list", "transports.get", "transports.routes"],
  "transports:write": [
    "transports.create",
    "transports.update",
    "transports.remove",
    "transports.verify",
    "transports.setRoutes"
  ],
  "topics:read": ["topics.list", "topics.get", "topics.usage", "topics.contacts"],
  "topics:write": ["topics.create", "topics.update", "topics.delete"],
  "forms:read": ["forms.list", "forms.get", "forms.snippet"],
  "forms:write": ["forms.create", "forms.update", "forms.remove"],
  "consents:read": [
    "consents.list",
    "consents.export",
    "contacts.consents",
    "optIns.list",
    "optIns.ofContact",
    "privacyRequests.list",
    "privacyRequests.get"
  ],
  "settings:read": ["settings.audience", "settings.previewPreferences", "settings.sending"],
  "settings:write": ["settings.updateAudience", "settings.updateSending"],
  "analytics:read": [
    "activity.list",
    "activity.stats",
    "activity.recentCount",
    "activity.types",
    "activity.upcoming",
    "analytics.timeseries",
    "analytics.providers",
    "analytics.topCampaigns",
    "analytics.campaignStats",
    "analytics.conversions",
    "analytics.topEvents",
    "deliverability.providers",
    "live",
    "projects.setupState",
    "projects.security"
  ]
}

/** Operations that every API key opens. */
export const openToAll: ReadonlySet<string> = new Set(["projects.current"])

const scopesByOperation: ReadonlyMap<string, ReadonlyArray<KeyScope>> = (() => {
  const found = new Map<string, ReadonlyArray<KeyScope>>()
  for (const scope of scopes) {
    for (const operation of operations[scope] ?? []) found.set(operation, [...(found.get(operation) ?? []), scope])
  }
  return found
})()

/** The scopes that open an operation, by its id. None: it is closed to API keys, unless it is open to all. */
export const scopesOf = (operation: string): ReadonlyArray<KeyScope> => scopesByOperation.get(operation) ?? []

const includes = (held: ReadonlySet<string>, scope: KeyScope): boolean =>
  held.has(everything) || held.has(scope) || (scope.endsWith(":read") && held.has(scope.replace(/read$/, "write")))

/**
 * Undefined if these scopes open the operation. Otherwise the scope that is missing, or null if no scope opens it.
 */
export const missingScope = (held: ReadonlyArray<string>, operation: string): KeyScope | null | undefined => {
  if (openToAll.has(operation)) return undefined
  const opening = scopesOf(operation)
  const own = new Set(held)
  return opening.some((scope) => includes(own, scope)) ? undefined : (opening[0] ?? null)
}

/** Whether a key of test mode may have the scope: it changes nothing but test mail. */
export const isForTests = (scope: string): boolean =>
  scope === "send" || scope === "emails:write" || scope.endsWith(":read")

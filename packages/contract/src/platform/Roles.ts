/**
 * The role that each endpoint requires, by operation id. An endpoint that is not listed accepts any member. The secret
 * key and API keys count as an ADMIN.
 */
import type { MemberRole } from "./Auth.ts"

export const rolesOfEndpoints: { readonly [operation: string]: MemberRole } = {
  "contacts.export": "ADMIN",
  "contacts.exportSelected": "ADMIN",
  "contacts.exportOne": "ADMIN",
  "contacts.erase": "ADMIN",
  "contacts.deleteField": "ADMIN",
  "contacts.bulkDelete": "ADMIN",
  "uploads.removeImage": "ADMIN",
  "suppressions.export": "ADMIN",
  "consents.export": "ADMIN",
  "privacyRequests.complete": "ADMIN",
  "privacyRequests.refuse": "ADMIN",
  "suppressions.remove": "ADMIN",
  "events.delete": "ADMIN",
  "domains.add": "ADMIN",
  "domains.update": "ADMIN",
  "domains.remove": "ADMIN",
  "domains.setWarmup": "ADMIN",
  "domains.removeWarmup": "ADMIN",
  "domains.pauseWarmup": "ADMIN",
  "domains.resumeWarmup": "ADMIN",
  "transports.create": "ADMIN",
  "transports.update": "ADMIN",
  "transports.remove": "ADMIN",
  "transports.verify": "ADMIN",
  "transports.setRoutes": "ADMIN",
  "settings.updateAudience": "ADMIN",
  "settings.updateSending": "ADMIN",
  "campaigns.approve": "ADMIN",
  "campaigns.reject": "ADMIN",
  "members.invite": "ADMIN",
  "members.update": "ADMIN",
  "invitations.remove": "ADMIN",
  "projects.audit": "ADMIN",
  "ownProjects.update": "ADMIN",
  "ownProjects.regenerateKeys": "ADMIN",
  "billing.checkout": "ADMIN",
  "billing.portal": "ADMIN",
  "billing.setLimits": "ADMIN",
  "billing.invoices": "ADMIN",
  "webhooks.list": "ADMIN",
  "webhooks.create": "ADMIN",
  "webhooks.get": "ADMIN",
  "webhooks.update": "ADMIN",
  "webhooks.remove": "ADMIN",
  "webhooks.rotateSecret": "ADMIN",
  "webhooks.test": "ADMIN",
  "webhooks.deliveries": "ADMIN",
  "webhooks.delivery": "ADMIN",
  "webhooks.replayDelivery": "ADMIN",
  "webhooks.replay": "ADMIN",
  "workflows.signingSecret": "ADMIN",
  "workflows.rotateSigningSecret": "ADMIN",
  "apiKeys.list": "ADMIN",
  "apiKeys.create": "ADMIN",
  "apiKeys.get": "ADMIN",
  "apiKeys.update": "ADMIN",
  "apiKeys.rotate": "ADMIN",
  "apiKeys.remove": "ADMIN",
  "ownProjects.reset": "OWNER",
  "ownProjects.remove": "OWNER"
}

/** Operations other than GET that a disabled project still allows: writes, and reads that have a body. */
export const allowedWhileDisabled: ReadonlySet<string> = new Set([
  "apiKeys.remove",
  "apiKeys.rotate",
  "billing.checkout",
  "billing.portal",
  "contacts.query",
  "contacts.count",
  "members.remove",
  "ownProjects.regenerateKeys",
  "privacyRequests.complete",
  "privacyRequests.refuse",
  "settings.previewPreferences",
  "templates.render",
  "templates.renderTexts",
  "workflows.testRun",
  "workflows.validateGraph"
])

const ranks: { readonly [Role in MemberRole]: number } = { OWNER: 2, ADMIN: 1, MEMBER: 0 }

export const isAtLeast = (role: MemberRole, wanted: MemberRole): boolean => ranks[role] >= ranks[wanted]

/** Takes the names of the group and the endpoint, as middlewares have them. */
export const roleFor = (group: string, endpoint: string): MemberRole =>
  rolesOfEndpoints[`${group}.${endpoint}`] ?? "MEMBER"

/**
 * The one table of roles (contract-2 11.1; contract 2): what a member must be for an endpoint, by its operation id. Those
 * that are not named take any member. The secret key counts as an ADMIN.
 */
import type { MemberRole } from "./Auth.ts"

export const rolesOfEndpoints: { readonly [operation: string]: MemberRole } = {
  "contacts.export": "ADMIN",
  "contacts.exportOne": "ADMIN",
  "contacts.erase": "ADMIN",
  "contacts.deleteField": "ADMIN",
  "domains.add": "ADMIN",
  "domains.remove": "ADMIN",
  "members.invite": "ADMIN",
  "members.update": "ADMIN",
  "invitations.remove": "ADMIN",
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
  "ownProjects.reset": "OWNER",
  "ownProjects.remove": "OWNER"
}

/** Writes that a disabled project still allows (contract-2 13.3). */
export const allowedWhileDisabled: ReadonlySet<string> = new Set([
  "billing.checkout",
  "billing.portal",
  "members.remove",
  "ownProjects.regenerateKeys"
])

const ranks: { readonly [Role in MemberRole]: number } = { OWNER: 2, ADMIN: 1, MEMBER: 0 }

export const isAtLeast = (role: MemberRole, wanted: MemberRole): boolean => ranks[role] >= ranks[wanted]

/** By group and endpoint, as middlewares know them. */
export const roleFor = (group: string, endpoint: string): MemberRole =>
  rolesOfEndpoints[`${group}.${endpoint}`] ?? "MEMBER"

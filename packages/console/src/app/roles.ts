import type { Role } from "./Permission.ts"

const admin = [
  "apiKeys.list",
  "apiKeys.create",
  "apiKeys.update",
  "apiKeys.remove",
  "apiKeys.rotate",
  "contacts.export",
  "contacts.erase",
  "contacts.deleteField",
  "domains.add",
  "domains.remove",
  "domains.update",
  "transports.create",
  "transports.update",
  "transports.remove",
  "transports.verify",
  "transports.setRoutes",
  "webhooks.list",
  "webhooks.create",
  "webhooks.update",
  "webhooks.remove",
  "webhooks.rotateSecret",
  "members.invite",
  "members.update",
  "members.remove",
  "invitations.remove",
  "ownProjects.update",
  "ownProjects.regenerateKeys",
  "suppressions.export",
  "uploads.removeImage",
  "projects.audit"
]
const owner = ["ownProjects.reset", "ownProjects.remove"]

export const roleOf = (operation: string): Role =>
  owner.includes(operation) ? "OWNER" : admin.includes(operation) ? "ADMIN" : "MEMBER"

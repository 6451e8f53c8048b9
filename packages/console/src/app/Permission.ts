/** What keeps a person from an operation: their role, from the table that the OpenAPI document has, or a disabled project. */
import { memberless, type OperationId, reading, restricted } from "@posthorn/client/session"
import { useProject } from "./Project.tsx"
import { type Missing, type Role, ranks } from "./Roles.ts"

/** Writes that a disabled project takes: the ways out, and questions that are sent as a body. */
const takenWhileDisabled: ReadonlySet<OperationId> = new Set<OperationId>([
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

const roleOf = (operation: OperationId): Role | null => {
  if (memberless.includes(operation)) return null
  return restricted.OWNER.includes(operation) ? "OWNER" : restricted.ADMIN.includes(operation) ? "ADMIN" : "MEMBER"
}

/** The role that an operation needs and the person lacks; null if they may call it. */
export const useMissingRole = (operation: OperationId): Role | null => {
  const { role } = useProject()
  const needed = roleOf(operation)
  return needed === null || ranks[role] >= ranks[needed] ? null : needed
}

/** What an operation lacks: a role, or a project that takes writes. Buttons take it as `missing`. */
export const useMissing = (operation: OperationId): Missing | null => {
  const { disabled } = useProject()
  const role = useMissingRole(operation)
  if (role !== null) return role
  return disabled && !reading.includes(operation) && !takenWhileDisabled.has(operation) ? "DISABLED" : null
}

/** What the role of the person allows, from the table of roles that the OpenAPI document has. */
import { type OperationFacts, type OperationId, operations } from "@posthorn/client/session"
import { useProject } from "./Project.tsx"

const ranks = { MEMBER: 0, ADMIN: 1, OWNER: 2 } as const
export type Role = NonNullable<OperationFacts["role"]>

/** The role that an operation needs and the person lacks; null if they may call it. */
export const useMissingRole = (operation: OperationId): Role | null => {
  const { role } = useProject()
  const needed = operations[operation].role
  return needed === null || ranks[role] >= ranks[needed] ? null : needed
}

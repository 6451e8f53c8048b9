/** What the role of the person allows, from the table of roles that the OpenAPI document has. */
import { useProject } from "./Project.tsx"
import { roleOf } from "./roles.ts"

const ranks = { MEMBER: 0, ADMIN: 1, OWNER: 2 } as const
export type Role = keyof typeof ranks

/** The role that an operation needs and the person lacks; null if they may call it. */
export const useMissingRole = (operation: string): Role | null => {
  const { role } = useProject()
  const needed = roleOf(operation)
  return ranks[role] >= ranks[needed] ? null : needed
}

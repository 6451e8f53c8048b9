/** The roles of a project, and who has them. Apart from the table of operations, which the first page does without. */
import type { ActiveMember, OperationFacts } from "@posthorn/client/session"
import { deployment } from "./Deployment.ts"
import { useProject } from "./Project.tsx"
import { useRead } from "./Queries.ts"

export const ranks = { MEMBER: 0, ADMIN: 1, OWNER: 2 } as const
export type Role = NonNullable<OperationFacts["role"]>

/** What an operation lacks: a role, or a project that takes writes. */
export type Missing = Role | "DISABLED"

/** What writes that every member may do lack: a project that takes them. */
export const useDisabled = (): Missing | null => (useProject().disabled ? "DISABLED" : null)

/** The addresses of those who have a role or one above it; empty while that is not known. */
export const useHolders = (role: Role): ReadonlyArray<string> => {
  const { id } = useProject()
  const members = useRead(["members"], (api, options) => api.members.list(id, options), {
    enabled: deployment.mode === "server",
    staleTime: 5 * 60_000
  })
  return (members.data ?? [])
    .filter((member): member is ActiveMember => member.status === "ACTIVE" && ranks[member.role] >= ranks[role])
    .map(({ email }) => email)
}

/** A page, or a part of one, that a person may not read: what it is for, which role it needs, and who has that role. */
import type { ReactNode } from "react"
import { Empty } from "../kit/Layout.tsx"
import { words } from "../kit/words.ts"
import { type Role, useHolders } from "./Roles.ts"

export const NeedsRole = ({ role, about }: { readonly role: Role; readonly about: string }): ReactNode => {
  const { needsRole, whoHasIt } = words()
  return (
    <Empty about={about}>
      <p>
        {needsRole(role)} {whoHasIt(useHolders(role))}
      </p>
    </Empty>
  )
}

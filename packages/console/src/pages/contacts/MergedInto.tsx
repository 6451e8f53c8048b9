/** Leads from the address of a contact that was merged to the contact that stayed. */
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { mergeWords } from "./mergeWords.ts"

export const MergedInto = ({ contactId }: { readonly contactId: string }): ReactNode => {
  const words = mergeWords()
  const projectId = useProjectId()
  return (
    <span>
      {words.mergedInto}{" "}
      <Link to="/p/$projectId/contacts/$contactId" params={{ projectId, contactId }}>
        {words.openOther}
      </Link>
    </span>
  )
}

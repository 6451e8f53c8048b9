import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { contactWords } from "./words.ts"

/** The tabs of the pages about all contacts. */
export const ContactTabs = ({ current }: { readonly current: "list" | "fields" }): ReactNode => {
  const words = contactWords()
  const params = { projectId: useProjectId() }
  return (
    <TabLinks
      label={words.title}
      current={current}
      tabs={[
        { id: "list", name: words.title, link: { to: "/p/$projectId/contacts", params } },
        { id: "fields", name: words.fields, link: { to: "/p/$projectId/contacts/fields", params } }
      ]}
    />
  )
}

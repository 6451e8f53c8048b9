/** The two lists that belong together: templates, and the pieces that they include. */
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { templateWords } from "./words.ts"

export const Areas = ({ current }: { readonly current: "templates" | "pieces" }): ReactNode => {
  const words = templateWords()
  const params = { projectId: useProjectId() }
  return (
    <TabLinks
      label={words.areas}
      current={current}
      tabs={[
        { id: "templates", name: words.templates, link: { to: "/p/$projectId/templates", params } },
        { id: "pieces", name: words.pieces, link: { to: "/p/$projectId/templates/pieces", params } }
      ]}
    />
  )
}

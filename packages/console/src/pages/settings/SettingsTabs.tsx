/** The pages of the settings. */
import type { ReactNode } from "react"
import { deployment } from "../../app/Deployment.ts"
import { useProjectId } from "../../app/Project.tsx"
import { TabLinks } from "../../kit/Navigation.tsx"
import { settingsWords } from "./words.ts"

export const SettingsTabs = ({
  current
}: {
  readonly current: "settings" | "audience" | "members" | "billing" | "audit"
}): ReactNode => {
  const { settings, project, audience, members, billing, audit } = settingsWords()
  const params = { projectId: useProjectId() }
  return (
    <TabLinks
      label={settings}
      current={current}
      tabs={[
        { id: "settings", name: project, link: { to: "/p/$projectId/settings", params } },
        { id: "audience", name: audience, link: { to: "/p/$projectId/settings/audience", params } },
        ...(deployment.mode === "server"
          ? [
              { id: "members", name: members, link: { to: "/p/$projectId/settings/members", params } } as const,
              { id: "billing", name: billing, link: { to: "/p/$projectId/settings/billing", params } } as const
            ]
          : []),
        { id: "audit", name: audit, link: { to: "/p/$projectId/settings/audit", params } }
      ]}
    />
  )
}

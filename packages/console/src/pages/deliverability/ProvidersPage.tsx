import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Page } from "../../app/Page.tsx"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { daysBefore } from "../../app/Range.ts"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { providerText } from "../../kit/providers.ts"
import { Count, Rate } from "../../kit/Text.tsx"
import { ProviderStates } from "./ProviderStates.tsx"
import { providersRoute } from "./routes.ts"
import { deliverabilityWords } from "./words.ts"

export const ProvidersPage = (): ReactNode => {
  const words = deliverabilityWords()
  const { timezone } = useProject()
  const range = providersRoute.useSearch().days ?? "30"
  const navigate = useNavigate({ from: "/p/$projectId/deliverability" })
  const figures = useRead(
    ["providers", range],
    (api, options) =>
      api.analytics.providers(
        { startDate: daysBefore(Number(range) - 1, timezone), endDate: daysBefore(0, timezone) },
        options
      ),
    { keep: true, every: 30_000 }
  )
  return (
    <Page
      title={words.providers}
      actions={
        <Select
          label={words.range}
          isLabelHidden
          value={range}
          choices={(["7", "30", "90"] as const).map((id) => ({ id, name: words.ranges[id] }))}
          onChange={(days) => void navigate({ search: days === "30" ? {} : { days }, replace: true })}
        />
      }
    >
      <ProviderStates />
      <p>{words.providersAbout}</p>
      {figures.error !== null ? (
        <Problem error={figures.error} onRetry={() => void figures.refetch()} />
      ) : figures.data === undefined ? (
        <TableSkeleton rows={5} />
      ) : figures.data.length === 0 ? (
        <Empty about={words.noProviders} />
      ) : (
        <DataTable
          label={words.providers}
          rows={figures.data.map((each) => ({ ...each, id: each.provider }))}
          total={figures.data.length}
          rowName={({ provider }) => providerText(provider)}
          columns={[
            { id: "provider", name: words.provider, cell: ({ provider }) => providerText(provider) },
            { id: "sent", name: words.sent, isNumber: true, cell: ({ sent }) => <Count value={sent} /> },
            {
              id: "delivered",
              name: words.delivered,
              isNumber: true,
              cell: ({ delivered, sent }) => <Rate part={delivered} of={sent} />
            },
            {
              id: "deferred",
              name: words.deferred,
              isNumber: true,
              cell: ({ deferred, sent }) => <Rate part={deferred} of={sent} />
            },
            {
              id: "opened",
              name: words.opened,
              isNumber: true,
              cell: ({ opened, sent }) => <Rate part={opened} of={sent} />
            },
            {
              id: "clicked",
              name: words.clicked,
              isNumber: true,
              cell: ({ clicked, sent }) => <Rate part={clicked} of={sent} />
            },
            {
              id: "bounced",
              name: words.bounced,
              isNumber: true,
              cell: ({ bounced, sent }) => <Rate part={bounced} of={sent} />
            },
            {
              id: "complained",
              name: words.complained,
              isNumber: true,
              cell: ({ complained, sent }) => <Rate part={complained} of={sent} />
            }
          ]}
        />
      )}
    </Page>
  )
}

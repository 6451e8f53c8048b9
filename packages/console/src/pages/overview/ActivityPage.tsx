import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { Page } from "../../app/Page.tsx"
import { useRead } from "../../app/Queries.ts"
import { RangeFilter, useRangeQuery } from "../../app/RangeFilter.tsx"
import { Views } from "../../app/Views.tsx"
import { DataTable, NewRows, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { Time } from "../../kit/Text.tsx"
import { About, nameOf, Who } from "./Feed.tsx"
import { activityRoute } from "./routes.ts"
import { overviewWords } from "./words.ts"

export const ActivityPage = (): ReactNode => {
  const words = overviewWords()
  const names = words.activities
  const { type, contact, days } = activityRoute.useSearch()
  const range = useRangeQuery(days)
  const navigate = useNavigate({ from: "/p/$projectId/activity" })
  const query = { ...range, ...(type && { types: type }), ...(contact && { contactId: contact }) }
  const types = useRead(["activity", "types"], (api, options) => api.activity.types(options))
  const feed = useList(
    ["activity", "list", query],
    (api, position, options) => api.activity.list({ ...query, limit: 50, ...position }, options),
    {
      every: 15_000,
      newIn: (change) => (change.event === "activity" ? change.data.entries.length + change.data.skipped : 0)
    }
  )
  const clear = () => void navigate({ search: {}, replace: true })
  return (
    <Page title={words.activity} views={<Views page="activity" />}>
      <Row>
        <Select
          label={words.type}
          isLabelHidden
          value={type ?? null}
          placeholder={words.anyType}
          choices={[
            { id: "", name: words.anyType },
            ...(types.data?.present ?? []).map((id) => ({ id, name: nameOf(names, id) }))
          ]}
          onChange={(id: string) =>
            void navigate({ search: (last) => ({ ...last, type: id || undefined }), replace: true })
          }
        />
        <RangeFilter
          days={days}
          onChange={(to) => void navigate({ search: (last) => ({ ...last, days: to }), replace: true })}
        />
      </Row>
      <NewRows count={feed.news} onShow={feed.showNews} />
      {feed.error !== null ? (
        <Problem error={feed.error} onRetry={feed.retry} />
      ) : feed.isLoading ? (
        <TableSkeleton />
      ) : feed.rows.length === 0 ? (
        type === undefined && contact === undefined && days === undefined ? (
          <Empty about={words.activityAbout} />
        ) : (
          <NothingFits onClear={clear} />
        )
      ) : (
        <DataTable
          label={words.activity}
          rows={feed.rows}
          total={feed.total}
          hasMore={feed.hasMore}
          isLoadingMore={feed.isLoadingMore}
          onMore={feed.more}
          columns={[
            { id: "type", name: words.type, cell: (entry) => nameOf(names, entry.type) },
            { id: "who", name: words.who, cell: (entry) => <Who {...entry} /> },
            { id: "what", name: words.what, cell: ({ metadata }) => <About metadata={metadata} /> },
            { id: "when", name: words.when, isFit: true, cell: ({ timestamp }) => <Time at={timestamp} /> }
          ]}
        />
      )}
    </Page>
  )
}

import type { CampaignSummary } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { type Column, DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Bar, Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { SearchBox, TabLinks } from "../../kit/Navigation.tsx"
import { Count, Foreign, Rate, Time } from "../../kit/Text.tsx"
import { CampaignState } from "./CampaignState.tsx"
import { useHeld } from "./held.ts"
import { NewCampaign } from "./NewCampaign.tsx"
import { campaignStatuses, campaignsRoute } from "./routes.ts"
import { campaignWords } from "./words.ts"

const Calendar = lazy(async () => ({ default: (await import("./Calendar.tsx")).Calendar }))

const Audience = ({ campaign }: { readonly campaign: CampaignSummary }) => {
  const { audiences } = campaignWords()
  const isSegment = campaign.audienceType === "SEGMENT"
  const segments = useRead(["segments"], (api, options) => api.segments.list(options), { enabled: isSegment })
  const segment = segments.data?.find(({ id }) => id === campaign.segmentId)
  return isSegment && segment !== undefined ? (
    <Foreign>{segment.name}</Foreign>
  ) : (
    <span>{audiences[campaign.audienceType]}</span>
  )
}

const useColumns = (): ReadonlyArray<Column<CampaignSummary>> => {
  const words = campaignWords()
  const projectId = useProjectId()
  return [
    {
      id: "name",
      name: words.name,
      cell: ({ id, name }) => (
        <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: id }}>
          <Foreign>{name}</Foreign>
        </Link>
      )
    },
    { id: "state", name: words.state, isFit: true, cell: (campaign) => <CampaignState campaign={campaign} /> },
    { id: "audience", name: words.audience, cell: (campaign) => <Audience campaign={campaign} /> },
    { id: "sent", name: words.sent, isNumber: true, isFit: true, cell: ({ sentCount }) => <Count value={sentCount} /> },
    {
      id: "opens",
      name: words.humanOpens,
      isNumber: true,
      isFit: true,
      cell: ({ openedCount, sentCount }) => <Rate part={openedCount} of={sentCount} />
    },
    {
      id: "clicks",
      name: words.humanClicks,
      isNumber: true,
      isFit: true,
      cell: ({ clickedCount, sentCount }) => <Rate part={clickedCount} of={sentCount} />
    },
    { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
  ]
}

export const CampaignsPage = (): ReactNode => {
  const words = campaignWords()
  const projectId = useProjectId()
  const { q, state, view, month } = campaignsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/campaigns" })
  const [isMaking, setMaking] = useState(false)
  const missing = useMissing("campaigns.create")
  const held = useHeld()
  const columns = useColumns()
  const query = { ...(q && { search: q }), ...(state && { status: state }) }
  const list = useList(
    ["campaigns", "list", query],
    (api, position, options) => api.campaigns.list({ ...query, pageSize: 50, ...position }, options),
    { every: 15_000 }
  )
  const rows = list.rows.filter(({ id }) => held.get(id) !== "delete")
  const total = list.total === null ? null : list.total - (list.rows.length - rows.length)
  const make = (
    <Button missing={missing} kind="primary" onPress={() => setMaking(true)}>
      {words.newCampaign}
    </Button>
  )
  const isFiltered = q !== undefined || state !== undefined
  const isEmpty = !list.isLoading && list.error === null && rows.length === 0
  const tabs = (
    <TabLinks
      label={words.views}
      current={view ?? "list"}
      tabs={(["list", "calendar"] as const).map((id) => ({
        id,
        name: words.view[id],
        link: {
          to: "/p/$projectId/campaigns",
          params: { projectId },
          search: id === "list" ? {} : { view: id }
        }
      }))}
    />
  )
  const actions = (
    <>
      {!(isEmpty && !isFiltered) && make}
      <ShowCode call={{ operation: "campaigns.list", query }} />
    </>
  )
  if (view === "calendar") {
    return (
      <Page title={words.title} actions={actions}>
        {tabs}
        <Suspense fallback={<Bar height={480} />}>
          <Calendar
            month={month}
            onMonth={(next) => void navigate({ search: { view, month: next }, replace: true, resetScroll: false })}
          />
        </Suspense>
        <NewCampaign isOpen={isMaking} onOpenChange={setMaking} />
      </Page>
    )
  }
  return (
    <Page title={words.title} views={<Views page="campaigns" />} actions={actions}>
      {tabs}
      <Row>
        <SearchBox
          label={words.search}
          value={q ?? ""}
          onChange={(text) => void navigate({ search: (last) => ({ ...last, q: text || undefined }), replace: true })}
        />
        <Select
          label={words.state}
          isLabelHidden
          value={state ?? ""}
          choices={[
            { id: "" as const, name: words.anyState },
            ...campaignStatuses.map((id) => ({ id, name: words.states[id] }))
          ]}
          onChange={(id) =>
            void navigate({ search: (last) => ({ ...last, state: id === "" ? undefined : id }), replace: true })
          }
        />
      </Row>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.error !== null && rows.length === 0 ? null : list.isLoading ? (
        <TableSkeleton />
      ) : isEmpty ? (
        isFiltered ? (
          <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
        ) : (
          <Empty about={words.empty} action={make} />
        )
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={rows}
          total={total}
          href={({ id }) => hrefOf(pathOf(projectId, "campaigns", id))}
          rowName={({ name }) => name}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
        />
      )}
      <NewCampaign isOpen={isMaking} onOpenChange={setMaking} />
    </Page>
  )
}

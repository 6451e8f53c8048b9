import type { Segment } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { useHeldSegments } from "./Deleting.ts"
import { segmentsRoute } from "./routes.ts"
import { segmentWords } from "./words.ts"

export const SegmentsPage = (): ReactNode => {
  const words = segmentWords()
  const missing = useMissing("segments.create")
  const projectId = useProjectId()
  const { q, type } = segmentsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/segments" })
  const held = useHeldSegments()
  const list = useRead(["segments"], (api, options) => api.segments.list(options), { every: 15_000 })
  const kept = (list.data ?? []).filter(({ id }) => !held.includes(id))
  const rows = kept.filter(
    (segment) =>
      (type === undefined || segment.type === type) &&
      (q === undefined || `${segment.name} ${segment.description ?? ""}`.toLowerCase().includes(q.toLowerCase()))
  )
  const create = (
    <Button
      missing={missing}
      kind="primary"
      onPress={() => void navigate({ to: "/p/$projectId/segments/new", params: { projectId } })}
    >
      {words.newSegment}
    </Button>
  )
  return (
    <Page
      title={words.segments}
      views={<Views page="segments" />}
      actions={
        <>
          {kept.length > 0 && create}
          <ShowCode call={{ operation: "segments.list" }} />
        </>
      }
    >
      {kept.length > 0 && (
        <Row>
          <SearchBox
            label={words.search}
            value={q ?? ""}
            onChange={(text) => void navigate({ search: (last) => ({ ...last, q: text || undefined }), replace: true })}
          />
          <Select
            label={words.type}
            isLabelHidden
            value={type ?? ""}
            choices={[
              { id: "" as const, name: words.anyType },
              ...(["DYNAMIC", "STATIC"] as const).map((id) => ({ id, name: words.types[id] }))
            ]}
            onChange={(id) =>
              void navigate({ search: (last) => ({ ...last, type: id === "" ? undefined : id }), replace: true })
            }
          />
        </Row>
      )}
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending ? (
        <TableSkeleton />
      ) : kept.length === 0 ? (
        list.error === null && <Empty about={words.about} action={create} />
      ) : rows.length === 0 ? (
        <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
      ) : (
        <DataTable<Segment>
          label={words.segments}
          rows={rows}
          total={rows.length}
          href={({ id }) => hrefOf(pathOf(projectId, "segments", id))}
          rowName={({ name }) => name}
          columns={[
            { id: "name", name: words.name, cell: ({ name }) => <Foreign>{name}</Foreign> },
            { id: "type", name: words.type, isFit: true, cell: (segment) => words.types[segment.type] },
            {
              id: "members",
              name: words.members,
              isNumber: true,
              isFit: true,
              cell: ({ memberCount }) => <Count value={memberCount} />
            },
            {
              id: "tracked",
              name: words.tracked,
              isNamed: true,
              isFit: true,
              cell: ({ trackMembership }) => (trackMembership ? words.yes : words.no)
            },
            { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
          ]}
        />
      )}
    </Page>
  )
}

import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { Views } from "../../app/Views.tsx"
import { Button } from "../../kit/Button.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { SearchBox } from "../../kit/Navigation.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { Areas } from "./Areas.tsx"
import { piecesRoute } from "./routes.ts"
import { templateWords } from "./words.ts"

export const PiecesPage = (): ReactNode => {
  const words = templateWords()
  const projectId = useProjectId()
  const { q } = piecesRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/templates/pieces" })
  const missing = useMissing("partials.create")
  const pieces = useList(["partials", "list", q ?? ""], (api, position, options) =>
    api.partials.list({ ...(q !== undefined && { search: q }), sort: "name", pageSize: 50, ...position }, options)
  )
  const find = (text: string) => void navigate({ search: { q: text || undefined }, replace: true })
  const isEmpty = pieces.rows.length === 0
  const create = (
    <Button
      kind="primary"
      missing={missing}
      onPress={() =>
        void navigate({ to: "/p/$projectId/templates/pieces/$pieceId", params: { projectId, pieceId: "new" } })
      }
    >
      {words.createPiece}
    </Button>
  )
  return (
    <Page
      title={words.pieces}
      views={<Views page="pieces" />}
      actions={!pieces.isLoading && isEmpty && q === undefined ? undefined : create}
    >
      <Areas current="pieces" />
      {(!isEmpty || q !== undefined) && (
        <Row>
          <SearchBox label={words.search} value={q ?? ""} onChange={find} />
        </Row>
      )}
      {pieces.error !== null ? (
        <Problem error={pieces.error} onRetry={pieces.retry} />
      ) : pieces.isLoading ? (
        <TableSkeleton rows={4} />
      ) : isEmpty ? (
        q !== undefined ? (
          <NothingFits onClear={() => find("")} />
        ) : (
          <Empty about={words.piecesAbout} action={create} />
        )
      ) : (
        <DataTable
          label={words.pieces}
          rows={pieces.rows}
          total={pieces.total}
          href={({ id }) => hrefOf(pathOf(projectId, "templates", "pieces", id))}
          rowName={({ name }) => name}
          hasMore={pieces.hasMore}
          isLoadingMore={pieces.isLoadingMore}
          onMore={pieces.more}
          columns={[
            {
              id: "name",
              name: words.name,
              cell: ({ id, name }) => (
                <Link to="/p/$projectId/templates/pieces/$pieceId" params={{ projectId, pieceId: id }}>
                  <Foreign>{name}</Foreign>
                </Link>
              )
            },
            { id: "note", name: words.description, cell: ({ description }) => <Foreign>{description}</Foreign> },
            { id: "changed", name: words.changed, isFit: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> }
          ]}
        />
      )}
    </Page>
  )
}

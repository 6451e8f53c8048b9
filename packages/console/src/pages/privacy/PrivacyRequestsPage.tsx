import type { PrivacyRequest } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useProjectId } from "../../app/Project.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, NothingFits, Problem, Row } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { RequestPanel } from "./RequestPanel.tsx"
import { RequestState } from "./RequestState.tsx"
import { privacyRequestsRoute } from "./routes.ts"
import { privacyWords } from "./words.ts"

const statuses = ["OPEN", "UNCONFIRMED", "DONE", "REFUSED", "EXPIRED"] as const
const types = ["ERASURE", "EXPORT"] as const

export const PrivacyRequestsPage = (): ReactNode => {
  const words = privacyWords()
  const projectId = useProjectId()
  const { status, type, request } = privacyRequestsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/privacy-requests" })
  const query = { ...(status && { status }), ...(type && { type }) }
  const list = useList(
    ["privacyRequests", query],
    (api, position, options) => api.privacyRequests.list({ ...query, limit: 50, ...position }, options),
    { every: 15_000, always: () => 15_000 }
  )
  const nameOf = ({ email }: PrivacyRequest) => email ?? words.erased
  return (
    <Page title={words.title} actions={<ShowCode call={{ operation: "privacyRequests.list", query }} />}>
      <Row>
        <Select
          label={words.state}
          isLabelHidden
          value={status ?? ""}
          choices={[
            { id: "" as const, name: words.anyState },
            ...statuses.map((id) => ({ id, name: words.states[id] }))
          ]}
          onChange={(id) => void navigate({ search: (last) => ({ ...last, status: id || undefined }), replace: true })}
        />
        <Select
          label={words.type}
          isLabelHidden
          value={type ?? ""}
          choices={[{ id: "" as const, name: words.anyType }, ...types.map((id) => ({ id, name: words.types[id] }))]}
          onChange={(id) => void navigate({ search: (last) => ({ ...last, type: id || undefined }), replace: true })}
        />
      </Row>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading ? (
        <TableSkeleton />
      ) : list.rows.length === 0 ? (
        status !== undefined || type !== undefined ? (
          <NothingFits onClear={() => void navigate({ search: {}, replace: true })} />
        ) : (
          list.error === null && (
            <Empty
              about={words.about}
              action={
                <Link to="/p/$projectId/settings/audience" params={{ projectId }}>
                  {words.settings}
                </Link>
              }
            />
          )
        )
      ) : (
        <DataTable
          label={words.title}
          rows={list.rows}
          total={list.total}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
          href={({ id }) => hrefOf(pathOf(projectId, "privacy-requests"), { ...query, request: id })}
          rowName={nameOf}
          columns={[
            {
              id: "person",
              name: words.person,
              cell: (each) => (
                <Link
                  to="/p/$projectId/privacy-requests"
                  params={{ projectId }}
                  search={{ ...query, request: each.id }}
                >
                  <Foreign>{nameOf(each)}</Foreign>
                </Link>
              )
            },
            { id: "type", name: words.type, isFit: true, cell: (each) => words.types[each.type] },
            { id: "state", name: words.state, isFit: true, cell: (each) => <RequestState status={each.status} /> },
            { id: "requested", name: words.requested, isFit: true, cell: (each) => <Time at={each.requestedAt} /> },
            {
              id: "due",
              name: words.due,
              isFit: true,
              cell: ({ dueAt, status: is }) => is === "OPEN" && dueAt !== null && <Time at={dueAt} />
            }
          ]}
        />
      )}
      {request !== undefined && (
        <RequestPanel
          id={request}
          onClose={() => void navigate({ search: (last) => ({ ...last, request: undefined }), replace: true })}
        />
      )}
    </Page>
  )
}

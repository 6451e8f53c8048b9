import type { ContactExecution } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { type Shape, State, type Tone } from "../../kit/Marks.tsx"
import { Data, Foreign, Time } from "../../kit/Text.tsx"
import { contactWords } from "./words.ts"

interface Of {
  readonly contactId: string
}

export const ContactEvents = ({ contactId }: Of): ReactNode => {
  const words = contactWords()
  const list = useList(
    ["events", "contact", contactId],
    (api, position, options) => api.events.ofContact(contactId, { source: "all", limit: 50, ...position }, options),
    { every: 15_000 }
  )
  if (list.error !== null) return <Problem error={list.error} onRetry={list.retry} />
  if (list.isLoading) return <TableSkeleton />
  if (list.rows.length === 0) return <Empty about={words.noEvents} />
  return (
    <DataTable
      label={words.events}
      rows={list.rows}
      total={list.total}
      hasMore={list.hasMore}
      isLoadingMore={list.isLoadingMore}
      onMore={list.more}
      rowName={({ name }) => name}
      columns={[
        { id: "name", name: words.event, cell: ({ name }) => <Foreign>{name}</Foreign> },
        {
          id: "data",
          name: words.data,
          cell: ({ data }) => <Data value={data} />
        },
        { id: "time", name: words.time, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> }
      ]}
    />
  )
}

export const ContactSegments = ({ contactId }: Of): ReactNode => {
  const words = contactWords()
  const projectId = useProjectId()
  const { data, error, refetch } = useRead(["contacts", contactId, "segments"], (api, options) =>
    api.contacts.segments(contactId, options)
  )
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <TableSkeleton rows={3} />
  if (data.length === 0) return <Empty about={words.noSegmentsOf} />
  return (
    <DataTable
      label={words.segments}
      rows={data}
      href={({ id }) => hrefOf(pathOf(projectId, "segments", id))}
      rowName={({ name }) => name}
      columns={[
        { id: "name", name: words.segment, cell: ({ name }) => <Foreign>{name}</Foreign> },
        { id: "kind", name: words.kind, isFit: true, cell: ({ type }) => words.kinds[type] },
        { id: "since", name: words.since, isFit: true, cell: ({ since }) => <Time at={since} /> }
      ]}
    />
  )
}

const looks: { readonly [S in ContactExecution["status"]]: readonly [Shape, Tone] } = {
  RUNNING: ["ring", "neutral"],
  WAITING: ["square", "neutral"],
  COMPLETED: ["dot", "good"],
  EXITED: ["bar", "neutral"],
  FAILED: ["triangle", "bad"],
  CANCELLED: ["bar", "neutral"]
}

export const ContactExecutions = ({ contactId }: Of): ReactNode => {
  const words = contactWords()
  const projectId = useProjectId()
  const list = useList(["executions", "contact", contactId], (api, position, options) =>
    api.executions.ofContact(contactId, { limit: 50, ...position }, options)
  )
  if (list.error !== null) return <Problem error={list.error} onRetry={list.retry} />
  if (list.isLoading) return <TableSkeleton rows={3} />
  if (list.rows.length === 0) return <Empty about={words.noExecutions} />
  return (
    <DataTable
      label={words.executions}
      rows={list.rows}
      total={list.total}
      hasMore={list.hasMore}
      isLoadingMore={list.isLoadingMore}
      onMore={list.more}
      href={({ workflowId }) => hrefOf(pathOf(projectId, "workflows", workflowId))}
      rowName={({ workflow }) => workflow.name}
      columns={[
        { id: "workflow", name: words.workflow, cell: ({ workflow }) => <Foreign>{workflow.name}</Foreign> },
        {
          id: "state",
          name: words.state,
          isFit: true,
          cell: ({ status }) => (
            <State shape={looks[status][0]} tone={looks[status][1]}>
              {words.execution[status]}
            </State>
          )
        },
        { id: "step", name: words.step, cell: ({ currentStep }) => <Foreign>{currentStep?.name}</Foreign> },
        { id: "started", name: words.started, isFit: true, cell: ({ startedAt }) => <Time at={startedAt} /> }
      ]}
    />
  )
}

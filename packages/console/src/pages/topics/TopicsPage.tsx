import type { Topic } from "@posthorn/client/session"
import { Link, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useMissing } from "../../app/Permission.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { Button } from "../../kit/Button.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { type Column, DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, Problem, Row } from "../../kit/Layout.tsx"
import { Count, Foreign } from "../../kit/Text.tsx"
import { topicsRoute } from "./routes.ts"
import { topicWords } from "./words.ts"

const NewTopic = lazy(async () => ({ default: (await import("./NewTopic.tsx")).NewTopic }))

const useColumns = (): ReadonlyArray<Column<Topic>> => {
  const words = topicWords()
  const projectId = useProjectId()
  return [
    {
      id: "name",
      name: words.name,
      cell: ({ id, name }) => (
        <Link to="/p/$projectId/topics/$topicId" params={{ projectId, topicId: id }}>
          <Foreign>{name}</Foreign>
        </Link>
      )
    },
    { id: "key", name: words.key, cell: ({ key }) => <code>{key}</code> },
    { id: "visibility", name: words.visibility, isFit: true, cell: (topic) => words.visibilities[topic.visibility] },
    {
      id: "default",
      name: words.default,
      isFit: true,
      cell: ({ defaultSubscription }) => words.defaults[defaultSubscription]
    },
    ...(["subscriberCount", "subscribedCount", "unsubscribedCount"] as const).map((id) => ({
      id,
      name: words[
        ({ subscriberCount: "subscribers", subscribedCount: "subscribed", unsubscribedCount: "unsubscribed" } as const)[
          id
        ]
      ],
      isNumber: true,
      isFit: true,
      cell: (topic: Topic) => <Count value={topic[id]} />
    }))
  ]
}

export const TopicsPage = (): ReactNode => {
  const words = topicWords()
  const projectId = useProjectId()
  const { archived = false } = topicsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/topics" })
  const missing = useMissing("topics.create")
  const [isMaking, setMaking] = useState(false)
  const columns = useColumns()
  const query = archived ? ({ archived: "true" } as const) : {}
  const topics = useRead(["topics", "list", archived], (api, options) => api.topics.list(query, options), {
    every: 15_000
  })
  const isEmpty = topics.data?.length === 0
  const create = (
    <Button kind="primary" missing={missing} onPress={() => setMaking(true)}>
      {words.create}
    </Button>
  )
  return (
    <Page
      title={words.title}
      actions={
        <>
          {!(isEmpty && !archived) && create}
          <ShowCode call={{ operation: "topics.list", query }} />
        </>
      }
    >
      <Row>
        <Select<"used" | "archived">
          label={words.filter}
          isLabelHidden
          value={archived ? "archived" : "used"}
          choices={[
            { id: "used", name: words.inUse },
            { id: "archived", name: words.archived }
          ]}
          onChange={(id) => void navigate({ search: { archived: id === "archived" || undefined }, replace: true })}
        />
      </Row>
      {topics.error !== null && <Problem error={topics.error} onRetry={() => void topics.refetch()} />}
      {topics.data === undefined ? (
        topics.error === null && <TableSkeleton />
      ) : isEmpty ? (
        archived ? (
          <Empty about={words.noArchived} />
        ) : (
          <Empty about={words.about} action={create} />
        )
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={topics.data}
          href={({ id }) => hrefOf(pathOf(projectId, "topics", id))}
          rowName={({ name }) => name}
        />
      )}
      <Suspense>{isMaking && <NewTopic onClose={() => setMaking(false)} />}</Suspense>
    </Page>
  )
}

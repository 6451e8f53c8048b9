/** The contacts of a topic, by what they said about it. */
import type { Contact, Topic } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useList } from "../../app/Lists.ts"
import { hrefOf, pathOf } from "../../app/links.ts"
import { useProjectId } from "../../app/Project.tsx"
import { ShowCode } from "../../kit/Code.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import { Empty, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { Foreign, Time } from "../../kit/Text.tsx"
import { topicRoute } from "./routes.ts"
import { topicWords } from "./words.ts"

type State = "takes" | "subscribed" | "unsubscribed" | "pending"

export const TopicContacts = ({ topic }: { readonly topic: Topic }): ReactNode => {
  const words = topicWords()
  const projectId = useProjectId()
  const navigate = useNavigate({ from: "/p/$projectId/topics/$topicId" })
  const { state = "takes" } = topicRoute.useSearch()
  const list = useList(
    ["topics", topic.id, "contacts", state],
    (api, position, options) => api.topics.contacts(topic.id, { state, limit: 50, ...position }, options),
    { every: 15_000 }
  )
  return (
    <Stack>
      <Row>
        <Select<State>
          label={words.state}
          value={state}
          choices={(["takes", "subscribed", "unsubscribed", "pending"] as const).map((id) => ({
            id,
            name: words.states[id]
          }))}
          onChange={(id) =>
            void navigate({ search: { tab: "contacts", ...(id !== "takes" && { state: id }) }, replace: true })
          }
        />
        <ShowCode call={{ operation: "topics.contacts", path: [topic.key], query: { state } }} />
      </Row>
      {list.error !== null && <Problem error={list.error} onRetry={list.retry} />}
      {list.isLoading ? (
        <TableSkeleton />
      ) : list.rows.length === 0 ? (
        list.error === null && <Empty about={words.noContacts[state]} />
      ) : (
        <DataTable<Contact>
          label={words.contacts}
          rows={list.rows}
          total={list.total}
          hasMore={list.hasMore}
          isLoadingMore={list.isLoadingMore}
          onMore={list.more}
          href={({ id }) => hrefOf(pathOf(projectId, "contacts", id))}
          rowName={({ email }) => email}
          columns={[
            { id: "email", name: words.address, cell: ({ email }) => <Foreign>{email}</Foreign> },
            {
              id: "subscription",
              name: words.subscription,
              isFit: true,
              cell: ({ subscription, snoozedUntil }) =>
                snoozedUntil === null ? words.subscriptions[subscription] : words.paused
            },
            { id: "since", name: words.since, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> }
          ]}
        />
      )}
    </Stack>
  )
}

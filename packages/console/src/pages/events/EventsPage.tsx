import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { hrefOf, pathOf } from "../../app/links.ts"
import { Page } from "../../app/Page.tsx"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { useKeyUrl } from "../../app/Start.ts"
import { Views } from "../../app/Views.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { Select } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Empty, Problem } from "../../kit/Layout.tsx"
import { Count, Foreign, Time } from "../../kit/Text.tsx"
import { eventsRoute } from "./routes.ts"
import { eventWords } from "./words.ts"

const sample = (
  origin: string,
  publicKey: string
) => `curl ${origin}/v1/track -H "Authorization: Bearer ${publicKey}" \\
  -H 'Content-Type: application/json' -d '{"email":"ada@example.com","event":"signed_up"}'`

export const EventsPage = (): ReactNode => {
  const words = eventWords()
  const project = useProject()
  const projectId = project.id
  const keyUrl = useKeyUrl()
  const { source = "tracked" } = eventsRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/events" })
  const stats = useRead(["events", "stats", source], (api, options) => api.events.stats({ source }, options), {
    every: 15_000,
    keep: true
  })
  return (
    <Page
      title={words.title}
      views={<Views page="events" />}
      actions={
        <Select
          label={words.source}
          isLabelHidden
          value={source}
          choices={(["tracked", "system", "all"] as const).map((id) => ({ id, name: words.sources[id] }))}
          onChange={(id) => void navigate({ search: id === "tracked" ? {} : { source: id }, replace: true })}
        />
      }
    >
      {stats.error !== null ? (
        <Problem error={stats.error} onRetry={() => void stats.refetch()} />
      ) : stats.data === undefined ? (
        <TableSkeleton />
      ) : stats.data.length === 0 ? (
        <Empty about={words.about}>
          <pre className={styles.code} tabIndex={0}>
            {sample(keyUrl, project.public)}
          </pre>
        </Empty>
      ) : (
        <DataTable
          label={words.title}
          rows={stats.data.map((each) => ({ ...each, id: each.name }))}
          total={stats.data.length}
          href={({ name }) => hrefOf(pathOf(projectId, "events", name))}
          rowName={({ name }) => name}
          columns={[
            {
              id: "name",
              name: words.name,
              cell: ({ name }) => (
                <Link to="/p/$projectId/events/$eventName" params={{ projectId, eventName: name }}>
                  <Foreign>{name}</Foreign>
                </Link>
              )
            },
            { id: "count", name: words.count, isNumber: true, cell: ({ count }) => <Count value={count} /> },
            {
              id: "people",
              name: words.people,
              isNumber: true,
              cell: ({ uniqueContacts }) => <Count value={uniqueContacts} />
            },
            { id: "last", name: words.last, isFit: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> }
          ]}
        />
      )}
    </Page>
  )
}

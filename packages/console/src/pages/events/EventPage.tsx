import type { EventUsage } from "@posthorn/client/session"
import { useNavigate } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useList } from "../../app/Lists.ts"
import { Page } from "../../app/Page.tsx"
import { useProject } from "../../app/Project.tsx"
import { useRead, useWrite } from "../../app/Queries.ts"
import { daysBefore } from "../../app/Range.ts"
import { Button } from "../../kit/Button.tsx"
import { TimeChart } from "../../kit/Chart.tsx"
import { DataTable, TableSkeleton } from "../../kit/DataTable.tsx"
import { ConfirmDialog } from "../../kit/Dialog.tsx"
import { Select } from "../../kit/Field.tsx"
import styles from "../../kit/kit.module.css"
import { Answer, Card, Empty, Facts, Problem } from "../../kit/Layout.tsx"
import { notify } from "../../kit/notices.ts"
import { Data, dayText, Foreign, Time } from "../../kit/Text.tsx"
import { eventRoute } from "./routes.ts"
import { eventWords } from "./words.ts"

const names = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name).join(", ")

const Usage = ({ usage }: { readonly usage: EventUsage }) => {
  const words = eventWords()
  const { usedInSegments, usedInCampaigns, usedInWorkflows } = usage
  if (usedInSegments.length + usedInCampaigns.length + usedInWorkflows.length === 0) return <p>{words.unused}</p>
  return (
    <Facts
      facts={[
        [words.segments, <Foreign key="segments">{names(usedInSegments)}</Foreign>],
        [words.campaigns, <Foreign key="campaigns">{names(usedInCampaigns)}</Foreign>],
        [words.workflows, <Foreign key="workflows">{names(usedInWorkflows)}</Foreign>]
      ]}
    />
  )
}

export const EventPage = (): ReactNode => {
  const words = eventWords()
  const { id: projectId, timezone } = useProject()
  const { eventName } = eventRoute.useParams()
  const range = eventRoute.useSearch().days ?? "30"
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const back = { to: "/p/$projectId/events", params: { projectId } } as const
  const series = useRead(
    ["events", eventName, "series", range],
    (api, options) =>
      api.events.timeseries(
        eventName,
        { startDate: daysBefore(Number(range) - 1, timezone), endDate: daysBefore(0, timezone) },
        options
      ),
    { keep: true, every: 60_000 }
  )
  const usage = useRead(["events", eventName, "usage"], (api, options) => api.events.usage(eventName, options))
  const recent = useList(
    ["events", eventName, "recent"],
    (api, position, options) => api.events.list({ eventName, source: "all", limit: 20, ...position }, options),
    { every: 15_000 }
  )
  const remove = useWrite((api) => api.events.delete(eventName), {
    changes: ["events"],
    onDone: () => {
      notify(words.deleted)
      void navigate(back)
    }
  })
  return (
    <Page
      title={eventName}
      heading={<Foreign>{eventName}</Foreign>}
      back={{ name: words.title, link: back }}
      actions={
        <>
          <Select
            label={words.range}
            isLabelHidden
            value={range}
            choices={(["7", "30", "90"] as const).map((id) => ({ id, name: words.ranges[id] }))}
            onChange={(days) =>
              void navigate({
                to: "/p/$projectId/events/$eventName",
                params: { projectId, eventName },
                search: days === "30" ? {} : { days },
                replace: true
              })
            }
          />
          <Button onPress={() => (usage.data?.canDelete === false ? notify(words.inUse) : setDeleting(true))}>
            {words.delete}
          </Button>
        </>
      }
    >
      {remove.error !== null && <Problem error={remove.error} />}
      <Card>
        <Answer of={series} height={304}>
          {(days) => (
            <TimeChart
              title={words.question}
              labels={days.map(({ date }) => dayText(date))}
              series={[{ name: eventName, values: days.map(({ count }) => count) }]}
            />
          )}
        </Answer>
        <p className={styles.help}>{words.zone(timezone)}</p>
      </Card>
      <Card title={words.usage}>
        <Answer of={usage} height={40}>
          {(data) => <Usage usage={data} />}
        </Answer>
      </Card>
      <h2>{words.recent}</h2>
      {recent.error !== null ? (
        <Problem error={recent.error} onRetry={recent.retry} />
      ) : recent.isLoading ? (
        <TableSkeleton />
      ) : recent.rows.length === 0 ? (
        <Empty about={words.about} />
      ) : (
        <DataTable
          label={words.recent}
          rows={recent.rows}
          total={recent.total}
          hasMore={recent.hasMore}
          isLoadingMore={recent.isLoadingMore}
          onMore={recent.more}
          rowName={({ contact }) => contact?.email ?? ""}
          columns={[
            { id: "contact", name: words.contact, cell: ({ contact }) => <Foreign>{contact?.email}</Foreign> },
            {
              id: "data",
              name: words.data,
              cell: ({ data }) => <Data value={data} />
            },
            { id: "time", name: words.time, isFit: true, cell: ({ createdAt }) => <Time at={createdAt} /> }
          ]}
        />
      )}
      <ConfirmDialog
        title={words.delete}
        action={words.delete}
        typed={eventName}
        isDanger
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <Foreign>{words.deleteAbout(eventName)}</Foreign>
        </p>
      </ConfirmDialog>
    </Page>
  )
}

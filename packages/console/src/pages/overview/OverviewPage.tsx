import { Link, useNavigate } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { Page } from "../../app/Page.tsx"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { daysBefore } from "../../app/Range.ts"
import { TimeChart } from "../../kit/Chart.tsx"
import { Checkbox, Select } from "../../kit/Field.tsx"
import { Answer, Card, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { dayText, Foreign, numberText, percentText } from "../../kit/Text.tsx"
import { Checklist } from "./Checklist.tsx"
import { Feed } from "./Feed.tsx"
import { Figures } from "./Figures.tsx"
import styles from "./overview.module.css"
import { overviewRoute } from "./routes.ts"
import { overviewWords } from "./words.ts"

/** The days of the range and of the range before it. */
const windowOf = (days: number, zone: string) => ({
  startDate: daysBefore(days * 2 - 1, zone),
  endDate: daysBefore(0, zone)
})

const Standing = () => {
  const words = overviewWords()
  const project = useProject()
  const security = useRead(["overview", "security"], (api, options) => api.projects.security(project.id, options))
  return (
    <Answer of={security} height={60}>
      {({ levels, status }) => (
        <Stack>
          {(
            [
              [words.bounceRate, levels.bounce7Day, status.bounceRate7Day],
              [words.complaintRate, levels.complaint7Day, status.complaintRate7Day]
            ] as const
          ).map(([name, level, rate]) => (
            <Row key={name}>
              <State
                shape={level === "healthy" ? "dot" : "triangle"}
                tone={level === "healthy" ? "good" : level === "warning" ? "warning" : "bad"}
              >
                {words.levels[level]}
              </State>
              <span className={styles.quiet}>
                {name}: {percentText(rate / 100)}
              </span>
            </Row>
          ))}
        </Stack>
      )}
    </Answer>
  )
}

const Lists = () => {
  const words = overviewWords()
  const { id: projectId } = useProject()
  const campaigns = useRead(["overview", "top-campaigns"], (api, options) =>
    api.analytics.topCampaigns({ limit: 5 }, options)
  )
  const events = useRead(["overview", "top-events"], (api, options) => api.analytics.topEvents({ limit: 5 }, options))
  const upcoming = useRead(["overview", "upcoming"], (api, options) => api.activity.upcoming({ limit: 5 }, options))
  const activity = useRead(["activity", "newest"], (api, options) => api.activity.list({ limit: 8 }, options).page(), {
    every: 15_000
  })
  const none = <p className={styles.quiet}>{words.nothingYet}</p>
  return (
    <div className={styles.columns}>
      <Card
        title={words.newest}
        actions={
          <Link to="/p/$projectId/activity" params={{ projectId }}>
            {words.all}
          </Link>
        }
      >
        <Answer of={activity} height={200}>
          {({ data }) => (data.length === 0 ? none : <Feed entries={data} />)}
        </Answer>
      </Card>
      <Card title={words.topCampaigns}>
        <Answer of={campaigns} height={120}>
          {(data) =>
            data.length === 0 ? (
              none
            ) : (
              <ul className={styles.feed}>
                {data.map(({ id, name, openRate, clickRate }) => (
                  <li key={id}>
                    <Link to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: id }}>
                      <Foreign>{name}</Foreign>
                    </Link>
                    <span className={styles.quiet}>
                      {words.opens} {percentText(openRate / 100)}, {words.clicks} {percentText(clickRate / 100)}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </Card>
      <Card title={words.topEvents}>
        <Answer of={events} height={120}>
          {(data) =>
            data.length === 0 ? (
              none
            ) : (
              <ul className={styles.feed}>
                {data.map(({ name, count, trend }) => (
                  <li key={name}>
                    <Link to="/p/$projectId/events/$eventName" params={{ projectId, eventName: name }}>
                      <Foreign>{name}</Foreign>
                    </Link>
                    <span className={styles.quiet}>
                      {numberText(count)} ({trend > 0 ? "+" : ""}
                      {percentText(trend / 100)})
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </Card>
      <Card title={words.upcoming}>
        <Answer of={upcoming} height={120}>
          {({ activities }) => (activities.length === 0 ? none : <Feed entries={activities} />)}
        </Answer>
      </Card>
      <Card title={words.standing}>
        <Standing />
      </Card>
    </div>
  )
}

export const OverviewPage = (): ReactNode => {
  const words = overviewWords()
  const project = useProject()
  const search = overviewRoute.useSearch()
  const navigate = useNavigate({ from: "/p/$projectId/" })
  const range = search.days ?? "30"
  const days = Number(range)
  const series = useRead(
    ["overview", "timeseries", range, search.machines ?? false],
    (api, options) =>
      api.analytics.timeseries(
        { ...windowOf(days, project.timezone), includeMachine: search.machines ?? false },
        options
      ),
    { keep: true, every: 60_000 }
  )
  const all = series.data ?? []
  const shown = all.slice(-days)
  const before = all.slice(0, -days)
  const labels = shown.map(({ date }) => dayText(date))
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Checkbox
            isSelected={search.machines ?? false}
            onChange={(machines) =>
              void navigate({ search: (last) => ({ ...last, machines: machines || undefined }), replace: true })
            }
          >
            {words.machines}
          </Checkbox>
          <Select
            label={words.range}
            isLabelHidden
            value={range}
            choices={(["7", "30", "90"] as const).map((id) => ({ id, name: words.ranges[id] }))}
            onChange={(id) =>
              void navigate({ search: (last) => ({ ...last, days: id === "30" ? undefined : id }), replace: true })
            }
          />
        </>
      }
    >
      <Checklist key={project.id} />
      {series.error !== null && series.data !== undefined && (
        <Problem error={series.error} onRetry={() => void series.refetch()} />
      )}
      {(series.error === null || series.data !== undefined) && (
        <Figures shown={shown} before={before} isLoading={series.data === undefined} />
      )}
      <Card>
        <Answer of={series} height={308}>
          {() => (
            <TimeChart
              title={words.question}
              labels={labels}
              series={[
                { name: words.sent, values: shown.map(({ emails }) => emails) },
                { name: words.delivered, values: shown.map(({ delivered }) => delivered) },
                { name: words.opens, values: shown.map(({ opens }) => opens) },
                { name: words.clicks, values: shown.map(({ clicks }) => clicks) },
                { name: words.bounces, values: shown.map(({ bounces }) => bounces) }
              ]}
            />
          )}
        </Answer>
        <p className={styles.quiet}>{words.zone(project.timezone)}</p>
      </Card>
      <Lists />
    </Page>
  )
}

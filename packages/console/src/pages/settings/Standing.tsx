/** The rates of bounces and complaints beside the rates from which the service warns and disables. */
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { DataTable } from "../../kit/DataTable.tsx"
import { Bar, Card, Problem, Stack } from "../../kit/Layout.tsx"
import { State } from "../../kit/Marks.tsx"
import { numberText, Time } from "../../kit/Text.tsx"
import { settingsWords } from "./words.ts"

const marks = {
  healthy: { shape: "dot", tone: "good" },
  warning: { shape: "triangle", tone: "warning" },
  critical: { shape: "triangle", tone: "bad" }
} as const

const percent = (value: number) => `${numberText(value)} %`

export const Standing = (): ReactNode => {
  const words = settingsWords()
  const id = useProjectId()
  const security = useRead(["security"], (api, options) => api.ownProjects.security(id, options))
  const { data } = security
  if (security.error !== null) {
    return (
      <Card title={words.standing}>
        <Problem error={security.error} onRetry={() => void security.refetch()} />
      </Card>
    )
  }
  if (data === undefined) {
    return (
      <Card title={words.standing}>
        <Bar height={220} />
      </Card>
    )
  }
  const { status, levels, thresholds, recentSuspensions } = data
  const now = {
    bounce7Day: status.bounceRate7Day,
    bounceAllTime: status.bounceRateAllTime,
    complaint7Day: status.complaintRate7Day,
    complaintAllTime: status.complaintRateAllTime
  }
  const rates = (["bounce7Day", "bounceAllTime", "complaint7Day", "complaintAllTime"] as const).map((rate) => ({
    id: rate,
    now: now[rate],
    level: levels[rate],
    ...thresholds[rate]
  }))
  return (
    <Card title={words.standing}>
      <Stack>
        <p>{words.standingAbout(numberText(thresholds.minimumEmails))}</p>
        <DataTable
          label={words.standing}
          rows={rates}
          columns={[
            { id: "rate", name: words.rate, cell: (row) => words.rates[row.id] },
            {
              id: "state",
              name: words.state,
              isFit: true,
              cell: ({ level }) => <State {...marks[level]}>{words.levels[level]}</State>
            },
            { id: "now", name: words.now, isNumber: true, cell: (row) => percent(row.now) },
            { id: "warning", name: words.warningFrom, isNumber: true, cell: (row) => percent(row.warning) },
            { id: "critical", name: words.criticalFrom, isNumber: true, cell: (row) => percent(row.critical) }
          ]}
        />
        {recentSuspensions.length > 0 && (
          <DataTable
            label={words.suspensions}
            rows={recentSuspensions.map((suspension) => ({ ...suspension, id: suspension.at }))}
            columns={[
              { id: "reason", name: words.reason, cell: ({ reason }) => words.reasons[reason] },
              { id: "at", name: words.disabledAt, isFit: true, cell: ({ at }) => <Time at={at} /> },
              { id: "lifted", name: words.liftedAt, isFit: true, cell: ({ liftedAt }) => <Time at={liftedAt} /> }
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}

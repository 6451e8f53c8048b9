/** The results of a campaign hour by hour. */
import type { CampaignReport } from "@posthorn/client/session"
import type { ReactNode } from "react"
import { useRead } from "../../app/Queries.ts"
import { useZone } from "../../app/Zone.ts"
import { TimeChart } from "../../kit/Chart.tsx"
import { Bar, Card, Problem } from "../../kit/Layout.tsx"
import { timeText } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { everyHour } from "./hours.ts"
import { campaignWords } from "./words.ts"

interface HoursProps {
  readonly id: string
  /** Milliseconds between two reads. */
  readonly every: number
}

type Row = CampaignReport["rows"][number]

export const Hours = ({ id, every }: HoursProps): ReactNode => {
  const words = campaignWords()
  const zone = useZone()
  const hours = useRead(
    ["campaigns", id, "hours"],
    (api, options) => api.campaigns.report(id, { by: "hour" }, options),
    { every }
  )
  const rows = everyHour(hours.data?.rows ?? [])
  const values = (figure: "humanClicked" | "humanOpened" | "sent") => rows.map((row: Row) => row[figure])
  return (
    <Card title={rows.length === 0 ? words.hours : undefined}>
      {hours.data === undefined ? (
        hours.error === null ? (
          <Bar height={240} />
        ) : (
          <Problem error={hours.error} onRetry={() => void hours.refetch()} />
        )
      ) : rows.length === 0 ? (
        <p className={styles.quiet}>{words.noHours}</p>
      ) : (
        <TimeChart
          title={words.hoursQuestion}
          labels={rows.map(({ key }) => timeText(key, zone, { dateStyle: "short" }))}
          series={[
            { name: words.sent, values: values("sent") },
            { name: words.openedByPeople, values: values("humanOpened") },
            { name: words.clickedByPeople, values: values("humanClicked") }
          ]}
        />
      )}
    </Card>
  )
}

/** Scheduled campaigns on the days of a month, in the zone in which times are shown. */
import type { CampaignSummary } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { now } from "../../app/Clock.ts"
import { useProjectId } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"
import { useZone } from "../../app/Zone.ts"
import { Button } from "../../kit/Button.tsx"
import { Bar, Problem, Row, Stack } from "../../kit/Layout.tsx"
import { dayText, Foreign, timeText } from "../../kit/Text.tsx"
import styles from "./campaigns.module.css"
import { dayIn, monthAfter, monthOf, weeksOf } from "./month.ts"
import { campaignWords } from "./words.ts"

const most = 100

interface CalendarProps {
  readonly month: string | undefined
  readonly onMonth: (month: string | undefined) => void
}

export const Calendar = ({ month: given, onMonth }: CalendarProps): ReactNode => {
  const words = campaignWords()
  const projectId = useProjectId()
  const zone = useZone()
  const scheduled = useRead(
    ["campaigns", "calendar"],
    (api, options) => api.campaigns.list({ status: "SCHEDULED", pageSize: most }, options).page(),
    { every: 60_000 }
  )
  const today = dayIn(now(), zone)
  const month = monthOf(given) ?? today.slice(0, 7)
  const weeks = weeksOf(month)
  if (scheduled.error !== null) {
    return <Problem error={scheduled.error} onRetry={() => void scheduled.refetch()} />
  }
  if (scheduled.data === undefined) return <Bar height={480} />
  const byDay = new Map<string, Array<CampaignSummary>>()
  for (const campaign of scheduled.data.data) {
    if (campaign.scheduledFor === null) continue
    const day = dayIn(campaign.scheduledFor, zone)
    byDay.set(day, [...(byDay.get(day) ?? []), campaign])
  }
  const inMonth = [...byDay].reduce((sum, [day, found]) => sum + (day.startsWith(month) ? found.length : 0), 0)
  const title = dayText(`${month}-01`, { month: "long", year: "numeric" })
  return (
    <Stack>
      <Row>
        <Button onPress={() => onMonth(monthAfter(month, -1))}>{words.monthBefore}</Button>
        <Button onPress={() => onMonth(undefined)}>{words.thisMonth}</Button>
        <Button onPress={() => onMonth(monthAfter(month, 1))}>{words.monthAfter}</Button>
        <span role="status">{words.inMonth(inMonth, title)}</span>
      </Row>
      {scheduled.data.total > most && <p>{words.calendarCut(most)}</p>}
      <table className={styles.calendar}>
        <caption>{words.calendarOf(title, zone)}</caption>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col">
                <abbr title={dayText(day, { weekday: "long" })}>{dayText(day, { weekday: "short" })}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td
                  key={day}
                  data-other={!day.startsWith(month) || undefined}
                  data-empty={!byDay.has(day) || undefined}
                  aria-current={day === today ? "date" : undefined}
                >
                  <time dateTime={day}>
                    <span className={styles.weekday}>{dayText(day, { weekday: "short" })} </span>
                    {Number(day.slice(8))}
                  </time>
                  {(byDay.get(day) ?? []).map(({ id, name, scheduledFor }) => (
                    <Link key={id} to="/p/$projectId/campaigns/$campaignId" params={{ projectId, campaignId: id }}>
                      {timeText(scheduledFor ?? "", zone, { dateStyle: undefined })} <Foreign>{name}</Foreign>
                    </Link>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  )
}

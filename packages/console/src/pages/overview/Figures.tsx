/** The figures of the range, each with the change against the range before and the list behind it. */
import type { TimeseriesDay } from "@posthorn/client/session"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useProjectId } from "../../app/Project.tsx"
import type { EmailStatus } from "../../kit/EmailState.tsx"
import { Bar } from "../../kit/Layout.tsx"
import { Count, percentText } from "../../kit/Text.tsx"
import styles from "./overview.module.css"
import { overviewWords } from "./words.ts"

type Sum = keyof Omit<TimeseriesDay, "date">

const sum = (days: ReadonlyArray<TimeseriesDay>, key: Sum) => days.reduce((total, each) => total + each[key], 0)

interface FiguresProps {
  readonly shown: ReadonlyArray<TimeseriesDay>
  readonly before: ReadonlyArray<TimeseriesDay>
  readonly isLoading: boolean
}

export const Figures = ({ shown, before, isLoading }: FiguresProps): ReactNode => {
  const words = overviewWords()
  const projectId = useProjectId()
  const figures: ReadonlyArray<readonly [Sum, string, ReadonlyArray<EmailStatus> | undefined]> = [
    ["emails", words.sent, undefined],
    ["delivered", words.delivered, ["DELIVERED", "OPENED", "CLICKED"]],
    ["opens", words.humanOpens, ["OPENED", "CLICKED"]],
    ["clicks", words.humanClicks, ["CLICKED"]],
    ["bounces", words.bounces, ["BOUNCED"]]
  ]
  const sent = sum(shown, "emails")
  // A mail that is refused while it is handed over counts as bounced, and not as sent.
  const tried = Math.max(sent, sum(shown, "delivered") + sum(shown, "bounces"))
  return (
    <dl className={styles.figures}>
      {figures.map(([key, name, state]) => {
        const value = sum(shown, key)
        const earlier = sum(before, key)
        const change = earlier === 0 ? "" : percentText((value - earlier) / earlier)
        return (
          <div key={key} className={styles.figure}>
            <dt>{name}</dt>
            <dd className={styles.value}>
              {isLoading ? (
                <Bar width={80} height={32} />
              ) : (
                <Link
                  to="/p/$projectId/mails"
                  params={{ projectId }}
                  search={state === undefined ? {} : { state }}
                  style={{ color: "inherit", textDecoration: "none" }}
                >
                  <Count value={value} />
                </Link>
              )}
            </dd>
            <dd className={styles.change}>
              {key === "bounces" && tried > 0 && `${percentText(value / tried)} `}
              {key !== "emails" && key !== "bounces" && sent > 0 && `${percentText(value / sent)} `}
              {change !== "" && `${change.startsWith("-") ? "" : "+"}${change}`}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

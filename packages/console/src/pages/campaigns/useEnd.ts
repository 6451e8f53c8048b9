/** When the last mail of a campaign leaves, estimated before it is sent. */
import { now } from "../../app/Clock.ts"
import { useProject } from "../../app/Project.tsx"
import { useRead } from "../../app/Queries.ts"

/** A campaign of fewer mails says little about the pace. */
const enough = 100

interface End {
  readonly at: string
  /** Mails a second. */
  readonly rate: number
  /** Whether the rate is a setting of the project. Else it is that of the last campaign. */
  readonly isSet: boolean
}

/** Null if neither the project has a rate nor a campaign of some size was sent. */
export const useEnd = (count: number | undefined, startsAt: string | null): End | null => {
  const { sendRatePerSecond } = useProject()
  const sent = useRead(
    ["campaigns", "pace"],
    (api, options) => api.campaigns.list({ status: "SENT", sort: "updatedAt", pageSize: 10 }, options).page(),
    { enabled: sendRatePerSecond === null, staleTime: 300_000 }
  )
  const last = sent.data?.data.find(
    ({ sentCount, sentAt, completedAt }) => sentCount >= enough && sentAt && completedAt
  )
  const seconds = last === undefined ? 0 : (Date.parse(last.completedAt ?? "") - Date.parse(last.sentAt ?? "")) / 1_000
  const rate = sendRatePerSecond ?? (last === undefined ? 0 : last.sentCount / Math.max(1, seconds))
  if (count === undefined || count === 0 || rate <= 0) return null
  const start = Math.max(now(), startsAt === null || startsAt === "" ? 0 : Date.parse(startsAt))
  return {
    at: new Date(start + (count / rate) * 1_000).toISOString(),
    rate,
    isSet: sendRatePerSecond !== null
  }
}

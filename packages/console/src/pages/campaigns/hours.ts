/** The hours of a report, with those in which nothing happened. Pure. */
import type { CampaignReport } from "@posthorn/client/session"

type Row = CampaignReport["rows"][number]

const hour = 3_600_000

const quiet = {
  sent: 0,
  delivered: 0,
  humanOpened: 0,
  humanClicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  deferred: 0,
  converted: 0,
  revenue: []
}

/** Every hour from the first to the last; some hundred at most, as the report covers 30 days. */
export const everyHour = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const known = new Map(rows.map((row) => [Date.parse(row.key), row]))
  const start = Date.parse(first.key)
  return Array.from({ length: (Date.parse(last.key) - start) / hour + 1 }, (_, n) => {
    const at = start + n * hour
    return known.get(at) ?? { key: new Date(at).toISOString(), ...quiet }
  })
}

/** Tells projects with waiting mail that a provider asks for less mail, and that it takes mail as before. */
import { DateTime, type Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { recordServiceEvents } from "../../events/ServiceEvents.ts"
import { otherProvider } from "../recipients/ProviderList.ts"
import { installation, type ShapedKey, type ShapingState } from "./ShapingState.ts"

/** A stored state. */
type ShapedRow = ShapedKey & ShapingState & { readonly queue: number; readonly reason: Schema.Json }

const isExchange = (key: string) => key.includes(".")

/** The data of both events. */
const dataOf = ({ key, transport }: Pick<ShapedRow, "key" | "transport">) => ({
  provider: isExchange(key) ? otherProvider : key,
  exchange: isExchange(key) ? key : null,
  transport
})

const record = (
  sql: SqlClient.SqlClient,
  name: string,
  projects: ReadonlyArray<string>,
  data: Readonly<Record<string, Schema.Json>>,
  now: number
) =>
  recordServiceEvents(
    sql,
    sql`
      select project.id as project_id, null::uuid as contact_id, ${name}::text as name,
             ${JSON.stringify(data)}::text::jsonb as data
      from unnest(${projects}::uuid[]) as project (id)`,
    DateTime.makeUnsafe(now)
  )

/** The projects with bulk mail in a queue, and the one whose mail was refused. */
export const concerned = (
  sql: SqlClient.SqlClient,
  { project, queue }: Pick<ShapedRow, "project" | "queue">,
  refused: string
): Statement.Statement<unknown> =>
  project !== installation
    ? sql`select id from projects where id = ${project}::uuid and disabled_reason is null`
    : sql`
      select id from projects
      where disabled_reason is null and (
        id = ${refused}::uuid
        or exists (select from emails where emails.project_id = projects.id and emails.status = 'PENDING'
                   and emails.lane = 1 and emails.queue = ${queue})
        or exists (
          select from mailings
          where mailings.project_id = projects.id and is_open and ${queue}::smallint = any(mailings.queues)
            and exists (
              select from emails where emails.project_id = mailings.project_id
                and emails.campaign_id = mailings.campaign_id and emails.status = 'PENDING' and emails.lane = 2
                and emails.queue = ${queue})))
      order by id limit 1000`

export const recordSlowed = (
  sql: SqlClient.SqlClient,
  projects: ReadonlyArray<string>,
  row: ShapedRow,
  now: number
): Statement.Statement<unknown> =>
  record(
    sql,
    "deliverability.provider_slowed",
    projects,
    {
      ...dataOf(row),
      state: row.status,
      level: row.level,
      ratePerMinute: row.ratePerMinute,
      maxConnections: row.maxConnections,
      until: row.status === "PROBING" ? null : new Date(row.until).toISOString(),
      reason: row.reason
    },
    now
  )

export const recordRecovered = (
  sql: SqlClient.SqlClient,
  row: ShapedRow & { readonly notified: ReadonlyArray<string> },
  now: number
): Statement.Statement<unknown> => record(sql, "deliverability.provider_recovered", row.notified, dataOf(row), now)

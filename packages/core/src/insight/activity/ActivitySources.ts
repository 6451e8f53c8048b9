/**
 * The sources that the feed is merged from. Each type of entry is a separate list in index order, and is read only as
 * far as a page needs. The mail of a single contact is read by contact, and its times are sorted.
 */

import type { ExecutionStatus } from "@posthorn/contract/automation/workflows/Execution"
import type { ActivityType } from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { isVisible } from "../../events/Retracted.ts"

/** The kind of row that an id in the feed refers to. */
export type Kind = "campaign" | "event" | "execution" | "mail"

export interface Source {
  readonly type: ActivityType
  readonly kind: Kind
  /**
   * The suffix of an entry id, after the id of the mail, campaign or execution. Events have a single entry without it.
   */
  readonly suffix: string
  readonly table: "campaigns" | "emails" | "events" | "workflow_executions"
  /** The column that holds the time. */
  readonly at: string
  /** The rows of the table that belong to one project. */
  readonly rows: Statement.Fragment
  /** Selects `name`: the names of the events that it lists. Each is read in index order. Absent: `rows` says it all. */
  readonly names?: Statement.Fragment
  readonly isAboutContact: boolean
}

const mailTimes = {
  "email.sent": "sent_at",
  "email.delivered": "delivered_at",
  "email.opened": "opened_at",
  "email.clicked": "clicked_at",
  "email.bounced": "bounced_at",
  "email.complaint": "complained_at",
  "email.failed": "failed_at",
  "email.suppressed": "suppressed_at"
} as const satisfies { readonly [Type in ActivityType]?: string }

/** Events of the service whose name is the type of their entry. */
const systemEvents = [
  "email.received",
  "contact.subscribed",
  "contact.unsubscribed",
  "contact.confirmed",
  "contact.merged"
] as const

/** Events of the service with a key in their name, by the table that has the keys. */
const keyedEvents = {
  "topic.subscribed": "topics",
  "topic.unsubscribed": "topics",
  "form.submitted": "forms"
} as const satisfies { readonly [Type in ActivityType]?: string }

const campaignTimes = {
  "campaign.scheduled": "scheduled_at",
  "campaign.sent": "sent_at"
} as const satisfies { readonly [Type in ActivityType]?: string }

/** The final statuses of an execution, by type of entry. */
const ends = {
  "workflow.completed": ["COMPLETED", "EXITED", "CANCELLED"],
  "workflow.failed": ["FAILED"]
} as const satisfies { readonly [Type in ActivityType]?: ReadonlyArray<ExecutionStatus> }

const suffixOf = (type: string) => type.slice(type.indexOf(".") + 1)

const typed = <T extends { readonly [Type in ActivityType]?: unknown }>(record: T) =>
  Object.entries(record) as Array<[keyof T & ActivityType, T[keyof T]]>

export const sourcesOf = (sql: SqlClient.SqlClient, project: ProjectId): ReadonlyArray<Source> => [
  {
    type: "event.triggered",
    kind: "event",
    suffix: "",
    table: "events",
    at: "created_at",
    rows: sql`events.project_id = ${project} and source = 'tracked' and ${isVisible(sql)}`,
    isAboutContact: true
  },
  ...typed(mailTimes).map(
    ([type, at]): Source => ({
      type,
      kind: "mail",
      suffix: suffixOf(type),
      table: "emails",
      at,
      rows: sql`
        emails.project_id = ${project} and contact_id is not null and not test
        and (campaign_id is null or exists (select from campaigns
                                            where campaigns.project_id = ${project} and campaigns.id = campaign_id))`,
      isAboutContact: true
    })
  ),
  ...systemEvents.map(
    (type): Source => ({
      type,
      kind: "event",
      suffix: "",
      table: "events",
      at: "created_at",
      rows: sql`events.project_id = ${project} and events.name = ${type} and source = 'system'`,
      isAboutContact: true
    })
  ),
  ...typed(keyedEvents).map(
    ([type, table]): Source => ({
      type,
      kind: "event",
      suffix: "",
      table: "events",
      // The service states no time, so this is when it was recorded, and the index of names is ordered by it.
      at: "occurred_at",
      rows: sql`events.project_id = ${project} and source = 'system'`,
      // Keys have the collation "C". Without that of the names of events, no index of names can be read.
      names: sql`
        select (${`${type.slice(0, type.indexOf("."))}.`}::text || key || ${`.${suffixOf(type)}`}::text) collate "default"
               as name
        from ${sql(table)} where project_id = ${project}`,
      isAboutContact: true
    })
  ),
  ...typed(campaignTimes).map(
    ([type, at]): Source => ({
      type,
      kind: "campaign",
      suffix: suffixOf(type),
      table: "campaigns",
      at,
      rows: sql`campaigns.project_id = ${project}`,
      isAboutContact: false
    })
  ),
  {
    type: "workflow.started",
    kind: "execution",
    suffix: "started",
    table: "workflow_executions",
    at: "started_at",
    rows: sql`workflow_executions.project_id = ${project}`,
    isAboutContact: true
  },
  ...typed(ends).map(
    ([type, statuses]): Source => ({
      type,
      kind: "execution",
      suffix: "ended",
      table: "workflow_executions",
      at: "completed_at",
      // Literals, so that the planner can match a partial index.
      rows: sql`
        workflow_executions.project_id = ${project}
        and status in (${sql.literal(statuses.map((status) => `'${status}'`).join(", "))})`,
      isAboutContact: true
    })
  )
]

/** The newest rows of a source under these conditions, as `from ...` of a statement that reads them in index order. */
export const newestRows = (
  sql: SqlClient.SqlClient,
  { at, names, table }: Source,
  conditions: ReadonlyArray<Statement.Fragment>,
  limit: number,
  read: Statement.Fragment = sql`${sql(table)}`
): Statement.Fragment => {
  const inOrder = sql`order by ${sql(at)} desc, id desc limit ${limit}`
  return names === undefined
    ? sql`${read} where ${sql.and(conditions)} ${inOrder}`
    : sql`
        (${names}) as named cross join lateral (
          select * from ${read} where ${sql.and([...conditions, sql`events.name = named.name`])} ${inOrder}
        ) as found ${inOrder}`
}

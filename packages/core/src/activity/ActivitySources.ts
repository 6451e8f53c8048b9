/**
 * What the feed is merged from: each type of entry is a list of its own, in the order of an index, and is never read
 * further than a page goes. A contact's own mail is read by contact, and its moments sorted.
 */

import type { ProjectId } from "@posthorn/contract/Auth"
import type { ActivityType } from "@posthorn/contract/activity/Activity"
import type { ExecutionStatus } from "@posthorn/contract/workflows/Execution"
import type { SqlClient, Statement } from "effect/sql"
import { isVisible } from "../events/Retracted.ts"

/** What an id in the feed belongs to. */
export type Kind = "campaign" | "event" | "execution" | "mail"

export interface Source {
  readonly type: ActivityType
  readonly kind: Kind
  /** Follows the id of the mail, campaign or execution in the id of the entry; events have but one entry. */
  readonly what: string
  readonly table: "campaigns" | "emails" | "events" | "workflow_executions"
  /** Column that says when. */
  readonly at: string
  /** Which rows of the table, of one project. */
  readonly rows: Statement.Fragment
  readonly isAboutContact: boolean
}

const moments = {
  "email.sent": "sent_at",
  "email.delivered": "delivered_at",
  "email.opened": "opened_at",
  "email.clicked": "clicked_at",
  "email.bounced": "bounced_at",
  "email.complaint": "complained_at",
  "email.failed": "failed_at",
  "email.suppressed": "suppressed_at"
} as const satisfies { readonly [Type in ActivityType]?: string }

/** Events of the service that are entries under their own name. */
const named = ["email.received", "contact.subscribed", "contact.unsubscribed"] as const

const campaignMoments = {
  "campaign.scheduled": "scheduled_at",
  "campaign.sent": "sent_at"
} as const satisfies { readonly [Type in ActivityType]?: string }

/** One end of an execution each: `_ended` is the last that is told of it. */
const ends = {
  "workflow.completed": ["COMPLETED", "EXITED", "CANCELLED"],
  "workflow.failed": ["FAILED"]
} as const satisfies { readonly [Type in ActivityType]?: ReadonlyArray<ExecutionStatus> }

const suffix = (type: string) => type.slice(type.indexOf(".") + 1)

const typed = <T extends { readonly [Type in ActivityType]?: unknown }>(record: T) =>
  Object.entries(record) as Array<[keyof T & ActivityType, T[keyof T]]>

export const sourcesOf = (sql: SqlClient.SqlClient, project: ProjectId): ReadonlyArray<Source> => [
  {
    type: "event.triggered",
    kind: "event",
    what: "",
    table: "events",
    at: "created_at",
    rows: sql`events.project_id = ${project} and source = 'tracked' and ${isVisible(sql)}`,
    isAboutContact: true
  },
  ...typed(moments).map(
    ([type, at]): Source => ({
      type,
      kind: "mail",
      what: suffix(type),
      table: "emails",
      at,
      rows: sql`
        emails.project_id = ${project} and contact_id is not null and not test
        and (campaign_id is null or exists (select from campaigns
                                            where campaigns.project_id = ${project} and campaigns.id = campaign_id))`,
      isAboutContact: true
    })
  ),
  ...named.map(
    (type): Source => ({
      type,
      kind: "event",
      what: "",
      table: "events",
      at: "created_at",
      rows: sql`events.project_id = ${project} and events.name = ${type} and source = 'system'`,
      isAboutContact: true
    })
  ),
  ...typed(campaignMoments).map(
    ([type, at]): Source => ({
      type,
      kind: "campaign",
      what: suffix(type),
      table: "campaigns",
      at,
      rows: sql`campaigns.project_id = ${project}`,
      isAboutContact: false
    })
  ),
  {
    type: "workflow.started",
    kind: "execution",
    what: "started",
    table: "workflow_executions",
    at: "started_at",
    rows: sql`workflow_executions.project_id = ${project}`,
    isAboutContact: true
  },
  ...typed(ends).map(
    ([type, statuses]): Source => ({
      type,
      kind: "execution",
      what: "ended",
      table: "workflow_executions",
      at: "completed_at",
      // Spelled out, so that the planner sees which index it is.
      rows: sql`
        workflow_executions.project_id = ${project}
        and status in (${sql.literal(statuses.map((status) => `'${status}'`).join(", "))})`,
      isAboutContact: true
    })
  )
]

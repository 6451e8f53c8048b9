/** The statements that read, cancel and retry emails. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Attempt, Email, type EmailId, type EmailStatus, Hold, HoldReason } from "@posthorn/contract/mail/emails/Email"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"
import { installation } from "../shaping/ShapingState.ts"
import { type Routing, type TransportChoice, wayFor } from "../transports/MailRoute.ts"
import { routingOf } from "../transports/MailRoutes.ts"
import { type EmailFilter, emailListSql } from "./EmailListSql.ts"
import { type History, maxEntries } from "./Timeline.ts"

/** Field types of the database that differ from those of the API. */
const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)
const Row = Schema.Struct({
  ...Email.fields,
  scheduledFor: moment,
  nextAttemptAt: moment,
  hold: Schema.Array(Schema.Struct({ ...Hold.fields, until: Schema.NullOr(Schema.DateTimeUtcFromString) })),
  /** Limits of its mailbox provider, by any transport. */
  limits: Schema.Array(
    Schema.Struct({
      transport: Schema.String,
      isOwn: Schema.Boolean,
      until: Schema.NullOr(Schema.DateTimeUtcFromString)
    })
  ),
  sentAt: moment,
  deliveredAt: moment,
  openedAt: moment,
  clickedAt: moment,
  bouncedAt: moment,
  complainedAt: moment,
  failedAt: moment,
  suppressedAt: moment,
  cancelledAt: moment,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
const decoded = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The hold that lasts longest. One that has ended is none: the mail waits for its turn. */
const longest = (holds: ReadonlyArray<Hold>, now: DateTime.Utc): Hold | null => {
  const end = ({ until }: Hold) => until?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  return holds.reduce<Hold | null>((found, hold) => {
    const isOver = end(hold) <= now.epochMilliseconds
    return isOver || (found !== null && end(found) >= end(hold)) ? found : hold
  }, null)
}

/** Whether a limit holds mail on this way. A mail waits for the transport that is tried first. */
const isOnWay =
  ({ fallback, transports: [first] }: TransportChoice) =>
  ({ isOwn, transport }: { readonly isOwn: boolean; readonly transport: string }): boolean =>
    first === undefined ? fallback && !isOwn : isOwn && transport === first.id

const makeRows = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (found: ReadonlyArray<unknown>) {
    const emails = yield* decoded(found)
    const now = yield* DateTime.now
    const routings = new Map<ProjectId, Routing>()
    for (const { limits, projectId } of emails) {
      if (limits.length === 0 || routings.has(projectId)) continue
      routings.set(projectId, yield* routingOf(sql, projectId))
    }
    return emails.map(({ limits, ...email }) => {
      const routing = routings.get(email.projectId)
      const holding = routing === undefined ? [] : limits.filter(isOnWay(wayFor(routing, email)))
      const provider = holding.map(({ until }) => ({ reason: "PROVIDER_LIMIT", until }) as const)
      return { ...email, hold: longest([...email.hold, ...provider], now) }
    })
  })
const attemptRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...Attempt.fields, startedAt: Schema.DateTimeUtcFromDate, endedAt: moment }))
)
const deferralRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtcFromDate,
      detail: Schema.String,
      kind: Schema.Literals(["deferred", "delivered"])
    })
  )
)
const hitRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtcFromDate,
      kind: Schema.Literals(["open", "click"]),
      url: Schema.NullOr(Schema.String),
      verdict: Schema.Literals(["human", "machine"])
    })
  )
)
const markRows = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      retriedAt: Schema.Array(Schema.DateTimeUtcFromDate),
      holds: Schema.Array(
        Schema.Struct({
          reason: HoldReason,
          at: Schema.DateTimeUtcFromString,
          until: Schema.NullOr(Schema.DateTimeUtcFromString)
        })
      ),
      ofMailing: Schema.Record(
        Schema.String,
        Schema.Struct({ at: Schema.DateTimeUtcFromString, until: Schema.NullOr(Schema.DateTimeUtcFromString) })
      ),
      ofProvider: Schema.Array(
        Schema.Struct({
          at: Schema.DateTimeUtcFromString,
          until: Schema.NullOr(Schema.DateTimeUtcFromString),
          over: Schema.NullOr(Schema.DateTimeUtcFromString),
          transport: Schema.String,
          isOwn: Schema.Boolean
        })
      ),
      schedule: Schema.Array(Schema.Struct({ at: Schema.DateTimeUtcFromString, to: Schema.DateTimeUtcFromString })),
      unsubscribedAt: moment
    })
  ])
)
/** Changes of the limits of a provider that a timeline looks at, the newest ones. */
const maxLimits = 200

const contentRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ html: Schema.NullOr(Schema.String), text: Schema.NullOr(Schema.String), purgedAt: moment })
  )
)

const columns = `id, project_id as "projectId", contact_id as "contactId", to_email as "to", to_name as "toName",
  recipient_type as "recipientType", group_id as "groupId",
  from_email as "from", from_name as "fromName", reply_to as "replyTo", case when group_id is null then '[]' else
    coalesce((select shown_cc from email_groups
              where email_groups.project_id = emails.project_id and email_groups.id = emails.group_id), '[]') end as cc,
  subject, type, source_type as "sourceType", test, mode, api_key_id as "apiKeyId",
  template_id as "templateId", template_version as "templateVersion", locale, campaign_id as "campaignId", variant,
  workflow_id as "workflowId",
  workflow_execution_id as "workflowExecutionId", workflow_step_execution_id as "workflowStepExecutionId",
  topic_id as "topicId",
  coalesce(message_id, coalesce(group_id, id) || '@' || split_part(from_email, '@', 2)) as "messageId", status, tracking, headers,
  (select coalesce(jsonb_agg(attachment - 'id'), '[]') from jsonb_array_elements(attachments) as attachment)
    as attachments,
  tags, provider, scheduled_for as "scheduledFor", opens, clicks, machine_opens as "machineOpens", machine_clicks as "machineClicks", attempts,
  case when (status = 'PENDING' and attempts > 0 or status = 'AMBIGUOUS') and due_at < 'infinity' then due_at end
    as "nextAttemptAt",
  case when status = 'PENDING' and attempts = 0 then
    case when holds is not null then jsonb_build_array(
      jsonb_build_object('reason', holds -> -1 -> 'reason', 'until', due_at)) else '[]' end
    || case when campaign_id is not null and lane = 2 then coalesce((
      select case when campaigns.paused then '[{"reason": "PAUSED", "until": null}]'::jsonb
                  when mailings.held_until is not null and emails.claim = 0 and emails.due_at <= mailings.held_until
                    then jsonb_build_array(jsonb_build_object('reason', 'WARMUP', 'until', mailings.held_until))
                  else '[]' end
      from mailings left join campaigns on campaigns.project_id = mailings.project_id and campaigns.id = mailings.campaign_id
      where mailings.project_id = emails.project_id and mailings.campaign_id = emails.campaign_id), '[]') else '[]' end
  else '[]' end as hold,
  case when status = 'PENDING' and attempts = 0 and lane > 0 and queue > 0 then coalesce((
    select jsonb_agg(jsonb_build_object('transport', shaping.transport, 'isOwn', shaping.project_id = emails.project_id,
      'until', case when shaping.status = 'SUSPENDED' then shaping.until end))
    from shaping
    where shaping.queue = emails.queue
      and shaping.project_id in ('${installation}', emails.project_id)), '[]') else '[]' end as limits,
  case when error_code is not null then jsonb_build_object('code', error_code, 'message', coalesce(error_message, ''))
    end as error,
  suppression_reason as "suppressionReason", sent_at as "sentAt", delivered_at as "deliveredAt",
  opened_at as "openedAt", clicked_at as "clickedAt", bounced_at as "bouncedAt", complained_at as "complainedAt",
  failed_at as "failedAt", suppressed_at as "suppressedAt", cancelled_at as "cancelledAt", created_at as "createdAt",
  updated_at as "updatedAt"`

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = makeRows(sql)
  const all = sql.literal(columns)
  const statements = emailListSql(sql)
  const byId = (project: ProjectId, id: EmailId) => sql`project_id = ${project} and id = ${id}`
  const one = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
    statement.pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie)

  /**
   * Changes a mail of one of the states, and its copies of these states. Returns the mail. A copy changes alone, and so
   * does each recipient in `To` of a submitted message.
   */
  const withCopies = (
    project: ProjectId,
    id: EmailId,
    states: ReadonlyArray<EmailStatus>,
    status: EmailStatus,
    more: Statement.Fragment,
    now: DateTime.Utc
  ) =>
    one(sql`
      with wanted as materialized (
        select id, recipient_type, status in ${sql.in(states)} as is_changed from emails
        where project_id = ${project} and (id = ${id} or group_id = ${id} and recipient_type <> 'TO')
        order by id for no key update
      ),
      changed as (
        update emails set status = ${status}, updated_at = ${DateTime.toDate(now)}, ${more}
        where project_id = ${project} and id in (select id from wanted where is_changed)
          and exists (select from wanted where id = ${id} and is_changed)
          and (id = ${id} or exists (select from wanted where id = ${id} and recipient_type = 'TO'))
        returning *
      )
      select ${all} from changed as emails where id = ${id}`)

  const find = (project: ProjectId, id: EmailId) => one(sql`select ${all} from emails where ${byId(project, id)}`)

  const attempts = (project: ProjectId, id: EmailId) =>
    Effect.flatMap(
      sql`
        select number, started_at as "startedAt", ended_at as "endedAt", transport, transport_id as "transportId",
               tls, remote_host as "remoteHost", outcome, code, enhanced_code as "enhancedCode", reply, dialogue, reused
        from email_attempts where project_id = ${project} and email_id = ${id}
        union all
        select attempts + 1, begun_at, null, null, null, null, null, null, null, null, null, null, null
        from emails where ${byId(project, id)} and status = 'SENDING' and begun_at is not null
        order by number`,
      attemptRows
    )

  const deferrals = (project: ProjectId, id: EmailId) =>
    Effect.flatMap(
      sql`
        select at, detail, kind from email_deferrals where project_id = ${project} and email_id = ${id}
        order by at, detail limit 500`,
      deferralRows
    )

  const hits = (project: ProjectId, id: EmailId) =>
    Effect.flatMap(
      sql`
        select at, kind, url, verdict from email_hits where project_id = ${project} and email_id = ${id}
        order by at, id limit ${maxEntries}`,
      hitRows
    )

  const marks = (project: ProjectId, id: EmailId) =>
    Effect.flatMap(
      sql`
        select retried_at as "retriedAt", schedule, coalesce(holds, '[]') as holds,
               coalesce((select mailings.holds from mailings
                         where lane = 2 and mailings.project_id = emails.project_id
                           and mailings.campaign_id = emails.campaign_id), '{}') as "ofMailing",
               coalesce((
                 select jsonb_agg(to_jsonb(period) - 'status' order by at) from (
                   select at, status, transport, project_id = emails.project_id as "isOwn",
                          case when status = 'SUSPENDED' then until end as until,
                          lead(at) over (partition by key, transport, project_id order by at) as over
                   from shaping_log
                   where emails.lane > 0 and emails.queue > 0 and shaping_log.queue = emails.queue
                     and project_id in (${installation}::uuid, emails.project_id)
                   order by at desc limit ${maxLimits}
                 ) as period where status <> 'NORMAL'), '[]') as "ofProvider",
               coalesce(unsubscribed_at,
                 (select min(created_at) from events where project_id = emails.project_id
                  and contact_id = emails.contact_id and email_id = emails.id and name = 'contact.unsubscribed'))
                 as "unsubscribedAt"
        from emails where ${byId(project, id)}`,
      markRows
    )

  return {
    find,
    history: Effect.fn("Emails.history")(function* (
      project: ProjectId,
      id: EmailId
    ): Effect.fn.Return<Option.Option<History>, unknown> {
      const email = yield* find(project, id)
      if (Option.isNone(email)) return Option.none()
      const [{ ofProvider, ...marked }] = yield* marks(project, id)
      const tried = yield* attempts(project, id)
      const routing = tried.length > 0 || ofProvider.length === 0 ? undefined : yield* routingOf(sql, project)
      return Option.some({
        email: email.value,
        hits: yield* hits(project, id),
        attempts: tried,
        deferrals: yield* deferrals(project, id),
        ofProvider: routing === undefined ? ofProvider : ofProvider.filter(isOnWay(wayFor(routing, email.value))),
        ...marked
      })
    }, Effect.orDie),
    /** Newest first. */
    list: (project: ProjectId, filter: EmailFilter, limit: number, after?: Position) =>
      statements.page(columns, project, filter, limit, after).pipe(Effect.flatMap(rows), Effect.orDie),
    count: (project: ProjectId, filter: EmailFilter) => countOf(statements.count(project, filter)),
    /** Mail to this contact, and mail without a contact to its address; oldest first. */
    toPerson: (project: ProjectId, contact: ContactId, address: string) =>
      sql`
        select ${all} from emails
        where project_id = ${project}
          and (contact_id = ${contact} or (to_email = ${address} and contact_id is null))
        order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie),
    content: (project: ProjectId, id: EmailId) =>
      sql`
        select content.html, content.text, coalesce(content.purged_at, mailings.purged_at) as "purgedAt"
        from emails left join email_contents as content
          on content.project_id = emails.project_id and content.id = emails.content_id
        left join mailings on mailings.project_id = emails.project_id and mailings.campaign_id = emails.campaign_id
          and emails.recipient_id is not null and emails.frozen is null
        where emails.project_id = ${project} and emails.id = ${id}`.pipe(
        Effect.flatMap(contentRows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    /**
     * Cancels a queued mail and its queued copies. None if it is not queued, for example because a worker has just
     * claimed it; then its copies stay as they are.
     */
    cancel: (project: ProjectId, id: EmailId, now: DateTime.Utc) =>
      withCopies(
        project,
        id,
        ["SCHEDULED", "PENDING"],
        "CANCELLED",
        sql`cancelled_at = ${DateTime.toDate(now)}, error_code = 'cancelled', error_message = 'Cancelled by request.'`,
        now
      ),
    /**
     * Moves a scheduled mail and its scheduled copies, or queues them if the new time is not later than now. None in any
     * other state.
     */
    reschedule: (project: ProjectId, id: EmailId, to: DateTime.Utc | null, now: DateTime.Utc) => {
      const due = DateTime.toDate(to ?? now)
      return withCopies(
        project,
        id,
        ["SCHEDULED"],
        to === null ? "PENDING" : "SCHEDULED",
        sql`scheduled_for = ${due}, due_at = ${due}, ladder_since = ${due},
            schedule = case when jsonb_array_length(schedule) < ${maxEntries} then schedule else schedule - 1 end
                       || jsonb_build_object('at', ${DateTime.toDate(now)}::timestamptz, 'to', ${due}::timestamptz)`,
        now
      )
    },
    /**
     * Queues a failed or ambiguous mail again, with a new retry ladder. None in any other status. The mail leaves the lane
     * of its campaign, so it is sent even if the campaign is paused or cancelled.
     */
    retry: (project: ProjectId, id: EmailId, now: DateTime.Utc) =>
      one(sql`
        update emails set status = 'PENDING', lane = least(lane, 1), due_at = ${DateTime.toDate(now)}, ladder_since = ${DateTime.toDate(now)},
               ladder_step = 0, breaks = 0, ambiguities = 0, deaths = 0, error_code = null, error_message = null,
               retried_at = retried_at || ${DateTime.toDate(now)}::timestamptz, updated_at = ${DateTime.toDate(now)}
        where ${byId(project, id)} and status in ('FAILED', 'AMBIGUOUS') returning ${all}`)
  }
})

/**
 * The hot query of the sender: claims due mails of one lane, a fair share for each project, in one statement.
 *
 * `queued` finds the projects with mail by a loose index scan of the lane's partial index: one probe for each project,
 * however long its queue. The scan starts at a random project and wraps around, so that no project is always first. Each
 * project then gets its share of the oldest due mails. Bulk mail waits in a queue for each mailbox provider, so that a
 * claim passes over a provider that takes no more mail, however much of it waits, at the cost of a probe for each queue.
 * Rows that another worker is claiming are skipped. Lane and status are literals, because the planner uses no partial
 * index for a parameter. The statement also returns all that is checked before sending: the contact, the suppression, the
 * domain and the project's policy.
 */
import { nilId } from "@posthorn/contract/platform/Primitives"
import type { SqlClient, Statement } from "effect/sql"
import { takingRefusalSql } from "../../audience/contacts/MailConsent.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import type { QueueRoom } from "../shaping/ShapingState.ts"
import { paced, roomSql } from "./MailingRates.ts"

/** Where the mail of a campaign begins that may still wait in one of its queues. */
export interface QueueStart {
  readonly campaign: string
  readonly queue: number
  /** Of the last mail that was claimed. */
  readonly dueAt: Date
  readonly id: string
}

/** Maximum number of projects in one claim. The next claim starts at another project. */
const maxProjects = 50
/** Maximum number of queues of each of them. */
const maxQueues = 20

/** Mails during which three workers died are claimed one at a time, by `claimSuspect`. */
export const maxDeaths = 3

interface Claim {
  readonly worker: string
  readonly lane: 0 | 1
  readonly limit: number
  readonly now: Date
  /** A random uuid, at which the scan of the projects starts. */
  readonly pivot: string
  /**
   * Mails a second of projects without their own rate; 0 is unlimited. Projects with a rate are claimed by
   * `claimProject`, and those that warm up a domain by `claimCounted`.
   */
  readonly defaultRate: number
  /** Queues with a limit, and how many of their bulk mails may be claimed. */
  readonly rooms: ReadonlyArray<QueueRoom>
}

/** The queues of bulk single mail of a project that waits: a loose scan of the index. */
export const bulkQueues = (sql: SqlClient.SqlClient, project: Statement.Fragment) => sql`
  (with recursive found (queue) as (
     (select emails.queue from emails
      where emails.project_id = ${project} and status = 'PENDING' and lane = 1 order by emails.queue limit 1)
     union all
     select (select emails.queue from emails
             where emails.project_id = ${project} and status = 'PENDING' and lane = 1 and emails.queue > found.queue
             order by emails.queue limit 1)
     from found where found.queue is not null
   )
   select queue from found where queue is not null)`

/**
 * A time that the planner does not know. So a plan fits any time, and PostgreSQL keeps it: planning what every claim asks
 * took longer than answering it.
 */
export const unplannedTime = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(select ${now}::timestamptz)`

/**
 * Whether a project has bulk single mail that is due. The order makes the planner use the index: without it, a queue
 * without mail costs a scan of the table.
 */
export const hasDueBulk = (sql: SqlClient.SqlClient, project: Statement.Fragment, now: Date): Statement.Fragment => sql`
  exists (
    select from ${bulkQueues(sql, project)} as listed cross join lateral (
      select from emails
      where emails.project_id = ${project} and status = 'PENDING' and lane = 1 and emails.queue = listed.queue
        and due_at <= ${unplannedTime(sql, now)} order by due_at, emails.id limit 1) as due)`

/** Whether a mailing has mail that is due. */
export const hasDueInMailing = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment => sql`
  exists (
    select from unnest(mailings.queues) as listed (queue) cross join lateral (
      select from emails
      where status = 'PENDING' and lane = 2 and emails.project_id = mailings.project_id
        and emails.campaign_id = mailings.campaign_id and emails.queue = listed.queue
        and due_at <= ${unplannedTime(sql, now)} order by due_at, emails.id limit 1) as due)`

/** The queues without room. */
export const closedQueues = (rooms: ReadonlyArray<QueueRoom>): ReadonlyArray<number> =>
  rooms.flatMap(({ queue, room }) => (room < 1 ? [queue] : []))

const limitedSql = (sql: SqlClient.SqlClient, rooms: ReadonlyArray<QueueRoom>) => sql`
  limited as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(rooms)}::text::jsonb) as limited(queue smallint, room int)
  )`

/**
 * The common table expressions that make `shares` of `pairs`, which have a project, a campaign or null, a queue and the
 * weight of the campaign: a fair share for each project, of which each campaign gets a part by its weight, in equal parts
 * for its queues. A queue with a limit is shared in the same way by the projects that have mail for it.
 */
const sharesOf = (sql: SqlClient.SqlClient, { limit, rooms }: Pick<Claim, "limit" | "rooms">): Statement.Fragment => {
  const parted = sql`
    parted as (
      select pairs.*, weight / count(*) over (partition by project_id, campaign_id) as part from pairs
    )`
  const share = sql`
    greatest(1, ceil(${limit}::numeric / (select count(distinct project_id) from pairs)
                     * part / sum(part) over (partition by project_id)))::int`
  if (rooms.length === 0) return sql`${parted}, shares as materialized (select parted.*, ${share} as share from parted)`
  return sql`
    ${limitedSql(sql, rooms)},
    ${parted},
    ranked as (
      select parted.*, ${share} as of_project, limited.room as of_queue,
             dense_rank() over (partition by parted.queue order by project_id) as n,
             weight / sum(weight) over (partition by parted.queue, project_id) as fraction
      from parted left join limited on limited.queue = parted.queue
    ),
    shares as materialized (
      select ranked.*, case when of_queue is null then of_project else least(
        of_project, greatest(1, ceil(of_queue::numeric / max(n) over (partition by queue) * fraction))::int) end as share
      from ranked
    )`
}

/** The rows of `mails` that fit in the rooms of their queues. */
const fitting = (sql: SqlClient.SqlClient, { limit, rooms }: Pick<Claim, "limit" | "rooms">): Statement.Fragment =>
  rooms.length === 0
    ? sql`select project_id, campaign_id, id, due_at from mails limit ${limit}`
    : sql`
      select mails.project_id, mails.campaign_id, mails.id, mails.due_at
      from (select mails.*, row_number() over (partition by queue) as n from mails) as mails
      left join limited on limited.queue = mails.queue
      where limited.room is null or mails.n <= limited.room
      limit ${limit}`

const claimedColumns = `
  claimed.project_id as "projectId", claimed.id, claimed.claim, claimed.lane, nullif(claimed.due_at, 'infinity') as "dueAt",
  claimed.contact_id as "contactId", claimed.topic_id as "topicId",
  case when claimed.topic_id is not null then (
    select jsonb_build_object('key', key, 'name', name) from topics
    where topics.project_id = claimed.project_id and topics.id = claimed.topic_id) end as topic, contact.subscribed, suppression.reason as suppression,
  case when claimed.lane = 2 then claimed.campaign_id end as mailing,
  case when claimed.recipient_id is not null then jsonb_build_object(
    'recipient', claimed.recipient_id, 'data', contact.data, 'frozen', claimed.frozen)
    end as personal,
  case when claimed.lane = 0 then project.ambiguous_transactional else project.ambiguous_bulk end as "ambiguousPolicy",
  project.smtp_dialogue as "smtpDialogue",
  project.name as "projectName", address.email as "to", claimed.to_name as "toName", claimed.from_email as "from",
  claimed.from_name as "fromName", claimed.reply_to as "replyTo", claimed.subject, content.html, content.text,
  claimed.type, claimed.source_type as "sourceType", claimed.test, claimed.mode, claimed.tracking, claimed.headers, claimed.tags,
  claimed.recipient_type as "recipientType", claimed.group_id as "groupId", claimed.message_id as "messageId",
  case when claimed.group_id is not null then (
    select jsonb_build_object('to', shown_to, 'cc', shown_cc) from email_groups
    where email_groups.project_id = claimed.project_id and email_groups.id = claimed.group_id) end as shown,
  claimed.attachments, claimed.template_id as "templateId", claimed.template_version as "templateVersion",
  claimed.campaign_id as "campaignId", claimed.variant,
  claimed.workflow_id as "workflowId", claimed.workflow_execution_id as "workflowExecutionId",
  claimed.provider, claimed.queue, domain.id as "domainId",
  coalesce(domain.records @> '[{"purpose": "RETURN_PATH", "status": "VERIFIED"}]', false) as "ownReturnPath",
  claimed.attempts, claimed.ladder_step as "ladderStep", claimed.breaks, claimed.ambiguities,
  claimed.ladder_since as "ladderSince", claimed.created_at as "createdAt",
  claimed.scheduled_for as "scheduledFor", claimed.link_host as "linkHost",
  case when claimed.holds is not null then (
    select (entry ->> 'at')::timestamptz from jsonb_array_elements(claimed.holds) as each (entry)
    where entry ->> 'reason' = 'FREQUENCY_CAP') end as "cappedSince"`

/** The rows of `claimed` with all their data. Before its first try, mail of a campaign goes to the current address of its contact. */
export const complete = (sql: SqlClient.SqlClient, suppressed: SuppressedAddress["Service"], now: Date) => sql`
  select ${sql.literal(claimedColumns)},
         ${takingRefusalSql(sql, "contact", { column: "claimed.topic_id" }, sql`${now}::timestamptz`)} as refusal
  from claimed
  join projects as project on project.id = claimed.project_id
  left join contacts as contact on contact.project_id = claimed.project_id and contact.id = claimed.contact_id
  cross join lateral (
    select case when claimed.recipient_id is not null and claimed.frozen is null
                then coalesce(contact.email, claimed.to_email) else claimed.to_email end as email
  ) as address
  ${suppressed.join(sql`claimed.project_id`, sql`address.email`)}
  left join domains as domain
    on domain.project_id = claimed.project_id and domain.domain = split_part(claimed.from_email, '@', 2)
       and domain.verified
  left join email_contents as content
    on content.project_id = claimed.project_id and content.id = claimed.content_id
  order by claimed.lane, claimed.due_at, claimed.id`

/**
 * Claims the rows of `due`. The retry ladder of mail of campaigns and workflows begins with its first claim, since a wait
 * before that is no failure.
 */
const take = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  { worker, now }: Pick<Claim, "worker" | "now">
) => sql`
  claimed as (
    update emails set status = 'SENDING', worker = ${worker}::uuid, claim = claim + 1, begun_at = null,
           updated_at = ${now}::timestamptz,
           ladder_since = case when claim = 0 and source_type in ('CAMPAIGN', 'WORKFLOW') then ${now}::timestamptz
                               else ladder_since end
    from due where emails.project_id = due.project_id and emails.id = due.id
    returning emails.*
  )
  ${complete(sql, suppressed, now)}`

export const claimLane = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  claim: Claim
): Statement.Statement<unknown> => {
  const { worker, lane, limit, now, pivot, defaultRate, rooms } = claim
  const waiting = sql.literal(`status = 'PENDING' and lane = ${lane}`)
  const scan = (name: string, start: Statement.Fragment, end: Statement.Fragment) => sql`
    ${sql.literal(name)} (project_id, n) as (
      (select project_id, 1 from emails where ${waiting} and ${start} order by project_id limit 1)
      union all
      select next.project_id, n + 1
      from ${sql.literal(name)} cross join lateral (
        select project_id from emails
        where ${waiting} and project_id > ${sql.literal(name)}.project_id and ${end}
        order by project_id limit 1
      ) as next
      where n < ${maxProjects}
    )`
  const transactional = sql`
    due as materialized (
      select mail.project_id, mail.id
      from queued cross join lateral (
        select emails.project_id, emails.id from emails
        where ${waiting} and emails.project_id = queued.project_id and due_at <= ${now}::timestamptz
          and deaths < ${maxDeaths}
        order by due_at, id
        limit (select greatest(1, ceil(${limit}::numeric / greatest(count(*), 1)))::int from queued)
        for update skip locked
      ) as mail
      limit ${limit}
    )`
  const bulk = () => sql`
    pairs as materialized (
      select queued.project_id, null::uuid as campaign_id, listed.queue, 1::numeric as weight
      from queued cross join lateral ${bulkQueues(sql, sql`queued.project_id`)} as listed
      cross join lateral (
        select from emails
        where ${waiting} and emails.project_id = queued.project_id and emails.queue = listed.queue
          and due_at <= ${now}::timestamptz order by due_at, emails.id limit 1
      ) as any_due
      where listed.queue <> all(${closedQueues(rooms)}::smallint[])
      limit ${maxProjects * maxQueues}
    ),
    ${sharesOf(sql, claim)},
    mails as materialized (
      select mail.*
      from (select * from shares order by random()) as shares cross join lateral (
        select emails.project_id, null::uuid as campaign_id, emails.id, emails.due_at, emails.queue from emails
        where ${waiting} and emails.project_id = shares.project_id and emails.queue = shares.queue
          and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
        order by due_at, id limit shares.share
        for update skip locked
      ) as mail
    ),
    due as materialized (${fitting(sql, claim)})`
  return sql`
    with recursive
    ${scan("ahead", sql`project_id >= ${pivot}::uuid`, sql`true`)},
    ${scan("behind", sql`project_id < ${pivot}::uuid`, sql`project_id < ${pivot}::uuid`)},
    queued as (
      select scanned.project_id
      from (select project_id from ahead union all select project_id from behind) as scanned
      join projects on projects.id = scanned.project_id
      where projects.disabled_reason is null and projects.mail_routes is null and not projects.warms_up
        and coalesce(projects.send_rate_per_second, ${defaultRate}::int) = 0
      limit ${maxProjects}
    ),
    ${lane === 0 ? transactional : bulk()},
    ${take(sql, suppressed, { worker, now })}`
}

/** A mail to claim, with the plans of warm-ups that have counted it. */
export interface Counted {
  readonly id: string
  readonly plans: ReadonlyArray<string>
  /** Whether it waited for a place until now. Its retry ladder then begins now. */
  readonly begins: boolean
}

/** Whether a mailing is not held by a warm-up. */
export const notHeld = (sql: SqlClient.SqlClient, now: Date): Statement.Fragment =>
  sql`(mailings.held_until is null or mailings.held_until <= ${unplannedTime(sql, now)})`

/** Claims the mails that plans of a warm-up let pass. The caller has locked them. */
export const claimCounted = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  project: string,
  mails: ReadonlyArray<Counted>,
  { worker, now }: Pick<Claim, "worker" | "now">
): Statement.Statement<unknown> => sql`
  with counted as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(mails)}::text::jsonb) as counted(id uuid, plans uuid[], begins boolean)
  ),
  claimed as (
    update emails set status = 'SENDING', worker = ${worker}::uuid, claim = claim + 1, begun_at = null,
           updated_at = ${now}::timestamptz, put_off_by = null,
           ladder_since = case when counted.begins then ${now}::timestamptz else ladder_since end,
           warmups = case when cardinality(counted.plans) > 0 then counted.plans else warmups end
    from counted
    where emails.project_id = ${project}::uuid and emails.id = counted.id and emails.status = 'PENDING'
    returning emails.*
  )
  ${complete(sql, suppressed, now)}`

/** Whether the campaign of a mail of lane 2 is sending. */
const isOpen = (sql: SqlClient.SqlClient) => sql`
  exists (select from mailings where mailings.project_id = emails.project_id
          and mailings.campaign_id = emails.campaign_id and is_open)`

/** The weight of a campaign beside the others of its project. */
export const weight = "2.0 ^ (mailings.priority - 3)"

/** A join of `mailings` that gives the mails that the rate of a campaign lets pass, and drops those that have none. */
const withRoom = (sql: SqlClient.SqlClient, now: Date) => sql`
  left join mailing_rates as rates on rates.project_id = mailings.project_id and rates.campaign_id = mailings.campaign_id
  cross join lateral (select ${roomSql(sql, now)} as room) as free`

const hasRoom = "coalesce(free.room, 1) > 0"

/**
 * The due mails of `shares` (project_id, campaign_id, queue, share, room), locked. Shares are rounded up, so the last ones
 * may find no place; which ones these are is random.
 */
const inShares = (sql: SqlClient.SqlClient, now: Date, hasStarts = false) => sql`
  select mail.project_id, mail.campaign_id, mail.id, mail.due_at, mail.queue
  from (select * from shares order by random()) as shares cross join lateral (
    select emails.project_id, emails.campaign_id, emails.id, emails.due_at, emails.queue from emails
    where status = 'PENDING' and lane = 2 and emails.project_id = shares.project_id
      and emails.campaign_id = shares.campaign_id and emails.queue = shares.queue and due_at <= ${now}::timestamptz
      and deaths < ${maxDeaths} ${hasStarts ? sql`and (due_at, emails.id) >= (shares.start_at, shares.start_id)` : sql``}
    order by due_at, id limit least(shares.share, shares.room)
    for update skip locked
  ) as mail`

/** The queues with due mail of mailings that are sending, with the weight and the rate of each mailing. */
const mailingPairs = (
  sql: SqlClient.SqlClient,
  rooms: ReadonlyArray<QueueRoom>,
  projects: Statement.Fragment,
  condition: Statement.Fragment,
  now: Date,
  hasStarts = false
) => sql`
  select mailings.project_id, mailings.campaign_id, listed.queue, (${sql.literal(weight)})::numeric as weight, free.room
         ${hasStarts ? sql`, start.at as start_at, start.id as start_id` : sql``}
  from mailings ${projects} ${withRoom(sql, now)}
  cross join lateral unnest(mailings.queues) as listed (queue)
  ${
    hasStarts
      ? sql`
  left join starts on starts.campaign = mailings.campaign_id and starts.queue = listed.queue
  cross join lateral (
    select coalesce(starts."dueAt", '-infinity') as at, coalesce(starts.id, ${nilId}::uuid) as id
  ) as start`
      : sql``
  }
  cross join lateral (
    select from emails
    where status = 'PENDING' and lane = 2 and emails.project_id = mailings.project_id
      and emails.campaign_id = mailings.campaign_id and emails.queue = listed.queue and due_at <= ${now}::timestamptz
      ${hasStarts ? sql`and (due_at, emails.id) >= (start.at, start.id)` : sql``}
    order by due_at, emails.id limit 1
  ) as any_due
  where is_open and ${sql.literal(hasRoom)} and listed.queue <> all(${closedQueues(rooms)}::smallint[]) and ${condition}`

/**
 * Claims mail of campaigns. Reads only campaigns that are sending, so a paused one costs nothing, however many mails it
 * has. Each project gets a fair share, and each of its campaigns a part of that by its priority, within its own rate.
 *
 * Each queue is read from its start. While a long transaction, such as a backup, still sees the mails that have left,
 * the index keeps their entries, and a claim without starts reads all of them.
 */
export const claimMailings = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  claim: Omit<Claim, "lane">,
  starts: ReadonlyArray<QueueStart> = []
): Statement.Statement<unknown> => {
  const { worker, now, pivot, defaultRate, rooms } = claim
  const hasStarts = starts.length > 0
  const pairs = mailingPairs(
    sql,
    rooms,
    sql`join projects on projects.id = mailings.project_id`,
    sql`projects.disabled_reason is null and projects.mail_routes is null and not projects.warms_up
        and coalesce(projects.send_rate_per_second, ${defaultRate}::int) = 0`,
    now,
    hasStarts
  )
  const given = sql`
    starts as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(starts)}::text::jsonb)
        as starts(campaign uuid, queue smallint, "dueAt" timestamptz, id uuid)
    ),`
  return sql`
    with ${hasStarts ? given : sql``}
    pairs as materialized (
      ${pairs}
      order by mailings.project_id < ${pivot}::uuid, mailings.project_id, mailings.campaign_id
      limit ${maxProjects * maxQueues}
    ),
    ${sharesOf(sql, claim)},
    mails as materialized (${inShares(sql, now, hasStarts)}),
    wanted as materialized (${fitting(sql, claim)}),
    ${paced(sql, now)},
    ${take(sql, suppressed, { worker, now })}`
}

/**
 * Claims one mail during which three workers died. It is claimed alone, so that it does not affect other mail. After
 * three more deaths it fails (`reclaim`).
 */
export const claimSuspect = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  { worker, now }: Pick<Claim, "worker" | "now">
): Statement.Statement<unknown> => sql`
  with wanted as materialized (
    select emails.project_id, case when lane = 2 then campaign_id end as campaign_id, emails.id, emails.due_at
    from emails join projects on projects.id = emails.project_id
    where status = 'PENDING' and deaths >= 3 and due_at <= ${now}::timestamptz and projects.disabled_reason is null
      and (lane < 2 or ${isOpen(sql)})
      and (not projects.warms_up or lane = 0 or not exists (
        select from warmups where warmups.project_id = emails.project_id and warmups.status = 'PAUSED'
          and warmups.domain = split_part(emails.from_email, '@', 2)))
    limit 1 for update of emails skip locked
  ),
  ${paced(sql, now)},
  ${take(sql, suppressed, { worker, now })}`

/** Claims at most `limit` mails of one project with a sending rate, transactional first. */
export const claimProject = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  project: string,
  { worker, limit, now, rooms }: Pick<Claim, "worker" | "limit" | "now" | "rooms">
): Statement.Statement<unknown> => sql`
  with first as materialized (
    select project_id, null::uuid as campaign_id, id, due_at from emails
    where project_id = ${project}::uuid and status = 'PENDING' and lane = 0
      and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
    order by due_at, id limit ${limit} for update skip locked
  ),
  second as materialized (
    select mail.project_id, null::uuid as campaign_id, mail.id, mail.due_at, mail.queue
    from ${bulkQueues(sql, sql`${project}::uuid`)} as listed cross join lateral (
      select project_id, id, due_at, emails.queue from emails
      where project_id = ${project}::uuid and status = 'PENDING' and lane = 1 and emails.queue = listed.queue
        and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
      order by due_at, id limit ${limit} for update skip locked
    ) as mail
    where listed.queue <> all(${closedQueues(rooms)}::smallint[])
    order by mail.due_at, mail.id limit ${limit}
  ),
  pairs as materialized (
    ${mailingPairs(sql, rooms, sql``, sql`mailings.project_id = ${project}::uuid`, now)}
  ),
  ${sharesOf(sql, { limit, rooms })},
  third as materialized (${inShares(sql, now)} limit ${limit}),
  mails as materialized (select * from second union all select * from third),
  bulk as materialized (${fitting(sql, { limit, rooms })}),
  wanted as materialized (select * from first union all select * from bulk limit ${limit}),
  ${paced(sql, now)},
  ${take(sql, suppressed, { worker, now })}`

/** Projects with routes and due mail. The scan starts at a random project and wraps around. */
export const routedProjects = (sql: SqlClient.SqlClient, pivot: string, now: Date): Statement.Statement<unknown> => sql`
  select id from projects
  where mail_routes is not null and disabled_reason is null
    and (exists (select from emails where emails.project_id = projects.id and status = 'PENDING' and lane = 0
                 and due_at <= ${now}::timestamptz)
         or ${hasDueBulk(sql, sql`projects.id`, now)}
         or exists (select from mailings
                    where mailings.project_id = projects.id and is_open and (
                      ${notHeld(sql, now)} and ${hasDueInMailing(sql, now)}
                      or exists (select from emails
                                 where emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
                                   and status = 'PENDING' and lane = 2 and claim > 0 and due_at <= ${now}::timestamptz))))
  order by id < ${pivot}::uuid, id limit ${maxProjects}`

const waitingColumns = `id, due_at as "dueAt", from_email as "from", type, source_type as "sourceType", lane,
  ladder_since as "ladderSince", emails.queue`

/** A page of the due mail of one lane of a project, without a claim and without closed queues. */
export const waitingInLane = (
  sql: SqlClient.SqlClient,
  project: string,
  lane: 0 | 1,
  after: { readonly dueAt: Date; readonly id: string } | undefined,
  limit: number,
  now: Date,
  closed: ReadonlyArray<number>
): Statement.Statement<unknown> => {
  const page = (queue: Statement.Fragment) => sql`
    select ${sql.literal(waitingColumns)} from emails
    where project_id = ${project}::uuid and status = 'PENDING' and ${sql.literal(`lane = ${lane}`)} ${queue}
      and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
      ${after === undefined ? sql`` : sql`and (due_at, id) > (${after.dueAt}::timestamptz, ${after.id}::uuid)`}
    order by due_at, id limit ${limit}`
  if (lane === 0) return page(sql``)
  return sql`
    select mail.*
    from ${bulkQueues(sql, sql`${project}::uuid`)} as listed
    cross join lateral (${page(sql`and emails.queue = listed.queue`)}) as mail
    where listed.queue <> all(${closed}::smallint[])
    order by mail."dueAt", mail.id limit ${limit}`
}

const waitingInMailing = (sql: SqlClient.SqlClient, which: Statement.Fragment, limit: number, now: Date) => sql`
  select ${sql.literal(waitingColumns)} from emails
  where status = 'PENDING' and lane = 2 and emails.project_id = due.project_id
    and emails.campaign_id = due.campaign_id and due_at <= ${now}::timestamptz and deaths < ${maxDeaths} and ${which}
  order by due_at, id limit ${limit}`

/**
 * The first due mails of each campaign of a project that is sending, without a claim and without closed queues, mixed by
 * the priority of the campaigns. Of one that a warm-up holds, only mails that were taken before.
 */
export const waitingInCampaigns = (
  sql: SqlClient.SqlClient,
  project: string,
  limit: number,
  now: Date,
  closed: ReadonlyArray<number>
): Statement.Statement<unknown> => sql`
  with due as (
    select mailings.project_id, mailings.campaign_id, mailings.queues, ${sql.literal(weight)} as weight,
           ${notHeld(sql, now)} as is_free
    from mailings ${withRoom(sql, now)}
    where mailings.project_id = ${project}::uuid and is_open and ${sql.literal(hasRoom)}
  )
  select mail.* from (
    select due.campaign_id, due.weight, mail.* from due cross join lateral unnest(due.queues) as listed (queue)
    cross join lateral (${waitingInMailing(sql, sql`emails.queue = listed.queue`, limit, now)}) as mail
    where is_free and listed.queue <> all(${closed}::smallint[])
    union all
    select due.campaign_id, due.weight, mail.* from due
    cross join lateral (${waitingInMailing(sql, sql`claim > 0`, limit, now)}) as mail
    where not is_free and mail.queue <> all(${closed}::smallint[])
  ) as mail
  order by row_number() over (partition by mail.campaign_id order by mail."dueAt", mail.id) / mail.weight,
           mail."dueAt", mail.id
  limit ${maxProjects * 20}`

/** Claims those of the mails that are still due. */
export const claimThese = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  project: string,
  ids: ReadonlyArray<string>,
  { worker, now }: Pick<Claim, "worker" | "now">
): Statement.Statement<unknown> => sql`
  with wanted as materialized (
    select emails.project_id, case when lane = 2 then campaign_id end as campaign_id, emails.id, emails.due_at
    from emails join projects on projects.id = emails.project_id
    where emails.project_id = ${project}::uuid and emails.id = any(${ids}::uuid[]) and status = 'PENDING'
      and due_at <= ${now}::timestamptz and deaths < ${maxDeaths} and projects.disabled_reason is null
      and (lane < 2 or ${isOpen(sql)})
    for update of emails skip locked
  ),
  ${paced(sql, now)},
  ${take(sql, suppressed, { worker, now })}`

/**
 * The hot query of the sender: claims due mails of one lane, a fair share for each project, in one statement.
 *
 * `queued` finds the projects with mail by a loose index scan of the lane's partial index: one probe for each project,
 * however long its queue. The scan starts at a random project and wraps around, so that no project is always first. Each
 * project then gets its share of the oldest due mails. Rows that another worker is claiming are skipped. Lane and status
 * are literals, because the planner uses no partial index for a parameter. The statement also returns all that is checked
 * before sending: the contact, the suppression, the domain and the project's policy.
 */
import type { SqlClient, Statement } from "effect/sql"
import { takingRefusalSql } from "../../audience/contacts/MailConsent.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { paced, roomSql } from "./MailingRates.ts"

/** Maximum number of projects in one claim. The next claim starts at another project. */
const maxProjects = 50

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
}

const claimedColumns = `
  claimed.project_id as "projectId", claimed.id, claimed.claim, claimed.lane,
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
  claimed.provider, domain.id as "domainId",
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

/** Claims the rows of `due`. */
const take = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  { worker, now }: Pick<Claim, "worker" | "now">
) => sql`
  claimed as (
    update emails set status = 'SENDING', worker = ${worker}::uuid, claim = claim + 1, begun_at = null,
           updated_at = ${now}::timestamptz
    from due where emails.project_id = due.project_id and emails.id = due.id
    returning emails.*
  )
  ${complete(sql, suppressed, now)}`

export const claimLane = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  { worker, lane, limit, now, pivot, defaultRate }: Claim
): Statement.Statement<unknown> => {
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
    ),
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
  sql`(mailings.held_until is null or mailings.held_until <= ${now}::timestamptz)`

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
 * The due mails of `shares` (project_id, campaign_id, share, room), locked. Shares are rounded up, so the last ones may
 * find no place; which ones these are is random.
 */
const inShares = (sql: SqlClient.SqlClient, limit: number, now: Date) => sql`
  select mail.project_id, mail.campaign_id, mail.id, mail.due_at
  from (select * from shares order by random()) as shares cross join lateral (
    select emails.project_id, emails.campaign_id, emails.id, emails.due_at from emails
    where status = 'PENDING' and lane = 2 and emails.project_id = shares.project_id
      and emails.campaign_id = shares.campaign_id and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
    order by due_at, id limit least(shares.share, shares.room)
    for update skip locked
  ) as mail
  limit ${limit}`

/**
 * Claims mail of campaigns. Reads only campaigns that are sending, so a paused one costs nothing, however many mails it
 * has. Each project gets a fair share, and each of its campaigns a part of that by its priority, within its own rate.
 */
export const claimMailings = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  { worker, limit, now, pivot, defaultRate }: Omit<Claim, "lane">
): Statement.Statement<unknown> => sql`
  with open as materialized (
    select mailings.project_id, mailings.campaign_id, ${sql.literal(weight)} as weight, free.room
    from mailings join projects on projects.id = mailings.project_id ${withRoom(sql, now)}
    where is_open and projects.disabled_reason is null and projects.mail_routes is null and not projects.warms_up
      and coalesce(projects.send_rate_per_second, ${defaultRate}::int) = 0
      and ${sql.literal(hasRoom)}
      and exists (
        select from emails
        where status = 'PENDING' and lane = 2 and emails.project_id = mailings.project_id
          and emails.campaign_id = mailings.campaign_id and due_at <= ${now}::timestamptz)
    order by mailings.project_id < ${pivot}::uuid, mailings.project_id, mailings.campaign_id
    limit ${maxProjects}
  ),
  shares as (
    select project_id, campaign_id, room,
           greatest(1, ceil(${limit}::numeric / (select count(distinct project_id) from open)
                            * weight / sum(weight) over (partition by project_id)))::int as share
    from open
  ),
  wanted as materialized (${inShares(sql, limit, now)}),
  ${paced(sql, now)},
  ${take(sql, suppressed, { worker, now })}`

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
  { worker, limit, now }: Pick<Claim, "worker" | "limit" | "now">
): Statement.Statement<unknown> => {
  const lane = (n: 0 | 1) => sql`
    (select project_id, null::uuid as campaign_id, id, due_at from emails
     where project_id = ${project}::uuid and status = 'PENDING' and ${sql.literal(`lane = ${n}`)}
       and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
     order by due_at, id limit ${limit} for update skip locked)`
  return sql`
    with first as materialized (${lane(0)}), second as materialized (${lane(1)}),
    shares as materialized (
      select mailings.project_id, mailings.campaign_id, free.room,
             greatest(1, ceil(${limit}::numeric * ${sql.literal(weight)} / sum(${sql.literal(weight)}) over ()))::int as share
      from mailings ${withRoom(sql, now)}
      where mailings.project_id = ${project}::uuid and is_open and ${sql.literal(hasRoom)}
        and exists (
          select from emails
          where status = 'PENDING' and lane = 2 and emails.project_id = mailings.project_id
            and emails.campaign_id = mailings.campaign_id and due_at <= ${now}::timestamptz)
    ),
    third as materialized (${inShares(sql, limit, now)}),
    wanted as materialized (
      select * from first union all select * from second union all select * from third limit ${limit}
    ),
    ${paced(sql, now)},
    ${take(sql, suppressed, { worker, now })}`
}

/** Projects with routes and due mail. The scan starts at a random project and wraps around. */
export const routedProjects = (sql: SqlClient.SqlClient, pivot: string, now: Date): Statement.Statement<unknown> => sql`
  select id from projects
  where mail_routes is not null and disabled_reason is null
    and (exists (select from emails where emails.project_id = projects.id and status = 'PENDING' and lane = 0
                 and due_at <= ${now}::timestamptz)
         or exists (select from emails where emails.project_id = projects.id and status = 'PENDING' and lane = 1
                    and due_at <= ${now}::timestamptz)
         or exists (select from mailings join emails using (project_id, campaign_id)
                    where mailings.project_id = projects.id and is_open and status = 'PENDING' and lane = 2
                      and due_at <= ${now}::timestamptz and (${notHeld(sql, now)} or claim > 0)))
  order by id < ${pivot}::uuid, id limit ${maxProjects}`

const waitingColumns = `id, due_at as "dueAt", from_email as "from", type, source_type as "sourceType", lane,
  ladder_since as "ladderSince"`

/** A page of the due mail of one lane of a project, without a claim. */
export const waitingInLane = (
  sql: SqlClient.SqlClient,
  project: string,
  lane: 0 | 1,
  after: { readonly dueAt: Date; readonly id: string } | undefined,
  limit: number,
  now: Date
): Statement.Statement<unknown> => sql`
  select ${sql.literal(waitingColumns)} from emails
  where project_id = ${project}::uuid and status = 'PENDING' and ${sql.literal(`lane = ${lane}`)}
    and due_at <= ${now}::timestamptz and deaths < ${maxDeaths}
    ${after === undefined ? sql`` : sql`and (due_at, id) > (${after.dueAt}::timestamptz, ${after.id}::uuid)`}
  order by due_at, id limit ${limit}`

const waitingInMailing = (sql: SqlClient.SqlClient, which: Statement.Fragment, limit: number, now: Date) => sql`
  select ${sql.literal(waitingColumns)} from emails
  where status = 'PENDING' and lane = 2 and emails.project_id = due.project_id
    and emails.campaign_id = due.campaign_id and due_at <= ${now}::timestamptz and deaths < ${maxDeaths} and ${which}
  order by due_at, id limit ${limit}`

/**
 * The first due mails of each campaign of a project that is sending, without a claim, mixed by the priority of the
 * campaigns. Of one that a warm-up holds, only mails that were taken before.
 */
export const waitingInCampaigns = (
  sql: SqlClient.SqlClient,
  project: string,
  limit: number,
  now: Date
): Statement.Statement<unknown> => sql`
  with due as (
    select mailings.project_id, mailings.campaign_id, ${sql.literal(weight)} as weight, ${notHeld(sql, now)} as is_free
    from mailings ${withRoom(sql, now)}
    where mailings.project_id = ${project}::uuid and is_open and ${sql.literal(hasRoom)}
  )
  select mail.* from (
    select due.campaign_id, due.weight, mail.* from due
    cross join lateral (${waitingInMailing(sql, sql`true`, limit, now)}) as mail
    where is_free
    union all
    select due.campaign_id, due.weight, mail.* from due
    cross join lateral (${waitingInMailing(sql, sql`claim > 0`, limit, now)}) as mail
    where not is_free
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

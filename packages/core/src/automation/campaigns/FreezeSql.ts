/**
 * Fixes an audience: stores the ids of its contacts in one statement, so from one snapshot of the database.
 *
 * Rows of mails are large and have many indexes. Inserting a million of them takes a minute, but the first mail must be
 * sent within seconds. So the transaction that starts the sending stores only the ids, as lists of a few thousand (16
 * bytes for each contact). The mails are created list by list later (`ExpandSql.ts`).
 */

import type { CampaignId, RecipientsOf } from "@posthorn/contract/automation/campaigns/Campaign"
import type { CampaignHoldout } from "@posthorn/contract/automation/campaigns/CampaignHoldout"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type MailTopic, takesSql } from "../../audience/contacts/MailConsent.ts"
import { conditionSql } from "../../audience/filters/FilterSql.ts"
import type { Audience } from "../../audience/segments/Audiences.ts"
import { bucketSql } from "../../platform/Bucket.ts"
import { isHeldOut } from "./holdout/HoldoutSql.ts"
import { wasRecipient } from "./RecipientsOfSql.ts"

/** Contacts in a list. Small, because one transaction creates their mails. At most 4,096: see `ExpandSql.ts`. */
const partSize = 2_000

/** Whether the mail asks consent, and its topic. */
export interface Asked {
  readonly isAsked: boolean
  readonly topic: MailTopic | null
}

export const audienceSql = (
  sql: SqlClient.SqlClient,
  { condition, scope }: Audience,
  { isAsked, topic }: Asked,
  recipientsOf: RecipientsOf | null
): Statement.Fragment => sql`
  contacts.project_id = ${scope.project}
  and ${isAsked ? takesSql(sql, "contacts", topic, sql`${DateTime.toDate(scope.now)}::timestamptz`) : sql`true`}
  and ${conditionSql(sql, condition, scope)}
  ${recipientsOf === null ? sql`` : sql`and ${wasRecipient(sql, scope.project, recipientsOf)}`}`

/** The shares by which an audience is put into cohorts. */
export interface Cohorts {
  readonly holdout: CampaignHoldout | null
  /** 1: everybody who is not held out. */
  readonly testShare: number
}

/**
 * Every contact is held out, tested, or waits for the decision of an experiment, by its buckets. With a `testShare` below 1,
 * parts of contacts that wait have odd numbers, the others even ones.
 */
export const freezeAudience = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: CampaignId,
  audience: Audience,
  consent: Asked,
  recipientsOf: RecipientsOf | null,
  { holdout, testShare }: Cohorts
): Statement.Statement<unknown> => {
  const chosen = audienceSql(sql, audience, consent, recipientsOf)
  const contact = sql`contacts.id`
  const waits = testShare === 1 ? sql`false` : sql`${bucketSql(sql, `test:${id}`, contact)} >= ${testShare}::float8`
  const held = isHeldOut(sql, id, holdout, contact)
  const numbered =
    testShare === 1 && holdout === null
      ? sql`
          select contacts.id, false as waits, (row_number() over (order by contacts.id) - 1) / ${partSize}::int as n
          from contacts where ${chosen}`
      : sql`
          select id, waits,
                 (row_number() over (partition by waits order by id) - 1) / ${partSize}::int * 2 + waits::int as n
          from ${
            holdout === null
              ? sql`(select contacts.id, ${waits} as waits from contacts where ${chosen}) as sorted`
              : sql`sorted where not held`
          }`
  const part = sql`
    part as (
      insert into campaign_audiences (project_id, campaign_id, part, contacts, size, waits)
      select ${project}::uuid, ${id}::uuid, n, array_agg(id order by id), count(*), bool_or(waits)
      from (${numbered}) as numbered
      group by n
      returning size
    )`
  const recipients = sql`coalesce(sum(size), 0)::int as recipients`
  if (holdout === null) return sql`with ${part} select ${recipients}, 0 as "heldOut" from part`
  return sql`
    with sorted as materialized (
      select contacts.id, ${held} as held, ${waits} as waits from contacts where ${chosen}
    ),
    ${part},
    held_out as (
      insert into campaign_holdouts (project_id, campaign_id, contact_id)
      select ${project}::uuid, ${id}::uuid, id from sorted where held order by id
      returning 1
    )
    select ${recipients}, (select count(*)::int from held_out) as "heldOut" from part`
}

/**
 * An audience, frozen: the ids of its contacts in one statement, so in one view of the database, whatever its size.
 *
 * Mails are heavy rows with many indexes; a million of them take a minute, and the first must leave within seconds. So the
 * view is taken of the ids alone, as lists of a few thousand (16 bytes a contact), in the transaction that begins the
 * sending: it has begun with this audience, or not at all. The mails are made list by list afterwards (`ExpandSql`).
 */

import type { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import { conditionSql } from "../../audience/filters/FilterSql.ts"
import type { Audience } from "../../audience/segments/Audiences.ts"

/** Contacts in a list: their mails are one transaction, which nobody should feel. At most 4,096: see `ExpandSql`. */
const partSize = 2_000

export const audienceSql = (
  sql: SqlClient.SqlClient,
  { condition, scope }: Audience,
  asksConsent: boolean
): Statement.Fragment => sql`
  contacts.project_id = ${scope.project} and ${sql.literal(asksConsent ? "contacts.subscribed" : "true")}
  and ${conditionSql(sql, condition, scope)}`

export const freezeAudience = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: CampaignId,
  audience: Audience,
  asksConsent: boolean
): Statement.Statement<unknown> => sql`
  with part as (
    insert into campaign_audiences (project_id, campaign_id, part, contacts)
    select ${project}::uuid, ${id}::uuid, n, array_agg(id order by id)
    from (
      select contacts.id, (row_number() over (order by contacts.id) - 1) / ${partSize}::int as n
      from contacts where ${audienceSql(sql, audience, asksConsent)}
    ) as numbered
    group by n
    returning cardinality(contacts) as size
  )
  select coalesce(sum(size), 0)::int as count from part`

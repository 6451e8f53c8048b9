/** Campaigns for the rows: a project with so many contacts, made anew for each run, and its campaign. */
import { ProjectId } from "@posthorn/contract/Auth"
import type { CampaignId } from "@posthorn/contract/campaigns/Campaign"
import { Campaigns } from "@posthorn/core/campaigns/Campaigns"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Letter from "../load/Letter.ts"
import type * as Seed from "../Seed.ts"

/** So many contacts and no others, none of them ever written to. */
export const audience = Effect.fnUntraced(function* ({ id }: Seed.Sender, contacts: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`delete from contacts where project_id = ${id}::uuid`)
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select (lpad(to_hex(1763650000000 + n / 1000), 12, '0') || '7' || lpad(to_hex(n % 1000), 3, '0')
            || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid,
           ${id}::uuid, 'reader-' || n || '@example.com', true,
           jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now()
    from generate_series(1, ${contacts}::int) as n`)
  yield* Effect.orDie(sql.unsafe("analyze contacts"))
})

/** The letter to all of them, as a draft. */
export const draft = Effect.fnUntraced(function* (sender: Seed.Sender) {
  const campaigns = yield* Campaigns
  const { id } = yield* Effect.orDie(
    campaigns.create(ProjectId.make(sender.id), {
      name: "Letter",
      subject: Letter.subject("{{name}}"),
      body: Letter.html("{{name}}", "{{plan}}"),
      from: sender.from,
      type: "MARKETING",
      audienceType: "ALL"
    })
  )
  return id
})

export const begin = (sender: Seed.Sender, id: CampaignId) =>
  Campaigns.use((campaigns) => Effect.orDie(campaigns.send(ProjectId.make(sender.id), id, {})))

export const cancel = (sender: Seed.Sender, id: CampaignId) =>
  Campaigns.use((campaigns) => Effect.orDie(campaigns.cancel(ProjectId.make(sender.id), id)))

/** Until the campaign is like that. */
export const until = Effect.fnUntraced(function* (id: CampaignId, condition: "expanded" | "status = 'SENT'") {
  const sql = yield* SqlClient.SqlClient
  const found = Effect.orDie(sql`select 1 from campaigns where id = ${id}::uuid and ${sql.literal(condition)}`)
  while ((yield* found).length === 0) yield* Effect.sleep("20 millis")
})

/** Nothing of it is left that the next run could meet. */
export const clear = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql.unsafe(
      "truncate emails, email_attempts, events, campaigns, campaign_audiences, campaign_counts, campaign_deltas, mailings"
    )
  )
})

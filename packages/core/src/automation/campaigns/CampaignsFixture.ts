/** For tests: projects that can send, campaigns in every state, and counters computed from the rows of mails. */
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { freshProject, seed } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import * as CampaignRecurrences from "./CampaignRecurrences.ts"
import * as CampaignStarts from "./CampaignStarts.ts"
import * as CampaignWork from "./CampaignWork.ts"
import * as CampaignExperiments from "./experiment/CampaignExperiments.ts"

let domains = 0

/** A new project with a verified sender domain and this many subscribed contacts. */
export const sendingProject = Effect.fnUntraced(function* (contacts = 3) {
  const fresh = yield* freshProject
  const domain = `sender${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(fresh.project, { domain })))
  yield* seed(fresh.project, "c", contacts, { firstName: "Ada" })
  const draft = {
    name: "Launch",
    subject: "News for {{firstName ?? you}}",
    body: "<p>Hi {{firstName}}</p>",
    from: `news@${domain}`,
    audienceType: "ALL"
  }
  const create = (more: object = {}) =>
    Effect.map(fresh.ask("POST", "/campaigns", { ...draft, ...more }), ({ status, body }) => {
      if (status !== 201) throw new Error(JSON.stringify(body))
      return String(body.data.id)
    })
  const read = (id: string) => Effect.map(fresh.ask("GET", `/campaigns/${id}`), ({ body }) => body.data)
  const stats = (id: string) => Effect.map(fresh.ask("GET", `/campaigns/${id}/stats`), ({ body }) => body.data)
  const recipients = (id: string) =>
    Effect.map(fresh.ask("GET", `/campaigns/${id}/recipients?limit=100`), ({ body }) => body.data)
  return { ...fresh, domain, draft, create, read, stats, recipients }
})
export type SendingProject = Effect.Success<ReturnType<typeof sendingProject>>

/** Does all work that is due for campaigns, except sending. */
export const work = Effect.gen(function* () {
  const jobs = yield* CampaignWork.make
  const starts = yield* CampaignStarts.make
  const recurrences = yield* CampaignRecurrences.make
  const now = yield* DateTime.now
  for (let due = yield* recurrences.due(now, []); due._tag === "Some"; due = yield* recurrences.due(now, [])) {
    yield* recurrences.fire(due.value.project, due.value.id)
  }
  for (let due = yield* jobs.due(now, []); due._tag === "Some"; due = yield* jobs.due(now, [])) {
    yield* starts.startDue(due.value.project, due.value.id)
  }
  const experiments = yield* CampaignExperiments.make
  for (let due = yield* experiments.due(now, []); due._tag === "Some"; due = yield* experiments.due(now, [])) {
    yield* experiments.settle(due.value.project, due.value.id)
  }
  while ((yield* jobs.expand(now)) > 0);
  while ((yield* jobs.cancelWaiting(now)) > 0);
  while ((yield* jobs.expire(now)) > 0);
  yield* jobs.complete(now)
})

const counted = Schema.decodeUnknownEffect(Schema.Array(Schema.Record(Schema.String, Schema.Int)))

/** The counters, computed from the rows of the mails. */
export const countRows = (campaign: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select count(*)::int as total,
               (count(*) filter (where status in ('PENDING', 'SENDING')))::int as "pendingCount",
               (count(*) filter (where status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')))::int
                 as "sentCount",
               count(delivered_at)::int as "deliveredCount", (count(*) filter (where opens > 0))::int as "openedCount",
               (count(*) filter (where clicks > 0))::int as "clickedCount", count(bounced_at)::int as "bouncedCount",
               count(complained_at)::int as "complainedCount", count(unsubscribed_at)::int as "unsubscribedCount",
               (count(*) filter (where status = 'FAILED'))::int as "failedCount",
               (count(*) filter (where status = 'SUPPRESSED'))::int as "suppressedCount",
               (count(*) filter (where status = 'CANCELLED'))::int as "cancelledCount",
               (count(*) filter (where status = 'AMBIGUOUS'))::int as "ambiguousCount",
               (count(*) filter (where machine_opens > 0 and machine_opens = opens))::int as "machineOpenedCount",
               (count(*) filter (where machine_clicks > 0 and machine_clicks = clicks))::int as "machineClickedCount"
        from emails where campaign_id = ${campaign}::uuid and not test`,
      counted
    )
  ).pipe(
    Effect.map(([row = {}]) => row),
    Effect.orDie
  )

export const states = ["DRAFT", "SCHEDULED", "SENDING", "PAUSED", "SENT", "CANCELLED"] as const

/** A campaign that reached the state through the API. */
export const campaignIn = Effect.fnUntraced(function* (project: SendingProject, state: (typeof states)[number]) {
  const { ask, create } = project
  const id = yield* create()
  const act = (path: string, body?: unknown) => ask("POST", `/campaigns/${id}/${path}`, body)
  if (state === "SCHEDULED") yield* act("send", { scheduledFor: "2099-01-01T00:00:00Z" })
  if (state === "SENDING" || state === "PAUSED" || state === "SENT") {
    yield* act("send")
    yield* work
  }
  if (state === "PAUSED") yield* act("pause")
  if (state === "CANCELLED") {
    yield* act("send", { scheduledFor: "2099-01-01T00:00:00Z" })
    yield* act("cancel")
  }
  if (state === "SENT") {
    yield* SqlClient.SqlClient.use(
      (sql) => sql`update emails set status = 'SENT', sent_at = now() where campaign_id = ${id}::uuid`
    )
    yield* work
  }
  return id
})

/** Holds the list of transitions in `Ledger.ts` against the statements that write `emails.status`. */
import { randomUUID } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { EmailId, EmailStatus } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as SuppressedAddress from "../../audience/suppression/SuppressedAddress.ts"
import { expireUnsent } from "../../automation/campaigns/CampaignExpiry.ts"
import { CampaignStore } from "../../automation/campaigns/CampaignStore.ts"
import * as CampaignStoreSql from "../../automation/campaigns/CampaignStoreSql.ts"
import * as CampaignWork from "../../automation/campaigns/CampaignWork.ts"
import { expandPart } from "../../automation/campaigns/ExpandSql.ts"
import { cancelUnsent } from "../../automation/workflows/goals/UnsentMail.ts"
import { databases } from "../../testing/Databases.ts"
import { newEmail } from "../../testing/SampleEmails.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import { SendingPolicy } from "../policy/SendingPolicy.ts"
import { claimCounted } from "../sending/ClaimSql.ts"
import { DeliveryQueue, settledStatuses } from "../sending/DeliveryQueue.ts"
import * as DeliveryQueueSql from "../sending/DeliveryQueueSql.ts"
import { queueDue } from "../sending/ScheduledMail.ts"
import * as EngagementSql from "../tracking/EngagementSql.ts"
import * as EmailSql from "./EmailSql.ts"
import { Ledger, type NewEmail, type Notice } from "./Ledger.ts"
import * as LedgerSql from "./LedgerSql.ts"
import { cancelWaiting } from "./WaitingMail.ts"

const sources = resolve(import.meta.dirname, "../..")
const source = (file: string) => readFileSync(resolve(sources, file), "utf8")

/** The listed transitions of each statement, as `PENDING -> SENDING`, under `file function`. */
const listed = new Map<string, Array<string>>()
for (const line of source("mail/ledger/Ledger.ts").split("*/", 1)[0]?.split("\n") ?? []) {
  const [, file, name] = /^ \* `(\S+\.ts)` (\w+): /.exec(line) ?? []
  if (file !== undefined) listed.set(`${file} ${name}`, [])
  const [, from = "", to = ""] = /^ \* {3}([\w, ]+) -> (.+)$/.exec(line) ?? []
  const after = to.replace(/\([^)]*\)/g, "").match(/\w+/g) ?? []
  const transitions = (from.match(/\w+/g) ?? []).flatMap((before) => after.map((status) => `${before} -> ${status}`))
  ;[...listed.values()].at(-1)?.push(...transitions)
}

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))
const Rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: EmailId, status: EmailStatus })))
const rowsOf = Effect.flatMap(
  SqlClient.SqlClient.use((sql) => sql`select id, status from emails`),
  Rows
)

/** Mail of one project in every status, with all that a statement may require of it. */
const mailInEveryStatus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [project, campaign, worker, contact] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  yield* sql`truncate emails, mailings, campaign_audiences, projects, contacts cascade`
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    values (${project}, 'Example', ${project}, ${project}, 'aaaa', now(), now())`
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${contact}, ${project}, 'anna@example.com', true, '{}', now(), now())`
  yield* sql`
    insert into mailings (project_id, campaign_id, is_open, subject, body, from_email, type, tracking, project_name, language)
    values (${project}, ${campaign}, true, '', '', 'hi@example.com', 'MARKETING', true, '', 'en')`
  const due = DateTime.toDate(DateTime.subtract(now, { hours: 1 }))
  yield* sql`
    insert into emails (id, project_id, contact_id, campaign_id, recipient_id, to_email, from_email, type, source_type,
                        tracking, status, lane, due_at, ladder_since, worker, claim, begun_at, ambiguities, deaths,
                        opened_at, clicked_at, scheduled_for, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, ${contact}::uuid, case when lane = 2 then ${campaign}::uuid end,
           case when lane = 2 then gen_random_uuid() end, 'anna@example.com', 'hi@example.com', 'TRANSACTIONAL',
           'TRANSACTIONAL', true, status, lane, ${due}::timestamptz, ${due}::timestamptz, ${worker}::uuid, 1, begun,
           least(deaths, 1), deaths, opened, clicked,
           case when status = 'SCHEDULED' then ${due}::timestamptz end, now(), now()
    from unnest(${EmailStatus.literals}::text[]) as status, generate_series(0, 2) as lane,
         unnest(array[null, ${due}::timestamptz]) as begun, unnest(array[0, 5]) as deaths,
         unnest(array[null, ${due}::timestamptz]) as opened, unnest(array[null, ${due}::timestamptz]) as clicked`
  const mails = yield* rowsOf
  return {
    sql,
    project: ProjectId.make(project),
    campaign: CampaignId.make(campaign),
    contact: ContactId.make(contact),
    worker,
    mails,
    /** One mail of each status. */
    samples: EmailStatus.literals.flatMap((status) => mails.find((mail) => mail.status === status) ?? [])
  }
})

type Given = Effect.Success<typeof mailInEveryStatus>

const newMail = (given: Given, to: string, more: Partial<NewEmail> = {}) =>
  newEmail(given.contact, randomUUID(), to, more)

const notices: ReadonlyArray<Notice> = [
  { kind: "delivered", at: now },
  { kind: "bounced", at: now, permanent: true, diagnostic: "no such user" },
  { kind: "softBounced", at: now },
  { kind: "deferred", at: now, detail: "later" },
  { kind: "complained", at: now },
  { kind: "rejected", at: now, message: "virus" }
]

const hit = (kind: "openedAt" | "clickedAt") =>
  Effect.fnUntraced(function* ({ project, samples }: Given) {
    const { write } = yield* EngagementSql.make
    const seen = { opens: 0, clicks: 0, machineOpens: 0, machineClicks: 0, openedAt: null, clickedAt: null }
    const counted = kind === "openedAt" ? { opens: 1, openedAt: now } : { clicks: 1, clickedAt: now }
    const mails = samples.map(({ id }) => ({ ...seen, ...counted, projectId: project, id }))
    yield* write({ hits: [], links: [], corrected: [], mails, events: [] }, now)
  })

/** Runs of each statement, each on mail of its own. */
const runs: {
  readonly [statement: string]: ReadonlyArray<
    (
      given: Given
    ) => Effect.Effect<
      unknown,
      unknown,
      | CampaignStore
      | DeliveryQueue
      | Ledger
      | Projects
      | SendingPolicy
      | SqlClient.SqlClient
      | SuppressedAddress.SuppressedAddress
    >
  >
} = {
  "mail/ledger/AcceptSql.ts acceptParts": [
    Effect.fnUntraced(function* (given) {
      yield* given.sql`
        insert into suppressions (project_id, email, reason, created_at)
        values (${given.project}, 'bounced@example.com', 'HARD_BOUNCE', now())`
      const failed = { failed: { code: "render_failed", message: "Too slow." } } as const
      const emails = [
        newMail(given, "new@example.com"),
        newMail(given, "bounced@example.com"),
        newMail(given, "new@example.com", failed),
        newMail(given, "new@example.com", { scheduledFor: DateTime.add(now, { hours: 1 }) })
      ] as const
      const contents = emails.map(({ contentId }) => ({ id: contentId, html: "", text: "" }))
      yield* Ledger.use((ledger) => ledger.accept(given.project, emails, contents, [], now))
    })
  ],
  "automation/campaigns/ExpandSql.ts expandPart": [
    ({ sql, project, campaign, contact }) =>
      Effect.andThen(
        sql`
          insert into campaign_audiences (project_id, campaign_id, part, contacts)
          values (${project}, ${campaign}, 1, ${[contact, randomUUID()]}::uuid[])`,
        expandPart(
          sql,
          { project, campaign, part: 1, variants: null, variant: null, ended: null },
          [],
          null,
          DateTime.toDate(now)
        )
      )
  ],
  "mail/sending/ScheduledMail.ts queueDue": [({ sql }) => queueDue(sql, now)],
  "mail/sending/ClaimSql.ts take": [() => DeliveryQueue.use((queue) => queue.claim(randomUUID(), 1_000, now))],
  "mail/sending/ClaimSql.ts claimCounted": [
    Effect.fnUntraced(function* ({ sql, project, mails }) {
      const counted = mails.map(({ id }) => ({ id, plans: [], begins: false }))
      const suppressed = yield* SuppressedAddress.SuppressedAddress
      yield* claimCounted(sql, suppressed, project, counted, { worker: randomUUID(), now: DateTime.toDate(now) })
    })
  ],
  "mail/sending/MarkSql.ts mark": settledStatuses.map(
    (status) =>
      ({ project, worker, mails }: Given) =>
        DeliveryQueue.use((queue) =>
          queue.mark(
            worker,
            [],
            mails.map(({ id }) => ({
              projectId: project,
              id,
              claim: 1,
              at: now,
              status,
              dueAt: now,
              attempts: 1,
              ladderStep: 0,
              breaks: 0,
              ambiguities: 0,
              provider: null,
              queue: null,
              error: null,
              suppression: null,
              hold: null,
              attempt: null,
              event: null
            }))
          )
        )
  ),
  "mail/sending/DeliveryQueueSql.ts release": [
    ({ worker }) => DeliveryQueue.use((queue) => queue.release(worker)),
    () => DeliveryQueue.use((queue) => queue.release(randomUUID()))
  ],
  "mail/sending/ReclaimSql.ts reclaim": [() => DeliveryQueue.use((queue) => queue.reclaim(now))],
  "mail/sending/DeliveryQueueSql.ts evidenceOver": [() => DeliveryQueue.use((queue) => queue.evidenceOver(now))],
  "mail/ledger/NoticeSql.ts noticeStatement": notices.map(
    (notice) =>
      ({ project, samples }: Given) =>
        Effect.forEach(samples, ({ id }) =>
          Ledger.use((ledger) => ledger.notice(project, id, notice, { kind: "test", id }, undefined, now))
        )
  ),
  "mail/ledger/LedgerSql.ts endTest": (["DELIVERED", "OPENED", "CLICKED", "COMPLAINED"] as const).map(
    (status) =>
      ({ sql, project, samples }: Given) =>
        Effect.andThen(
          sql`update emails set mode = 'TEST'`,
          Effect.forEach(samples, ({ id }) => Ledger.use((ledger) => ledger.endTest(project, id, status, now)))
        )
  ),
  "mail/tracking/EngagementSql.ts write": [hit("openedAt"), hit("clickedAt")],
  "mail/ledger/EmailSql.ts withCopies": [
    Effect.fnUntraced(function* ({ project, mails }) {
      const { cancel } = yield* EmailSql.make
      yield* Effect.forEach(mails, ({ id }) => cancel(project, id, now))
    }),
    Effect.fnUntraced(function* ({ project, mails }) {
      const { reschedule } = yield* EmailSql.make
      yield* Effect.forEach(mails, ({ id }) => reschedule(project, id, DateTime.add(now, { hours: 1 }), now))
    }),
    Effect.fnUntraced(function* ({ project, mails }) {
      const { reschedule } = yield* EmailSql.make
      yield* Effect.forEach(mails, ({ id }) => reschedule(project, id, null, now))
    })
  ],
  "mail/ledger/EmailSql.ts retry": [
    Effect.fnUntraced(function* ({ project, mails }) {
      const { retry } = yield* EmailSql.make
      yield* Effect.forEach(mails, ({ id }) => retry(project, id, now))
    })
  ],
  "mail/ledger/LedgerSql.ts dropContact": [
    ({ project, contact }) => Ledger.use((ledger) => ledger.dropContact(project, contact, now))
  ],
  "mail/ledger/LedgerSql.ts moveContact": [
    // The other contact has one mail of the campaign.
    Effect.fnUntraced(function* ({ sql, project, contact }: Given) {
      const other = { id: ContactId.make(randomUUID()), email: "bob@example.com" }
      yield* sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        values (${other.id}, ${project}, ${other.email}, true, '{}', now(), now())`
      yield* sql`
        update emails set contact_id = ${other.id}
        where id in (select id from emails where lane = 2 and status = 'SENT' limit 1)`
      yield* Ledger.use((ledger) => ledger.moveContact(project, contact, other, now))
    })
  ],
  "mail/ledger/ErasureSql.ts strip": [
    ({ project, contact }) => Ledger.use((ledger) => ledger.erase(project, contact, "anna@example.com", now))
  ],
  "mail/ledger/WaitingMail.ts cancelWaiting": [
    ({ sql, project }) => cancelWaiting(sql, project, "all", now),
    ({ sql, project }) => cancelWaiting(sql, project, { staleSince: now }, now)
  ],
  "automation/campaigns/CampaignWork.ts cancelWaiting": [
    Effect.fnUntraced(function* ({ sql }) {
      yield* sql`update mailings set is_open = false, stopped = true`
      yield* (yield* CampaignWork.make).cancelWaiting(now)
    })
  ],
  "automation/campaigns/CampaignExpiry.ts expireUnsent": [
    ({ sql }) => Effect.andThen(sql`update mailings set expires_at = '-infinity'`, expireUnsent(sql, now))
  ],
  "automation/workflows/goals/UnsentMail.ts cancelUnsent": [
    Effect.fnUntraced(function* ({ sql, project, contact }) {
      const execution = randomUUID()
      yield* sql`
        insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
          step_execution_id, current_since, started_at, created_at, updated_at)
        values (${project}, ${execution}, ${execution}, ${contact}, 1, 'EXITED', 'EVENT', 1, ${execution}, now(), now(),
          now(), now())`
      yield* sql`
        insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name, step_type,
          iteration, ordinal, status, attempts, created_at, updated_at)
        select project_id, id, ${execution}::uuid, ${execution}::uuid, id, 'Mail', 'SEND_EMAIL', 1, 1, 'COMPLETED', 1,
               now(), now()
        from emails where project_id = ${project}`
      yield* sql`update emails set workflow_step_execution_id = id where project_id = ${project}`
      yield* cancelUnsent(sql, [{ project, id: execution }], now)
    })
  ],
  "automation/campaigns/CampaignStoreSql.ts retry": [
    ({ project, campaign }) => CampaignStore.use((store) => store.retry(project, campaign, true, now)),
    ({ project, campaign }) => CampaignStore.use((store) => store.retry(project, campaign, false, now))
  ]
}

/** The transitions that one run makes. */
const transitionsOf = Effect.fnUntraced(function* (run: (typeof runs)[string][number]) {
  const given = yield* mailInEveryStatus
  const before = new Map(given.mails.map(({ id, status }) => [id, status]))
  yield* run(given)
  const after = yield* rowsOf
  return after.flatMap(({ id, status }) =>
    before.get(id) === status ? [] : [`${before.get(id) ?? "new"} -> ${status}`]
  )
})

describe("the statements that write the status of a mail", () => {
  it("are all listed in Ledger.ts", () => {
    const writing =
      /\b(?:insert into|update) emails\b(?! join)(?:(?!\bfrom\b|\bwhere\b)[^`])*?(?:\bstatus\b|\$\{changes\()/g
    const found = globSync("**/*.ts", { cwd: sources })
      .filter((file) => !/\.test\.ts$|^testing\/|(?:Suite|Testing|Fixture)\.ts$/.test(file))
      .flatMap((file) => (source(file).match(writing) ?? []).map(() => file))
    assert.deepStrictEqual(found.sort(), [...listed.keys()].map((name) => name.split(" ")[0]).sort())
    assert.deepStrictEqual([...listed.keys()].sort(), Object.keys(runs).sort())
    for (const name of listed.keys()) {
      const [file = "", statement = ""] = name.split(" ")
      assert.match(source(file), new RegExp(`\\b(?:const )?${statement}\\b(?: =|:)`), name)
    }
  })
})

for (const [name, database] of databases()) {
  const stores = Layer.mergeAll(DeliveryQueueSql.layer, LedgerSql.layer, CampaignStoreSql.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(SuppressedAddress.layer, Layer.mock(Projects, {}), Layer.mock(SendingPolicy, {}))
    ),
    Layer.provide([crypto, secrets])
  )
  layer(Layer.provideMerge(stores, database), { timeout: "120 seconds" })(`The status of a mail on ${name}`, (it) => {
    it.effect.each(Object.entries(runs))(
      "changes only along the listed transitions, and along all of them: %s",
      ([key, each]) =>
        Effect.gen(function* () {
          const made = yield* Effect.forEach(each, transitionsOf)
          assert.deepStrictEqual([...new Set(made.flat())].sort(), [...(listed.get(key) ?? [])].sort())
        })
    )
  })
}

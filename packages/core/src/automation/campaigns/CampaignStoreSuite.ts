/** Tests of the promises of CampaignStore, over any layer. Mails of campaigns are stored by statements. */
import { assert, layer } from "@effect/vitest"
import { type CampaignApproval, CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ProjectStore } from "../../accounts/projects/ProjectStore.ts"
import type { ContactStore } from "../../audience/contacts/ContactStore.ts"
import { noDefinitions } from "../../audience/filters/SegmentDefinitions.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { storeContact } from "../../testing/StoredContacts.ts"
import { storeProject } from "../../testing/StoredProjects.ts"
import { at, freshProject, numberOf, uuid } from "../../testing/StoreValues.ts"
import {
  type CampaignContent,
  type CampaignFilter,
  type CampaignOrder,
  CampaignStore,
  type RecipientFilter
} from "./CampaignStore.ts"

/** Every optional field has a value. */
const content: CampaignContent = {
  name: "May",
  description: 'Grüße \\ "eins"',
  subject: "Hello {{firstName}}",
  preheader: "Look",
  format: "MJML",
  body: '<p>"Grüße" \\</p>\n',
  source: "<mjml />",
  text: "Grüße",
  language: "en",
  translations: { de: { subject: "Hallo", body: "<p>Grüße</p>", source: "<mjml />", text: null } },
  from: "hi@example.com",
  fromName: "Shop",
  replyTo: "help@example.com",
  type: "MARKETING",
  layout: "main",
  audienceType: "FILTERED",
  segmentId: null,
  audienceCondition: {
    logic: "AND",
    groups: [{ filters: [{ field: "subscribed", operator: "equals", value: true }] }]
  },
  recipientsOf: null,
  templateId: uuid(71),
  templateVersion: 2,
  topicId: uuid(72),
  archive: true,
  policy: { quietHours: "BYPASS", frequencyCaps: "APPLY" },
  delivery: { localTime: null, spreadHours: 2, ratePerMinute: 60, expiresAt: at(50) },
  priority: 4,
  experiment: null,
  goal: { eventName: "paid", windowHours: 24, attribution: "CLICKED", revenue: null },
  holdout: { share: 0.1 },
  estimatedRecipients: 7,
  refersTo: [],
  looksAt: ["subscribed"]
}

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<CampaignContent>> = [
  { name: "June" },
  { description: null },
  { subject: "Bye" },
  { preheader: null },
  { format: "HTML", source: null },
  { body: "<p>Bye</p>" },
  { text: null },
  { language: null },
  { translations: {} },
  { from: "bye@example.com" },
  { fromName: null },
  { replyTo: null },
  { layout: null },
  { audienceType: "ALL", audienceCondition: null },
  { audienceType: "SEGMENT", segmentId: uuid(73), audienceCondition: null },
  { recipientsOf: { campaignId: CampaignId.make(uuid(74)), who: "OPENED" } },
  { templateId: null, templateVersion: null },
  { topicId: null },
  { policy: { quietHours: "APPLY", frequencyCaps: "BYPASS" } },
  { delivery: null },
  { priority: 1 },
  { goal: null },
  { holdout: null },
  { estimatedRecipients: 8 }
]

const id = (n: number) => CampaignId.make(uuid(n))

const everyone = { isAsked: false, topic: null }
const terms = {
  tracking: true,
  projectName: "Shop",
  language: "en",
  preferencesUrl: null,
  timing: null
}

type Stores = CampaignStore | ContactStore | ProjectStore | SqlClient.SqlClient | Transaction

export const campaignStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: CampaignStore })

  const add = (project: ProjectId, n: number, more: Partial<CampaignContent> = {}, now = at(0)) =>
    CampaignStore.use((store) => store.insert(project, id(n), { ...content, ...more }, now))

  const found = (project: ProjectId, n: number) =>
    CampaignStore.use((store) => Effect.map(store.find(project, id(n)), Option.getOrThrow))

  const audienceOf = (project: ProjectId) => ({
    condition: { _tag: "AllOf" as const, conditions: [] },
    scope: { ...noDefinitions, project, now: at(0) }
  })

  /** Stores a mail of the campaign to the recipient with this number. */
  const addMail = (project: ProjectId, campaign: number, n: number, status: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        insert into emails (id, project_id, campaign_id, recipient_id, to_email, from_email, type, source_type, tracking,
          status, lane, due_at, ladder_since, sent_at, created_at, updated_at)
        values (${uuid(1000 + n)}, ${project}, ${id(campaign)}, ${uuid(n)}, ${`r${n}@example.com`}, 'hi@example.com',
          'MARKETING', 'CAMPAIGN', true, ${status}, 2, now(), now(),
          case when ${status} = 'SENT' then ${DateTime.toDate(at(1))}::timestamptz end, now(), now())`
    )

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { refersTo: _, looksAt: __, ...shown } = content
        const inserted = yield* add(project, 1)
        assert.deepInclude(inserted, {
          ...shown,
          id: id(1),
          projectId: project,
          status: "DRAFT",
          paused: false,
          statusReason: null,
          experimentState: null,
          approval: { state: "NONE", requestedBy: null, decidedBy: null, note: null, at: null },
          recurrence: null,
          parentId: null,
          scheduledFor: null,
          startsAt: null,
          audienceSize: 0,
          holdoutSize: 0,
          totalRecipients: 0,
          sentCount: 0,
          sentAt: null,
          completedAt: null,
          createdAt: at(0),
          updatedAt: at(0)
        })
        assert.isTrue(inserted.archiveUrl?.endsWith(`/archive/${project}/${id(1)}`))
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        assert.deepStrictEqual(yield* store.find(other, id(1)), Option.none())
        assert.isNull((yield* add(project, 2, { archive: false })).archiveUrl)
      })
    )

    it.effect.each(changes)("changes its content: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* add(project, 1)
        const sibling = yield* add(project, 2)
        const update = (now: DateTime.Utc) => store.update(project, id(1), { ...content, ...change }, now)
        assert.isTrue(yield* update(at(1)))
        const after = { ...before, ...change, updatedAt: at(1) }
        assert.deepStrictEqual(yield* found(project, 1), after)
        assert.isTrue(yield* update(at(2)))
        assert.deepStrictEqual(yield* found(project, 1), after)
        assert.deepStrictEqual(yield* found(project, 2), sibling)
      })
    )

    it.effect("changes a campaign only as the caller has read it, and in its own project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { updatedAt } = yield* add(project, 1)
        const rename = (name: string, of?: DateTime.Utc | null) =>
          store.update(project, id(1), { ...content, name }, at(0), of)
        assert.isTrue(yield* rename("first", updatedAt))
        const first = yield* found(project, 1)
        assert.isAbove(first.updatedAt.epochMilliseconds, updatedAt.epochMilliseconds)
        assert.isFalse(yield* rename("second", updatedAt))
        assert.isFalse(yield* store.update(other, id(1), { ...content, name: "theirs" }, at(1)))
        assert.deepStrictEqual(yield* found(project, 1), first)
        assert.isTrue(yield* rename("third", null))
      })
    )

    it.effect("lists in each order, a slice of those that match, and counts the same", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, { name: "b", subject: "50% GRÜSSE", description: null }, at(0))
        yield* add(project, 3, { name: "a", subject: "s", from: "news@other.test" }, at(1))
        yield* add(project, 2, { name: "c", subject: "s", body: "needle" }, at(1))
        yield* add(other, 4)
        yield* store.setState(project, id(1), { status: "SCHEDULED" }, at(2))
        yield* store.setOccurrence(project, id(2), id(1), at(9))
        const everything = { limit: 100, offset: 0 }
        const ordered = (order: CampaignOrder, slice = everything) =>
          Effect.map(store.list(project, {}, order, slice), (listed) => listed.map(numberOf))
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }), [3, 1, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "asc" }), [1, 2, 3])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "desc" }), [3, 2, 1])
        assert.deepStrictEqual(yield* ordered({ sort: "updatedAt", dir: "desc" }), [1, 3, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "desc" }, { limit: 1, offset: 1 }), [1])
        const matches = Effect.fnUntraced(function* (filter: CampaignFilter) {
          const listed = yield* store.list(project, filter, { sort: "createdAt", dir: "asc" }, everything)
          assert.strictEqual(yield* store.count(project, filter), listed.length)
          return listed.map(numberOf)
        })
        assert.deepStrictEqual(yield* matches({}), [1, 2, 3])
        assert.deepStrictEqual(yield* matches({ status: "SCHEDULED" }), [1])
        assert.deepStrictEqual(yield* matches({ parentId: id(1) }), [2])
        assert.deepStrictEqual(yield* matches({ search: "grüsse" }), [1])
        assert.deepStrictEqual(yield* matches({ search: "%" }), [1])
        assert.deepStrictEqual(yield* matches({ search: "OTHER.test" }), [3])
        assert.deepStrictEqual(yield* matches({ search: "needle" }), [])
        const [summary] = yield* store.list(project, { search: "grüsse" }, { sort: "name", dir: "asc" }, everything)
        assert.deepStrictEqual(summary?.translations, { de: { subject: "Hallo" } })
      })
    )

    it.effect("sets the given parts of its state", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const before = yield* add(project, 1)
        yield* store.setState(other, id(1), { status: "SENT" }, at(1))
        yield* store.setState(project, id(1), {}, at(1))
        assert.deepStrictEqual(yield* found(project, 1), before)
        const scheduled = { status: "SCHEDULED", scheduledFor: at(9), startsAt: at(8) } as const
        yield* store.setState(project, id(1), scheduled, at(2))
        assert.deepStrictEqual(yield* found(project, 1), { ...before, ...scheduled, updatedAt: at(2) })
        const ended = {
          status: "CANCELLED",
          paused: true,
          statusReason: "BILLING_LIMIT",
          scheduledFor: null,
          startsAt: null,
          sentAt: at(3),
          completedAt: at(4),
          estimatedRecipients: 9
        } as const
        yield* store.setState(project, id(1), ended, at(4))
        assert.deepStrictEqual(yield* found(project, 1), { ...before, ...ended, updatedAt: at(4) })
      })
    )

    it.effect("an approval ends when the content changes, and not otherwise", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1)
        const approval: CampaignApproval = {
          state: "APPROVED",
          requestedBy: { kind: "KEY", userId: null },
          decidedBy: { kind: "USER", userId: uuid(9) },
          note: "Fine",
          at: at(1)
        }
        const state = Effect.map(found(project, 1), (campaign) => campaign.approval)
        yield* store.setApproval(other, id(1), approval, at(1))
        assert.strictEqual((yield* state).state, "NONE")
        yield* store.setApproval(project, id(1), approval, at(1))
        assert.deepStrictEqual(yield* state, approval)
        yield* store.update(project, id(1), { ...content, estimatedRecipients: 99 }, at(2))
        yield* store.endApproval(project, id(1))
        assert.deepStrictEqual(yield* state, approval)
        for (const change of [{ subject: "Other" }, { holdout: null }, { looksAt: ["email"] }]) {
          yield* store.setApproval(project, id(1), approval, at(3))
          yield* store.update(project, id(1), { ...content, ...change }, at(4))
          yield* store.endApproval(other, id(1))
          assert.deepStrictEqual(yield* state, approval)
          yield* store.endApproval(project, id(1))
          assert.strictEqual((yield* state).state, "NONE")
          yield* store.update(project, id(1), content, at(5))
        }
        yield* store.setApproval(project, id(1), { ...approval, state: "REJECTED" }, at(6))
        yield* store.update(project, id(1), { ...content, subject: "Other" }, at(7))
        yield* store.endApproval(project, id(1))
        assert.strictEqual((yield* state).state, "REJECTED")
      })
    )

    it.effect("stores a recurrence and its campaigns; transactions that count them run one after another", () =>
      Effect.gen(function* () {
        const { store, other } = yield* fresh
        const { run } = yield* Transaction
        const project = yield* storeProject
        const recurrence = {
          schedule: "0 9 * * 1",
          timezone: "Europe/Berlin",
          endsAt: at(50),
          maxRuns: 3,
          enabled: true,
          runs: 1,
          nextAt: at(9)
        }
        for (const n of [1, 2, 3, 4]) yield* add(project, n)
        yield* add(other, 1)
        yield* store.setRecurrence(other, id(1), recurrence, at(9), at(1))
        const recur = (n: number) => store.setRecurrence(project, id(n), recurrence, at(9), at(1))
        const counts = yield* Effect.forEach(
          [1, 2, 3],
          (n) => run(Effect.tap(store.countRecurring(project), () => recur(n))),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2])
        assert.deepStrictEqual((yield* found(project, 1)).recurrence, recurrence)
        yield* store.setRecurrence(project, id(1), { ...recurrence, enabled: false, nextAt: null }, null, at(2))
        yield* store.setState(project, id(2), { status: "SENDING" }, at(2))
        assert.strictEqual(yield* run(store.countRecurring(project)), 1)
        yield* store.setRecurrence(project, id(3), null, null, at(3))
        assert.isNull((yield* found(project, 3)).recurrence)
        yield* store.setOccurrence(project, id(4), id(3), at(9))
        assert.strictEqual((yield* found(project, 4)).parentId, id(3))
      })
    )

    it.effect("a locked campaign changes in one transaction at a time", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        yield* add(project, 1, { estimatedRecipients: 0 })
        const raise = run(
          Effect.gen(function* () {
            const { estimatedRecipients } = Option.getOrThrow(yield* store.lock(project, id(1)))
            yield* store.setState(project, id(1), { estimatedRecipients: estimatedRecipients + 1 }, at(1))
          })
        )
        yield* Effect.all([raise, raise, raise, raise], { concurrency: "unbounded" })
        assert.strictEqual((yield* found(project, 1)).estimatedRecipients, 4)
        assert.deepStrictEqual(yield* run(store.lock(project, id(9))), Option.none())
      })
    )

    it.effect("counts the audience and fixes it, without those that are held out or do not take the mail", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        for (const subscribed of [true, true, false]) yield* storeContact(project, subscribed)
        yield* storeContact(other)
        const all = { id: id(1), holdout: null, recipientsOf: null }
        const audience = audienceOf(project)
        assert.strictEqual(yield* store.countAudience(audience, everyone, all), 3)
        assert.strictEqual(yield* store.countAudience(audience, { isAsked: true, topic: null }, all), 2)
        assert.strictEqual(yield* store.countAudience(audience, everyone, { ...all, holdout: { share: 1 } }), 0)
        const campaign = yield* add(project, 1, { holdout: null, layout: null, goal: null })
        const frozen = yield* run(store.freeze(project, campaign, audience, everyone, terms))
        assert.deepStrictEqual(frozen, { recipients: 3, heldOut: 0 })
        assert.deepInclude(yield* found(project, 1), { audienceSize: 3, holdoutSize: 0, estimatedRecipients: 3 })
        const second = yield* add(project, 2, { holdout: { share: 1 }, layout: null, goal: null })
        assert.deepStrictEqual(yield* run(store.freeze(project, second, audience, everyone, terms)), {
          recipients: 0,
          heldOut: 3
        })
        assert.deepInclude(yield* found(project, 2), { audienceSize: 0, holdoutSize: 3 })
      })
    )

    it.effect("opens, closes, pauses and stops a mailing of its own", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        const sql = yield* SqlClient.SqlClient
        yield* storeContact(project)
        for (const n of [1, 2]) {
          const campaign = yield* add(project, n, { holdout: null, layout: null, goal: null })
          yield* run(store.freeze(project, campaign, audienceOf(project), everyone, terms))
        }
        const states = Effect.map(
          sql`
            select is_open as "isOpen", stopped, holds is not null and holds::text like '%PAUSED%' as held from mailings
            where project_id = ${project} order by campaign_id`,
          (rows) => rows.map(({ isOpen, stopped, held }) => [isOpen, stopped, held])
        )
        const open = [true, false, false]
        assert.deepStrictEqual(yield* states, [open, open])
        yield* store.setOpen(project, id(1), false)
        yield* store.setOpen(other, id(2), false)
        yield* store.recordPause(project, id(1), true, at(1))
        assert.deepStrictEqual(yield* states, [[false, false, true], open])
        yield* store.setOpen(project, id(1), true)
        yield* store.stop(other, id(2))
        yield* store.stop(project, id(1))
        assert.deepStrictEqual(
          (yield* states).map(([isOpen, stopped]) => [isOpen, stopped]),
          [
            [false, true],
            [true, false]
          ]
        )
      })
    )

    it.effect("counts its mails, lists its recipients by their ids, and queues failed ones again", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        for (const n of [1, 2]) yield* add(project, n)
        yield* add(other, 1)
        for (const [n, status] of [
          [13, "SENT"],
          [11, "FAILED"],
          [12, "AMBIGUOUS"],
          [14, "PENDING"]
        ] as const) {
          yield* addMail(project, 1, n, status)
        }
        yield* addMail(project, 2, 15, "FAILED")
        const counters = Effect.map(store.counters(project, id(1)), Option.getOrThrow)
        assert.deepInclude(yield* counters, { sentCount: 1, failedCount: 1, ambiguousCount: 1, pendingCount: 1 })
        assert.deepStrictEqual(yield* store.counters(other, id(9)), Option.none())
        assert.deepInclude(Option.getOrThrow(yield* store.counters(other, id(1))), { sentCount: 0, failedCount: 0 })
        const seen = Effect.fnUntraced(function* (filter: RecipientFilter) {
          const listed = yield* store.recipients(project, id(1), filter, 10)
          assert.strictEqual(yield* store.countRecipients(project, id(1), filter), listed.length)
          return listed.map(({ key }) => numberOf({ id: key }))
        })
        assert.deepStrictEqual(yield* seen({}), [11, 12, 13, 14])
        assert.deepStrictEqual(yield* seen({ status: "SENT" }), [13])
        assert.deepStrictEqual(yield* seen({ search: "R12@" }), [12])
        const after = { key: uuid(11), id: uuid(11) }
        const rest = yield* store.recipients(project, id(1), {}, 2, after)
        assert.deepStrictEqual(
          rest.map(({ key }) => numberOf({ id: key })),
          [12, 13]
        )
        assert.deepInclude(rest[1]?.recipient, { email: "r13@example.com", status: "SENT", sentAt: at(1) })
        assert.deepStrictEqual(yield* store.recipients(other, id(1), {}, 10), [])
        assert.strictEqual(yield* store.retry(other, id(1), true, at(2)), 0)
        assert.strictEqual(yield* store.retry(project, id(1), false, at(2)), 1)
        assert.deepInclude(yield* counters, { failedCount: 0, ambiguousCount: 1, pendingCount: 2 })
        assert.strictEqual(yield* store.retry(project, id(1), true, at(3)), 1)
        assert.deepInclude(yield* counters, { ambiguousCount: 0, pendingCount: 3 })
        assert.strictEqual(Option.getOrThrow(yield* store.counters(project, id(2))).failedCount, 1)
        assert.deepStrictEqual(yield* store.conversions(project, id(1)), {
          convertedCount: 0,
          conversionEvents: 0,
          revenue: []
        })
        assert.deepStrictEqual(yield* store.reached(project, id(1)), { treated: 0, heldOut: 0 })
      })
    )

    it.effect("is deleted with its audience, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        const sql = yield* SqlClient.SqlClient
        yield* storeContact(project)
        const campaign = yield* add(project, 1, { holdout: null, layout: null })
        yield* run(store.freeze(project, campaign, audienceOf(project), everyone, terms))
        const parts = Effect.map(
          sql`select count(*)::int as count from campaign_audiences where project_id = ${project}`,
          ([row]) => row?.["count"]
        )
        yield* run(store.delete(other, id(1)))
        assert.deepStrictEqual([(yield* found(project, 1)).audienceSize, yield* parts], [1, 1])
        yield* run(store.delete(project, id(1)))
        assert.deepStrictEqual([yield* store.find(project, id(1)), yield* parts], [Option.none(), 0])
        assert.isNull(yield* store.topic(project, null))
        assert.isNull(yield* store.topic(project, uuid(72)))
      })
    )
  })
}

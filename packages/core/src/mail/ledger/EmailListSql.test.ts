import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { EmailStatus, SourceType } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import { type EmailFilter, emailListSql } from "./EmailListSql.ts"
import * as EmailSql from "./EmailSql.ts"

const begin = Date.UTC(2026, 2, 1)
const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** Few times, so that many mails have the same one. */
const Mail = Schema.Struct({
  status: EmailStatus,
  sourceType: SourceType,
  lane: upTo(2),
  second: upTo(3),
  campaign: Schema.NullOr(upTo(1))
})
const Filter = Schema.Struct({
  status: Schema.UndefinedOr(Schema.UniqueArray(EmailStatus).check(Schema.isMinLength(1))),
  sourceType: Schema.UndefinedOr(SourceType),
  campaign: Schema.UndefinedOr(upTo(1)),
  since: Schema.UndefinedOr(upTo(3))
})

const anyTime = { from: undefined, until: undefined }

describe.each(databases())("the list of mails on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    it.effect.prop(
      "has exactly the mails that match the filter, newest first, and their count",
      [Schema.Array(Mail).check(Schema.isMaxLength(12)), Filter],
      ([mails, filter]) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const store = yield* EmailSql.make
          const project = ProjectId.make(randomUUID())
          const campaigns = [randomUUID(), randomUUID()]
          const made = mails.map((mail) => ({
            ...mail,
            id: randomUUID(),
            at: new Date(begin + mail.second * 1_000),
            campaignId: mail.campaign === null ? null : campaigns[mail.campaign]
          }))
          for (const { id, at, status, sourceType, lane, campaignId } of made) {
            yield* sql`
              insert into emails (id, project_id, to_email, from_email, type, source_type, campaign_id, tracking, status,
                                  lane, due_at, ladder_since, created_at, updated_at)
              values (${id}, ${project}, 'a@example.com', 'b@shop.example', 'MARKETING', ${sourceType}, ${campaignId}, true,
                      ${status}, ${lane}, ${at}, ${at}, ${at}, ${at})`
          }
          const expected = made
            .filter(
              ({ status, sourceType, campaign, second }) =>
                (filter.status?.includes(status) ?? true) &&
                (filter.sourceType ?? sourceType) === sourceType &&
                (filter.campaign === undefined || filter.campaign === campaign) &&
                second >= (filter.since ?? 0)
            )
            .sort((a, b) => b.second - a.second || (a.id < b.id ? 1 : -1))
            .map(({ id }) => id)
          const campaignId = filter.campaign === undefined ? undefined : campaigns[filter.campaign]
          const asked: EmailFilter = {
            ...(filter.status && { status: filter.status }),
            ...(filter.sourceType && { sourceType: filter.sourceType }),
            ...(campaignId && { campaignId }),
            from: filter.since === undefined ? undefined : DateTime.makeUnsafe(begin + filter.since * 1_000),
            until: undefined
          }
          for (const size of [1, 5, 100]) {
            const found: Array<string> = []
            let page = yield* store.list(project, asked, size)
            while (page.length > 0) {
              found.push(...page.map(({ id }) => id))
              const last = page.at(-1)
              if (last === undefined) break
              page = yield* store.list(project, asked, size, { key: DateTime.formatIso(last.createdAt), id: last.id })
            }
            assert.deepStrictEqual(found, expected)
          }
          assert.strictEqual(yield* store.count(project, asked), expected.length)
        })
    )

    it.effect("uses an index for every filter", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const aProject = sql.literal("'019a0000-0000-7000-8000-00000000000'")
        // One mail in forty is of the project, and one in ten of these is of one campaign, workflow and template.
        yield* sql`
          insert into emails (id, project_id, to_email, from_email, type, source_type, campaign_id, workflow_id, template_id,
                              tracking, status, lane, due_at, ladder_since, created_at, updated_at)
          select gen_random_uuid(), (${aProject} || case when n % 40 = 0 then 1 else n % 4 * 2 end)::uuid, 'a@example.com',
                 'b@shop.example', 'MARKETING', 'CAMPAIGN', about, about, about, true,
                 case when n % 200 = 0 then 'BOUNCED' when n % 120 = 0 then 'FAILED' when n % 50 = 7 then 'PENDING'
                      else 'DELIVERED' end,
                 n % 3, at, at, at, at
          from generate_series(1, 20000) as n
          cross join lateral (select timestamptz '2026-03-01' + n * interval '1 second' as at,
                                     (${aProject} || n / 40 % 10)::uuid as about) as moment`
        yield* vacuumed(sql, "emails")
        const { page, count } = emailListSql(sql)
        const project = ProjectId.make("019a0000-0000-7000-8000-000000000001")
        const about = "019a0000-0000-7000-8000-000000000003"
        const read = (filter: Partial<EmailFilter>) => access(sql, page("id", project, { ...anyTime, ...filter }, 21))
        assert.deepStrictEqual(yield* read({}), ["emails_created_at"])
        assert.deepStrictEqual(yield* read({ status: ["DELIVERED"] }), ["emails_created_at"])
        assert.deepStrictEqual(yield* read({ status: ["BOUNCED", "FAILED"] }), ["emails_exceptional"])
        assert.deepStrictEqual(yield* read({ campaignId: about }), ["emails_campaign"])
        assert.deepStrictEqual(yield* read({ workflowId: about }), ["emails_workflow"])
        assert.deepStrictEqual(yield* read({ templateId: about }), ["emails_template"])
        assert.notInclude(yield* read({ status: ["PENDING"] }), "every row of emails")
        yield* sql`
          update emails set status = 'SCHEDULED', scheduled_for = created_at + interval '1 year' where status = 'PENDING'`
        yield* sql`
          insert into email_tags (project_id, key, value, created_at, email_id)
          select project_id, 'order', (row_number() over () % 500)::text, created_at, id from emails`
        yield* vacuumed(sql, "emails")
        yield* vacuumed(sql, "email_tags")
        assert.deepStrictEqual(yield* read({ status: ["SCHEDULED"], sort: "scheduledFor" }), ["emails_scheduled"])
        assert.deepStrictEqual(yield* read({ status: ["SCHEDULED"], sort: "scheduledFor", tag: "order" }), [
          "emails_scheduled"
        ])
        // Both indexes of emails find one row by its id.
        const byTag = (tag: string) =>
          Effect.map(read({ tag }), (found) => found.map((index) => index.replace("emails_id", "emails_pkey")))
        assert.deepStrictEqual(yield* byTag("order:7"), ["email_tags_pkey", "emails_pkey"])
        assert.deepStrictEqual(yield* byTag("order"), ["email_tags_by_key", "emails_pkey"])
        assert.deepStrictEqual(yield* read({ mode: "TEST" }), ["emails_test"])
        for (const filter of [{}, { status: ["DELIVERED"] }, { sourceType: "CAMPAIGN" }] as const) {
          const counting = yield* access(sql, count(project, { ...anyTime, ...filter }))
          assert.deepStrictEqual(
            counting.filter((name) => /emails/.test(name)),
            []
          )
        }
      })
    )
  })
})

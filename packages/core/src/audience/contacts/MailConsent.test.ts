import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { databases } from "../../testing/Databases.ts"
import { project } from "../../testing/Services.ts"
import { type MailConsent, type MailTopic, takesSql, takingRefusal, takingRefusalSql } from "./MailConsent.ts"

const topics: ReadonlyArray<MailTopic> = [
  { id: "019a0000-0000-7000-8000-0000000000a1", defaultOn: true },
  { id: "019a0000-0000-7000-8000-0000000000a2", defaultOn: false }
]
const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

/** At most one state for each topic, as the writers of contacts keep it. */
const consents: fc.Arbitrary<MailConsent> = fc
  .record({
    subscribed: fc.boolean(),
    snooze: fc.option(fc.constantFrom(-1, 0, 1), { nil: null }),
    states: fc.tuple(fc.constantFrom("on", "off", "unset"), fc.constantFrom("on", "off", "unset"))
  })
  .map(({ subscribed, snooze, states }) => {
    const listed = (state: string) => topics.flatMap(({ id }, n) => (states[n] === state ? [id] : []))
    const stored = (ids: ReadonlyArray<string>) => (ids.length === 0 ? null : ids)
    return {
      subscribed,
      snoozedUntil: snooze === null ? null : DateTime.add(now, { milliseconds: snooze }),
      topicsOn: stored(listed("on")),
      topicsOff: stored(listed("off"))
    }
  })

for (const [name, database] of databases()) {
  layer(database, { timeout: "60 seconds" })(`Whether a contact takes mail, on ${name}`, (it) => {
    it.effect("is the same in TypeScript and in SQL, with a known topic, a column, a deleted topic and none", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const { id, defaultOn } of topics) {
          yield* sql`
            insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived,
                                created_at, updated_at)
            values (${project}, ${id}, ${id}, 'News', '{}', ${defaultOn}, true, 0, false, now(), now())`
        }
        const at = sql`${DateTime.toDate(now)}::timestamptz`
        const column = { column: "emails.topic_id" }
        const mails = [...topics, null].map((topic) => ({ topic, id: topic?.id ?? null }))
        const judged = [...mails, { topic: null, id: "019a0000-0000-7000-8000-0000000000a3" }]
        for (const consent of fc.sample(consents, { numRuns: 200, seed: 1 })) {
          const { subscribed, snoozedUntil, topicsOn, topicsOff } = consent
          const contact = sql`
            (select ${project}::uuid as project_id, ${project}::uuid as id, ${subscribed}::boolean as subscribed,
                    ${snoozedUntil && DateTime.toDate(snoozedUntil)}::timestamptz as snoozed_until,
                    ${topicsOn}::uuid[] as topics_on, ${topicsOff}::uuid[] as topics_off) as contact`
          for (const { topic, id } of judged) {
            const [row] = yield* sql`
              select ${takingRefusalSql(sql, "contact", topic, at)} as known,
                     ${takingRefusalSql(sql, "contact", column, at)} as joined,
                     ${takesSql(sql, "contact", topic, at)} as "takesKnown",
                     ${takesSql(sql, "contact", column, at)} as "takesJoined"
              from ${contact}, (select ${id}::uuid as topic_id) as emails`
            const refusal = takingRefusal(consent, topic, now) ?? null
            const takes = refusal === null
            assert.deepStrictEqual(
              { ...row },
              { known: refusal, joined: refusal, takesKnown: takes, takesJoined: takes },
              JSON.stringify({ consent, topic })
            )
          }
        }
      })
    )

    it.effect("a mail without a contact is not refused", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`
          select ${takingRefusalSql(sql, "contact", { column: "emails.topic_id" }, sql`now()`)} as refusal
          from (select ${topics[1]?.id ?? null}::uuid as topic_id) as emails left join contacts as contact on false`
        assert.isNull(row?.["refusal"])
      })
    )
  })
}

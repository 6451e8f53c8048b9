/**
 * Checks on PostgreSQL that the hot queries of segments use their indexes, with one large project and many small ones
 * in the same tables. A full table scan is fast on test data but takes seconds at a million contacts, so the test
 * checks the plan.
 */
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import type { Audience } from "../filters/FilterScope.ts"
import { oldest, taking } from "./ChangeQueue.ts"
import { addedPage, contactWindow, joining, leaving, memberWindow } from "./SegmentMemberSql.ts"

const large = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const tracked = SegmentId.make("019a0000-0000-7000-8000-0000000000a1")
const byHand = SegmentId.make("019a0000-0000-7000-8000-0000000000a2")

/**
 * Inserts 40,000 contacts in one project, and 100 contacts and 20 segments in each of 200 others. Half of the contacts
 * are in a tracked segment, and a quarter was added to another segment by hand. A quarter of 200,000 changes belongs to
 * the one large project.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const projects = sql`
    select (left(${large}::text, 33) || lpad(to_hex(n), 3, '0'))::uuid as project_id from generate_series(1, 200) as n`
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select md5(project_id::text || n)::uuid, project_id, md5(project_id::text || n) || '@example.com', n % 20 > 0,
           jsonb_build_object('plan', case when n % 100 = 0 then 'team' else 'free' end), now(), now()
    from (
      select ${large}::uuid as project_id, n from generate_series(1, 40000) as n
      union all
      select project_id, n from (${projects}) as project, generate_series(1, 100) as n
    ) as contact`
  yield* sql`
    insert into segments (id, project_id, name, type, track_membership, slug, reacts_to, created_at, updated_at)
    select case n when 1 then ${tracked}::uuid when 2 then ${byHand}::uuid else gen_random_uuid() end, project_id, 'Some',
           case n when 2 then 'STATIC' else 'DYNAMIC' end, n = 1, n::text, '{*,data.plan}', now(), now()
    from (select ${large}::uuid as project_id union all ${projects}) as project, generate_series(1, 20) as n`
  yield* sql`
    insert into segment_members (project_id, segment_id, contact_id, added_at)
    select project_id, case n % 4 when 0 then ${byHand}::uuid else ${tracked}::uuid end, id,
           case n % 4 when 0 then now() - n * interval '1 second' end
    from (select project_id, id, row_number() over () as n from contacts where project_id = ${large}) as contact
    where n % 4 < 3`
  yield* sql`
    insert into segment_changes (project_id, contact_id, names)
    select case n % 4 when 0 then ${large}::uuid else md5((n % 100)::text)::uuid end, gen_random_uuid(), '{data.plan}'
    from generate_series(1, 200000) as n`
  yield* vacuumed(sql, "contacts", "segments", "segment_members", "segment_changes")
})

const audienceOf = (condition: Condition): Audience => ({
  condition,
  scope: { project: large, now: DateTime.makeUnsafe(0), topics: new Map(), segments: new Map() }
})
const subscribed = audienceOf({ _tag: "Subscribed", is: true })
const onPlan = audienceOf({
  _tag: "Json",
  of: "data",
  path: { key: "plan", steps: ["plan"] },
  match: { _tag: "Present" },
  negated: false
})

const at = (digits: string) => ContactId.make(`${digits}000000-0000-4000-8000-000000000000`)
/** A few hundred contacts of a whole segment, as one window of a million contacts has, or some changed contacts. */
const parts = [{ after: at("80"), until: at("82"), limit: 1_000 }, { contacts: ["80", "a0", "c0"].map(at) }]

for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(Layer.provideMerge(Layer.effectDiscard(Effect.orDie(seed)), database), { timeout: "120 seconds" })(
    `Plans of segments on ${name}`,
    (it) => {
      const of = (statement: (sql: SqlClient.SqlClient) => Statement.Statement<unknown>) =>
        SqlClient.SqlClient.use((sql) => access(sql, statement(sql)))

      it.effect("windows walk the primary keys of contacts and members, at any depth", () =>
        Effect.gen(function* () {
          for (const after of [undefined, at("80")]) {
            assert.deepStrictEqual(yield* of((sql) => contactWindow(sql, large, after)), ["contacts_pkey"])
            assert.deepStrictEqual(yield* of((sql) => memberWindow(sql, large, tracked, after)), [
              "segment_members_pkey"
            ])
          }
        })
      )

      it.effect("joins and leaves are looked up by key, for whole segments and for changed contacts", () =>
        Effect.gen(function* () {
          for (const audience of [subscribed, onPlan]) {
            for (const among of parts) {
              for (const moving of [joining, leaving]) {
                const used = yield* of((sql) => moving(sql, tracked, audience, among))
                // A contact is in few segments, so a membership may also be found by contact. The count is kept in the segment.
                const keys = used.filter((index) => !["segment_members_contact", "segments_pkey"].includes(index))
                assert.deepStrictEqual(keys, ["contacts_pkey", "segment_members_pkey"], `${moving.name} ${among.limit}`)
              }
            }
          }
        })
      )

      it.effect("manually added members are listed by the index on their time of adding", () =>
        Effect.gen(function* () {
          const used = yield* of((sql) => addedPage(sql, large, byHand, { limit: 20, offset: 200 }))
          // The topics and the open opt-in of a contact are looked up by their keys, and only for a contact that has some.
          const keys = used.filter((index) => !/^(?:opt_ins|topics)_/.test(index))
          assert.deepStrictEqual(keys, ["contacts_pkey", "segment_members_added_at"])
        })
      )

      it.effect("changes are noted after a lookup of tracked segments, and claimed in order", () =>
        Effect.gen(function* () {
          const change = (sql: SqlClient.SqlClient) =>
            sql`select project_id, id, array['data.plan'] from contacts where project_id = ${large} and id = ${at("80")}`
          const noted = yield* of((sql) => noteChanges(sql, change(sql)))
          assert.deepStrictEqual(noted, ["contacts_pkey", "segments_tracked"])
          assert.deepStrictEqual(yield* of((sql) => oldest(sql, [])), ["segment_changes_id"])
          const taken = yield* of((sql) => taking(sql, large, 1_000))
          for (const used of taken) assert.match(used, /^segment_changes_(?:id|pkey)$/)
        })
      )
    }
  )
}

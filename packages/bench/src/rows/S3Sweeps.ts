import { isSettledSql, marksSql } from "@posthorn/core/audience/segments/ChangeMarks"
import { evaluateAllSegments, evaluateEvery } from "@posthorn/core/audience/segments/SegmentJobs"
import { DateTime, Duration, Effect, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"

/** The side of the square of projects and segments: 1,000 in a run of full length. */
const sendsPerProject = 5

/** Projects with as many untracked segments each, all counted, whose data has not changed since. */
const idle = Effect.fnUntraced(function* (projects: number, segments: number) {
  const services = yield* Layer.build(Seed.core(Postgres.layer(yield* Postgres.freshDatabase)))
  const seeded = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const project = sql.literal("('019a0000-0000-7000-8000-' || lpad(to_hex(p), 12, '0'))::uuid")
    yield* sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select gen_random_uuid(), ${project}, 'anna@example.com', true, '{"plan": "pro"}', '2026-01-01', '2026-01-01'
      from generate_series(1, ${projects}::int) as p`
    yield* sql`
      insert into segments (id, project_id, name, type, condition, track_membership, slug, names, reacts_to, created_at,
                            updated_at)
      select gen_random_uuid(), ${project}, n::text, 'DYNAMIC',
             jsonb_build_object('groups', jsonb_build_array(jsonb_build_object('filters', jsonb_build_array(
               jsonb_build_object('field', 'data.plan', 'operator', 'equals', 'value', n::text))))),
             false, n::text, '{*,data.plan}', '{*,data.plan}', '2026-01-01', '2026-01-01'
      from generate_series(1, ${projects}::int) as p, generate_series(1, ${segments}::int) as n`
    yield* sql`vacuum (analyze) contacts, contact_tallies, segments`.unprepared
    // As a round leaves it, without the time of a count of each segment.
    const now = yield* DateTime.now
    yield* sql`
      with marked as materialized (
        select p.project_id, marks.* from (select distinct project_id from segments) as p
        cross join lateral ${marksSql(sql, sql`p.project_id`)} as marks
        where ${isSettledSql(sql, sql`marks.changed_at`, now)}
      ),
      kept as (
        insert into segment_rounds (project_id, mark, timed, begun_at, counted_at, waiting)
        select project_id, contacts || ' ' || events, false, now(), now(), false from marked
      )
      update segments set counted_mark = marked.contacts from marked where segments.project_id = marked.project_id`
    yield* sql`vacuum (analyze) segments, segment_rounds`.unprepared
  }).pipe(Effect.orDie)
  yield* Effect.provideContext(seeded, services)
  return services
})

export const row: Row = {
  id: "S3",
  title: "rounds over the segments of idle projects, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "1,000 projects with 1,000 segments each (--sends divided by five, of both), and a hundredth of that; nothing changes",
    `one round, which is due every ${Duration.format(evaluateEvery)}; a round and the database take turns, so its time bounds the CPU time of both`,
    "the figure is the time for each project; share: that of a core which all rounds take, in percent"
  ],
  cases: Effect.gen(function* () {
    const bench = yield* Bench
    const scope = yield* Scope.Scope
    return [10, 1].map((part): Case => {
      let made: Effect.Success<ReturnType<typeof idle>> | undefined
      const round: Run = Effect.fnUntraced(function* ({ mails }) {
        const side = Math.max(2, Math.floor(mails / sendsPerProject / part))
        made ??= yield* idle(side, side).pipe(
          Effect.provideService(Bench, bench),
          Effect.provideService(Scope.Scope, scope)
        )
        const cpu = process.cpuUsage()
        const begun = performance.now()
        yield* Effect.provideContext(evaluateAllSegments, made)
        const elapsed = performance.now() - begun
        const { system, user } = process.cpuUsage(cpu)
        const [evaluated] = yield* Effect.provideContext(
          SqlClient.SqlClient.use((sql) =>
            Effect.orDie(sql`select count(*)::int as n from segment_rounds where waiting`)
          ),
          made
        )
        if (evaluated?.["n"] !== 0) return yield* new BenchFailure({ message: "a project waits after the round" })
        return {
          value: elapsed / side,
          cpuMillisPerItem: (system + user) / 1_000 / side,
          more: { "share of a core, %": (100 * elapsed) / Duration.toMillis(evaluateEvery) }
        }
      })
      return {
        name: part === 1 ? "idle round, for each project" : "idle round of a hundredth, for each project",
        unit: "ms",
        target: "flat; < 5 % of a core",
        posthorn: round,
        baselines: {}
      }
    })
  })
}

/** The hot query with a backlog behind it: what it costs must not grow with the queue (fault matrix F24). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as SuppressedAddress from "../../audience/suppression/SuppressedAddress.ts"
import { databases } from "../../testing/Databases.ts"
import { vacuumed } from "../../testing/Plans.ts"
import { crypto, secrets } from "../../testing/Services.ts"
import { claimLane, claimSuspect } from "./ClaimSql.ts"

const projects = 40
const mailsEach = 5_000

/** Most of it sent long ago, a fifth of it due, in both lanes. */
const backlog = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
    select gen_random_uuid(), 'Example', n::text, n::text, 'aaaa', now(), now()
    from generate_series(1, ${projects}::int) as n`
  yield* sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
                        ladder_since, created_at, updated_at)
    select gen_random_uuid(), projects.id, 'to' || n || '@example.com', 'hi@example.com', 'TRANSACTIONAL',
           'TRANSACTIONAL', false, case when n % 5 = 0 then 'PENDING' else 'SENT' end, n / 5 % 2, now() - interval '1 day',
           now(), now(), now()
    from projects, generate_series(1, ${mailsEach}::int) as n`
  yield* vacuumed(sql, "emails", "projects")
})

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}
const Plan: Schema.Codec<Plan> = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Plan> => Plan)))
})
const Explained = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan })]) })])
)

const nodes = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const literal = (value: unknown) =>
  Array.isArray(value)
    ? `'{${value.join()}}'`
    : typeof value === "number"
      ? String(value)
      : `'${value instanceof Date ? value.toISOString() : String(value)}'`

/** How the table of mails is read: with the values known, and as a statement that is prepared for any. */
const reads = Effect.fnUntraced(function* (statement: Statement.Statement<unknown>, mode: "custom" | "generic") {
  const sql = yield* SqlClient.SqlClient
  const [text, values] = statement.compile()
  const [found] = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`set local plan_cache_mode = force_${mode}_plan`)
      yield* sql.unsafe(`prepare hot as ${text}`)
      const explained = yield* sql.unsafe(`explain (format json) execute hot(${values.map(literal).join()})`)
      yield* sql.unsafe("deallocate hot")
      return yield* Explained(explained)
    })
  )
  return nodes(found["QUERY PLAN"][0].Plan).flatMap((node) =>
    node["Relation Name"] === "emails" ? [`${node["Node Type"]} ${node["Index Name"] ?? ""}`] : []
  )
})

const postgres = databases().filter(([name]) => name === "PostgreSQL")
if (postgres.length === 0) console.warn("\nSKIPPED: the plan of the hot query. No PostgreSQL answers.\n")

const withSuppression = (database: Layer.Layer<SqlClient.SqlClient>) =>
  SuppressedAddress.layer.pipe(Layer.provide([crypto, secrets]), Layer.provideMerge(database))

const worker = "019a0000-0000-7000-8000-000000000001"
const now = new Date("2100-01-01")

describe.each(postgres)("The claim over a long queue, on %s", (_, database) => {
  it.live(
    "reads mails by an index alone, whatever the plan knows",
    () =>
      Effect.gen(function* () {
        yield* backlog
        const sql = yield* SqlClient.SqlClient
        const suppressed = yield* SuppressedAddress.SuppressedAddress
        const pivot = "80000000-0000-4000-8000-000000000000"
        for (const mode of ["custom", "generic"] as const) {
          for (const [lane, index, rooms] of [
            [0, "emails_due_transactional", []],
            [1, "emails_due_bulk", []],
            [1, "emails_due_bulk", [{ queue: 1, room: 5 }]]
          ] as const) {
            const claim = yield* reads(
              claimLane(sql, suppressed, { worker, lane, limit: 20, now, pivot, defaultRate: 0, rooms }),
              mode
            )
            assert.isTrue(claim.some((read) => read.includes(index)))
            for (const read of claim) assert.match(read, /^(?:Index (?:Only )?Scan|ModifyTable)/, claim.join())
          }
          const suspect = yield* reads(claimSuspect(sql, suppressed, { worker, now }), mode)
          for (const read of suspect) assert.match(read, /^(?:Index (?:Only )?Scan|ModifyTable)/, suspect.join())
        }
      }).pipe(Effect.provide(withSuppression(database))),
    300_000
  )
})

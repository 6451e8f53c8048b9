import { randomUUID } from "node:crypto"
import { upsertContacts } from "@posthorn/core/contacts/ContactUpsertSql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Bench from "./Bench.ts"
import * as Postgres from "./Postgres.ts"

const rows = 20000,
  step = 100
const program = Effect.gen(function* () {
  const url = yield* Postgres.freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const chunk = (at: number) =>
      Array.from({ length: step }, (_, k) => ({
        id: randomUUID(),
        email: `user${at + k}@example.com`,
        data: { plan: "pro", age: (at + k) % 90, city: "Köln" }
      }))
    const job = randomUUID()
    yield* sql`create table j (id uuid primary key, p int, c text)`
    yield* sql`insert into j values (${job}, 0, '')`
    const run = (name: string, f: (project: string, at: number) => Effect.Effect<any, any>, tx: boolean) =>
      Effect.gen(function* () {
        const project = randomUUID()
        const t = performance.now()
        for (let at = 0; at < rows; at += step)
          yield* tx
            ? sql.withTransaction(
                Effect.andThen(
                  f(project, at),
                  sql`update j set p = ${at}, c = ${String(at)} where id = ${job} returning id`
                )
              )
            : f(project, at)
        console.log(
          name,
          tx ? "tx" : "",
          Math.round((rows / (performance.now() - t)) * 1000),
          "/s",
          ((performance.now() - t) / (rows / step)).toFixed(2),
          "ms"
        )
      })
    const existing = (project: string, at: number) =>
      upsertContacts(
        sql,
        project as any,
        chunk(at).map((c) => ({ ...c, data: { set: c.data, remove: [] } })) as any,
        new Date()
      )
    const unnest = (project: string, at: number) => {
      const c = chunk(at)
      return sql`
      insert into contacts as stored (id, project_id, email, was_subscribed, subscribed, data, created_at, updated_at)
      select id, ${project}::uuid, email, nullif(given,'')::boolean, coalesce(nullif(given,'')::boolean, true), data::jsonb, now(), now() from unnest(${c.map((x) => x.id)}::uuid[], ${c.map((x) => x.email)}::text[], ${c.map(() => "")}::text[], ${c.map((x) => JSON.stringify(x.data))}::text[]) as row(id, email, given, data) order by email
      on conflict (project_id, email) do update set was_subscribed = stored.subscribed, subscribed = coalesce(excluded.was_subscribed, stored.subscribed), data = stored.data || excluded.data,
        updated_at = case when stored.data || excluded.data is distinct from stored.data or coalesce(excluded.was_subscribed, stored.subscribed) <> stored.subscribed then excluded.updated_at else stored.updated_at end
      returning id, xmax = 0 as "isNew", coalesce(was_subscribed <> subscribed, false) as flipped`
    }
    const empty = () => sql`select 1`
    const recordset = (project: string, at: number) => {
      const c = chunk(at)
      return sql`
      insert into contacts as stored (id, project_id, email, was_subscribed, subscribed, data, created_at, updated_at)
      select id, ${project}::uuid, email, given, coalesce(given, true), data, now(), now() from jsonb_to_recordset(${JSON.stringify(c)}::text::jsonb) as row(id uuid, email text, given boolean, data jsonb) order by email
      on conflict (project_id, email) do update set was_subscribed = stored.subscribed, subscribed = coalesce(excluded.was_subscribed, stored.subscribed), data = stored.data || excluded.data,
        updated_at = case when stored.data || excluded.data is distinct from stored.data or coalesce(excluded.was_subscribed, stored.subscribed) <> stored.subscribed then excluded.updated_at else stored.updated_at end
      returning id, xmax = 0 as "isNew", coalesce(was_subscribed <> subscribed, false) as flipped`
    }
    const lax = (f: any) => (project: string, at: number) =>
      Effect.andThen(sql`set local synchronous_commit = off`, f(project, at))
    for (let i = 0; i < 4; i++) {
      yield* run("empty", empty, true)
      yield* run("empty lax", lax(empty), true)
      yield* run("existing", existing, true)
      yield* run("existing lax", lax(existing), true)
      yield* run("unnest lax", lax(unnest), true)
      yield* run("recordset lax", lax(recordset), true)
    }
  }).pipe(Effect.provide(Postgres.layer(url)))
})
const url = await Effect.runPromise(Postgres.find)
await Effect.runPromise(
  Effect.scoped(program).pipe(Effect.provideService(Bench.Bench, { postgres: url } as any)) as any
)

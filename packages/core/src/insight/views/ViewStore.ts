/** Saved views in PostgreSQL or PGlite. Every function takes the project id first. */
import { View, type ViewPage } from "@posthorn/contract/insight/views/View"
import type { AccountId, ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"

export interface NewView extends Pick<View, "id" | "name" | "page" | "query" | "shared"> {
  /** Null if the secret key made it. */
  readonly user: AccountId | null
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...View.fields, createdAt: Schema.DateTimeUtcFromDate }))
)
const counts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ all: Schema.Int, own: Schema.Int })]))

const columns = `saved_views.id, page, name, query, shared, saved_views.created_at as "createdAt",
  case when users.id is not null then jsonb_build_object('id', users.id, 'email', users.email) end as "createdBy"`

export const make = (sql: SqlClient.SqlClient) => {
  const from = sql`from saved_views left join users on users.id = saved_views.user_id`
  const select = sql`select ${sql.literal(columns)} ${from}`

  const one = (project: ProjectId, id: string) =>
    sql`${select} where saved_views.project_id = ${project} and saved_views.id = ${id}::uuid`

  return {
    /** Until the transaction ends, nobody else saves a view of the project. */
    lock: (project: ProjectId): Effect.Effect<void> =>
      sql`select pg_advisory_xact_lock(hashtextextended(${`views:${project}`}, 0))`.pipe(Effect.asVoid, Effect.orDie),
    list: (
      project: ProjectId,
      user: AccountId | null,
      page: ViewPage | undefined
    ): Effect.Effect<ReadonlyArray<View>> =>
      sql`
        ${select} where ${sql.and([
          sql`saved_views.project_id = ${project} and (shared or user_id = ${user}::uuid)`,
          ...(page === undefined ? [] : [sql`page = ${page}`])
        ])}
        order by lower(name), saved_views.id`.pipe(Effect.flatMap(rows), Effect.orDie),
    all: (project: ProjectId): Effect.Effect<ReadonlyArray<View>> =>
      sql`${select} where saved_views.project_id = ${project}`.pipe(Effect.flatMap(rows), Effect.orDie),
    count: (
      project: ProjectId,
      user: AccountId | null
    ): Effect.Effect<{ readonly all: number; readonly own: number }> =>
      sql`
        select count(*)::int as all, (count(*) filter (where user_id = ${user}::uuid))::int as own
        from saved_views where project_id = ${project}`.pipe(
        Effect.flatMap(counts),
        Effect.map(([found]) => found),
        Effect.orDie
      ),
    /** The view. None if its maker is no member of the project. */
    insert: Effect.fnUntraced(function* (
      project: ProjectId,
      { id, page, name, query, shared, user }: NewView,
      now: DateTime.Utc
    ): Effect.fn.Return<Option.Option<View>> {
      yield* Effect.orDie(sql`
        insert into saved_views (project_id, id, user_id, page, name, query, shared, created_at)
        select ${project}::uuid, ${id}::uuid, ${user}::uuid, ${page}, ${name}, ${query}, ${shared},
               ${DateTime.toDate(now)}::timestamptz
        where ${user}::uuid is null or exists (
          select from members where project_id = ${project}::uuid and user_id = ${user}::uuid for key share)`)
      return yield* one(project, id).pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie)
    }),
    /** The view, which nobody else changes until the transaction ends. */
    find: (project: ProjectId, id: string): Effect.Effect<Option.Option<View>> =>
      sql`${one(project, id)} for no key update of saved_views`.pipe(
        Effect.flatMap(rows),
        Effect.map(Array.head),
        Effect.orDie
      ),
    update: (project: ProjectId, id: string, { name, query, shared }: View): Effect.Effect<void> =>
      sql`
        update saved_views set name = ${name}, query = ${query}, shared = ${shared}
        where project_id = ${project} and id = ${id}::uuid`.pipe(Effect.asVoid, Effect.orDie),
    remove: (project: ProjectId, ids: ReadonlyArray<string>): Effect.Effect<void> =>
      sql`delete from saved_views where project_id = ${project} and id = any(${[...ids]}::uuid[])`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
  }
}

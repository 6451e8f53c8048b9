/** Records which images a project has, and their total size. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"

/** A stored image. */
export interface ListedImage {
  readonly name: string
  readonly size: number
  readonly createdAt: DateTime.Utc
}

/** Every method takes the project id first. */
export interface ImageStore {
  /**
   * Reserves space for an image that is about to be stored. `full` means that all images together would exceed
   * `limit` bytes. `there` means that the image is already stored.
   */
  readonly reserve: (
    project: ProjectId,
    image: { readonly name: string; readonly size: number },
    limit: number,
    now: DateTime.Utc
  ) => Effect.Effect<"full" | "reserved" | "there">
  /** False if the image was deleted while it was being stored. It then has to be stored again. */
  readonly markStored: (project: ProjectId, name: string) => Effect.Effect<boolean>
  /** Releases the space, unless another upload has stored the image in the meantime. */
  readonly release: (project: ProjectId, name: string) => Effect.Effect<void>
  /** Stored images, newest first. */
  readonly list: (project: ProjectId, limit: number, after?: Position) => Effect.Effect<ReadonlyArray<ListedImage>>
  readonly count: (project: ProjectId) => Effect.Effect<number>
  /**
   * Deletes a stored image, by `erase` from where it is stored. No upload of the project decides anything meanwhile. If
   * `erase` fails, the image stays. False: there is no such image.
   */
  readonly remove: <E>(project: ProjectId, name: string, erase: Effect.Effect<void, E>) => Effect.Effect<boolean, E>
  readonly some: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<string>>
  readonly forget: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<void>
}

/** How long the space stays reserved if a process dies while it stores an image. */
const abandonedAfter = Duration.hours(1)

const standings = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ stored: Schema.Boolean, others: Schema.Int })])
)
const listed = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, size: Schema.Int, createdAt: Schema.DateTimeUtcFromDate }))
)
const names = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

export const make = Effect.map(SqlClient.SqlClient, (sql): ImageStore => {
  /** Until the transaction ends, no other one of the project has this lock. */
  const alone = (project: ProjectId) => sql`select pg_advisory_xact_lock(hashtextextended(${`images:${project}`}, 0))`

  return {
    reserve: Effect.fn("ImageStore.reserve")(
      function* (project, { name, size }, limit, now) {
        // No two uploads of one project reserve the same space.
        yield* alone(project)
        yield* sql`
          delete from images where project_id = ${project} and not stored
            and created_at < ${DateTime.toDate(DateTime.subtractDuration(now, abandonedAfter))}`
        const [{ stored, others }] = yield* standings(
          yield* sql`
            select coalesce(bool_or(stored and name = ${name}), false) as stored,
                   coalesce(sum(size) filter (where name <> ${name}), 0)::int as others
            from images where project_id = ${project}`
        )
        if (stored) return "there" as const
        if (others + size > limit) return "full" as const
        yield* sql`
          insert into images (project_id, name, size, stored, created_at)
          values (${project}, ${name}, ${size}, false, ${DateTime.toDate(now)}) on conflict do nothing`
        return "reserved" as const
      },
      sql.withTransaction,
      Effect.orDie
    ),
    markStored: (project, name) =>
      sql`update images set stored = true where project_id = ${project} and name = ${name} returning 1`.pipe(
        Effect.map((marked) => marked.length > 0),
        Effect.orDie
      ),
    release: (project, name) =>
      sql`delete from images where project_id = ${project} and name = ${name} and not stored`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    list: (project, limit, after) =>
      sql`
        select name, size, created_at as "createdAt" from images
        where ${sql.and([
          sql`project_id = ${project} and stored`,
          ...(after ? [sql`(created_at, name) < (${after.key}::timestamptz, ${after.id})`] : [])
        ])}
        order by created_at desc, name desc limit ${limit}`.pipe(Effect.flatMap(listed), Effect.orDie),
    count: (project) =>
      countOf(sql`select count(*)::int as count from images where project_id = ${project} and stored`),
    remove: <E>(project: ProjectId, name: string, erase: Effect.Effect<void, E>) =>
      Effect.gen(function* () {
        yield* Effect.orDie(alone(project))
        const found = yield* Effect.orDie(
          sql`select 1 from images where project_id = ${project} and name = ${name} and stored for update`
        )
        if (found.length === 0) return false
        yield* erase
        yield* Effect.orDie(sql`delete from images where project_id = ${project} and name = ${name}`)
        return true
      }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die)) as Effect.Effect<boolean, E>,
    some: (project, limit) =>
      sql`select name from images where project_id = ${project} order by name limit ${limit}`.pipe(
        Effect.flatMap(names),
        Effect.map((found) => found.map(({ name }) => name)),
        Effect.orDie
      ),
    forget: (project, gone) =>
      sql`delete from images where project_id = ${project} and name = any(${gone}::text[])`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
  }
})

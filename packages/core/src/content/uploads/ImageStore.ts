/** Records which images a project has, and their total size. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

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
  readonly markStored: (
    project: ProjectId,
    image: { readonly name: string; readonly size: number },
    now: DateTime.Utc
  ) => Effect.Effect<void>
  /** Releases the space, unless another upload has stored the image in the meantime. */
  readonly release: (project: ProjectId, name: string) => Effect.Effect<void>
  readonly some: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<string>>
  readonly forget: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<void>
}

/** How long the space stays reserved if a process dies while it stores an image. */
const abandonedAfter = Duration.hours(1)

const standings = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ stored: Schema.Boolean, others: Schema.Int })])
)
const names = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

export const make = Effect.map(
  SqlClient.SqlClient,
  (sql): ImageStore => ({
    reserve: Effect.fn("ImageStore.reserve")(
      function* (project, { name, size }, limit, now) {
        // Serializes the uploads of one project, so that no two of them reserve the same space.
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`images:${project}`}, 0))`
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
    markStored: (project, { name, size }, now) =>
      sql`
        insert into images (project_id, name, size, stored, created_at)
        values (${project}, ${name}, ${size}, true, ${DateTime.toDate(now)})
        on conflict (project_id, name) do update set stored = true`.pipe(Effect.asVoid, Effect.orDie),
    release: (project, name) =>
      sql`delete from images where project_id = ${project} and name = ${name} and not stored`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
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
  })
)

/** Which images a project has, and how large they are together. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** Storage port; every method takes the project first. */
export class ImageStore extends Context.Service<
  ImageStore,
  {
    /**
     * Makes room for an image that is about to be stored. `full`: all images together would be larger than `limit` bytes;
     * `there`: it is stored already.
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
    /** Gives the room back, unless somebody else has stored it meanwhile. */
    readonly release: (project: ProjectId, name: string) => Effect.Effect<void>
    readonly some: (project: ProjectId, limit: number) => Effect.Effect<ReadonlyArray<string>>
    readonly forget: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("@posthorn/core/uploads/ImageStore") {}

/** A process that dies while it stores leaves the room taken for as long. */
const abandonedAfter = Duration.hours(1)

const standings = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ stored: Schema.Boolean, others: Schema.Int })])
)
const names = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

export const layerSql: Layer.Layer<ImageStore, never, SqlClient.SqlClient> = Layer.effect(
  ImageStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ImageStore.of({
      reserve: Effect.fn("ImageStore.reserve")(
        function* (project, { name, size }, limit, now) {
          // Uploads of one project take turns here, so that no two of them take the same room.
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
)

/** The forms that conditions name by the names of their events. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

const rows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String })))

/** Those of the keys that a form has. */
export const knownForms = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  keys: ReadonlyArray<string>
): Effect.Effect<ReadonlySet<string>> =>
  keys.length === 0
    ? Effect.succeed(new Set())
    : sql`select key from forms where project_id = ${project} and key = any(${keys}::text[])`.pipe(
        Effect.flatMap(rows),
        Effect.map((found) => new Set(found.map(({ key }) => key))),
        Effect.orDie
      )

/** PostgreSQL in this process, with its files in a folder. Its package is large, so it is loaded only if it is used. */
import type { FolderInUse, Options } from "@posthorn/pglite"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { load, type PackageMissing } from "./OptionalPackage.ts"
import { type DatabaseRefused, refusal } from "./postgres/Postgres.ts"

/** Locks the folder for this process. `schema` is the schema of the tables. */
export const layer = (
  options: Options & { readonly folder: string }
): Layer.Layer<SqlClient.SqlClient, DatabaseRefused | FolderInUse | PackageMissing> =>
  Layer.unwrap(
    Effect.map(
      load("@posthorn/pglite", "A database in a folder", () => import("@posthorn/pglite")),
      (Pglite) =>
        Layer.catchTag(Pglite.layer(options), "SqlError", (error) =>
          Layer.effectContext(refusal(`The embedded database in ${options.folder}`, error))
        )
    )
  )

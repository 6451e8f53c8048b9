/** The databases that the tests of an application run on. */
import { freshDatabase } from "@posthorn/core/testing/Databases"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import type {} from "@posthorn/core/testing/template"
import { Effect, Scope } from "effect"
import { inject } from "vitest"
import type { PosthornOptions } from "../index.ts"

type Place = "PGlite" | "PostgreSQL"

const server = inject("postgres")

export const places: ReadonlyArray<Place> = server === undefined ? ["PGlite"] : ["PGlite", "PostgreSQL"]

/** An empty one, which goes with the scope. */
export const databaseAt = async (place: Place, scope: Scope.Scope): Promise<PosthornOptions["database"]> =>
  server === undefined || place === "PGlite"
    ? { dataDir: dataFolder() }
    : await Effect.runPromise(Scope.provide(freshDatabase(server), scope))

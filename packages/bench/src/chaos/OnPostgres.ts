/** For the short forms among the tests: an installation on the server that the tests run on. */
import { it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import * as Installation from "./Installation.ts"

const server = inject("postgres")

/** Without it tests are reported as skipped. */
export const isThere = server !== undefined

/** A test in real time. */
export const live = it.live.skipIf(!isThere)

/** With a database of its own. */
export const installation = (options: Omit<Installation.Options, "databaseUrl">) =>
  Layer.unwrap(
    Effect.map(
      server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server),
      (databaseUrl) => Installation.layer({ ...options, databaseUrl })
    )
  )

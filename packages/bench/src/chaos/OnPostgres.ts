/** For the short forms in the test suite: an installation on the server that the tests use. */
import { it } from "@effect/vitest"
import { freshDatabase } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import * as Installation from "./Installation.ts"

const server = inject("postgres")

/** Without the server, tests are reported as skipped. */
export const isThere = server !== undefined

/** A test in real time. */
export const live = it.live.skipIf(!isThere)

/** With its own database. */
export const installation = (options: Omit<Installation.Options, "databaseUrl">) =>
  Layer.unwrap(
    Effect.map(
      server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server),
      (databaseUrl) => Installation.layer({ ...options, databaseUrl })
    )
  )

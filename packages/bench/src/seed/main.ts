/**
 * Fills a PostgreSQL database with a large audience, in a new project:
 *
 * `npm run seed -w @posthorn/bench -- --database postgres://... [--contacts 1000000] [--events 10000000] [--seed 1]
 * [--quick]`.
 *
 * The database is migrated first. Prints the project and its keys as JSON. `--quick` creates a tenth.
 */
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { Console, Effect, Schema } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as Postgres from "../Postgres.ts"
import * as Seed from "../Seed.ts"
import { seedAudience } from "./Audience.ts"

const { values: given } = parseArgs({
  options: {
    database: { type: "string" },
    contacts: { type: "string" },
    events: { type: "string" },
    seed: { type: "string", default: "1" },
    quick: { type: "boolean", default: false }
  }
})

const whole = (name: string, text: string, minimum: number) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.Int.check(Schema.isGreaterThanOrEqualTo(minimum)))(Number(text)),
    () => new BenchFailure({ message: `--${name} takes a whole number from ${minimum} on, not ${text}.` })
  )

const program = Effect.gen(function* () {
  const { database, quick } = given
  if (database === undefined) {
    return yield* new BenchFailure({ message: "--database takes the URL of a PostgreSQL database." })
  }
  const size = {
    contacts: yield* whole("contacts", given.contacts ?? (quick ? "100000" : "1000000"), 1),
    events: yield* whole("events", given.events ?? (quick ? "1000000" : "10000000"), 0),
    seed: yield* whole("seed", given.seed, 0)
  }
  const begun = performance.now()
  // The core reads its keys as it starts, so it needs the tables.
  yield* Effect.provide(Migrations.migrate, Postgres.layer(database))
  const filled = Effect.gen(function* () {
    const [project] = yield* Seed.projects(1)
    if (project === undefined) return yield* new BenchFailure({ message: "No project was made." })
    yield* seedAudience(project.id, size)
    const seconds = Math.round((performance.now() - begun) / 1000)
    yield* Console.log(JSON.stringify({ ...project, ...size, seconds }))
  })
  yield* Effect.provide(filled, Seed.core(Postgres.layer(database)))
})

NodeRuntime.runMain(program)

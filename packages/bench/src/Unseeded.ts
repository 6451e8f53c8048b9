/** Runs a program that needs PostgreSQL and none of the databases that rows share. */
import { Effect, type Scope } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import * as Postgres from "./Postgres.ts"
import * as Published from "./processes/Published.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

/** A PostgreSQL server; fails if none answers. */
export const postgresFor = Effect.fnUntraced(function* (name: string) {
  const postgres = yield* Postgres.find
  return postgres ?? (yield* new BenchFailure({ message: `The ${name} needs a PostgreSQL server.` }))
})

export const unseeded = Effect.fnUntraced(function* <A, E, R>(
  name: string,
  postgres: string,
  run: Effect.Effect<A, E, R>
): Effect.fn.Return<A, E | BenchFailure, Exclude<R, Bench> | Scope.Scope> {
  const folder = yield* temporaryFolder("run")
  const none = Effect.fail(new BenchFailure({ message: `The ${name} seeds nothing.` }))
  return yield* Effect.provideService(run, Bench, {
    postgres,
    folder,
    program: Published.program,
    profiles: undefined,
    audienceSizes: [],
    audience: none,
    mail: none,
    console: none
  })
})

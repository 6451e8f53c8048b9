/** One database with projects of growing size in the same tables. */
import { Effect } from "effect"
import * as Postgres from "../Postgres.ts"
import * as Seed from "../Seed.ts"
import { seedAudience } from "./Audience.ts"
import type { AudienceDatabase } from "./Audiences.ts"

/** It is dropped at the end. It has no events. */
export const make = Effect.fnUntraced(function* (postgres: string | undefined, sizes: ReadonlyArray<number>) {
  const url = yield* Postgres.freshDatabaseOn(postgres)
  const filled = Effect.gen(function* () {
    const projects = yield* Seed.projects(sizes.length)
    return yield* Effect.forEach(projects, (project, n) => {
      const contacts = sizes[n] ?? 0
      return Effect.as(seedAudience(project.id, { contacts, events: 0, seed: n + 1 }), { ...project, contacts })
    })
  })
  const audiences = yield* Effect.provide(filled, Seed.core(Postgres.layer(url)))
  return { url, audiences } satisfies AudienceDatabase
})

/** One database with projects of growing numbers of emails in the same tables. */
import { Effect } from "effect"
import * as Postgres from "../Postgres.ts"
import * as Seed from "../Seed.ts"
import { seedMail } from "./Mail.ts"
import type { MailDatabase } from "./Mailed.ts"

/** It is dropped at the end. */
export const make = Effect.fnUntraced(function* (postgres: string | undefined, sizes: ReadonlyArray<number>) {
  const url = yield* Postgres.freshDatabaseOn(postgres)
  const filled = Effect.gen(function* () {
    const projects = yield* Seed.projects(sizes.length)
    return yield* Effect.forEach(projects, (project, n) => {
      const mails = sizes[n] ?? 0
      return Effect.as(seedMail(project.id, mails), { ...project, mails })
    })
  })
  const projects = yield* Effect.provide(filled, Seed.core(Postgres.layer(url)))
  return { url, projects } satisfies MailDatabase
})

/**
 * Runs tests through PgBouncer in transaction mode: `npm run test:pooled -- packages/core/src/events`. The arguments are
 * those of Vitest. Stores and servers then connect to the test server through PgBouncer, and servers also get the URL of
 * PostgreSQL itself. Databases are made, and migrated, without it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { isInstalled, startPgBouncer } from "./PgBouncer.ts"

const vitest = fileURLToPath(new URL("../../../../node_modules/vitest/vitest.mjs", import.meta.url))
const url = process.env["POSTHORN_TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test"

const run = Effect.gen(function* () {
  const port = yield* startPgBouncer(url)
  const child = spawn(process.execPath, [vitest, "run", "--reporter=default", ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, POSTHORN_TEST_DATABASE_URL: url, POSTHORN_TEST_POOLER: String(port) }
  })
  const [code]: ReadonlyArray<unknown> = yield* Effect.promise(() => once(child, "exit"))
  return typeof code === "number" ? code : 1
})

if (isInstalled) {
  process.exitCode = await Effect.runPromise(Effect.scoped(run))
} else {
  console.warn("SKIPPED: the tests through PgBouncer. It is not installed; Debian's package is pgbouncer.")
}

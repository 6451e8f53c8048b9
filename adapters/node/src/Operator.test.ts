import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Accounts } from "@posthorn/core/accounts/Accounts"
import { Projects } from "@posthorn/core/projects/Projects"
import { ConfigProvider, Effect, Redacted } from "effect"
import { migrate, migrationStatus, operate } from "./Operator.ts"

const inside = <A, E>(effect: Effect.Effect<A, E>, env: Record<string, string>) =>
  Effect.provideService(effect, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))

it.live("a new folder is migrated, then takes its first account, without any transport or port", () =>
  Effect.gen(function* () {
    const env = { POSTHORN_DATA_DIR: mkdtempSync(join(tmpdir(), "posthorn-operator-")) }
    const listing = operate(Effect.flatMap(Projects, ({ list }) => list))

    const refused = yield* Effect.flip(inside(listing, env))
    assert.match(refused.message, /^The database lacks 0001_projects, /)

    const lacked = yield* inside(migrate(), env)
    assert.strictEqual(lacked[0], "0001_projects")
    assert.deepStrictEqual(yield* inside(migrationStatus(), env), { applied: lacked, missing: [], unknown: [] })
    assert.deepStrictEqual(yield* inside(migrate(), env), [])

    const account = { email: "anna@example.com", password: Redacted.make("correct horse"), projectName: "Shop" }
    const { keys, project } = yield* inside(operate(Effect.flatMap(Accounts, ({ create }) => create(account))), env)
    assert.match(Redacted.value(keys.secretKey), /^sk_/)
    assert.deepStrictEqual(yield* inside(listing, env), [project])
  })
)

it.live("a faulty configuration ends it as it ends a start", () =>
  Effect.gen(function* () {
    const env = { POSTHORN_DATABASE_URL: "postgres://app@127.0.0.1:1/x" }
    assert.match((yield* Effect.flip(inside(migrate(), env))).message, /^POSTHORN_SECRET is not set/)
    const refused = yield* Effect.flip(inside(migrate(), { ...env, POSTHORN_SECRET: "0".repeat(32) }))
    assert.strictEqual(refused.message, "postgres://127.0.0.1:1/x does not answer (ECONNREFUSED).")
  })
)

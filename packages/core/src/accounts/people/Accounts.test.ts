import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as Transaction from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import * as ApiKeyStoreSql from "../projects/ApiKeyStoreSql.ts"
import * as ProjectStoreSql from "../projects/ProjectStoreSql.ts"
import * as Projects from "../projects/Projects.ts"
import { AccountId } from "./AccountStore.ts"
import * as AccountStoreSql from "./AccountStoreSql.ts"
import { Accounts, layer as accounts } from "./Accounts.ts"
import { PasswordHash } from "./PasswordHash.ts"

/** Marks its input, so that a test can check that no password is stored in plain text. */
const passwordHash = Layer.succeed(PasswordHash, {
  hash: (password) => Effect.succeed(`hash of ${Redacted.value(password)}`),
  verify: (hash, password) => Effect.succeed(hash === `hash of ${Redacted.value(password)}`),
  isOutdated: () => false
})

const services = accounts.pipe(
  Layer.provideMerge(Projects.layer),
  Layer.provide([
    ProjectStoreSql.layer,
    ApiKeyStoreSql.layer,
    AccountStoreSql.layer,
    Transaction.layerSql,
    passwordHash
  ]),
  Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
)

const anna = { email: " Anna@Example.com ", password: Redacted.make("correct horse"), projectName: "Shop" }

const count = (table: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(sql`select count(*)::int as count from ${sql(table)}`, ([row]) => row?.["count"])
  )

describe.each(databases())("accounts on %s", (_, database) => {
  layer(Layer.provideMerge(services, database))((it) => {
    it.effect("a new account owns a first project with keys", () =>
      Effect.gen(function* () {
        const { create, find, ownedProjects } = yield* Accounts
        const { account, project, keys } = yield* create(anna)
        assert.strictEqual(account.email, "anna@example.com")
        assert.isTrue(account.emailVerified)
        assert.strictEqual(project.name, "Shop")
        assert.strictEqual(project.publicKey, keys.publicKey)
        assert.deepStrictEqual(yield* find("ANNA@example.com"), Option.some(account))
        assert.deepStrictEqual(yield* ownedProjects(account.id), [project.id])
      })
    )

    it.effect("a second account for an address is refused, and no project is created", () =>
      Effect.gen(function* () {
        const { create } = yield* Accounts
        const before = yield* count("projects")
        const refused = yield* Effect.flip(create({ ...anna, projectName: "Other" }))
        assert.strictEqual(refused.message, "anna@example.com has an account already.")
        assert.strictEqual(yield* count("projects"), before)
      })
    )

    it.effect("only the hash of a password is stored, and a new password ends every session", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { checkPassword, create, setPassword } = yield* Accounts
        const { account } = yield* create({ ...anna, email: "ben@example.com" })
        assert.isTrue(yield* checkPassword(account.id, anna.password))
        assert.isFalse(yield* checkPassword(account.id, Redacted.make("wrong horse")))

        yield* setPassword(account.id, Redacted.make("battery staple"))
        assert.isFalse(yield* checkPassword(account.id, anna.password))
        assert.isTrue(yield* checkPassword(account.id, Redacted.make("battery staple")))
        const rows =
          yield* sql`select session_version as version, password_hash as hash from users where id = ${account.id}`
        assert.deepStrictEqual(rows, [{ version: 2, hash: "hash of battery staple" }])
      })
    )

    it.effect("an account may have more projects than its first", () =>
      Effect.gen(function* () {
        const { create, createProject, ownedProjects } = yield* Accounts
        const first = yield* create({ ...anna, email: "dora@example.com" })
        const second = yield* createProject(first.account.id, " Blog ")
        assert.strictEqual(second.project.name, "Blog")
        assert.deepStrictEqual(yield* ownedProjects(first.account.id), [first.project.id, second.project.id])
      })
    )

    it.effect("an unknown address has no account", () =>
      Effect.gen(function* () {
        const { checkPassword, find, ownedProjects } = yield* Accounts
        const unknown = AccountId.make("019a0000-0000-7000-8000-00000000000f")
        assert.deepStrictEqual(yield* find("nobody@example.com"), Option.none())
        assert.deepStrictEqual(yield* find("not an address"), Option.none())
        assert.deepStrictEqual(yield* ownedProjects(unknown), [])
        assert.isFalse(yield* checkPassword(unknown, anna.password))
      })
    )

    it.effect.each([
      [{ email: "anna" }, "The email address is not valid."],
      [{ projectName: "  " }, "The name of the project may have 1 to 100 characters on one line."],
      [{ password: Redacted.make("short") }, "The password has 5 characters; it may have 8 to 200."],
      [
        { password: Redacted.make("é".normalize("NFD").repeat(7)) },
        "The password has 7 characters; it may have 8 to 200."
      ],
      [{ password: Redacted.make("a".repeat(201)) }, "The password has 201 characters; it may have 8 to 200."]
    ] as const)("%o is refused", ([faulty, message]) =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip((yield* Accounts).create({ ...anna, email: "carl@example.com", ...faulty }))
        assert.strictEqual(refused.message, message)
      })
    )
  })
})

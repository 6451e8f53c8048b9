import { readdirSync } from "node:fs"
import { assert, it, layer } from "@effect/vitest"
import { dataFolder } from "@posthorn/core/testing/DataFolder"
import { Context, Effect, Layer } from "effect"
import { type Ended, newFolder, posthorn, posthornProcess } from "../testing/CommandLine.ts"

const account = ["accounts", "create", "--password-stdin", "--project", "Shop", "--email"]

/** An installation with a migrated database, one account and its project. */
class Installation extends Context.Service<Installation, { readonly dataDir: string; readonly created: Ended }>()(
  "posthorn/operator/Operator.test/Installation"
) {}

const installation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    const dataDir = dataFolder()
    const env = { POSTHORN_DATA_DIR: dataDir }
    yield* posthorn(["migrate"], { env })
    const created = yield* posthorn([...account, "Ada@Example.com", "--json"], { env, input: "correct horse\n" })
    return Installation.of({ dataDir, created })
  })
)

const run = (args: ReadonlyArray<string>, input?: string) =>
  Effect.flatMap(Installation, ({ dataDir }) => posthorn([...args, "--data-dir", dataDir], { input }))

layer(installation, { timeout: "60 seconds" })("an operator", (it) => {
  it.effect("creates an account, and sees the keys of its project", () =>
    Effect.gen(function* () {
      const { code, stdout, stderr } = (yield* Installation).created
      assert.deepStrictEqual([code, stderr], [0, ""])
      const created = JSON.parse(stdout)
      assert.hasAllKeys(created, ["accountId", "email", "projectId", "projectName", "publicKey", "secretKey"])
      assert.strictEqual(created.email, "ada@example.com")
      assert.match(created.secretKey, /^sk_[\w-]{43}$/)
    })
  )

  it.effect("gets an error for an address that has an account, and for a password that is too short", () =>
    Effect.gen(function* () {
      const taken = yield* run([...account, "ada@example.com"], "correct horse")
      assert.deepStrictEqual([taken.code, taken.stderr], [1, "posthorn: ada@example.com has an account already.\n"])
      const short = yield* run([...account, "carl@example.com", "--json"], "horse")
      assert.strictEqual(short.code, 2)
      assert.deepInclude(JSON.parse(short.stderr).error, { code: "INVALID_ACCOUNT", exitCode: 2 })
    })
  )

  it.effect("turns off two-factor authentication for an account, if the account exists", () =>
    Effect.gen(function* () {
      const off = (email: string) => run(["accounts", "two-factor-off", email, "--yes", "--json"])
      const known = yield* off("Ada@example.com")
      assert.deepStrictEqual([known.code, JSON.parse(known.stdout).changed], [0, false])
      assert.strictEqual((yield* off("nobody@example.com")).code, 4)
    })
  )

  it.effect("must give a password without a terminal", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* run(["accounts", "create", "--email", "d@example.com", "--project", "D"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /Add --password-stdin/)
    })
  )

  it.effect("creates a project, disables and enables it", () =>
    Effect.gen(function* () {
      const created = JSON.parse((yield* run(["projects", "create", "News", "--json"])).stdout)
      assert.match(created.secretKey, /^sk_/)
      const disabled = JSON.parse(
        (yield* run(["projects", "disable", created.id, "--reason", "PAYMENT_FAILED", "--json"])).stdout
      )
      assert.deepInclude(disabled, { name: "News", disabled: true, disabledReason: "PAYMENT_FAILED" })
      const { stdout } = yield* run(["projects", "list"])
      assert.include(stdout, `News\tPAYMENT_FAILED\t${created.id}\t${created.publicKey}`)
      const enabled = JSON.parse((yield* run(["projects", "enable", "News", "--json"])).stdout)
      assert.deepInclude(enabled, { disabled: false, disabledReason: null, disabledAt: null })
      assert.notProperty(enabled, "secretKey")
      assert.strictEqual(enabled.cancelledEmails, 0)
      const again = yield* run(["projects", "enable", "News", "--cancel-pending"])
      assert.match(again.stdout, /^cancelled mail\t0$/m)
      const audited = (yield* run(["projects", "audit", "News", "--json"])).stdout.trim().split("\n")
      const entries = audited.map((line) => JSON.parse(line))
      assert.deepInclude(entries.at(-1), { action: "project.created", actor: "operator", user: null })
      assert.deepInclude(entries.at(-2), { action: "project.disabled", actor: "operator", user: null })
      assert.deepStrictEqual(entries.at(-2).details, { reason: "PAYMENT_FAILED" })
    })
  )

  it.effect("replaces keys only after a confirmation", () =>
    Effect.gen(function* () {
      const refused = yield* run(["projects", "rotate-keys", "Shop"])
      assert.strictEqual(refused.code, 2)
      assert.match(refused.stderr, /The old ones stop working at once\.\n {2}Add --yes/)
      const { code, stdout } = yield* run(["projects", "rotate-keys", "Shop", "--yes"])
      assert.strictEqual(code, 0)
      assert.match(stdout, /^public key\tpk_\S+\nsecret key\tsk_\S+$/m)
    })
  )

  it.effect("lists the ids of the projects if several have the name", () =>
    Effect.gen(function* () {
      yield* run(["projects", "create", "Shop"])
      const { code, stderr } = yield* run(["projects", "enable", "Shop"])
      assert.strictEqual(code, 2)
      assert.match(stderr, /2 projects have the name Shop\.\n {2}Use the id of one of them: \S+, \S+\.\n$/)
      assert.strictEqual((yield* run(["projects", "enable", "Nobody"])).code, 4)
    })
  )

  it.effect("cannot trust a domain that no project has added", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run(["domains", "trust", "mail.example.com"])).code, 2)
      const { code, stderr } = yield* run(["domains", "trust", "mail.example.com", "--yes"])
      assert.deepStrictEqual([code, stderr], [4, "posthorn: mail.example.com stays as it is: no project has it.\n"])
    })
  )

  it.effect("counts the rows that need an old secret, and re-encrypts them", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* Installation
      const old = "the secret that was there before once"
      const env = {
        POSTHORN_SECRET: "a secret that is new, of 32 bytes",
        POSTHORN_SECRET_PREVIOUS: `${"x".repeat(32)},${old}`
      }
      const at = (...args: ReadonlyArray<string>) => posthorn([...args, "--data-dir", dataDir, "--json"], { env })
      const before = JSON.parse((yield* at("secrets", "status")).stdout)
      assert.deepInclude(before, { needPrevious: 0, lost: 0 })
      assert.strictEqual(before.counts[0].what, "RSA keys of sender domains")
      const { code, stdout } = yield* at("secrets", "rotate")
      assert.strictEqual(code, 0)
      assert.deepInclude(JSON.parse(stdout), { renewed: 0, needPrevious: 0, lost: 0 })
    })
  )

  it.effect("sees that the schema is up to date", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run(["migrate"])).stdout, "The database is up to date.\n")
      const { applied, missing, unknown } = JSON.parse((yield* run(["migrate", "--status", "--json"])).stdout)
      assert.strictEqual(applied[0], "0001_projects")
      assert.deepStrictEqual([missing, unknown], [[], []])
    })
  )
})

it.effect("a command does not create a database in a folder that has none", () =>
  Effect.gen(function* () {
    const { code, stderr } = yield* posthorn(["projects", "list"])
    assert.strictEqual(code, 1)
    assert.match(stderr, /There is no database in \.\/\.posthorn\.\n {2}Set POSTHORN_DATABASE_URL or --data-dir/)
  })
)

it.effect("a command does not wait for a database that does not answer", () =>
  Effect.gen(function* () {
    const { code, stderr } = yield* posthorn(["projects", "list"], {
      env: {
        POSTHORN_DATABASE_URL: "postgres://app:hunter22@127.0.0.1:1/mail",
        POSTHORN_SECRET: "a secret for the tests of operators"
      }
    })
    assert.strictEqual(code, 5)
    assert.match(stderr, /^posthorn: postgres:\/\/127\.0\.0\.1:1\/mail does not answer/)
    assert.notInclude(stderr, "hunter22")
  })
)

it.effect("a migration creates no folder if no database is configured", () =>
  Effect.gen(function* () {
    const cwd = newFolder()
    const refused = yield* posthornProcess(["migrate"], { cwd, env: { POSTHORN_DATABSE_URL: "postgres://x" } })
    assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
    assert.include(
      refused.stderr,
      "POSTHORN_DATABSE_URL is not a variable of Posthorn. Is POSTHORN_DATABASE_URL meant?"
    )
    assert.match(refused.stderr, /^posthorn: POSTHORN_DATABASE_URL is not set\.\n.*--data-dir/m)
    assert.deepStrictEqual(readdirSync(cwd), [])
  })
)

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Effect, Layer, Redacted } from "effect"
import * as Host from "./Host.ts"
import * as SecretFile from "./SecretFile.ts"

const folder = () => mkdtempSync(join(tmpdir(), "posthorn-secret-"))

const secretOf = (dataDir: string, given: Partial<Parameters<typeof SecretFile.layer>[0]> = {}) =>
  Effect.map(
    Effect.provide(
      Secrets,
      SecretFile.layer({ dataDir, secret: undefined, secretPrevious: [], ...given }).pipe(Layer.provide(Host.platform))
    ),
    ({ current }) => Redacted.value(current)
  )

it.effect("is created once, readable by its owner only, and found again", () =>
  Effect.gen(function* () {
    const dataDir = folder()
    const secret = yield* secretOf(dataDir)
    assert.match(secret, /^[\w-]{64}$/)
    assert.strictEqual(statSync(join(dataDir, "secret")).mode & 0o777, 0o600)
    assert.strictEqual(yield* secretOf(dataDir), secret)
    assert.notStrictEqual(yield* secretOf(folder()), secret)
    assert.deepStrictEqual(readdirSync(dataDir), ["secret"])
  })
)

it.effect("a secret from the environment creates no file", () =>
  Effect.gen(function* () {
    const dataDir = folder()
    const given = Redacted.make("0123456789abcdef0123456789abcdef")
    assert.strictEqual(yield* secretOf(dataDir, { secret: given }), Redacted.value(given))
    assert.deepStrictEqual(readdirSync(dataDir), [])
  })
)

it.effect("a file without a secret is refused and not changed", () =>
  Effect.gen(function* () {
    const dataDir = folder()
    const file = join(dataDir, "secret")
    writeFileSync(file, "short\n")
    const { message } = yield* Effect.flip(secretOf(dataDir))
    assert.strictEqual(
      message,
      `${file} does not hold a secret of at least 32 bytes. Restore it, or set POSTHORN_SECRET.`
    )
    assert.strictEqual(readFileSync(file, "utf8"), "short\n")
  })
)

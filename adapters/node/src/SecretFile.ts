/**
 * The secret of an installation without POSTHORN_SECRET. It is created once, in the data folder, and only its owner can
 * read it.
 */
import { Secrets } from "@posthorn/core/platform/Secrets"
import { Data, Effect, FileSystem, Layer, Path, type PlatformError, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { Config } from "./Config.ts"

const secretBytes = 48

/** The file exists but does not hold a secret. It may serve another purpose, so it is not overwritten. */
export class BadSecretFile extends Data.TaggedError("BadSecretFile")<{ readonly file: string }> {
  override readonly message =
    `${this.file} does not hold a secret of at least 32 bytes. Restore it, or set POSTHORN_SECRET.`
}

/** The name of the file in the data folder. */
const secretFile = "secret"

const isNotFound = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

/** The file is written under another name and then renamed, so that a killed start leaves a complete secret or none. */
const makeSecret = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const secret = Base64Url.encode(yield* SecureRandom.SecureRandom.use((random) => random.randomBytes(secretBytes)))
  yield* fs.writeFileString(`${file}.tmp`, `${secret}\n`, { mode: 0o600 })
  yield* fs.rename(`${file}.tmp`, file)
  return secret
})

const kept = Effect.fn("SecretFile.kept")(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(folder, secretFile)
  const text = yield* fs.readFileString(file).pipe(Effect.catchIf(isNotFound, () => makeSecret(file)))
  if (text.trim().length < 32) return yield* new BadSecretFile({ file })
  return Redacted.make(text.trim())
})

/** The secret from the environment, or from the data folder, which must exist. */
export const layer = ({
  dataDir,
  secret,
  secretPrevious
}: Pick<Config, "dataDir" | "secret" | "secretPrevious">): Layer.Layer<
  Secrets,
  BadSecretFile | PlatformError.PlatformError,
  FileSystem.FileSystem | Path.Path | SecureRandom.SecureRandom
> =>
  Layer.effect(
    Secrets,
    Effect.gen(function* () {
      return Secrets.of({ current: secret ?? (yield* kept(dataDir)), previous: secretPrevious })
    })
  )

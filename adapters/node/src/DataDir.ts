/** The folder of this installation: embedded database, secret, mails of the dev mode. */
import { mkdir } from "node:fs/promises"
import { Data, Effect } from "effect"

export class DataDirRefused extends Data.TaggedError("DataDirRefused")<{
  readonly dataDir: string
  readonly reason: string
}> {
  override readonly message =
    `The data folder ${this.dataDir} cannot be made (${this.reason}). Choose another with POSTHORN_DATA_DIR.`
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

/** Makes it where it is missing, for its owner only. */
export const makeDataDir = (dataDir: string): Effect.Effect<void, DataDirRefused> =>
  Effect.asVoid(
    Effect.tryPromise({
      try: () => mkdir(dataDir, { recursive: true, mode: 0o700 }),
      catch: (cause) => new DataDirRefused({ dataDir, reason: reasonOf(cause) })
    })
  )

/** The data folder of an installation: the embedded database, the secret and the emails of the dev mode. */
import { chmod, mkdir, stat } from "node:fs/promises"
import { Data, Effect } from "effect"

export class DataDirRefused extends Data.TaggedError("DataDirRefused")<{
  readonly dataDir: string
  readonly reason: string
}> {
  override readonly message =
    `The data folder ${this.dataDir} cannot be used (${this.reason}). Choose another with POSTHORN_DATA_DIR.`
}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

/** Only the user who runs the program may read the folder. PostgreSQL requires the same of its data folder. */
export class DataDirOpen extends Data.TaggedError("DataDirOpen")<{ readonly dataDir: string }> {
  override readonly message =
    `The data folder ${this.dataDir} belongs to another user, and users other than its owner can open it. ` +
    `Run: chown "$(id -un)" ${this.dataDir} && chmod 700 ${this.dataDir}`
}

/** The permission bits of the group and of all other users. */
const others = 0o077

const attempt = <A>(dataDir: string, work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new DataDirRefused({ dataDir, reason: reasonOf(cause) }) })

/** Removes the permissions of other users from a folder of ours. Windows has no such permissions. */
const close = Effect.fnUntraced(function* (dataDir: string) {
  const uid = process.getuid?.()
  if (uid === undefined) return
  const found = yield* attempt(dataDir, () => stat(dataDir))
  if ((found.mode & others) === 0) return
  if (found.uid !== uid) return yield* new DataDirOpen({ dataDir })
  yield* attempt(dataDir, () => chmod(dataDir, found.mode & ~others & 0o777))
  yield* Effect.logInfo(
    `Other users of this machine could open the data folder ${dataDir}; its permissions are now 0700.`
  )
})

/** Creates the folder if it is missing, for its owner only. */
export const makeDataDir = (dataDir: string): Effect.Effect<void, DataDirOpen | DataDirRefused> =>
  Effect.andThen(
    attempt(dataDir, () => mkdir(dataDir, { recursive: true, mode: 0o700 })),
    close(dataDir)
  )

/**
 * From now on, only the owner can read files that this process creates. The programs of this repository call it. An
 * application that embeds the service keeps its own umask.
 */
export const makeFilesForOwnerOnly: Effect.Effect<void> = Effect.sync(() => void process.umask(others))

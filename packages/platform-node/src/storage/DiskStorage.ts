/** Uploaded files in a folder: the default storage. */
import { randomUUID } from "node:crypto"
import { constants, createReadStream } from "node:fs"
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import * as NodeStream from "@effect/platform-node-shared/NodeStream"
import { ObjectStorage, StorageFailed } from "@posthorn/core/content/uploads/ObjectStorage"
import { Effect, Layer, Option } from "effect"

/** The format of the service's own keys. Any other key is refused, so that no path leads out of the folder. */
const keyForm = /^[0-9a-f-]{36}\/[0-9a-f]{64}\.[a-z]{3,4}$/

const tried = <A>(attempt: () => Promise<A>) =>
  Effect.tryPromise({ try: attempt, catch: (cause) => new StorageFailed({ cause }) })

const isErrorOf = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  cause instanceof Error && "code" in cause && codes.includes(String(cause.code))

const isAbsent = ({ cause }: StorageFailed): boolean => isErrorOf(cause, "ENOENT", "ENOTDIR")

/** Synced to disk before it is renamed, so that a crash leaves a complete file or none. */
const write = async (path: string, content: Uint8Array) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomUUID()}.part`
  try {
    const file = await open(temporary, "wx", 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

/** Before the first file there is no folder. Then it checks whether the folder can be created. */
const isUsable = async (folder: string): Promise<void> => {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const parent = dirname(folder)
    if (!isErrorOf(cause, "ENOENT") || parent === folder) throw cause
    await isUsable(parent)
  }
}

/** Creates the folder with the first file. */
export const make = (folder: string): ObjectStorage => {
  const place = (key: string) =>
    keyForm.test(key)
      ? Effect.succeed(join(folder, key))
      : Effect.fail(new StorageFailed({ cause: new Error("This is not the key of an upload.") }))

  const look = (key: string) =>
    Effect.flatMap(place(key), (path) =>
      tried(() => stat(path)).pipe(
        Effect.map(({ size }) => ({ path, size })),
        Effect.asSome,
        Effect.catchIf(isAbsent, () => Effect.succeedNone)
      )
    )

  return {
    put: (key, content) => Effect.flatMap(place(key), (path) => tried(() => write(path, content))),
    get: (key) =>
      Effect.map(look(key), (found) =>
        Option.map(found, ({ path, size }) => ({
          size,
          content: NodeStream.fromReadable({
            evaluate: () => createReadStream(path),
            onError: (cause) => new StorageFailed({ cause })
          })
        }))
      ),
    look,
    delete: (key) => Effect.flatMap(place(key), (path) => tried(() => rm(path, { force: true }))),
    check: tried(() => isUsable(resolve(folder))),
    kind: "folder",
    publicUrl: () => undefined
  }
}

export const layer = (folder: string): Layer.Layer<never> => Layer.succeed(ObjectStorage, make(folder))

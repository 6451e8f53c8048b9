/** Uploaded files in a folder: the default storage. */
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { ObjectStorage, StorageFailed } from "@posthorn/core/uploads/ObjectStorage"
import { Effect, Layer, Option } from "effect"

/** The service makes the keys; whatever else comes here stays outside. */
const keyForm = /^[0-9a-f-]{36}\/[0-9a-f]{64}\.[a-z]{3,4}$/

const tried = <A>(attempt: () => Promise<A>) =>
  Effect.tryPromise({ try: attempt, catch: (cause) => new StorageFailed({ cause }) })

const isAbsent = ({ cause }: StorageFailed): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

/** On the disk before it has its name, so that a process or a machine that dies leaves all of it or nothing. */
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

/** Makes the folder when the first file comes. */
export const make = (folder: string): ObjectStorage => {
  const place = (key: string) =>
    keyForm.test(key)
      ? Effect.succeed(join(folder, key))
      : Effect.fail(new StorageFailed({ cause: new Error("Not a key of an upload.") }))

  return {
    put: (key, content) => Effect.flatMap(place(key), (path) => tried(() => write(path, content))),
    get: (key) =>
      Effect.flatMap(place(key), (path) =>
        tried(() => stat(path)).pipe(
          Effect.map(({ size }) =>
            Option.some({
              size,
              content: NodeStream.fromReadable({
                evaluate: () => createReadStream(path),
                onError: (cause) => new StorageFailed({ cause })
              })
            })
          ),
          Effect.catchIf(isAbsent, () => Effect.succeedNone)
        )
      ),
    delete: (key) => Effect.flatMap(place(key), (path) => tried(() => rm(path, { force: true }))),
    kind: "folder",
    publicUrl: () => undefined
  }
}

export const layer = (folder: string): Layer.Layer<never> => Layer.succeed(ObjectStorage, make(folder))

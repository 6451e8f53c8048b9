/** A folder of this run; it is removed with the scope. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** `name` identifies the folder in the system's temporary folder. */
export const temporaryFolder = (name: string) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), `posthorn-${name}-`))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

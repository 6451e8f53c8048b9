/**
 * One process per data folder: PGlite itself does not lock, and two processes on one folder corrupt it.
 *
 * The lock is `posthorn.lock` with its owner's pid, written whole and then linked into place, so that nobody sees half
 * of it. Pids say nothing across machines or containers: never put the folder on a volume that two of them share.
 */

import { link, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect, type Scope } from "effect"

export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly folder: string; readonly pid: number }> {
  override readonly message = `${this.folder} is in use by process ${this.pid}. Stop it, or use another folder.`
}

/** Folders this process holds: a restarted container gets its old pid again, so our own pid in a file proves nothing. */
const held = new Set<string>()

const lockOf = (folder: string) => join(folder, "posthorn.lock")

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const inUse = (folder: string, pid: number): boolean =>
  pid === process.pid ? held.has(folder) : pid > 0 && isAlive(pid)

const readPid = (path: string) =>
  Effect.promise(() =>
    readFile(path, "utf8").then(
      (text) => Number.parseInt(text, 10) || 0,
      () => 0
    )
  )

const linked = (from: string, to: string) =>
  Effect.promise(() =>
    link(from, to).then(
      () => true,
      () => false
    )
  )

const claim = Effect.fnUntraced(function* (folder: string): Effect.fn.Return<void, FolderInUse> {
  const lock = lockOf(folder)
  const mine = `${lock}.${process.pid}`

  yield* Effect.promise(() => writeFile(mine, String(process.pid)))
  const won = yield* linked(mine, lock)
  yield* Effect.promise(() => rm(mine))
  if (won) return

  const pid = yield* readPid(lock)
  if (inUse(folder, pid)) return yield* new FolderInUse({ folder, pid })

  // The owner is gone. Move its lock aside; if another process was faster, this moved the new one: put it back.
  yield* Effect.promise(() => rename(lock, mine).catch(() => {}))
  const moved = yield* readPid(mine)
  if (moved !== pid && inUse(folder, moved)) yield* linked(mine, lock)
  yield* Effect.promise(() => rm(mine, { force: true }))
  return yield* claim(folder)
})

/** Holds the folder, which exists, until the scope closes. */
export const holdFolder = (folder: string): Effect.Effect<void, FolderInUse, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.andThen(
      claim(folder),
      Effect.sync(() => held.add(folder))
    ),
    () =>
      Effect.andThen(
        Effect.promise(() => rm(lockOf(folder), { force: true })),
        Effect.sync(() => held.delete(folder))
      )
  )

/** Who holds the folder now; nobody when it has no lock, or that of a process that is gone. */
export const holderOf = (folder: string): Effect.Effect<number | undefined> =>
  Effect.map(readPid(lockOf(folder)), (pid) => (inUse(folder, pid) ? pid : undefined))

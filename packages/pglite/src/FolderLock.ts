/**
 * Allows one process per data folder: PGlite has no lock, and two processes on one folder corrupt it.
 *
 * The lock is the file `posthorn.lock`. It contains the pid and the start time of its owner, and the inode of the
 * folder, so that a reused pid, a zombie or a copied folder does not hold the lock. The file is written under another
 * name and then linked. Pids are not comparable across machines or containers, so two of them must never share the
 * folder.
 */

import { execFileSync } from "node:child_process"
import { readFileSync, statSync } from "node:fs"
import { link, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Data, Effect, type Scope } from "effect"

export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly folder: string; readonly pid: number }> {
  override readonly message = `${this.folder} is in use by process ${this.pid}. Stop it, or use another folder.`
}

/** Folders that this process holds, for locks without the start time of their owner. */
const held = new Set<string>()

const lockOf = (folder: string) => join(folder, "posthorn.lock")

const attempt = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** The state of a process, and its start time as text that is unique on this machine. */
interface Life {
  readonly isZombie: boolean
  readonly start: string
}

/**
 * proc(5): the name in parentheses may contain anything. The state follows it, and the start time is the 20th field
 * after it.
 */
const lifeOnLinux = (pid: number): Life | undefined => {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
  if (stat === undefined || boot === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state, start] = [fields[0], fields[19]]
  return start === undefined ? undefined : { isZombie: state === "Z" || state === "X", start: `${boot}/${start}` }
}

/** For systems without /proc: macOS and the BSDs. */
const lifeByPs = (pid: number): Life | undefined => {
  const line = attempt(() =>
    execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
  )
  const [state, ...start] = line?.trim().split(/ +/) ?? []
  return state === undefined || start.length === 0
    ? undefined
    : { isZombie: state.startsWith("Z"), start: start.join("-") }
}

const lifeOf = process.platform === "linux" ? lifeOnLinux : lifeByPs

const inodeOf = (folder: string): string | undefined => attempt(() => String(statSync(folder, { bigint: true }).ino))

/** The content of a lock. Versions before 0.1 wrote only the pid. */
interface Owner {
  readonly pid: number
  readonly start: string | undefined
  readonly inode: string | undefined
}

const textOf = (folder: string): string =>
  [process.pid, lifeOf(process.pid)?.start ?? "-", inodeOf(folder) ?? "-"].join(" ")

const ownerIn = (text: string): Owner => {
  const [pid = "", start = "-", inode = "-"] = text.trim().split(" ")
  return {
    pid: Number.parseInt(pid, 10) || 0,
    start: start === "-" ? undefined : start,
    inode: inode === "-" ? undefined : inode
  }
}

const inUse = (folder: string, { pid, start, inode }: Owner): boolean => {
  if (pid <= 0 || !isAlive(pid)) return false
  if (inode !== undefined && inode !== inodeOf(folder)) return false
  const life = lifeOf(pid)
  if (life?.isZombie) return false
  if (start !== undefined && life !== undefined) return start === life.start
  // A restarted container gets its old pid again, so our own pid without a start time proves nothing.
  return pid !== process.pid || held.has(folder)
}

const readOwner = (path: string) => Effect.promise(() => readFile(path, "utf8").then(ownerIn, () => ownerIn("")))

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

  yield* Effect.promise(() => writeFile(mine, textOf(folder), { mode: 0o600 }))
  const won = yield* linked(mine, lock)
  yield* Effect.promise(() => rm(mine))
  if (won) return

  const owner = yield* readOwner(lock)
  if (inUse(folder, owner)) return yield* new FolderInUse({ folder, pid: owner.pid })

  // The owner has ended, so its lock is moved away. If another process was faster, this moved the new lock: put it
  // back.
  yield* Effect.promise(() => rename(lock, mine).catch(() => {}))
  const moved = yield* readOwner(mine)
  if (moved.pid !== owner.pid && inUse(folder, moved)) yield* linked(mine, lock)
  yield* Effect.promise(() => rm(mine, { force: true }))
  return yield* claim(folder)
})

/** Holds the lock on an existing folder until the scope closes. */
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

/** The pid of the process that holds the folder; undefined if there is no lock, or if its process has ended. */
export const holderOf = (folder: string): Effect.Effect<number | undefined> =>
  Effect.map(readOwner(lockOf(folder)), (owner) => (inUse(folder, owner) ? owner.pid : undefined))

/** A separate PostgreSQL server in a temporary folder, which can be stopped at any time. */
import { execFile } from "node:child_process"
import { chown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Array, Effect, Option, Order, type Scope } from "effect"

export interface Cluster {
  /** Creates an empty database, and returns its URL. */
  readonly database: (name: string) => Effect.Effect<string>
  readonly start: Effect.Effect<void>
  /** Stops like a crash: without a checkpoint and without closing connections, so the next start runs recovery. */
  readonly stopAtOnce: Effect.Effect<void>
  readonly port: number
  /**
   * Starts a server that streams from this one, until the scope closes. `from` is the port that it streams from, if that
   * is another one that leads to this server.
   */
  readonly standby: (options?: { readonly from?: number }) => Effect.Effect<Standby, never, Scope.Scope>
}

export interface Standby extends Cluster {
  /** Makes it a primary. */
  readonly promote: Effect.Effect<void>
}

const run = promisify(execFile)

/** The folder of the server's programs on Debian, newest version first; elsewhere, the answer of `pg_config`. */
const programs: Effect.Effect<Option.Option<string>> = Effect.promise(async () => {
  const versions = await readdir("/usr/lib/postgresql").catch(() => [])
  const debian = Array.sort(versions.map(Number), Order.flip(Order.Number)).map((n) => `/usr/lib/postgresql/${n}/bin`)
  const configured = await run("pg_config", ["--bindir"])
    .then(({ stdout }) => [stdout.trim()])
    .catch(() => [])
  for (const folder of [...debian, ...configured]) {
    const files: ReadonlyArray<string> = await readdir(folder).catch(() => [])
    if (files.includes("initdb") && files.includes("pg_ctl")) return Option.some(folder)
  }
  return Option.none()
})

export const isInstalled: Effect.Effect<boolean> = Effect.map(programs, Option.isSome)

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const bound = server.address()
    server.close(() => resume(Effect.succeed(typeof bound === "object" && bound !== null ? bound.port : 0)))
  })
})

/** The server refuses to run as root. Then it runs as the user `postgres` of its package. */
const isRoot = process.getuid?.() === 0

const as = (program: string, args: ReadonlyArray<string>, cwd: string) =>
  Effect.promise(() =>
    isRoot
      ? run("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, ...args], { cwd })
      : run(program, [...args], { cwd })
  )

const owner = Effect.promise(async () => (isRoot ? (await run("id", ["-u", "postgres"])).stdout.trim() : "0"))

const mounted = Effect.fnUntraced(function* (place: string, megabytes: number) {
  const options = `size=${megabytes}m,mode=700,uid=${yield* owner}`
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await mkdir(place)
      await run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", place])
    }),
    () => Effect.promise(() => run("umount", ["--lazy", place]))
  )
})

/** Whether this user can mount a disk in memory. */
export const canMount: Effect.Effect<boolean> = Effect.scoped(
  Effect.gen(function* () {
    const made = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "posthorn-mount-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
    )
    yield* mounted(join(made, "disk"), 1)
    return true
  })
).pipe(Effect.catchCause(() => Effect.succeed(false)))

const folder = Effect.acquireRelease(
  Effect.flatMap(owner, (uid) =>
    Effect.promise(async () => {
      const made = await mkdtemp(join(tmpdir(), "posthorn-cluster-"))
      if (isRoot) {
        await chown(made, Number(uid), 0)
      }
      return made
    })
  ),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** Stops as a crash does, also when the scope closes. */
const served = Effect.fnUntraced(function* (bin: string, home: string): Effect.fn.Return<Standby, never, Scope.Scope> {
  const data = join(home, "data")
  const port = yield* freePort
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home}`
  const control = (...args: ReadonlyArray<string>) => Effect.asVoid(as(`${bin}/pg_ctl`, [...args, "-D", data], home))
  const start = control("start", "-w", "-l", join(home, "log"), "-o", options)
  const stopAtOnce = control("stop", "-m", "immediate")
  yield* Effect.acquireRelease(start, () => Effect.ignoreCause(stopAtOnce))
  const database = Effect.fnUntraced(function* (name: string) {
    yield* as(`${bin}/createdb`, ["-h", "127.0.0.1", "-p", String(port), "-U", "posthorn", name], home)
    return `postgres://posthorn@127.0.0.1:${port}/${name}`
  })
  const standby = Effect.fnUntraced(function* ({ from = port }: { readonly from?: number } = {}) {
    const other = yield* folder
    const source = ["-h", "127.0.0.1", "-p", String(from), "-U", "posthorn"]
    yield* as(
      `${bin}/pg_basebackup`,
      [...source, "-D", join(other, "data"), "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"],
      other
    )
    return yield* served(bin, other)
  })
  return { database, start, stopAtOnce, port, standby, promote: control("promote", "-w") }
})

const started = Effect.fnUntraced(function* (
  prepare: (data: string) => Effect.Effect<void, never, Scope.Scope>
): Effect.fn.Return<Cluster, never, Scope.Scope> {
  const found = yield* programs
  if (Option.isNone(found)) return yield* Effect.die(new Error("PostgreSQL is not installed: there is no initdb"))
  const bin = found.value
  const home = yield* folder
  const data = join(home, "data")
  yield* prepare(data)
  yield* as(
    `${bin}/initdb`,
    ["-D", data, "-X", join(home, "log-of-writes"), "-U", "posthorn", "--auth=trust", "--no-sync"],
    home
  )
  return yield* served(bin, home)
})

/** A started server, removed with the scope. Dies if PostgreSQL's programs are not installed. */
export const make: Effect.Effect<Cluster, never, Scope.Scope> = started(() => Effect.void)

/**
 * Its tables are on a memory disk of `megabytes`; its write-ahead log is elsewhere. Needs the right to mount a disk.
 */
export const makeOnSmallDisk = Effect.fnUntraced(function* (megabytes: number) {
  let disk = ""
  const cluster = yield* started((data) =>
    Effect.andThen(
      mounted(data, megabytes),
      Effect.sync(() => (disk = data))
    )
  )
  return { ...cluster, disk }
})

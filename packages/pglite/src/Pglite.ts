/**
 * PostgreSQL inside the process, with the same driver and the same SQL. The bytes go to PGlite instead of a socket.
 *
 * There is one connection. A query outside the context of the running transaction waits for that transaction, so it
 * deadlocks if the transaction awaits it. `LISTEN` is not supported.
 */

import { existsSync } from "node:fs"
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { Effect, type Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { DumpFs } from "./DumpFs.ts"
import { type FolderInUse, holdFolder } from "./FolderLock.ts"

export interface Options {
  /**
   * The folder of the database; it is created if it is missing, for its owner only. Default: in memory, until the layer
   * closes.
   */
  readonly folder?: string | undefined
  /** In memory only: starts from a dump of `dumpDataDir("none")` instead of an empty database. */
  readonly dump?: Uint8Array | undefined
  /** The schema of unqualified names; it need not exist yet. Default: `posthorn`. */
  readonly schema?: string | undefined
}

/** In bytes. Attachments are returned as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024

/**
 * PostgreSQL's own cache of pages. The default of 128 MB lies in the memory of this process and is never returned; the
 * operating system caches the files in any case.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"]

const open = (options: PGliteOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => PGlite.create({ ...options, startParams })),
    (db) => Effect.promise(() => db.close())
  )

/** PGlite makes most of its files readable by all users, whatever the umask. */
const closeFiles = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o600)
  }
}

/**
 * A new database is created beside its place and moved there when it is complete, so a killed start leaves no partial
 * one.
 */
const initialised = Effect.fn("Pglite.initialise")(function* (folder: string) {
  const database = join(folder, "database")
  if (existsSync(database)) return database
  const unfinished = join(folder, "unfinished")
  yield* Effect.promise(() => rm(unfinished, { recursive: true, force: true }))
  yield* Effect.promise(() => mkdir(unfinished, { mode: 0o700 }))
  yield* Effect.scoped(open({ dataDir: unfinished }))
  yield* Effect.promise(() => closeFiles(unfinished))
  yield* Effect.promise(() => rename(unfinished, database))
  return database
})

const acquire = Effect.fnUntraced(function* ({ folder, dump }: Options) {
  if (folder === undefined) return yield* open(dump ? { fs: new DumpFs(dump) } : {})
  const home = resolve(folder)
  yield* Effect.promise(() => mkdir(home, { recursive: true, mode: 0o700 }))
  yield* holdFolder(home)
  const database = yield* initialised(home)
  // PGlite creates files that all users may read, so the folder around them is closed.
  yield* Effect.promise(() => chmod(database, 0o700))
  return yield* open({ dataDir: database })
})

/** The socket of the driver. Messages are answered in order, one at a time. */
const connect = (db: PGlite): Duplex => {
  const socket: Duplex = new Duplex({
    read() {},
    write(message: Buffer, _encoding, done) {
      // Not `execProtocolRaw`: that parses each answer too, and keeps all of its rows until the database closes.
      db.execProtocolRawStream(message, { onRawData: (answer) => socket.push(Buffer.from(answer)) }).then(
        () => done(),
        done
      )
    },
    final(done) {
      socket.push(null)
      done()
    }
  })
  return socket
}

/** PGlite ignores the startup packet's `search_path`. The session lasts as long as the database is open. */
const inSchema = (db: PGlite, schema: string) =>
  Effect.as(
    Effect.promise(() => db.exec(`set search_path to "${schema.replaceAll('"', '""')}"`)),
    db
  )

export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, FolderInUse | SqlError.SqlError> =>
  PgClient.layerFrom(
    Effect.gen(function* () {
      const db = yield* Effect.flatMap(acquire(options), (db) => inSchema(db, options.schema ?? "posthorn"))
      return yield* PgClient.makeClient({ stream: () => connect(db), username: "postgres", maxMessageSize })
    })
  )

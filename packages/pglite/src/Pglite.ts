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
import { Effect, type Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { openCopy } from "./Copies.ts"
import { type DatabaseEngine, openEngine } from "./Engine.ts"
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

const inMemory = (dump: Uint8Array | undefined, schema: string) =>
  Effect.promise(() => (dump === undefined ? openEngine({}, schema) : openCopy(dump, schema)))

const inFolder = (dataDir: string, schema: string) => Effect.promise(() => openEngine({ dataDir }, schema))

const opened = (engine: Effect.Effect<DatabaseEngine>) =>
  Effect.acquireRelease(engine, ({ close }) => Effect.promise(close))

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
  yield* Effect.scoped(opened(inFolder(unfinished, "public")))
  yield* Effect.promise(() => closeFiles(unfinished))
  yield* Effect.promise(() => rename(unfinished, database))
  return database
})

const acquire = Effect.fnUntraced(function* ({ folder, dump, schema = "posthorn" }: Options) {
  if (folder === undefined) return yield* opened(inMemory(dump, schema))
  const home = resolve(folder)
  yield* Effect.promise(() => mkdir(home, { recursive: true, mode: 0o700 }))
  yield* holdFolder(home)
  const database = yield* initialised(home)
  // PGlite creates files that all users may read, so the folder around them is closed.
  yield* Effect.promise(() => chmod(database, 0o700))
  return yield* opened(inFolder(database, schema))
})

/** The socket of the driver. Messages are answered in order, one at a time. */
const connect = (engine: DatabaseEngine): Duplex => {
  const answer = (messages: Uint8Array, done: (error?: Error | null) => void) => {
    engine
      .answer(messages, ({ buffer, byteOffset, length }) => socket.push(Buffer.from(buffer, byteOffset, length)))
      .then(() => done(), done)
  }
  const socket: Duplex = new Duplex({
    read() {},
    write: (message: Buffer, _encoding, done) => answer(message, done),
    final(done) {
      socket.push(null)
      done()
    }
  })
  return socket
}

export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient, FolderInUse | SqlError.SqlError> =>
  PgClient.layerFrom(
    Effect.flatMap(acquire(options), (engine) =>
      PgClient.makeClient({ stream: () => connect(engine), username: "postgres", maxMessageSize })
    )
  )

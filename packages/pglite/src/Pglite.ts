/**
 * PostgreSQL inside the process: same driver, same SQL; the bytes go to PGlite instead of a socket.
 *
 * There is one connection. A query that leaves its transaction's context waits for itself, and `LISTEN` is missing.
 */

import { existsSync } from "node:fs"
import { mkdir, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Duplex } from "node:stream"
import { PgClient } from "@effect/sql-pg"
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"
import { Effect, type Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type FolderInUse, holdFolder } from "./FolderLock.ts"

export interface Options {
  /** Folder of the database; it is made when missing, for its owner only. Default: in memory, gone when the layer closes. */
  readonly folder?: string | undefined
  /** In memory only: start from a dump of `dumpDataDir` instead of an empty database. */
  readonly dump?: Blob | undefined
  /** Schema that queries without a schema mean; it need not exist yet. Default: `posthorn`. */
  readonly schema?: string | undefined
}

/** Bytes; attachments come back as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024

const open = (options: PGliteOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => PGlite.create(options)),
    (db) => Effect.promise(() => db.close())
  )

/** A new database is made next to its place and moved there when it is whole, so a killed start leaves no half of one. */
const initialised = Effect.fn("Pglite.initialise")(function* (folder: string) {
  const database = join(folder, "database")
  if (existsSync(database)) return database
  const unfinished = join(folder, "unfinished")
  yield* Effect.promise(() => rm(unfinished, { recursive: true, force: true }))
  yield* Effect.scoped(open({ dataDir: unfinished }))
  yield* Effect.promise(() => rename(unfinished, database))
  return database
})

const acquire = Effect.fnUntraced(function* ({ folder, dump }: Options) {
  if (folder === undefined) return yield* open(dump ? { loadDataDir: dump } : {})
  const home = resolve(folder)
  yield* Effect.promise(() => mkdir(home, { recursive: true, mode: 0o700 }))
  yield* holdFolder(home)
  return yield* open({ dataDir: yield* initialised(home) })
})

/** The socket the driver believes in. Messages are answered in order, one at a time. */
const connect = (db: PGlite): Duplex => {
  const socket: Duplex = new Duplex({
    read() {},
    write(message: Buffer, _encoding, done) {
      db.execProtocolRaw(message).then((answer) => {
        socket.push(answer)
        done()
      }, done)
    },
    final(done) {
      socket.push(null)
      done()
    }
  })
  return socket
}

/** The startup packet's `search_path` would be ignored; a session lasts as long as the database is open. */
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

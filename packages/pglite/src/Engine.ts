/** PGlite as a server: bytes of the protocol in, bytes out. */
import { PGlite, type PGliteOptions } from "@electric-sql/pglite"

export interface DatabaseEngine {
  /** Answers one or more whole messages of the PostgreSQL protocol. Resolves when the answer is complete. */
  readonly answer: (messages: Uint8Array, onBytes: (bytes: Uint8Array) => void) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * PostgreSQL's own cache of pages. The default of 128 MB lies in the memory of this process and is never returned; the
 * operating system caches the files in any case.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"]

export const startDatabase = (options: PGliteOptions): Promise<PGlite> => PGlite.create({ ...options, startParams })

/** PGlite ignores the startup packet's `search_path`. The session lasts as long as the database is open. */
export const engineOf = async (db: PGlite, schema: string, close: () => Promise<void>): Promise<DatabaseEngine> => {
  await db.exec(`set search_path to "${schema.replaceAll('"', '""')}"`)
  return {
    // Not `execProtocolRaw`: that parses each answer too, and keeps all of its rows until the database closes. PGlite
    // reuses the memory of an answer, so its bytes are copied.
    answer: (messages, onBytes) => db.execProtocolRawStream(messages, { onRawData: (part) => onBytes(part.slice()) }),
    close
  }
}

export const openEngine = async (options: PGliteOptions, schema: string): Promise<DatabaseEngine> => {
  const db = await startDatabase(options)
  return engineOf(db, schema, () => db.close())
}

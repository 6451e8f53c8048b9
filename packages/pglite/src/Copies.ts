/**
 * Databases in memory that start as copies of a dump. When one is closed, its memory and its files become what they were
 * after its start, and it is the next copy. That takes a tenth of the time of a start.
 */
import type { PGlite } from "@electric-sql/pglite"
import { DumpFs } from "./DumpFs.ts"
import { type DatabaseEngine, engineOf, startDatabase } from "./Engine.ts"

interface DatabaseCopy {
  readonly db: PGlite
  readonly libraries: string
  readonly restore: () => void
}

const step = 64 * 1024
const zeros = Buffer.alloc(step)

const memoryOf = (db: PGlite): Buffer => {
  const { buffer }: Uint8Array = db.Module["HEAPU8"]
  return Buffer.from(buffer)
}

/** Returns what makes the memory what it is now. To compare is cheaper than to write, and most steps never change. */
const keepMemory = (db: PGlite): (() => void) => {
  const memory = memoryOf(db)
  const kept = Array.from({ length: memory.length / step }, (_, index) => {
    const part = memory.subarray(index * step, (index + 1) * step)
    return part.equals(zeros) ? zeros : Buffer.from(part)
  })
  return () => {
    const now = memoryOf(db)
    for (let at = 0; at < now.length; at += step) {
      const part = now.subarray(at, at + step)
      const before = kept[at / step] ?? zeros
      if (!part.equals(before)) part.set(before)
    }
  }
}

/**
 * The libraries that PostgreSQL has loaded. One that is loaded later would be missing from the memory that is restored,
 * and be there for the module around it.
 */
const librariesOf = async (db: PGlite): Promise<string> =>
  JSON.stringify((await db.query("select file_name from pg_get_loaded_modules() order by 1")).rows)

const start = async (dump: Uint8Array): Promise<DatabaseCopy> => {
  const fs = new DumpFs(dump)
  const db = await startDatabase({ fs })
  await db.exec("load 'plpgsql'; load 'dict_snowball'")
  const libraries = await librariesOf(db)
  const [restoreFiles, restoreMemory] = [fs.keep(), keepMemory(db)]
  return {
    db,
    libraries,
    restore: () => {
      restoreMemory()
      restoreFiles()
    }
  }
}

/** The most that wait for their next use, as each takes the memory of a database. */
const most = 2
const idle = new WeakMap<Uint8Array, Array<DatabaseCopy>>()

const restored = async (copy: DatabaseCopy): Promise<boolean> => {
  try {
    await copy.db.exec("rollback")
    if ((await librariesOf(copy.db)) !== copy.libraries) return false
    copy.restore()
    await copy.db.query("select 1")
    copy.restore()
    return true
  } catch {
    return false
  }
}

/** Keeps a closed copy for its next use. Ends one that cannot be restored. */
const giveBack = async (dump: Uint8Array, copy: DatabaseCopy): Promise<void> => {
  const isRestored = await restored(copy)
  const waiting = idle.get(dump) ?? []
  if (!isRestored || waiting.length >= most) return await copy.db.close()
  waiting.push(copy)
  idle.set(dump, waiting)
}

/** A database that starts as this dump. To close it makes it the next one. */
export const openCopy = async (dump: Uint8Array, schema: string): Promise<DatabaseEngine> => {
  const copy = idle.get(dump)?.pop() ?? (await start(dump))
  return engineOf(copy.db, schema, () => giveBack(dump, copy))
}

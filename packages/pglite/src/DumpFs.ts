/** The files of a database in memory that starts as a copy of a dump. */
import { MemoryFS, PGlite } from "@electric-sql/pglite"

/** What PGlite's file system in memory has for a file or a folder. */
interface Node {
  contents: Uint8Array
  usedBytes: number
  readonly node_ops: { readonly mknod: (parent: Node, name: string, mode: number, device: number) => Node }
}

interface Files {
  readonly mkdirTree: (path: string) => void
  readonly lookupPath: (path: string) => { readonly node: Node }
}

const block = 512
const [isFile, isFolder] = [0o100_000, 0o040_000]

/** A header of the ustar format: a text of `length` bytes, ended by a zero byte. */
const textAt = (tar: Uint8Array, at: number, length: number): string => {
  const bytes = tar.subarray(at, at + length)
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
}

const octalAt = (tar: Uint8Array, at: number, length: number): number =>
  Number.parseInt(textAt(tar, at, length).trim() || "0", 8)

/**
 * Reads the dump itself. `loadDataDir` of PGlite looks up the path of each file several times and copies its bytes
 * as often, which takes longer than the start of PostgreSQL.
 */
export class DumpFs extends MemoryFS {
  readonly #dump: Uint8Array

  /** An archive of `dumpDataDir("none")`. It is copied and not changed. */
  constructor(dump: Uint8Array) {
    super()
    this.#dump = dump
  }

  override async initialSyncFs(): Promise<void> {
    const files = this.pg?.Module.FS as unknown as Files
    const home = PGlite.paths.PGDATA
    files.mkdirTree(home)
    const folders = new Map([["", files.lookupPath(home).node]])
    // The files of the database are parts of this copy until they grow.
    const tar = new Uint8Array(this.#dump)
    for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
      const [path, mode, size] = [textAt(tar, at, 100), octalAt(tar, at + 100, 8), octalAt(tar, at + 124, 12)]
      const kind = textAt(tar, at + 156, 1)
      const names = path.split("/").filter((name) => name !== "" && name !== ".")
      const [name, inside] = [names.at(-1), names.slice(0, -1).join("/")]
      at += block
      if (name !== undefined) {
        const parent = folders.get(inside)
        if (parent === undefined) throw new Error(`The dump has ${path} before its folder.`)
        const node = parent.node_ops.mknod(parent, name, (mode & 0o777) | (kind === "5" ? isFolder : isFile), 0)
        if (kind === "5") folders.set(names.join("/"), node)
        else if (size > 0) {
          node.contents = tar.subarray(at, at + size)
          node.usedBytes = size
        }
      }
      at += Math.ceil(size / block) * block
    }
  }
}

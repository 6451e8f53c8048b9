/** The files of a database in memory that starts as a copy of a dump. */
import { MemoryFS, PGlite } from "@electric-sql/pglite"

/** What PGlite's file system in memory has for a file or a folder. */
interface Node {
  contents: Uint8Array
  usedBytes: number
  stream_ops: StreamOperations
  readonly node_ops: { readonly mknod: (parent: Node, name: string, mode: number, device: number) => Node }
}

interface StreamOperations {
  readonly write: (stream: { readonly node: Node }, ...rest: ReadonlyArray<unknown>) => number
}

/** The operations of files whose bytes others share: the first write of a file copies them. */
const copiedOnWrite = (operations: StreamOperations, shared: Set<Node>): StreamOperations => ({
  ...operations,
  write(stream, ...rest) {
    // `slice` of a `Buffer` would still share the bytes.
    if (shared.delete(stream.node)) stream.node.contents = new Uint8Array(stream.node.contents)
    return operations.write(stream, ...rest)
  }
})

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

/** A file or a folder of a dump. */
interface Entry {
  readonly folder: string
  readonly name: string
  readonly mode: number
  /** Undefined for a folder. */
  readonly contents: Uint8Array | undefined
}

const entriesOf = (tar: Uint8Array): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  for (let at = 0; at + block <= tar.length && tar[at] !== 0; ) {
    const [path, mode, size] = [textAt(tar, at, 100), octalAt(tar, at + 100, 8), octalAt(tar, at + 124, 12)]
    const folder = textAt(tar, at + 156, 1) === "5"
    const names = path.split("/").filter((name) => name !== "" && name !== ".")
    at += block
    const name = names.pop()
    if (name !== undefined) {
      entries.push({
        folder: names.join("/"),
        name,
        mode: (mode & 0o777) | (folder ? isFolder : isFile),
        contents: folder ? undefined : tar.subarray(at, at + size)
      })
    }
    at += Math.ceil(size / block) * block
  }
  return entries
}

const read = new WeakMap<Uint8Array, ReadonlyArray<Entry>>()

/**
 * Reads the dump itself. `loadDataDir` of PGlite looks up the path of each file several times and copies its bytes
 * as often, which takes longer than the start of PostgreSQL. Databases of one dump share the bytes of a file until
 * they write to it.
 */
export class DumpFs extends MemoryFS {
  readonly #dump: Uint8Array

  /** An archive of `dumpDataDir("none")`. It is not changed, and must not change. */
  constructor(dump: Uint8Array) {
    super()
    this.#dump = dump
  }

  override async initialSyncFs(): Promise<void> {
    const entries = read.get(this.#dump) ?? entriesOf(this.#dump)
    read.set(this.#dump, entries)
    const files = this.pg?.Module.FS as unknown as Files
    const home = PGlite.paths.PGDATA
    files.mkdirTree(home)
    const folders = new Map([["", files.lookupPath(home).node]])
    const shared = new Set<Node>()
    let operations: StreamOperations | undefined
    for (const { folder, name, mode, contents } of entries) {
      const parent = folders.get(folder)
      if (parent === undefined) throw new Error(`The dump has ${folder}/${name} before its folder.`)
      const node = parent.node_ops.mknod(parent, name, mode, 0)
      if (contents === undefined) folders.set(folder === "" ? name : `${folder}/${name}`, node)
      else if (contents.length > 0) {
        node.contents = contents
        node.usedBytes = contents.length
        shared.add(node)
        operations ??= copiedOnWrite(node.stream_ops, shared)
        node.stream_ops = operations
      }
    }
  }
}

/** The files of a database in memory that starts as a copy of a dump. */
import { MemoryFS, PGlite } from "@electric-sql/pglite"

/** What PGlite's file system in memory has for a file or a folder. */
interface Node {
  /** The bytes of a file, the entries of a folder. */
  contents: Uint8Array | Record<string, Node> | null
  usedBytes: number
  stream_ops: StreamOperations
  readonly node_ops: { readonly mknod: (parent: Node, name: string, mode: number, device: number) => Node }
  /** The next node with the same hash of its name. */
  name_next?: Node | undefined
}

/** An open file. */
interface Stream {
  readonly shared: object
  stream_ops: StreamOperations
}

interface StreamOperations {
  readonly write: (stream: { readonly node: Node }, ...rest: ReadonlyArray<unknown>) => number
}

const zeros = Buffer.alloc(64 * 1024)

/** Without the zeros at its end, which a new array has: a log of 16 MB is mostly zeros. */
const copyOf = (contents: Node["contents"]): Node["contents"] => {
  if (!(contents instanceof Uint8Array)) return contents
  let length = contents.length
  while (length >= zeros.length && zeros.equals(contents.subarray(length - zeros.length, length)))
    length -= zeros.length
  const copy = new Uint8Array(contents.length)
  copy.set(contents.subarray(0, length))
  return copy
}

/** The operations of files whose bytes others share: the first write of a file copies them. */
const copiedOnWrite = (operations: StreamOperations, shared: Set<Node>): StreamOperations => ({
  ...operations,
  write(stream, ...rest) {
    if (shared.delete(stream.node)) stream.node.contents = copyOf(stream.node.contents)
    return operations.write(stream, ...rest)
  }
})

interface Files {
  nameTable: Array<Node | undefined>
  streams: Array<Stream | undefined>
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
  /** The files whose first write copies them. */
  readonly #shared = new Set<Node>()
  #plain: StreamOperations | undefined
  #operations: StreamOperations | undefined

  /** An archive of `dumpDataDir("none")`. It is not changed, and must not change. */
  constructor(dump: Uint8Array) {
    super()
    this.#dump = dump
  }

  override async initialSyncFs(): Promise<void> {
    const entries = read.get(this.#dump) ?? entriesOf(this.#dump)
    read.set(this.#dump, entries)
    const files = this.#files
    const home = PGlite.paths.PGDATA
    files.mkdirTree(home)
    const folders = new Map([["", files.lookupPath(home).node]])
    for (const { folder, name, mode, contents } of entries) {
      const parent = folders.get(folder)
      if (parent === undefined) throw new Error(`The dump has ${folder}/${name} before its folder.`)
      const node = parent.node_ops.mknod(parent, name, mode, 0)
      if (contents === undefined) folders.set(folder === "" ? name : `${folder}/${name}`, node)
      else {
        if (contents.length > 0) {
          node.contents = contents
          node.usedBytes = contents.length
          this.#shared.add(node)
        }
        this.#copying(node)
      }
    }
  }

  /** Lets a write to a file, or through an open file, copy the bytes if others share them. */
  #copying(file: Node | Stream): void {
    this.#plain ??= file.stream_ops
    this.#operations ??= copiedOnWrite(this.#plain, this.#shared)
    if (file.stream_ops === this.#plain) file.stream_ops = this.#operations
  }

  get #files(): Files {
    return this.pg?.Module.FS as unknown as Files
  }

  /** Returns what makes all files and folders, and the open files, what they are now. It can be used any number of times. */
  keep(): () => void {
    const files = this.#files
    const names = [...files.nameTable]
    for (const stream of files.streams) if (stream) this.#copying(stream)
    const streams = files.streams.map((stream) => stream && ([stream, { ...stream }, { ...stream.shared }] as const))
    const nodes: Array<() => void> = []
    for (let node of names) {
      for (; node !== undefined; node = node.name_next) nodes.push(this.#keepNode(node))
    }
    const restore = () => {
      for (const restoreNode of nodes) restoreNode()
      files.nameTable.splice(0, files.nameTable.length, ...names)
      files.streams.length = 0
      for (const [index, open] of streams.entries()) {
        if (open) files.streams[index] = Object.assign(open[0], open[1], { shared: { ...open[2] } })
      }
    }
    restore()
    return restore
  }

  #keepNode(node: Node): () => void {
    if (node.contents instanceof Uint8Array) {
      this.#copying(node)
      const before = { ...node }
      return () => {
        Object.assign(node, before)
        this.#shared.add(node)
      }
    }
    const before = { ...node }
    const entries = node.contents && { ...node.contents }
    return () => Object.assign(node, before, entries && { contents: { ...entries } })
  }
}

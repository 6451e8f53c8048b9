/** Files that hold one record of the service each, as `pull` writes them. */
import { Effect, FileSystem, Path } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Optional.ts"

export const folderOption = Flag.String("folder").pipe(
  Flag.withMetavar("<folder>"),
  Flag.withDescription("Where the files go; this folder unless said otherwise"),
  optional
)

/** A name that every file system takes; empty where nothing is left of it. */
const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase()
    .slice(0, 60)

const failed = (file: string) => (error: { readonly reason: { readonly _tag: string } }) =>
  new CommandFailure({
    exit: "failed",
    code: "FILE_NOT_WRITTEN",
    message: `The file ${file} cannot be written (${error.reason._tag}).`
  })

/**
 * Makes the folder; what it gives back writes one record's text and tells the file. Names that would be the same are
 * numbered, files that are there are replaced. `kind` names what has no letter in its name.
 */
export const writerInto = Effect.fnUntraced(function* (folder: string, kind: string, extension: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), failed(folder))
  const taken = new Set<string>()
  return Effect.fnUntraced(function* (name: string, text: string) {
    const base = plain(name) || kind
    let file = base
    for (let n = 2; taken.has(file); n++) file = `${base}-${n}`
    taken.add(file)
    const target = path.join(folder, `${file}.${extension}`)
    yield* Effect.mapError(fs.writeFileString(target, text), failed(target))
    return target
  })
})

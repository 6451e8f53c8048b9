/** Writes each resource of the service to a file, for `pull`. */

import { Effect, FileSystem, Path } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Options.ts"

export const folderOption = Flag.String("folder").pipe(
  Flag.withMetavar("<folder>"),
  Flag.withDescription("Folder for the files; default: the current folder"),
  optional
)

/** A name that every file system accepts; empty if no character remains. */
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
 * Creates the folder and returns a function that writes one text and returns its file. `others` are more files of the
 * same name, by extension. `ending` replaces the extension. Equal names get a number, and existing files are replaced.
 * A resource whose name has no letters gets the name `kind`.
 */
export const writerInto = Effect.fnUntraced(function* (folder: string, kind: string, extension: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), failed(folder))
  const taken = new Set<string>()
  return Effect.fnUntraced(function* (
    name: string,
    text: string,
    others: ReadonlyMap<string, string> = new Map(),
    ending = extension
  ) {
    const base = plain(name) || kind
    let file = base
    for (let n = 2; taken.has(file); n++) file = `${base}-${n}`
    taken.add(file)
    const target = path.join(folder, `${file}.${ending}`)
    for (const [suffix, content] of [[ending, text] as const, ...others]) {
      const written = path.join(folder, `${file}.${suffix}`)
      yield* Effect.mapError(fs.writeFileString(written, content), failed(written))
    }
    return target
  })
})

/**
 * Partials as files in the folder `_partials` beside those of templates: `name.html` is the HTML, `name.txt` the text
 * for text parts. They have no front matter.
 */
import type { Partial } from "@posthorn/client"
import { type PartialSources, partialNames } from "@posthorn/core/content/rendering/Partials"
import { Effect, FileSystem, Path, Stream } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Api } from "./Api.ts"

export const partialsFolder = "_partials"

/** Editors end a file with a line break that is not part of the text. */
const lineBreakAtEnd = /\r?\n$/

export interface PartialFile {
  readonly file: string
  readonly name: string
  readonly body: string
  readonly text: string | null
}

export const everyPartial = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ partials }) => partials.list({ pageSize: 100 })))
})

/** The partials of a folder of templates. Each one comes after the partials that it uses. */
export const readPartialFiles = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.join(folder, partialsFolder)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(place), (): Array<string> => [])
  const read = (name: string) =>
    fs.readFileString(path.join(place, name)).pipe(
      Effect.map((text) => text.replace(lineBreakAtEnd, "")),
      Effect.mapError(({ reason }) => wrongUsage(`The file ${path.join(place, name)} cannot be read (${reason._tag}).`))
    )
  const files = yield* Effect.forEach(
    names.filter((name) => name.endsWith(".html")).toSorted(),
    Effect.fnUntraced(function* (file) {
      const name = file.slice(0, -".html".length)
      const text = names.includes(`${name}.txt`) ? yield* read(`${name}.txt`) : null
      return { file: path.join(place, file), name, body: yield* read(file), text } satisfies PartialFile
    })
  )
  return inOrder(files)
})

const inOrder = (files: ReadonlyArray<PartialFile>): ReadonlyArray<PartialFile> => {
  const byName = new Map(files.map((file) => [file.name, file]))
  const ordered = new Set<PartialFile>()
  const seen = new Set<string>()
  const add = (file: PartialFile) => {
    if (seen.has(file.name)) return
    seen.add(file.name)
    for (const name of partialNames(file.body, file.text)) {
      const inner = byName.get(name)
      if (inner !== undefined) add(inner)
    }
    ordered.add(file)
  }
  for (const file of files) add(file)
  return [...ordered]
}

export const sourcesOf = (partials: ReadonlyArray<Pick<Partial, "name" | "body" | "text">>): PartialSources =>
  new Map(partials.map(({ name, body, text }) => [name, { body, text }]))

/** Writes the partials into the folder, and returns their files by name. */
export const writePartialFiles = Effect.fnUntraced(function* (folder: string, partials: ReadonlyArray<Partial>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const place = path.join(folder, partialsFolder)
  const failed = (file: string) => (error: { readonly reason: { readonly _tag: string } }) =>
    new CommandFailure({
      exit: "failed",
      code: "FILE_NOT_WRITTEN",
      message: `The file ${file} cannot be written (${error.reason._tag}).`
    })
  if (partials.length > 0) yield* Effect.mapError(fs.makeDirectory(place, { recursive: true }), failed(place))
  return yield* Effect.forEach(
    partials,
    Effect.fnUntraced(function* ({ id, name, body, text }) {
      const write = (ending: string, content: string) => {
        const file = path.join(place, `${name}.${ending}`)
        return Effect.as(Effect.mapError(fs.writeFileString(file, `${content}\n`), failed(file)), file)
      }
      const file = yield* write("html", body)
      if (text !== null) yield* write("txt", text)
      return { id, name, file }
    })
  )
})

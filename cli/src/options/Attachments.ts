/** Files to attach to an email. */
import type { Attachment } from "@posthorn/client"
import { Effect, FileSystem, Path } from "effect"
import { Base64 } from "effect/encoding"
import { wrongUsage } from "../Failure.ts"

/** Each file has its own name, which determines its type. */
export const attachmentsOf = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* Effect.forEach(files, (file) =>
    fs.readFile(file).pipe(
      Effect.map((bytes): Attachment => ({ filename: path.basename(file), content: Base64.encode(bytes) })),
      Effect.mapError(({ reason }) => wrongUsage(`The attachment ${file} cannot be read (${reason._tag}).`))
    )
  )
})

/** Sends the mails of a file, one JSON object on each line, in batches. */
import { createHash } from "node:crypto"
import type { BatchDefaults, BatchItem, SentBatch } from "@posthorn/client"
import { Effect, FileSystem, Path, Schema, Stream } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Api } from "./Api.ts"

/** The most lines of one batch. */
const step = 500

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** A line of the file, from 1. */
interface Line {
  readonly number: number
  readonly text: string
}

/** The result of a line. */
export interface LineResult {
  readonly line: number
  readonly result: SentBatch["data"]["results"][number]
}

const unreadable = (file: string) => (error: { readonly reason: { readonly _tag: string } }) =>
  wrongUsage(`The file ${file} cannot be read (${error.reason._tag}).`)

/** Derived from the file name and the line, so that a second run sends only what the first one did not. */
const keyOf = (name: string, { number, text }: Line): string => {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return `${name.replace(/[^\x20-\x7e]/g, "_").slice(-200)}:${number}:${hash}`
}

/** The results in the order of the lines. Without `atomic`, a faulty line does not stop the others. */
export const sendFile = (
  file: string,
  defaults: BatchDefaults,
  atomic: boolean
): Stream.Stream<LineResult, CommandFailure, Api | FileSystem.FileSystem | Path.Path> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { basename } = yield* Path.Path
      const { call } = yield* Api
      const name = basename(file)

      const itemOf = (line: Line): Effect.Effect<BatchItem, CommandFailure> => {
        const item = decode(line.text)
        if (item._tag === "None") {
          return Effect.fail(wrongUsage(`Line ${line.number} of ${file} is not a JSON object.`))
        }
        // The service checks the fields.
        return Effect.succeed({ idempotencyKey: keyOf(name, line), ...item.value } as unknown as BatchItem)
      }

      /** Replaces positions in the batch with lines of the file. */
      const inFile = (lines: ReadonlyArray<Line>) => (failure: CommandFailure) =>
        new CommandFailure({
          ...failure,
          errors: failure.errors?.map(({ field, message }) => ({
            field: field.replace(/^emails\.(\d+)/, (_, index) => `line ${lines[Number(index)]?.number}`),
            message
          }))
        })

      const sendLines = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
        const emails = yield* Effect.forEach(lines, itemOf)
        const { results } = yield* call(({ batch }) =>
          batch({ emails, defaults, atomic }, { idempotencyMode: "replay" })
        ).pipe(Effect.mapError(inFile(lines)))
        return results.map((result, n): LineResult => ({ line: lines[n]?.number ?? 0, result }))
      })

      return fs.stream(file).pipe(
        Stream.mapError(unreadable(file)),
        Stream.decodeText(),
        Stream.splitLines,
        Stream.zipWithIndex,
        Stream.map(([text, index]): Line => ({ number: index + 1, text })),
        Stream.filter(({ text }) => text.trim() !== ""),
        Stream.grouped(step),
        Stream.mapEffect(sendLines),
        Stream.flattenIterable
      )
    })
  )

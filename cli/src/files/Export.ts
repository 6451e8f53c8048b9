/** Writes files: each resource of the service for `pull`, and exported rows with a progress bar. */
import { Effect, FileSystem, Path, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Json } from "../Json.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { progress } from "../output/Progress.ts"

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

export const exportOptions = {
  out: Flag.String("out").pipe(
    Flag.withMetavar("<file>"),
    Flag.withDescription("File to write, instead of standard output"),
    optional
  ),
  format: Flag.Literals("format", ["csv", "ndjson"]).pipe(
    Flag.withDescription("Default csv; ndjson with --json to standard output"),
    optional
  )
}

interface ExportOptions {
  readonly out: string | undefined
  readonly format: "csv" | "ndjson" | undefined
}

export const formatOf = ({ out, format }: ExportOptions) =>
  Effect.map(Json, (json): "csv" | "ndjson" => format ?? (out === undefined && json ? "ndjson" : "csv"))

const brokenOff = (error: unknown) =>
  new CommandFailure({
    exit: "unreachable",
    code: "NETWORK_ERROR",
    message: `The export broke off: ${error instanceof Error ? error.message : String(error)}.`,
    suggestion: "The output is incomplete. Run the export again."
  })

const lineFeed = 10

/** Rows in a part of the file. A CSV row may contain line breaks, so the number is only for display. */
const rowsIn = (bytes: Uint8Array): number => bytes.reduce((count, byte) => (byte === lineFeed ? count + 1 : count), 0)

/** `total` is the number of rows, undefined if it is not known in advance. */
export const writeExport = Effect.fnUntraced(function* (
  body: ReadableStream<Uint8Array>,
  out: string | undefined,
  format: "csv" | "ndjson",
  total: Effect.Effect<number | undefined, CommandFailure>
) {
  const stdio = yield* Stdio.Stdio
  const fs = yield* FileSystem.FileSystem
  const file = Stream.fromReadableStream({ evaluate: () => body, onError: brokenOff })
  if (out === undefined) return yield* Stream.run(file, stdio.stdout({ endOnDone: false }))
  const bar = yield* progress("rows")
  const expected = yield* total
  let bytes = 0
  let rows = format === "csv" ? -1 : 0
  const counted = Stream.tap(file, (chunk) => {
    bytes += chunk.length
    rows += rowsIn(chunk)
    return bar.show(Math.max(rows, 0), expected)
  })
  yield* Stream.run(counted, fs.sink(out)).pipe(
    Effect.catchTag("PlatformError", ({ reason }) =>
      Effect.fail(wrongUsage(`The file ${out} cannot be written (${reason._tag}).`))
    ),
    Effect.ensuring(bar.clear)
  )
  yield* Output.one(
    { file: out, format, bytes },
    {
      rows: [
        ["written", out],
        ["bytes", bytes]
      ]
    }
  )
})

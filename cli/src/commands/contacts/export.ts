import { Effect, FileSystem, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../../Failure.ts"
import { Json } from "../../Json.ts"
import { optional } from "../../options/Optional.ts"
import { subscribed } from "../../options/Subscribed.ts"
import * as Output from "../../output/Output.ts"
import { progress } from "../../output/Progress.ts"

const brokenOff = (error: unknown) =>
  new CommandFailure({
    exit: "unreachable",
    code: "NETWORK_ERROR",
    message: `The export broke off: ${error instanceof Error ? error.message : String(error)}.`,
    suggestion: "What was written so far is not complete. Export again."
  })

const lineFeed = 10

/** Rows in a piece of the file; a CSV row may have line breaks of its own, so this is for the eye alone. */
const rowsIn = (bytes: Uint8Array): number => bytes.reduce((count, byte) => (byte === lineFeed ? count + 1 : count), 0)

export const exportContacts = Command.make(
  "export",
  {
    out: Flag.String("out").pipe(
      Flag.withMetavar("<file>"),
      Flag.withDescription("File to write, instead of standard output"),
      optional
    ),
    format: Flag.Literals("format", ["csv", "ndjson"]).pipe(
      Flag.withDescription("csv unless said otherwise; ndjson with --json to standard output"),
      optional
    ),
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this text in them"), optional),
    subscribed: subscribed("Only subscribed contacts, or with --no-subscribed the others"),
    segmentId: Flag.String("segment-id").pipe(Flag.withDescription("Only members of this segment"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ out, format, search, subscribed, segmentId }) {
    const { call } = yield* Api
    const stdio = yield* Stdio.Stdio
    const fs = yield* FileSystem.FileSystem
    const lines = out === undefined && (yield* Json) ? "ndjson" : "csv"
    const query = { format: format ?? lines, search, subscribed, segmentId }
    const body = yield* call(({ contacts }) => contacts.export(query))
    const file = Stream.fromReadableStream({ evaluate: () => body, onError: brokenOff })
    if (out === undefined) return yield* Stream.run(file, stdio.stdout({ endOnDone: false }))
    const bar = yield* progress("rows")
    // A segment's members are not counted beforehand.
    const total =
      segmentId === undefined
        ? (yield* call(({ contacts }) => contacts.list({ search, subscribed, limit: 1 }).page())).total
        : undefined
    let bytes = 0
    let rows = query.format === "csv" ? -1 : 0
    const counted = Stream.tap(file, (chunk) => {
      bytes += chunk.length
      rows += rowsIn(chunk)
      return bar.show(Math.max(rows, 0), total)
    })
    yield* Stream.run(counted, fs.sink(out)).pipe(
      Effect.catchTag("PlatformError", ({ reason }) =>
        Effect.fail(wrongUsage(`The file ${out} cannot be written (${reason._tag}).`))
      ),
      Effect.ensuring(bar.clear)
    )
    yield* Output.one(
      { file: out, format: query.format, bytes },
      {
        rows: [
          ["written", out],
          ["bytes", bytes]
        ]
      }
    )
  })
).pipe(
  Command.withDescription("Write contacts as CSV or NDJSON, to standard output or a file"),
  Command.withExamples([
    { command: "posthorn contacts export --out people.csv" },
    { command: "posthorn contacts export --format ndjson --subscribed | head" }
  ]),
  withApi
)

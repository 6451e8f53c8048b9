import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import * as Output from "../../output/Output.ts"
import { segmentHead, segmentRow } from "../../output/SegmentText.ts"

export const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const segments = yield* call(({ segments }) => segments.list())
    yield* Output.list(Stream.fromIterable(segments), {
      head: segmentHead,
      row: segmentRow,
      none: "The project has no segments yet. Make one with `posthorn segments create <name>`."
    })
  })
).pipe(
  Command.withDescription("List the segments of the project, newest first"),
  Command.withExamples([{ command: "posthorn segments list" }]),
  withApi
)

import { Effect } from "effect"
import { Command } from "effect/cli"
import { withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import * as Output from "../../output/Output.ts"
import { segmentBlocks } from "../../output/SegmentText.ts"

export const show = Command.make(
  "show",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const found = yield* segmentOf(segment)
    yield* Output.one(found, ...segmentBlocks(found))
  })
).pipe(
  Command.withDescription("Show a segment with its condition"),
  Command.withExamples([{ command: "posthorn segments show pro" }]),
  withApi
)

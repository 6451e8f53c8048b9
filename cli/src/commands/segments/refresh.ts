import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import * as Output from "../../output/Output.ts"

export const refresh = Command.make(
  "refresh",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const { call } = yield* Api
    const { id } = yield* segmentOf(segment)
    const refreshed = yield* call(({ segments }) => segments.refresh(id))
    yield* Output.one(refreshed, { rows: [["members", refreshed.memberCount]] })
  })
).pipe(
  Command.withDescription("Count the members of a segment anew; no events, and no memberships are stored"),
  Command.withShortDescription("Count the members of a segment anew"),
  Command.withExamples([{ command: "posthorn segments refresh pro" }]),
  withApi
)

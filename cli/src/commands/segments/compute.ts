import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import * as Output from "../../output/Output.ts"
import { waiting } from "../../output/Progress.ts"

/** A first compute of a large audience writes a row and an event for each member. */
const timeoutMs = 30 * 60_000

export const compute = Command.make(
  "compute",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const { call } = yield* Api
    const { id, name } = yield* segmentOf(segment)
    const computed = yield* waiting(
      `Computing ${name}`,
      call(({ segments }) => segments.compute(id, { timeoutMs }))
    )
    yield* Output.one(computed, {
      rows: [
        ["joined", computed.added],
        ["left", computed.removed],
        ["members", computed.total]
      ]
    })
  })
).pipe(
  Command.withDescription("Recompute the members of a tracked segment now, with an event for each who joins or leaves"),
  Command.withShortDescription("Recompute the members of a tracked segment now"),
  Command.withExamples([{ command: "posthorn segments compute pro" }]),
  withApi
)

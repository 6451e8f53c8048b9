import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import { optional } from "../../options/Optional.ts"
import { segmentOptions } from "../../options/Segment.ts"
import * as Output from "../../output/Output.ts"
import { segmentBlocks } from "../../output/SegmentText.ts"

export const update = Command.make(
  "update",
  {
    segment: segmentArgument,
    name: Flag.String("name").pipe(Flag.withDescription("What it is called; the slug stays"), optional),
    ...segmentOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ segment, name, description, condition, trackMembership, silentStart }) {
    const { call } = yield* Api
    const { id } = yield* segmentOf(segment)
    const body = { name, description, condition, trackMembership, silentStart }
    const updated = yield* call(({ segments }) => segments.update(id, body))
    yield* Output.one(updated, ...segmentBlocks(updated))
  })
).pipe(
  Command.withDescription("Change a segment; what is not given stays"),
  Command.withExamples([
    { command: "posthorn segments update pro --name 'Paying users'" },
    {
      command: "posthorn segments update pro --track-membership --silent-start",
      description: "Tell of those who join or leave from now on"
    }
  ]),
  withApi
)

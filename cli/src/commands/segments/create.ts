import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { optional } from "../../options/Optional.ts"
import { segmentOptions } from "../../options/Segment.ts"
import * as Output from "../../output/Output.ts"
import { segmentBlocks } from "../../output/SegmentText.ts"

export const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What it is called")),
    type: Flag.Literals("type", ["DYNAMIC", "STATIC"]).pipe(
      Flag.withDescription("DYNAMIC: by a condition, unless said otherwise. STATIC: by hand"),
      optional
    ),
    ...segmentOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, type, description, condition, trackMembership, silentStart }) {
    const { call } = yield* Api
    const body = { name, type, description, condition, trackMembership, silentStart }
    const created = yield* call(({ segments }) => segments.create(body))
    yield* Output.one(created, ...segmentBlocks(created))
  })
).pipe(
  Command.withDescription("Make a segment, and count who is in it"),
  Command.withExamples([
    {
      command: `posthorn segments create 'Pro users' --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`
    },
    { command: "posthorn segments create 'New buyers' --condition - --track-membership < condition.json" },
    { command: "posthorn segments create Press --type STATIC", description: "Members are added by hand" }
  ]),
  withApi
)

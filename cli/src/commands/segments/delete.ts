import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "delete",
  { segment: segmentArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, yes }) {
    const { call } = yield* Api
    const { id, name, slug } = yield* segmentOf(segment)
    yield* confirm(`Delete the segment ${name}? Its memberships go with it; the contacts stay.`, yes)
    yield* call(({ segments }) => segments.delete(id))
    yield* Output.one({ id, slug, deleted: true }, { rows: [["deleted", slug]] })
  })
).pipe(
  Command.withDescription("Delete a segment and its memberships, not its contacts; asks first"),
  Command.withExamples([{ command: "posthorn segments delete pro --yes" }]),
  withApi
)

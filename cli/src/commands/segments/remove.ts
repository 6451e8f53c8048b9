import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import { emailPortions, emailsOption } from "../../options/Emails.ts"
import * as Output from "../../output/Output.ts"
import { portionwise } from "../../output/Progress.ts"

export const remove = Command.make(
  "remove",
  { segment: segmentArgument, emails: emailsOption, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, emails }) {
    const { call } = yield* Api
    const portions = yield* emailPortions(emails)
    const { id } = yield* segmentOf(segment)
    const answers = yield* portionwise("Removing", portions, (emails) =>
      call(({ segments }) => segments.removeMembers(id, { emails }))
    )
    const removed = answers.reduce((total, answer) => total + answer.removed, 0)
    const notFound = answers.flatMap((answer) => answer.notFound)
    yield* Output.one(
      { removed, notFound },
      { rows: [["removed", removed]] },
      { name: "not found", head: ["no member"], rows: notFound.map((email) => [email]) }
    )
  })
).pipe(
  Command.withDescription("Remove contacts from a static segment; the contacts stay"),
  Command.withExamples([{ command: "posthorn segments remove press --emails ada@example.com" }]),
  withApi
)

import type { AddedMembers } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { segmentArgument, segmentOf } from "../../api/SegmentOf.ts"
import { emailPortions, emailsOption } from "../../options/Emails.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { portionwise } from "../../output/Progress.ts"

export const add = Command.make(
  "add",
  {
    segment: segmentArgument,
    emails: emailsOption,
    createMissing: Flag.Boolean("create-missing").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Create a contact for each address that has none"),
      optional
    ),
    subscribed: Flag.Boolean("subscribed").pipe(
      Flag.withDescription("State of the contacts that are created: subscribed, or not with --no-subscribed"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ segment, emails, createMissing, subscribed }) {
    const { call } = yield* Api
    const portions = yield* emailPortions(emails)
    const { id } = yield* segmentOf(segment)
    const answers = yield* portionwise("Adding", portions, (emails) =>
      call(({ segments }) => segments.addMembers(id, { emails, createMissing, subscribed }))
    )
    const sum = (field: "added" | "created" | "alreadyMembers") =>
      answers.reduce((total, answer) => total + answer[field], 0)
    const result: AddedMembers = {
      added: sum("added"),
      created: sum("created"),
      alreadyMembers: sum("alreadyMembers"),
      notFound: answers.flatMap(({ notFound }) => notFound)
    }
    yield* Output.one(
      result,
      {
        rows: [
          ["added", result.added],
          ["created", result.created],
          ["already members", result.alreadyMembers]
        ]
      },
      { name: "not found", head: ["not found"], rows: result.notFound.map((email) => [email]) }
    )
  })
).pipe(
  Command.withDescription("Add contacts to a static segment, any number of them"),
  Command.withExamples([
    { command: "posthorn segments add press --emails ada@example.com --emails bo@example.com" },
    { command: "posthorn segments add press --emails - --create-missing < addresses.txt" }
  ]),
  withApi
)

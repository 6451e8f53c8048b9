import { Effect } from "effect"
import { Command } from "effect/cli"
import { withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { contactArgument, contactOf } from "../../api/ContactOf.ts"
import { contactBlocks } from "../../output/ContactText.ts"
import * as Output from "../../output/Output.ts"

export const get = Command.make(
  "get",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const found = yield* contactOf(contact)
    yield* Output.one(found, ...contactBlocks(found))
  })
).pipe(
  Command.withDescription("Show a contact and its custom data"),
  Command.withExamples([{ command: "posthorn contacts get ada@example.com" }]),
  withApi
)

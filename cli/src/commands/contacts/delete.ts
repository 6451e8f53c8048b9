import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { contactArgument, contactOf } from "../../api/ContactOf.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "delete",
  { contact: contactArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact, yes }) {
    const { call } = yield* Api
    const { email, id } = yield* contactOf(contact)
    yield* confirm(`Delete ${email}? Its events go too, and mail that waits for it is cancelled.`, yes)
    yield* call(({ contacts }) => contacts.delete(id))
    yield* Output.one({ id, email, deleted: true }, { rows: [["deleted", email]] })
  })
).pipe(
  Command.withDescription("Delete a contact for good; asks first"),
  Command.withExamples([{ command: "posthorn contacts delete ada@example.com --yes" }]),
  withApi
)

import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { jsonObject } from "../../options/JsonObject.ts"
import { optional } from "../../options/Optional.ts"
import { subscribed } from "../../options/Subscribed.ts"
import { contactBlocks } from "../../output/ContactText.ts"
import * as Output from "../../output/Output.ts"

export const upsert = Command.make(
  "upsert",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the contact")),
    subscribed: subscribed("Subscribe the contact to marketing mail, or unsubscribe it with --no-subscribed"),
    data: jsonObject("data").pipe(
      Flag.withDescription("Custom data, merged into what is there; null deletes a field"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ email, subscribed, data }) {
    const { call } = yield* Api
    const contact = yield* call(({ contacts }) => contacts.upsert({ email, subscribed, data }))
    const happened = { rows: [[contact._meta.isNew ? "created" : "updated", contact.email]] }
    yield* Output.one(contact, happened, ...contactBlocks(contact))
  })
).pipe(
  Command.withDescription("Create a contact, or change the one with this address"),
  Command.withExamples([
    { command: `posthorn contacts upsert ada@example.com --data '{"plan":"pro"}'` },
    { command: "posthorn contacts upsert ada@example.com --no-subscribed" }
  ]),
  withApi
)

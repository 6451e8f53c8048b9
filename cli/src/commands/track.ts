import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { idempotencyKey, jsonObject, optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

export const track = Command.make(
  "track",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Address of the contact")),
    event: Flag.String("event").pipe(
      Flag.withMetavar("<name>"),
      Flag.withDescription("Name of the event, such as signed_up")
    ),
    data: jsonObject("data").pipe(Flag.withDescription("Data of the event; also stored on the contact"), optional),
    subscribed: Flag.Boolean("subscribed").pipe(
      Flag.withDescription("Subscribe the contact to marketing mail, or unsubscribe it with --no-subscribed"),
      optional
    ),
    preserveExistingSubscription: Flag.Boolean("preserve-existing-subscription").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Apply --subscribed only to a new contact"),
      optional
    ),
    idempotencyKey,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ email, event, data, subscribed, preserveExistingSubscription, idempotencyKey }) {
    const { call } = yield* Api
    const body = { email, event, data, subscribed, preserveExistingSubscription }
    const tracked = yield* call(({ track }) => track(body, { idempotencyKey }))
    yield* Output.one(tracked, {
      rows: [
        ["event", tracked.event],
        ["contact", tracked.contact],
        ["timestamp", tracked.timestamp]
      ]
    })
  })
).pipe(
  Command.withDescription("Record an event of a contact; needs the public key"),
  Command.withExamples([
    { command: "posthorn track ada@example.com --event signed_up" },
    { command: `posthorn track ada@example.com --event ordered --data '{"total": 42}' --key pk_...` }
  ]),
  withApi
)

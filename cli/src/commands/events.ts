/** Commands that record and show events: `track` and `events`. */

import type { Event } from "@posthorn/client"
import { Console, Effect, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { eventFeed } from "../api/EventFeed.ts"
import { Json } from "../Json.ts"
import { idempotencyKey, jsonObject, optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { plainLine } from "../output/Table.ts"

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

const row = ({ createdAt, name, contact, data }: Event) =>
  plainLine([createdAt, name, contact?.email, data === null ? "" : JSON.stringify(data)])

const tail = Command.make(
  "tail",
  {
    source: Flag.Literals("source", ["tracked", "system", "all"]).pipe(
      Flag.withDescription("Only tracked events, only events of the service, or all"),
      Flag.withDefault("all")
    ),
    eventName: Flag.String("event-name").pipe(Flag.withDescription("Only events of this name"), optional),
    contactId: Flag.String("contact-id").pipe(Flag.withDescription("Only events of this contact"), optional),
    limit: Flag.Int("limit").pipe(
      Flag.withDefault(10),
      Flag.withDescription("Number of past events to show first; default 10")
    ),
    count: Flag.Int("count").pipe(Flag.withDescription("Exit after this many events"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ source, eventName, contactId, limit, count }) {
    const { stdoutIsTerminal } = yield* Stdio.Stdio
    const text = (yield* Json) || !(yield* stdoutIsTerminal) ? (event: Event) => JSON.stringify(event) : row
    const feed = yield* eventFeed({ source, eventName, contactId }, limit)
    const shown = Stream.take(feed, count ?? Number.POSITIVE_INFINITY)
    yield* Stream.runForEach(shown, (event) => Console.log(text(event)))
  })
).pipe(
  Command.withDescription("Show events as they are recorded; in a pipe or with --json, one line of JSON for each"),
  Command.withExamples([
    { command: "posthorn events tail --event-name signed_up" },
    { command: "posthorn events tail --source system --limit 0 | jq .name", description: "Only new events" }
  ]),
  withApi
)

export const events = Command.make("events").pipe(
  Command.withDescription("Events of contacts and of the emails to them"),
  Command.withExamples([{ command: "posthorn events tail" }]),
  Command.withSubcommands([tail])
)

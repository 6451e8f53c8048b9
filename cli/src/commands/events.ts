import type { Event } from "@posthorn/client"
import { Console, Effect, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { eventFeed } from "../api/EventFeed.ts"
import { Json } from "../Json.ts"
import { optional } from "../options/Options.ts"
import { plainLine } from "../output/Table.ts"

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

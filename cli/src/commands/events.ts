import type { Event } from "@posthorn/client"
import { Console, Effect, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { Json } from "../Json.ts"
import { optional } from "../options/Optional.ts"
import { plainLine } from "../output/Table.ts"

/** Between two requests. */
const pause = "1 second"
/** An event becomes visible when its transaction commits, so it may appear after younger ones. */
const overlapMs = 10_000
const pageLimit = 100

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
    const { items } = yield* Api
    const { stdoutIsTerminal } = yield* Stdio.Stdio
    const text = (yield* Json) || !(yield* stdoutIsTerminal) ? (event: Event) => JSON.stringify(event) : row
    const query = { source, eventName, contactId, limit: pageLimit }
    /** Events that may be returned again, by id, with their time. */
    const shown = new Map<string, number>()
    let newest = 0
    let left = count ?? Number.POSITIVE_INFINITY

    /** The list is newest first, the output oldest first. */
    const show = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
      for (const event of events.toReversed()) {
        if (shown.has(event.id) || left === 0) continue
        const at = Date.parse(event.createdAt)
        shown.set(event.id, at)
        newest = Math.max(newest, at)
        left--
        yield* Console.log(text(event))
      }
      for (const [id, at] of shown) if (at < newest - overlapMs) shown.delete(id)
    })

    /** All events since shortly before the newest one that was shown. */
    const recent = Effect.suspend(() => {
      const startDate = new Date(Math.max(0, newest - overlapMs)).toISOString()
      return Stream.runCollect(items(({ events }) => events.list({ ...query, startDate })))
    })

    const past = yield* Stream.runCollect(
      Stream.take(
        items(({ events }) => events.list(query)),
        Math.max(1, limit)
      )
    )
    newest = Date.parse(past[0]?.createdAt ?? "") || 0
    const before = past.length === 0 ? [] : yield* recent
    yield* show(past.slice(0, limit))
    for (const { id, createdAt } of before) shown.set(id, Date.parse(createdAt))
    while (left > 0) {
      yield* Effect.sleep(pause)
      yield* show(yield* recent)
    }
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

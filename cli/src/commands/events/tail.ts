import type { Event } from "@posthorn/client"
import { Console, Effect, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { Json } from "../../Json.ts"
import { optional } from "../../options/Optional.ts"
import { plainLine } from "../../output/Table.ts"

/** Between two looks. */
const pause = "1 second"
/** An event is recorded with its transaction, so one may show up behind younger ones. */
const overlapMs = 10_000
const pageLimit = 100

const row = ({ createdAt, name, contact, data }: Event) =>
  plainLine([createdAt, name, contact?.email, data === null ? "" : JSON.stringify(data)])

export const tail = Command.make(
  "tail",
  {
    source: Flag.Literals("source", ["tracked", "system", "all"]).pipe(
      Flag.withDescription("Tracked by callers, of the service itself, or all"),
      Flag.withDefault("all")
    ),
    eventName: Flag.String("event-name").pipe(Flag.withDescription("Only events of this name"), optional),
    contactId: Flag.String("contact-id").pipe(Flag.withDescription("Only events of this contact"), optional),
    limit: Flag.Int("limit").pipe(
      Flag.withDefault(10),
      Flag.withDescription("How many of the past are shown first; 10 unless said otherwise")
    ),
    count: Flag.Int("count").pipe(Flag.withDescription("End after so many"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ source, eventName, contactId, limit, count }) {
    const { items } = yield* Api
    const { stdoutIsTerminal } = yield* Stdio.Stdio
    const text = (yield* Json) || !(yield* stdoutIsTerminal) ? (event: Event) => JSON.stringify(event) : row
    const query = { source, eventName, contactId, limit: pageLimit }
    /** Those that may come up again, by id, with their time. */
    const shown = new Map<string, number>()
    let newest = 0
    let left = count ?? Number.POSITIVE_INFINITY

    /** The list is newest first, a tail oldest first. */
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

    /** All since shortly before the newest that was seen. */
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
  Command.withDescription("Show events as they happen; in a pipe, or with --json, a line of JSON for each"),
  Command.withExamples([
    { command: "posthorn events tail --event-name signed_up" },
    { command: "posthorn events tail --source system --limit 0 | jq .name", description: "What happens from now on" }
  ]),
  withApi
)

import { Effect } from "effect"
import { Command } from "effect/cli"
import { Json } from "../Json.ts"
import { listeningOptions } from "../options/Listening.ts"
import { Signals } from "../Signals.ts"

export const dev = Command.make(
  "dev",
  listeningOptions,
  Effect.fnUntraced(function* (options) {
    const { dev } = yield* Effect.promise(() => import("@posthorn/node/Dev"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* dev({ ...options, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Start everything on this machine, with nothing to set up: API, workers, an embedded database, and a mailbox that " +
      "captures all mail. Prints keys and links; the same ones at each start. Commands in the same folder find it by " +
      "themselves."
  ),
  Command.withShortDescription("Start everything on this machine, with nothing to set up"),
  Command.withExamples([
    { command: "posthorn dev" },
    { command: "posthorn dev --port 0 --json", description: "For scripts: one line of JSON once it is ready" }
  ])
)

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Json } from "../Json.ts"
import { optional } from "../options/Options.ts"
import { listeningOptions, portOption } from "../options/Server.ts"
import { Signals } from "../Signals.ts"

export const dev = Command.make(
  "dev",
  {
    ...listeningOptions,
    smtpPort: portOption("smtp-port").pipe(
      Flag.withDescription(
        "SMTP port of the mailbox, 0 for a free one; default: 1025, or a free one if 1025 is in use"
      ),
      optional
    ),
    database: Flag.String("database").pipe(
      Flag.withMetavar("<url>"),
      Flag.withDescription(
        "PostgreSQL URL to use instead of the embedded database. The database is empty, or from an earlier `posthorn dev`. " +
          "POSTHORN_DATABASE_URL is ignored"
      ),
      optional
    ),
    open: Flag.Boolean("open").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Show the mailbox, the clock and /metrics to other machines too, with --host 0.0.0.0")
    )
  },
  Effect.fnUntraced(function* (options) {
    const { dev } = yield* Effect.promise(() => import("@posthorn/node/Dev"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* dev({ ...options, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Start the whole service on this machine without settings: API, workers, an embedded database, and a mailbox that " +
      "captures all mail. Prints keys and links; the same ones at each start. Commands in the same folder find it by " +
      "themselves."
  ),
  Command.withShortDescription("Start the whole service on this machine, without settings"),
  Command.withExamples([
    { command: "posthorn dev" },
    { command: "posthorn dev --port 0 --json", description: "For scripts: one line of JSON once it is ready" }
  ])
)

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Json } from "../Json.ts"
import { optional } from "../options/Options.ts"
import { listeningOptions, noMigrate } from "../options/Server.ts"
import { Signals } from "../Signals.ts"

export const serve = Command.make(
  "serve",
  {
    ...listeningOptions,
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(
      Flag.withDescription(
        "Answer requests (api), send email and run jobs (worker), or both (all); default: POSTHORN_ROLE, then all"
      ),
      optional
    ),
    noMigrate
  },
  Effect.fnUntraced(function* ({ noMigrate, ...options }) {
    const { serve } = yield* Effect.promise(() => import("@posthorn/node/Serve"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* serve({ ...options, migrate: !noMigrate, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Run the service. POSTHORN_ variables configure it, and it migrates the database at its start. SIGTERM ends it in " +
      "order."
  ),
  Command.withShortDescription("Run the service"),
  Command.withExamples([
    { command: "POSTHORN_SMTP_URL=smtp://127.0.0.1:25 posthorn serve", description: "With the embedded database" },
    { command: "posthorn serve --role api --no-migrate", description: "One of many processes" }
  ])
)

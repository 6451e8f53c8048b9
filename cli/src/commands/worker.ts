import { Effect } from "effect"
import { Command } from "effect/cli"
import { Json } from "../Json.ts"
import { listeningOptions, noMigrate } from "../options/Server.ts"
import { Signals } from "../Signals.ts"

export const worker = Command.make(
  "worker",
  { ...listeningOptions, noMigrate },
  Effect.fnUntraced(function* ({ noMigrate, ...options }) {
    const { serve } = yield* Effect.promise(() => import("@posthorn/node/Serve"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* serve({ ...options, role: "worker", migrate: !noMigrate, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Deliver mail and run jobs, without the API, like `posthorn serve --role worker`. With --port it answers health " +
      "checks and serves metrics."
  ),
  Command.withShortDescription("Deliver mail and run jobs, without the API"),
  Command.withExamples([{ command: "posthorn worker" }, { command: "posthorn worker --port 9090" }])
)

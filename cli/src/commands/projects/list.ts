import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectRecord } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const list = Command.make(
  "list",
  databaseOptions,
  Effect.fnUntraced(function* () {
    const { projects } = yield* Operator
    yield* Output.list(Stream.fromIterable((yield* projects.list).map(projectRecord)), {
      head: ["name", "state", "id", "public key"],
      row: ({ name, disabledReason, id, publicKey }) => [name, disabledReason ?? "enabled", id, publicKey],
      none: "There are no projects yet. `posthorn accounts create` makes an account with its first one."
    })
  })
).pipe(
  Command.withDescription("List the projects of the installation"),
  Command.withExamples([{ command: "posthorn projects list --json" }]),
  withOperator
)

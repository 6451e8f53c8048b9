import { DateTime, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const audit = Command.make(
  "audit",
  {
    project: projectArgument,
    limit: Flag.Int("limit").pipe(Flag.withDefault(100), Flag.withDescription("How many entries at most")),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ project: nameOrId, limit }) {
    const { audit } = yield* Operator
    const { id } = yield* projectOf(nameOrId)
    const entries = (yield* audit.ofProject(id, Math.max(1, limit))).map(({ at, ...entry }) => ({
      at: DateTime.formatIso(at),
      ...entry
    }))
    yield* Output.list(Stream.fromIterable(entries), {
      head: ["at", "action", "by", "details"],
      row: ({ at, action, actor, user, details }) => [at, action, user ?? actor, JSON.stringify(details)],
      none: "Nothing is on record of this project."
    })
  })
).pipe(
  Command.withDescription("Show who changed what about a project, and what its members did about their accounts"),
  Command.withExamples([{ command: "posthorn projects audit Shop --limit 20" }]),
  withOperator
)

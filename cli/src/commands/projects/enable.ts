import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { projectBlock, projectRecord } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const enable = Command.make(
  "enable",
  {
    project: projectArgument,
    cancelPending: Flag.Boolean("cancel-pending").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Cancel all mail that waits and campaigns on their way, instead of sending now")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ project: nameOrId, cancelPending }) {
    const { projects, suspensions } = yield* Operator
    const { id } = yield* projectOf(nameOrId)
    const cancelledEmails = yield* suspensions.lift(id, { cancelPending })
    const project = yield* projects.get(id)
    const cancelled = { rows: [["cancelled mail", cancelledEmails] as const] }
    yield* Output.one({ ...projectRecord(project), cancelledEmails }, projectBlock(project), cancelled)
  })
).pipe(
  Command.withDescription(
    "Enable a project again; mail that has waited goes on, but for transactional mail that is more than 24 hours old"
  ),
  Command.withExamples([
    { command: "posthorn projects enable Shop" },
    { command: "posthorn projects enable Shop --cancel-pending", description: "And send nothing of what waits" }
  ]),
  withOperator
)

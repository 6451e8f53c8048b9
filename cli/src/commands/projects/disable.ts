import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { projectBlock, projectRecord } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const disable = Command.make(
  "disable",
  {
    project: projectArgument,
    reason: Flag.Literals("reason", ["MANUAL", "PAYMENT_FAILED", "EMAIL_REPUTATION", "PHISHING_DETECTED"]).pipe(
      Flag.withDefault("MANUAL"),
      Flag.withDescription("What its users are told; MANUAL unless said otherwise")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ project: nameOrId, reason }) {
    const { projects, suspensions } = yield* Operator
    const { id } = yield* projectOf(nameOrId)
    yield* suspensions.suspend(id, { reason })
    const project = yield* projects.get(id)
    yield* Output.one(projectRecord(project), projectBlock(project))
  })
).pipe(
  Command.withDescription("Disable a project: it can be read, and neither changed nor send mail"),
  Command.withExamples([{ command: "posthorn projects disable Shop --reason PHISHING_DETECTED" }]),
  withOperator
)

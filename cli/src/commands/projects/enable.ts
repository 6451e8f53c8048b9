import { Effect } from "effect"
import { Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { projectBlock, projectRecord } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const enable = Command.make(
  "enable",
  { project: projectArgument, ...databaseOptions },
  Effect.fnUntraced(function* ({ project: nameOrId }) {
    const { projects } = yield* Operator
    const { id } = yield* projectOf(nameOrId)
    yield* projects.enable(id)
    const project = yield* projects.get(id)
    yield* Output.one(projectRecord(project), projectBlock(project))
  })
).pipe(
  Command.withDescription("Enable a project again; mail that has waited goes on"),
  Command.withExamples([{ command: "posthorn projects enable Shop" }]),
  withOperator
)

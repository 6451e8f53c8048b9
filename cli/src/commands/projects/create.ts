import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { keysBlock, keysRecord, projectBlock, projectRecord } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"

export const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the project, 1 to 100 characters")),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ name }) {
    const { createProject } = yield* Operator
    const { project, keys } = yield* createProject(name)
    yield* Output.one({ ...projectRecord(project), ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
  })
).pipe(
  Command.withDescription("Create a project and show its keys, the secret one for the only time"),
  Command.withExamples([{ command: "posthorn projects create Shop" }]),
  withOperator
)

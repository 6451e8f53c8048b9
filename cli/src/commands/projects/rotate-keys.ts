import { Effect } from "effect"
import { Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectArgument, projectOf } from "../../operator/ProjectOf.ts"
import { keysBlock, keysRecord, projectBlock } from "../../operator/ProjectText.ts"
import { databaseOptions, withOperator } from "../../operator/WithOperator.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const rotateKeys = Command.make(
  "rotate-keys",
  { project: projectArgument, yes, ...databaseOptions },
  Effect.fnUntraced(function* ({ project: nameOrId, yes }) {
    const { projects } = yield* Operator
    const project = yield* projectOf(nameOrId)
    yield* confirm(`Replace both keys of ${project.name}? The old ones stop working at once.`, yes)
    const keys = yield* projects.rotateKeys(project.id)
    const { id, name } = project
    yield* Output.one({ id, name, ...keysRecord(keys) }, projectBlock(project), keysBlock(keys))
  })
).pipe(
  Command.withDescription("Replace both keys of a project; the old ones stop working at once. Asks first"),
  Command.withExamples([{ command: "posthorn projects rotate-keys Shop --yes" }]),
  withOperator
)

import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { workflowArgument, workflowOf } from "../../api/WorkflowOf.ts"
import * as Output from "../../output/Output.ts"
import { workflowBlocks } from "../../output/WorkflowText.ts"

export const disable = Command.make(
  "disable",
  { workflow: workflowArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const updated = yield* call(({ workflows }) => workflows.update(id, { enabled: false }))
    yield* Output.one(updated, ...workflowBlocks(updated))
  })
).pipe(
  Command.withDescription("Disable a workflow; executions that are under way go on to their end"),
  Command.withExamples([{ command: "posthorn workflows disable Welcome" }]),
  withApi
)

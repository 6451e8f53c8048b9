import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { workflowArgument, workflowOf } from "../../api/WorkflowOf.ts"
import * as Output from "../../output/Output.ts"
import { workflowBlocks } from "../../output/WorkflowText.ts"

export const enable = Command.make(
  "enable",
  { workflow: workflowArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const updated = yield* call(({ workflows }) => workflows.update(id, { enabled: true }))
    yield* Output.one(updated, ...workflowBlocks(updated))
  })
).pipe(
  Command.withDescription("Enable a workflow; where something is wrong with it, every fault is told"),
  Command.withExamples([{ command: "posthorn workflows enable Welcome" }]),
  withApi
)

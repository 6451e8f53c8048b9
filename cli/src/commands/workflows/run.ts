import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { contactArgument, contactOf } from "../../api/ContactOf.ts"
import { workflowArgument, workflowOf } from "../../api/WorkflowOf.ts"
import { jsonObject } from "../../options/JsonObject.ts"
import { optional } from "../../options/Optional.ts"
import { executionBlocks } from "../../output/ExecutionText.ts"
import * as Output from "../../output/Output.ts"

export const run = Command.make(
  "run",
  {
    workflow: workflowArgument,
    contact: contactArgument,
    context: jsonObject("context").pipe(Flag.withDescription("Variables of the execution, as a JSON object"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, contact, context }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const { id: contactId } = yield* contactOf(contact)
    const execution = yield* call(({ executions }) => executions.start(id, { contactId, context }))
    yield* Output.one(execution, ...executionBlocks(execution))
  })
).pipe(
  Command.withDescription("Start a workflow for a contact, whatever its trigger"),
  Command.withExamples([{ command: `posthorn workflows run Welcome ada@example.com --context '{"plan":"pro"}'` }]),
  withApi
)

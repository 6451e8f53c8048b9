import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { workflowArgument, workflowOf } from "../../api/WorkflowOf.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { executionHead, executionRow } from "../../output/ExecutionText.ts"
import * as Output from "../../output/Output.ts"

export const executions = Command.make(
  "executions",
  {
    workflow: workflowArgument,
    status: Flag.String("status").pipe(
      Flag.withDescription("Only executions in this state, or in one of several with commas between them"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, status, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const query = { status, pageSize: pageLimit({ limit, all }) }
    yield* Output.list(upTo({ limit, all })(items(({ executions }) => executions.list(id, query))), {
      head: executionHead,
      row: executionRow,
      none: "No executions."
    })
  })
).pipe(
  Command.withDescription("List the executions of a workflow, newest first"),
  Command.withExamples([{ command: "posthorn workflows executions Welcome --status RUNNING,WAITING" }]),
  withApi
)

import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { workflowHead, workflowRow } from "../../output/WorkflowText.ts"

export const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["active", "disabled"]).pipe(
      Flag.withDescription("Only workflows that are enabled, or only the others"),
      optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only workflows with this in name or description"),
      optional
    ),
    triggerType: Flag.Literals("trigger-type", ["EVENT", "MANUAL", "SCHEDULE"]).pipe(
      Flag.withDescription("Only workflows that are started like this"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ status, search, triggerType, limit, all }) {
    const { items } = yield* Api
    const query = { status, search, triggerType, pageSize: pageLimit({ limit, all }) }
    yield* Output.list(upTo({ limit, all })(items(({ workflows }) => workflows.list(query))), {
      head: workflowHead,
      row: workflowRow,
      none: "No workflows. Make one with `posthorn workflows push <file>`."
    })
  })
).pipe(
  Command.withDescription("List workflows, newest first"),
  Command.withExamples([{ command: "posthorn workflows list --status active" }]),
  withApi
)

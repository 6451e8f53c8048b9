import { Effect } from "effect"
import { Command } from "effect/cli"
import { withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { templateArgument, templateOf } from "../../api/TemplateOf.ts"
import * as Output from "../../output/Output.ts"
import { templateBlocks } from "../../output/TemplateText.ts"

export const get = Command.make(
  "get",
  { template: templateArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ template }) {
    const found = yield* templateOf(template)
    yield* Output.one(found, ...templateBlocks(found))
  })
).pipe(
  Command.withDescription("Show a template; its HTML with --json, or by `posthorn templates pull`"),
  Command.withShortDescription("Show a template"),
  Command.withExamples([{ command: "posthorn templates get Welcome" }]),
  withApi
)

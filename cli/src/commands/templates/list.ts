import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { templateHead, templateRow } from "../../output/TemplateText.ts"

export const list = Command.make(
  "list",
  {
    type: Flag.Literals("type", ["TRANSACTIONAL", "MARKETING", "HEADLESS"]).pipe(
      Flag.withDescription("Only templates of this type"),
      optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only templates with this in name, description or subject"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ type, search, limit, all }) {
    const { items } = yield* Api
    const query = { type, search, pageSize: pageLimit({ limit, all }) }
    yield* Output.list(upTo({ limit, all })(items(({ templates }) => templates.list(query))), {
      head: templateHead,
      row: templateRow,
      none: "No templates. Make some with `posthorn templates push <folder>`."
    })
  })
).pipe(
  Command.withDescription("List templates, newest first"),
  Command.withExamples([{ command: "posthorn templates list --search welcome" }]),
  withApi
)

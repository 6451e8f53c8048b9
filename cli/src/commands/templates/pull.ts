import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { everyTemplate, templateOf } from "../../api/TemplateOf.ts"
import { folderOption, writerInto } from "../../files/Written.ts"
import * as Output from "../../output/Output.ts"

export const pull = Command.make(
  "pull",
  {
    template: Argument.String("template").pipe(
      Argument.withDescription("Name or id of one template; without it all of them"),
      Argument.optional
    ),
    folder: folderOption,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ template, folder = "." }) {
    const { templateText } = yield* Effect.promise(() => import("../../api/TemplateFile.ts"))
    const wanted = template._tag === "Some" ? [yield* templateOf(template.value)] : yield* everyTemplate
    const write = yield* writerInto(folder, "template", "html")
    const pulled = Effect.fnUntraced(function* (each: (typeof wanted)[number]) {
      const { id, name } = each
      return { id, name, file: yield* write(name, templateText(each)) }
    })
    yield* Output.list(Stream.mapEffect(Stream.fromIterable(wanted), pulled), {
      head: ["file", "id", "name"],
      row: ({ file, id, name }) => [file, id, name],
      none: "The project has no templates."
    })
  })
).pipe(
  Command.withDescription(
    "Write templates into files of HTML with front matter, to keep or to change them; files that are there are replaced"
  ),
  Command.withShortDescription("Write templates into files"),
  Command.withExamples([
    { command: "posthorn templates pull --folder templates" },
    { command: "posthorn templates pull Welcome" }
  ]),
  withApi
)

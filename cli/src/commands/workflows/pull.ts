import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { everyTemplate } from "../../api/TemplateOf.ts"
import { definitionOf, toText } from "../../api/WorkflowDefinition.ts"
import { workflowOf } from "../../api/WorkflowOf.ts"
import { namesTemplates, withNames } from "../../api/WorkflowTemplates.ts"
import { folderOption, writerInto } from "../../files/Written.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"

export const pull = Command.make(
  "pull",
  {
    workflow: Argument.String("workflow").pipe(
      Argument.withDescription("Name or id of one workflow; without it all of them"),
      Argument.optional
    ),
    folder: folderOption,
    format: Flag.Literals("format", ["yaml", "json"]).pipe(
      Flag.withDescription("yaml unless said otherwise"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, folder = ".", format = "yaml" }) {
    const { call, items } = yield* Api
    const wanted =
      workflow._tag === "Some"
        ? [yield* workflowOf(workflow.value)]
        : yield* Stream.runCollect(items(({ workflows }) => workflows.list({ pageSize: 100 })))
    const templates = yield* Effect.cached(everyTemplate)
    const write = yield* writerInto(folder, "workflow", format)
    const pulled = Effect.fnUntraced(function* ({ id, name }: (typeof wanted)[number]) {
      const definition = definitionOf(yield* call(({ workflows }) => workflows.get(id)))
      const known = namesTemplates(definition) ? yield* templates : []
      return { id, name, file: yield* write(name, toText(withNames(definition, known), format)) }
    })
    yield* Output.list(Stream.mapEffect(Stream.fromIterable(wanted), pulled), {
      head: ["file", "id", "name"],
      row: ({ file, id, name }) => [file, id, name],
      none: "The project has no workflows."
    })
  })
).pipe(
  Command.withDescription("Write workflows into files, to keep or to change them; files that are there are replaced"),
  Command.withShortDescription("Write workflows into files"),
  Command.withExamples([
    { command: "posthorn workflows pull --folder workflows" },
    { command: "posthorn workflows pull Welcome --format json" }
  ]),
  withApi
)

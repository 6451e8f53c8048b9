import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { everyTemplate } from "../../api/TemplateOf.ts"
import { canonical, Definition, parseText, toText } from "../../api/WorkflowDefinition.ts"
import { findWorkflow, workflowOf } from "../../api/WorkflowOf.ts"
import { changesGraph, comparable, push as pushed, requireSteps } from "../../api/WorkflowPush.ts"
import { namesTemplates, withIds, withNames } from "../../api/WorkflowTemplates.ts"
import { wrongUsage } from "../../Failure.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { optional } from "../../options/Optional.ts"
import { diffText } from "../../output/Diff.ts"
import * as Output from "../../output/Output.ts"
import { workflowBlocks } from "../../output/WorkflowText.ts"

const decode = Schema.decodeUnknownEffect(Definition)

const readDefinition = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
  )
  const parsed = yield* Effect.try({
    try: () => parseText(text),
    catch: (error) => wrongUsage(`${file} is neither YAML nor JSON: ${error instanceof Error ? error.message : error}`)
  })
  const definition = yield* Effect.mapError(decode(parsed), (error) =>
    wrongUsage(`${file} is no definition of a workflow: ${error.message}`, "`posthorn workflows pull` shows the form.")
  )
  yield* requireSteps(definition)
  return definition
})

export const push = Command.make(
  "push",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Definition of a workflow, in YAML or JSON")),
    workflow: Flag.String("workflow").pipe(
      Flag.withDescription(
        "Name or id of the workflow to change; the one with the name in the file unless said otherwise"
      ),
      optional
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file, workflow, yes }) {
    const { call } = yield* Api
    const given = yield* readDefinition(file)
    const found = workflow === undefined ? yield* findWorkflow(given.name) : Option.some(yield* workflowOf(workflow))
    const current = Option.isNone(found) ? undefined : yield* call(({ workflows }) => workflows.get(found.value.id))
    const known =
      namesTemplates(given) || (current?.steps ?? []).some(({ templateId }) => templateId !== null)
        ? yield* everyTemplate
        : []
    const wanted = yield* withIds(given, known)
    const shown = (definition: Definition) => toText(withNames(canonical(definition), known), "yaml")
    const before = current === undefined ? "" : shown(comparable(current, wanted))
    const after = shown(wanted)
    if (current !== undefined && before === after) {
      yield* Console.error("Nothing to change.")
      return yield* Output.one(current, ...workflowBlocks(current))
    }
    yield* Console.error(diffText(before, after))
    const pause = current?.enabled && changesGraph(current, wanted) ? " It is disabled while it is changed." : ""
    yield* confirm(current === undefined ? `Make the workflow ${wanted.name}?` : `Change ${current.name}?${pause}`, yes)
    const target =
      current ??
      (yield* Effect.flatMap(
        call(({ workflows }) => workflows.create({ name: wanted.name })),
        ({ id }) => call(({ workflows }) => workflows.get(id))
      ))
    const result = yield* pushed(target, wanted)
    yield* Output.one(result, ...workflowBlocks(result))
  })
).pipe(
  Command.withDescription(
    "Make or change a workflow as a file says; shows what changes and asks first. A new one is disabled. Steps are told by their names."
  ),
  Command.withShortDescription("Make or change a workflow as a file says"),
  Command.withExamples([
    { command: "posthorn workflows push workflows/welcome.yaml" },
    { command: "posthorn workflows push welcome.json --workflow Welcome --yes" }
  ]),
  withApi
)

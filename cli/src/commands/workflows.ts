import type {
  Execution,
  ListedWorkflow,
  TemplateSummary,
  TestRun,
  WorkflowDetail,
  WorkflowReport
} from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf, everyTemplate, findNamed, templateAmong } from "../api/Lookups.ts"
import { canonical, Definition, definitionOf, parseText, toText } from "../api/WorkflowDefinition.ts"
import { check, comparable, create, push as pushed, requireSteps } from "../api/WorkflowPush.ts"
import { decodeScript, differencesOf, testedContact, testRunOf } from "../api/WorkflowTest.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { folderOption, writerInto } from "../files/Written.ts"
import { confirm, yes } from "../options/Confirmation.ts"
import { jsonObject, limitOptions, optional, pageLimit, upTo } from "../options/Options.ts"
import { diffText } from "../output/Diff.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

const triggerOf = ({ triggerType, triggerConfig }: Pick<ListedWorkflow, "triggerConfig" | "triggerType">): string =>
  [triggerType, triggerConfig["eventName"] ?? triggerConfig["schedule"] ?? ""].join(" ").trim()

/** One line of a list. */
const workflowHead = ["status", "trigger", "steps", "active", "executions", "id", "name"]
const workflowRow = (workflow: ListedWorkflow): ReadonlyArray<Cell> => [
  workflow.enabled ? "enabled" : "disabled",
  triggerOf(workflow),
  workflow._count.steps,
  workflow._count.activeExecutions,
  workflow._count.executions,
  workflow.id,
  workflow.name
]

const workflowBlocks = (workflow: WorkflowDetail): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", workflow.id],
      ["name", workflow.name],
      ["status", workflow.enabled ? "enabled" : "disabled"],
      ["trigger", triggerOf(workflow)],
      ...(workflow.nextRunAt === null ? [] : [["next run", workflow.nextRunAt]]),
      ["steps", workflow._count.steps],
      ["active executions", workflow._count.activeExecutions]
    ]
  }
]

/** One line of a list. */
const executionHead = ["status", "contact", "at", "resumes", "reason", "started", "id"]
const executionRow = (execution: Execution): ReadonlyArray<Cell> => [
  execution.status,
  execution.contact.email,
  execution.currentStep?.name ?? "",
  execution.resumeAt ?? "",
  execution.exitReason ?? "",
  execution.startedAt,
  execution.id
]

const executionBlocks = (execution: Execution): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", execution.id],
      ["status", execution.status],
      ["contact", execution.contact.email],
      ["at", execution.currentStep?.name ?? ""],
      ["started", execution.startedAt]
    ]
  }
]

const workflowArgument = Argument.String("workflow").pipe(
  Argument.withDescription("Name of the workflow if it is unique, or its id")
)

const everyWorkflow = Effect.gen(function* () {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ workflows }) => workflows.list({ pageSize: 100 })))
})

/** None if no workflow matches. Fails if several workflows have the name. */
const findWorkflow = (given: string) => Effect.flatMap(everyWorkflow, (all) => findNamed(all, given, "workflows"))

const workflowOf = Effect.fnUntraced(function* (given: string): Effect.fn.Return<ListedWorkflow, CommandFailure, Api> {
  const found = yield* findWorkflow(given)
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "WORKFLOW_NOT_FOUND",
    message: `The project has no workflow ${given}.`,
    suggestion: "`posthorn workflows list` shows its workflows."
  })
})

type Known = ReadonlyArray<TemplateSummary>

const givenIn = ({ steps }: Definition): ReadonlyArray<string> =>
  Object.values(steps).flatMap(({ templateId }) => templateId ?? [])

const namesTemplates = (definition: Definition): boolean => givenIn(definition).length > 0

const replaced = (definition: Definition, by: (given: string) => string): Definition => ({
  ...definition,
  steps: Object.fromEntries(
    Object.entries(definition.steps).map(([name, step]) => [
      name,
      step.templateId == null ? step : { ...step, templateId: by(step.templateId) }
    ])
  )
})

/** Replaces ids with names. */
const withNames = (definition: Definition, known: Known): Definition =>
  replaced(definition, (given) => {
    const name = known.find(({ id }) => id === given)?.name
    return name !== undefined && known.filter((each) => each.name === name).length === 1 ? name : given
  })

/** Replaces names with ids, which the service requires. */
const withIds = Effect.fnUntraced(function* (
  definition: Definition,
  known: Known
): Effect.fn.Return<Definition, CommandFailure> {
  const ids = new Map<string, string>()
  for (const given of givenIn(definition)) ids.set(given, (yield* templateAmong(known, given)).id)
  return replaced(definition, (given) => ids.get(given) ?? given)
})

const disable = Command.make(
  "disable",
  { workflow: workflowArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const updated = yield* call(({ workflows }) => workflows.update(id, { enabled: false }))
    yield* Output.one(updated, ...workflowBlocks(updated))
  })
).pipe(
  Command.withDescription("Disable a workflow; its running executions continue"),
  Command.withExamples([{ command: "posthorn workflows disable Welcome" }]),
  withApi
)

const enable = Command.make(
  "enable",
  { workflow: workflowArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const updated = yield* call(({ workflows }) => workflows.update(id, { enabled: true }))
    yield* Output.one(updated, ...workflowBlocks(updated))
  })
).pipe(
  Command.withDescription("Enable a workflow, or list its errors if it has any"),
  Command.withExamples([{ command: "posthorn workflows enable Welcome" }]),
  withApi
)

const executions = Command.make(
  "executions",
  {
    workflow: workflowArgument,
    status: Flag.String("status").pipe(
      Flag.withDescription("Only executions in these states, separated by commas"),
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

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["active", "disabled"]).pipe(
      Flag.withDescription("Only enabled workflows, or only disabled ones"),
      optional
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription("Only workflows with this text in the name or the description"),
      optional
    ),
    triggerType: Flag.Literals("trigger-type", ["EVENT", "MANUAL", "SCHEDULE"]).pipe(
      Flag.withDescription("Only workflows with this type of trigger"),
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
      none: "No workflows. Create one with `posthorn workflows push <file>`."
    })
  })
).pipe(
  Command.withDescription("List workflows, newest first"),
  Command.withExamples([{ command: "posthorn workflows list --status active" }]),
  withApi
)

const pull = Command.make(
  "pull",
  {
    workflow: Argument.String("workflow").pipe(
      Argument.withDescription("Name or id of one workflow; default: all workflows"),
      Argument.optional
    ),
    folder: folderOption,
    format: Flag.Literals("format", ["yaml", "json"]).pipe(Flag.withDescription("Default yaml"), optional),
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
  Command.withDescription("Write workflows to files; existing files are replaced"),
  Command.withShortDescription("Write workflows to files"),
  Command.withExamples([
    { command: "posthorn workflows pull --folder workflows" },
    { command: "posthorn workflows pull Welcome --format json" }
  ]),
  withApi
)

const decode = Schema.decodeUnknownEffect(Definition)

/** The content of a file in YAML or JSON. */
const readParsed = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
  )
  return yield* Effect.try({
    try: () => parseText(text),
    catch: (error) => wrongUsage(`${file} is neither YAML nor JSON: ${error instanceof Error ? error.message : error}`)
  })
})

const readDefinition = Effect.fnUntraced(function* (file: string) {
  const parsed = yield* readParsed(file)
  const definition = yield* Effect.mapError(decode(parsed), (error) =>
    wrongUsage(
      `${file} is not a valid workflow: ${error.message}`,
      "`posthorn workflows pull` writes a valid file to compare with."
    )
  )
  yield* requireSteps(definition)
  return definition
})

const push = Command.make(
  "push",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Definition of a workflow, in YAML or JSON")),
    workflow: Flag.String("workflow").pipe(
      Flag.withDescription("Name or id of the workflow to change; default: the name in the file"),
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
    if (current !== undefined) yield* check(current, wanted)
    yield* confirm(current === undefined ? `Create the workflow ${wanted.name}?` : `Change ${current.name}?`, yes)
    const result = yield* current === undefined ? create(wanted) : pushed(current, wanted)
    yield* Output.one(result, ...workflowBlocks(result))
  })
).pipe(
  Command.withDescription(
    "Create or change a workflow from a file; shows the changes and faults and asks first. Changes the workflow as a " +
      "whole or not at all; an enabled workflow stays enabled. A new workflow is disabled. Matches steps by name."
  ),
  Command.withShortDescription("Create or change a workflow from a file"),
  Command.withExamples([
    { command: "posthorn workflows push workflows/welcome.yaml" },
    { command: "posthorn workflows push welcome.json --workflow Welcome --yes" }
  ]),
  withApi
)

const stepHead = ["entered", "waiting", "left", "completed", "failed", "sent", "opened", "clicked", "step"]
const stepRow = (step: WorkflowReport["steps"][number]): ReadonlyArray<Cell> => [
  step.entered,
  step.waiting,
  step.left,
  step.completed,
  step.failed,
  step.mail?.sent ?? "",
  step.mail?.humanOpened ?? "",
  step.mail?.humanClicked ?? "",
  step.name
]

const report = Command.make(
  "report",
  {
    workflow: workflowArgument,
    version: Flag.Int("version").pipe(Flag.withDescription("Only executions of this version"), optional),
    from: Flag.String("from").pipe(Flag.withDescription("First day to count, in UTC"), optional),
    to: Flag.String("to").pipe(Flag.withDescription("Last day to count, in UTC"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, version, from: startDate, to: endDate }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const found = yield* call(({ workflows }) => workflows.report(id, { version, startDate, endDate }))
    const { revenue, ...counts } = found.executions
    const nameOf = new Map(found.steps.map(({ stepId, name }) => [stepId, name]))
    yield* Output.one(
      found,
      {
        rows: [
          ...Object.entries(counts).map(([name, count]): ReadonlyArray<Cell> => [name, count]),
          ...revenue.map(({ amount, currency }): ReadonlyArray<Cell> => ["revenue", `${amount} ${currency}`])
        ]
      },
      { head: stepHead, rows: found.steps.map(stepRow) },
      {
        head: ["taken", "branch", "step"],
        rows: found.branches.flatMap(({ stepId, branch, taken }) =>
          branch === null ? [] : [[taken, branch, nameOf.get(stepId) ?? stepId]]
        )
      }
    )
  })
).pipe(
  Command.withDescription(
    "Show how many executions entered, left and wait at each step, and what became of their mail"
  ),
  Command.withShortDescription("Show the numbers of a workflow"),
  Command.withExamples([
    { command: "posthorn workflows report Welcome" },
    { command: "posthorn workflows report Welcome --from 2026-03-01 --to 2026-03-31" }
  ]),
  withApi
)

const run = Command.make(
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
  Command.withDescription("Start a workflow for a contact, regardless of its trigger"),
  Command.withExamples([{ command: `posthorn workflows run Welcome ada@example.com --context '{"plan":"pro"}'` }]),
  withApi
)

const readScript = Effect.fnUntraced(function* (file: string) {
  return yield* Effect.mapError(decodeScript(yield* readParsed(file)), (error) =>
    wrongUsage(`${file} is not a valid script: ${error.message}`)
  )
})

const visitHead = ["at", "step", "status", "branch", "mail"]
const visitRow = ({ at, name, status, branch, error, mail }: TestRun["visits"][number]): ReadonlyArray<Cell> => [
  at,
  name,
  error === null ? status : `${status} ${error.code}`,
  branch ?? "",
  mail === null ? "" : `${mail.to}: ${mail.subject}`
]

const outcomeText = ({ outcome: { status, exitReason, converted, at } }: TestRun): string =>
  [status, ...(exitReason === null ? [] : [exitReason]), ...(converted ? ["converted"] : []), at].join(" ")

const test = Command.make(
  "test",
  {
    workflow: workflowArgument,
    contact: Flag.String("contact").pipe(
      Flag.withDescription("Address or id of a contact; a new address is a contact of this run only")
    ),
    script: Flag.String("script").pipe(
      Flag.withDescription("What the contact does meanwhile, and what to expect, in YAML or JSON"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, contact, script }) {
    const { call } = yield* Api
    const given = script === undefined ? {} : yield* readScript(script)
    const { id } = yield* workflowOf(workflow)
    const { steps } = yield* call(({ workflows }) => workflows.get(id))
    const tested = yield* testedContact(contact, given)
    const body = yield* testRunOf(given, steps, tested)
    const found = yield* call(({ workflows }) => workflows.testRun(id, body))
    yield* Output.one(
      found,
      { rows: [["outcome", outcomeText(found)]] },
      { head: visitHead, rows: found.visits.map(visitRow) },
      { rows: found.warnings.map(({ field, message }) => ["warning", `${field} ${message}`.trim()]) }
    )
    const differences = differencesOf(given.expect, found)
    if (differences.length === 0) return
    return yield* new CommandFailure({
      exit: "failed",
      code: "UNEXPECTED_COURSE",
      message: `The run is not as expected: ${differences.join("; ")}.`,
      suggestion: "Change the workflow, or `expect` in the script."
    })
  })
).pipe(
  Command.withDescription(
    "Take a contact through a workflow as a trial, in no time. Nothing is stored or sent. Fails if `expect` in the " +
      "script does not hold."
  ),
  Command.withShortDescription("Try out a workflow"),
  Command.withExamples([
    { command: "posthorn workflows test Welcome --contact ada@example.com" },
    { command: "posthorn workflows test Welcome --contact ada@example.com --script welcome.test.yaml" }
  ]),
  withApi
)

export const workflows = Command.make("workflows").pipe(
  Command.withDescription("Automations whose steps run for each contact; can be stored as files"),
  Command.withExamples([
    { command: "posthorn workflows pull --folder workflows" },
    { command: "posthorn workflows push workflows/welcome.yaml" },
    { command: "posthorn workflows enable Welcome" }
  ]),
  Command.withSubcommands([list, pull, push, test, enable, disable, run, executions, report])
)

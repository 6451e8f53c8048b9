import type {
  Execution,
  ListedWorkflow,
  TemplateSummary,
  TestRun,
  WorkflowDetail,
  WorkflowDiff,
  WorkflowReport
} from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf, everyTemplate, findNamed, templateAmong } from "../api/Lookups.ts"
import {
  canonical,
  check,
  comparable,
  create,
  Definition,
  decodeScript,
  definitionOf,
  differencesOf,
  parseText,
  push as pushed,
  requireSteps,
  testedContact,
  testRunOf,
  toText
} from "../api/WorkflowPush.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { folderOption, writerInto } from "../files/Export.ts"
import { confirm, jsonObject, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import { diffText } from "../output/Diff.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"
import { versionArgument } from "./versions.ts"

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

const versionText = ({ publishedVersion, draft }: WorkflowDetail): string =>
  [publishedVersion ?? "none yet", ...(draft?.changed ? ["with a changed draft"] : [])].join(", ")

const workflowBlocks = (workflow: WorkflowDetail): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", workflow.id],
      ["name", workflow.name],
      ["status", workflow.enabled ? "enabled" : "disabled"],
      ["trigger", triggerOf(workflow)],
      ...(workflow.nextRunAt === null ? [] : [["next run", workflow.nextRunAt]]),
      ...(workflow.versioning === "LIVE" ? [] : [["version", versionText(workflow)]]),
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

const switchTo = <const Name extends string>(name: Name, enabled: boolean, description: string) =>
  Command.make(
    name,
    { workflow: workflowArgument, ...connectionOptions },
    Effect.fnUntraced(function* ({ workflow }) {
      const { call } = yield* Api
      const { id } = yield* workflowOf(workflow)
      const updated = yield* call(({ workflows }) => workflows.update(id, { enabled }))
      yield* Output.one(updated, ...workflowBlocks(updated))
    })
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([{ command: `posthorn workflows ${name} Welcome` }]),
    withApi
  )

const disable = switchTo("disable", false, "Disable a workflow; its running executions continue")
const enable = switchTo("enable", true, "Enable a workflow, or list its errors if it has any")

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

const note = Flag.String("note").pipe(Flag.withDescription("What is new, up to 500 characters"), optional)

/** Publishes what was pushed. A draft that is the published version already is left alone. */
const publishDraft = Effect.fnUntraced(function* (workflow: Pick<WorkflowDetail, "id">, note: string | undefined) {
  const { call } = yield* Api
  const { id } = workflow
  const current = yield* call(({ workflows }) => workflows.update(id, { versioning: "PUBLISHED" }))
  return current.draft?.changed ? yield* call(({ workflows }) => workflows.publish(id, { note })) : current
})

const push = Command.make(
  "push",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Definition of a workflow, in YAML or JSON")),
    workflow: Flag.String("workflow").pipe(
      Flag.withDescription("Name or id of the workflow to change; default: the name in the file"),
      optional
    ),
    publish: Flag.Boolean("publish").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Publish the draft afterwards; the workflow is PUBLISHED from then on")
    ),
    note,
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file, workflow, publish, note, yes }) {
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
      const same = publish ? yield* publishDraft(current, note) : current
      return yield* Output.one(same, ...workflowBlocks(same))
    }
    yield* Console.error(diffText(before, after))
    if (current !== undefined) yield* check(current, wanted)
    yield* confirm(current === undefined ? `Create the workflow ${wanted.name}?` : `Change ${current.name}?`, yes)
    const stored = yield* current === undefined ? create(wanted) : pushed(current, wanted)
    const result = publish ? yield* publishDraft(stored, note) : stored
    yield* Output.one(result, ...workflowBlocks(result))
  })
).pipe(
  Command.withDescription(
    "Create or change a workflow from a file; shows the changes and faults and asks first. Changes the workflow as a " +
      "whole or not at all; an enabled workflow stays enabled. A new workflow is disabled. Matches steps by name. Of a " +
      "PUBLISHED workflow it changes the draft."
  ),
  Command.withShortDescription("Create or change a workflow from a file"),
  Command.withExamples([
    { command: "posthorn workflows push workflows/welcome.yaml" },
    { command: "posthorn workflows push welcome.json --workflow Welcome --publish --yes" }
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

const publish = Command.make(
  "publish",
  { workflow: workflowArgument, note, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow, note }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const published = yield* call(({ workflows }) => workflows.publish(id, { note }))
    yield* Output.one(published, ...workflowBlocks(published))
  })
).pipe(
  Command.withDescription("Make the draft of a workflow the version that new executions start with"),
  Command.withShortDescription("Publish the draft of a workflow"),
  Command.withExamples([{ command: `posthorn workflows publish Welcome --note "A day less to wait"` }]),
  withApi
)

const versioning = Command.make(
  "versioning",
  {
    workflow: workflowArgument,
    versioning: Argument.Literals("versioning", ["LIVE", "PUBLISHED"]).pipe(
      Argument.withDescription("PUBLISHED: edits act on a draft. LIVE: they act on what runs")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, versioning }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const updated = yield* call(({ workflows }) => workflows.update(id, { versioning }))
    yield* Output.one(updated, ...workflowBlocks(updated))
  })
).pipe(
  Command.withDescription("Choose whether edits of a workflow act on a draft or on what runs"),
  Command.withExamples([{ command: "posthorn workflows versioning Welcome PUBLISHED" }]),
  withApi
)

const versions = Command.make(
  "versions",
  { workflow: workflowArgument, ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const pageSize = pageLimit({ limit, all })
    yield* Output.list(upTo({ limit, all })(items(({ workflows }) => workflows.versions(id, { pageSize }))), {
      head: ["published", "version", "by", "steps", "live", "executions", "note"],
      row: ({ publishedAt, version, publishedBy, steps, liveExecutions, executions, note }) => [
        publishedAt,
        version,
        publishedBy.userId ?? publishedBy.kind,
        steps,
        liveExecutions,
        executions,
        note ?? ""
      ],
      none: "No versions."
    })
  })
).pipe(
  Command.withDescription("List the versions of a workflow, newest first; the last 100 are kept"),
  Command.withShortDescription("List the versions of a workflow"),
  Command.withExamples([{ command: "posthorn workflows versions Welcome" }]),
  withApi
)

const versionsOf = Effect.fnUntraced(function* (id: string) {
  const { items } = yield* Api
  return yield* Stream.runCollect(items(({ workflows }) => workflows.versions(id, { pageSize: 100 })))
})

const shownValue = (value: unknown): string => (value === null ? "-" : JSON.stringify(value))

const diffBlocks = ({ steps, transitions, settings }: WorkflowDiff, names: ReadonlyMap<string, string>) => {
  const nameOf = (id: string) => names.get(id) ?? id
  const edge = (sign: string) => (transition: WorkflowDiff["transitions"]["added"][number]) => {
    const branch = transition.branch === null ? "" : ` on ${transition.branch}`
    return [sign, `${nameOf(transition.fromStepId)} -> ${nameOf(transition.toStepId)}${branch}`]
  }
  return [
    {
      rows: [
        ...settings.map(({ path, from, to }) => ["~", `${path}: ${shownValue(from)} -> ${shownValue(to)}`]),
        ...steps.removed.map(({ name, type }) => ["-", `${name} (${type})`]),
        ...steps.added.map(({ name, type }) => ["+", `${name} (${type})`]),
        ...steps.changed.flatMap(({ name, fields }) =>
          fields.map(({ path, from, to }) => ["~", `${name} ${path}: ${shownValue(from)} -> ${shownValue(to)}`])
        ),
        ...steps.moved.map((id) => ["~", `${nameOf(id)} is drawn elsewhere`]),
        ...transitions.removed.map(edge("-")),
        ...transitions.added.map(edge("+"))
      ]
    }
  ]
}

const diff = Command.make(
  "diff",
  {
    workflow: workflowArgument,
    version: Argument.Int("version").pipe(
      Argument.withDescription("Number of a version; default: the newest"),
      Argument.optional
    ),
    with: Flag.String("with").pipe(
      Flag.withDescription("The other version, or draft; default: the draft, or what runs of a workflow that is LIVE"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, version, with: other }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const newest = yield* versionsOf(id)
    const from = Option.getOrElse(version, () => newest[0]?.version ?? 0)
    const found = yield* call(({ workflows }) => workflows.diff(id, String(from), { with: other }))
    const before = yield* call(({ workflows }) => workflows.version(id, String(from)))
    const now = yield* call(({ workflows }) => workflows.get(id))
    const names = new Map([...before.steps, ...now.steps].map((step) => [step.id, step.name]))
    yield* Output.one(found, ...diffBlocks(found, names))
  })
).pipe(
  Command.withDescription("Show what differs from a version of a workflow to another one, or to the draft"),
  Command.withShortDescription("Compare versions of a workflow"),
  Command.withExamples([
    { command: "posthorn workflows diff Welcome" },
    { command: "posthorn workflows diff Welcome 3 --with 4" }
  ]),
  withApi
)

const restore = Command.make(
  "restore",
  { workflow: workflowArgument, version: versionArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ workflow, version }) {
    const { call } = yield* Api
    const { id } = yield* workflowOf(workflow)
    const restored = yield* call(({ workflows }) => workflows.restore(id, String(version)))
    yield* Output.one(restored, ...workflowBlocks(restored))
  })
).pipe(
  Command.withDescription("Make an earlier version the draft of a workflow or, of one that is LIVE, what runs"),
  Command.withShortDescription("Restore a version of a workflow"),
  Command.withExamples([{ command: "posthorn workflows restore Welcome 3" }]),
  withApi
)

const migrationEnded = Effect.fnUntraced(function* (workflow: string, jobId: string) {
  const { call } = yield* Api
  for (;;) {
    const job = yield* call(({ workflows }) => workflows.migration(workflow, jobId))
    if (job.finishedAt !== null) return job
    yield* Effect.sleep("500 millis")
  }
})

const migrate = Command.make(
  "migrate",
  {
    workflow: workflowArgument,
    to: Flag.Int("to").pipe(Flag.withDescription("Number of the version to move live executions to")),
    from: Flag.String("from").pipe(
      Flag.withDescription("Numbers of versions, separated by commas; default: all others"),
      optional
    ),
    map: Flag.KeyValuePair("map").pipe(
      Flag.withDescription("STEP=STEP, by name or id: where executions at a step go on; may be repeated"),
      optional
    ),
    unmapped: Flag.Literals("unmapped", ["STAY", "EXIT"]).pipe(
      Flag.withDescription("What becomes of executions at a step without a target; default STAY"),
      optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Only count the executions, by step")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ workflow, to, from, map = {}, unmapped, dryRun, yes }) {
    const { call } = yield* Api
    const { id, name } = yield* workflowOf(workflow)
    const fromVersions = from === undefined ? ("ALL" as const) : from.split(",").map(Number)
    if (fromVersions !== "ALL" && fromVersions.some((each) => !Number.isInteger(each))) {
      return yield* wrongUsage("--from must be numbers, separated by commas.")
    }
    const sources =
      fromVersions === "ALL"
        ? (yield* versionsOf(id)).flatMap(({ version, liveExecutions }) => (liveExecutions > 0 ? [version] : []))
        : fromVersions
    const steps = new Map<string, string>()
    for (const version of [...new Set([...sources, to])]) {
      const found = yield* call(({ workflows }) => workflows.version(id, String(version)))
      for (const step of found.steps) steps.set(step.name, step.id)
    }
    const stepId = (given: string) => steps.get(given) ?? given
    const mapping = Object.fromEntries(Object.entries(map).map(([one, other]) => [stepId(one), stepId(other)]))
    const names = new Map([...steps].map(([step, stepId]) => [stepId, step]))
    const body = { toVersion: to, fromVersions, mapping, unmapped }
    const plan = yield* call(({ workflows }) => workflows.migrate(id, { ...body, dryRun: true }))
    if (!("total" in plan)) return yield* wrongUsage("The server counted no executions. Is it older than this?")
    const planned = {
      head: ["action", "executions", "at", "to"],
      rows: plan.steps.map(({ action, executions, stepId, toStepId }) => [
        action,
        executions,
        names.get(stepId) ?? stepId,
        toStepId === null ? "" : (names.get(toStepId) ?? toStepId)
      ])
    }
    if (dryRun) return yield* Output.one(plan, planned)
    yield* confirm(`Move ${plan.total} executions of ${name} to version ${to}?`, yes)
    const queued = yield* call(({ workflows }) => workflows.migrate(id, body))
    if (!("jobId" in queued)) return yield* wrongUsage("The server queued no job. Is it older than this?")
    const job = yield* migrationEnded(id, queued.jobId)
    const { moved = 0, stayed = 0, exited = 0, failed = 0 } = job.result ?? {}
    yield* Output.one(job, {
      rows: [
        ["moved", moved],
        ["stayed", stayed],
        ["exited", exited],
        ["failed", failed],
        ["job", job.id]
      ]
    })
    if (job.state === "completed") return
    return yield* new CommandFailure({
      exit: "failed",
      code: "JOB_FAILED",
      message: job.failedReason ?? "The migration did not end."
    })
  })
).pipe(
  Command.withDescription(
    "Move live executions of a workflow to a version, and wait for the end. A step that the version has maps to itself; " +
      "a wait that has begun keeps its end."
  ),
  Command.withShortDescription("Move executions to a version of a workflow"),
  Command.withExamples([
    { command: "posthorn workflows migrate Welcome --to 4 --dry-run" },
    { command: 'posthorn workflows migrate Welcome --to 4 --map "Two days=A day" --unmapped EXIT --yes' }
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
  Command.withSubcommands([
    list,
    pull,
    push,
    test,
    enable,
    disable,
    run,
    executions,
    versioning,
    publish,
    versions,
    diff,
    restore,
    migrate,
    report
  ])
)

/**
 * Takes one contact through a workflow as a trial. The runner and the steps are the real ones; what they store is in
 * memory, and their time passes as fast as they allow.
 */
import { ContactId, type ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { ExecutionId, StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { StepId } from "@posthorn/contract/automation/workflows/Step"
import type { StartTestRun, TestRun } from "@posthorn/contract/automation/workflows/TestRun"
import type { EventTrigger } from "@posthorn/contract/automation/workflows/Trigger"
import { WorkflowNotFound, type WorkflowRecord } from "@posthorn/contract/automation/workflows/Workflow"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { Clock, Context, DateTime, Effect, Option, Predicate, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../../audience/contacts/Contacts.ts"
import { dataAfter, dataChange } from "../../../audience/contacts/DataChange.ts"
import { localeIn, timezoneIn, withNamed } from "../../../audience/contacts/NamedData.ts"
import { clickEvent, openEvent } from "../../../mail/sending/MailEvents.ts"
import { dataOf, fits } from "../goals/EventTests.ts"
import { branchesOf } from "../graph/Graph.ts"
import type { TriggerContent } from "../graph/TriggerContents.ts"
import * as Advancement from "../run/Advancement.ts"
import { graphKey, type RunnableGraph, type RunnableStep, RunStore } from "../run/RunStore.ts"
import * as WebhookCalls from "../run/WebhookCalls.ts"
import { ConditionQueries } from "../steps/ConditionQueries.ts"
import * as Steps from "../steps/Steps.ts"
import * as VersionSql from "../versions/VersionSql.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import { type CopiedContact, personOf, TestMemory } from "./TestMemory.ts"
import * as TestServices from "./TestServices.ts"

/** Tries out workflows. */
export interface TestRuns {
  /** Stores, sends, calls, charges and tracks nothing. */
  readonly run: (
    project: ProjectId,
    workflow: WorkflowId,
    input: StartTestRun
  ) => Effect.Effect<TestRun, ContactNotFound | ResourceNotFound | ValidationError | WorkflowNotFound>
}

const maxMillis = 2_000
const maxYears = 5
const maxBytes = 2 * 1024 * 1024
const maxHtml = 20
const maxYearsAway = 10
const minuteMillis = 60_000
const minutesIn = { minutes: 1, hours: 60, days: 1_440, weeks: 10_080 }

const over = (message: string) => ValidationError.one("script", "custom", message)
const warning = (field: string, message: string): Fault => ({ field, code: "custom", message })

type Script = NonNullable<StartTestRun["script"]>
/** What the contact does at an instant, and its place in the script. */
interface Act {
  readonly at: DateTime.Utc
  readonly place: string
  readonly entry: Script[number]
}

/** In the order of time, and of the script. */
const actsOf = (script: Script, start: DateTime.Utc): ReadonlyArray<Act> =>
  script
    .map((entry, n) => ({
      at: DateTime.add(start, {
        milliseconds: Math.round(entry.after.amount * minutesIn[entry.after.unit] * minuteMillis)
      }),
      place: `script.${n}`,
      entry
    }))
    .toSorted((one, other) => one.at.epochMilliseconds - other.at.epochMilliseconds)

/** Steps that decide on a branch at once. What ends a wait is in the script. */
const choosing: ReadonlySet<string> = new Set(["CONDITION", "RATE_LIMIT", "SPLIT"])

/** What the input names that the graph does not have. */
const faultsIn = ({ script, branches, webhooks }: StartTestRun, { steps }: RunnableGraph): ReadonlyArray<Fault> => {
  const known = new Map<string, RunnableStep>(steps)
  const isOf = (id: string, type: string) => known.get(id)?.type === type
  const acts = (script ?? []).flatMap(({ open, click }, n) => {
    const [field, step] = open == null ? ["click", click] : ["open", open]
    return step == null || isOf(step, "SEND_EMAIL")
      ? []
      : [warning(`script.${n}.${field}`, "Not a SEND_EMAIL step of this workflow.")]
  })
  const choices = Object.entries(branches ?? {}).flatMap(([id, branch]) => {
    const step = known.get(id)
    if (step === undefined || !choosing.has(step.type)) {
      return [warning(`branches.${id}`, "Not a CONDITION, RATE_LIMIT or SPLIT of this workflow.")]
    }
    return branchesOf(step).includes(branch) ? [] : [warning(`branches.${id}`, "Not a branch of this step.")]
  })
  const answers = Object.keys(webhooks ?? {}).flatMap((id) =>
    isOf(id, "WEBHOOK") ? [] : [warning(`webhooks.${id}`, "Not a WEBHOOK of this workflow.")]
  )
  return [...acts, ...choices, ...answers]
}

/** The steps as they are, except that some take a given branch. */
const choosingAs =
  (branches: StartTestRun["branches"]) =>
  (run: Advancement.RunSteps): Advancement.RunSteps =>
  (type, inputs, now) =>
    Effect.map(run(type, inputs, now), (outcomes) =>
      outcomes.map((outcome, n) => {
        const branch = branches?.[inputs[n]?.step.id ?? ""]
        if (branch === undefined || outcome._tag !== "Done") return outcome
        return { ...outcome, branch, output: { ...dataOf({ data: outcome.output }), branch, chosen: true } }
      })
    )

const copyRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      topicsOn: Schema.NullOr(Schema.Array(Schema.String)),
      topicsOff: Schema.NullOr(Schema.Array(Schema.String))
    })
  )
)

type RunnerNeeds = Effect.Services<typeof Advancement.make> | Effect.Services<typeof WebhookCalls.make>

export type Needs =
  | Effect.Services<typeof TestServices.make>
  | RunnerNeeds
  | ConditionQueries
  | Contacts
  | RunStore
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | WorkflowStore

export const make: Effect.Effect<TestRuns, never, Needs> = Effect.gen(function* () {
  const services = yield* Effect.context<RunnerNeeds>()
  const conditions = yield* ConditionQueries
  const contacts = yield* Contacts
  const graphs = yield* RunStore
  const random = yield* SecureRandom.SecureRandom
  const sql = yield* SqlClient.SqlClient
  const store = yield* WorkflowStore
  const versions = VersionSql.make(sql)
  const servicesOf = yield* TestServices.make

  const copyOf = Effect.fnUntraced(function* (
    project: ProjectId,
    { contactId, contact: given }: StartTestRun,
    now: DateTime.Utc
  ) {
    if (contactId != null) {
      const contact = yield* contacts.get(project, contactId)
      const [lists] = yield* Effect.orDie(
        Effect.flatMap(
          sql`
              select topics_on as "topicsOn", topics_off as "topicsOff" from contacts
              where project_id = ${project} and id = ${contact.id}`,
          copyRows
        )
      )
      return { contact, topicsOn: null, topicsOff: null, ...lists } satisfies CopiedContact
    }
    const named = yield* withNamed(
      { data: given?.data ?? {}, ...(given?.timezone != null && { timezone: given.timezone }) },
      "contact."
    )
    const data = dataAfter({}, dataChange(named))
    const subscribed = given?.subscribed ?? true
    return {
      contact: {
        id: ContactId.make(yield* random.uuidV7()),
        email: given?.email ?? "",
        externalId: null,
        subscribed,
        subscription: subscribed ? "subscribed" : "unsubscribed",
        topics: {},
        snoozedUntil: null,
        locale: localeIn(data),
        timezone: timezoneIn(data),
        origin: null,
        data,
        projectId: project,
        createdAt: now,
        updatedAt: now
      },
      topicsOn: null,
      topicsOff: null
    } satisfies CopiedContact
  })

  /** Why the event would not start the workflow. The run goes on all the same. */
  const unstarted = Effect.fnUntraced(function* (
    project: ProjectId,
    { triggerType, triggerConfig }: TriggerContent,
    event: StartTestRun["event"],
    copy: CopiedContact,
    now: DateTime.Utc
  ) {
    if (event == null) return []
    const { eventName, where, verdict, condition } = triggerConfig as EventTrigger
    if (triggerType !== "EVENT" || eventName == null || eventName !== event.name) {
      return [warning("event", "An event of this name does not start the workflow.")]
    }
    const match = { eventName, where: where ?? null, verdict: verdict ?? null }
    if (!fits(match, { name: event.name, data: event.data ?? {} }, {}, now)) {
      return [warning("event", "The data of this event does not start the workflow.")]
    }
    if (condition == null) return []
    const parsed = Result.getOrThrowWith(
      parseTree(condition, "audience"),
      () => new Error("A stored condition cannot be read")
    )
    const contact = personOf(copy)
    const found = yield* conditions.evaluate(project, [contact.id], [parsed], {}, now, { contact, events: [] })
    return found.get(contact.id)?.[0] === true
      ? []
      : [warning("event", "The contact does not fulfil the condition of the trigger.")]
  })

  /** The contact does what the script says, now. */
  const play = Effect.fnUntraced(function* (memory: TestMemory, { entry, place }: Act, seen: Map<string, number>) {
    const id = yield* random.uuidV7()
    if (entry.event != null) {
      memory.happen(id, entry.event.name, entry.event.data ?? {})
      return []
    }
    const [kind, step] = entry.open == null ? (["click", entry.click] as const) : (["open", entry.open] as const)
    const mail = memory.lastMailOf(step ?? "")
    if (mail === undefined) return [warning(`${place}.${kind}`, "No mail of this step was sent by then.")]
    const key = `${kind} ${mail.email.id}`
    const ordinal = (seen.get(key) ?? 0) + 1
    seen.set(key, ordinal)
    const about = { at: memory.now, first: memory.now, ordinal, verdict: entry.verdict ?? "human" } as const
    const of = TestServices.eventMailOf(mail.email)
    const { name, data } = kind === "open" ? openEvent(of, about) : clickEvent(of, null, about)
    memory.happen(id, name, dataOf({ data }))
    return []
  })

  const walk = Effect.fnUntraced(function* (project: ProjectId, memory: TestMemory, input: StartTestRun) {
    const clock = yield* Clock.Clock
    const begun = clock.monotonicTimeNanosUnsafe()
    const own = Context.merge(services, yield* servicesOf(memory, project, input.webhooks))
    const { advancement, calls } = yield* Effect.provideContext(
      Effect.all({
        advancement: Effect.flatMap(Effect.map(Steps.make, choosingAs(input.branches)), Advancement.makeWith),
        calls: WebhookCalls.make
      }),
      own
    )
    const inTime = Effect.provideService(Clock.Clock, TestServices.clockOf(clock, memory))
    const request = Effect.gen(function* () {
      for (const call of yield* calls.begin(1, [])) yield* calls.make(call)
    }).pipe(inTime)

    const start = memory.now
    const latest = DateTime.add(start, { years: maxYears })
    const acts = [...actsOf(input.script ?? [], start)]
    const seen = new Map<string, number>()
    const warnings: Array<Fault> = []
    for (;;) {
      const millis = Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e6
      if (millis > maxMillis) return yield* over(`The run takes more than ${maxMillis / 1_000} seconds of computing.`)
      if (memory.bytes > maxBytes) return yield* over("The mail of the run is larger than 2 MB.")
      if (memory.execution.exitReason === "step_limit") return yield* over("The run makes more than 1,000 visits.")
      memory.dispatch()
      if (memory.isDue) {
        yield* memory.isOutside ? request : advancement.run([memory.locked()], memory.now)
        continue
      }
      const times = [...(acts[0] ? [acts[0].at] : []), ...(memory.dueAt ? [memory.dueAt] : [])]
      const next = times.toSorted((one, other) => one.epochMilliseconds - other.epochMilliseconds)[0]
      if (next === undefined) return warnings
      if (DateTime.isGreaterThan(next, latest)) return yield* over(`The run takes more than ${maxYears} years.`)
      // Whole milliseconds, rounded up: nothing is early.
      memory.now = DateTime.makeUnsafe(Math.ceil(Math.max(memory.now.epochMilliseconds, next.epochMilliseconds)))
      // What the contact does at an instant comes before the end of a wait at that instant.
      while (acts[0] && DateTime.isLessThanOrEqualTo(acts[0].at, memory.now)) {
        const [act] = acts.splice(0, 1)
        if (act) warnings.push(...(yield* play(memory, act, seen)))
      }
    }
  })

  const answerOf = (memory: TestMemory, includeHtml: boolean, warnings: ReadonlyArray<Fault>): TestRun => {
    let shown = 0
    const visits = [...memory.visits.values()].map((visit): TestRun["visits"][number] => {
      const found = memory.mails.get(visit.id)
      const html = includeHtml && found?.content !== undefined && shown < maxHtml
      if (html) shown++
      return {
        stepId: visit.stepId,
        name: visit.name,
        type: visit.type,
        at: visit.startedAt,
        until: visit.completedAt ?? visit.scheduledFor,
        status: visit.status,
        branch: visit.branch,
        output:
          Predicate.isObject(visit.output) && !Array.isArray(visit.output) ? dataOf({ data: visit.output }) : null,
        error: visit.error,
        mail:
          found?.content === undefined
            ? null
            : {
                to: found.email.to,
                subject: found.email.subject,
                ...(html && { html: found.content.html }),
                text: found.content.text
              }
      }
    })
    const written = [...memory.mails.values()].filter(({ content }) => content !== undefined).length
    const { status, exitReason, converted } = memory.execution
    return {
      outcome: { status, exitReason, error: memory.error, converted, at: memory.endedAt ?? memory.now },
      visits,
      warnings: [
        ...warnings,
        ...(includeHtml && written > maxHtml
          ? [warning("includeHtml", `Only the first ${maxHtml} mails have their HTML.`)]
          : [])
      ]
    }
  }

  /** The graph that the run takes, and its trigger. */
  const chosen = Effect.fnUntraced(function* (workflow: WorkflowRecord, wanted: StartTestRun["version"]) {
    const { projectId, id } = workflow
    if (typeof wanted !== "number") {
      const draft = yield* versions.head(projectId, id, VersionSql.draftNumber)
      return { version: Option.isSome(draft) ? VersionSql.draftNumber : null, trigger: workflow }
    }
    const found = wanted > VersionSql.draftNumber ? yield* versions.read(projectId, id, wanted) : Option.none()
    if (Option.isNone(found)) {
      return yield* new ResourceNotFound({ resource: "workflow_version", id: String(wanted) })
    }
    return { version: wanted, trigger: found.value.settings }
  })

  const run = Effect.fn("TestRuns.run")(function* (project: ProjectId, id: WorkflowId, input: StartTestRun) {
    const workflow = yield* store.find(project, id)
    if (Option.isNone(workflow)) return yield* new WorkflowNotFound({ id })
    const { version, trigger: startedBy } = yield* chosen(workflow.value, input.version)
    const graph = (yield* graphs.graphs([{ projectId: project, workflowId: id, version }])).get(graphKey(id, version))
    if (graph === undefined) return yield* new WorkflowNotFound({ id })
    const faults = faultsIn(input, graph)
    if (faults.length > 0) return yield* new ValidationError({ errors: faults })
    const present = yield* DateTime.now
    const start = input.start ?? present
    const away = [{ years: -maxYearsAway }, { years: maxYearsAway }].map((by) => DateTime.add(present, by))
    if (!DateTime.between(start, { minimum: away[0] ?? start, maximum: away[1] ?? start })) {
      return yield* ValidationError.one("start", "custom", `At most ${maxYearsAway} years from now.`)
    }
    const copy = yield* copyOf(project, input, start)
    const warnings: Array<Fault> = [...(yield* unstarted(project, startedBy, input.event, copy, start))]

    const trigger = [...graph.steps.values()].find(({ type }) => type === "TRIGGER")
    const entry: StepId | null = (trigger && graph.routes.get(trigger.id)?.get("")) ?? null
    if (entry === null) warnings.push(warning("", "No step follows the trigger."))
    const eventId = input.event == null ? null : yield* random.uuidV7()
    const memory = new TestMemory(graph, copy, start, {
      projectId: project,
      workflowId: id,
      id: ExecutionId.make(yield* random.uuidV7()),
      visitId: StepExecutionId.make(yield* random.uuidV7()),
      triggerEventId: eventId,
      context: input.event?.data ?? {},
      entry
    })
    if (input.event != null && eventId !== null) memory.happen(eventId, input.event.name, input.event.data ?? {}, true)
    warnings.push(...(yield* walk(project, memory, input)))
    const answer = answerOf(memory, input.includeHtml ?? false, warnings)
    if (JSON.stringify(answer).length > maxBytes) return yield* over("The result of the run is larger than 2 MB.")
    return answer
  })

  return { run } satisfies TestRuns
})

/** Tests of the promises of WorkflowStore, over any layer. Executions and firings are stored by statements. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ContactStore } from "../../audience/contacts/ContactStore.ts"
import { TemplateStore } from "../../content/templates/TemplateStore.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { storeContact } from "../../testing/StoredContacts.ts"
import {
  graphStep,
  graphTransition,
  rowOfSteps,
  storeExecution,
  storeWorkflow,
  workflowContent
} from "../../testing/StoredWorkflows.ts"
import { at, freshProject } from "../../testing/StoreValues.ts"
import { noChange } from "./graph/Graph.ts"
import { settingsOf } from "./versions/VersionContent.ts"
import { type WorkflowContent, type WorkflowOrder, WorkflowStore } from "./WorkflowStore.ts"

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<WorkflowContent>> = [
  { name: "Other" },
  { description: null },
  { triggerType: "MANUAL", triggerConfig: {} },
  { triggerConfig: { eventName: "other" } },
  { enabled: false },
  { allowReentry: false },
  { reentryAfterHours: null },
  { goal: null },
  { goal: { eventName: "bought" } },
  { exitRules: [] },
  { nextRunAt: null },
  { nextRunAt: at(31) }
]

type Stores = ContactStore | SqlClient.SqlClient | TemplateStore | Transaction | WorkflowStore

export const workflowStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: WorkflowStore })
  const everything = { limit: 100, offset: 0 }

  /** A workflow with a published version, which is its graph. */
  const published = Effect.fnUntraced(function* (project: ProjectId) {
    const { id, graph } = yield* storeWorkflow(project, { versioning: "PUBLISHED" })
    const store = yield* WorkflowStore
    yield* store.become(project, id, { settings: settingsOf(workflowContent), ...graph }, 1, null, at(1))
    return { id, graph, store }
  })

  const found = (project: ProjectId, id: WorkflowId) =>
    WorkflowStore.use((store) => Effect.map(store.find(project, id), Option.getOrThrow))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field and the graph as they were written", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { id, graph, stored } = yield* storeWorkflow(project)
        assert.deepStrictEqual(stored, {
          id,
          projectId: project,
          ...workflowContent,
          publishedVersion: null,
          draft: null,
          createdAt: at(0),
          updatedAt: at(0)
        })
        const counts = { steps: 3, executions: 0, activeExecutions: 0 }
        assert.deepStrictEqual(yield* found(project, id), { ...stored, _count: counts })
        assert.deepStrictEqual(yield* store.graph(project, id), graph)
        assert.deepStrictEqual(yield* store.runningGraph(project, id), graph)
        assert.deepStrictEqual(yield* store.running(project, id), { settings: settingsOf(workflowContent), ...graph })
        const unknown = WorkflowId.make(randomUUID())
        assert.deepStrictEqual(yield* store.runningGraph(project, unknown), { steps: [], transitions: [] })
        assert.deepStrictEqual(yield* store.find(project, unknown), Option.none())
      })
    )

    it.effect.each(changes)("changes its content: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { id } = yield* storeWorkflow(project)
        const sibling = yield* storeWorkflow(project)
        const before = yield* found(project, id)
        const content = { ...workflowContent, ...change }
        assert.isTrue(yield* store.update(project, id, content, at(1)))
        assert.deepStrictEqual(yield* found(project, id), { ...before, ...change, updatedAt: at(1) })
        assert.isTrue(yield* store.update(project, id, content, at(2)))
        assert.deepStrictEqual((yield* found(project, id)).updatedAt, at(1))
        assert.deepInclude(yield* found(project, sibling.id), workflowContent)
      })
    )

    it.effect("changes a workflow only as the caller has read it", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        for (const versioning of ["LIVE", "PUBLISHED"] as const) {
          const { id } = versioning === "LIVE" ? yield* storeWorkflow(project) : yield* published(project)
          const { updatedAt } = yield* found(project, id)
          const rename = (name: string, of?: DateTime.Utc | null) =>
            store.update(project, id, { ...workflowContent, versioning, name }, at(0), of)
          assert.isTrue(yield* rename("first", updatedAt))
          const first = yield* found(project, id)
          assert.isAbove(first.updatedAt.epochMilliseconds, updatedAt.epochMilliseconds)
          assert.isFalse(yield* rename("second", updatedAt))
          assert.deepStrictEqual(yield* found(project, id), first)
          assert.isTrue(yield* rename("third", null))
        }
      })
    )

    it.effect("lists in each order, a slice of those that match, and counts the same", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const made = [
          yield* storeWorkflow(project, { name: "b", description: "50% GRÜSSE" }, rowOfSteps(3), at(0)),
          yield* storeWorkflow(project, { name: "a", description: null, enabled: false }, rowOfSteps(1), at(1)),
          yield* storeWorkflow(project, { name: "c", triggerType: "MANUAL", triggerConfig: {} }, rowOfSteps(2), at(2))
        ]
        yield* storeWorkflow(other)
        yield* store.update(
          project,
          made[0]?.id ?? WorkflowId.make(""),
          { ...workflowContent, name: "b", description: "50% GRÜSSE", nextRunAt: null },
          at(3)
        )
        const numbers = Effect.map((listed: ReadonlyArray<{ readonly id: string }>) =>
          listed.map(({ id }) => made.findIndex((each) => each.id === id))
        )
        const ordered = (order: WorkflowOrder, slice = everything) => numbers(store.list(project, {}, order, slice))
        assert.deepStrictEqual(yield* ordered({ sort: "name", dir: "asc" }), [1, 0, 2])
        assert.deepStrictEqual(yield* ordered({ sort: "createdAt", dir: "desc" }), [2, 1, 0])
        assert.deepStrictEqual(yield* ordered({ sort: "updatedAt", dir: "desc" }), [0, 2, 1])
        assert.deepStrictEqual(yield* ordered({ sort: "steps", dir: "asc" }), [1, 2, 0])
        assert.deepStrictEqual(yield* ordered({ sort: "steps", dir: "desc" }, { limit: 1, offset: 1 }), [2])
        const matches = Effect.fnUntraced(function* (filter: Parameters<typeof store.list>[1]) {
          const listed = yield* numbers(store.list(project, filter, { sort: "createdAt", dir: "asc" }, everything))
          assert.strictEqual(yield* store.count(project, filter), listed.length)
          return listed
        })
        assert.deepStrictEqual(yield* matches({}), [0, 1, 2])
        assert.deepStrictEqual(yield* matches({ status: "active" }), [0, 2])
        assert.deepStrictEqual(yield* matches({ status: "disabled" }), [1])
        assert.deepStrictEqual(yield* matches({ triggerType: "MANUAL" }), [2])
        assert.deepStrictEqual(yield* matches({ search: "grüsse" }), [0])
        assert.deepStrictEqual(yield* matches({ search: "%" }), [0])
        assert.deepStrictEqual(yield* matches({ search: "C" }), [2])
      })
    )

    it.effect("changes parts of the graph, and knows the steps that it had", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { id, graph } = yield* storeWorkflow(project)
        const sibling = yield* storeWorkflow(project)
        const [trigger = graphStep(0), first = graphStep(1), second = graphStep(2)] = graph.steps
        const [enter = graphTransition(trigger, first), next = graphTransition(first, second)] = graph.transitions
        const third = graphStep(3, { createdAt: at(2), updatedAt: at(2), config: { amount: 9, unit: "hours" } })
        const renamed = { ...second, name: "Renamed", position: { x: 1, y: 2 }, config: {}, updatedAt: at(2) }
        const led = { ...enter, toStepId: second.id, auto: true, updatedAt: at(2) }
        const added = graphTransition(second, third, { branch: "yes", createdAt: at(2), updatedAt: at(2) })
        yield* store.changeGraph(
          project,
          id,
          {
            putSteps: [renamed, third],
            dropSteps: [first.id],
            putTransitions: [led, added],
            dropTransitions: [next.id]
          },
          at(2)
        )
        assert.deepStrictEqual(yield* store.graph(project, id), {
          steps: [trigger, renamed, third],
          transitions: [led, added]
        })
        assert.deepStrictEqual((yield* found(project, id)).updatedAt, at(2))
        assert.deepStrictEqual(yield* store.graph(project, sibling.id), sibling.graph)
        const former = yield* store.formerSteps(project, id, [first.id, second.id, graphStep(9).id])
        const kept = ({ id, type, ordinal, createdAt }: typeof first) => ({ id, type, ordinal, createdAt })
        assert.sameDeepMembers([...former], [kept(first), kept(second)])
        assert.deepStrictEqual(yield* store.formerSteps(project, sibling.id, [first.id]), [])
      })
    )

    it.effect("of a published workflow, edits go to the draft, and executions start with the version", () =>
      Effect.gen(function* () {
        const { project } = yield* fresh
        const { id, graph, store } = yield* published(project)
        const settings = settingsOf(workflowContent)
        assert.deepInclude(yield* found(project, id), {
          publishedVersion: 1,
          draft: { changed: false, changedAt: null },
          nextRunAt: null
        })
        const extra = graphStep(3)
        yield* store.changeGraph(project, id, { ...noChange, putSteps: [extra] }, at(2))
        const content = { ...workflowContent, versioning: "PUBLISHED" as const, allowReentry: false, name: "Now" }
        assert.isTrue(yield* store.update(project, id, content, at(3)))
        const edited = yield* found(project, id)
        assert.deepInclude(edited, { name: "Now", allowReentry: false })
        assert.isTrue(edited.draft?.changed)
        assert.strictEqual(edited._count.steps, 4)
        assert.deepStrictEqual((yield* store.graph(project, id)).steps, [...graph.steps, extra])
        assert.deepStrictEqual(yield* store.running(project, id), { settings, ...graph })
        const [listed] = yield* store.list(project, {}, { sort: "name", dir: "asc" }, everything)
        assert.deepInclude(listed, { name: "Now", allowReentry: true })
        assert.strictEqual(listed?._count.steps, 3)

        assert.isTrue(yield* store.dropDraft(project, id, at(4)))
        assert.isFalse(yield* store.dropDraft(project, id, at(5)))
        assert.deepStrictEqual((yield* found(project, id)).draft, { changed: false, changedAt: null })
        assert.deepStrictEqual((yield* store.graph(project, id)).steps, graph.steps)

        const next = {
          settings: { ...settings, goal: null },
          steps: [...graph.steps, extra],
          transitions: graph.transitions
        }
        yield* store.writeDraft(project, id, next, at(6))
        assert.isTrue((yield* found(project, id)).draft?.changed)
        yield* store.writeDraft(project, id, { settings, ...graph }, at(7))
        assert.isFalse((yield* found(project, id)).draft?.changed)
        yield* store.writeDraft(project, id, { settings, ...graph, transitions: [] }, at(8))
        yield* store.become(project, id, next, 2, at(40), at(9))
        assert.deepStrictEqual(yield* store.running(project, id), next)
        assert.deepInclude(yield* found(project, id), {
          publishedVersion: 2,
          draft: { changed: false, changedAt: null },
          goal: null,
          nextRunAt: at(40)
        })
        const [, removed = graphStep(1)] = graph.steps
        const less = { ...next, steps: next.steps.filter((step) => step.id !== removed.id), transitions: [] }
        yield* store.become(project, id, less, 3, null, at(10))
        assert.deepStrictEqual(yield* store.running(project, id), less)
        assert.lengthOf(yield* store.formerSteps(project, id, [removed.id]), 1)
      })
    )

    it.effect("stores how it is edited", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { id } = yield* storeWorkflow(project)
        yield* store.setVersioning(other, id, "PUBLISHED", 4)
        assert.deepInclude(yield* found(project, id), { versioning: "LIVE", publishedVersion: null })
        yield* store.setVersioning(project, id, "PUBLISHED", 4)
        assert.deepInclude(yield* found(project, id), { versioning: "PUBLISHED", publishedVersion: 4 })
        yield* store.setVersioning(project, id, "LIVE", null)
        assert.deepInclude(yield* found(project, id), { versioning: "LIVE", publishedVersion: null, draft: null })
      })
    )

    it.effect("names the templates of its steps, also of the draft; deleted ones are missing", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const templates = yield* TemplateStore
        const newId = () => TemplateId.make(randomUUID())
        const [one, two, gone] = [newId(), newId(), newId()]
        for (const [n, id] of [one, two].entries()) {
          yield* Effect.orDie(
            templates.insert(
              project,
              id,
              {
                name: `Template ${n}`,
                description: null,
                alias: null,
                topicId: null,
                subject: "",
                format: "HTML",
                source: null,
                body: "",
                text: null,
                from: "a@b.co",
                fromName: null,
                replyTo: null,
                type: "MARKETING",
                language: null,
                translations: {},
                layout: null,
                strict: false
              },
              at(0)
            )
          )
        }
        const mail = (templateId: TemplateId) => ({ type: "SEND_EMAIL" as const, templateId })
        const { id } = yield* storeWorkflow(
          project,
          {},
          {
            steps: [graphStep(0), graphStep(1, mail(one)), graphStep(2, mail(gone))],
            transitions: []
          }
        )
        assert.deepStrictEqual([...(yield* store.templatesOf(project, id))], [[one, { id: one, name: "Template 0" }]])
        assert.deepStrictEqual(yield* store.templatesOf(other, id), new Map())
        yield* store.setVersioning(project, id, "PUBLISHED", 1)
        yield* store.changeGraph(project, id, { ...noChange, putSteps: [graphStep(3, mail(two))] }, at(1))
        assert.deepStrictEqual([...(yield* store.templatesOf(project, id)).keys()].sort(), [one, two].sort())
      })
    )

    it.effect("counts its active executions, as a whole and at its steps", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const workflow = yield* storeWorkflow(project)
        const sibling = yield* storeWorkflow(project)
        const steps = workflow.graph.steps.map((step) => step.id)
        for (const [status, step] of [
          ["RUNNING", 1],
          ["WAITING", 1],
          ["WAITING", 2],
          ["COMPLETED", 1],
          ["FAILED", 2]
        ] as const) {
          yield* storeExecution(project, { workflow, contact: yield* storeContact(project), status, step })
        }
        yield* storeExecution(project, { workflow: sibling, contact: yield* storeContact(project) })
        assert.strictEqual(yield* store.activeExecutions(project, workflow.id), 3)
        assert.strictEqual(yield* store.activeExecutions(other, workflow.id), 0)
        const [trigger, first, second] = steps
        const activeAt = (each: typeof steps) => store.activeAt(project, workflow.id, each)
        const both = [
          { stepId: first, activeExecutions: 2 },
          { stepId: second, activeExecutions: 1 }
        ].sort((one, two) => String(one.stepId).localeCompare(String(two.stepId)))
        assert.deepStrictEqual(JSON.stringify(yield* activeAt(steps)), JSON.stringify(both))
        assert.deepStrictEqual(yield* activeAt(trigger === undefined ? [] : [trigger]), [])
        assert.deepStrictEqual((yield* found(project, workflow.id))._count, {
          steps: 3,
          executions: 5,
          activeExecutions: 3
        })
      })
    )

    it.effect("lists the firings of its schedule, newest first", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* storeWorkflow(project)
        for (const minute of [1, 3, 2]) {
          yield* sql`
            insert into workflow_firings (project_id, workflow_id, scheduled_for, started, blocked, error, created_at)
            values (${project}, ${id}, ${DateTime.toDate(at(minute))}, ${minute}, 7, ${minute === 2 ? "why" : null}, now())`
        }
        const firing = (minute: number, error: string | null) => ({
          scheduledFor: at(minute),
          started: minute,
          blocked: 7,
          error
        })
        assert.deepStrictEqual(yield* store.firings(project, id, 2), [firing(3, null), firing(2, "why")])
        assert.deepStrictEqual(yield* store.firings(other, id, 2), [])
      })
    )

    it.effect("transactions that count the workflows, or lock one, run one after another", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        const counts = yield* Effect.forEach(
          [1, 2, 3],
          () => run(Effect.tap(store.lockCount(project), () => storeWorkflow(project))),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2])
        const { id } = yield* storeWorkflow(project, { name: "" })
        const append = run(
          Effect.gen(function* () {
            const { name } = Option.getOrThrow(yield* store.lock(project, id))
            yield* store.update(project, id, { ...workflowContent, name: `${name}x` }, at(1))
          })
        )
        yield* Effect.all([append, append, append], { concurrency: "unbounded" })
        assert.strictEqual((yield* found(project, id)).name, "xxx")
      })
    )

    it.effect("is deleted with its graph and its executions, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const workflow = yield* storeWorkflow(project)
        const { id, graph } = workflow
        yield* storeExecution(project, { workflow, contact: yield* storeContact(project) })
        assert.deepStrictEqual(yield* store.find(other, id), Option.none())
        assert.isFalse(yield* store.update(other, id, { ...workflowContent, name: "taken" }, at(1)))
        yield* store.changeGraph(other, id, { ...noChange, dropSteps: graph.steps.map((step) => step.id) }, at(1))
        yield* store.delete(other, id)
        assert.deepStrictEqual(yield* store.graph(project, id), graph)
        assert.deepInclude(yield* found(project, id), workflowContent)
        yield* store.delete(project, id)
        assert.deepStrictEqual(yield* store.find(project, id), Option.none())
        assert.deepStrictEqual(yield* store.graph(project, id), { steps: [], transitions: [] })
        assert.strictEqual(yield* store.activeExecutions(project, id), 0)
      })
    )
  })
}

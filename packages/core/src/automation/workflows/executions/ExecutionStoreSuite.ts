/** Tests of the promises of ExecutionStore, over any layer. Executions are stored by statements, as starts store them. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import {
  type ExecutionId,
  type ExecutionStatus,
  StepExecutionId
} from "@posthorn/contract/automation/workflows/Execution"
import { DateTime, Effect, type Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { ProjectStore } from "../../../accounts/projects/ProjectStore.ts"
import type { ContactStore } from "../../../audience/contacts/ContactStore.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { storeContact } from "../../../testing/StoredContacts.ts"
import { storeProject } from "../../../testing/StoredProjects.ts"
import { storeExecution, storeWorkflow } from "../../../testing/StoredWorkflows.ts"
import { at, freshProject } from "../../../testing/StoreValues.ts"
import type { WorkflowStore } from "../WorkflowStore.ts"
import { type ExecutionFilter, ExecutionStore } from "./ExecutionStore.ts"

type Stores = ContactStore | ExecutionStore | ProjectStore | SqlClient.SqlClient | Transaction | WorkflowStore

export const executionStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const fresh = Effect.gen(function* () {
    const [project, other] = [yield* freshProject, yield* freshProject]
    const workflow = yield* storeWorkflow(project)
    const { run } = yield* Transaction
    return { project, other, workflow, contact: yield* storeContact(project), store: yield* ExecutionStore, run }
  })

  const everything = { limit: 100, offset: 0 }
  const ids = Effect.map((found: ReadonlyArray<{ readonly id: ExecutionId }>) => found.map(({ id }) => id))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns an execution with its contact and its step", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store } = yield* fresh
        const context = { grüße: ['"\\"', 1, null] }
        const { id } = yield* storeExecution(project, { workflow, contact, version: 3, entryKey: "k", context })
        const step = workflow.graph.steps[1]
        const found = yield* store.find(project, workflow.id, id)
        assert.deepStrictEqual(
          found,
          Option.some({
            id,
            workflowId: workflow.id,
            contactId: contact.id,
            contact,
            status: "RUNNING" as const,
            currentStepId: step?.id ?? null,
            currentStep: step === undefined ? null : { id: step.id, name: step.name, type: step.type },
            version: 3,
            source: "MANUAL" as const,
            triggerEventId: null,
            context,
            entryKey: "k",
            converted: false,
            exitReason: null,
            exitRuleId: null,
            error: null,
            resumeAt: null,
            startedAt: at(1),
            completedAt: null,
            createdAt: at(1),
            updatedAt: at(1)
          })
        )
        const sibling = yield* storeWorkflow(project)
        assert.deepStrictEqual(yield* store.find(project, sibling.id, id), Option.none())
        assert.deepStrictEqual(yield* store.find(other, workflow.id, id), Option.none())
      })
    )

    it.effect("lists the newest first, a slice of those that match, and counts the same", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store } = yield* fresh
        const second = yield* storeContact(project)
        const of = (status: ExecutionStatus, minute: number, more: object = {}) =>
          Effect.map(
            storeExecution(project, { workflow, contact, status, start: at(minute), nth: minute, ...more }),
            ({ id }) => id
          )
        const a = yield* of("COMPLETED", 1, { version: 1 })
        const b = yield* of("WAITING", 2, { version: 2, step: 2 })
        const c = yield* of("RUNNING", 3, { contact: second, step: 2 })
        const d = yield* of("FAILED", 4, { step: 2 })
        yield* storeExecution(project, { workflow: yield* storeWorkflow(project), contact })
        const matches = Effect.fnUntraced(function* (filter: ExecutionFilter) {
          const found = yield* ids(store.list(project, workflow.id, filter, everything))
          assert.strictEqual(yield* store.count(project, workflow.id, filter), found.length)
          return found
        })
        assert.deepStrictEqual(yield* matches({}), [d, c, b, a])
        assert.deepStrictEqual(yield* matches({ status: ["RUNNING", "WAITING"] }), [c, b])
        assert.deepStrictEqual(yield* matches({ contactId: second.id }), [c])
        assert.deepStrictEqual(yield* matches({ version: 2 }), [b])
        assert.deepStrictEqual(yield* matches({ currentStepId: workflow.graph.steps[2]?.id }), [c, b])
        assert.deepStrictEqual(yield* ids(store.list(project, workflow.id, {}, { limit: 2, offset: 1 })), [c, b])
        assert.deepStrictEqual(yield* store.list(other, workflow.id, {}, everything), [])
        assert.strictEqual(yield* store.count(other, workflow.id, {}), 0)
      })
    )

    it.effect("lists those of a contact in all workflows, from a position", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store } = yield* fresh
        const sibling = yield* storeWorkflow(project, { name: "Sibling" })
        const { id: a } = yield* storeExecution(project, { workflow, contact, start: at(1), status: "COMPLETED" })
        const { id: b } = yield* storeExecution(project, { workflow: sibling, contact, start: at(2) })
        const { id: c } = yield* storeExecution(project, { workflow, contact, start: at(2), nth: 2 })
        yield* storeExecution(project, { workflow, contact: yield* storeContact(project) })
        const all = yield* store.listOf(project, contact.id, {}, 10)
        const [newest, middle] = [b, c].sort().reverse()
        assert.deepStrictEqual(
          all.map(({ id }) => id),
          [newest, middle, a]
        )
        assert.deepStrictEqual(all.find(({ id }) => id === b)?.workflow, { id: sibling.id, name: "Sibling" })
        const after = { key: DateTime.formatIso(at(2)), id: newest ?? "" }
        assert.deepStrictEqual(yield* ids(store.listOf(project, contact.id, {}, 1, after)), [middle])
        assert.deepStrictEqual(yield* ids(store.listOf(project, contact.id, { status: ["COMPLETED"] }, 10)), [a])
        assert.deepStrictEqual(
          yield* Effect.all([
            store.countOf(project, contact.id, {}),
            store.countOf(project, contact.id, { status: ["COMPLETED"] }),
            store.countOf(other, contact.id, {})
          ]),
          [3, 1, 0]
        )
        assert.deepStrictEqual(yield* store.listOf(other, contact.id, {}, 10), [])
      })
    )

    it.effect(
      "knows the last execution of a contact: the active one of the key, else the newest, else one of another key",
      () =>
        Effect.gen(function* () {
          const { project, other, workflow, contact, store } = yield* fresh
          const last = (key: string) =>
            Effect.map(
              store.lastOf(project, workflow.id, contact.id, key),
              Option.map(({ id, status }) => [id, status])
            )
          const add = (status: ExecutionStatus, entryKey: string, nth: number) =>
            Effect.map(storeExecution(project, { workflow, contact, status, entryKey, nth }), ({ id }) => id)
          assert.deepStrictEqual(yield* last(""), Option.none())
          const foreign = yield* add("COMPLETED", "other", 1)
          assert.deepStrictEqual(yield* last("key"), Option.some([foreign, "COMPLETED"]))
          const active = yield* add("WAITING", "other", 2)
          assert.deepStrictEqual(yield* last("key"), Option.some([active, "WAITING"]))
          yield* add("COMPLETED", "key", 1)
          const newest = yield* add("FAILED", "key", 2)
          assert.deepStrictEqual(yield* last("key"), Option.some([newest, "FAILED"]))
          const { id } = yield* storeExecution(project, { workflow, contact, entryKey: "key", nth: 3 })
          yield* add("COMPLETED", "key", 4)
          assert.deepStrictEqual(yield* last("key"), Option.some([id, "RUNNING"]))
          assert.deepStrictEqual(yield* store.lastOf(other, workflow.id, contact.id, "key"), Option.none())
        })
    )

    it.effect("an active execution is cancelled once, with the visit of its step", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store, run } = yield* fresh
        const { id, visit } = yield* storeExecution(project, { workflow, contact })
        const [pending] = yield* store.visits(project, id)
        const step = workflow.graph.steps[1] ?? assert.fail("no step")
        assert.deepInclude(pending, {
          id: visit,
          executionId: id,
          stepId: step.id,
          status: "PENDING",
          iteration: 1,
          attempts: 0
        })
        assert.deepInclude(pending, { config: step.config, createdAt: at(1), startedAt: null, completedAt: null })
        assert.isFalse(yield* run(store.cancel(other, id, at(2))))
        assert.isTrue(yield* run(store.cancel(project, id, at(3))))
        assert.isFalse(yield* run(store.cancel(project, id, at(4))))
        const cancelled = Option.getOrThrow(yield* store.find(project, workflow.id, id))
        assert.deepInclude(cancelled, { status: "CANCELLED", exitReason: "cancelled_by_user", completedAt: at(3) })
        const visits = yield* store.visits(project, id)
        assert.deepStrictEqual(
          visits.map(({ id, status, completedAt }) => [id, status, completedAt]),
          [[visit, "SKIPPED", at(3)]]
        )
        assert.deepStrictEqual(yield* store.visits(other, id), [])
      })
    )

    it.effect("an execution ends no earlier than the step that began while its end waited for the lock", () =>
      Effect.gen(function* () {
        const { project, workflow, contact, store, run } = yield* fresh
        const { id } = yield* storeExecution(project, { workflow, contact, start: at(2) })
        assert.isTrue(yield* run(store.cancel(project, id, at(1))))
        const cancelled = Option.getOrThrow(yield* store.find(project, workflow.id, id))
        assert.deepInclude(cancelled, { status: "CANCELLED", completedAt: at(2) })
      })
    )

    it.effect("cancels those that started before a time, of a workflow or of the project", () =>
      Effect.gen(function* () {
        const { project, other, workflow, store, run } = yield* fresh
        const sibling = yield* storeWorkflow(project)
        const add = (of: typeof workflow, minute: number, status: ExecutionStatus = "WAITING") =>
          Effect.gen(function* () {
            const contact = yield* storeContact(project)
            return (yield* storeExecution(project, { workflow: of, contact, status, start: at(minute) })).id
          })
        const [a, b] = [yield* add(workflow, 1), yield* add(workflow, 2)]
        const [late, theirs] = [yield* add(workflow, 3), yield* add(sibling, 1)]
        yield* add(workflow, 1, "COMPLETED")
        const cancel = (of: typeof project, workflowId: typeof workflow.id | undefined, minute: number) =>
          run(store.cancelSome(of, workflowId, "project_disabled", at(minute), at(9)))
        assert.strictEqual(yield* cancel(other, undefined, 9), 0)
        assert.strictEqual(yield* cancel(project, workflow.id, 2), 2)
        const cancelled = (of: typeof workflow) =>
          ids(store.list(project, of.id, { status: ["CANCELLED"] }, everything))
        assert.sameMembers([...(yield* cancelled(workflow))], [a, b])
        assert.deepStrictEqual(yield* cancelled(sibling), [])
        const { exitReason } = Option.getOrThrow(yield* store.find(project, workflow.id, a))
        assert.strictEqual(exitReason, "project_disabled")
        assert.strictEqual(yield* cancel(project, undefined, 9), 2)
        assert.sameMembers([...(yield* cancelled(workflow)), ...(yield* cancelled(sibling))], [a, b, late, theirs])
        assert.strictEqual(yield* cancel(project, undefined, 9), 0)
      })
    )

    it.effect("retries a failed execution as a new visit, unless another one of the contact is active", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store, run } = yield* fresh
        const visit = () => StepExecutionId.make(randomUUID())
        const { id } = yield* storeExecution(project, { workflow, contact, status: "FAILED", due: null })
        const { id: active } = yield* storeExecution(project, { workflow, contact, nth: 2 })
        assert.isFalse(yield* store.retry(project, id, visit(), at(2)))
        assert.isFalse(yield* store.retry(project, active, visit(), at(2)))
        yield* run(store.cancel(project, active, at(3)))
        assert.isFalse(yield* store.retry(other, id, visit(), at(4)))
        const next = visit()
        assert.isTrue(yield* store.retry(project, id, next, at(4)))
        assert.isFalse(yield* store.retry(project, id, visit(), at(5)))
        const retried = Option.getOrThrow(yield* store.find(project, workflow.id, id))
        assert.deepInclude(retried, { status: "RUNNING", completedAt: null, error: null, updatedAt: at(4) })
        const [pending] = yield* store.visits(project, id)
        assert.deepInclude(pending, { id: next, status: "PENDING", createdAt: at(4) })
      })
    )

    it.effect("finds the projects that were disabled before a time and still have active executions", () =>
      Effect.gen(function* () {
        const { store, run } = yield* fresh
        const projects = yield* ProjectStore
        const add = Effect.fnUntraced(function* (status: ExecutionStatus) {
          const project = yield* storeProject
          const workflow = yield* storeWorkflow(project)
          const { id } = yield* storeExecution(project, { workflow, contact: yield* storeContact(project), status })
          return { project, id }
        })
        const [running, ended, enabled] = [yield* add("RUNNING"), yield* add("COMPLETED"), yield* add("RUNNING")]
        for (const { project } of [running, ended]) yield* projects.disable(project, "MANUAL", at(5))
        const found = (minute: number) =>
          Effect.map(store.longDisabled(at(minute)), (all) =>
            [running, ended, enabled].filter(({ project }) => all.includes(project))
          )
        assert.deepStrictEqual(yield* found(4), [])
        assert.deepStrictEqual(yield* found(5), [running])
        yield* run(store.cancel(running.project, running.id, at(6)))
        assert.deepStrictEqual(yield* found(5), [])
      })
    )

    it.effect("shows, moves and deletes what a contact has, in one project", () =>
      Effect.gen(function* () {
        const { project, other, workflow, contact, store, run } = yield* fresh
        const target = yield* storeContact(project)
        const { id: ended } = yield* storeExecution(project, { workflow, contact, status: "COMPLETED", start: at(1) })
        const { id: active } = yield* storeExecution(project, { workflow, contact, nth: 2, start: at(2) })
        const { id: own } = yield* storeExecution(project, { workflow, contact: target, start: at(3) })
        const [first, second, ...none] = yield* store.ofContact(project, contact.id)
        assert.deepInclude(first, { id: ended, workflowName: "Welcome", status: "COMPLETED" })
        assert.deepInclude(second, { id: active, workflowName: "Welcome", status: "RUNNING" })
        assert.deepStrictEqual(none, [])
        assert.deepStrictEqual(yield* store.conversionsOf(project, contact.id), [])
        assert.deepStrictEqual(yield* store.ofContact(other, contact.id), [])
        assert.strictEqual(yield* run(store.moveOf(other, contact.id, target.id, at(5))), 0)
        assert.strictEqual(yield* run(store.moveOf(project, contact.id, target.id, at(5))), 2)
        assert.deepStrictEqual(yield* store.ofContact(project, contact.id), [])
        const moved = Option.getOrThrow(yield* store.find(project, workflow.id, active))
        assert.deepInclude(moved, { contactId: target.id, status: "CANCELLED", exitReason: "contact_merged" })
        // For re-entry, the execution that was moved last counts as the newest one, after the active one.
        const last = yield* store.lastOf(project, workflow.id, target.id, "")
        assert.deepStrictEqual(last, Option.some({ id: own, status: "RUNNING" as const }))
        assert.strictEqual(yield* store.deleteOf(other, target.id), 0)
        assert.strictEqual(yield* store.deleteOf(project, target.id), 3)
        assert.strictEqual(yield* store.countOf(project, target.id, {}), 0)
      })
    )
  })
}

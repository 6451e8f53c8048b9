/** Tests of the promises of RunStore, over any layer. Executions are stored by statements, as starts store them. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { type ExecutionId, StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Deferred, Duration, Effect, Fiber, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ProjectStore } from "../../../accounts/projects/ProjectStore.ts"
import type { ContactStore } from "../../../audience/contacts/ContactStore.ts"
import { EventLog } from "../../../events/EventLog.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { storeContact } from "../../../testing/StoredContacts.ts"
import { storeProject } from "../../../testing/StoredProjects.ts"
import { type GivenExecution, storeExecution, storeWorkflow } from "../../../testing/StoredWorkflows.ts"
import { at } from "../../../testing/StoreValues.ts"
import { ExecutionStore } from "../executions/ExecutionStore.ts"
import type { WorkflowStore } from "../WorkflowStore.ts"
import { type Advance, graphKey, type LockedExecution, RunStore, type StepVisit } from "./RunStore.ts"

type Stores =
  | ContactStore
  | EventLog
  | ExecutionStore
  | ProjectStore
  | RunStore
  | SqlClient.SqlClient
  | Transaction
  | WorkflowStore

/** The end of the current step, with its visit. */
const completion = (locked: LockedExecution, minute: number, more: Partial<Advance> = {}): Advance => ({
  projectId: locked.projectId,
  id: locked.id,
  workflowId: locked.workflowId,
  countedVersion: locked.countedVersion,
  expected: locked.stepsTaken,
  stepsTaken: locked.stepsTaken + 1,
  status: "COMPLETED",
  currentStepId: locked.currentStepId,
  visitId: locked.visitId,
  since: locked.since,
  context: null,
  waitEvent: null,
  lookedAt: null,
  resumeAt: null,
  dueAt: null,
  outside: false,
  exitReason: null,
  error: null,
  completedAt: at(minute),
  visits: [visitOf(locked, minute)],
  moves: [],
  ...more
})

const visitOf = (locked: LockedExecution, minute: number, more: Partial<StepVisit> = {}): StepVisit => ({
  id: locked.visitId,
  stepId: locked.currentStepId ?? assert.fail("no step"),
  name: "Wait",
  type: "DELAY",
  ordinal: locked.stepsTaken + 1,
  status: "COMPLETED",
  attempts: 1,
  config: { amount: 1, unit: "days" },
  request: null,
  output: { grüße: '"\\"' },
  error: null,
  branch: "yes",
  scheduledFor: at(minute - 1),
  resumedBy: null,
  startedAt: at(minute - 1),
  completedAt: at(minute),
  createdAt: at(minute - 2),
  ...more
})

/** `waits`: whether a statement can wait for another one. On a single connection, it cannot. */
export const runStoreSuite = (name: string, storage: Layer.Layer<Stores>, { waits = true } = {}) => {
  /** A project with a workflow. No execution of an earlier test remains due. */
  const fresh = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`delete from workflow_executions`
    const project = yield* storeProject
    const { run } = yield* Transaction
    return { project, workflow: yield* storeWorkflow(project), store: yield* RunStore, run }
  })

  const add = Effect.fnUntraced(function* (
    project: ProjectId,
    workflow: GivenExecution["workflow"],
    more: Partial<GivenExecution> = {}
  ) {
    const contact = yield* storeContact(project)
    return { contact, ...(yield* storeExecution(project, { workflow, contact, ...more })) }
  })

  const lockDue = (minute = 60, limit = 10, outside: Parameters<RunStore["Service"]["lockDue"]>[2] = null) =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      return yield* run((yield* RunStore).lockDue(at(minute), limit, outside))
    })
  const due = (...args: Parameters<typeof lockDue>) =>
    Effect.map(lockDue(...args), (found): ReadonlyArray<ExecutionId> => found.map(({ id }) => id))

  const one = Effect.map(lockDue(), ([found]) => found ?? assert.fail("nothing is due"))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns due executions, oldest first, with their contact", () =>
      Effect.gen(function* () {
        const { project, workflow } = yield* fresh
        const { id: second } = yield* add(project, workflow, { due: at(5) })
        const first = yield* add(project, workflow, { due: at(4), start: at(1), context: { a: 1 }, version: 2 })
        yield* add(project, workflow, { due: at(20) })
        yield* add(project, workflow, { due: null })
        assert.deepStrictEqual(yield* due(3), [])
        assert.deepStrictEqual(yield* due(5), [first.id, second])
        assert.deepStrictEqual(yield* due(5, 1), [first.id])
        const [found] = yield* lockDue()
        const { contact, ...rest } = found ?? assert.fail("nothing is due")
        assert.deepInclude(contact, { ...first.contact, subscribed: true, data: {}, createdAt: at(0) })
        assert.deepStrictEqual(rest, {
          projectId: project,
          id: first.id,
          workflowId: workflow.id,
          version: null,
          countedVersion: 2,
          status: "RUNNING",
          triggerEventId: null,
          enteredAt: at(1),
          converted: false,
          exitReason: null,
          lookedAt: null,
          chain: 1,
          context: { a: 1 },
          currentStepId: workflow.graph.steps[1]?.id ?? null,
          visitId: first.visit,
          since: at(1),
          stepsTaken: 0,
          failures: 0,
          generation: 0,
          startedAt: at(1),
          visit: null
        })
      })
    )

    it.effect("returns outbound requests apart, except those of the given projects", () =>
      Effect.gen(function* () {
        const { project, workflow } = yield* fresh
        const { id: inside } = yield* add(project, workflow)
        const { id: outside } = yield* add(project, workflow, { outside: true })
        assert.deepStrictEqual(yield* due(), [inside])
        assert.deepStrictEqual(yield* due(60, 10, { not: [] }), [outside])
        assert.deepStrictEqual(yield* due(60, 10, { not: [ProjectId.make(randomUUID())] }), [outside])
        assert.deepStrictEqual(yield* due(60, 10, { not: [project] }), [])
      })
    )

    it.effect("executions of a disabled project are not due until it is enabled again and they are thawed", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const projects = yield* ProjectStore
        const { id } = yield* add(project, workflow)
        yield* projects.disable(project, "MANUAL", at(1))
        assert.deepStrictEqual(yield* due(), [])
        assert.strictEqual(yield* store.thaw, 0)
        yield* projects.disable(project, null, at(2))
        assert.deepStrictEqual(yield* due(), [])
        assert.strictEqual(yield* store.thaw, 1)
        assert.deepStrictEqual(yield* due(), [id])
        yield* projects.beginReset(project, at(3))
        assert.deepStrictEqual(yield* due(), [])
      })
    )

    // On a single connection, no transaction can run beside another.
    if (waits)
      it.effect("skips executions that another transaction has locked", () =>
        Effect.gen(function* () {
          const { project, workflow, store, run } = yield* fresh
          const { id: first } = yield* add(project, workflow, { due: at(1) })
          const { id: second } = yield* add(project, workflow, { due: at(2) })
          const [isHeld, ended] = [yield* Deferred.make<ReadonlyArray<LockedExecution>>(), yield* Deferred.make<void>()]
          const holder = run(
            Effect.gen(function* () {
              yield* Deferred.succeed(isHeld, yield* store.lockDue(at(60), 1, null))
              yield* Deferred.await(ended)
            })
          )
          const held = yield* Effect.forkChild(holder)
          assert.deepStrictEqual(
            (yield* Deferred.await(isHeld)).map(({ id }) => id),
            [first]
          )
          assert.deepStrictEqual(yield* due(), [second])
          yield* Deferred.succeed(ended, undefined)
          yield* Fiber.join(held)
          assert.deepStrictEqual(yield* due(), [first, second])
        })
      )

    it.effect("stores progress with its visits, or dies if another process was faster", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const executions = yield* ExecutionStore
        yield* add(project, workflow)
        const locked = yield* one
        const next = workflow.graph.steps[2]?.id ?? null
        const visitId = StepExecutionId.make(randomUUID())
        const moved = completion(locked, 5, {
          status: "WAITING",
          currentStepId: next,
          visitId,
          since: at(5),
          context: { b: 2 },
          resumeAt: at(9),
          dueAt: at(9),
          completedAt: null
        })
        yield* store.advance([moved], at(5))
        assert.deepStrictEqual(yield* due(8), [])
        const again = yield* Effect.map(lockDue(9), ([found]) => found ?? assert.fail("nothing is due"))
        assert.deepInclude(again, { status: "WAITING", currentStepId: next, visitId, since: at(5), stepsTaken: 1 })
        assert.deepInclude(again, { context: { b: 2 }, visit: null })
        const [visit] = yield* executions.visits(project, locked.id)
        assert.deepInclude(visit, {
          id: locked.visitId,
          status: "COMPLETED",
          attempts: 1,
          output: { grüße: '"\\"' },
          branch: "yes",
          startedAt: at(4),
          completedAt: at(5)
        })
        assert.isTrue((yield* Effect.exit(store.advance([completion(locked, 10)], at(10))))._tag === "Failure")
        yield* store.advance([completion(again, 10, { exitReason: "done" })], at(10))
        const ended = Option.getOrThrow(yield* executions.find(project, workflow.id, locked.id))
        assert.deepInclude(ended, { status: "COMPLETED", exitReason: "done", completedAt: at(10), context: { b: 2 } })
        assert.deepStrictEqual(yield* due(), [])
        assert.strictEqual((yield* executions.visits(project, locked.id)).length, 2)
      })
    )

    it.effect("a request runs under a lease, and only its generation is found again", () =>
      Effect.gen(function* () {
        const { project, workflow, store, run } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        yield* add(project, workflow, { outside: true })
        const outside = { not: [] }
        const [locked = assert.fail("nothing is due")] = yield* lockDue(60, 10, outside)
        const request = { url: "https://hooks.example/" }
        const visit = visitOf(locked, 5, { status: "RUNNING", request, output: null, completedAt: null })
        const begun = { projectId: project, id: locked.id, workflowId: workflow.id, visit }
        yield* store.begin([begun], Duration.minutes(1), at(5))
        assert.deepStrictEqual(yield* due(60, 10, outside), [])
        const leased = (generation: number) => run(store.lockLeased(locked, generation))
        assert.isUndefined(yield* leased(0))
        const own = yield* leased(1)
        assert.deepStrictEqual(own?.visit, { ...visit, resumedBy: null })
        assert.isUndefined(yield* run(store.lockLeased({ ...locked, projectId: ProjectId.make(randomUUID()) }, 1)))
        yield* sql`update workflow_executions set lease_until = clock_timestamp() - interval '1 second'
                   where id = ${locked.id}`
        assert.deepStrictEqual(yield* due(60, 10, outside), [locked.id])

        const executions = yield* ExecutionStore
        yield* sql`update workflow_executions set lease_until = clock_timestamp() + interval '1 minute'
                   where id = ${locked.id}`
        yield* run(executions.cancel(project, locked.id, at(6)))
        yield* store.close(locked, { ...visit, status: "COMPLETED", completedAt: at(7) }, at(7))
        assert.deepStrictEqual(yield* due(60, 10, outside), [])
        const [closed] = yield* executions.visits(project, locked.id)
        assert.deepInclude(closed, { status: "COMPLETED", completedAt: at(7) })
      })
    )

    it.effect("postpones an execution that failed", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const { id } = yield* add(project, workflow)
        yield* store.postpone({ projectId: ProjectId.make(randomUUID()), id }, at(30))
        assert.deepStrictEqual(yield* due(10), [id])
        yield* store.postpone({ projectId: project, id }, at(30))
        assert.deepStrictEqual(yield* due(29), [])
        assert.strictEqual((yield* one).failures, 1)
      })
    )

    it.effect("reads graphs by workflow; deleted ones are missing", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const of = (projectId: ProjectId, workflowId: typeof workflow.id, version: number | null) => ({
          projectId,
          workflowId,
          version
        })
        const graphs = yield* store.graphs([
          of(project, workflow.id, null),
          of(project, workflow.id, null),
          of(project, workflow.id, 7),
          of(ProjectId.make(randomUUID()), workflow.id, null)
        ])
        assert.deepStrictEqual([...graphs.keys()], [graphKey(workflow.id, null)])
        const graph = graphs.get(workflow.id) ?? assert.fail("no graph")
        const [trigger, first = assert.fail("no step"), second] = workflow.graph.steps
        assert.deepStrictEqual(graph.name, "Welcome")
        assert.deepStrictEqual(graph.steps.get(first.id), {
          id: first.id,
          type: "DELAY",
          name: "Step 1",
          config: { amount: 1, unit: "days" },
          templateId: null
        })
        const routes = [...graph.routes].map(([from, to]) => [from, [...to]])
        assert.sameDeepMembers(routes, [
          [trigger?.id, [["", first.id]]],
          [first.id, [["", second?.id]]]
        ])
      })
    )

    it.effect("finds the earliest event that ends each wait", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const log = yield* EventLog
        const { id, contact } = yield* add(project, workflow)
        const happen = (name: string, minute: number, data: object, of = contact.id) =>
          Effect.map(
            log.record(project, [{ contact: of, name, source: "tracked", data: { ...data } }], at(minute)),
            ([event = ""]) => event
          )
        yield* happen("paid", 1, { n: 0 })
        yield* happen("paid", 3, { n: 1 }, (yield* storeContact(project)).id)
        yield* happen("other", 3, {})
        const first = yield* happen("paid", 4, { n: 2 })
        const second = yield* happen("paid", 5, { n: 3 })
        const wait = (more: object = {}) => ({
          projectId: project,
          id,
          contactId: contact.id,
          triggerEventId: null,
          event: "paid",
          tests: [],
          since: at(2),
          until: null as DateTime.Utc | null,
          ...more
        })
        const found = (more: object = {}) =>
          Effect.map(store.eventsFor([wait(more)], at(9)), (events) => events.get(id)?.id)
        const events = yield* store.eventsFor([wait()], at(9))
        assert.deepInclude(events.get(id), { id: first, data: { n: 2 }, createdAt: at(4), isDispatched: false })
        assert.strictEqual(yield* found({ triggerEventId: first }), second)
        assert.strictEqual(yield* found({ since: at(5) }), second)
        assert.isUndefined(yield* found({ until: at(3) }))
        assert.isUndefined(yield* found({ event: "unknown" }))
        assert.isUndefined(yield* found({ projectId: ProjectId.make(randomUUID()) }))
        assert.deepStrictEqual(yield* store.eventsFor([], at(9)), new Map())
      })
    )

    it.effect("keeps the origins of events that wait, and deletes the others", () =>
      Effect.gen(function* () {
        const { project, workflow, store } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        const log = yield* EventLog
        const [waiting = ""] = yield* log.record(
          project,
          [{ contact: null, name: "paid", source: "tracked", data: {} }],
          at(1)
        )
        const execution = { projectId: project, workflowId: workflow.id, chain: 3 }
        yield* store.noteOrigins(execution, [waiting, randomUUID()])
        yield* store.noteOrigins(execution, [])
        yield* store.deleteDecisions
        assert.deepStrictEqual(
          yield* sql`
            select event_id as event, workflow_id as workflow, chain from workflow_event_origins
            where project_id = ${project}`,
          [{ event: waiting, workflow: workflow.id, chain: 3 }]
        )
      })
    )
  })
}

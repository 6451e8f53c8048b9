/**
 * Requests of WEBHOOK steps, made outside transactions: one transaction stores that a try begins, another its result.
 * In between the execution is under a lease. If the worker dies, the lease expires and the same try is made again.
 */

import { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Clock, DateTime, Duration, Effect, Random, Schema } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { TextWork } from "../../../content/text/TextWork.ts"
import { signatureHeaders } from "../../../mail/receivers/WebhookSignature.ts"
import { failpoint } from "../../../platform/Failpoint.ts"
import { SafeFetch } from "../../../platform/outbound/SafeFetch.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { SigningSecrets } from "../SigningSecrets.ts"
import type { StepInput } from "../steps/StepDefinition.ts"
import { type CallResult, continuesOnError, outcomeOf, requestOf, WebhookRequest } from "../steps/Webhook.ts"
import * as Advancement from "./Advancement.ts"
import type { ExecutionState } from "./ExecutionState.ts"
import { type ExecutionKey, type LockedExecution, RunStore, type StepVisit } from "./RunStore.ts"

/** A try that has begun. */
export interface WebhookCall extends ExecutionKey {
  /** A fencing token: a result counts only if the lease still has this generation. */
  readonly generation: number
  readonly visitId: StepExecutionId
  readonly request: WebhookRequest
}

/** A try takes at most half as long, so the lease needs no renewal. */
const lease = Duration.seconds(60)

const readRequest = Schema.decodeUnknownSync(WebhookRequest)
const utf8 = new TextEncoder()

/** The output of a visit whose execution ended meanwhile. */
const skipped = ({ status, exitReason }: LockedExecution) => ({
  reason: status === "EXITED" ? exitReason : "execution_cancelled"
})

const isLive = ({ status }: Pick<LockedExecution, "status">): boolean => status === "RUNNING" || status === "WAITING"

export const make = Effect.gen(function* () {
  const advancement = yield* Advancement.make
  const mac = yield* Mac.Mac
  const { executions: wakeup } = yield* Wakeups
  const outside = yield* SafeFetch
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const secrets = yield* SigningSecrets
  const store = yield* RunStore
  const transaction = yield* Transaction
  const work = yield* TextWork

  const nextVisit = Effect.map(random.uuidV7(), (id) => StepExecutionId.make(id))

  const visitOf = (at: StepInput, request: WebhookRequest, now: DateTime.Utc): StepVisit => {
    const { execution, step, visit, visitId, since } = at
    // After a failed try the number increases. A try whose worker died keeps its number.
    const attempts = visit === null ? 1 : visit.attempts + (visit.status === "SCHEDULED" ? 1 : 0)
    return {
      id: visitId,
      stepId: step.id,
      name: step.name,
      type: step.type,
      ordinal: visit?.ordinal ?? execution.stepsTaken + 1,
      status: "RUNNING",
      attempts,
      config: step.config,
      request,
      output: visit?.output ?? null,
      error: null,
      branch: null,
      scheduledFor: null,
      resumedBy: null,
      startedAt: visit?.startedAt ?? now,
      completedAt: null,
      createdAt: since
    }
  }

  /** The visit of an execution at a WEBHOOK. Undefined if rendering the request failed. */
  const prepare = Effect.fnUntraced(function* (state: ExecutionState, now: DateTime.Utc) {
    const { execution, step } = state
    if (step === undefined) return undefined
    const at = state.stepInput(execution.contact, step)
    const { visit } = at
    if (visit !== null) return visitOf(at, readRequest(visit.request), now)
    const project = yield* Effect.orDie(projects.getCached(execution.projectId))
    const request = yield* Effect.result(requestOf(work, at, project))
    if (request._tag === "Success") return visitOf(at, request.success, now)
    const { message } = request.failure
    const failed = { _tag: "Failed", code: "render_failed", message, continues: continuesOnError(at) } as const
    state.apply(step, failed, yield* nextVisit, now)
    return undefined
  })

  const giveUp = (execution: LockedExecution, now: DateTime.Utc) => {
    const { visit } = execution
    if (visit === null) return Effect.void
    const output = skipped(execution)
    return store.close(execution, { ...visit, status: "SKIPPED", output, request: null, completedAt: now }, now)
  }

  /** Begins due tries, except those of the given projects. */
  const begin = Effect.fn("WebhookCalls.begin")(function* (limit: number, except: ReadonlyArray<ProjectId>) {
    const now = yield* DateTime.now
    const due = yield* store.lockDue(now, limit, { not: except })
    yield* Effect.forEach(
      due.filter((execution) => !isLive(execution)),
      (execution) => giveUp(execution, now)
    )
    const states = yield* advancement.states(due.filter(isLive))
    const calls: Array<{ readonly state: ExecutionState; readonly visit: StepVisit }> = []
    for (const state of states) {
      const visit = yield* prepare(state, now)
      if (visit !== undefined) calls.push({ state, visit })
    }
    const begun = new Set(calls.map(({ state }) => state))
    yield* advancement.write(
      states.filter((state) => !begun.has(state)),
      now
    )
    yield* store.begin(
      calls.map(({ state: { execution }, visit }) => ({ ...execution, visit })),
      lease,
      now
    )
    return calls.map(({ state: { execution }, visit }) => ({
      projectId: execution.projectId,
      id: execution.id,
      generation: execution.generation + 1,
      visitId: visit.id,
      request: readRequest(visit.request)
    }))
  }, transaction.run)

  const ask = Effect.fnUntraced(function* ({ projectId, visitId, request }: WebhookCall): Effect.fn.Return<CallResult> {
    const body = utf8.encode(request.body ?? "")
    const signed = yield* Effect.provideService(
      signatureHeaders(yield* secrets.current(projectId), visitId, body),
      Mac.Mac,
      mac
    )
    const before = yield* Clock.monotonicTimeNanos
    const result = yield* Effect.result(
      outside.request({
        method: request.method,
        url: request.url,
        headers: { ...request.headers, ...signed },
        body: request.body === null ? undefined : body,
        timeout: Duration.seconds(request.timeoutSeconds)
      })
    )
    const millis = Math.round(Number((yield* Clock.monotonicTimeNanos) - before) / 1e6)
    return result._tag === "Success"
      ? { _tag: "Response", response: result.success, millis }
      : { _tag: "Fault", fault: result.failure, millis }
  })

  /** Stores the result of an execution that has ended meanwhile. No step follows. */
  const close = (execution: LockedExecution, answer: CallResult, now: DateTime.Utc) => {
    const { visit } = execution
    if (visit === null) return Effect.void
    const outcome = outcomeOf(answer, { tries: visit.attempts, continues: false, chance: 0 }, now)
    const ended = { ...visit, request: null, completedAt: now }
    const result: StepVisit =
      outcome._tag === "Done"
        ? { ...ended, status: "COMPLETED", output: outcome.output }
        : outcome._tag === "Failed"
          ? {
              ...ended,
              status: "FAILED",
              output: outcome.output ?? null,
              error: { code: outcome.code, message: outcome.message }
            }
          : { ...ended, status: "SKIPPED", output: skipped(execution) }
    return store.close(execution, result, now)
  }

  const settle = Effect.fn("WebhookCalls.settle")(function* (call: WebhookCall, answer: CallResult) {
    const now = yield* DateTime.now
    const execution = yield* store.lockLeased(call, call.generation)
    if (execution === undefined) return
    if (!isLive(execution)) return yield* close(execution, answer, now)
    const [state] = yield* advancement.states([execution])
    if (state === undefined) return
    const { step } = state
    if (step !== undefined) {
      const at = state.stepInput(execution.contact, step)
      const tries = execution.visit?.attempts ?? 1
      const chance = yield* Random.next
      const outcome = outcomeOf(answer, { tries, continues: continuesOnError(at), chance }, now)
      state.apply(step, outcome, yield* nextVisit, now)
    }
    yield* advancement.write([state], now)
    yield* transaction.afterCommit(wakeup.wake)
  }, transaction.run)

  /** Makes the request, stores the result and continues the execution. */
  const make = Effect.fn("WebhookCalls.make")(function* (call: WebhookCall) {
    const answer = yield* ask(call)
    yield* failpoint("after_webhook_answer")
    yield* settle(call, answer)
  })

  return { begin, make }
})

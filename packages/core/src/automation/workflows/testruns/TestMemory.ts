/**
 * What a test run has in place of the database: one execution, its visits, its mail, and the copy of its contact. The
 * runner works on it as on stored executions.
 */
import type { Contact } from "@posthorn/contract/audience/contacts/Contact"
import type { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { isReservedEvent, isSharedEvent, topicOfEvent } from "@posthorn/contract/events/EventName"
import { DateTime, Effect, type Schema } from "effect"
import { jsonHolds } from "../../../audience/filters/JsonHolds.ts"
import type { NewContent, NewEmail } from "../../../mail/ledger/Ledger.ts"
import { dataOf } from "../goals/EventTests.ts"
import { consequenceOf, type ExitReason } from "../goals/Journeys.ts"
import {
  type Advance,
  graphKey,
  type LockedExecution,
  type Person,
  type RunnableGraph,
  type RunStore,
  type StepVisit,
  type Wait
} from "../run/RunStore.ts"
import type { UnstoredEvent } from "../steps/ConditionQueries.ts"

/** The copy of the contact, as callers see contacts and as steps do. */
export interface CopiedContact {
  readonly contact: Contact
  readonly topicsOn: ReadonlyArray<string> | null
  readonly topicsOff: ReadonlyArray<string> | null
}

export const personOf = ({ contact, topicsOn, topicsOff }: CopiedContact): Person => ({
  id: contact.id,
  email: contact.email,
  subscribed: contact.subscribed,
  snoozedUntil: contact.snoozedUntil,
  data: contact.data,
  createdAt: contact.createdAt,
  updatedAt: contact.updatedAt,
  topicsOn,
  topicsOff
})

/** A mail of the run. It has no content if it could not be rendered. */
export interface UnsentMail {
  readonly email: NewEmail
  readonly content: NewContent | undefined
  /** Whether it would be sent. */
  readonly isSent: boolean
}

interface RunEvent extends UnstoredEvent {
  readonly isDispatched: boolean
}

type Start = Pick<LockedExecution, "context" | "id" | "projectId" | "triggerEventId" | "visitId" | "workflowId"> & {
  readonly entry: LockedExecution["currentStepId"]
}

const utf8 = new TextEncoder()

export class TestMemory {
  now: DateTime.Utc
  copy: CopiedContact
  execution: LockedExecution
  /** When the execution is due. Null while only an event continues it, and after its end. */
  dueAt: DateTime.Utc | null
  endedAt: DateTime.Utc | null = null
  error: Advance["error"] = null
  /** Whether the next step is an outbound request. */
  isOutside = false
  /** Size of the mail so far. */
  bytes = 0
  readonly visits = new Map<StepExecutionId, StepVisit>()
  readonly mails = new Map<string, UnsentMail>()
  readonly graph: RunnableGraph
  private readonly happened: Array<RunEvent> = []
  private waitEvent: string | null = null

  constructor(graph: RunnableGraph, copy: CopiedContact, now: DateTime.Utc, { entry, ...start }: Start) {
    this.graph = graph
    this.copy = copy
    this.now = now
    this.dueAt = now
    this.execution = {
      ...start,
      version: null,
      countedVersion: 1,
      currentStepId: entry,
      contact: personOf(copy),
      status: "RUNNING",
      enteredAt: now,
      startedAt: now,
      since: now,
      converted: false,
      exitReason: null,
      lookedAt: null,
      chain: 1,
      stepsTaken: 0,
      failures: 0,
      generation: 0,
      visit: null
    }
  }

  get isLive(): boolean {
    return this.endedAt === null
  }

  get isDue(): boolean {
    return this.dueAt !== null && DateTime.isLessThanOrEqualTo(this.dueAt, this.now)
  }

  get events(): ReadonlyArray<UnstoredEvent> {
    return this.happened
  }

  /** The execution with the present copy of its contact. */
  locked(): LockedExecution {
    return { ...this.execution, contact: personOf(this.copy) }
  }

  /** An event happens now. Its consequences follow with `dispatch`. */
  happen(id: string, name: string, data: Schema.JsonObject, isDispatched = false): void {
    const isOfService = isReservedEvent(name) || isSharedEvent(name) || topicOfEvent(name) !== undefined
    const source = isOfService ? "system" : "tracked"
    this.happened.push({ id, name, data, source, createdAt: this.now, occurredAt: this.now, isDispatched })
  }

  /** Lets events convert, end and wake the execution, each once. */
  dispatch(): void {
    for (const [n, event] of this.happened.entries()) {
      if (event.isDispatched) continue
      this.happened[n] = { ...event, isDispatched: true }
      const { converts, exit } = consequenceOf(this.graph, event, { ...this.execution, isLive: this.isLive }, this.now)
      if (converts) this.execution = { ...this.execution, converted: true }
      if (exit !== undefined && !this.isSpent(event.id)) this.exit(exit.reason)
      else if (this.isLive && this.waitEvent === event.name) this.dueAt = this.now
    }
  }

  /** Whether the event has already ended a wait. */
  private isSpent(event: string): boolean {
    return [...this.visits.values()].some(({ resumedBy }) => resumedBy === event)
  }

  private exit(reason: ExitReason): void {
    const { visit } = this.execution
    if (visit !== null) {
      this.visits.set(visit.id, { ...visit, status: "SKIPPED", output: { reason }, completedAt: this.now })
    }
    this.execution = { ...this.execution, status: "EXITED", exitReason: reason, visit: null }
    this.dueAt = null
    this.endedAt = this.now
  }

  accept(email: NewEmail, content: NewContent | undefined, isSent: boolean): void {
    const visit = email.workflow?.stepExecutionId
    if (visit === undefined) return
    this.mails.set(visit, { email, content, isSent })
    this.bytes += utf8.encode((content?.html ?? "") + (content?.text ?? "")).length
  }

  /** The newest mail of the step that was sent. */
  lastMailOf(step: string): UnsentMail | undefined {
    return [...this.mails.values()].findLast(({ email, isSent }) => isSent && email.workflow?.stepId === step)
  }

  private advance({ visits, visitId, ...advance }: Advance): void {
    for (const visit of visits) this.visits.set(visit.id, visit)
    const open = this.visits.get(visitId)
    const { status, stepsTaken, currentStepId, since, lookedAt, exitReason } = advance
    this.execution = {
      ...this.execution,
      ...{ status, stepsTaken, currentStepId, since, lookedAt, exitReason, visitId },
      context: advance.context ?? this.execution.context,
      visit: open?.completedAt === null ? open : null
    }
    this.dueAt = advance.dueAt
    this.endedAt = advance.completedAt
    this.error = advance.error
    this.isOutside = advance.outside
    this.waitEvent = advance.waitEvent
  }

  private begin(visit: StepVisit): void {
    this.visits.set(visit.id, visit)
    this.execution = { ...this.execution, status: "RUNNING", visit, generation: this.execution.generation + 1 }
  }

  private firstFor({ event: name, since, until, triggerEventId, tests }: Wait, now: DateTime.Utc) {
    return this.happened.find(
      (event) =>
        event.name === name &&
        event.id !== triggerEventId &&
        DateTime.isGreaterThanOrEqualTo(event.createdAt, since) &&
        (until === null || DateTime.isLessThanOrEqualTo(event.createdAt, until)) &&
        tests.every((test) => jsonHolds(test, dataOf(event), now.epochMilliseconds)) &&
        !this.isSpent(event.id)
    )
  }

  /** The port of the runner. */
  readonly store: RunStore["Service"] = {
    lockDue: (_now, _limit, outside) =>
      Effect.sync(() => (this.isDue && this.isOutside === (outside !== null) ? [this.locked()] : [])),
    lockLeased: () => Effect.sync(() => this.locked()),
    graphs: () => Effect.sync(() => new Map([[graphKey(this.execution.workflowId, null), this.graph]])),
    advance: (advances) =>
      Effect.sync(() => {
        for (const each of advances) this.advance(each)
      }),
    begin: (begun) =>
      Effect.sync(() => {
        for (const { visit } of begun) this.begin(visit)
      }),
    close: () => Effect.void,
    eventsFor: (waits, now) =>
      Effect.sync(
        () =>
          new Map(
            waits.flatMap((wait) => {
              const found = this.firstFor(wait, now)
              return found === undefined ? [] : [[wait.id, found] as const]
            })
          )
      ),
    noteOrigins: () => Effect.void,
    postpone: () => Effect.void,
    thaw: Effect.succeed(0),
    deleteDecisions: Effect.void
  }
}

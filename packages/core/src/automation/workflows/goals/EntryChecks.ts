/**
 * Checks events before they start workflows: by their data, by a condition on their contact, and by the value that tells
 * executions apart. One statement for the events and one for each workflow with a condition, however many events.
 */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { jsonPath } from "@posthorn/contract/audience/filters/FilterFields"
import { parseTree } from "@posthorn/contract/audience/filters/ParseTree"
import { EventTrigger } from "@posthorn/contract/automation/workflows/Trigger"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { valueAt } from "../../../audience/filters/JsonPaths.ts"
import { ConditionQueries } from "../steps/ConditionQueries.ts"
import { dataOf, fits, type NamedEvent } from "./EventTests.ts"
import type { ListenerHit } from "./Listeners.ts"

/** Whether an event may start a workflow, and the value that tells its execution apart. */
export interface JudgedEvent {
  readonly event: string
  readonly workflow: WorkflowId
  readonly passes: boolean
  readonly isKeyed: boolean
  readonly entryKey: string
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, data: Schema.Json }))
)
const workflowRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ project: ProjectId, id: WorkflowId, config: EventTrigger }))
)

const maxKey = 200

/** The value at the path, if it is text or a number. */
const keyOf = (path: string, event: NamedEvent): string => {
  const value = valueAt(jsonPath(path), dataOf(event))
  const key = typeof value === "number" ? String(value) : value
  return typeof key === "string" && [...key].length <= maxKey ? key : ""
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const conditions = yield* ConditionQueries

  /** Of these contacts, those that fulfil the condition. All of them without one. */
  const fulfilling = Effect.fnUntraced(function* (
    project: ProjectId,
    { condition }: EventTrigger,
    contacts: ReadonlyArray<ContactId>,
    now: DateTime.Utc
  ) {
    if (condition == null) return new Set(contacts)
    const parsed = Result.getOrThrowWith(
      parseTree(condition, "audience"),
      () => new Error("A stored condition cannot be read")
    )
    const found = yield* conditions.evaluate(project, contacts, [parsed], {}, now)
    return new Set(contacts.filter((contact) => found.get(contact)?.[0] === true))
  })

  /** Joins the caller's transaction. */
  return Effect.fn("EntryChecks.judge")(function* (hits: ReadonlyArray<ListenerHit>, now: DateTime.Utc) {
    if (hits.length === 0) return []
    const ids = [...new Set(hits.map(({ event }) => event))]
    const projects = [...new Set(hits.map(({ project }) => project))]
    const events = new Map(
      (yield* rows(
        yield* sql`
          select id, name, data from events
          where project_id = any(${projects}::uuid[]) and id = any(${ids}::uuid[])`.unprepared
      )).map((event) => [event.id, event])
    )
    const workflows = yield* workflowRows(
      yield* sql`
        select project_id as project, id, trigger_config as config from workflows
        where project_id = any(${projects}::uuid[]) and id = any(${hits.map(({ workflow }) => workflow)}::uuid[])
          and trigger_type = 'EVENT'`.unprepared
    )
    const judged: Array<JudgedEvent> = []
    for (const { project, id, config } of workflows) {
      const { eventName, where, verdict, entryKey } = config
      if (eventName == null) continue
      const own = hits.filter(({ workflow }) => workflow === id)
      const match = { eventName, where: where ?? null, verdict: verdict ?? null }
      const fitting = own.filter(({ event }) => {
        const found = events.get(event)
        return found !== undefined && fits(match, found, {}, now)
      })
      const contacts = yield* fulfilling(project, config, [...new Set(fitting.map(({ contact }) => contact))], now)
      const passing = new Set(fitting.flatMap(({ event, contact }) => (contacts.has(contact) ? [event] : [])))
      for (const { event } of own) {
        const found = events.get(event)
        judged.push({
          event,
          workflow: id,
          passes: passing.has(event),
          isKeyed: entryKey != null,
          entryKey: entryKey == null || found === undefined ? "" : keyOf(entryKey, found)
        })
      }
    }
    return judged
  }, Effect.orDie)
})

/** Reads events and deletes them by name. */

import type { ContactId, ContactNotFound } from "@posthorn/contract/audience/contacts/Contact"
import type {
  ContactEventQuery,
  DeletedEvents,
  Event,
  EventNames,
  EventNamesQuery,
  EventPage,
  EventQuery,
  EventSource,
  EventStats,
  EventStatsQuery,
  EventTimeseries,
  EventTimeseriesQuery,
  EventUsage
} from "@posthorn/contract/audience/events/Event"
import { isReservedEvent, isSharedEvent } from "@posthorn/contract/events/EventName"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type BadRequest, type InvalidCursor, ResourceInUse, ValidationError } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import * as ChangeNotes from "../../events/ChangeNotes.ts"
import * as EventTotals from "../../events/EventTotals.ts"
import { type CursorPageRequest, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { dateRange } from "../../platform/DateRange.ts"
import { JobQueue } from "../../platform/jobs/JobQueue.ts"
import { windowDays } from "../../platform/TimeWindows.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { References } from "../References.ts"
import { Segments } from "../segments/Segments.ts"
import * as EventDeletion from "./EventDeletion.ts"
import { type EventFilter, positionIn } from "./EventStatements.ts"
import * as EventStore from "./EventStore.ts"

export interface EventRecords {
  readonly list: (project: ProjectId, query: EventQuery) => Effect.Effect<EventPage, BadRequest | InvalidCursor>
  readonly ofContact: (
    project: ProjectId,
    contact: ContactId,
    query: ContactEventQuery
  ) => Effect.Effect<EventPage, ContactNotFound | InvalidCursor>
  readonly stats: (project: ProjectId, query: EventStatsQuery) => Effect.Effect<EventStats, BadRequest>
  /** How often callers tracked the event on each whole day in the time zone, including days without it. */
  readonly timeseries: (
    project: ProjectId,
    name: string,
    query: EventTimeseriesQuery
  ) => Effect.Effect<EventTimeseries, BadRequest>
  readonly names: (project: ProjectId, query: EventNamesQuery) => Effect.Effect<EventNames>
  /** The newest events, of one name or of all, tracked or from the service. */
  readonly newest: (project: ProjectId, name: string | undefined, limit: number) => Effect.Effect<ReadonlyArray<Event>>
  readonly usage: (project: ProjectId, name: string) => Effect.Effect<EventUsage>
  /**
   * Deletes all events that callers tracked under this name until now. If there are many, a job removes the rows
   * later.
   */
  readonly delete: (project: ProjectId, name: string) => Effect.Effect<DeletedEvents, ResourceInUse | ValidationError>
}

/** The maximum number of names in a list. */
const maxNames = 1000
const defaultStatsRange = Duration.days(30)

const oneSource = (source: EventSource | "all"): EventSource | undefined => (source === "all" ? undefined : source)

export type Needs =
  | Contacts
  | Cursors
  | EventTotals.Needs
  | JobQueue
  | Projects
  | References
  | Segments
  | SqlClient.SqlClient
  | Transaction

export const make: Effect.Effect<EventRecords, never, Needs> = Effect.gen(function* () {
  const store = yield* EventStore.make
  const contacts = yield* Contacts
  const cursors = yield* Cursors
  const jobs = yield* JobQueue
  const projects = yield* Projects
  const transaction = yield* Transaction
  const totals = yield* EventTotals.make
  const references = yield* References
  const segments = yield* Segments

  const page = (project: ProjectId, filter: EventFilter, wanted: CursorPageRequest) =>
    cursorPage(cursors, wanted, {
      count: store.count(project, filter),
      list: (limit, after) => store.list(project, filter, limit, after),
      positionOf: positionIn(filter)
    })

  const zoneOf = (project: ProjectId) => Effect.map(Effect.orDie(projects.getCached(project)), (_) => _.timezone)

  const rangeIn = (project: ProjectId, { startDate, endDate }: EventStatsQuery) =>
    Effect.flatMap(zoneOf(project), (timezone) => dateRange({ startDate, endDate }, timezone))

  const list = Effect.fn("EventRecords.list")(function* (project: ProjectId, query: EventQuery) {
    const { cursor, limit: _, source = "tracked", eventName, contactId, startDate, endDate } = query
    const range = yield* rangeIn(project, query)
    const filter = { name: eventName, contact: contactId, source: oneSource(source), ...range }
    const scope = JSON.stringify(["events", project, source, eventName, contactId, startDate, endDate])
    return yield* page(project, filter, { scope, cursor, limit: pageSize(query) })
  })

  const ofContact = Effect.fn("EventRecords.ofContact")(function* (
    project: ProjectId,
    contact: ContactId,
    { cursor, limit = 50, source = "all" }: ContactEventQuery
  ) {
    yield* contacts.get(project, contact)
    const scope = JSON.stringify(["contact-events", project, contact, source])
    return yield* page(project, { contact, source: oneSource(source) }, { scope, cursor, limit: pageSize({ limit }) })
  })

  const stats = Effect.fn("EventRecords.stats")(function* (project: ProjectId, query: EventStatsQuery) {
    const { from, until } = yield* rangeIn(project, query)
    const end = until ?? (yield* DateTime.now)
    const start = from ?? DateTime.subtractDuration(end, defaultStatsRange)
    return yield* store.stats(project, { source: oneSource(query.source ?? "all"), from: start, until }, maxNames)
  })

  const timeseries = Effect.fn("EventRecords.timeseries")(function* (
    project: ProjectId,
    name: string,
    query: EventTimeseriesQuery
  ) {
    const { dates, starts } = yield* windowDays(query, yield* zoneOf(project))
    const counts = yield* totals.byDay(project, name, starts)
    return dates.map((date, day) => ({ date, count: counts.get(day) ?? 0 }))
  })

  const names = Effect.fn("EventRecords.names")(function* (project: ProjectId, query: EventNamesQuery) {
    const { search, source = "all" } = query
    return { eventNames: yield* store.names(project, { search, source: oneSource(source) }, maxNames) }
  })

  const newest = (project: ProjectId, name: string | undefined, limit: number) => store.list(project, { name }, limit)

  /** Whether all events of the name come from the service. */
  const isOwn = Effect.fnUntraced(function* (project: ProjectId, name: string) {
    if (!isSharedEvent(name)) return isReservedEvent(name)
    return (yield* store.count(project, { name, source: "tracked" })) === 0
  })

  const usesOf = Effect.fnUntraced(function* (project: ProjectId, event: string) {
    const usedInSegments = yield* segments.naming(project, ChangeNotes.eventName(event))
    return { usedInSegments, ...(yield* references.ofEvent(project, event)) }
  })

  const usage = Effect.fn("EventRecords.usage")(function* (project: ProjectId, eventName: string) {
    const uses = yield* usesOf(project, eventName)
    const isUsed = Object.values(uses).some((users) => users.length > 0)
    return {
      eventName,
      ...uses,
      ...(yield* store.totals(project, eventName)),
      canDelete: !isUsed && !(yield* isOwn(project, eventName))
    }
  })

  const remove = Effect.fn("EventRecords.delete")(function* (project: ProjectId, eventName: string) {
    if (yield* isOwn(project, eventName)) {
      return yield* ValidationError.one(
        "eventName",
        "reserved_event",
        "This name is reserved for events of the service."
      )
    }
    const { usedInSegments, usedInCampaigns, usedInWorkflows } = yield* usesOf(project, eventName)
    if (usedInSegments.length + usedInCampaigns.length + usedInWorkflows.length > 0) {
      return yield* new ResourceInUse({
        segments: usedInSegments,
        campaigns: usedInCampaigns,
        workflows: usedInWorkflows
      })
    }
    const now = yield* DateTime.now
    const before = EventDeletion.endOf(now)
    yield* totals.forget(project, eventName)
    const gone = yield* store.remove(project, eventName, before, EventDeletion.batchSize)
    if (gone < EventDeletion.batchSize) return { deletedCount: gone }
    const count = yield* store.count(project, { name: eventName, source: "tracked" })
    yield* store.retract(project, eventName, before)
    yield* jobs.enqueue(project, EventDeletion.job, { eventName, before, count }, now)
    return { deletedCount: gone + count }
  }, transaction.run)

  return { list, ofContact, stats, timeseries, names, usage, delete: remove, newest } satisfies EventRecords
})

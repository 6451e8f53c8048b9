/**
 * Who names what, across capabilities: what contacts and events ask of those that build on them, and do not know.
 */
import { SegmentId } from "@posthorn/contract/segments/Segment"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ContactTies } from "./contacts/ContactTies.ts"
import { FieldUse } from "./contacts/FieldUse.ts"
import { SegmentMembers } from "./contacts/SegmentMembers.ts"
import { EventUse } from "./events/EventUse.ts"
import { conditionSql } from "./filters/FilterSql.ts"
import { Audiences, membersOf } from "./segments/Audiences.ts"
import { eventName } from "./segments/ChangeNotes.ts"
import { Memberships } from "./segments/Memberships.ts"
import { Segments } from "./segments/Segments.ts"

const eventUse = Layer.effect(
  EventUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    return EventUse.of({
      of: Effect.fnUntraced(function* (project, event) {
        const usedInSegments = yield* segments.naming(project, eventName(event))
        return { usedInSegments, usedInCampaigns: [], usedInWorkflows: [] }
      })
    })
  })
)

const fieldUse = Layer.effect(
  FieldUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    return FieldUse.of({
      of: Effect.fnUntraced(function* (project, field) {
        const usedInSegments = yield* segments.naming(project, field)
        return { usedInSegments, usedInCampaigns: [], usedInWorkflows: [] }
      })
    })
  })
)

const segmentMembers = Layer.effect(
  SegmentMembers,
  Effect.gen(function* () {
    const segments = yield* Segments
    const audiences = yield* Audiences
    const sql = yield* SqlClient.SqlClient
    return SegmentMembers.of({
      condition: Effect.fnUntraced(function* (project, segment) {
        const found = yield* Effect.option(segments.get(project, SegmentId.make(segment)))
        if (Option.isNone(found)) return Option.none()
        const { condition, scope } = yield* audiences.of(project, membersOf(found.value.id), yield* DateTime.now)
        return Option.some(conditionSql(sql, condition, scope))
      })
    })
  })
)

const contactTies = Layer.effect(
  ContactTies,
  Effect.gen(function* () {
    const segments = yield* Segments
    const memberships = yield* Memberships
    return ContactTies.of({
      of: Effect.fnUntraced(function* (project, contact) {
        return { segments: yield* segments.ofContact(project, contact), executions: [] }
      }),
      cut: Effect.fnUntraced(function* (project, contact) {
        return { executions: 0, memberships: yield* memberships.forget(project, [contact]) }
      })
    })
  })
)

export const layer = Layer.mergeAll(contactTies, eventUse, fieldUse, segmentMembers)

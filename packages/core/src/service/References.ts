/**
 * Finds references across capabilities. Contacts, events and segments ask for them through ports, before a deletion or
 * for display. The capabilities that refer to them answer.
 */
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ContactReferences } from "../audience/contacts/ContactReferences.ts"
import { FieldUse } from "../audience/contacts/fields/FieldUse.ts"
import { SegmentMembers } from "../audience/contacts/SegmentMembers.ts"
import { EventUse } from "../audience/events/EventUse.ts"
import { conditionSql } from "../audience/filters/FilterSql.ts"
import { Audiences, membersOf } from "../audience/segments/Audiences.ts"
import { Memberships } from "../audience/segments/Memberships.ts"
import { Segments } from "../audience/segments/Segments.ts"
import { SegmentUsers } from "../audience/segments/SegmentUsers.ts"
import * as CampaignUses from "../automation/campaigns/CampaignUses.ts"
import { ExecutionStore } from "../automation/workflows/executions/ExecutionStore.ts"
import * as WorkflowUses from "../automation/workflows/WorkflowUses.ts"
import { eventName } from "../events/ChangeNotes.ts"
import { DeliveryStore } from "../webhooks/DeliveryStore.ts"

/** PostgreSQL cannot take any other text as a parameter, and no field has such a name. */
const isName = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const eventUse = Layer.effect(
  EventUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    const sql = yield* SqlClient.SqlClient
    return EventUse.of({
      of: Effect.fnUntraced(function* (project, event) {
        const usedInSegments = yield* segments.naming(project, eventName(event))
        const usedInCampaigns = yield* CampaignUses.ofField(sql, project, eventName(event))
        const usedInWorkflows = yield* WorkflowUses.ofEvent(sql, project, event)
        return { usedInSegments, usedInCampaigns, usedInWorkflows }
      })
    })
  })
)

const fieldUse = Layer.effect(
  FieldUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    const sql = yield* SqlClient.SqlClient
    return FieldUse.of({
      of: Effect.fnUntraced(function* (project, field) {
        if (!isName(field)) return { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }
        const usedInSegments = yield* segments.naming(project, field)
        const usedInCampaigns = yield* CampaignUses.ofField(sql, project, field)
        const usedInWorkflows = yield* WorkflowUses.ofField(sql, project, field)
        return { usedInSegments, usedInCampaigns, usedInWorkflows }
      })
    })
  })
)

/** Separate from the others, because segments depend on it. */
export const segmentUsers: Layer.Layer<SegmentUsers, never, SqlClient.SqlClient> = Layer.effect(
  SegmentUsers,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return SegmentUsers.of({
      of: (project, segment) =>
        Effect.all({
          campaigns: CampaignUses.ofSegment(sql, project, segment),
          workflows: WorkflowUses.ofSegment(sql, project, segment)
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

const contactReferences = Layer.effect(
  ContactReferences,
  Effect.gen(function* () {
    const deliveries = yield* DeliveryStore
    const executions = yield* ExecutionStore
    const segments = yield* Segments
    const memberships = yield* Memberships
    return ContactReferences.of({
      of: Effect.fnUntraced(function* (project, contact) {
        return {
          segments: yield* segments.ofContact(project, contact),
          executions: yield* executions.ofContact(project, contact)
        }
      }),
      cut: Effect.fnUntraced(function* (project, contact, address) {
        yield* deliveries.forget(project, contact, address)
        return {
          executions: yield* executions.forget(project, contact),
          memberships: yield* memberships.forget(project, [contact])
        }
      })
    })
  })
)

/** The ports of contacts and events. */
export const layer: Layer.Layer<
  ContactReferences | EventUse | FieldUse | SegmentMembers,
  never,
  Audiences | DeliveryStore | ExecutionStore | Memberships | Segments | SqlClient.SqlClient
> = Layer.mergeAll(contactReferences, eventUse, fieldUse, segmentMembers)

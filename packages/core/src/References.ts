/**
 * What refers to what, across capabilities: contacts, events and segments ask it before something is deleted or shown,
 * and are answered by capabilities that build on them and that they do not know.
 */
import { SegmentId } from "@posthorn/contract/segments/Segment"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CampaignUses } from "./campaigns/CampaignUses.ts"
import { ContactTies } from "./contacts/ContactTies.ts"
import { FieldUse } from "./contacts/fields/FieldUse.ts"
import { SegmentMembers } from "./contacts/SegmentMembers.ts"
import { EventUse } from "./events/EventUse.ts"
import { conditionSql } from "./filters/FilterSql.ts"
import { Audiences, membersOf } from "./segments/Audiences.ts"
import { eventName } from "./segments/ChangeNotes.ts"
import { Memberships } from "./segments/Memberships.ts"
import { Segments } from "./segments/Segments.ts"
import { SegmentUsers } from "./segments/SegmentUsers.ts"
import { DeliveryStore } from "./webhooks/DeliveryStore.ts"
import { ExecutionStore } from "./workflows/executions/ExecutionStore.ts"
import { WorkflowUses } from "./workflows/WorkflowUses.ts"

/** PostgreSQL cannot be asked for any other text, and no field has one as its name. */
const isName = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const eventUse = Layer.effect(
  EventUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    const campaigns = yield* CampaignUses
    const workflows = yield* WorkflowUses
    return EventUse.of({
      of: Effect.fnUntraced(function* (project, event) {
        const usedInSegments = yield* segments.naming(project, eventName(event))
        const usedInCampaigns = yield* campaigns.ofField(project, eventName(event))
        const usedInWorkflows = yield* workflows.ofEvent(project, event)
        return { usedInSegments, usedInCampaigns, usedInWorkflows }
      })
    })
  })
)

const fieldUse = Layer.effect(
  FieldUse,
  Effect.gen(function* () {
    const segments = yield* Segments
    const campaigns = yield* CampaignUses
    const workflows = yield* WorkflowUses
    return FieldUse.of({
      of: Effect.fnUntraced(function* (project, field) {
        if (!isName(field)) return { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }
        const usedInSegments = yield* segments.naming(project, field)
        const usedInCampaigns = yield* campaigns.ofField(project, field)
        const usedInWorkflows = yield* workflows.ofField(project, field)
        return { usedInSegments, usedInCampaigns, usedInWorkflows }
      })
    })
  })
)

/** Apart from the others, because segments are built on it. */
export const segmentUsers: Layer.Layer<SegmentUsers, never, CampaignUses | WorkflowUses> = Layer.effect(
  SegmentUsers,
  Effect.gen(function* () {
    const campaigns = yield* CampaignUses
    const workflows = yield* WorkflowUses
    return SegmentUsers.of({
      of: (project, segment) =>
        Effect.all({
          campaigns: campaigns.ofSegment(project, segment),
          workflows: workflows.ofSegment(project, segment)
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
    const deliveries = yield* DeliveryStore
    const executions = yield* ExecutionStore
    const segments = yield* Segments
    const memberships = yield* Memberships
    return ContactTies.of({
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

/** What contacts and events ask. */
export const layer: Layer.Layer<
  ContactTies | EventUse | FieldUse | SegmentMembers,
  never,
  | Audiences
  | CampaignUses
  | DeliveryStore
  | ExecutionStore
  | Memberships
  | Segments
  | SqlClient.SqlClient
  | WorkflowUses
> = Layer.mergeAll(contactTies, eventUse, fieldUse, segmentMembers)

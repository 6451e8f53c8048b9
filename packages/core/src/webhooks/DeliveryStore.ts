/** What endpoints were told, and what they will be told: as it is made, read and begun anew. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type {
  Delivery,
  DeliveryDetail,
  DeliveryId,
  DeliveryStatus,
  WebhookId
} from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Position } from "../Cursors.ts"
import type { DateRange } from "../DateRange.ts"
import type { EventKey } from "../events/Reaction.ts"
import type { Told } from "./WebhookBody.ts"

export interface DeliveryFilter extends Partial<DateRange> {
  readonly status?: DeliveryStatus | undefined
  readonly type?: string | undefined
}

/** An event, and the endpoints that are to be told of it. */
export interface Addressed extends Omit<Told, "project"> {
  readonly project: ProjectId
  readonly endpoints: ReadonlyArray<WebhookId>
}

export interface NewMessage {
  readonly project: ProjectId
  readonly eventId: string
  readonly type: string
  readonly body: string
  readonly deliveries: ReadonlyArray<{ readonly id: string; readonly endpoint: WebhookId }>
}

export interface ReplayWindow extends DateRange {
  /** Patterns of types. */
  readonly types: ReadonlyArray<string>
}

/** Storage port; every method but those over a batch of events and `sweep` takes the project first. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** Which of the projects have an endpoint that is enabled. */
    readonly listening: (projects: ReadonlyArray<ProjectId>) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** Which endpoints that are enabled want which of the events; events nobody wants are left out. */
    readonly addressed: (events: ReadonlyArray<EventKey>, only?: WebhookId) => Effect.Effect<ReadonlyArray<Addressed>>
    /** Due at once; an endpoint that has a delivery of the event gets no other, one that is gone none. Tells how many were new. */
    readonly insert: (messages: ReadonlyArray<NewMessage>, now: DateTime.Utc) => Effect.Effect<number>
    readonly list: (
      project: ProjectId,
      endpoint: WebhookId,
      filter: DeliveryFilter,
      limit: number,
      after?: Position
    ) => Effect.Effect<ReadonlyArray<Delivery>>
    readonly count: (project: ProjectId, endpoint: WebhookId, filter: DeliveryFilter) => Effect.Effect<number>
    readonly find: (
      project: ProjectId,
      endpoint: WebhookId,
      id: DeliveryId
    ) => Effect.Effect<Option.Option<DeliveryDetail>>
    /** None where it has not ended, or does not exist. */
    readonly replay: (
      project: ProjectId,
      endpoint: WebhookId,
      id: DeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Delivery>>
    /** The oldest that ended so, of the window; tells how many. */
    readonly replayMany: (
      project: ProjectId,
      endpoint: WebhookId,
      statuses: ReadonlyArray<DeliveryStatus>,
      window: ReplayWindow,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** The oldest events of the window that the endpoint wants and has no delivery of. */
    readonly missed: (
      project: ProjectId,
      endpoint: WebhookId,
      window: ReplayWindow,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EventKey>>
    /** Removes those about a contact or whoever had its address: what is on record of them, and what is still to be told. */
    readonly forget: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<void>
    /** Removes up to `limit` that have ended and are older; tells how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }
>()("@posthorn/core/webhooks/DeliveryStore") {}

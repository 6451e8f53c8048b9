/** The storage port that creates, reads and replays webhook deliveries. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type {
  Delivery,
  DeliveryDetail,
  DeliveryId,
  DeliveryStatus,
  WebhookId
} from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EventKey } from "../events/EventHandler.ts"
import type { Position } from "../platform/Cursors.ts"
import type { DateRange } from "../platform/DateRange.ts"
import type { DeliverableEvent } from "./WebhookBody.ts"

export interface DeliveryFilter extends Partial<DateRange> {
  readonly status?: DeliveryStatus | undefined
  readonly type?: string | undefined
}

/** An event, and the endpoints that receive it. */
export interface RoutedEvent extends Omit<DeliverableEvent, "project"> {
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
  /** Patterns of event types. */
  readonly types: ReadonlyArray<string>
}

/**
 * A port: a host may store deliveries elsewhere. Every method takes the project id first, except those over a batch of
 * events and `sweep`.
 */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /** The given projects that have an enabled endpoint. */
    readonly listening: (projects: ReadonlyArray<ProjectId>) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** The events that enabled endpoints subscribe to, each with its endpoints. Other events are left out. */
    readonly route: (events: ReadonlyArray<EventKey>, only?: WebhookId) => Effect.Effect<ReadonlyArray<RoutedEvent>>
    /** The enabled endpoints in test mode that subscribe to the type. */
    readonly inTestMode: (project: ProjectId, type: string) => Effect.Effect<ReadonlyArray<WebhookId>>
    /**
     * Inserts deliveries that are due at once. Skips endpoints that already have a delivery of the event, and deleted
     * endpoints. Returns how many were new.
     */
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
    /** None if the delivery has not ended or does not exist. */
    readonly replay: (
      project: ProjectId,
      endpoint: WebhookId,
      id: DeliveryId,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Delivery>>
    /** Replays the oldest deliveries in the window that ended with one of the statuses. Returns how many. */
    readonly replayMany: (
      project: ProjectId,
      endpoint: WebhookId,
      statuses: ReadonlyArray<DeliveryStatus>,
      window: ReplayWindow,
      limit: number,
      now: DateTime.Utc
    ) => Effect.Effect<number>
    /** The oldest events in the window that the endpoint subscribes to and has no delivery of. */
    readonly missed: (
      project: ProjectId,
      endpoint: WebhookId,
      window: ReplayWindow,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EventKey>>
    /** Removes all deliveries about the contact or about its address, both ended and pending ones. */
    readonly deleteOf: (project: ProjectId, contact: ContactId, address: string) => Effect.Effect<void>
    /** Removes up to `limit` ended deliveries that are older. Returns how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
  }
>()("@posthorn/core/webhooks/DeliveryStore") {}

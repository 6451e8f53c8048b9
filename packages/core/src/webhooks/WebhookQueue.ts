/** The queue of due webhook deliveries. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Attempt, DeliveryId, DeliveryStatus, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A claimed delivery. The claim lasts a minute. Of two claims, the one with the higher `claim` is valid. */
export interface ClaimedDelivery {
  readonly project: ProjectId
  readonly id: DeliveryId
  readonly endpoint: WebhookId
  readonly claim: number
  /** The number of failed attempts on this ladder. */
  readonly rung: number
  readonly url: string
  /** Sealed. */
  readonly secret: string
  /** Sealed. Null once it is no longer used to sign. */
  readonly previousSecret: string | null
  readonly body: string
}

export interface Tried extends Omit<Attempt, "number"> {
  readonly succeeded: boolean
  /** When to retry after a failure. Null if the delivery has failed for good. */
  readonly nextAt: DateTime.Utc | null
}

/** Storage port of the sender. */
export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /**
     * Claims due deliveries of all projects, the oldest of each endpoint first. Endpoints with fewer running requests
     * come first. Over all processes, an endpoint has at most 10 running requests, and no more than its share of the 50
     * of its project.
     */
    readonly claim: (limit: number, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    /**
     * Records the attempt and its consequences for the delivery and the endpoint. If the endpoint was disabled in the
     * meantime, there is no retry. None if another process has claimed the delivery, or it is deleted.
     */
    readonly settle: (
      delivery: ClaimedDelivery,
      tried: Tried,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<DeliveryStatus>>
    /** Ends the claim, so that the delivery can be claimed again at once. */
    readonly release: (delivery: ClaimedDelivery) => Effect.Effect<void>
  }
>()("@posthorn/core/webhooks/WebhookQueue") {}

/** The maximum number of concurrent requests to an endpoint. */
export const maxAtOnce = 10

/**
 * The maximum number of concurrent requests to all endpoints of a project, which share them evenly. So a slow endpoint
 * delays neither the other endpoints nor other projects.
 */
export const maxOfProject = 50

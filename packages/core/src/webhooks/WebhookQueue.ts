/** Deliveries that are due, as they are tried. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Attempt, DeliveryId, DeliveryStatus, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A delivery in hand. It is the caller's for a minute; whoever has the later `claim` has it. */
export interface ClaimedDelivery {
  readonly project: ProjectId
  readonly id: DeliveryId
  readonly endpoint: WebhookId
  readonly claim: number
  /** Tries on this ladder that failed. */
  readonly rung: number
  readonly url: string
  /** Sealed. */
  readonly secret: string
  /** Sealed; null once it does not sign any more. */
  readonly previousSecret: string | null
  readonly body: string
}

export interface Tried extends Omit<Attempt, "number"> {
  readonly succeeded: boolean
  /** When it is tried again after a failure; null: it has failed for good. */
  readonly nextAt: DateTime.Utc | null
}

/** Storage port of the sender. */
export class WebhookQueue extends Context.Service<
  WebhookQueue,
  {
    /**
     * Claims deliveries of all projects that are due, the oldest of each endpoint, with endpoints that have fewer under way
     * first: never more than 10 of one endpoint at once, nor than its share of the 50 of its project, over all processes.
     */
    readonly claim: (limit: number, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
    /**
     * Logs the try, and what follows from it for the delivery and the endpoint. One whose endpoint was disabled meanwhile
     * is not tried again. None where another process has claimed the delivery, or it is gone.
     */
    readonly settle: (
      delivery: ClaimedDelivery,
      tried: Tried,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<DeliveryStatus>>
    /** It may be claimed again at once. */
    readonly release: (delivery: ClaimedDelivery) => Effect.Effect<void>
  }
>()("@posthorn/core/webhooks/WebhookQueue") {}

/** Requests that an endpoint gets at once. */
export const maxAtOnce = 10

/**
 * Requests at once to all endpoints of a project, which share them evenly: those that hang delay neither each other nor
 * other projects.
 */
export const maxOfProject = 50

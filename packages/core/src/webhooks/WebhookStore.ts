/** The storage port of webhook endpoints. Secrets are sealed. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Webhook, WebhookDisabledReason, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"

export interface NewWebhook {
  readonly id: WebhookId
  readonly url: string
  readonly description: string | null
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly testMode: boolean
  readonly secret: string
  readonly secretHint: string
}

export type WebhookChange = Partial<Pick<NewWebhook, "url" | "description" | "events" | "enabled" | "testMode">>

export interface EndpointKey {
  readonly project: ProjectId
  readonly id: WebhookId
  readonly url: string
}

/** A port: a host may store endpoints elsewhere. Every method except those of the jobs takes the project id first. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** The number of endpoints of the project. Until the caller's transaction ends, no other transaction adds one. */
    readonly lockCount: (project: ProjectId) => Effect.Effect<number>
    readonly insert: (project: ProjectId, webhook: NewWebhook, now: DateTime.Utc) => Effect.Effect<Webhook>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Webhook>>
    readonly find: (project: ProjectId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>>
    /**
     * Enabling clears the disabled reason and the failing time. Disabling gives up pending deliveries. Returns none, and
     * stores nothing, if there is no such endpoint, or if `updatedAt` is given and differs from the stored one.
     */
    readonly update: (
      project: ProjectId,
      id: WebhookId,
      change: WebhookChange,
      now: DateTime.Utc,
      updatedAt?: DateTime.Utc | null
    ) => Effect.Effect<Option.Option<Webhook>>
    readonly delete: (project: ProjectId, id: WebhookId) => Effect.Effect<boolean>
    /** The previous secret signs as well until that time. */
    readonly rotate: (
      project: ProjectId,
      id: WebhookId,
      secret: Pick<NewWebhook, "secret" | "secretHint">,
      previousValidUntil: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Webhook>>
    /** Disables the endpoint and gives up pending deliveries. Returns false if it was already disabled. */
    readonly disable: (
      project: ProjectId,
      id: WebhookId,
      reason: WebhookDisabledReason,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    /**
     * Endpoints of all projects that are enabled, have failed since that time, and have at least that many failed
     * attempts.
     */
    readonly failing: (since: DateTime.Utc, tries: number) => Effect.Effect<ReadonlyArray<EndpointKey>>
    /** Endpoints of all projects that have failed since that time and need a warning. Marks them as warned. */
    readonly takeUnwarned: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<EndpointKey>>
  }
>()("@posthorn/core/webhooks/WebhookStore") {}

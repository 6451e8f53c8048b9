/** Endpoints as they are kept, with their secrets sealed. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { DisabledReason, Webhook, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Context, type DateTime, type Effect, type Option } from "effect"

export interface NewWebhook {
  readonly id: WebhookId
  readonly url: string
  readonly description: string | null
  readonly events: ReadonlyArray<string>
  readonly enabled: boolean
  readonly secret: string
  readonly secretHint: string
}

export type WebhookChange = Partial<Pick<NewWebhook, "url" | "description" | "events" | "enabled">>

export interface EndpointKey {
  readonly project: ProjectId
  readonly id: WebhookId
  readonly url: string
}

export interface SealedSecrets {
  readonly project: ProjectId
  readonly id: WebhookId
  readonly secret: string
  readonly previousSecret: string | null
}

/** Storage port; every method but those of the jobs takes the project first. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** How many the project has; nobody else adds one until the caller's transaction ends. */
    readonly holdAndCount: (project: ProjectId) => Effect.Effect<number>
    readonly insert: (project: ProjectId, webhook: NewWebhook, now: DateTime.Utc) => Effect.Effect<Webhook>
    /** Newest first. */
    readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Webhook>>
    readonly find: (project: ProjectId, id: WebhookId) => Effect.Effect<Option.Option<Webhook>>
    /** Enabling forgets why it was disabled and since when it fails; disabling gives up what waits. */
    readonly update: (
      project: ProjectId,
      id: WebhookId,
      change: WebhookChange,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Webhook>>
    readonly delete: (project: ProjectId, id: WebhookId) => Effect.Effect<boolean>
    /** The secret of before signs until then. */
    readonly rotate: (
      project: ProjectId,
      id: WebhookId,
      secret: Pick<NewWebhook, "secret" | "secretHint">,
      previousValidUntil: DateTime.Utc,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Webhook>>
    /** Disables them and gives up what waits; false where it was disabled before. */
    readonly disable: (
      project: ProjectId,
      id: WebhookId,
      reason: DisabledReason,
      now: DateTime.Utc
    ) => Effect.Effect<boolean>
    /** Of all projects: enabled, failing for so long, and with so many failed tries. */
    readonly failing: (since: DateTime.Utc, tries: number) => Effect.Effect<ReadonlyArray<EndpointKey>>
    /** Of all projects: those failing for so long whose people have not been told; from now on they have. */
    readonly takeUnwarned: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<EndpointKey>>
    /** Of all projects, in the order of ids. */
    readonly secrets: (limit: number, after?: WebhookId) => Effect.Effect<ReadonlyArray<SealedSecrets>>
    /** Nothing where the secrets have changed since `before` was read. */
    readonly reseal: (before: SealedSecrets, after: SealedSecrets) => Effect.Effect<void>
  }
>()("@posthorn/core/webhooks/WebhookStore") {}

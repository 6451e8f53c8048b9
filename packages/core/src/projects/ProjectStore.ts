/** Where projects live. */
import type { CurrentProject, DisabledReason, ProjectId } from "@posthorn/contract/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"

export const trackingModes = ["ENABLED", "DISABLED", "MARKETING_ONLY"] as const
export const ambiguousModes = ["retry", "hold"] as const

/** What a project is, but for its secret key: of that nobody holds more than a hash. */
export interface Project {
  readonly id: ProjectId
  readonly name: string
  readonly publicKey: string
  /** The last four characters of the secret key. */
  readonly secretHint: string
  readonly disabled: DisabledReason | null
  readonly disabledAt: DateTime.Utc | null
  readonly tracking: (typeof trackingModes)[number]
  /** Language of footers and hosted pages where the contact has none: `en`, `pt-BR`. */
  readonly language: string
  /** IANA name. */
  readonly timezone: string
  readonly ambiguousPolicy: {
    readonly transactional: (typeof ambiguousModes)[number]
    readonly bulk: (typeof ambiguousModes)[number]
  }
  /** Mails a second; null: the server's default. */
  readonly sendRatePerSecond: number | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** A new pair of keys as the store keeps it. */
export interface StoredKeys {
  readonly publicKey: string
  /** SHA-256, hexadecimal. */
  readonly secretHash: string
  readonly secretHint: string
}

export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    readonly insert: (project: Pick<Project, "id" | "name"> & StoredKeys, now: DateTime.Utc) => Effect.Effect<Project>
    readonly find: (project: ProjectId) => Effect.Effect<Option.Option<Project>>
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /** Both keys at once; true when the project exists. */
    readonly replaceKeys: (project: ProjectId, keys: StoredKeys, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Null enables. True when the project exists. */
    readonly disable: (project: ProjectId, reason: DisabledReason | null, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly findBySecretHash: (hash: string) => Effect.Effect<Option.Option<CurrentProject["Service"]>>
    readonly findByPublicKey: (key: string) => Effect.Effect<Option.Option<CurrentProject["Service"]>>
  }
>()("@posthorn/core/projects/ProjectStore") {}

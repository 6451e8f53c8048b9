/** Where projects live. */
import type { CurrentProject, DisabledReason, ProjectId } from "@posthorn/contract/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Project } from "./Project.ts"

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

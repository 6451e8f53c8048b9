/** Where projects live. */
import type { AccountId, CurrentProject, DisabledReason, MemberRole, ProjectId } from "@posthorn/contract/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Project } from "./Project.ts"

/** A new pair of keys as the store keeps it. */
export interface StoredKeys {
  readonly publicKey: string
  /** SHA-256, hexadecimal. */
  readonly secretHash: string
  readonly secretHint: string
}

/** What every request needs to know of its project. */
export type ProjectStanding = CurrentProject["Service"] & Pick<Project, "resetting">

/** What can be set; absent stays. */
export type ProjectSettings = Partial<
  Pick<Project, "language" | "name" | "sendRatePerSecond" | "timezone" | "tracking">
> & { readonly ambiguousPolicy?: Partial<Project["ambiguousPolicy"]> }

export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    readonly insert: (project: Pick<Project, "id" | "name"> & StoredKeys, now: DateTime.Utc) => Effect.Effect<Project>
    /** None also for a project that is being deleted; that is true of all methods here that look for one. */
    readonly find: (project: ProjectId) => Effect.Effect<Option.Option<Project>>
    readonly list: Effect.Effect<ReadonlyArray<Project>>
    /** Of a user, newest first. */
    readonly listOf: (
      user: AccountId
    ) => Effect.Effect<ReadonlyArray<{ readonly project: Project; readonly role: MemberRole }>>
    readonly update: (
      project: ProjectId,
      settings: ProjectSettings,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Project>>
    /**
     * Begins a reset: from now on the data of the project goes. Gives the moment at which the reset began, which is
     * earlier where one was under way already.
     */
    readonly beginReset: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>>
    /** Ends the reset that began at `since`; does nothing where that one has ended already. */
    readonly endReset: (project: ProjectId, since: DateTime.Utc) => Effect.Effect<void>
    /**
     * Takes keys, members and domains from the project and stops its mail: from then on it is not found. Of many calls at
     * once one gets true.
     */
    readonly markDeleted: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** The row itself, when nothing else is left. */
    readonly remove: (project: ProjectId) => Effect.Effect<void>
    /** Projects whose data has to go: all of it, or, with `resetting`, what was there when that reset began. */
    readonly going: Effect.Effect<ReadonlyArray<{ readonly id: ProjectId; readonly resetting: DateTime.Utc | null }>>
    /** Both keys at once; true when the project exists. */
    readonly replaceKeys: (project: ProjectId, keys: StoredKeys, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Disables for a reason, or enables with null. False where that is how it was. */
    readonly disable: (project: ProjectId, reason: DisabledReason | null, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly findBySecretHash: (hash: string) => Effect.Effect<Option.Option<ProjectStanding>>
    readonly findByPublicKey: (key: string) => Effect.Effect<Option.Option<ProjectStanding>>
  }
>()("@posthorn/core/projects/ProjectStore") {}

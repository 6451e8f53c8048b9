/** Storage port of projects. */
import type { AccountId, CurrentProject, DisabledReason, MemberRole, ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NextDue } from "../../platform/jobs/Agenda.ts"
import type { StoredProject } from "./Project.ts"

/** A new pair of keys in stored form. */
export interface StoredKeys {
  readonly publicKey: string
  /** SHA-256, hexadecimal. */
  readonly secretHash: string
  readonly secretHint: string
}

/** The state of a project that every request needs. */
export type ProjectStanding = CurrentProject["Service"] & Pick<StoredProject, "publicKeyPolicy" | "resetting">

/** The settings to change. An absent one stays. */
export type ProjectSettings = Partial<
  Pick<
    StoredProject,
    | "language"
    | "name"
    | "rejectDmarcFailures"
    | "requireTwoFactor"
    | "sendRatePerSecond"
    | "smtpDialogue"
    | "timezone"
    | "tracking"
  >
> & {
  readonly ambiguousPolicy?: Partial<StoredProject["ambiguousPolicy"]>
  readonly publicKeyPolicy?: Partial<StoredProject["publicKeyPolicy"]>
}

/** A port: the storage of projects and their keys. Lookups in this area and the deletion of projects share it. */
export class ProjectStore extends Context.Service<
  ProjectStore,
  {
    readonly insert: (
      project: Pick<StoredProject, "id" | "name"> & StoredKeys,
      now: DateTime.Utc
    ) => Effect.Effect<StoredProject>
    /** None also for a project that is being deleted. This holds for all lookups here. */
    readonly find: (project: ProjectId) => Effect.Effect<Option.Option<StoredProject>>
    readonly list: Effect.Effect<ReadonlyArray<StoredProject>>
    /** The projects of a user, newest first. */
    readonly listOf: (
      user: AccountId
    ) => Effect.Effect<ReadonlyArray<{ readonly project: StoredProject; readonly role: MemberRole }>>
    readonly update: (
      project: ProjectId,
      settings: ProjectSettings,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<StoredProject>>
    /**
     * Starts a reset: the data of the project is then deleted in the background. Returns the time at which the reset
     * started, which is earlier when one is already running.
     */
    readonly beginReset: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<Option.Option<DateTime.Utc>>
    /** Ends the reset that started at `since`. Does nothing when that one has ended. */
    readonly endReset: (project: ProjectId, since: DateTime.Utc) => Effect.Effect<void>
    /**
     * Removes keys, members and domains of the project and stops its mail. After that, lookups do not find it. Of
     * concurrent calls, one gets true.
     */
    readonly markDeleted: (project: ProjectId, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Removes the row itself, after all its data. */
    readonly remove: (project: ProjectId) => Effect.Effect<void>
    /** Projects whose data must be deleted: all of it or, with `resetting`, what existed when that reset started. */
    readonly going: Effect.Effect<ReadonlyArray<{ readonly id: ProjectId; readonly resetting: DateTime.Utc | null }>>
    /** Whether `going` has any. Absent: unknown. */
    readonly nextGoing?: NextDue
    /** Replaces both keys at once. True when the project exists. */
    readonly replaceKeys: (project: ProjectId, keys: StoredKeys, now: DateTime.Utc) => Effect.Effect<boolean>
    /** Disables for a reason, or enables with null. False when nothing changes. */
    readonly disable: (project: ProjectId, reason: DisabledReason | null, now: DateTime.Utc) => Effect.Effect<boolean>
    readonly findBySecretHash: (hash: string) => Effect.Effect<Option.Option<ProjectStanding>>
    readonly findByPublicKey: (key: string) => Effect.Effect<Option.Option<ProjectStanding>>
  }
>()("@posthorn/core/accounts/projects/ProjectStore") {}

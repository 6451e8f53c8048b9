/** What the storage of a record with versions promises, as part of its own storage port. */
import type { Version, VersionActor } from "@posthorn/contract/content/versions/Version"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict } from "@posthorn/contract/platform/Errors"
import type { DateTime, Effect, Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"

/** How a version came about. */
export interface VersionOrigin {
  readonly actor: VersionActor
  /** The version whose content was restored. */
  readonly restoredFrom?: number
  /** A draft was published, or a version restored. The audit log says so if the live version is no longer `live`. */
  readonly change?: { readonly kind: "published" | "restored"; readonly live: number }
}

/** Content that waits to be published. */
export interface StoredDraft<Content> {
  readonly content: Content
  /** The version that was live when it was stored. */
  readonly basedOn: number
  readonly updatedAt: DateTime.Utc
}

/** Versions that are kept for each record. */
export const maxVersions = 100

/** Versions and the draft of the records of one kind. */
export interface VersionStore<Id, Content> {
  /** Newest first. */
  readonly versions: (project: ProjectId, id: Id, slice: Slice) => Effect.Effect<ReadonlyArray<Omit<Version, "live">>>
  readonly countVersions: (project: ProjectId, id: Id) => Effect.Effect<number>
  readonly version: (project: ProjectId, id: Id, version: number) => Effect.Effect<Option.Option<Content>>
  readonly draft: (project: ProjectId, id: Id) => Effect.Effect<Option.Option<StoredDraft<Content>>>
  /** Replaces the draft. */
  readonly saveDraft: (project: ProjectId, id: Id, draft: StoredDraft<Content>) => Effect.Effect<void>
  /** Returns true if there was one. */
  readonly deleteDraft: (project: ProjectId, id: Id) => Effect.Effect<boolean>
}

/** As `VersionStore`, with the records themselves. */
export interface VersionedStore<Id, Content, Versioned> extends VersionStore<Id, Content> {
  readonly find: (project: ProjectId, id: Id) => Effect.Effect<Option.Option<Versioned>>
  /** If the content changes, it becomes the next version. Returns none if the record does not exist. */
  readonly update: (
    project: ProjectId,
    id: Id,
    content: Content,
    now: DateTime.Utc,
    origin: VersionOrigin
  ) => Effect.Effect<Option.Option<Versioned>, Conflict>
}

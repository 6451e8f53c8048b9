/** The storage port of partials, their versions and drafts. */

import type {
  Partial,
  PartialContent,
  PartialId,
  PartialQuery,
  PartialUsage
} from "@posthorn/contract/content/partials/Partial"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict } from "@posthorn/contract/platform/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { PartialSources } from "../rendering/Partials.ts"
import type { VersionOrigin, VersionStore } from "../versions/VersionStore.ts"

/** The fields that callers set. */
export type PartialFields = Pick<Partial, "name" | "description"> & PartialContent

export type PartialOrder = Required<Pick<PartialQuery, "sort" | "dir">>

/** At most 100 of each kind. */
export type PartialUsers = Omit<PartialUsage, "canDelete">

/** The names of all partials of a project, each with those that it names. */
export type PartialGraph = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Storage port of partials. Every method takes the project id first, so every query is limited to one project. `now` is
 * the caller's clock.
 */
export class PartialStore extends Context.Service<
  PartialStore,
  VersionStore<PartialId, PartialContent> & {
    /** Prevents other saves and deletions of partials in the project until the transaction ends. */
    readonly lock: (project: ProjectId) => Effect.Effect<void>
    readonly graph: (project: ProjectId) => Effect.Effect<PartialGraph>
    /** Stores version 1 too. */
    readonly insert: (
      project: ProjectId,
      id: PartialId,
      fields: PartialFields,
      now: DateTime.Utc,
      origin: VersionOrigin
    ) => Effect.Effect<Partial, Conflict>
    readonly find: (project: ProjectId, id: PartialId) => Effect.Effect<Option.Option<Partial>>
    /**
     * Changes the given fields in one statement. `updatedAt` changes if a stored value does. If a text changes, the
     * texts become the next version, and the oldest version beyond `maxVersions` is deleted.
     */
    readonly update: (
      project: ProjectId,
      id: PartialId,
      change: { readonly [field in keyof PartialFields]?: PartialFields[field] | undefined },
      now: DateTime.Utc,
      origin: VersionOrigin
    ) => Effect.Effect<Option.Option<Partial>, Conflict>
    /** Deletes its versions and its draft too. The deleted partial. */
    readonly delete: (project: ProjectId, id: PartialId) => Effect.Effect<Option.Option<Partial>>
    readonly list: (
      project: ProjectId,
      search: string | undefined,
      order: PartialOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Partial>>
    readonly count: (project: ProjectId, search: string | undefined) => Effect.Effect<number>
    /** The named partials, and those that they name. Names without a partial are not in the map. */
    readonly closure: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<PartialSources>
    /** The named partials can be neither deleted nor renamed until the transaction ends. */
    readonly hold: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<void>
    /**
     * What names the partial, itself excepted: templates and partials, each with its draft, and campaigns whose sending
     * has not started.
     */
    readonly users: (project: ProjectId, name: string) => Effect.Effect<PartialUsers>
    /** Whether a template, a draft, or a campaign whose sending has not started, has it as layout. */
    readonly isLayout: (project: ProjectId, name: string) => Effect.Effect<boolean>
  }
>()("@posthorn/core/content/partials/PartialStore") {}

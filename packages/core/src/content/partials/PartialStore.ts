/** The storage port of partials. */

import type { Partial, PartialId, PartialQuery, PartialUsage } from "@posthorn/contract/content/partials/Partial"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict } from "@posthorn/contract/platform/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { PartialSources } from "../rendering/Partials.ts"

/** The fields that callers set. */
export type PartialContent = Pick<Partial, "name" | "description" | "body" | "text">

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
  {
    /** Prevents other saves of partials in the project until the transaction ends. */
    readonly lock: (project: ProjectId) => Effect.Effect<void>
    readonly graph: (project: ProjectId) => Effect.Effect<PartialGraph>
    readonly insert: (
      project: ProjectId,
      id: PartialId,
      content: PartialContent,
      now: DateTime.Utc
    ) => Effect.Effect<Partial, Conflict>
    readonly find: (project: ProjectId, id: PartialId) => Effect.Effect<Option.Option<Partial>>
    /** Changes the given fields in one statement. `updatedAt` changes if a stored value does. */
    readonly update: (
      project: ProjectId,
      id: PartialId,
      change: { readonly [field in keyof PartialContent]?: PartialContent[field] | undefined },
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Partial>, Conflict>
    /** The deleted partial. */
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
    /** What names the partial, itself excepted: templates with their drafts, partials, and campaigns whose sending has not started. */
    readonly users: (project: ProjectId, name: string) => Effect.Effect<PartialUsers>
    /** Whether a template, a draft, or a campaign whose sending has not started, has it as layout. */
    readonly isLayout: (project: ProjectId, name: string) => Effect.Effect<boolean>
  }
>()("@posthorn/core/content/partials/PartialStore") {}

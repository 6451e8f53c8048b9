/** The storage port of templates. */

import type { Template, TemplateId, TemplateQuery, TemplateUsage } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"

/** The fields that callers set. The service sets the others. */
export type TemplateContent = Omit<Template, "id" | "projectId" | "createdAt" | "updatedAt">

/** `search` is a case-insensitive substring of name, description or subject. */
export type TemplateFilter = Pick<TemplateQuery, "type" | "search">

/** The order of a list: by the key, then by id, both in the same direction. */
export type TemplateOrder = Required<Pick<TemplateQuery, "sort" | "dir">>

export type TemplateReferences = Omit<TemplateUsage, "canDelete">

/**
 * Storage port of templates. Every method takes the project id first, so every query is limited to one project. `now`
 * is the caller's clock. It becomes `createdAt` and, if a stored value changes, `updatedAt`.
 */
export class TemplateStore extends Context.Service<
  TemplateStore,
  {
    readonly insert: (
      project: ProjectId,
      id: TemplateId,
      content: TemplateContent,
      now: DateTime.Utc
    ) => Effect.Effect<Template>
    readonly find: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /** As `find`. The template cannot be deleted until the transaction ends. */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /** Changes the given fields in one statement. Returns none if the template does not exist. */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      change: Partial<TemplateContent>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Template>>
    /** Returns true if a template was deleted. Mail made from it keeps its id. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<boolean>
    readonly list: (
      project: ProjectId,
      filter: TemplateFilter,
      order: TemplateOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Template>>
    readonly count: (project: ProjectId, filter: TemplateFilter) => Effect.Effect<number>
    /** Empty for a template that does not exist. */
    readonly references: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateReferences>
  }
>()("@posthorn/core/content/templates/TemplateStore") {}

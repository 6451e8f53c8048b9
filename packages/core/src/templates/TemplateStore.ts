/** Where templates live. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { Template, TemplateId, TemplateQuery, TemplateUsage } from "@posthorn/contract/templates/Template"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../OffsetPages.ts"

/** What is written; the rest of a template is the service's own. */
export type TemplateContent = Omit<Template, "id" | "projectId" | "createdAt" | "updatedAt">

/** `search` is a substring of name, description or subject, in any case. */
export type TemplateFilter = Pick<TemplateQuery, "type" | "search">

/** Order of a list: by the key, then by id, both in the same direction. */
export type TemplateOrder = Required<Pick<TemplateQuery, "sort" | "dir">>

/** What refers to a template. */
export type TemplateReferences = Omit<TemplateUsage, "canDelete">

/**
 * Storage port of templates. Every method takes the project first: no query without it.
 * `now` is the caller's clock and becomes `createdAt` and, where a stored value changes, `updatedAt`.
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
    /** As `find`; the template is there until the transaction ends. */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /** Changes the fields that are there, in one statement; none when there is no such template. */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      change: Partial<TemplateContent>,
      now: DateTime.Utc
    ) => Effect.Effect<Option.Option<Template>>
    /** True when there was something to delete. Mail made from it keeps its id. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<boolean>
    readonly list: (
      project: ProjectId,
      filter: TemplateFilter,
      order: TemplateOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<Template>>
    readonly count: (project: ProjectId, filter: TemplateFilter) => Effect.Effect<number>
    /** Empty for a template that is not there. */
    readonly references: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateReferences>
  }
>()("@posthorn/core/templates/TemplateStore") {}

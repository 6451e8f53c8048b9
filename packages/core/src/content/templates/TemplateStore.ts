/** The storage port of templates, their versions and drafts. */

import type {
  Template,
  TemplateContent,
  TemplateId,
  TemplateQuery,
  TemplateSummary,
  TemplateUsage
} from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict } from "@posthorn/contract/platform/Errors"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Slice } from "../../platform/OffsetPages.ts"
import type { VersionOrigin, VersionStore } from "../versions/VersionStore.ts"

/** The fields that callers set. The service sets the others. */
export type TemplateFields = Pick<Template, "name" | "description" | "alias" | "topicId"> & TemplateContent

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
  VersionStore<TemplateId, TemplateContent> & {
    /** Stores version 1 too. A conflict: another template has the alias. */
    readonly insert: (
      project: ProjectId,
      id: TemplateId,
      fields: TemplateFields,
      now: DateTime.Utc,
      origin?: VersionOrigin
    ) => Effect.Effect<Template, Conflict>
    readonly find: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /** As `find`. The template cannot be deleted until the transaction ends. */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /** As `find`. The template cannot be changed until the transaction ends. */
    readonly lock: (project: ProjectId, id: TemplateId) => Effect.Effect<Option.Option<Template>>
    /**
     * Changes the given fields in one statement. If the content changes, it becomes the next version, and the oldest
     * version beyond `maxVersions` is deleted. Returns none if the template does not exist.
     */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      change: Partial<TemplateFields>,
      now: DateTime.Utc,
      origin?: VersionOrigin
    ) => Effect.Effect<Option.Option<Template>, Conflict>
    /** Deletes its versions and its draft too. Returns true if a template was deleted. Mail made from it keeps its id. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<boolean>
    readonly list: (
      project: ProjectId,
      filter: TemplateFilter,
      order: TemplateOrder,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<TemplateSummary>>
    readonly count: (project: ProjectId, filter: TemplateFilter) => Effect.Effect<number>
    /** Empty for a template that does not exist. */
    readonly references: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateReferences>
  }
>()("@posthorn/core/content/templates/TemplateStore") {}

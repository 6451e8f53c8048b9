/**
 * A partial: a piece of mail that several templates, campaigns and partials include. A layout is a partial around a
 * whole body.
 */
import { Schema, SchemaIssue } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import {
  described,
  Id,
  isWithin,
  lenient,
  Note,
  OffsetPage,
  OffsetQuery,
  optional,
  required,
  Search,
  Timestamp
} from "../../platform/Primitives.ts"
import { draftState, ExpectedVersion, versionedState, versionFields } from "../versions/Version.ts"

export const PartialId = Id.pipe(Schema.brand("PartialId"))
export type PartialId = typeof PartialId.Type

const nameRule = "1 to 64 characters of `a-z`, `0-9` and `-`, not starting with `-`; not `content`."

/** How texts name it. `content` stands for the text in a layout. */
export const PartialName = Schema.String.check(
  isWithin(64, nameRule),
  Schema.isPattern(/^(?!content$)[a-z0-9][a-z0-9-]{0,63}$/, { message: nameRule })
)

const maxBytes = 256 * 1024

/** At most 256 KB of UTF-8. */
const isTextSize = Schema.makeFilter(
  (text: string) =>
    text.length > maxBytes || (text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes)
      ? new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 256 KB." })
      : true,
  { toJsonSchema: () => ({ maxLength: maxBytes }) }
)

/** 1 byte to 256 KB of UTF-8. */
const PartialText = Schema.String.check(Schema.isMinLength(1, { code: "required", message: "Required." }), isTextSize)

/** As `PartialText`, for a draft: an empty text is a problem of the draft. */
const UncheckedText = Schema.String.check(isTextSize)

const bodyText =
  "HTML with `{{variable}}` placeholders, at most 256 KB. With `{{> content}}` exactly once, it can be the layout of a body."
const plainText = "The text for `{{> name}}` in text parts, at most 256 KB. `null`: text parts cannot use it."

/** What a version of a partial has. */
const partialContent = {
  body: Schema.String.pipe(described("The HTML for `{{> name}}`.")),
  text: Schema.NullOr(Schema.String).pipe(described("The text for `{{> name}}` in text parts."))
}
export const PartialContent = Schema.Struct(partialContent)
export type PartialContent = typeof PartialContent.Type

export const Partial = Schema.Struct({
  id: PartialId,
  projectId: ProjectId,
  name: Schema.String.pipe(described("Its name in texts: `{{> name}}`.")),
  description: Schema.NullOr(Schema.String).pipe(described("Internal note, never sent.")),
  ...partialContent,
  ...versionedState,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Partial", description: "A piece of mail that several templates and campaigns include." })
export type Partial = typeof Partial.Type

/** Body of `POST /partials`. */
export const CreatePartial = Schema.Struct({
  name: required(PartialName).pipe(described(nameRule)),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  body: required(PartialText).pipe(described(bodyText)),
  text: optional(PartialText).pipe(described(plainText))
}).annotate({ identifier: "CreatePartial" })
export type CreatePartial = typeof CreatePartial.Type

/** Body of `PATCH /partials/{id}`. An absent field stays. `null` clears a field that may be empty. */
export const UpdatePartial = Schema.Struct({
  name: Schema.optionalKey(PartialName).pipe(described(nameRule)),
  description: optional(Note(500)).pipe(described("Internal note, never sent; at most 500 characters.")),
  body: Schema.optionalKey(PartialText).pipe(described(bodyText)),
  text: optional(PartialText).pipe(described(plainText)),
  expectedVersion: optional(ExpectedVersion)
}).annotate({ identifier: "UpdatePartial" })
export type UpdatePartial = typeof UpdatePartial.Type

/** Body of `PUT /partials/{id}/draft`. Types and sizes are checked; all else is a problem of the stored draft. */
export const WritePartialDraft = Schema.Struct({
  body: Schema.optionalKey(UncheckedText).pipe(described(bodyText)),
  text: optional(UncheckedText).pipe(described(plainText))
}).annotate({ identifier: "WritePartialDraft" })
export type WritePartialDraft = typeof WritePartialDraft.Type

export const PartialDraft = Schema.Struct({ ...partialContent, ...draftState }).annotate({
  identifier: "PartialDraft",
  description: "Texts of a partial that are not published yet."
})
export type PartialDraft = typeof PartialDraft.Type

const PartialVersion = Schema.Struct(versionFields).annotate({
  identifier: "PartialVersion",
  description: "A version of a partial, without its texts."
})

export const PartialVersionPage = OffsetPage("PartialVersionPage", PartialVersion)
export type PartialVersionPage = typeof PartialVersionPage.Type

export const PartialQuery = Schema.Struct({
  ...OffsetQuery,
  search: Schema.optionalKey(Search),
  sort: lenient("createdAt", "name", "updatedAt"),
  dir: lenient("desc", "asc")
})
export type PartialQuery = typeof PartialQuery.Type

export const PartialPage = OffsetPage("PartialPage", Partial)
export type PartialPage = typeof PartialPage.Type

const named = { id: Schema.String, name: Schema.String }

/** The uses of a partial. A partial in use cannot be deleted or renamed. */
export const PartialUsage = Schema.Struct({
  templates: Schema.Array(Schema.Struct(named)),
  partials: Schema.Array(Schema.Struct(named)),
  campaigns: Schema.Array(Schema.Struct({ ...named, status: Schema.String })).pipe(
    described("Campaigns whose sending has not started.")
  ),
  canDelete: Schema.Boolean.pipe(described("False while something uses it."))
}).annotate({ identifier: "PartialUsage", description: "The templates, partials and campaigns that use the partial." })
export type PartialUsage = typeof PartialUsage.Type

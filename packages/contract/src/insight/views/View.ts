/** Saved views: queries of lists that people come back to. */
import { Schema } from "effect"
import { described, Id, isLength, isOneLine, Name, optional, required, Timestamp } from "../../platform/Primitives.ts"

/** The lists that have views. */
export const ViewPage = Schema.Literals([
  "activity",
  "audit",
  "campaigns",
  "contacts",
  "events",
  "mails",
  "pieces",
  "segments",
  "suppressions",
  "templates",
  "workflows"
]).annotate({ description: "The list that the query is for." })
export type ViewPage = typeof ViewPage.Type

/** Most views that one member has made, and most of a project. */
export const maxViewsOfMember = 50
export const maxViews = 200

const ViewName = Name(100)
const ViewText = Schema.String.check(isLength(0, 2000), isOneLine)
const queryText = "The query of the list as in its URL, without the question mark; at most 2,000 characters."
const sharedText = "Whether every member of the project sees it. Otherwise only its maker does."

export const View = Schema.Struct({
  id: Id,
  page: ViewPage,
  name: Schema.String,
  query: Schema.String.pipe(described(queryText)),
  shared: Schema.Boolean.pipe(described(sharedText)),
  createdBy: Schema.NullOr(Schema.Struct({ id: Id, email: Schema.String })).pipe(
    described("The member who made it. Null: it was made with the secret key.")
  ),
  createdAt: Timestamp
}).annotate({ identifier: "View", description: "A query of a list, under a name." })
export type View = typeof View.Type

export const ViewList = Schema.Array(View).annotate({
  identifier: "ViewList",
  description: "Views of the caller and shared views, by name."
})

export const ViewQuery = Schema.Struct({
  page: Schema.optionalKey(ViewPage).pipe(described("Only views of this list."))
})
export type ViewQuery = typeof ViewQuery.Type

/** Body of `POST /views`. */
export const CreateView = Schema.Struct({
  page: required(ViewPage),
  name: required(ViewName).pipe(described("1 to 100 characters on one line.")),
  query: required(ViewText).pipe(described(queryText)),
  shared: optional(Schema.Boolean).pipe(
    described(`${sharedText} With the secret key always true.`, "false; true with the secret key")
  )
}).annotate({ identifier: "CreateView" })
export type CreateView = typeof CreateView.Type

/** Body of `PATCH /views/{id}`. */
export const UpdateView = Schema.Struct({
  name: Schema.optionalKey(ViewName).pipe(described("1 to 100 characters on one line.")),
  query: Schema.optionalKey(ViewText).pipe(described(queryText)),
  shared: Schema.optionalKey(Schema.Boolean).pipe(described(sharedText))
}).annotate({ identifier: "UpdateView" })
export type UpdateView = typeof UpdateView.Type

/** The search over all records of a project that have a name. */
import { Schema } from "effect"
import { AtLeastOne, described, Id, isOneLine, Timestamp, Trimmed } from "../../platform/Primitives.ts"

/** The types of records, in the order of the results. */
export const SearchType = Schema.Literals([
  "contact",
  "campaign",
  "template",
  "partial",
  "segment",
  "workflow",
  "domain",
  "email"
])
export type SearchType = typeof SearchType.Type

export const SearchQuery = Schema.Struct({
  q: Trimmed(2, 200)
    .check(isOneLine, Schema.isPattern(/^\P{Cs}*$/u, { message: "Must not contain characters that cannot be stored." }))
    .pipe(described("2 to 200 characters, taken literally in any case; or the id of a record.")),
  limit: Schema.optionalKey(AtLeastOne).pipe(described("Results of each type: 1 to 10.", "5"))
})
export type SearchQuery = typeof SearchQuery.Type

/** Results of each type: 5 by default, at most 10. */
export const searchLimit = ({ limit = 5 }: Pick<SearchQuery, "limit">): number => Math.min(limit, 10)

export const SearchResult = Schema.Struct({
  type: SearchType,
  id: Id,
  title: Schema.String.pipe(described("The name; of a contact its address, of a mail its subject.")),
  subtitle: Schema.NullOr(Schema.String).pipe(
    described(
      "Of a contact `subscribed` or `unsubscribed`, of a campaign its status, of a template or segment its type, of a partial its description, of a workflow `enabled` or `disabled`, of a domain `verified` or `pending`, of a mail its recipient."
    )
  ),
  updatedAt: Timestamp
}).annotate({ identifier: "SearchResult", description: "A record that matches." })
export type SearchResult = typeof SearchResult.Type

export const SearchResults = Schema.Struct({
  results: Schema.Array(SearchResult).pipe(
    described("By type; of each type first what is equal, then what begins so, then what contains it.")
  )
}).annotate({ identifier: "SearchResults", description: "Records of the project that match." })
export type SearchResults = typeof SearchResults.Type

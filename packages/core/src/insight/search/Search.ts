/** Searches all records of a project that have a name. */
import {
  type SearchQuery,
  type SearchResult,
  type SearchResults,
  SearchType,
  searchLimit
} from "@posthorn/contract/insight/search/Search"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id } from "@posthorn/contract/platform/Primitives"
import { Array, Effect, Option, Order, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { byId, byName } from "./SearchSql.ts"

const idOf = Schema.decodeUnknownOption(Id)

const inOrderOfTypes = Order.mapInput(Order.Number, ({ type }: SearchResult) => SearchType.literals.indexOf(type))

export interface RecordSearch {
  /** An id finds the record that has it, and a text the records whose name or address has it. */
  readonly find: (project: ProjectId, query: SearchQuery) => Effect.Effect<SearchResults>
}

export type Needs = Contacts | SqlClient.SqlClient

export const make: Effect.Effect<RecordSearch, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const sql = yield* SqlClient.SqlClient

  const contactsLike = (project: ProjectId, text: string, limit: number) =>
    Effect.map(
      contacts.search(project, text, limit),
      Array.map(
        ({ id, email, subscribed, updatedAt }): SearchResult => ({
          type: "contact",
          id,
          title: email,
          subtitle: subscribed ? "subscribed" : "unsubscribed",
          updatedAt
        })
      )
    )

  const find = Effect.fn("Search.find")(function* (project: ProjectId, query: SearchQuery) {
    const limit = searchLimit(query)
    const id = idOf(query.q)
    const found = Option.isSome(id)
      ? yield* byId(sql, project, id.value)
      : [...(yield* contactsLike(project, query.q, limit)), ...(yield* byName(sql, project, query.q, limit))]
    return { results: Array.sort(found, inOrderOfTypes) }
  })

  return { find } satisfies RecordSearch
})

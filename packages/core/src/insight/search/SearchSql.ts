/**
 * Finds records by name or id, in one statement. Projects have few records with names, so the names of a project are
 * read through the index of its records.
 */
import { SearchResult } from "@posthorn/contract/insight/search/Search"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Where a type of record has its name. */
interface Named {
  readonly type: SearchResult["type"]
  readonly table: string
  /** A text, or several, any of which may match. The first is the title. */
  readonly names: readonly [string, ...ReadonlyArray<string>]
  readonly subtitle: string
}

const named: ReadonlyArray<Named> = [
  { type: "campaign", table: "campaigns", names: ["name"], subtitle: "status" },
  { type: "template", table: "templates", names: ["name", "alias"], subtitle: "type" },
  { type: "partial", table: "partials", names: ["name"], subtitle: "description" },
  { type: "segment", table: "segments", names: ["name"], subtitle: "type" },
  {
    type: "workflow",
    table: "workflows",
    names: ["name"],
    subtitle: "case when enabled then 'enabled' else 'disabled' end"
  },
  {
    type: "domain",
    table: "domains",
    names: ["domain"],
    subtitle: "case when verified then 'verified' else 'pending' end"
  }
]

/** Found by id only. A project has too many to look through them by name. */
const byIdOnly: ReadonlyArray<Named> = [
  {
    type: "contact",
    table: "contacts",
    names: ["email"],
    subtitle: "case when subscribed then 'subscribed' else 'unsubscribed' end"
  },
  { type: "email", table: "emails", names: ["coalesce(subject, '')"], subtitle: "to_email" }
]

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...SearchResult.fields, updatedAt: Schema.DateTimeUtcFromDate }))
)

const columns = ({ type, names: [title], subtitle }: Named) =>
  `'${type}' as type, id, ${title} as title, ${subtitle} as subtitle, updated_at as "updatedAt"`

/** The records of the project with the id. */
export const byId = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: string
): Effect.Effect<ReadonlyArray<SearchResult>> => {
  const parts = [...named, ...byIdOnly].map(
    (each) =>
      sql`select ${sql.literal(columns(each))} from ${sql.literal(each.table)} where project_id = ${project} and id = ${id}::uuid`
  )
  return Effect.orDie(Effect.flatMap(union(sql, parts), rows))
}

/** The records of the project whose name contains the text, at most `limit` of each type. */
export const byName = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  text: string,
  limit: number
): Effect.Effect<ReadonlyArray<SearchResult>> => {
  const wanted = sql`lower(${text}::text)`
  const parts = named.map((each) => {
    const names = each.names.map((name) => sql.literal(`lower(${name})`))
    const is = (test: (name: Statement.Fragment) => Statement.Fragment) => sql.or(names.map(test))
    return sql`
      (select ${sql.literal(columns(each))} from ${sql.literal(each.table)}
       where project_id = ${project} and ${is((name) => sql`strpos(${name}, ${wanted}) > 0`)}
       order by ${is((name) => sql`${name} = ${wanted}`)} is true desc,
                ${is((name) => sql`starts_with(${name}, ${wanted})`)} is true desc, updated_at desc, id
       limit ${limit})`
  })
  return Effect.orDie(Effect.flatMap(union(sql, parts), rows))
}

const union = (sql: SqlClient.SqlClient, parts: ReadonlyArray<Statement.Fragment>) =>
  parts.reduce((all, part) => sql`${all} union all ${part}`) as Statement.Statement<unknown>

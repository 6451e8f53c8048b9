/**
 * The hot queries of the contact list: one page, and the total.
 *
 * A page walks an index in order, starting where the previous page ended, so page 10,000 costs as much as page 1. The
 * subscription state is literal SQL, because with a parameter the planner cannot use the partial indexes.
 *
 * A search also walks the index while matches are frequent: `nearby` looks at the next 5,000 addresses. If they do not
 * fill the page, or few contacts are known to match, `anywhere` collects all matches first, using the trigram index if
 * they are few. Without this split the planner walks whenever it expects many matches, and reads the whole project if
 * they are all at the other end. Its estimate depends on the search text, so searches are planned at each execution
 * (`unprepared`).
 *
 * Measured at 1,000,000 contacts in one project: `npm run bench -- --only A2,A3`. Plans: `ContactPlans.test.ts`.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { contactColumns } from "./ContactRow.ts"
import type { ContactFilter, ContactOrder } from "./ContactStore.ts"

/** The number of rows to look at in order before collecting all matches. Up to this number, matches count as few. */
const nearbyRows = 5_000

export interface ContactList {
  readonly project: ProjectId
  readonly filter: ContactFilter
  readonly order: ContactOrder
  readonly limit: number
  readonly after: Position | undefined
  /** The number of matches, if known. */
  readonly total: number | undefined
}

/** A LIKE pattern for texts that contain the search text literally. */
const pattern = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

export const contactListSql = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(contactColumns)

  const subscription = ({ subscribed }: ContactFilter): ReadonlyArray<Statement.Fragment> =>
    subscribed === undefined ? [] : [sql.literal(subscribed ? "subscribed" : "not subscribed")]

  const found = ({ search }: ContactFilter): ReadonlyArray<Statement.Fragment> =>
    search ? [sql`email like ${pattern(search)}`] : []

  /** A row comparison, so that an index scan can start at the position. */
  const behind = ({ sort, dir }: ContactOrder, after: Position | undefined): ReadonlyArray<Statement.Fragment> => {
    if (after === undefined) return []
    const than = sql.literal(dir === "asc" ? ">" : "<")
    return sort === "email"
      ? [sql`(email, id) ${than} (${after.key}::text, ${after.id}::uuid)`]
      : [sql`(created_at, id) ${than} (${after.key}::timestamptz, ${after.id}::uuid)`]
  }

  const ordered = ({ sort, dir }: ContactOrder) =>
    sql.literal(sort === "email" ? `email ${dir}, id ${dir}` : `created_at ${dir}, id ${dir}`)

  const walked = ({ project, filter, order, after }: ContactList) =>
    sql.and([sql`project_id = ${project}`, ...subscription(filter), ...behind(order, after)])

  const page = (list: ContactList) => sql`
    select ${columns} from contacts where ${walked(list)} order by ${ordered(list.order)} limit ${list.limit}`

  const nearby = (list: ContactList) => sql`
    select ${columns} from (
      select * from contacts where ${walked(list)} order by ${ordered(list.order)} limit ${nearbyRows}
    ) as next
    where ${sql.and(found(list.filter))} order by ${ordered(list.order)} limit ${list.limit}`

  /** `offset 0` keeps the outer order from affecting the plan of the inner query. */
  const anywhere = (list: ContactList) => sql`
    select ${columns} from (
      select * from contacts where ${sql.and([walked(list), ...found(list.filter)])} offset 0
    ) as matching
    order by ${ordered(list.order)} limit ${list.limit}`

  const kept = (project: ProjectId, { subscribed }: ContactFilter) => {
    const column = sql.literal(
      subscribed === undefined ? "contacts" : subscribed ? "subscribed" : "contacts - subscribed"
    )
    return sql`select coalesce(sum(${column}), 0)::int as count from contact_tallies where project_id = ${project}`
  }

  const counted = (project: ProjectId, filter: ContactFilter) => sql`
    select count(*)::int as count from contacts
    where ${sql.and([sql`project_id = ${project}`, ...subscription(filter), ...found(filter)])}`

  const list = (list: ContactList): Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError> => {
    if (!list.filter.search) return page(list)
    if (list.total !== undefined && list.total <= nearbyRows) return anywhere(list).unprepared
    return Effect.flatMap(nearby(list).unprepared, (near) =>
      near.length < list.limit ? anywhere(list).unprepared : Effect.succeed(near)
    )
  }

  const count = (
    project: ProjectId,
    filter: ContactFilter
  ): Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError> =>
    filter.search ? counted(project, filter).unprepared : kept(project, filter)

  return { list, count, statements: { page, nearby, anywhere, kept, counted } }
}

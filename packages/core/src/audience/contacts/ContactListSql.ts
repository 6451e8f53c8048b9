/**
 * The hot queries of lists of contacts: one page, and the total.
 *
 * A page walks an index in order, starting where the previous page ended, so page 10,000 costs as much as page 1. The
 * subscription state is literal SQL, because with a parameter the planner cannot use the partial indexes.
 *
 * A search or a condition also walks the index while matches are frequent: `nearby` looks at the next 5,000 contacts,
 * and for a condition then at more. If they do not fill the page, or few contacts are known to match, `anywhere`
 * collects all matches first, by an index if one finds them, otherwise by reading all contacts in parallel. It hides its order from the planner, which would walk whenever it expects many
 * matches, and would read the whole project if they are all at the other end. Its estimate depends on the text and the
 * condition, so these statements are planned at each execution (`unprepared`).
 *
 * Measured at 1,000,000 contacts in one project: `npm run bench -- --only A2,A3,A9`. Plans: `ContactPlans.test.ts`.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { contactColumns } from "./ContactRow.ts"
import type { ContactFilter, ContactOrder } from "./ContactStore.ts"

/** The number of rows to look at in order first. */
const nearbyRows = 5_000

/** Up to this number of matches of a search, `anywhere` is faster: the trigram index finds them. */
const fewFound = 5_000
/** The same for a condition, for which there may be no index. */
const fewSelected = 1_000

/**
 * The number of rows to look at next for a condition. In the order of creation, in which rows are stored, enough to fill
 * the page if the condition holds for one contact in a thousand. In other orders rows are read from anywhere in the
 * table, so that more of them take longer than `anywhere`.
 */
const selectedRows = ({ limit, order }: ContactList) =>
  order.sort === "createdAt" ? Math.max(50_000, 1_200 * limit) : 25_000

export interface ListFilter extends ContactFilter {
  /** A condition on rows of `contacts`. `few` as in `FilterScope`. */
  readonly holds?: ((few: boolean) => Statement.Fragment) | undefined
}

export interface ListOrder {
  readonly sort: ContactOrder["sort"] | "updatedAt"
  readonly dir: ContactOrder["dir"]
}

const columnOf = { createdAt: "created_at", updatedAt: "updated_at", email: "email" } as const

/** The same values in the same order, as expressions that no index has. */
const hidden = { createdAt: "created_at + interval '0'", updatedAt: "updated_at + interval '0'", email: "email || ''" }

export interface ContactList {
  readonly project: ProjectId
  readonly filter: ListFilter
  readonly order: ListOrder
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

  /** Only the unsubscribed contacts have indexes of their own, and none in the order of changes. */
  const isWalked = ({ sort }: ListOrder) => sort !== "updatedAt"

  const found = ({ search, holds }: ListFilter, few: boolean): ReadonlyArray<Statement.Fragment> => [
    ...(search ? [sql`email like ${pattern(search)}`] : []),
    ...(holds ? [holds(few)] : [])
  ]

  /** What the index of the order cannot answer. */
  const left = ({ filter, order }: ContactList, few: boolean): ReadonlyArray<Statement.Fragment> => [
    ...(isWalked(order) ? [] : subscription(filter)),
    ...found(filter, few)
  ]

  /** A row comparison, so that an index scan can start at the position. */
  const behind = ({ sort, dir }: ListOrder, after: Position | undefined): ReadonlyArray<Statement.Fragment> => {
    if (after === undefined) return []
    const than = sql.literal(dir === "asc" ? ">" : "<")
    return sort === "email"
      ? [sql`(email, id) ${than} (${after.key}::text, ${after.id}::uuid)`]
      : [sql`(${sql.literal(columnOf[sort])}, id) ${than} (${after.key}::timestamptz, ${after.id}::uuid)`]
  }

  const ordered = ({ sort, dir }: ListOrder) => sql.literal(`${columnOf[sort]} ${dir}, id ${dir}`)

  const walked = ({ project, filter, order, after }: ContactList) =>
    sql.and([sql`project_id = ${project}`, ...(isWalked(order) ? subscription(filter) : []), ...behind(order, after)])

  const page = (list: ContactList) => sql`
    select ${columns} from contacts where ${walked(list)} order by ${ordered(list.order)} limit ${list.limit}`

  const nearby = (list: ContactList, rows = nearbyRows) => sql`
    select ${columns} from (
      select * from contacts where ${walked(list)} order by ${ordered(list.order)} limit ${rows}
    ) as contacts
    where ${sql.and(left(list, rows === nearbyRows))} order by ${ordered(list.order)} limit ${list.limit}`

  const anywhere = (list: ContactList) => sql`
    select ${columns} from contacts where ${sql.and([walked(list), ...left(list, false)])}
    order by ${sql.literal(`${hidden[list.order.sort]} ${list.order.dir}, id ${list.order.dir}`)} limit ${list.limit}`

  const kept = (project: ProjectId, { subscribed }: ContactFilter) => {
    const column = sql.literal(
      subscribed === undefined ? "contacts" : subscribed ? "subscribed" : "contacts - subscribed"
    )
    return sql`select coalesce(sum(${column}), 0)::int as count from contact_tallies where project_id = ${project}`
  }

  const counted = (project: ProjectId, filter: ListFilter) => sql`
    select count(*)::int as count from contacts
    where ${sql.and([sql`project_id = ${project}`, ...subscription(filter), ...found(filter, false)])}`

  const list = Effect.fnUntraced(function* (
    list: ContactList
  ): Effect.fn.Return<ReadonlyArray<unknown>, SqlError.SqlError> {
    if (left(list, false).length === 0) return yield* page(list)
    const { holds } = list.filter
    if (list.total !== undefined && list.total <= (holds ? fewSelected : fewFound)) {
      return yield* anywhere(list).unprepared
    }
    for (const rows of holds ? [nearbyRows, selectedRows(list)] : [nearbyRows]) {
      const near = yield* nearby(list, rows).unprepared
      if (near.length === list.limit) return near
    }
    return yield* anywhere(list).unprepared
  })

  const count = (project: ProjectId, filter: ListFilter): Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError> =>
    filter.search || filter.holds ? counted(project, filter).unprepared : kept(project, filter)

  /** Without an order, so that frequent texts end the scan early and rare ones use the trigram index. */
  const containing = (project: ProjectId, search: string, limit: number) =>
    sql`
    select ${columns} from contacts
    where project_id = ${project} and email like ${pattern(search)}
    limit ${limit}`.unprepared

  return { list, count, containing, statements: { page, nearby, anywhere, kept, counted } }
}

/** Cursor lists: the items of a page, and its response. */
import type { InvalidCursor } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect } from "effect"
import type { Cursors, Position } from "./Cursors.ts"

/** The requested page. `scope` is the list with its filters and sort, as text. */
export interface CursorPageRequest {
  readonly scope: string
  readonly limit: number
  readonly cursor?: string | undefined
}

export interface Listing<A, Total extends number | null = number> {
  /** Null if the items cannot be counted in time. */
  readonly count: Effect.Effect<Total>
  /** Up to `limit` items after `after`, or from the start without it. Only the first page has the `total`. */
  readonly list: (
    limit: number,
    after: Position | undefined,
    total: number | undefined
  ) => Effect.Effect<ReadonlyArray<A>>
  readonly positionOf: (item: A) => Position
}

/** The position of an item in a list that is ordered by creation. */
export const byCreation = ({ createdAt, id }: { readonly createdAt: DateTime.Utc; readonly id: string }): Position => ({
  key: DateTime.formatIso(createdAt),
  id
})

/** Counts the items for the first page only. When the count is 0, the list is not read. */
export const cursorPage = Effect.fnUntraced(function* <A, Total extends number | null = number>(
  cursors: Cursors["Service"],
  { scope, cursor, limit }: CursorPageRequest,
  { count, list, positionOf }: Listing<A, Total>
): Effect.fn.Return<
  {
    readonly data: ReadonlyArray<A>
    readonly hasMore: boolean
    readonly total: Total | 0
    readonly cursor?: string
  },
  InvalidCursor
> {
  const after = cursor === undefined ? undefined : yield* cursors.open(scope, cursor)
  const counted = after === undefined ? yield* count : undefined
  // Reads one more item than the page has, to know whether there is a next page.
  const found = counted === 0 ? [] : yield* list(limit + 1, after, counted ?? undefined)
  const data = found.slice(0, limit)
  const last = data.at(-1)
  const total = counted === undefined ? 0 : counted
  if (found.length <= limit || last === undefined) return { data, hasMore: false, total }
  return { data, hasMore: true, total, cursor: yield* cursors.seal(scope, positionOf(last)) }
})

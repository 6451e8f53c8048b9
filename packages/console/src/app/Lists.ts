/** Lists of the API, page by page: a cursor list grows at its end, an offset list is shown a page at a time. */
import type { List, LiveEvent, PosthornError } from "@posthorn/client/session"
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { type Api, apiOf } from "./Api.ts"
import { useFollowing, useMoved } from "./Live.ts"
import { useProjectId } from "./Project.tsx"

interface CursorPage<R> {
  readonly data: ReadonlyArray<R>
  readonly cursor?: string | undefined
  readonly hasMore: boolean
  /** Null if counting takes too long. */
  readonly total: number | null
}

interface OffsetPage<R> {
  readonly data: ReadonlyArray<R>
  readonly page: number
  readonly totalPages: number
  readonly total: number
}

type AnyPage<R> = CursorPage<R> | OffsetPage<R>

/** The query of a page. */
type Position = { readonly cursor?: string; readonly page?: number }

/** Where a page is in its list. The places before it are known, so that pages that were dropped can be read again. */
interface Place {
  readonly position: Position
  /** Rows before the page. */
  readonly at: number
  readonly before?: Place
  /** As the first page had it. */
  readonly total: number | null
}

const start: Place = { position: {}, at: 0, total: null }

interface ListOptions<R> {
  /** Milliseconds between two reads while the page is visible and the service tells no changes. */
  readonly every?: number | false
  /** The same while it does tell changes, for what no change is about. */
  readonly always?: (rows: ReadonlyArray<R>) => number | false
  /** How many new rows a change brings. With it, a list that is scrolled waits and counts. */
  readonly newIn?: (change: LiveEvent) => number
  readonly enabled?: boolean
  /** Pages to keep in memory. The others are read again when one scrolls back. */
  readonly most?: number
}

const nextOf = (page: AnyPage<unknown>): Position | undefined => {
  if ("hasMore" in page) return page.hasMore && page.cursor !== undefined ? { cursor: page.cursor } : undefined
  return page.page < page.totalPages ? { page: page.page + 1 } : undefined
}

const placeAfter = (last: AnyPage<unknown>, place: Place): Place | null => {
  const position = nextOf(last)
  if (position === undefined) return null
  return { position, at: place.at + last.data.length, before: place, total: place.before ? place.total : last.total }
}

/** Rows of the first page. Beyond it, the list is read from its start. */
const mostInFirst = 500

const idOf = (row: unknown): unknown => (row as { readonly id?: unknown }).id

const idsOf = (page: AnyPage<unknown>) => new Set(page.data.map(idOf))

/**
 * The pages with a first one that was read again. The new rows stand before those that are there, and the next page goes on
 * where it did. Without a row in common, the list is read from its start.
 */
const withFirst = <P extends AnyPage<unknown>>(pages: ReadonlyArray<P>, first: P): Array<P> => {
  const [before, ...others] = pages
  if (before === undefined || others.length === 0 || !("hasMore" in before)) return [first]
  const known = idsOf(first)
  const rest = before.data.filter((row) => !known.has(idOf(row)))
  const isJoined = rest.length < before.data.length && first.data.length + rest.length <= mostInFirst
  return isJoined ? [{ ...before, data: [...first.data, ...rest], total: first.total }, ...others] : [first]
}

/** Rows from those in memory beyond which the pages between are not read. */
const farAway = 1_000

/** Pixels from the top, below which new rows do not move what one reads. */
const scrolled = 200

/**
 * A list that grows as one reads on.
 *
 *     const mails = useList(["emails", search], (api, position, options) => api.emails.list({ ...search, ...position }, options))
 */
export const useList = <R, P extends AnyPage<R>>(
  key: readonly [noun: string, ...rest: ReadonlyArray<unknown>],
  read: (api: Api, position: Position, options: { readonly signal: AbortSignal }) => List<R, P>,
  { every = false, always, newIn, enabled = true, most }: ListOptions<R> = {}
) => {
  const project = useProjectId()
  const client = useQueryClient()
  const isFollowing = useFollowing()
  const queryKey = [project, ...key]
  const listed = JSON.stringify(queryKey)
  const [news, setNews] = useState({ listed, count: 0 })
  const query = useInfiniteQuery<P, PosthornError, InfiniteData<P, Place>, ReadonlyArray<unknown>, Place>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(apiOf(project), pageParam.position, { signal }).page().orThrow(),
    initialPageParam: start,
    getNextPageParam: (last, _, place) => placeAfter(last, place),
    ...(most !== undefined && {
      maxPages: most,
      getPreviousPageParam: (_first: P, _pages: ReadonlyArray<P>, place: Place) => place.before ?? null
    }),
    refetchInterval: ({ state }) => {
      if (!isFollowing) return every
      // All pages are read again, so only a list of one page is.
      const [only, more] = state.data?.pages ?? []
      return only === undefined || more !== undefined ? false : (always?.(only.data) ?? false)
    },
    enabled,
    placeholderData: keepPreviousData
  })
  const pages = query.data?.pages

  const first = query.data?.pageParams[0] ?? start

  /** Goes to the page with this row, one that was read before. */
  const seek = async (row: number) => {
    let place = first
    while (place.before !== undefined && place.at > row) place = place.before
    const { data } = await read(apiOf(project), place.position, { signal: AbortSignal.timeout(30_000) }).page()
    if (data === null) return
    client.setQueryData<InfiniteData<P, Place>>(queryKey, { pages: [data], pageParams: [place] })
  }

  /** Reads the first page again. An offset list is read as a whole. */
  const readFirst = async () => {
    if (first.at > 0) return await seek(0)
    if (pages === undefined || pages.length < 2 || !("hasMore" in (pages[0] ?? {}))) return await query.refetch()
    const { data } = await read(apiOf(project), {}, { signal: AbortSignal.timeout(30_000) }).page()
    if (data === null) return
    client.setQueryData<InfiniteData<P, Place>>(queryKey, (found) => {
      if (found === undefined) return found
      const all = withFirst(found.pages, data)
      return { pages: all, pageParams: found.pageParams.slice(0, all.length) }
    })
  }

  useMoved(key[0], (changes) => {
    if (!enabled || every === false) return
    if (window.scrollY < scrolled) return void readFirst()
    const count = newIn === undefined ? 0 : changes.reduce((sum, change) => sum + newIn(change), 0)
    if (count > 0) setNews((before) => ({ listed, count: (before.listed === listed ? before.count : 0) + count }))
  })

  const rows = useMemo(() => (pages ?? []).flatMap(({ data }) => data as ReadonlyArray<R>), [pages])
  return {
    rows,
    /** Rows before the first one in memory. */
    first: first.at,
    total: (first.before === undefined ? pages?.[0]?.total : first.total) ?? null,
    isLoading: query.isPending,
    error: query.isLoadingError || query.isRefetchError ? query.error : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: query.fetchNextPage as () => void,
    /** Reads the rows before the first one in memory, down to this one. */
    back: (row: number) => {
      if (first.at === 0 || query.isFetchingPreviousPage) return
      if (first.at - row > farAway) void seek(row)
      else void query.fetchPreviousPage()
    },
    /** New rows that are not shown because the list is scrolled. */
    news: news.listed === listed ? news.count : 0,
    showNews: () => {
      setNews({ listed, count: 0 })
      window.scrollTo({ top: 0 })
      void readFirst()
    },
    retry: query.refetch as () => void
  }
}

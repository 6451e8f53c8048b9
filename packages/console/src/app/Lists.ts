/** Lists of the API, page by page: a cursor list grows at its end, an offset list is shown a page at a time. */
import type { List, PosthornError } from "@posthorn/client/session"
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Api, apiOf } from "./Api.ts"
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

/** The query of the next page. */
type Position = { readonly cursor?: string; readonly page?: number }

interface ListOptions {
  readonly every?: number | false
  readonly enabled?: boolean
}

const nextOf = (page: AnyPage<unknown>): Position | undefined => {
  if ("hasMore" in page) return page.hasMore && page.cursor !== undefined ? { cursor: page.cursor } : undefined
  return page.page < page.totalPages ? { page: page.page + 1 } : undefined
}

/**
 * A list that grows as one reads on.
 *
 *     const mails = useList(["emails", search], (api, position, options) => api.emails.list({ ...search, ...position }, options))
 */
export const useList = <R, P extends AnyPage<R>>(
  key: readonly [noun: string, ...rest: ReadonlyArray<unknown>],
  read: (api: Api, position: Position, options: { readonly signal: AbortSignal }) => List<R, P>,
  { every = false, enabled = true }: ListOptions = {}
) => {
  const project = useProjectId()
  const query = useInfiniteQuery<P, PosthornError, { pages: Array<P> }, ReadonlyArray<unknown>, Position>({
    queryKey: [project, ...key],
    queryFn: ({ pageParam, signal }) => read(apiOf(project), pageParam, { signal }).page().orThrow(),
    initialPageParam: {},
    getNextPageParam: (last) => nextOf(last) ?? null,
    refetchInterval: every,
    enabled,
    placeholderData: keepPreviousData
  })
  const pages = query.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ data }) => data as ReadonlyArray<R>), [pages])
  return {
    rows,
    total: pages?.[0]?.total ?? null,
    isLoading: query.isPending,
    error: query.isLoadingError || query.isRefetchError ? query.error : null,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: query.fetchNextPage as () => void,
    retry: query.refetch as () => void
  }
}

/** Offset lists: the rows of a page, and its response. Pure. */

export interface Slice {
  readonly limit: number
  readonly offset: number
}

/** The requested page. `pageSize` is at most 100. */
export interface OffsetPageRequest {
  readonly page: number
  readonly pageSize: number
}

/** 20 items a page by default, at most 100. */
export const placeOf = ({ page = 1, pageSize = 20 }: Partial<OffsetPageRequest>): OffsetPageRequest => ({
  page,
  pageSize: Math.min(pageSize, 100)
})

export const sliceOf = ({ page, pageSize }: OffsetPageRequest): Slice => ({
  limit: pageSize,
  offset: (page - 1) * pageSize
})

/** A page past the end is empty. `totalPages` is 0 for an empty list. */
export const offsetPage = <A>(place: OffsetPageRequest, data: ReadonlyArray<A>, total: number) => ({
  data,
  ...place,
  total,
  totalPages: Math.ceil(total / place.pageSize)
})

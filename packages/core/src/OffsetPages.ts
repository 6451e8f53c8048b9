/** Offset lists: which rows a page holds and what its answer says (contract 1.9). Pure. */

/** The rows of one page. */
export interface Slice {
  readonly limit: number
  readonly offset: number
}

/** Where a list stands; `pageSize` is never above 100. */
export interface Place {
  readonly page: number
  readonly pageSize: number
}

/** 20 items a page unless asked for otherwise, and never more than 100. */
export const placeOf = ({ page = 1, pageSize = 20 }: Partial<Place>): Place => ({
  page,
  pageSize: Math.min(pageSize, 100)
})

export const sliceOf = ({ page, pageSize }: Place): Slice => ({ limit: pageSize, offset: (page - 1) * pageSize })

/** A page past the end holds nothing; `totalPages` is 0 when there is nothing at all. */
export const offsetPage = <A>(place: Place, data: ReadonlyArray<A>, total: number) => ({
  data,
  ...place,
  total,
  totalPages: Math.ceil(total / place.pageSize)
})

/** Lists: all items across pages, or one page. */
import type { Call } from "./Answer.ts"
import type { CallOptions } from "./Options.ts"
import type { Caller } from "./Requests.ts"

/**
 * Iterates from the page in the query, and requests more pages when their items are needed. An error ends the
 * iteration: it is thrown as a `PosthornError`.
 */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Gets only the page in the query. */
  readonly page: () => Call<Page>
}

/** A list without pages: an ordinary call that can also be iterated. */
export type WholeList<Data extends ReadonlyArray<unknown>> = Call<Data> & List<Data[number], Data>

export const whole = <Data extends ReadonlyArray<unknown>>(call: Call<Data>): WholeList<Data> =>
  Object.assign(call, {
    page: () => call,
    async *[Symbol.asyncIterator]() {
      yield* await call.orThrow()
    }
  })

/** A page of either kind: the next one is requested by cursor or by number. */
interface AnyPage<Item> {
  readonly data: ReadonlyArray<Item>
  readonly cursor?: string | undefined
  readonly page?: number
  readonly totalPages?: number
}

const next = ({ cursor, page = 0, totalPages = 0 }: AnyPage<unknown>): object | undefined =>
  cursor !== undefined ? { cursor } : page < totalPages ? { page: page + 1 } : undefined

export type Lister = <Item, Page extends AnyPage<Item>>(
  route: string,
  query: object | undefined,
  options: CallOptions | undefined
) => List<Item, Page>

export const listerOf =
  (call: Caller): Lister =>
  <Item, Page extends AnyPage<Item>>(route: string, query: object | undefined, options: CallOptions | undefined) => {
    const pageAt = (position?: object) => call<Page>("GET", route, { query: { ...query, ...position }, options })
    return {
      page: () => pageAt(),
      async *[Symbol.asyncIterator]() {
        for (let position: object | undefined = {}; position !== undefined; ) {
          const page: Page = await pageAt(position).orThrow()
          yield* page.data
          position = next(page)
        }
      }
    }
  }

/** Lists: all items across pages, or one page. */
import type { Call } from "./Answer.ts"
import type { CallOptions } from "./Options.ts"
import type { Caller } from "./Requests.ts"

/**
 * Iterates from the page in the query or body, and requests more pages when their items are needed. An error ends the
 * iteration: it is thrown as a `PosthornError`.
 */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Gets only the page in the query or body. */
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

/** `given` is the query of a GET, or the body of a POST. */
export type Lister = <Item, Page extends AnyPage<Item>>(
  route: string,
  given: object | undefined,
  options: CallOptions | undefined,
  method?: "POST"
) => List<Item, Page>

export const listerOf =
  (call: Caller): Lister =>
  <Item, Page extends AnyPage<Item>>(
    route: string,
    given: object | undefined,
    options: CallOptions | undefined,
    method?: "POST"
  ) => {
    const pageAt = (position?: object) =>
      call<Page>(method ?? "GET", route, { [method ? "body" : "query"]: { ...given, ...position }, options })
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

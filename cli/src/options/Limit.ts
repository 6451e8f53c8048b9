/** Options that limit the length of a list. */
import { Stream } from "effect"
import { Flag } from "effect/cli"

/** Items on one page of the API. */
const maxPage = 100

/** Options of every list that may be long. */
export const limitOptions = {
  limit: Flag.Int("limit").pipe(
    Flag.filter(
      (limit) => limit >= 1,
      () => "a whole number from 1"
    ),
    Flag.withDefault(20),
    Flag.withDescription("Maximum number of items; default 20")
  ),
  all: Flag.Boolean("all").pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription("All of them"))
}

export interface LimitInput {
  readonly limit: number
  readonly all: boolean
}

/** Items to request on each page. */
export const pageLimit = ({ all, limit }: LimitInput): number => (all ? maxPage : Math.min(limit, maxPage))

/** Takes as many items as requested. */
export const upTo =
  ({ all, limit }: LimitInput) =>
  <A, E, R>(items: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    all ? items : Stream.take(items, limit)

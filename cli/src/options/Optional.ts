/** Leaves an absent option out of the request. */
import { Option } from "effect"
import { Flag } from "effect/cli"

export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))

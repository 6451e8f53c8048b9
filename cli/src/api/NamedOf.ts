/** Finds a resource of the project by id, or by name if the name is unique. */
import { Effect, Option } from "effect"
import { type CommandFailure, wrongUsage } from "../Failure.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/**
 * None if there is no match. A name that several resources have is refused. `kind` is the plural, such as `workflows`.
 */
export const findNamed = <A extends Named>(
  all: ReadonlyArray<A>,
  given: string,
  kind: string
): Effect.Effect<Option.Option<A>, CommandFailure> => {
  const exact = all.find(({ id }) => id === given.toLowerCase())
  if (exact !== undefined) return Effect.succeedSome(exact)
  const found = all.filter(({ name }) => name === given)
  if (found.length < 2) return Effect.succeed(Option.fromNullishOr(found[0]))
  const ids = found.map(({ id }) => id).join(", ")
  return Effect.fail(wrongUsage(`${found.length} ${kind} are called ${given}.`, `Give the id of one: ${ids}.`))
}

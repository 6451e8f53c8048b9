/** Finds a segment by slug, name or id. */
import type { Segment } from "@posthorn/client"
import { Effect } from "effect"
import { Argument } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { Api } from "./Api.ts"

export const segmentArgument = Argument.String("segment").pipe(
  Argument.withDescription("Slug of the segment, its name if it is unique, or its id")
)

/** Ids and slugs are unique, so they are tried first. */
export const segmentOf = Effect.fnUntraced(function* (given: string): Effect.fn.Return<Segment, CommandFailure, Api> {
  const { call } = yield* Api
  const all = yield* call(({ segments }) => segments.list())
  const exact = all.find(({ id, slug }) => id === given.toLowerCase() || slug === given)
  if (exact !== undefined) return exact
  const [found, ...others] = all.filter(({ name }) => name === given)
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) {
    return yield* wrongUsage(
      `${others.length + 1} segments are called ${given}.`,
      `Give the slug of one: ${[found, ...others].map(({ slug }) => slug).join(", ")}.`
    )
  }
  return yield* new CommandFailure({
    exit: "notFound",
    code: "SEGMENT_NOT_FOUND",
    message: `The project has no segment ${given}.`,
    suggestion: "`posthorn segments list` shows those it has."
  })
})

/** What a segment is made and changed with. */
import { Flag } from "effect/cli"
import { filterTree } from "./FilterTree.ts"
import { optional } from "./Optional.ts"

const condition = filterTree("condition").pipe(
  Flag.withDescription("Who is in it: a filter tree; of a dynamic segment"),
  optional
)

export const segmentOptions = {
  description: Flag.String("description").pipe(Flag.withDescription("Internal note"), optional),
  condition,
  trackMembership: Flag.Boolean("track-membership").pipe(
    Flag.withDescription("Emit an event as a contact joins or leaves, or not with --no-track-membership"),
    optional
  ),
  silentStart: Flag.Boolean("silent-start").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Those who match when tracking is switched on become members without events"),
    optional
  )
}

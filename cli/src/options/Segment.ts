/** Options to create and change a segment. */
import { Flag } from "effect/cli"
import { filterTree } from "./FilterTree.ts"
import { optional } from "./Optional.ts"

const condition = filterTree("condition").pipe(
  Flag.withDescription("Filter tree that selects the members of a dynamic segment"),
  optional
)

export const segmentOptions = {
  description: Flag.String("description").pipe(Flag.withDescription("Internal note"), optional),
  condition,
  trackMembership: Flag.Boolean("track-membership").pipe(
    Flag.withDescription("Record an event when a contact joins or leaves; --no-track-membership turns it off"),
    optional
  ),
  silentStart: Flag.Boolean("silent-start").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Contacts that match when tracking is turned on become members without events"),
    optional
  )
}

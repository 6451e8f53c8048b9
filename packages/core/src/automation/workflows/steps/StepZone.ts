/** The time zone in which a step reads the wall clock. */
import type { DateTime } from "effect"
import { Effect } from "effect"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { timezoneIn } from "../../../audience/contacts/NamedData.ts"
import { chosenZone } from "../../../platform/WallClock.ts"
import type { StepInput } from "./StepDefinition.ts"

/** `CONTACT`, which is the default, `PROJECT`, or the name of a zone. */
export type ZoneOf = (
  input: Pick<StepInput, "contact" | "execution">,
  choice: string | null | undefined
) => Effect.Effect<DateTime.TimeZone>

export const make: Effect.Effect<ZoneOf, never, Projects> = Effect.map(
  Projects,
  (projects): ZoneOf =>
    ({ contact, execution }, choice) =>
      Effect.map(Effect.orDie(projects.getCached(execution.projectId)), ({ timezone }) =>
        chosenZone(choice, timezoneIn(contact.data), timezone)
      )
)

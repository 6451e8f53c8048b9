/** Readers of the operators on an instant that may be missing. */
import type { Period, Presence } from "./Condition.ts"
import type { Readers } from "./FilterValues.ts"
import { timeOperators } from "./TimeOperators.ts"

export const momentOperators: Readers<"moment", Period | Presence> = {
  ...timeOperators,
  exists: () => ({ _tag: "Present" }),
  notExists: () => ({ _tag: "Missing" })
}

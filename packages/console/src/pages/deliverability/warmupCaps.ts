/** The caps that a warm-up is still to reach. */
import type { Warmup } from "@posthorn/client/session"

/** The caps of the plans that the service knows by name, one for each step. */
const presets = {
  STANDARD: [
    50, 100, 200, 400, 800, 1600, 3200, 6400, 9000, 13_000, 18_000, 25_000, 35_000, 49_000, 69_000, 97_000, 140_000
  ],
  FAST: [200, 400, 800, 1600, 3200, 6400, 13_000, 21_000, 34_000, 54_000, 86_000, 140_000, 220_000]
}

const dayMillis = 86_400_000

/** The days to come with their caps, if every day is clean. None while the plan is paused, or after its last step. */
export const capsToCome = ({
  preset,
  caps,
  step,
  completesOn
}: Pick<Warmup, "caps" | "completesOn" | "preset" | "step">): ReadonlyArray<{
  readonly date: string
  readonly cap: number
}> => {
  const all = preset === "CUSTOM" ? (caps ?? []) : presets[preset]
  if (completesOn === null) return []
  const last = Date.parse(completesOn)
  return all.slice(step).map((cap, n, rest) => ({
    date: new Date(last - (rest.length - 1 - n) * dayMillis).toISOString().slice(0, 10),
    cap
  }))
}

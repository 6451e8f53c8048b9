import { assert, it } from "@effect/vitest"
import type { Unit } from "@posthorn/contract/audience/filters/Operators"
import { ago, isInPeriod } from "./Periods.ts"

const spans: ReadonlyArray<readonly [amount: number, unit: Unit, now: string, then: string]> = [
  [1, "months", "2026-03-31T12:34:56.789Z", "2026-02-28T12:34:56.789Z"],
  [1, "months", "2024-03-31T12:00:00.000Z", "2024-02-29T12:00:00.000Z"],
  [12, "months", "2024-02-29T00:00:00.000Z", "2023-02-28T00:00:00.000Z"],
  [1, "months", "2026-03-28T00:00:00.000Z", "2026-02-28T00:00:00.000Z"],
  [2, "months", "2026-01-31T23:59:59.999Z", "2025-11-30T23:59:59.999Z"],
  [100_000, "months", "2026-11-20T12:00:00.000Z", "-006307-07-20T12:00:00.000Z"],
  [3, "weeks", "2026-11-20T12:00:00.000Z", "2026-10-30T12:00:00.000Z"],
  [0.5, "days", "2026-11-20T12:00:00.000Z", "2026-11-20T00:00:00.000Z"],
  [1.5, "hours", "2026-11-20T12:00:00.000Z", "2026-11-20T10:30:00.000Z"],
  [1, "minutes", "2026-11-20T12:00:00.000Z", "2026-11-20T11:59:00.000Z"]
]

it.each(spans)("%d %s before %s is %s", (amount, unit, now, then) => {
  assert.strictEqual(new Date(ago({ amount, unit }, Date.parse(now))).toISOString(), then)
})

it("Within and OlderThan are exact opposites, to the millisecond", () => {
  const now = Date.parse("2026-11-20T12:00:00.000Z")
  const span = { amount: 7, unit: "days" } as const
  const edge = Date.parse("2026-11-13T12:00:00.000Z")
  const results = (_tag: "Within" | "OlderThan") =>
    [edge - 1, edge, now, now + 1].map((at) => isInPeriod({ _tag, span }, at, now))
  assert.deepStrictEqual(results("Within"), [false, true, true, false])
  assert.deepStrictEqual(results("OlderThan"), [true, false, false, false])
})

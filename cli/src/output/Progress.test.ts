import { assert, it } from "@effect/vitest"
import { progressText } from "./Progress.ts"

it.each([
  [{ done: 0, total: 2_000, elapsed: 0 }, "[                    ] 0 %  0/2,000 rows  0 rows/s"],
  [{ done: 500, total: 2_000, elapsed: 5_000 }, "[#####               ] 25 %  500/2,000 rows  100 rows/s  15 s left"],
  [
    { done: 1_000, total: 100_000, elapsed: 1_000 },
    "[                    ] 1 %  1,000/100,000 rows  1,000 rows/s  1 min 39 s left"
  ],
  [{ done: 2_000, total: 2_000, elapsed: 4_000 }, "[####################] 100 %  2,000/2,000 rows  500 rows/s"],
  [{ done: 0, total: 0, elapsed: 10 }, "[####################] 100 %  0/0 rows  0 rows/s"],
  [{ done: 1_500, elapsed: 1_000 }, "1,500 rows  1,500 rows/s"]
])("%j reads %s", (reached, text) => {
  assert.strictEqual(progressText("rows", reached), text)
})

import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import * as fc from "fast-check"
import { maxAge, patience, wait } from "./RetryLadder.ts"

const minutes = (duration: Duration.Duration) => Duration.toMinutes(duration)

describe("The retry ladder", () => {
  it("climbs 1, 5, 15, 30 minutes, 1, 2, 4 hours and stays there, for transactional mail", () => {
    const steps = Array.from({ length: 9 }, (_, step) => minutes(wait("transactional", step, 0.5)))
    assert.deepStrictEqual(steps, [1, 5, 15, 30, 60, 120, 240, 240, 240])
    assert.strictEqual(Duration.toHours(maxAge("transactional")), 24)
  })

  it("begins at 15 minutes for everything else", () => {
    const steps = Array.from({ length: 6 }, (_, step) => minutes(wait("bulk", step, 0.5)))
    assert.deepStrictEqual(steps, [15, 30, 60, 120, 240, 240])
    assert.strictEqual(Duration.toHours(maxAge("bulk")), 72)
  })

  it("spreads mails that failed together by a fifth both ways", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("transactional", "bulk"),
        fc.nat(20),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (urgency, step, random) => {
          const middle = minutes(wait(urgency, step, 0.5))
          const spread = minutes(wait(urgency, step, random))
          assert.isTrue(spread >= middle * 0.8 - 0.001 && spread <= middle * 1.2 + 0.001)
        }
      )
    )
  })

  it("waits 1 to 30 minutes, and a little more by chance, when the peer asks for patience", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 50].map((tries) => minutes(patience(tries, 0))),
      [1, 2, 4, 8, 16, 30, 30]
    )
  })
})

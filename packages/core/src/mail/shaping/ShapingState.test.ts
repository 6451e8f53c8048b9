import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { probed, recovered, type ShapingState, signalled, workerPart } from "./ShapingState.ts"

const minute = 60_000
const hour = 60 * minute
const slow = { kind: "slow" } as const
const traffic = { sentLastMinute: 600, connections: 8 }

const slowed = (times: number): ShapingState => {
  let state: ShapingState | undefined
  for (let n = 0; n < times; n++) state = signalled(state, slow, traffic, n * minute)
  return state as ShapingState
}

describe("the state of a provider in trouble", () => {
  it("halves rate and connections, for 10 minutes at first and 2 hours at most", () => {
    assert.deepInclude(slowed(1), {
      status: "SLOWED",
      level: 1,
      ratePerMinute: 300,
      maxConnections: 4,
      until: 10 * minute
    })
    assert.deepInclude(slowed(2), { level: 2, maxConnections: 2, until: minute + 20 * minute })
    assert.deepInclude(slowed(3), { level: 3, maxConnections: 1, until: 2 * minute + 40 * minute })
    assert.deepInclude(slowed(6), { level: 6, maxConnections: 1, until: 5 * minute + 2 * hour })
    const idle = signalled(undefined, slow, { sentLastMinute: 0, connections: 1 }, 0)
    assert.deepInclude(idle, { ratePerMinute: 1, maxConnections: 1 })
  })

  it("counts signals of one minute once", () => {
    const first = slowed(1)
    assert.strictEqual(signalled(first, slow, traffic, minute - 1), first)
    assert.strictEqual(signalled(first, slow, traffic, minute).level, 2)
  })

  it("recovers level by level, each for 10 minutes, and is then normal", () => {
    const third = signalled(slowed(2), slow, { sentLastMinute: 80, connections: 2 }, 5 * minute)
    const end = third.until
    assert.strictEqual(recovered(third, end - 1), third)
    assert.deepInclude(recovered(third, end), { level: 2, ratePerMinute: 80, maxConnections: 2 })
    assert.deepInclude(recovered(third, end + 10 * minute), { level: 1, ratePerMinute: 160, maxConnections: 4 })
    assert.isUndefined(recovered(third, end + 20 * minute))
  })

  it("is suspended for the named time, then probed by one mail a minute, and slowed after five of them", () => {
    const state = signalled(undefined, { kind: "suspend", minutes: 120 }, traffic, 0)
    assert.deepInclude(state, { status: "SUSPENDED", ratePerMinute: 0, until: 2 * hour })
    // What was in transmission is refused too.
    assert.strictEqual(signalled(state, slow, traffic, minute), state)
    let probing = recovered(state, 2 * hour) as ShapingState
    assert.deepInclude(probing, { status: "PROBING", ratePerMinute: 1, maxConnections: 1 })
    assert.strictEqual(recovered(probing, 9 * hour), probing)
    for (let n = 1; n <= 4; n++) probing = probed(probing, 2 * hour + n * minute)
    assert.deepInclude(probing, { status: "PROBING", accepted: 4 })
    assert.deepInclude(probed(probing, 3 * hour), {
      status: "SLOWED",
      level: 3,
      ratePerMinute: 75,
      until: 3 * hour + 40 * minute
    })
  })

  it("a refused probe doubles the suspension, to 8 hours at most", () => {
    let state = signalled(undefined, { kind: "suspend", minutes: 120 }, traffic, 0)
    for (const hours of [4, 8, 8]) {
      const probing = recovered(state, state.until) as ShapingState
      state = signalled(probing, slow, traffic, probing.until)
      assert.deepInclude(state, { status: "SUSPENDED", until: probing.until + hours * hour, before: 600 })
    }
  })

  it("the parts of the workers add up to the limit", () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 40 }), (limit, workers) => {
        const parts = Array.from({ length: workers }, (_, index) => workerPart(limit, workers, index))
        assert.strictEqual(
          parts.reduce((sum, part) => sum + part, 0),
          limit
        )
        assert.isAtMost(Math.max(...parts) - Math.min(...parts), 1)
      })
    )
    assert.deepStrictEqual([workerPart(2, 4, 0), workerPart(2, 4, 1), workerPart(2, 4, 2)], [1, 1, 0])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { judge, type KnownHit } from "./EngagementRules.ts"

let made = 0
const open = (at: number): KnownHit => ({ id: `o${++made}`, target: "open ", isClick: false, at, verdict: "human" })
const click = (link: number, at: number, verdict: KnownHit["verdict"] = "human"): KnownHit => ({
  id: `c${++made}`,
  target: `click ${link}`,
  isClick: true,
  at,
  verdict
})

const verdicts = (known: ReadonlyArray<KnownHit>, fresh: ReadonlyArray<KnownHit>) =>
  judge(known, fresh).counted.map(({ verdict }) => verdict)

describe("repeats", () => {
  it("within a second count once, on record or not", () => {
    const { counted } = judge([open(1_000)], [open(1_999), open(1_001), open(1_000)])
    assert.deepStrictEqual(counted, [])
    assert.strictEqual(judge([], [open(0), open(999), open(1_000), open(1_500), open(2_000)]).counted.length, 3)
  })

  it("are of the same pixel or link alone", () => {
    assert.strictEqual(judge([open(0)], [click(1, 0), click(2, 0), click(1, 500)]).counted.length, 2)
  })

  it("ten thousand in a second are one", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => open(n / 10.001))
    assert.strictEqual(judge([], many).counted.length, 1)
  })
})

describe("three links within two seconds", () => {
  it("are a machine's, the earlier ones too", () => {
    const [first, second] = [click(1, 0), click(2, 900)]
    const { counted, corrected } = judge([first, second], [click(3, 2_000)])
    assert.deepStrictEqual(
      counted.map(({ verdict }) => verdict),
      ["machine"]
    )
    assert.deepStrictEqual(corrected, [first.id, second.id])
  })

  it("corrects nothing twice", () => {
    assert.deepStrictEqual(judge([click(1, 0, "machine"), click(2, 1, "machine")], [click(3, 2)]).corrected, [])
  })

  it("are not two links, nor three in more time, nor two and a pixel", () => {
    assert.deepStrictEqual(verdicts([], [click(1, 0), click(2, 10), click(1, 1_100)]), ["human", "human", "human"])
    assert.deepStrictEqual(verdicts([], [click(1, 0), click(2, 10), click(3, 2_001)]), ["human", "human", "human"])
    assert.deepStrictEqual(verdicts([], [click(1, 0), click(2, 10), open(20)]), ["human", "human", "human"])
  })

  it("leave a click before and after them alone", () => {
    const clicks = [click(9, 0), click(1, 3_000), click(2, 3_500), click(3, 4_000), click(8, 7_000)]
    assert.deepStrictEqual(verdicts([], clicks), ["human", "machine", "machine", "machine", "human"])
  })
})

it("in whatever order and portions hits come, the verdicts are the same", () => {
  const hits = fc.array(
    fc.record({ link: fc.nat({ max: 4 }), at: fc.nat({ max: 6_000 }), portion: fc.nat({ max: 3 }) })
  )
  fc.assert(
    fc.property(hits, (given) => {
      // Further apart than a repeat, so that what counts does not hang on who came first.
      const distinct = given.filter(
        (hit, n) => !given.some((other, m) => m < n && other.link === hit.link && Math.abs(other.at - hit.at) < 1_000)
      )
      const all = distinct.map(({ link, at, portion }) => ({ ...click(link, at), portion }))
      const atOnce = new Map(judge([], all).counted.map(({ id, verdict }) => [id, verdict]))
      let known: ReadonlyArray<KnownHit> = []
      for (const portion of [3, 1, 0, 2]) {
        const { counted, corrected } = judge(
          known,
          all.filter((hit) => hit.portion === portion)
        )
        known = [...known, ...counted].map((hit) =>
          corrected.includes(hit.id) ? { ...hit, verdict: "machine" as const } : hit
        )
      }
      assert.deepStrictEqual(
        new Map(known.map(({ id, verdict }) => [id, verdict])),
        new Map([...atOnce].sort(byId(known)))
      )
    })
  )
})

const byId =
  (known: ReadonlyArray<KnownHit>) =>
  ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
    known.findIndex(({ id }) => id === a) - known.findIndex(({ id }) => id === b)
